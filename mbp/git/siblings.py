"""Other files of the same match in one state of a repository, found without reading all of them.

Every entry but the first names the one before it, so that the id of a match stands in each of its
files: git searches for it. That names second histories to people; a file that is written in an
unusual way is not found, and nothing depends on it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping

from mbp.chain import Entry, compare
from mbp.errors import MbpError
from mbp.git.calls import Repository, start
from mbp.git.revisions import PATTERN, Row
from mbp.git.trust import load

FIRST_PREV = re.compile(rb'prev"?: *"?([0-9a-f]{64})')
GREP = ("grep", "-F", "-f", "-", "-l", "-z", "--text", "--no-textconv", "--no-recurse-submodules")

Read = Callable[[str], bytes]


def siblings(
    repository: Repository, tree: str, rows: Iterable[Row], read: Read
) -> Mapping[str, tuple[str, ...]]:
    """By game id: the files of the matches that are new in these rows, in that tree (a name)."""
    wanted = {claimed for row in rows if not row.old and (claimed := _id_in(read, row.new))}
    if not wanted:
        return {}
    search = start(repository.root, repository.environ, *GREP, tree, "--", PATTERN, asked=True)
    listed, _ = search.communicate(b"\n".join(sorted(wanted)))
    found: dict[str, tuple[str, ...]] = {}
    for name in filter(None, listed.split(b"\0")):
        path = os.fsdecode(name).removeprefix(f"{tree}:")
        claimed = _id_in(read, f"{tree}:{path}")
        if claimed in wanted:
            found[claimed.decode("ascii")] = (*found.get(claimed.decode("ascii"), ()), path)
    return found


def _id_in(read: Read, name: str) -> bytes:
    """The game id that a file of two entries or more names first; empty where there is none."""
    try:
        found = FIRST_PREV.search(read(name))
    except MbpError:
        return b""
    return found[1] if found else b""


def other_history(log: tuple[Entry, ...], paths: Iterable[str], tree: str, read: Read) -> str:
    """The first of these files that has another history of the same match; empty for none."""
    for path in paths:
        try:
            other = load(read(f"{tree}:{path}")).log
        except MbpError:
            continue
        if compare(other, log).kind in ("fork", "authors"):
            return path
    return ""
