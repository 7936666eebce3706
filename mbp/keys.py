"""Identity keys in OpenSSH form, and the secrets that come from them (protocol 3.1, 4).

An `Identity` is all that a player has to keep: every coin and every card secret is derived from its
seed and from public values of the file. Nothing here reads or writes a file (`keyfiles`, `home`) or
multiplies points: the card key K = kG is the business of `cards`.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Literal

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from mbp import curve
from mbp.errors import FormatError, KeyringError
from mbp.words import words

TYPE = b"ssh-ed25519"
TEXT_LENGTH = 80
# RFC 4253 6.6: a name and a string, each with its length in four bytes before it.
BLOB_START = len(TYPE).to_bytes(4, "big") + TYPE + (32).to_bytes(4, "big")


@dataclass(frozen=True)
class Identity:
    """A player's Ed25519 key, from its seed of 32 bytes; `repr` keeps the seed to itself.

    `salt` is, for seat A, the 32 bytes of the nonce of entry 0, for seat B those of the game id.
    Raises ValueError for a seed of another length.
    """

    seed: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.seed) != 32:
            raise ValueError(f"a seed has 32 bytes, not {len(self.seed)}")

    @cached_property
    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)

    @cached_property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        return self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    @property
    def text(self) -> str:
        """The public key as `player.key` has it."""
        return format_key(self.public)

    def sign(self, data: bytes) -> bytes:
        """The signature over exactly these bytes, 64 bytes (RFC 8032); the same every time."""
        return self._key.sign(data)

    def coin(self, seat: Literal["A", "B"], salt: bytes) -> bytes:
        """The coin of this seat, 32 bytes (protocol 4.1)."""
        return self._derive(f"mbp/v1 coin {seat}", salt)[:32]

    def card_secret(self, seat: Literal["A", "B"], salt: bytes) -> int:
        """The card secret k of this seat, 1 to q - 1 (protocol 4.2).

        Raises KeyringError for zero, which no real key meets.
        """
        return _card_secret(self._derive(f"mbp/v1 cards {seat}", salt))

    def _derive(self, info: str, salt: bytes) -> bytes:
        # One label and one salt for each purpose: no two secrets share a derivation, and knowing
        # one (a coin is published, k may be disclosed) says nothing about another or the seed.
        return HKDF(SHA512(), 64, salt, info.encode("ascii")).derive(self.seed)


def _card_secret(wide: bytes) -> int:
    # 64 bytes reduced mod q: the bias is below 2^-250.
    k = curve.reduce(wide)
    if k == 0:
        raise KeyringError(
            "the card secret of this game is zero", hint="begin another game instead of this one"
        )
    return k


def format_key(public: bytes) -> str:
    """The 32 bytes of a public key as OpenSSH text of 80 characters (protocol 3.1)."""
    return f"{TYPE.decode('ascii')} {b64encode(BLOB_START + public).decode('ascii')}"


def parse_key(text: str) -> bytes:
    """The 32 bytes of a public key; of its text alone, its point is `check_key`'s.

    Raises FormatError for any text but the one that `format_key` writes (protocol 3.1).
    """
    if len(text) != TEXT_LENGTH:
        raise FormatError(f"a key has {TEXT_LENGTH} characters, not {len(text)}")
    try:
        blob = b64decode(text[len(TYPE) + 1 :], validate=True)
    except ValueError:
        raise FormatError(f"not an ssh-ed25519 key: {text!r}") from None
    public = blob[len(BLOB_START) :]
    # Written anew and compared: one key has one spelling, so texts may stand for keys.
    if len(public) != 32 or format_key(public) != text:
        raise FormatError(f"not an ssh-ed25519 key: {text!r}")
    return public


def check_key(public: bytes) -> bool:
    """Whether the 32 bytes are a point that protocol 5 allows (protocol 3.1).

    A key of low order would accept signatures that anyone can make, so that its owner could deny
    them; a key outside the subgroup would be read differently by different libraries.
    """
    return curve.is_valid_point(public)


def verify_signature(public: bytes, signature: bytes, data: bytes) -> bool:
    """Whether `signature` (64 bytes) is this key's over `data` (protocol 2.3).

    OpenSSL computes R without cofactor and compares it as bytes, and refuses S >= q: so a
    signature has no second form that holds too. Whether the key is one to trust is `check_key`'s.
    """
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


@dataclass(frozen=True)
class Fingerprint:
    """What two people compare: 128 bits of a key, as hex in groups of four and as 16 words."""

    hex: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return self.hex


def fingerprint(public: bytes) -> Fingerprint:
    """The first 16 bytes of SHA-256 over the RFC 4253 blob of a key.

    128 bits: finding a second key with the fingerprint of a given one takes 2^128 tries.
    """
    data = sha256(BLOB_START + public).digest()[:16]
    return Fingerprint(data.hex(" ", 2), words(data))
