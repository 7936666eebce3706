"""Neither player steers the joint seed: one coin fixed, however cunningly, leaves all chance.

Each test fixes the coin of one player, lets the other's vary, and asks by chi-square whether start
player and tiles of Patterns stay what chance makes them. All coins are hashes of fixed seeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Literal, TypeAlias

import pytest

from mbp.coins import Chance, joint_seed, starts
from mbp.rules.contract import COLOURS, LETTERS
from mbp.rules.patterns import PATTERNS
from mbp.rules.patterns.state import CENTRE, NUMBER, State

Fixed: TypeAlias = Literal["A", "B"]
SETUPS = 1200

# Chi-square is larger than this once in 100,000 times, by degrees of freedom.
LIMIT = {1: 19.5, 5: 30.9, 11: 44.0, 29: 74.0}


@dataclass(frozen=True)
class SetUp:
    """What comes of two coins: the start player and the state."""

    first: str
    state: State


def coins(label: str, count: int) -> list[bytes]:
    """Coins of 32 bytes, the same for a label always."""
    return [sha256(f"{label} {number}".encode()).digest() for number in range(count)]


def set_up(fixed: Fixed, own: bytes, others: bytes) -> SetUp:
    joint = joint_seed(own, others) if fixed == "A" else joint_seed(others, own)
    first = starts(joint)
    return SetUp(first, PATTERNS.start({}, first, Chance(joint).below))


def chi_square(found: Iterable[Hashable], expected: Sequence[Hashable]) -> float:
    """The sum of (seen - expected)^2 / expected over values that are all equally likely."""
    counts = Counter(found)
    assert set(counts) <= set(expected)
    even = counts.total() / len(expected)
    return sum((counts[value] - even) ** 2 / even for value in expected)


def wishes_to_start(fixed: Fixed, own: bytes, others: bytes) -> bool:
    joint = joint_seed(own, others) if fixed == "A" else joint_seed(others, own)
    return starts(joint) == fixed


def wishes_for_red_c1(fixed: Fixed, own: bytes, others: bytes) -> bool:
    return set_up(fixed, own, others).state.tiles[NUMBER["c1"]].colour == LETTERS.index("R")


@cache
def cunning(fixed: Fixed, wish: Callable[[Fixed, bytes, bytes], bool]) -> bytes:
    """Of many coins the one that fulfils a wish most often against coins that one could try."""
    tried = coins("tried", 40)
    return max(coins("own", 40), key=lambda own: sum(wish(fixed, own, one) for one in tried))


def coin_named(name: str, fixed: Fixed) -> bytes:
    match name:
        case "zeros":
            return bytes(32)
        case "ones":
            return b"\xff" * 32
        case "to start":
            return cunning(fixed, wishes_to_start)
    return cunning(fixed, wishes_for_red_c1)


@cache
def fair_set_ups(fixed: Fixed, name: str) -> tuple[SetUp, ...]:
    """Set-ups of one fixed coin with many fresh ones of the other player."""
    own = coin_named(name, fixed)
    return tuple(set_up(fixed, own, one) for one in coins(f"fresh {fixed} {name}", SETUPS))


every_coin = pytest.mark.parametrize("name", ["zeros", "ones", "to start", "red on c1"])
either_player = pytest.mark.parametrize("fixed", ["A", "B"])


def test_a_cunning_coin_is_better_against_the_coins_it_was_chosen_for() -> None:
    """So there is something to find, and the tests below would see it."""
    own = cunning("A", wishes_to_start)
    wins = sum(wishes_to_start("A", own, one) for one in coins("tried", 40))
    assert wins >= 26


@every_coin
@either_player
def test_3_2_neither_coin_alone_biases_the_start_player(fixed: Fixed, name: str) -> None:
    firsts = [one.first for one in fair_set_ups(fixed, name)]
    assert chi_square(firsts, ["A", "B"]) < LIMIT[1]


@every_coin
@either_player
def test_3_3_neither_coin_alone_biases_a_tile(fixed: Fixed, name: str) -> None:
    rows = [[tile.colour for tile in one.state.tiles] for one in fair_set_ups(fixed, name)]
    squares = [chi_square(column, range(6)) for column in zip(*rows, strict=True)]
    assert len(squares) == 52
    assert max(squares) < LIMIT[5]
    assert sum(squares) / len(squares) == pytest.approx(5, abs=2)


@every_coin
@either_player
def test_3_3_neither_coin_alone_biases_the_bowl_tiles(fixed: Fixed, name: str) -> None:
    pairs = [one.state.left for one in fair_set_ups(fixed, name)]
    possible = [(a, b) for a in range(6) for b in range(6) if a != b]
    assert chi_square(pairs, possible) < LIMIT[len(possible) - 1]


@every_coin
@either_player
def test_3_3_the_start_player_tells_nothing_of_the_tiles(fixed: Fixed, name: str) -> None:
    """A bit and a stream from one seed, which must not go together."""
    for space in (*CENTRE, NUMBER["c1"], NUMBER["f8"]):
        pairs = [(one.first, one.state.tiles[space].colour) for one in fair_set_ups(fixed, name)]
        possible = [(first, colour) for first in "AB" for colour in range(len(COLOURS))]
        assert chi_square(pairs, possible) < LIMIT[len(possible) - 1]
