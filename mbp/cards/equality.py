"""The equality proof: one secret k joins K = k G and every pair Y = k X (protocol 6.3).

It speaks about pairs of points only; which pair a `give` or an `open` claims is told by `pile`.
A proof is 64 bytes, c || s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from mbp.cards.transcript import Place, Randomness, SecretNumbers, Transcript
from mbp.curve import (
    PointError,
    Q,
    base_mult,
    combine,
    mult,
    scalar_from_bytes,
    scalar_to_bytes,
    subtract,
)
from mbp.errors import CardError

# (X, Y), which claims Y = k X.
Pair: TypeAlias = tuple[bytes, bytes]


def prove_equality(
    place: Place, pairs: Sequence[Pair], secret: int, randomness: Randomness
) -> bytes:
    """Proves Y = k X for all pairs at once.

    Raises CardError if `secret` is not the k of one of them or of the key: nothing false is proved.
    """
    try:
        if not pairs or base_mult(secret) != place.key:
            raise CardError("no equality proof without pairs and the secret of the key")
        for x, y in pairs:
            if mult(secret, x) != y:
                raise CardError(f"{y.hex()} is not the secret times {x.hex()}")
        transcript, weights = _statement(place, pairs)
        source = combine(zip(weights, (x for x, _ in pairs), strict=True))
        r = SecretNumbers(secret, transcript, randomness).draw()
        c = _challenge(transcript, base_mult(r), mult(r, source))
    except PointError as error:
        raise CardError(f"no equality proof: {error}") from error
    # r is used in this one answer and nowhere else, so s tells nothing about k.
    return scalar_to_bytes(c) + scalar_to_bytes((r + c * secret) % Q)


def verify_equality(place: Place, pairs: Sequence[Pair], proof: bytes) -> None:
    """Verifies a proof. Raises CardError if it fails, in this order (protocol 6.3, 5.5):

    1. there are pairs, the proof is two scalars, s is not zero
    2. all points are valid, no challenge is zero
    3. the sum X is not neutral
    4. c is the challenge that R1 = s G - c K and R2 = s X - c Y lead to
    """
    try:
        if not pairs or len(proof) != 64:  # 1
            raise CardError("the equality proof has no pairs or not 64 bytes")
        c, s = scalar_from_bytes(proof[:32]), scalar_from_bytes(proof[32:])
        transcript, weights = _statement(place, pairs)
        # 2, 3: the library tests every point it multiplies, and refuses s = 0 and a neutral X.
        # The weights are hashes of all pairs, so no wrong pairs can be chosen to cancel in the sums
        x = combine(zip(weights, (x for x, _ in pairs), strict=True))
        y = combine(zip(weights, (y for _, y in pairs), strict=True))
        r1 = subtract(base_mult(s), mult(c, place.key))
        r2 = subtract(mult(s, x), mult(c, y))
        matches = _challenge(transcript, r1, r2) == c  # 4
    except PointError as error:
        raise CardError(f"the equality proof fails: {error}") from error
    if not matches:
        raise CardError("the equality proof fails")


def _statement(place: Place, pairs: Sequence[Pair]) -> tuple[Transcript, list[int]]:
    """The transcript after all pairs, and the weights w_t."""
    transcript = Transcript.start("equality", place)
    for x, y in pairs:
        transcript.absorb("pair", x + y)
    return transcript, [transcript.challenge("w") for _ in pairs]


def _challenge(transcript: Transcript, r1: bytes, r2: bytes) -> int:
    """c, after both commitments."""
    transcript.absorb("R1", r1)
    transcript.absorb("R2", r2)
    return transcript.challenge("c")
