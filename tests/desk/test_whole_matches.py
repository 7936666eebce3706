"""Twenty whole matches of each game through the whole protocol, played by bots (protocol 1 to 11).

One of each goes by files between two desks, as people play; the others at the level of matches,
since files on a disk cost most of the time. Each is written, read again and audited by a stranger.
Mandala is then read with both card secrets: every card there is lies in one place. In Patterns all
tiles lie open, and the set-up is laid once more from the coins in the file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mbp import coins
from mbp.audit import audit
from mbp.chain import from_text, to_text
from mbp.curve import scalar_to_bytes
from mbp.gamefile import dump, load
from mbp.match import Match, secret_of
from mbp.rules import GAMES
from mbp.rules.contract import SEATS, Seat
from mbp.rules.patterns.rules import flips
from mbp.rules.patterns.state import State
from tests.correspondents import exchange, pair, started
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


# --- Patterns -------------------------------------------------------------------------------------

TILES = [
    (bots, start, pace)
    for bots in ("random", "greedy", "mixed")
    for start in ("inviter", "guest", "coin")
    for pace in ("7", "0")
]


def seed_in(match: Match) -> bytes:
    """The joint seed of the coins that stand in the log (protocol 3.2)."""
    coin_b, coin_a = (from_text(match.log[seq].tree["coin"]) for seq in (1, 2))
    return coins.joint_seed(coin_a, coin_b)


def assert_tiles(match: Match, start: str) -> None:
    """A finished match of Patterns: its set-up is that of the coins, its end that of P4."""
    assert_whole(match)
    assert not any("cards" in entry.tree for entry in match.log)
    joint = seed_in(match)
    named: dict[str, Seat] = {"inviter": "A", "guest": "B"}
    first = named.get(start) or coins.starts(joint)
    laid, state = match.at(2).position.state, match.position.state
    assert isinstance(laid, State)
    assert isinstance(state, State)
    assert laid == match.game.start({}, first, coins.Chance(joint).below)
    assert [entry.by for entry in match.log[3:5]] == [laid.mover, first]  # P2.3
    assert state.total() == 54
    assert state.actions == len(match.log) - 4 <= 52  # P4.3
    assert match.outcome is not None
    assert match.outcome.termination == "blocked"
    last = match.log[-1].by
    assert flips(state, last) == []  # P4.2: the rules have made all extra flips
    assert match.outcome.scores == tuple(
        sum((size - 1) * number for number, size in enumerate(state.sizes(seat), 1))
        for seat in SEATS
    )
    assert all(len(side.river) <= 6 and side.bowl is not None for side in state.sides)


@pytest.mark.parametrize(("bots", "start", "pace"), TILES)
def test_a_whole_match_of_patterns(bots: str, start: str, pace: str) -> None:
    options = {"start": start, "pace": pace}
    duel = Duel(f"tiles {bots} {start} {pace}", options, game=GAMES["patterns"], bots=BOTS[bots])
    assert_tiles(duel.finished(duel.begun()), start)


def test_a_whole_match_of_patterns_with_days_off_and_offers_that_lapse() -> None:
    options = {"start": "coin", "pace": "3", "vacation": "9"}
    duel = Duel("tiles offers", options, guest=True, game=GAMES["patterns"], bots=BOTS["greedy"])
    match = duel.begun()
    for _ in range(4):
        match = duel.play(match, duel.choose(match), offer="abort")
    assert match.pen is not None
    days_off = match.played(match.pen, "vacation 4", duel.pen(match.pen))
    assert days_off.pen == match.pen
    match = duel.finished(days_off)
    assert_whole(match)
    assert match.outcome is not None
    assert match.outcome.termination == "blocked"


def test_a_whole_match_of_patterns_by_files(tmp_path: Path) -> None:
    anna, bert = pair(tmp_path)
    anna.desk.new("patterns", {"start": "guest"})
    bert.games.mkdir(parents=True, exist_ok=True)
    path = bert.games / anna.path.name
    path.write_bytes(anna.file)
    bert.desk.join(path)
    anna.takes(bert.file)
    bert.takes(anna.file)
    exchange(anna, bert, bot="greedy")
    assert anna.file == bert.file
    assert_tiles(anna.match, "guest")
    assert anna.memory.log == bert.memory.log == anna.match.log
