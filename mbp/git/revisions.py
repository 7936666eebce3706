"""Which game files differ between two states of a repository, and their bytes.

git compares trees by their ids, so that this costs what has changed, not what there is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mbp.errors import PostError
from mbp.gamefile import MAX_SIZE
from mbp.git.calls import Repository

ENDING = ".mbp.yaml"
PATTERN = f":(top,glob)**/*{ENDING}"  # from the root of the repository, in every folder
RAW = ("--raw", "-z", "--no-renames", "--no-abbrev")
REGULAR = ("100644", "100755")

Row = tuple[str, str, str]  # path, and the ids of the old and the new blob, empty for none


@dataclass(frozen=True)
class Changed:
    """A game file that differs: None for bytes where there is none on that side."""

    path: str
    old: bytes | None
    new: bytes | None


def changes_between(
    repository: Repository, old: str, new: str, under: Sequence[str] = ()
) -> list[Changed]:
    """The game files that differ between two commits (names that git knows). Raises PostError.

    `under`: paths of the repository; only what they are or hold counts.
    """
    old, new = commit_id(repository, old), commit_id(repository, new)
    listed = repository.run("diff-tree", "-r", *RAW, old, new, "--", PATTERN)
    places = tuple(place for place in under if place != ".") if "." not in under else ()
    found = _rows(listed)
    return _read(repository, [row for row in found if _is_under(row[0], places)])


def _is_under(path: str, places: Sequence[str]) -> bool:
    return not places or any(path == place or path.startswith(f"{place}/") for place in places)


def staged_changes(repository: Repository) -> list[Changed]:
    """The game files that the next commit would change. Raises PostError."""
    head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    base = head.text if head.code == 0 else empty_tree(repository)
    listed = repository.run("diff-index", "--cached", *RAW, base, "--", PATTERN)
    return _read(repository, _rows(listed))


def commit_id(repository: Repository, name: str) -> str:
    """The id of the commit that a name means; what looks like an option is none."""
    answer = repository.ask(
        "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
    )
    if answer.code or not name:
        raise PostError(f"{name!r} is no commit of {repository.root}", hint="see git log")
    return answer.text


def empty_tree(repository: Repository) -> str:
    """The id of a tree without files, in whatever hash the repository uses."""
    return os.fsdecode(repository.run("hash-object", "-t", "tree", "--stdin")).strip()


def _rows(listed: bytes) -> list[Row]:
    """What `--raw -z` lists: a line of modes and ids, and a path, by turns."""
    words = os.fsdecode(listed).split("\0")
    rows = []
    for meta, path in zip(words[::2], words[1::2], strict=False):
        old_mode, new_mode, old_id, new_id, _ = meta.removeprefix(":").split(" ")
        # A link or a module under the name of a game file is none: what it leads to is not here.
        rows.append((path, old_id * (old_mode in REGULAR), new_id * (new_mode in REGULAR)))
    return rows


def _read(repository: Repository, rows: Sequence[Row]) -> list[Changed]:
    """Reads the bytes of all blobs in one call."""
    blobs = iter(_blobs(repository, [one for _, old, new in rows for one in (old, new) if one]))
    return [
        Changed(path, next(blobs) if old else None, next(blobs) if new else None)
        for path, old, new in rows
    ]


def _blobs(repository: Repository, ids: Sequence[str]) -> Iterator[bytes]:
    """The bytes of blobs; of one that is too large for a game file, as many zeros as are refused.

    Sizes are asked for first: whoever can push decides how large a blob is.
    """
    if not ids:
        return
    sizes = [
        int(line.split()[-1])
        for line in _batch(repository, "--batch-check", ids).split(b"\n")
        if line
    ]
    wanted = [one for one, size in zip(ids, sizes, strict=True) if size <= MAX_SIZE]
    output = _batch(repository, "--batch", wanted)
    place = 0
    for size in sizes:
        if size > MAX_SIZE:
            yield bytes(MAX_SIZE + 1)
            continue
        start = output.index(b"\n", place) + 1
        yield output[start : start + size]
        place = start + size + 1


def _batch(repository: Repository, how: str, ids: Sequence[str]) -> bytes:
    return repository.run("cat-file", how, given="".join(f"{one}\n" for one in ids).encode("ascii"))
