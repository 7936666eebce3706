"""Verifying what git hands over, at the cost of what is new to this home.

The home's cache names the SHA-256 of a prefix that it has verified itself, and its memory holds
that prefix: any log that begins with the same entries, `sig` included, is verified that far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from mbp import gamefile
from mbp.chain import Entry, Record, prefix_digest
from mbp.errors import MbpError
from mbp.home import Home
from mbp.match import Match, replay


@lru_cache(maxsize=4)
def load(data: bytes) -> Record:
    """`gamefile.load`, which keeps the last few files: one run of a hook meets them often."""
    return gamefile.load(data)


@dataclass(frozen=True)
class Trusted:
    """Entries that were verified here before, oldest first; none where nothing is known."""

    log: tuple[Entry, ...] = ()

    def count(self, log: Sequence[Entry]) -> int:
        """How many entries at the start of a log are among them, byte for byte."""
        shared = 0
        for known, entry in zip(self.log, log, strict=False):
            if known.tree != entry.tree:
                break
            shared += 1
        return shared

    def verify(self, record: Record) -> tuple[Match, tuple[str, ...]]:
        """The match of a record with what stands beside its log, and why items were dropped.

        Raises VerificationError.
        """
        return replay(record, verified=self.count(record.log)).with_extras(record)

    def and_also(self, match: Match) -> Trusted:
        """These, or the entries of a match that was verified just now if they are more."""
        return self if self.count(match.log) == len(match.log) else Trusted(match.log)


def trusted_by(home: Home | None, game_id: str) -> Trusted:
    """What a home has verified of a game; nothing where its files cannot tell."""
    if home is None:
        return Trusted()
    try:
        known, memory = home.verified(game_id), home.remembered(game_id)
        if known is None or memory is None:
            return Trusted()
        log = load(memory).log
    except MbpError:
        return Trusted()
    count, digest = known
    if len(log) < count or prefix_digest(log, count) != digest:
        return Trusted()
    return Trusted(log[:count])
