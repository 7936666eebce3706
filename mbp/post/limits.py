"""What one letter may cost: whatever it claims, so much is read of it and no more.

Each kind is spent before the work is done, never after. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mbp.errors import FormatError

MAX_MAIL = 64 * 2**20  # bytes of a letter as it came
MAX_DEPTH = 16  # packings around one another; a forwarded mail counts for two or three
MAX_TEXT = 9 * 2**20  # bytes of one text: a short form with twice the characters it may have

PARTS = "parts"  # of mails, and members of archives
UNPACKED = "bytes unpacked"  # out of transfer encodings and archives
TEXT = "bytes of text"  # in which short forms were sought, and HTML
SHORTS = "bytes in short forms"  # unpacked: the largest one that there may be, and others
FILES = "bytes in game files"

LIMITS = {
    PARTS: 500,
    UNPACKED: 64 * 2**20,
    TEXT: 12 * 2**20,
    SHORTS: 5 * 2**20,
    FILES: 16 * 2**20,
}


@dataclass
class Budget:
    """What may still be spent on one letter."""

    left: dict[str, int] = field(default_factory=LIMITS.copy)

    def spend(self, kind: str, amount: int = 1) -> None:
        """Takes it. Raises FormatError where not so much is left; then nothing is left."""
        if amount > self.left[kind]:
            self.left[kind] = 0
            raise FormatError(f"more than {LIMITS[kind]} {kind}")
        self.left[kind] -= amount
