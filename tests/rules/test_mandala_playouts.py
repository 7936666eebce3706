"""A thousand random and a thousand greedy matches: no card lost, an end always, plausible."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

import pytest

from mbp.rules.contract import SEATS, Happened, Seat
from mbp.rules.mandala import MANDALA
from mbp.rules.mandala.state import Counts, Move, State
from tests.playout import (
    Card,
    Player,
    Position,
    greedy_player,
    playout,
    positions,
    random_player,
)

Players = Callable[[random.Random], Mapping[Seat, Player]]
MATCHES = 1000


def both_random(rng: random.Random) -> Mapping[Seat, Player]:
    return dict.fromkeys(SEATS, random_player(rng))


def both_greedy(rng: random.Random) -> Mapping[Seat, Player]:
    return dict.fromkeys(SEATS, greedy_player(MANDALA, rng))


def counted(cards: Sequence[Card]) -> Counts:
    numbers = [0] * 6
    for card in cards:
        numbers[card.colour] += 1
    return tuple(numbers)


def verify_mirror(position: Position[State, Move], opened: bool) -> None:
    """M1.5 and more: the state counts what the concrete cards show, zone by zone."""
    state, zones = position.state, position.zones
    cards = [card.number for zone in zones.values() for card in zone]
    cards += [card.number for card in position.deck]
    assert len(cards) == len(set(cards)) == state.total() == 108
    assert len(position.deck) == state.deck
    assert counted(zones["discards"]) == state.discards
    for number, mandala in enumerate(state.mandalas, 1):
        mountain = zones[f"mountain {number}"]
        assert counted(mountain[: len(mountain) - mandala.closed]) == mandala.mountain
        for seat, field in zip(SEATS, mandala.fields, strict=True):
            assert counted(zones[f"field {number} {seat}"]) == field
        areas = [mandala.mountain, *mandala.fields]
        assert all(sum(map(bool, colour)) <= 1 for colour in zip(*areas, strict=True))  # M4.1
    for seat, side in zip(SEATS, state.sides, strict=True):
        assert len(zones[f"hand {seat}"]) == side.hand <= 8  # M3.1
        assert side.hand > 0  # M3.4
        assert tuple(card.colour for card in zones[f"river {seat}"]) == side.river
        cup = zones[f"cup {seat}"]
        assert counted(cup[side.closed :]) == side.cup
        assert side.closed == (0 if opened else 2)


@dataclass(frozen=True)
class Figures:
    """What one policy gives over many matches."""

    turns: list[int]
    mandalas: list[int]
    points: list[int]
    ends: Counter[str | None]


def simulate(
    players: Players, matches: int, seed: int, options: Mapping[str, str] | None = None
) -> Figures:
    """Plays matches, each step verified against the mirror."""
    figures = Figures([], [], [], Counter())
    for match in range(matches):
        rng = random.Random(seed + match)
        destroyed = 0
        for position in positions(MANDALA, options or {}, players(rng), rng):
            opened = position.state.mover is None and position.move is None
            verify_mirror(position, opened)
            destroyed += sum(
                isinstance(event, Happened) and event.text.endswith("is complete")
                for event in position.events
            )
        state = position.state
        figures.turns.append(state.turns)
        figures.mandalas.append(destroyed)
        figures.points.extend(MANDALA.scores(state))
        figures.ends[state.termination] += 1
    return figures


def test_random_play_outs() -> None:
    figures = simulate(both_random, MATCHES, seed=1)
    assert mean(figures.turns) == pytest.approx(64, abs=3)
    assert mean(figures.mandalas) == pytest.approx(5.3, abs=0.3)
    assert mean(figures.points) == pytest.approx(23, abs=2)
    assert figures.ends["river"] / MATCHES == pytest.approx(0.33, abs=0.06)
    assert set(figures.ends) == {"river", "last_mandala"}


def test_greedy_play_outs() -> None:
    figures = simulate(both_greedy, MATCHES, seed=1)
    assert mean(figures.turns) == pytest.approx(45, abs=4)
    assert mean(figures.mandalas) == pytest.approx(7.1, abs=0.8)
    assert mean(figures.points) == pytest.approx(40, abs=4)
    assert figures.ends["river"] / MATCHES == pytest.approx(0.84, abs=0.1)


def test_greedy_beats_random() -> None:
    wins = 0
    for match in range(100):
        rng = random.Random(match)
        greedy: Seat = SEATS[match % 2]
        players = dict(both_random(rng)) | {greedy: greedy_player(MANDALA, rng)}
        wins += playout(MANDALA, {}, players, rng).outcome.winner == greedy
    assert wins >= 85


@pytest.mark.parametrize("draw", ["full", "up_to"])
@pytest.mark.parametrize("deck_end", ["last_mandala", "immediate"])
@pytest.mark.parametrize("players", [both_random, both_greedy])
def test_every_option_plays_to_an_end(draw: str, deck_end: str, players: Players) -> None:
    options = {"draw": draw, "deck_end": deck_end}
    figures = simulate(players, 25, seed=7, options=options)
    allowed = {"river", "turn_limit", "deck" if deck_end == "immediate" else "last_mandala"}
    assert set(figures.ends) <= allowed


def test_m8_5_two_players_who_only_discard_reach_the_turn_limit() -> None:
    def discards(state: State, hand: tuple[int, ...], moves: tuple[Move, ...]) -> Move:
        return moves[-1]

    rng = random.Random(3)
    result = playout(MANDALA, {}, dict.fromkeys(SEATS, discards), rng)
    assert result.outcome.termination == "turn_limit"
    assert len(result.moves) == 400


@pytest.mark.parametrize(("start", "first"), [("inviter", "A"), ("guest", "B")])
def test_m2_3_start_option(start: str, first: Seat) -> None:
    rng = random.Random(1)
    result = playout(MANDALA, {"start": start}, both_random(rng), rng)
    assert result.moves[0][0] == first


def test_same_seed_same_match() -> None:
    results = []
    for _ in range(2):
        rng = random.Random(11)
        results.append(playout(MANDALA, {}, both_random(rng), rng))
    assert results[0] == results[1]


@pytest.mark.parametrize("draw", ["full", "up_to"])
def test_legal_moves_are_exactly_what_apply_allows(draw: str) -> None:
    """Each listed move is accepted, has no double, and no other move of this shape is."""
    options = {"draw": draw}
    for match in range(3):
        rng = random.Random(match)
        for position in positions(MANDALA, options, both_random(rng), rng):
            seat = position.state.mover
            if seat is not None:
                verify_legal_moves(position.state, position.hand(MANDALA, seat))


def verify_legal_moves(state: State, hand: tuple[int, ...]) -> None:
    moves = MANDALA.legal_moves(state, hand)
    assert len(set(moves)) == len(moves)
    allowed = set()
    for move in every_move(state, hand):
        try:
            MANDALA.apply(state, move)
        except ValueError:
            continue
        allowed.add(move)
    assert set(moves) == allowed


def every_move(state: State, hand: tuple[int, ...]) -> list[Move]:
    """All moves of the notation whose cards the hand holds, legal or not."""
    texts = [f"t{letter}" for letter in "kgpyor"]
    for colour in set(hand):
        letter = "kgpyor"[colour]
        texts += [f"d{letter}{count}" for count in range(hand.count(colour) + 1)]
        for number in (1, 2):
            draws = [f"d{n}" for n in range(5)] if state.up_to else [""]
            texts += [f"m{number}{letter}{drawn}" for drawn in draws]
            texts += [f"f{number}{letter}{count}" for count in range(hand.count(colour) + 1)]
    return [MANDALA.parse(state, text) for text in texts]
