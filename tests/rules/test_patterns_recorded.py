"""A match of another program, its set-up, and counts of the positions that follow from it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from mbp import gamefile
from mbp.audit import audit
from mbp.coins import Chance, joint_seed, starts
from mbp.match import replay
from mbp.rules.contract import COLOURS, other
from mbp.rules.patterns import PATTERNS
from mbp.rules.patterns.state import SPACES, State

DATA = Path(__file__).parents[1] / "data"
FILE = DATA / "matches" / "patterns-random.mbp.yaml"
CHANCE: dict[str, Any] = json.loads((DATA / "vectors.json").read_text("utf-8"))["chance"]


@cache
def recorded() -> tuple[State, ...]:
    """The states of the recorded match: after set-up, and after each move."""
    log: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))["log"]
    first = other(log[3]["by"])  # whoever does not start chooses a bowl tile (P2.3)
    match = replay(gamefile.load(FILE.read_bytes()))
    state: State = PATTERNS.start({}, first, Chance(match.position.joint).below)
    states = [state]
    for entry in log[3:]:
        assert entry["by"] == state.mover
        move = PATTERNS.parse_long(state, entry["act"])
        assert PATTERNS.format(state, move) == entry["act"]
        assert PATTERNS.parse(state, PATTERNS.short(state, move)) == move
        assert move in PATTERNS.legal_moves(state, ())
        state = PATTERNS.apply(state, move).state
        states.append(state)
    return tuple(states)


def test_protocol_3_3_set_up_of_the_known_coins() -> None:
    joint = joint_seed(bytes.fromhex(CHANCE["coin_A"]), bytes.fromhex(CHANCE["coin_B"]))
    state = PATTERNS.start({}, starts(joint), Chance(joint).below)
    tiles = {name: COLOURS[one.colour] for name, one in zip(SPACES, state.tiles, strict=True)}
    assert tiles == CHANCE["patterns"]["open"]
    assert [COLOURS[colour] for colour in state.left] == CHANCE["patterns"]["left"]
    assert state.mover == other(CHANCE["starts"])


def test_recorded_match() -> None:
    state = recorded()[-1]
    assert len(recorded()) == 32
    assert (state.mover, state.termination) == (None, "blocked")
    assert PATTERNS.scores(state) == (31, 39)
    assert PATTERNS.winner(state) == "B"


def test_recorded_match_is_verified_as_a_whole() -> None:
    match = replay(gamefile.load(FILE.read_bytes()))
    assert match.position.state == recorded()[-1]
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.scores) == ("B", (31, 39))
    assert match.summary == dict(match.record.summary)
    assert audit("patterns", FILE.read_bytes()).ok


def count(state: State, depth: int) -> int:
    """The number of sequences of `depth` moves from a position."""
    moves = PATTERNS.legal_moves(state, ())
    if depth == 1:
        return len(moves)
    return sum(count(PATTERNS.apply(state, move).state, depth - 1) for move in moves)


# Counted by a second program, which was written from the rules alone.
@pytest.mark.parametrize(
    ("moves", "counts"),
    [
        (0, (2, 104, 5304)),
        (1, (52, 2652, 113544)),
        (7, (44, 129, 2257)),
        (19, (5, 25, 225)),
        (25, (3, 7, 78)),
    ],
)
def test_number_of_sequences(moves: int, counts: tuple[int, int, int]) -> None:
    state = recorded()[moves]
    assert tuple(count(state, depth) for depth in (1, 2, 3)) == counts
