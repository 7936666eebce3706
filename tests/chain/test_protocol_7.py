"""Protocol 7 and 8: who holds the pen, what it owes, and acts of play."""

from __future__ import annotations

from typing import Any

import pytest

from mbp.cards.pile import format_card
from mbp.chain import Entry, from_text
from mbp.match import Match, Position, secret_of
from mbp.match.table import Slot, slot_text
from mbp.match.write import write_entry
from mbp.rules.contract import COLOURS, Seat, other
from tests.duel import OPTIONS, Duel, lie, pairs_of, refused_next, resealed, without

UP_TO = {**OPTIONS, "draw": "up_to"}


@pytest.fixture(scope="module")
def duel() -> Duel:
    return Duel("protocol 7")


@pytest.fixture(scope="module")
def match(duel: Duel) -> Match:
    """A whole match."""
    return duel.finished(duel.begun())


def mover_of(position: Position) -> Seat:
    assert position.state is not None
    assert position.state.mover is not None
    return position.state.mover


# 7.1 the pen


def test_7_1_the_pen_is_the_movers_who_has_all_cards(match: Match) -> None:
    for moment in match.moments[2:]:
        position = moment.position
        if position.duty == "play":
            assert position.pen == mover_of(position)
            assert not position.table.waits(mover_of(position))


def test_7_1_pen_is_with_the_other_player_who_owes_a_give(match: Match) -> None:
    waiting = [m.position for m in match.moments[2:] if m.position.duty == "deal"]
    dealt = [p for p in waiting if not p.play_over]
    assert dealt
    for position in dealt:
        mover = mover_of(position)
        assert position.table.waits(mover)
        assert position.pen == (other(mover) if position.table.pays(other(mover)) else mover)


def test_7_1_after_the_end_the_pen_is_with_whoever_has_closed_cups(match: Match) -> None:
    closing = [m for m in match.moments if m.position.play_over]
    assert [m.position.pen for m in closing[:-1]] == [m.entry.by for m in closing[1:]]
    assert closing[-1].position.pen is None
    for moment in closing[:-1]:
        assert moment.position.pen is not None
        assert moment.position.table.cups_due(moment.position.pen)
        assert moment.position.outcome is None


def test_7_1_nobody_else_may_write(duel: Duel, match: Match) -> None:
    for seq in range(3, len(match.log)):
        entry = match.log[seq]
        wrong = resealed(entry, duel.identity(other(entry.by)), by=other(entry.by))
        assert refused_next(match.at(seq - 1), wrong) == (4, seq, other(entry.by))


def test_7_1_a_deal_where_a_move_is_due_and_the_reverse(duel: Duel, match: Match) -> None:
    for seq in range(3, len(match.log)):
        entry = match.log[seq]
        act = "mountain 1 red" if entry.verb == "deal" else "deal"
        wrong = resealed(entry, duel.identity(entry.by), act=act)
        assert refused_next(match.at(seq - 1), wrong) == (4, seq, entry.by)


def test_7_1_when_nothing_is_owed_nothing_may_follow(duel: Duel, match: Match) -> None:
    assert match.pen is None
    entry = match.log[-1]
    count = len(match.log)
    for act in ("deal", "resign", "claim", "agree", "vacation 1", "mountain 1 red"):
        for seat in ("A", "B"):
            identity = duel.identity("A" if seat == "A" else "B")
            more = resealed(
                entry, identity, by=seat, act=act, seq=str(count), prev=entry.id, cards=None
            )
            assert refused_next(match, more) == (4, count, seat)


def test_7_1_a_mover_who_can_open_a_face_up_card_does_so_in_the_move(match: Match) -> None:
    begin = match.log[2]
    assert {f"0:{n}" for n in range(4)} <= set(begin.cards["open"])
    opened = 0
    for before, moment in zip(match.moments[2:], match.moments[3:], strict=False):
        faced = before.position.table.face_up_due(moment.entry.by)
        if before.position.play_over:
            continue
        names = {slot_text(slot) for slot in faced}
        assert names <= set(moment.entry.cards.get("open", {}))
        opened += len(names)
    assert opened


# 7.2 what is owed


def test_7_2_less_than_owed_is_refused(duel: Duel, match: Match) -> None:
    """Every give and every open of a match, left out by its author with a proof that holds."""
    seen = 0
    for seq in range(3, min(len(match.log), 30)):
        before, entry = match.at(seq - 1), match.log[seq]
        pairs = pairs_of(before, entry)
        for name in pairs:
            what, slot = name.split()
            rest = [pair for other_name, pair in pairs.items() if other_name != name]
            wrong = lie(duel, before, without(entry, what, slot), rest)
            assert refused_next(before, wrong) == (8, seq, entry.by), (entry.act, name)
            seen += 1
    assert seen > 20


