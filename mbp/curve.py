"""The group of protocol 5: the subgroup of prime order Q of edwards25519, over libsodium.

Points are 32 bytes in the form of RFC 8032; scalars are Python integers from 0 to Q - 1, on the
wire 32 bytes little-endian. This module knows neither cards nor proofs, and it is the only one that
imports nacl. Invariant: what libsodium is handed has 32 bytes, and what `mult` and `combine` return
came from points that libsodium found canonical, on the curve, in the subgroup and not neutral.

It calls the C functions beneath `nacl.bindings`: loading those wrappers takes longer than all the
points of a short command.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha512

from nacl._sodium import ffi, lib

from mbp.curve_points import CARDS, GENERATORS, POINTS

Q = 2**252 + 27742317777372353535851937790883648493
NEUTRAL = b"\x01" + bytes(31)
POINT_PREFIX = b"mbp/v1 point\n"

if lib.sodium_init() < 0:  # 1: another module was first, which is fine
    raise ImportError("libsodium does not start")


class PointError(ValueError):
    """The bytes are no point or scalar, or the library rejects the operation (protocol 5)."""


def is_valid_point(point: bytes) -> bool:
    """Tells whether 32 bytes are canonical, on the curve, in the subgroup and not neutral."""
    return len(point) == 32 and lib.crypto_core_ed25519_is_valid_point(point) == 1


def check_point(point: bytes) -> bytes:
    """Returns a received point. Raises PointError unless it is valid."""
    if not is_valid_point(point):
        raise PointError(f"{point.hex()} is no point of the group")
    return point


def scalar_to_bytes(scalar: int) -> bytes:
    """The 32 bytes, little-endian, of a scalar from 0 to Q - 1."""
    return scalar.to_bytes(32, "little")


def scalar_from_bytes(data: bytes) -> int:
    """Reads a received scalar. Raises PointError unless it is 32 bytes and below Q."""
    scalar = int.from_bytes(data, "little")
    if len(data) != 32 or scalar >= Q:
        raise PointError(f"{data.hex()} is no scalar")
    return scalar


def reduce(data: bytes) -> int:
    """A hash of 64 bytes as a little-endian integer mod Q; 64 bytes leave no bias to notice."""
    return int.from_bytes(data, "little") % Q


def add(left: bytes, right: bytes) -> bytes:
    """The sum of two points of the curve, neutral ones too; it does not check the subgroup."""
    out = ffi.new("unsigned char[32]")
    if len(left) != 32 or len(right) != 32 or lib.crypto_core_ed25519_add(out, left, right) != 0:
        raise PointError("the sum of what is no point of the curve")
    return bytes(ffi.buffer(out))


def subtract(left: bytes, right: bytes) -> bytes:
    """The difference of two points of the curve, neutral ones too; as `add`."""
    out = ffi.new("unsigned char[32]")
    if len(left) != 32 or len(right) != 32 or lib.crypto_core_ed25519_sub(out, left, right) != 0:
        raise PointError("the difference of what is no point of the curve")
    return bytes(ffi.buffer(out))


def mult(scalar: int, point: bytes) -> bytes:
    """scalar * point. Raises PointError for scalar 0 and for what `is_valid_point` refuses.

    libsodium tests its point here exactly as in `is_valid_point`, so no second test is paid.
    """
    out = ffi.new("unsigned char[32]")
    number = scalar_to_bytes(scalar)
    if len(point) != 32 or lib.crypto_scalarmult_ed25519_noclamp(out, number, point) != 0:
        raise PointError(f"no multiple of {point.hex()}: zero, or no point of the group")
    return bytes(ffi.buffer(out))


def base_mult(scalar: int) -> bytes:
    """scalar * G, G the base point of Ed25519. Raises PointError for scalar 0."""
    out = ffi.new("unsigned char[32]")
    if lib.crypto_scalarmult_ed25519_base_noclamp(out, scalar_to_bytes(scalar)) != 0:
        raise PointError("no multiple of the base point: zero")
    return bytes(ffi.buffer(out))


def combine(terms: Iterable[tuple[int, bytes]]) -> bytes:
    """The sum of scalar * point over all terms, NEUTRAL where it vanishes.

    A term with scalar 0 adds nothing, but its point is tested like every other.
    Raises PointError if any point is not valid.
    """
    total, term = ffi.new("unsigned char[32]", NEUTRAL), ffi.new("unsigned char[32]")
    multiply, add_to = lib.crypto_scalarmult_ed25519_noclamp, lib.crypto_core_ed25519_add
    for scalar, point in terms:
        if scalar == 0:
            check_point(point)
        elif len(point) != 32 or multiply(term, scalar.to_bytes(32, "little"), point) != 0:
            raise PointError(f"{point.hex()} is no point of the group")
        else:
            add_to(total, total, term)  # both are the library's own output: cannot fail
    return bytes(ffi.buffer(total))


def point(label: str, *numbers: int) -> bytes:
    """A point of which nobody knows how it depends on others (protocol 5.1).

    The first hash that decodes to a point of the curve, doubled three times: that lies in the
    subgroup, since the cofactor is 8, so of what makes a point valid only "not neutral" is left.
    """
    head = POINT_PREFIX + label.encode() + b"\n" + b"".join(n.to_bytes(4, "big") for n in numbers)
    for attempt in range(2**32):
        double = sha512(head + attempt.to_bytes(4, "big")).digest()[:32]
        try:
            for _ in range(3):
                double = add(double, double)
        except PointError:
            continue
        if double != NEUTRAL:
            return double
    raise PointError(f"no point for {label} {numbers}")


@lru_cache(maxsize=256)
def generator(index: int) -> bytes:
    """H_index, a base of commitments (protocol 5.2)."""
    if index < GENERATORS:
        return _stored(index)
    return point("generator", index)


@lru_cache(maxsize=2048)
def card_point(pile: int, card: int) -> bytes:
    """M(e, c), a card of a pile before any mask (protocol 5.3)."""
    if pile == 0 and card < CARDS:
        return _stored(GENERATORS + card)
    return point("card", pile, card)


def _stored(place: int) -> bytes:
    """A point that `point` would give, looked up."""
    return POINTS[32 * place : 32 * place + 32]
