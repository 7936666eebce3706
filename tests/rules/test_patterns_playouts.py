"""A thousand random and a thousand greedy matches: no tile lost, an end always, plausible."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import mean, quantiles

import pytest

from mbp.rules.contract import SEATS, Event, Happened, Seat, other
from mbp.rules.patterns import PATTERNS
from mbp.rules.patterns.state import Bowl
from tests.playout import Player, greedy_player, playout, positions, random_player

Players = Callable[[random.Random], Mapping[Seat, Player]]
MATCHES = 1000


def both_random(rng: random.Random) -> Mapping[Seat, Player]:
    return dict.fromkeys(SEATS, random_player(rng))


def both_greedy(rng: random.Random) -> Mapping[Seat, Player]:
    return dict.fromkeys(SEATS, greedy_player(PATTERNS, rng))


@dataclass(frozen=True)
class Figures:
    """What one policy gives over many matches."""

    actions: list[int]
    points: list[int]
    extra: list[int]

    def spread(self, numbers: list[int]) -> tuple[float, float]:
        """The fifth and the ninety-fifth part in a hundred."""
        cuts = quantiles(numbers, n=20)
        return cuts[0], cuts[-1]


def simulate(players: Players) -> Figures:
    """Plays matches, counts tiles in each position, and what the end is like."""
    figures = Figures([], [], [])
    for match in range(MATCHES):
        rng = random.Random(1 + match)
        events: tuple[Event, ...] = ()
        for shown in positions(PATTERNS, {}, players(rng), rng):
            assert shown.state.total() == 54  # P1.1
            events = shown.events or events
        state = shown.state
        assert state.termination == "blocked"
        figures.actions.append(state.actions)
        figures.points.extend(PATTERNS.scores(state))
        figures.extra.append(extra_flips(events))
    return figures


def extra_flips(events: tuple[Event, ...]) -> int:
    texts = [event.text for event in events if isinstance(event, Happened)]
    return sum(text.count(",") + 1 for text in texts if text.startswith("extra flips"))


def test_random_play_outs() -> None:
    figures = simulate(both_random)
    assert mean(figures.actions) == pytest.approx(32, abs=1)
    assert figures.spread(figures.actions) == pytest.approx((17, 44), abs=2)
    assert mean(figures.points) == pytest.approx(33, abs=1.5)
    assert figures.spread(figures.points) == pytest.approx((10, 56), abs=3)
    assert mean(figures.extra) == pytest.approx(1.0, abs=0.2)


def test_greedy_play_outs() -> None:
    figures = simulate(both_greedy)
    assert mean(figures.actions) == pytest.approx(36, abs=2)
    assert figures.spread(figures.actions) == pytest.approx((22, 47), abs=7)
    assert mean(figures.points) == pytest.approx(46, abs=3)
    assert figures.spread(figures.points) == pytest.approx((21, 67), abs=9)
    assert mean(figures.extra) == pytest.approx(1.8, abs=0.6)


def test_greedy_beats_random() -> None:
    wins = 0
    for match in range(100):
        rng = random.Random(match)
        greedy: Seat = SEATS[match % 2]
        players = dict(both_random(rng)) | {greedy: greedy_player(PATTERNS, rng)}
        wins += playout(PATTERNS, {}, players, rng).outcome.winner == greedy
    assert wins >= 85


@pytest.mark.parametrize(("start", "first"), [("inviter", "A"), ("guest", "B")])
def test_p2_3_start_option(start: str, first: Seat) -> None:
    rng = random.Random(1)
    bowl, action, *_ = playout(PATTERNS, {"start": start}, both_random(rng), rng).moves
    assert isinstance(bowl[1], Bowl)
    assert (bowl[0], action[0]) == (other(first), first)


def test_same_seed_same_match() -> None:
    results = []
    for _ in range(2):
        rng = random.Random(11)
        results.append(playout(PATTERNS, {}, both_random(rng), rng))
    assert results[0] == results[1]