def test_7_2_more_than_owed_is_refused(duel: Duel, match: Match) -> None:
    """A card of the deck given before anybody drew it, and one of the own hand shown."""
    before = duel.at_play(match.at(2))
    seq = len(before.log)
    seat = before.pen
    assert seat
    entry = duel.step(before).log[-1]
    table = before.position.table
    slot: Slot = table.deck[-1]
    pile = table.pile_of(slot)
    secret = secret_of(before.position, seat, duel.identity(seat))
    text = pile.find_give(seat, secret, slot[1])
    gives = {**entry.cards.get("give", {}), slot_text(slot): text}
    pairs = pairs_of(before, entry)
    more = {**pairs, f"give {slot_text(slot)}": pile.give_pair(seat, slot[1], text)}
    order = [name for name in more if name.startswith("give")]
    order += [name for name in more if name.startswith("open")]
    wrong = Entry({**entry.tree, "cards": {**entry.cards, "give": gives}})
    assert refused_next(before, lie(duel, before, wrong, [more[n] for n in order])) == (
        8,
        seq,
        seat,
    )

    hand = [s for s in table.zones[f"hand {seat}"] if slot_text(s) not in entry.cards["open"]]
    shown = pile.read(seat, secret, hand[0][1])
    assert shown is not None
    opens = {**entry.cards["open"], slot_text(hand[0]): format_card(shown)}
    more = {**pairs, f"open {slot_text(hand[0])}": pile.open_pair(seat, hand[0][1], shown)}
    names = sorted(more, key=lambda name: (name[:4], int(name.split(":")[1])))
    wrong = Entry({**entry.tree, "cards": {**entry.cards, "open": opens}})
    assert refused_next(before, lie(duel, before, wrong, [more[n] for n in names])) == (
        8,
        seq,
        seat,
    )


def test_7_2_a_drawn_card_is_given_in_the_next_entry_and_never_before(match: Match) -> None:
    for before, moment in zip(match.moments[2:], match.moments[3:], strict=False):
        if before.position.play_over or moment.position.play_over:
            continue
        table, by = before.position.table, moment.entry.by
        due = {slot_text(slot) for slot in table.gives_due(by)}
        assert due <= set(moment.entry.cards.get("give", {}))
        for slot in moment.entry.cards.get("give", {}):
            found = moment.position.table.find_slot(slot)
            assert found is not None
            assert moment.position.table.zone_of(found) is not None  # it was drawn


def test_7_2_in_and_after_the_entry_that_ends_play_nothing_is_given(match: Match) -> None:
    for moment in match.moments:
        if moment.position.play_over:
            assert "give" not in moment.entry.cards
            assert "mask" not in moment.entry.cards


def test_7_2_a_cup_opened_at_the_end_by_its_owner_alone(match: Match) -> None:
    state: Any = match.position.state
    assert [side.closed for side in state.sides] == [0, 0]
    hidden = {"A": {"0:16", "0:17"}, "B": {"0:18", "0:19"}}
    for entry in match.log[-2:]:
        mine = hidden[entry.by]
        assert mine <= set(entry.cards["open"])


# 7.4 slots after begin


def test_7_4_accept_and_begin_give_what_the_set_up_dealt(match: Match) -> None:
    accept, begin = match.log[1], match.log[2]
    hand_a = {f"0:{n}" for n in (*range(4, 10), 16, 17)}
    hand_b = {f"0:{n}" for n in (*range(10, 16), 18, 19)}
    mountains = {f"0:{n}" for n in range(4)}
    assert set(accept.cards["give"]) == hand_a | mountains
    assert set(begin.cards["give"]) == hand_b
    assert set(begin.cards["open"]) == mountains
    drawn = match.at(2).position.table.deck
    assert drawn == tuple((0, n) for n in range(20, 108))


def test_6_2_s_gives_numbers_and_f_gives_points(match: Match) -> None:
    for entry in match.log:
        for slot, text in entry.cards.get("give", {}).items():
            number, _, _ = slot.partition(":")
            pile = match.position.table.piles[int(number)]
            if entry.by == pile.second:
                assert text.isdecimal()
            else:
                assert len(from_text(text)) == 32


# 7.6


