"""Which game files differ between two states of a repository, and their bytes.

git compares trees by their ids, so that this costs what has changed, not what there is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mbp.errors import PostError
from mbp.git.blobs import ENDING, Blobs
from mbp.git.calls import Repository

PATTERN = f":(top,glob)**/*{ENDING}"  # from the root of the repository, in every folder
RAW = ("--raw", "-z", "--no-renames", "--no-abbrev")
REGULAR = ("100644", "100755")
MERGING = "MERGE_HEAD"
GIVEN = "GITHEAD_"  # how `git merge` tells its hooks what it merges, before there is a MERGE_HEAD


@dataclass(frozen=True)
class Row:
    """A game file that differs: the ids of the old and the new blob, empty for none."""

    path: str
    old: str
    new: str


@dataclass(frozen=True)
class Changed:
    """A game file that differs: None for bytes where there is none on that side."""

    path: str
    old: bytes | None
    new: bytes | None


def changes_between(
    repository: Repository, old: str, new: str, under: Sequence[str] = ()
) -> Iterator[Changed]:
    """The game files that differ between two commits, read one by one; as `rows_between`."""
    with Blobs(repository.root, repository.environ) as blobs:
        for row in rows_between(repository, old, new, under):
            yield Changed(
                row.path,
                blobs.read(row.old) if row.old else None,
                blobs.read(row.new) if row.new else None,
            )


def rows_between(
    repository: Repository, old: str, new: str, under: Sequence[str] = ()
) -> list[Row]:
    """The game files that differ between two states (names that git knows). Raises PostError.

    `under`: paths of the repository; only what they are or hold counts, and each has to be in one
    of the two states.
    """
    trees = tree_of(repository, old), tree_of(repository, new)
    places = () if "." in under else tuple(under)
    for place in places:
        if not any(_has(repository, tree, place) for tree in trees):
            raise PostError(f"there is no {place} in {old} or {new}", hint="see git ls-files")
    listed = repository.run("diff-tree", "-r", *RAW, *trees, "--", PATTERN)
    return [row for row in _rows(listed) if _is_under(row.path, places)]


def _has(repository: Repository, tree: str, path: str) -> bool:
    return repository.ask("rev-parse", "--verify", "--quiet", f"{tree}:{path}").code == 0


def _is_under(path: str, places: Sequence[str]) -> bool:
    return not places or any(path == place or path.startswith(f"{place}/") for place in places)


def staged_rows(repository: Repository) -> list[list[Row]]:
    """The game files that the next commit would change, from each of its parents. Raises PostError.

    The first list is from HEAD; there is another one for each commit that is merged.
    """
    head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    base = head.text if head.code == 0 else empty_tree(repository)
    return [_staged_since(repository, parent) for parent in (base, *merged_commits(repository))]


def _staged_since(repository: Repository, parent: str) -> list[Row]:
    return _rows(repository.run("diff-index", "--cached", *RAW, parent, "--", PATTERN))


def merged_commits(repository: Repository) -> tuple[str, ...]:
    """The ids of the commits that are being merged; none where no merge is going on."""
    try:
        return tuple((repository.folder / MERGING).read_text(encoding="ascii").split())
    except FileNotFoundError:
        return tuple(
            name.removeprefix(GIVEN) for name in repository.environ if name.startswith(GIVEN)
        )


def tree_of(repository: Repository, name: str) -> str:
    """The id of the tree of a commit, or of a tree; what looks like an option is none."""
    answer = repository.ask(
        "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{tree}}"
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
        row = Row(path, old_id * (old_mode in REGULAR), new_id * (new_mode in REGULAR))
        if row.old or row.new:
            rows.append(row)
    return rows
