"""Protocol 7.5 and 6.1: shuffles of the discard pile, their masks, and draws across them."""

from __future__ import annotations

from typing import Any

import pytest

from mbp.chain import Entry, to_text
from mbp.match import Match, replay
from mbp.match.table import slot_text
from mbp.rules.contract import Seat, other
from mbp.rules.mandala.state import Discard, Field, Mountain
from tests.duel import OPTIONS, Duel, lie, pairs_of, refused_next, resealed

UP_TO = {**OPTIONS, "draw": "up_to"}

# 7.5 shuffles of the discard pile


def masks(match: Match) -> list[tuple[str, str]]:
    return [(e.by, e.cards["mask"]["pile"]) for e in match.log if "mask" in e.cards]


@pytest.fixture(scope="module", params=["A", "B"])
def one_card(request: pytest.FixtureRequest) -> tuple[Duel, Match]:
    """A match in which that seat has just thrown away the one card that becomes the deck."""
    seat: Seat = "A" if request.param == "A" else "B"
    duel = Duel(f"one card by {seat}", UP_TO)
    match = duel.hoarded(duel.begun(), 1, seat)
    moves, _, _ = duel.moves(match)
    match = duel.play(match, next(m for m in moves if isinstance(m, Discard) and m.count == 1))
    return duel, match


def test_6_1_a_pile_of_one_card_is_masked_in_the_equality_proof(
    one_card: tuple[Duel, Match],
) -> None:
    duel, match = one_card
    author = match.log[-1].by
    pile = match.position.table.piles[1]
    assert (len(pile), pile.first) == (1, author)
    assert "proof" not in match.log[-1].cards["mask"]
    assert (match.pen, match.position.duty) == (other(author), "deal")
    after = duel.step(match)
    assert "proof" not in after.log[-1].cards["mask"]
    assert "proof" in after.log[-1].cards
    assert (after.pen, after.position.duty) == (other(author), "play")
    whole = duel.finished(after)
    assert replay(whole.record).outcome == whole.outcome


def test_6_1_the_one_point_of_a_mask_is_proved(one_card: tuple[Duel, Match]) -> None:
    duel, match = one_card
    before = match.at(len(match.log) - 2)
    for honest in (match.log[-1], duel.step(match).log[-1]):
        entry, state = honest, before if honest is match.log[-1] else match
        foreign = match.position.table.piles[0].first_list
        assert foreign is not None
        wrong_points = to_text(foreign[0])
        cards = {**entry.cards, "mask": {**entry.cards["mask"], "points": wrong_points}}
        wrong = resealed(entry, duel.identity(entry.by), cards=cards)
        assert refused_next(state, wrong)[0] == 6


def test_7_2_a_first_mask_is_owed_in_the_entry_that_shuffles(one_card: tuple[Duel, Match]) -> None:
    duel, match = one_card
    before = match.at(len(match.log) - 2)
    entry = match.log[-1]
    cards = {name: value for name, value in entry.cards.items() if name != "mask"}
    bare = Entry({**entry.tree, "cards": cards})
    pairs = list(pairs_of(before, entry).values())
    assert refused_next(before, lie(duel, before, bare, pairs))[0] == 8


def test_7_2_a_second_mask_is_owed_in_the_next_entry(one_card: tuple[Duel, Match]) -> None:
    duel, match = one_card
    entry = duel.step(match).log[-1]
    bare = resealed(entry, duel.identity(entry.by), cards=None)
    assert refused_next(match, bare) == (8, len(match.log), entry.by)


def test_5_a_mask_that_is_not_due_is_refused(one_card: tuple[Duel, Match]) -> None:
    duel, match = one_card
    mask = match.log[-1].cards["mask"]
    after = duel.step(match)
    entry = duel.step(after).log[-1]
    for pile in ("0", "1", "5"):
        cards = {**entry.cards, "mask": {**mask, "pile": pile}}
        wrong = resealed(entry, duel.identity(entry.by), cards=cards)
        assert refused_next(after, wrong)[0] == 5


@pytest.mark.parametrize("seat", ["A", "B"])
def test_7_5_a_draw_runs_across_a_shuffle(seat: Seat) -> None:
    duel = Duel(f"across {seat}", UP_TO)
    match = duel.hoarded(duel.begun(), 1, seat)
    moves, state, _ = duel.moves(match)
    most = max((m for m in moves if isinstance(m, Discard)), key=lambda m: m.count)
    assert most.count >= 2
    match = duel.play(match, most)
    table = match.position.table
    assert [len(pile) for pile in table.piles] == [108, most.count]
    assert table.piles[1].first == seat
    drawn = [slot for slot in table.zones[f"hand {seat}"] if slot not in table.cards][-most.count :]
    assert [slot[0] for slot in drawn] == [0] + [1] * (most.count - 1)
    # The opponent gives the old pile's card at once, and those of the new one behind its mask.
    assert match.position.duty == "deal"
    match = duel.step(match)
    assert set(match.log[-1].cards["give"]) >= {slot_text(slot) for slot in drawn}
    assert table.deck == tuple((1, n) for n in range(most.count - 1, most.count))
    assert state.deck == 1
    assert replay(match.record).summary == match.summary


@pytest.mark.parametrize("seat", ["A", "B"])
def test_7_5_a_refill_runs_across_a_shuffle(seat: Seat) -> None:
    duel = Duel(f"refill {seat}", UP_TO)
    start = duel.begun()
    lacking = duel.lacking(duel.at_play(start))
    match = duel.hoarded(start, 1, seat)
    state: Any
    while True:  # somebody completes the first mandala with a field, which draws nothing
        match = duel.at_play(match)
        moves, state, _ = duel.moves(match)
        complete = [
            move
            for move in moves
            if isinstance(move, Field)
            and (move.colour,) == tuple(state.mandalas[move.mandala - 1].missing())
        ]
        wait = [
            move
            for move in moves
            if isinstance(move, Mountain) and move.draw == 0 and move.colour not in lacking
        ]
        match = duel.play(match, (complete or wait)[0])
        if complete:
            break
    author = match.log[-1].by
    match = duel.until(match, lambda now: len(now.position.table.piles) == 2)
    table = match.position.table
    assert table.piles[1].first == match.log[-1].by
    refilled = [
        slots for name, slots in table.zones.items() if name.startswith("mountain") and slots
    ]
    ends = [tuple(slot[0] for slot in slots) for slots in refilled]
    assert (0, 1) in ends
    assert author in ("A", "B")
    # Both new mountain cards are up before the next move is due.
    match = duel.at_play(match)
    shown = match.seen(duel.secrets(match))[0]
    assert [mandala.closed for mandala in getattr(shown, "mandalas", ())] == [0, 0]
    assert replay(match.record).summary == match.summary
