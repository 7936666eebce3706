"""Set-up, turns, colours and the deck: M1 to M4 and M7, one rule a test."""

from __future__ import annotations

import pytest

from mbp.rules.contract import (
    COLOURS,
    LETTERS,
    Drawn,
    Happened,
    IllegalMoveError,
    Moved,
    Seat,
    Shuffled,
)
from mbp.rules.mandala import MANDALA
from mbp.rules.mandala.state import Choice, Discard, Field, Mountain, State, Take
from tests.rules.mandala_positions import (
    cards_of,
    counts,
    drawn,
    mandala,
    play,
    position,
    refused,
    side,
)


def fresh(first: Seat = "A", **options: str) -> State:
    return MANDALA.start(options, first, lambda n: 0)


def test_m1_1_six_colours_of_18() -> None:
    assert COLOURS == ("black", "green", "purple", "yellow", "orange", "red")
    assert LETTERS == "KGPYOR"
    assert MANDALA.copies == 18


def test_m1_2_to_m1_4_zones() -> None:
    assert set(MANDALA.zones) == {
        *(f"{kind} {seat}" for kind in ("hand", "cup", "river") for seat in "AB"),
        *(f"field {number} {seat}" for number in (1, 2) for seat in "AB"),
        "mountain 1",
        "mountain 2",
        "discards",
    }
    owned = {zone.name: zone.owner for zone in MANDALA.zones.values() if zone.owner}
    assert owned == {"hand A": "A", "hand B": "B", "cup A": "A", "cup B": "B"}


def test_m1_5_all_cards_are_there_at_the_start() -> None:
    assert fresh().total() == 108


def test_m2_1_set_up() -> None:
    assert [(event.zone, event.count) for event in MANDALA.deal] == [
        ("mountain 1", 2),
        ("mountain 2", 2),
        ("hand A", 6),
        ("hand B", 6),
        ("cup A", 2),
        ("cup B", 2),
    ]
    state = fresh()
    assert state.deck == 88
    assert [one.closed for one in state.mandalas] == [2, 2]
    assert [(one.hand, one.closed) for one in state.sides] == [(6, 2), (6, 2)]


def test_m2_1_equal_colours_may_lie_in_a_mountain() -> None:
    state = MANDALA.reveal(MANDALA.reveal(fresh(), "mountain 2", 5), "mountain 2", 5)
    assert state.mandalas[1].mountain == counts("RR")
    assert state.mandalas[1].closed == 0


@pytest.mark.parametrize("zone", ["mountain 1", "cup A", "hand A", "nowhere"])
def test_m2_1_only_a_face_down_place_can_be_revealed(zone: str) -> None:
    state = position(a=side(closed=0))
    with pytest.raises(LookupError):
        MANDALA.reveal(state, zone, 0)


def test_m2_1_no_turn_before_the_mountains_are_open() -> None:
    assert refused(fresh(), "discard red 1") == "M2.1"


def test_m2_2_cups_are_revealed_one_card_at_a_time() -> None:
    state = MANDALA.reveal(fresh(), "cup B", 3)
    assert (state.sides[1].cup, state.sides[1].closed) == (counts("Y"), 1)


@pytest.mark.parametrize("first", ["A", "B"])
def test_m2_3_the_start_player_is_handed_in(first: Seat) -> None:
    assert fresh(first).mover == first


def test_m3_one_action_each_in_turn() -> None:
    step = play(position(), "m1k")
    assert step.state.mover == "B"
    assert step.state.turns == 11
    assert play(step.state, "dk1").state.mover == "A"


@pytest.mark.parametrize(("hand", "draws"), [(1, 3), (5, 3), (6, 3), (7, 2), (8, 1)])
def test_m3_1_draw_depends_on_the_hand(hand: int, draws: int) -> None:
    step = play(position(a=side(hand)), "mountain 1 red")
    assert cards_of(step) == [Moved("hand A", "mountain 1", 5, 1), Drawn("hand A", draws)]
    assert step.state.sides[0].hand == hand - 1 + draws
    assert step.state.mandalas[0].mountain == counts("KGR")
    assert step.state.deck == 40 - draws


