"""What became of a match file between two states of a repository: whether it only grew. Pure.

    new        there was no such match before
    grown      every entry is still there, and everything that stood beside the log
    twins      an entry was replaced by its twin, which the chain goes on from (protocol 2.5)
    settled    another history, for which a player has signed in the file (protocol 9.6)
    mended     what was there before was no game file, or did not hold
    removed    the match is in no file any more
    rewritten  anything else: the past was changed

The last two are refused. The new state must have been verified by the caller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mbp.chain import Relation, compare
from mbp.errors import MbpError
from mbp.gamefile import load
from mbp.match import Match, replay
from mbp.match.sentences import histories

Kind = Literal["new", "grown", "twins", "settled", "mended", "removed", "rewritten"]
REFUSED = ("removed", "rewritten")


@dataclass(frozen=True)
class Change:
    """What became of a match; `reason` says why it is refused, empty where it is not.

    `seq` and `author`: the first entry that was changed; None where it is about the whole file.
    """

    kind: Kind
    reason: str = ""
    seq: int | None = None
    author: str | None = None

    @property
    def refused(self) -> bool:
        """Whether the past was changed."""
        return self.kind in REFUSED


def growth(old: bytes, new: Match) -> Change:
    """What became of the match in the old bytes."""
    try:
        before = load(old)
    except MbpError:
        return Change("mended")
    relation = compare(before.log, new.log)
    if relation.kind in ("same", "older"):
        return _beside(old, new)
    if relation.kind == "twins" and relation.counts != "a":
        return Change("twins")
    # Only now it matters whether the old state held: if not, there was no past to be changed.
    try:
        known, _ = replay(before).with_extras(before)
    except MbpError:
        return Change("mended")
    if _is_settled(known, new, relation):
        return Change("settled")
    return _rewritten(known, new, relation)


def _beside(old: bytes, new: Match) -> Change:
    """Whether what stood beside the log and held is still there."""
    before = load(old)
    if all(item in new.settled for item in before.settled) and all(
        new.disclosed.get(seat) == secret for seat, secret in before.disclosed.items()
    ):
        return Change("grown")
    try:
        held, _ = replay(before).with_extras(before)
    except MbpError:
        return Change("mended")
    kept = all(item in new.settled for item in held.settled)
    if kept and all(new.disclosed.get(seat) == text for seat, text in held.disclosed.items()):
        return Change("grown")
    return Change("rewritten", "a settlement or a disclosed secret was taken out")


def _is_settled(known: Match, new: Match, relation: Relation) -> bool:
    """Whether a player has signed in the new file that its history stands, the old one not."""
    if relation.kind not in ("fork", "authors"):
        return False
    dropped = {entry.id for entry in known.log}
    return any(item["drop"] in dropped for item in new.settled)


def _rewritten(known: Match, new: Match, relation: Relation) -> Change:
    """Says how the past was changed."""
    if relation.kind == "strangers":
        return Change("rewritten", "another match stands in this file", 0)
    if relation.kind in ("fork", "authors"):
        return Change("rewritten", histories(known, relation), relation.seq, relation.by)
    gone = known.log[len(new.log) if relation.kind == "newer" else relation.seq]
    reason = f"entry {gone.seq} was there before and is gone"
    return Change("rewritten", reason, int(gone.seq), gone.by)
