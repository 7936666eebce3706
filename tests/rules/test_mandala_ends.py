"""Completion, destruction, end and score: M5, M6, M8, M9 and the option `deck_end`."""

from __future__ import annotations

import pytest

from mbp.rules.contract import Drawn, Happened, Moved, Seat, Shuffled
from mbp.rules.mandala import MANDALA
from mbp.rules.mandala.state import Choice, Mandala, State, Take
from tests.rules.mandala_positions import cards_of, counts, mandala, play, position, refused, side

# K and G on the mountain, A holds P P, B holds Y, O to come, R is played to the mountain.
ALMOST = mandala("KGO", a="PP", b="Y")


def test_m5_1_six_colours_complete_after_the_draw() -> None:
    step = play(position(ALMOST), "m1r")
    assert step.events[:3] == (
        Moved("hand A", "mountain 1", 5, 1),
        Drawn("hand A", 3),
        Happened("mandala 1 is complete"),
    )
    assert step.state.choice == Choice(1, "A")


def test_m5_1_a_field_action_completes_too() -> None:
    step = play(position(two=ALMOST), "f2r1")
    assert step.state.choice == Choice(2, "A")
    assert step.state.mover == "A"


def test_m5_1_five_colours_are_not_complete() -> None:
    assert play(position(mandala("KG", a="PP", b="Y")), "m1r").state.choice is None


@pytest.mark.parametrize(
    ("one", "chooser"),
    [
        (mandala("KGO", a="PP", b="Y"), "A"),
        (mandala("KGO", a="P", b="YY"), "B"),
        (mandala("KO", a="PG", b="YYY"), "B"),  # cards count, not colours
    ],
)
def test_m5_2_more_cards_in_the_field_choose_first(one: Mandala, chooser: Seat) -> None:
    assert play(position(one), "m1r").state.mover == chooser
    assert play(position(one, mover="B"), "m1r").state.mover == chooser


def test_m5_2_tie_goes_to_the_other_player() -> None:
    tied = mandala("KGO", a="PP", b="YY")
    assert play(position(tied), "m1r").state.mover == "B"
    assert play(position(tied, mover="B"), "m1r").state.mover == "A"


def test_m5_2_the_completing_card_in_the_field_counts() -> None:
    tied = mandala("KGO", a="PP", b="YYY")
    assert play(position(tied), "f1r1").state.mover == "B"  # 3:3, A completed it
    assert play(position(tied), "f1r2").state.mover == "A"


def test_m6_1_players_alternate_and_take_all_of_a_colour() -> None:
    state = play(position(mandala("KKGO", a="PP", b="Y")), "m1r").state
    assert MANDALA.legal_moves(state, ()) == (Take(0), Take(1), Take(4), Take(5))
    step = play(state, "tk")
    assert cards_of(step) == [
        Moved("mountain 1", "river A", 0, 1),
        Moved("mountain 1", "cup A", 0, 1),
    ]
    assert step.state.mover == "B"
    assert play(step.state, "tg").state.mover == "A"


def test_m6_1_only_a_colour_that_is_there() -> None:
    state = play(position(ALMOST), "m1r").state
    assert refused(state, "ty") == "M6.1"
    assert refused(play(state, "tk").state, "tk") == "M6.1"


def test_m6_2_new_colour_to_the_lowest_empty_space() -> None:
    state = position(mandala("KKKG", a="P", b="YO"), a=side(river="RY"), choice=Choice(1, "B"))
    after = play(state, "tk").state
    assert after.sides[0].river == (5, 3, 0)
    assert after.sides[0].cup == counts("KK")


def test_m6_2_known_colour_to_the_cup() -> None:
    state = position(mandala("KKKGR", a="P", b="YO"), a=side(river="RK"), choice=Choice(1, "B"))
    step = play(state, "tk")
    assert cards_of(step) == [Moved("mountain 1", "cup A", 0, 3)]
    assert step.state.sides[0].river == (5, 0)