@pytest.mark.parametrize(("hand", "most"), [(2, 3), (6, 3), (7, 2), (8, 1)])
def test_m3_1_up_to_lets_the_player_draw_fewer(hand: int, most: int) -> None:
    state = position(a=side(hand), up_to=True)
    draws = [m.draw for m in MANDALA.legal_moves(state, (5,) * hand) if isinstance(m, Mountain)]
    assert draws == [*range(most + 1)] * 2
    step = play(state, "m1rd0")
    assert cards_of(step) == [Moved("hand A", "mountain 1", 5, 1)]
    assert step.state.sides[0].hand == hand - 1
    assert refused(state, f"m1rd{most + 1}") == "M3.1"


def test_m3_1_without_up_to_nobody_names_a_draw() -> None:
    with pytest.raises(IllegalMoveError) as error:
        MANDALA.apply(position(), Mountain(1, 5, 3))
    assert error.value.rule == "M3.1"
    with pytest.raises(IllegalMoveError):
        MANDALA.apply(position(up_to=True), Mountain(1, 5))


def test_m3_2_field_takes_several_of_one_colour_and_draws_nothing() -> None:
    step = play(position(mover="B"), "field 2 yellow 3")
    assert cards_of(step) == [Moved("hand B", "field 2 B", 3, 3)]
    assert step.state.sides[1].hand == 3
    assert step.state.mandalas[1].fields == (counts(""), counts("YYY"))


def test_m3_2_one_card_stays_in_the_hand() -> None:
    state = position(a=side(3))
    assert refused(state, "f1r3") == "M3.2"
    assert refused(state, "f1r4") == "M3.2"
    assert refused(state, "f1r0") == "M3.2"
    moves = MANDALA.legal_moves(state, (5, 5, 5))
    assert [move.count for move in moves if isinstance(move, Field)] == [1, 2, 1, 2]
    assert refused(position(a=side(1)), "f1r1") == "M3.2"


def test_m3_3_discard_draws_as_many() -> None:
    step = play(position(), "discard purple 4")
    assert cards_of(step) == [Moved("hand A", "discards", 2, 4), Drawn("hand A", 4)]
    assert step.state.sides[0].hand == 6
    assert step.state.discards == counts("PPPP")


def test_m3_3_the_whole_hand_may_go() -> None:
    state = position(a=side(2))
    assert play(state, "dp2").state.sides[0].hand == 2
    assert Discard(2, 2) in MANDALA.legal_moves(state, (2, 2))


@pytest.mark.parametrize("text", ["dp0", "dp7"])
def test_m3_3_not_nothing_and_not_more_than_the_hand(text: str) -> None:
    assert refused(position(), text) == "M3.3"


def test_m3_4_last_card_to_the_mountain_only_if_something_can_be_drawn() -> None:
    empty = position(a=side(1), deck=0, last_stage=True)
    assert refused(empty, "m1k") == "M3.4"
    assert MANDALA.legal_moves(empty, (0,)) == (Discard(0, 1),)
    with_pile = position(a=side(1), deck=0, discards="R", last_stage=True)
    assert play(with_pile, "m1k").state.sides[0].hand == 1
    assert play(position(a=side(1), deck=1), "m1k").state.sides[0].hand == 1


def test_m3_4_last_card_to_the_mountain_must_draw_with_up_to() -> None:
    state = position(a=side(1), up_to=True)
    assert refused(state, "m1kd0") == "M3.4"
    draws = [m.draw for m in MANDALA.legal_moves(state, (0,)) if isinstance(m, Mountain)]
    assert draws == [1, 2, 3, 1, 2, 3]


def test_m3_4_a_hand_of_two_may_go_on_without_a_draw() -> None:
    state = position(a=side(2), deck=0, last_stage=True)
    assert play(state, "m1k").state.sides[0].hand == 1


def test_m4_1_each_colour_in_one_area() -> None:
    state = position(mandala("K", a="G", b="P"))
    allowed = {
        (type(move), move.colour)
        for move in MANDALA.legal_moves(state, (0, 1, 2, 3, 4, 5))
        if isinstance(move, (Mountain, Field)) and move.mandala == 1
    }
    assert allowed == {
        *((Mountain, colour) for colour in (0, 3, 4, 5)),
        *((Field, colour) for colour in (1, 3, 4, 5)),
    }


@pytest.mark.parametrize("text", ["m1g", "m1p", "f1k1", "f1p1"])
def test_m4_2_refusals(text: str) -> None:
    assert refused(position(mandala("K", a="G", b="P")), text) == "M4.2"


def test_m4_2_adding_to_an_area_is_always_allowed() -> None:
    state = position(mandala("K", a="G", b="P"))
    assert play(state, "m1k").state.mandalas[0].mountain == counts("KK")
    assert play(state, "f1g2").state.mandalas[0].fields[0] == counts("GGG")


