"""The group of protocol 5: published answers, a second arithmetic, and what is no point."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha512
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbp import curve
from mbp.curve import NEUTRAL, PointError, Q

from .plain import BASE, P, decode, encode, plain_add, plain_mult, torsion

SCALARS = st.integers(1, Q - 1)
GOOD = curve.base_mult(5)
TORSION = torsion()


def raw(number: int) -> bytes:
    return number.to_bytes(32, "little")


# RFC 8032, 7.1: tests 1, 2, 3 and 1024.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    ),
    (
        "f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5",
        "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
    ),
]


@pytest.mark.parametrize(("seed", "public"), RFC_8032)
def test_5_base_point_is_that_of_rfc_8032(seed: str, public: str) -> None:
    clamped = int.from_bytes(sha512(bytes.fromhex(seed)).digest()[:32], "little")
    clamped = clamped & (2**254 - 8) | 2**254
    assert curve.base_mult(clamped % Q).hex() == public


def test_5_small_multiples_of_the_base_point() -> None:
    total = BASE
    for times in range(1, 20):
        assert curve.base_mult(times) == encode(total)
        assert curve.mult(times, encode(BASE)) == encode(total)
        total = plain_add(total, BASE)


def test_5_order_is_q() -> None:
    last = curve.base_mult(Q - 1)
    assert curve.add(last, curve.base_mult(1)) == NEUTRAL
    assert curve.subtract(last, last) == NEUTRAL


@settings(max_examples=10, deadline=None)
@given(SCALARS, SCALARS)
def test_5_group_agrees_with_plain_integers(left: int, right: int) -> None:
    one, two = curve.base_mult(left), curve.base_mult(right)
    assert curve.mult(right, one) == encode(plain_mult(right, decode(one)))
    assert curve.add(one, two) == encode(plain_add(decode(one), decode(two)))
    x, y = decode(two)
    assert curve.subtract(one, two) == encode(plain_add(decode(one), (-x % P, y)))


@settings(max_examples=30, deadline=None)
@given(SCALARS, SCALARS, SCALARS)
def test_5_group_laws(left: int, right: int, factor: int) -> None:
    one, two = curve.base_mult(left), curve.base_mult(right)
    assert curve.add(one, two) == curve.add(two, one) == curve.combine([(1, one), (1, two)])
    assert curve.subtract(curve.add(one, two), two) == one
    assert curve.mult(factor, one) == curve.base_mult(factor * left % Q)
    both = curve.combine([(factor, one), (factor, two)])
    assert both == curve.combine([((left + right) * factor % Q, curve.base_mult(1))])
    assert curve.mult(pow(factor, -1, Q), curve.mult(factor, one)) == one


def test_combine_of_nothing_and_of_zeros_is_neutral() -> None:
    assert curve.combine([]) == NEUTRAL
    assert curve.combine([(0, GOOD)]) == NEUTRAL
    assert curve.combine([(7, GOOD), (Q - 7, GOOD)]) == NEUTRAL


# What is no point. `shift` is a point outside the subgroup: one of order 2, 4 or 8 has been added.
NO_POINTS = {
    "neutral": NEUTRAL,
    "neutral, sign of zero": raw(1 + 2**255),
    "order 2, sign of zero": raw(P - 1 + 2**255),
    "neutral, y = p + 1": raw(P + 1),
    "y = p": raw(P),
    "y = p, odd": raw(P + 2**255),
    "y = p + 3": raw(P + 3),
    "y = p + 18": raw(P + 18),
    "all ones": raw(2**256 - 1),
    "off the curve": raw(2),
    "short": GOOD[:31],
    "long": GOOD + b"\0",
    "empty": b"",
    **{f"small order {number}": encode(small) for number, small in enumerate(TORSION)},
    **{
        f"outside the subgroup {number}": encode(plain_add(decode(GOOD), small))
        for number, small in enumerate(TORSION)
        if number
    },
}


def test_torsion_is_what_it_claims() -> None:
    assert len(set(TORSION)) == 8
    assert all(plain_mult(8, small) == (0, 1) for small in TORSION)
    assert TORSION[4] == (0, P - 1)


@pytest.mark.parametrize("point", NO_POINTS.values(), ids=NO_POINTS.keys())
@pytest.mark.parametrize(
    "use",
    [
        curve.check_point,
        lambda point: curve.mult(3, point),
        lambda point: curve.combine([(3, point)]),
        lambda point: curve.combine([(1, GOOD), (0, point)]),
    ],
    ids=["check", "mult", "combine", "combine zero times"],
)
def test_5_received_point_is_refused(use: Callable[[bytes], bytes], point: bytes) -> None:
    """Outside the subgroup too, by the test and by the multiplication (CVE-2025-69277)."""
    assert not curve.is_valid_point(point)
    with pytest.raises(PointError):
        use(point)


def test_5_received_point_is_taken() -> None:
    assert curve.check_point(GOOD) == GOOD


@pytest.mark.parametrize("bad", [GOOD[:31], b"", raw(2)])
def test_add_and_subtract_refuse_what_is_not_on_the_curve(bad: bytes) -> None:
    for left, right in ((bad, GOOD), (GOOD, bad)):
        with pytest.raises(PointError):
            curve.add(left, right)
        with pytest.raises(PointError):
            curve.subtract(left, right)


def test_5_5_zero_times_a_point_is_refused() -> None:
    with pytest.raises(PointError):
        curve.mult(0, GOOD)
    with pytest.raises(PointError):
        curve.base_mult(0)


@pytest.mark.parametrize("scalar", [0, 1, Q - 1])
def test_5_scalar_round_trip(scalar: int) -> None:
    assert curve.scalar_from_bytes(curve.scalar_to_bytes(scalar)) == scalar


@pytest.mark.parametrize("data", [raw(Q), raw(Q + 1), raw(2**256 - 1), raw(5)[:31], bytes(33), b""])
def test_5_received_scalar_is_refused(data: bytes) -> None:
    with pytest.raises(PointError):
        curve.scalar_from_bytes(data)


def test_5_1_points_are_those_of_the_vectors(vectors: Any) -> None:
    for case in vectors["points"]:
        numbers = [int(number) for number in case["numbers"]]
        assert curve.point(case["label"], *numbers).hex() == case["point"]


def test_5_2_stored_generators_are_worked_out_again() -> None:
    for index in range(112):
        assert curve.generator(index) == curve.check_point(curve.point("generator", index))


def test_5_3_stored_card_points_are_worked_out_again() -> None:
    for pile, card in [(0, card) for card in range(110)] + [(1, 0), (1, 107), (2, 5)]:
        assert curve.card_point(pile, card) == curve.check_point(curve.point("card", pile, card))


def test_5_1_points_differ_by_label_and_by_every_number() -> None:
    points = {curve.point("card", 0, 1), curve.point("card", 1, 0), curve.point("card", 1)}
    assert len(points | {curve.point("generator", 1), curve.point("card", 0, 0, 1)}) == 5