def test_7_6_which_of_several_equal_cards_is_played_is_left_to_chance(duel: Duel) -> None:
    match = duel.at_play(duel.begun())
    seat = match.pen
    assert seat
    for _ in range(30):
        match = duel.at_play(match)
        seat = match.pen
        assert seat
        _, _, hand = duel.moves(match)
        colour = max(set(hand), key=hand.count)
        act = f"discard {COLOURS[colour]} 1"
        if hand.count(colour) >= 3 and act in duel.texts(match):
            break
        match = duel.step(match)
    opened = {
        tuple(write_entry(match.position, seat, act, duel.pen(seat)).cards["open"])
        for _ in range(12)
    }
    assert len(opened) >= 2


# 8 acts of play


@pytest.mark.parametrize(
    "act",
    [
        "mountain 1 Red",
        "mountain 1 r",
        "mountain 3 red",
        "mountain 1 red draw 2",
        "field 1 red",
        "discard red 01",
        "take",
    ],
)
def test_8_an_act_is_written_in_the_long_notation_only(duel: Duel, match: Match, act: str) -> None:
    before = duel.at_play(match.at(2))
    honest = duel.step(before).log[-1]
    pairs = list(pairs_of(before, honest).values())
    wrong = lie(duel, before, Entry({**honest.tree, "act": act}), pairs)
    assert refused_next(before, wrong) == (7, len(before.log), honest.by)


@pytest.mark.parametrize("act", ["take red", "discard black 9", "field 2 red 18"])
def test_8_an_illegal_move_signed_by_its_author_is_refused(
    duel: Duel, match: Match, act: str
) -> None:
    before = duel.at_play(match.at(2))
    honest = duel.step(before).log[-1]
    wrong = resealed(honest, duel.identity(honest.by), act=act, cards=None)
    assert refused_next(before, wrong) == (7, len(before.log), honest.by)


def test_8_a_card_that_is_not_in_the_hand_is_not_opened(duel: Duel, match: Match) -> None:
    before = duel.at_play(match.at(2))
    honest = duel.step(before).log[-1]
    _, _, hand = duel.moves(before)
    absent = next(colour for colour in range(6) if colour not in hand)
    act = f"discard {COLOURS[absent]} 1"
    wrong = resealed(honest, duel.identity(honest.by), act=act, cards=None)
    assert refused_next(before, wrong) == (8, len(before.log), honest.by)


def test_8_the_cards_opened_have_the_named_colour(duel: Duel, match: Match) -> None:
    before = duel.at_play(match.at(2))
    seat = before.pen
    assert seat
    secret = secret_of(before.position, seat, duel.identity(seat))
    table = before.position.table
    hand = {
        slot: table.pile_of(slot).read(seat, secret, slot[1])
        for slot in table.zones[f"hand {seat}"]
    }
    act = next(
        text for text in duel.texts(before) if text.startswith("discard") and text.endswith("1")
    )
    colour = COLOURS.index(act.split()[1])
    honest = before.played(seat, act, duel.pen(seat)).log[-1]
    (true,) = honest.cards["open"]
    slot, card = next((s, c) for s, c in hand.items() if c is not None and c // 18 != colour)
    opens = {slot_text(slot): format_card(card)}
    wrong = Entry({**honest.tree, "cards": {**honest.cards, "open": opens}})
    pairs = pairs_of(before, honest)
    del pairs[f"open {true}"]
    pair = table.pile_of(slot).open_pair(seat, slot[1], card)
    lied = lie(duel, before, wrong, [*pairs.values(), pair])
    assert refused_next(before, lied) == (8, len(before.log), seat)
    # A card of that colour at a slot that has another one: the proof does not hold.
    other_card = next(c for c in range(18 * colour, 18 * colour + 18) if c not in hand.values())
    cards = {**honest.cards, "open": {true: format_card(other_card)}}
    claimed = resealed(honest, duel.identity(seat), cards=cards)
    assert refused_next(before, claimed) == (6, len(before.log), seat)


def test_11_an_opening_of_the_opponents_card_is_refused(duel: Duel, match: Match) -> None:
    before = duel.at_play(match.at(2))
    seat = before.pen
    assert seat
    honest = duel.step(before).log[-1]
    theirs = before.position.table.zones[f"hand {other(seat)}"][0]
    opens = {**honest.cards["open"], slot_text(theirs): "K00"}
    cards = {**honest.cards, "open": opens}
    assert refused_next(before, resealed(honest, duel.identity(seat), cards=cards))[0] == 6