def test_m6_3_a_chooser_without_field_cards_chooses_in_turn_but_discards() -> None:
    state = play(position(mandala("KKGO", a="PY")), "m1r", "tg").state
    assert state.mover == "B"
    step = play(state, "tk")
    assert cards_of(step) == [Moved("mountain 1", "discards", 0, 2)]
    assert step.state.discards == counts("KK")
    assert step.state.sides[1] == side()
    assert step.state.mover == "A"


def test_m6_4_both_fields_empty_discards_the_mountain() -> None:
    step = play(position(mandala("KKGPYO")), "m1r")
    assert cards_of(step) == [
        Moved("hand A", "mountain 1", 5, 1),
        Drawn("hand A", 3),
        Moved("mountain 1", "discards", None, 7),
        Drawn("mountain 1", 2),
    ]
    assert step.state.discards == counts("KKGPYOR")
    assert step.state.mandalas[0] == Mandala(closed=2)
    assert (step.state.mover, step.state.choice) == ("B", None)


def test_m6_5_the_last_colour_is_taken_by_the_rules() -> None:
    state = play(position(mandala("KGG", a="PP", b="YO")), "m1r", "tk").state
    assert state.mover == "A"
    step = play(state, "tr")
    assert cards_of(step) == [
        Moved("mountain 1", "river A", 5, 1),
        Moved("mountain 1", "river B", 1, 1),
        Moved("mountain 1", "cup B", 1, 1),
        Moved("field 1 A", "discards", None, 2),
        Moved("field 1 B", "discards", None, 2),
        Drawn("mountain 1", 2),
    ]


def test_m6_5_a_mountain_of_one_colour_needs_no_choice_at_all() -> None:
    step = play(position(mandala("KKK", a="PY", b="GO")), "f1r1")
    assert cards_of(step) == [
        Moved("hand A", "field 1 A", 5, 1),
        Moved("mountain 1", "river A", 0, 1),
        Moved("mountain 1", "cup A", 0, 2),
        Moved("field 1 A", "discards", None, 3),
        Moved("field 1 B", "discards", None, 2),
        Drawn("mountain 1", 2),
    ]
    assert step.state.mover == "B"


def test_m6_5_a_forced_choice_without_field_cards_discards() -> None:
    state = play(position(mandala("KG", a="PYO")), "f1r1").state
    step = play(state, "tk")
    assert Moved("mountain 1", "discards", 1, 1) in step.events


@pytest.mark.parametrize("completer", ["A", "B"])
def test_m6_6_fields_go_and_the_completers_opponent_plays(completer: Seat) -> None:
    one = mandala("KG", a="PP", b="YO")
    state = play(position(one, mover=completer), "m1r", "tk", "tg").state
    assert state.mandalas[0] == Mandala(closed=2)
    assert state.discards == counts("PPYO")
    assert state.mover == ("B" if completer == "A" else "A")
    assert state.deck == 40 - 3 - 2
    assert state.turns == 11  # takes are no turns (M8.5)


def test_m6_6_the_mandala_not_played_to_stays() -> None:
    state = play(position(mandala("KG", a="PP", b="YO"), mandala("RR", b="G")), "m1r", "tk", "tg")
    assert state.state.mandalas[1] == mandala("RR", b="G")


def refill(deck: int, discards: str = "", immediate: bool = False) -> State:
    """A destruction one choice before its refill; its fields are P and Y."""
    return position(
        mandala("KG", a="P", b="Y"),
        deck=deck,
        discards=discards,
        choice=Choice(1, "B"),
        immediate=immediate,
    )


def test_m7_1_a_refill_can_empty_the_deck() -> None:
    step = play(refill(2), "tk")
    assert cards_of(step)[-2:] == [Drawn("mountain 1", 2), Shuffled("discards", 2)]
    assert step.state.last_stage
    assert step.state.termination is None  # M8.1: it waits for the next completion
    assert step.state.mover == "A"


