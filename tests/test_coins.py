"""Coins and public chance (protocol 3), against the known answers."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbp.coins import Chance, commitment, joint_seed, starts

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "vectors.json").read_text("utf-8")
)
CHANCE = VECTORS["chance"]
JOINT = bytes.fromhex(CHANCE["joint"])


def test_3_commitment_binds_the_coin_of_a() -> None:
    secrets = VECTORS["secrets"]
    assert commitment(bytes.fromhex(secrets["coin_A"])).hex() == secrets["commitment_A"]
    assert commitment(bytes.fromhex(secrets["coin_B"])).hex() != secrets["commitment_A"]


def test_3_2_joint_seed_of_both_coins_in_order() -> None:
    a, b = bytes.fromhex(CHANCE["coin_A"]), bytes.fromhex(CHANCE["coin_B"])
    assert joint_seed(a, b) == JOINT
    assert joint_seed(b, a) != JOINT


def test_3_2_lowest_bit_of_the_first_byte_starts() -> None:
    assert starts(JOINT) == CHANCE["starts"]
    assert starts(b"\xfe" + b"\xff" * 63) == "A"
    assert starts(b"\x01" + b"\x00" * 63) == "B"


def test_3_3_integers_of_the_stream() -> None:
    chance = Chance(JOINT)
    assert [str(chance.integer()) for _ in range(10)] == CHANCE["integers"]


def test_3_3_numbers_below_n_come_from_one_stream() -> None:
    chance = Chance(JOINT)
    numbers = [str(chance.below(n)) for n in range(48, 38, -1)]
    assert numbers == CHANCE["below_48_to_39"]


def test_3_3_the_whole_set_up_of_patterns() -> None:
    below = Chance(JOINT).below

    def shuffled(tiles: list[str]) -> list[str]:
        for place in range(len(tiles) - 1, 0, -1):
            with_place = below(place + 1)
            tiles[place], tiles[with_place] = tiles[with_place], tiles[place]
        return tiles

    colours = ["black", "green", "purple", "yellow", "orange", "red"]
    outer = iter(shuffled([colour for colour in colours for _ in range(8)]))
    aside = iter(shuffled(list(colours)))
    centre = {"d4", "e4", "d5", "e5"}
    spaces = CHANCE["patterns"]["open"]
    assert {space: next(aside if space in centre else outer) for space in spaces} == spaces
    assert list(aside) == CHANCE["patterns"]["left"]
    assert list(outer) == []


def test_3_3_an_integer_beyond_the_last_whole_run_is_skipped() -> None:
    # Below 2^63 + 1 about every second integer lies beyond the only whole run.
    n = (1 << 63) + 1
    stream = Chance(JOINT)
    integers = [stream.integer() for _ in range(200)]
    kept = [integer for integer in integers if integer < n]
    assert len(kept) < len(integers)
    chance = Chance(JOINT)
    assert [chance.below(n) for _ in kept] == kept


def test_3_3_a_whole_power_of_two_skips_nothing() -> None:
    stream, chance = Chance(JOINT), Chance(JOINT)
    for _ in range(20):
        assert chance.below(1 << 64) == stream.integer()


@pytest.mark.parametrize("n", [0, -1, (1 << 64) + 1])
def test_3_3_no_number_below(n: int) -> None:
    with pytest.raises(ValueError, match="no number below"):
        Chance(JOINT).below(n)


@given(st.binary(min_size=64, max_size=64), st.integers(1, 1 << 64))
def test_3_3_numbers_are_below_n_and_repeat(joint: bytes, n: int) -> None:
    chance, again = Chance(joint), Chance(joint)
    for number in islice(iter(lambda: chance.below(n), None), 5):
        assert 0 <= number < n
        assert number == again.below(n)
