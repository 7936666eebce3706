"""The transcript of a proof, and the secret numbers of its prover (protocol 5.4, 5.5).

A proof is bound to one entry, one author and one purpose, because its challenges are hashes of all
three and of everything that was claimed before them. This module draws numbers; what they are used
for is in `equality` and `shuffle`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha512
from typing import TypeAlias

from mbp.curve import PointError, Q, reduce, scalar_to_bytes

# Bytes from the system, or from whoever wants a repeatable run: the number of bytes -> those bytes.
Randomness: TypeAlias = Callable[[int], bytes]

TRANSCRIPT_PREFIX = b"mbp/v1 transcript\n"
CHALLENGE_PREFIX = b"mbp/v1 challenge\n"
SECRET_PREFIX = b"mbp/v1 secret\n"
WEIGHT_PREFIX = b"mbp/v1 weight\n"


@dataclass(frozen=True)
class Place:
    """Where a proof stands, which it is bound to (protocol 5.4).

    `prev` is 32 bytes, zeros in entry 0; `body` the canonical entry without `sig` and without every
    field named `proof`; `key` the author's card key K = k G.
    """

    prev: bytes
    body: bytes
    key: bytes


class Transcript:
    """A running hash h: absorbs what is public, gives challenges (protocol 5.4)."""

    def __init__(self, purpose: str) -> None:
        self._state = sha512(TRANSCRIPT_PREFIX + purpose.encode()).digest()

    @classmethod
    def start(cls, purpose: str, place: Place) -> Transcript:
        """The beginning of every proof: the purpose and the place."""
        transcript = cls(purpose)
        transcript.absorb("prev", place.prev)
        transcript.absorb("body", place.body)
        transcript.absorb("key", place.key)
        return transcript

    @property
    def state(self) -> bytes:
        """h, 64 bytes."""
        return self._state

    def absorb(self, label: str, data: bytes) -> None:
        """Takes in labelled data; the lengths keep two histories from hashing the same bytes."""
        name = label.encode()
        sized = len(name).to_bytes(4, "big") + name + len(data).to_bytes(8, "big") + data
        self._state = sha512(self._state + sized).digest()

    def challenge(self, label: str) -> int:
        """A scalar from 1 to Q - 1. Raises PointError if it is zero (protocol 5.5)."""
        self.absorb(label, b"")
        scalar = reduce(sha512(CHALLENGE_PREFIX + self._state).digest())
        if scalar == 0:
            raise PointError(f"challenge {label} is zero")
        return scalar

    def weights(self, proof: bytes, count: int) -> tuple[int, ...]:
        """Numbers for a verifier who checks several equations as one weighted sum.

        They are hashes of everything in those equations, the prover's answers too. So errors that
        cancel under these weights would have to be chosen before the weights are known: each try
        succeeds with a chance of 1 in Q.
        """
        head = WEIGHT_PREFIX + self._state + proof
        return tuple(
            1 + reduce(sha512(head + number.to_bytes(4, "big")).digest()) % (Q - 1)
            for number in range(count)
        )


class SecretNumbers:
    """The secret numbers of one proof, in the order they are drawn (protocol 5.5).

    Each is a hash over the card secret, the statement, fresh randomness and a counter: known
    randomness does not give it away without the secret, and repeated randomness does not repeat it
    for another statement. Two answers with one number would give k away.
    """

    def __init__(self, secret: int, transcript: Transcript, randomness: Randomness) -> None:
        """`transcript` has absorbed the whole statement."""
        self._head = SECRET_PREFIX + scalar_to_bytes(secret) + transcript.state + randomness(64)
        self._count = 0

    def draw(self) -> int:
        """The next number, 0 to Q - 1 (0 with a chance nobody will meet)."""
        self._count += 1
        return reduce(sha512(self._head + self._count.to_bytes(8, "big")).digest())

    def draws(self, count: int) -> list[int]:
        """The next `count` numbers."""
        return [self.draw() for _ in range(count)]
