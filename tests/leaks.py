"""Looks for secrets in bytes, in every form in which a program could have written them."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping

BLANKS = re.compile(rb"\s+")


def forms(secret: bytes) -> frozenset[bytes]:
    """What to look for, so that not even half of a secret (32 bytes or more) passes unseen.

    Raw, hex, base64 in any alignment, Python's own notation, decimal; from either end.
    """
    found: set[bytes] = set()
    for whole in (secret, secret[::-1]):
        found.add(str(int.from_bytes(whole, "big")).encode())
        for half in (whole[: len(whole) // 2], whole[len(whole) // 2 :]):
            found |= {half, repr(half)[2:-1].encode(), str(list(half))[1:-1].encode()}
            for hexes in (half.hex(), half.hex().upper()):
                pairs = re.findall("..", hexes)
                found |= {sign.join(pairs).encode() for sign in ("", " ", ":")}
            found |= set(_base64_forms(half))
    return frozenset(found)


def _base64_forms(data: bytes) -> Iterator[bytes]:
    """Base64 of the data behind 0, 1 and 2 other bytes, less the letters that hold their bits."""
    for shift in range(3):
        first, behind = -(-8 * shift // 6), 8 * (shift + len(data)) // 6
        for encode in (b64encode, urlsafe_b64encode):
            yield encode(bytes(shift) + data)[first:behind]


def word_forms(word: str) -> frozenset[bytes]:
    """What to look for where the secret is a word: as it is, hex, base64 in any alignment."""
    data = word.encode()
    return frozenset({data, data.hex().encode(), *_base64_forms(data)})


def point_forms(point: bytes) -> frozenset[bytes]:
    """What to look for where the secret is a point: as files and messages write one."""
    half = point[: len(point) // 2]
    return frozenset({half, half.hex().encode(), *_base64_forms(half)})


def leaks(data: bytes, secrets: Mapping[str, Iterable[bytes]]) -> set[str]:
    """The names of the secrets that stand in the data, broken into lines or not."""
    views = (data, BLANKS.sub(b"", data))
    return {
        name
        for name, needles in secrets.items()
        if any(needle in view for needle in needles for view in views)
    }


def names_card(data: bytes, card: str) -> bool:
    """Whether a card (`R07`) is named, and not by chance inside of base64."""
    return (
        re.search(rb"(?<![A-Za-z0-9+/])" + card.encode() + rb"(?![A-Za-z0-9+/=])", data) is not None
    )