def test_m7_2_a_refill_runs_across_the_shuffle() -> None:
    step = play(refill(1), "tk")
    assert cards_of(step)[-3:] == [
        Drawn("mountain 1", 1),
        Shuffled("discards", 2),
        Drawn("mountain 1", 1),
    ]
    assert step.state.mandalas[0] == Mandala(closed=2)


def test_m8_1_a_last_stage_without_a_shuffle_ends_the_game_all_the_same() -> None:
    step = play(position(mandala("KG", a="P", b="YO"), deck=3), "m1r", "tk", "tg")
    assert step.state.termination == "last_mandala"
    assert not [event for event in step.events if isinstance(event, Shuffled)]


def test_m8_1_completion_in_the_last_stage_is_destroyed_and_ends_the_game() -> None:
    state = play(position(ALMOST, last_stage=True), "m1r", "tk", "tg", "to").state
    assert state.termination == "last_mandala"
    assert state.mover is None
    assert state.mandalas[0] == Mandala()
    assert MANDALA.legal_moves(state, (1, 2)) == ()


def test_m8_1_on_the_turn_whose_draw_began_it_too() -> None:
    state = play(position(ALMOST, deck=2, discards="KKKK"), "m1r").state
    assert state.last_stage
    assert play(state, "tk", "tg", "to").state.termination == "last_mandala"


def test_m8_1_both_fields_empty_ends_it_too() -> None:
    step = play(position(mandala("KGPYO"), last_stage=True), "m1r")
    assert step.state.termination == "last_mandala"


def test_m8_1_the_next_completion_after_a_refill_that_began_it() -> None:
    state = play(refill(2), "tk").state
    state = MANDALA.reveal(MANDALA.reveal(state, "mountain 1", 0), "mountain 1", 1)
    state = play(state, "f2p1", "f2y2", "m2o", "m2r").state
    assert state.choice == Choice(2, "B")
    assert play(state, "tk", "tg", "to").state.termination == "last_mandala"


@pytest.mark.parametrize("chooser", ["A", "B"])
def test_m8_2_sixth_colour_ends_when_the_destruction_is_finished(chooser: Seat) -> None:
    full = side(river="GPYOR")
    completer: Seat = "B" if chooser == "A" else "A"
    state = position(
        mandala("KKGPR", a="Y", b="O"),
        a=full if chooser == "A" else None,
        b=full if chooser == "B" else None,
        mover=chooser,
        choice=Choice(1, completer),
    )
    middle = play(state, "tk").state
    assert middle.termination is None
    assert middle.mover == completer
    step = play(middle, "tg", "tp")
    assert step.state.termination == "river"
    assert not [event for event in step.events if isinstance(event, Drawn)]
    assert step.state.mandalas[0] == Mandala()
    assert len(step.state.sides[0 if chooser == "A" else 1].river) == 6


def test_m8_2_both_rivers_full_in_one_destruction() -> None:
    sides = side(river="GPYOR"), side(river="KPYOR")
    state = position(mandala("KG", a="Y", b="O"), None, *sides, choice=Choice(1, "B"))
    after = play(state, "tk").state
    assert [len(one.river) for one in after.sides] == [6, 6]
    assert after.termination == "river"


def test_m8_3_hands_fields_and_mountains_count_nothing() -> None:
    state = position(mandala("KKK", a="GGG"), a=side(8, river="KGR"))
    assert MANDALA.scores(state) == (0, 0)


@pytest.mark.parametrize("text", ["m1r", "f1r1", "dr1"])
def test_m8_5_the_400th_turn_is_the_last(text: str) -> None:
    step = play(position(turns=399), text)
    assert step.state.termination == "turn_limit"
    assert play(position(turns=398), text).state.termination is None


def test_m8_5_a_destruction_is_finished_without_a_refill() -> None:
    state = play(position(mandala("KG", a="PP", b="YO"), turns=399), "m1r").state
    assert state.termination is None
    step = play(state, "tk", "tg")
    assert step.state.termination == "turn_limit"
    assert step.state.mandalas[0] == Mandala()
    assert step.state.deck == 37


