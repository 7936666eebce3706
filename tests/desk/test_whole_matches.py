"""Twenty whole matches through the whole protocol, played by bots (protocol 1 to 11).

One goes by files between two desks, as people play; the others at the level of matches, since files
on a disk cost most of the time. Each is written, read again, audited by a stranger, and read with
both card secrets: every card there is lies in one place.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mbp.audit import audit
from mbp.chain import to_text
from mbp.curve import scalar_to_bytes
from mbp.gamefile import dump, load
from mbp.match import Match, secret_of
from mbp.rules.contract import SEATS, Seat
from tests.correspondents import started
from tests.duel import OPTIONS, Duel, file_of

BOTS: dict[str, dict[Seat, str]] = {
    "random": {"A": "random", "B": "random"},
    "greedy": {"A": "greedy", "B": "greedy"},
    "mixed": {"A": "greedy", "B": "random"},
}
CASES = [
    (bots, start, draw, deck_end)
    for start in ("inviter", "guest", "coin")
    for draw in ("full", "up_to")
    for deck_end in ("last_mandala", "immediate")
    for bots in (("random", "greedy") if start == "coin" else ("random",))
] + [("mixed", start, "full", "last_mandala") for start in ("inviter", "guest")]


def assert_whole(match: Match) -> None:
    """A finished match holds for a stranger, and no card of it is lost or doubled."""
    assert match.pen is None
    assert match.outcome is not None
    data = file_of(match)
    assert dump(load(data)) == data
    report = audit("x", data)
    assert report.ok, report.findings
    assert report.outcome == match.outcome
    assert report.entries == len(match.log)


def disclosed(duel: Duel, match: Match) -> Match:
    """The match with both card secrets laid open."""
    for seat in SEATS:
        secret = secret_of(match.position, seat, duel.identity(seat))
        match = match.with_disclosed(seat, to_text(scalar_to_bytes(secret)))
    return match


@pytest.mark.parametrize(("bots", "start", "draw", "deck_end"), CASES)
def test_a_whole_match(bots: str, start: str, draw: str, deck_end: str) -> None:
    label = f"whole {bots} {start} {draw} {deck_end}"
    options = {**OPTIONS, "start": start, "draw": draw, "deck_end": deck_end}
    duel = Duel(label, options, bots=BOTS[bots])
    match = disclosed(duel, duel.finished(duel.begun()))
    assert_whole(match)
    table = match.position.table
    assert deck_end == "last_mandala" or len(table.piles) == 1  # nothing is shuffled then
    _, sight = match.seen(match.disclosed_secrets())
    assert all(None not in cards for cards in sight.values())
    everywhere = [slot for slots in table.zones.values() for slot in slots]
    assert len(everywhere) + len(table.deck) == 108
    secrets = match.disclosed_secrets()
    pile_of = table.pile_of
    cards = [
        pile_of(slot).read_both(
            secrets[pile_of(slot).first], secrets[pile_of(slot).second], slot[1]
        )
        for slot in (*everywhere, *table.deck)
    ]
    assert sorted(cards) == list(range(108))


def test_a_whole_match_with_a_reshuffle() -> None:
    """The deck runs out by hand, the rest is played by bots."""
    duel = Duel("whole reshuffle", {**OPTIONS, "draw": "up_to"}, bots=BOTS["mixed"])
    match = duel.hoarded(duel.begun(), 3, "A")
    match = duel.finished(match)
    assert len(match.position.table.piles) >= 2
    assert_whole(match)


def test_a_whole_match_by_files(tmp_path: Path) -> None:
    options = {"start": "coin", "draw": "up_to"}
    anna, bert = started(tmp_path, lambda match: match.pen is None, options, "greedy")
    assert anna.file == bert.file
    match = anna.match
    assert_whole(match)
    assert bert.match.log == anna.memory.log == match.log
    for player in (anna, bert):
        seat = "A" if player is anna else "B"
        assert [entry.id for entry in player.signed()] == [
            entry.id for entry in match.log if entry.by == seat
        ]
        player.desk.disclose(player.path)
    anna.takes(bert.file)
    report = audit("x", anna.file)
    assert report.ok
    assert report.disclosed == ("A", "B")
    assert bert.takes(anna.file).match.disclosed == anna.match.disclosed
    assert {contact.name for contact in anna.home.contacts()} == {"Bert"}
