"""Coins: the chance of a match, made of one secret of each player (protocol 3).

A commits to a coin, B answers with one in the clear, A opens: neither could choose the joint seed,
since A's coin was fixed before B's was known and B chose without knowing A's. How coins come from
an identity key is the business of `keys`; whether a coin stands where it must, that of `match`.
"""

from __future__ import annotations

from hashlib import sha256, sha512
from typing import Literal

COIN_PREFIX = b"mbp/v1 coin\n"
JOINT_PREFIX = b"mbp/v1 joint\n"
CHANCE_PREFIX = b"mbp/v1 chance\n"

WORD = 8  # bytes of one integer of the stream
WORD_VALUES = 1 << (8 * WORD)


def commitment(coin: bytes) -> bytes:
    """The 32 bytes that bind A to a coin of 32 bytes without showing it (protocol 3)."""
    return sha256(COIN_PREFIX + coin).digest()


def joint_seed(coin_a: bytes, coin_b: bytes) -> bytes:
    """The 64 bytes that both coins, 32 bytes each, make together (protocol 3.2)."""
    return sha512(JOINT_PREFIX + coin_a + coin_b).digest()


def starts(joint: bytes) -> Literal["A", "B"]:
    """The seat that starts with `start: coin`: the lowest bit of the first byte (protocol 3.2)."""
    return "B" if joint[0] & 1 else "A"


class Chance:
    """The stream of public numbers of one joint seed, read once from its start (protocol 3.3).

    One stream serves a whole set-up, so an instance moves on with each number it gives; whoever
    needs the same numbers again makes a new one.
    """

    def __init__(self, joint: bytes) -> None:
        self._joint = joint
        self._counter = 0
        self._block = b""

    def integer(self) -> int:
        """The next integer of the stream, 0 to 2^64 - 1."""
        if not self._block:
            counter = self._counter.to_bytes(4, "big")
            self._block = sha512(CHANCE_PREFIX + self._joint + counter).digest()
            self._counter += 1
        word, self._block = self._block[:WORD], self._block[WORD:]
        return int.from_bytes(word, "big")

    def below(self, n: int) -> int:
        """The next number from 0 to n - 1, each equally likely; n is 1 to 2^64.

        Raises ValueError for any other n.
        """
        if not 1 <= n <= WORD_VALUES:
            raise ValueError(f"no number below {n} in a stream of 64-bit integers")
        # Integers of the last, incomplete run of n would make the small numbers likelier.
        limit = WORD_VALUES // n * n
        while (number := self.integer()) >= limit:
            pass
        return number % n