def test_m8_6_river_stands_above_all() -> None:
    state = position(
        mandala("KG", a="Y", b="O"),
        a=side(river="GPYOR"),
        last_stage=True,
        turns=400,
        choice=Choice(1, "B"),
    )
    assert play(state, "tk").state.termination == "river"


def test_m8_6_last_mandala_stands_above_the_turn_limit() -> None:
    one = mandala("KG", a="PP", b="YO")
    step = play(position(one, last_stage=True, turns=399), "m1r", "tk", "tg")
    assert step.state.termination == "last_mandala"


def test_m8_6_deck_stands_above_the_turn_limit() -> None:
    step = play(position(deck=3, turns=399, immediate=True), "m1r")
    assert step.state.termination == "deck"


def test_m8_6_river_stands_above_deck() -> None:
    state = position(
        mandala("KG", a="P", b="YO"), b=side(river="GPYOR"), deck=3, discards="RR", immediate=True
    )
    assert play(state, "m1r", "tk", "tg").state.termination == "river"


def test_immediate_ends_with_the_turn_that_empties_the_deck() -> None:
    step = play(position(deck=3, discards="KK", immediate=True), "m1r")
    assert cards_of(step)[1:] == [Drawn("hand A", 3)]
    assert (step.state.termination, step.state.mover) == ("deck", None)


def test_immediate_draws_fewer_and_shuffles_nothing() -> None:
    step = play(position(deck=1, discards="KK", immediate=True), "dr3")
    assert cards_of(step) == [Moved("hand A", "discards", 5, 3), Drawn("hand A", 1)]
    assert step.state.sides[0].hand == 4
    assert step.state.termination == "deck"


def test_immediate_destroys_a_mandala_completed_by_that_turn_without_a_refill() -> None:
    one = mandala("KG", a="PP", b="YO")
    state = play(position(one, deck=2, discards="KK", immediate=True), "m1r").state
    assert state.termination is None
    step = play(state, "tk", "tg")
    assert step.state.termination == "deck"
    assert step.state.mandalas[0] == Mandala()
    assert step.state.discards == counts("KKPPYO")


@pytest.mark.parametrize("deck", [1, 2])
def test_immediate_a_refill_that_empties_the_deck_stays_as_it_is(deck: int) -> None:
    step = play(refill(deck, "KK", immediate=True), "tk")
    assert cards_of(step)[-1] == Drawn("mountain 1", deck)
    assert step.state.termination == "deck"
    assert step.state.mandalas[0] == Mandala(closed=deck)


def test_immediate_goes_on_while_the_deck_lasts() -> None:
    step = play(refill(3, immediate=True), "tk")
    assert step.state.termination is None
    assert step.state.deck == 1


def test_m9_1_cup_cards_score_their_river_space() -> None:
    state = position(a=side(river="KGR", cup="KKGRRRY"), b=side(river="Y", cup="YY"))
    assert MANDALA.scores(state) == (2 * 1 + 1 * 2 + 3 * 3, 2)


def scored(a: str, b: str, closed: int = 0) -> State:
    return position(a=side(river="KGR", cup=a, closed=closed), b=side(river="KGR", cup=b, closed=0))


def test_m9_2_more_points_win() -> None:
    assert MANDALA.winner(scored("RR", "R")) == "A"
    assert MANDALA.winner(scored("R", "RR")) == "B"


def test_m9_2_tied_points_fewer_cup_cards_win() -> None:
    assert MANDALA.winner(scored("GG", "RK")) is None
    assert MANDALA.winner(scored("RK", "KKKK")) == "A"
    assert MANDALA.winner(scored("RKY", "RK")) == "B"


def test_m9_3_a_closed_card_scores_nothing_but_is_a_cup_card() -> None:
    assert MANDALA.scores(scored("R", "R", closed=2)) == (3, 3)
    assert MANDALA.winner(scored("R", "R", closed=2)) == "B"


def test_m8_nothing_can_be_played_when_play_is_over() -> None:
    state = play(position(turns=399), "m1r").state
    assert refused(state, "m1r") == "M8"