def test_m4_3_mandalas_do_not_affect_each_other() -> None:
    state = position(mandala("K"), mandala("G", b="K"))
    assert play(state, "m1k").state.mandalas[0].mountain == counts("KK")
    assert refused(state, "m2k") == "M4.2"
    assert play(state, "f1g1").state.mandalas[1].mountain == counts("G")


def test_m4_3_own_field_only() -> None:
    step = play(position(mover="B"), "f1r1")
    assert step.state.mandalas[0].fields == (counts(""), counts("R"))


def test_m7_1_last_card_of_a_draw_shuffles_and_begins_the_last_stage() -> None:
    step = play(position(deck=3, discards="KKRR"), "m1r")
    assert cards_of(step)[1:] == [Drawn("hand A", 3), Shuffled("discards", 4)]
    assert Happened("the deck is empty: the last stage begins") in step.events
    assert (step.state.deck, step.state.discards) == (4, counts(""))
    assert step.state.last_stage


def test_m7_1_a_card_left_in_the_deck_begins_nothing() -> None:
    step = play(position(deck=4, discards="KK"), "m1r")
    assert not step.state.last_stage
    assert step.state.deck == 1


def test_m7_2_a_draw_runs_across_the_shuffle() -> None:
    step = play(position(deck=1, discards="KKRR"), "m1r")
    assert cards_of(step)[1:] == [
        Drawn("hand A", 1),
        Shuffled("discards", 4),
        Drawn("hand A", 2),
    ]
    assert step.state.deck == 2


def test_m7_2_cards_just_discarded_are_shuffled_too() -> None:
    step = play(position(deck=1), "dp3")
    assert cards_of(step) == [
        Moved("hand A", "discards", 2, 3),
        Drawn("hand A", 1),
        Shuffled("discards", 3),
        Drawn("hand A", 2),
    ]
    assert step.state.deck == 1


def test_m7_1_nothing_to_shuffle_begins_the_last_stage_all_the_same() -> None:
    step = play(position(deck=2), "m1r")
    assert drawn(step, "hand A") == 2  # one draws fewer
    assert step.state.last_stage
    assert step.state.deck == 0


def test_m7_1_the_next_draw_tries_again() -> None:
    state = position(deck=0, discards="KKKK", last_stage=True)
    step = play(state, "m1r")
    assert cards_of(step)[1:] == [Shuffled("discards", 4), Drawn("hand A", 3)]
    discards = play(position(deck=0, last_stage=True), "dr1")
    assert cards_of(discards)[1:] == [
        Shuffled("discards", 1),
        Drawn("hand A", 1),
    ]


def test_m7_1_no_draw_no_shuffle() -> None:
    state = position(deck=0, discards="KK", last_stage=True, up_to=True)
    assert cards_of(play(state, "m1rd0")) == [Moved("hand A", "mountain 1", 5, 1)]
    assert play(state, "f1r1").state.deck == 0


def test_m7_1_with_both_piles_empty_one_draws_nothing() -> None:
    step = play(position(deck=0, last_stage=True), "m1r")
    assert cards_of(step) == [Moved("hand A", "mountain 1", 5, 1)]
    assert step.state.sides[0].hand == 5


def test_m7_3_the_deck_can_run_out_twice_in_one_draw() -> None:
    step = play(position(deck=1, discards="K"), "m1r")
    assert cards_of(step)[1:] == [
        Drawn("hand A", 1),
        Shuffled("discards", 1),
        Drawn("hand A", 1),
    ]
    assert (step.state.sides[0].hand, step.state.deck) == (7, 0)


def test_m7_3_shuffled_again_in_the_last_stage_nothing_else_changes() -> None:
    step = play(position(deck=3, discards="KK", last_stage=True), "m1r")
    assert cards_of(step)[1:] == [Drawn("hand A", 3), Shuffled("discards", 2)]
    assert not [event for event in step.events if isinstance(event, Happened)]
    assert step.state.mover == "B"


def test_m3_no_turn_while_a_colour_is_to_be_taken() -> None:
    state = position(mandala("KG", a="R"), choice=Choice(1, "B"))
    assert refused(state, "m1k") == "M6.1"
    assert MANDALA.legal_moves(state, (0, 1)) == (Take(0), Take(1))
    assert refused(position(), "tk") == "M6.1"
