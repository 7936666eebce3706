"""One vector: a crime in words, the file it makes, and what an audit answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mbp.match import Match
from tests.vectors import matches, tiles
from tests.vectors.changes import Tree
from tests.vectors.forging import trees
from tests.vectors.patches import edits

BASES = {
    "long": matches.long, "other": matches.other, "short": matches.short,
    "sudden": tiles.sudden, "tiles": tiles.tiles,
}  # fmt: skip
LAST = -1


@dataclass(frozen=True)
class Vector:
    """`check`, `seq` and `author` are what the first finding names; no check: the file holds."""

    name: str
    crime: str
    check: int | None
    seq: int | None
    author: str | None
    reason: str
    patch: Mapping[str, Any]

    @property
    def claim(self) -> dict[str, Any]:
        """The vector's line of the index."""
        return {
            "name": self.name,
            "crime": self.crime,
            "check": self.check,
            "seq": self.seq,
            "author": self.author,
            "reason": self.reason,
        }


def file_tree(match: Match, *entries: Tree, **extras: Any) -> Tree:
    """The tree of a file: a good beginning, more entries, and what may stand beside the log."""
    log = [*trees(match), *entries]
    return {
        "mbp": "1",
        "log": log,
        **extras,
        "summary": {**match.summary, "entries": str(len(log))},
    }


def of_tree(
    name: str,
    crime: str,
    check: int | None,
    reason: str,
    tree: Tree,
    *,
    base: str = "short",
    seq: int | None = LAST,
) -> Vector:
    """A vector from the tree of its file; `seq` is the entry to blame, the last one else."""
    blamed = seq if check in range(1, 9) else None
    if blamed == LAST:
        blamed = len(tree["log"]) - 1
    author = tree["log"][blamed]["by"] if blamed is not None and check != 1 else None
    patch = {"base": base, "tree": list(edits(file_tree(BASES[base]()), tree))}
    return Vector(name, crime, check, blamed, author, reason, patch)


def of_bytes(
    name: str, crime: str, check: int | None, reason: str, *changes: Mapping[str, Any]
) -> Vector:
    """A vector from changes of the bytes of the match `other`."""
    return Vector(name, crime, check, None, None, reason, {"base": "other", "bytes": [*changes]})
