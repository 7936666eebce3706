"""Game files in folders and by globs: what is there, in order of names, and what is closed to us.

Found one after the other: only the names of the folders on the way are held. Links to folders are
followed where a glob names them and nowhere else. Nothing is opened here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from mbp.desk.shelf import ENDING, EVIDENCE_ENDING

DEEP = "**"
MAGIC = "*?["

# (path, why it cannot be looked into; empty where it can)
Found = tuple[str, str]


def is_glob(text: str) -> bool:
    """Whether a text has a letter that is no letter in a glob."""
    return any(letter in text for letter in MAGIC)


def is_ours(name: str) -> bool:
    """Whether a file is called as game files or evidence files are."""
    return name.endswith((ENDING, EVIDENCE_ENDING))


def why(failure: OSError) -> str:
    """What to say of something that the system does not let us read."""
    return f"cannot be read: {(failure.strerror or str(failure)).lower()}"


def below(folder: str) -> Iterator[Found]:
    """What is called a game file in a folder and in those below."""
    waiting = [(folder, True)]
    while waiting:
        path, is_folder = waiting.pop()
        if not is_folder:
            yield path, ""
            continue
        try:
            waiting += reversed(_listed(path))
        except OSError as failure:
            yield path, why(failure)


def _listed(folder: str) -> list[tuple[str, bool]]:
    """The paths in a folder by name, with True of a folder; other files than ours left out."""
    with os.scandir(folder) as found:
        entries = ((one.path, one.name, one.is_dir(follow_symlinks=False)) for one in found)
        return sorted((path, is_dir) for path, name, is_dir in entries if is_dir or is_ours(name))


def fitting(folder: str, parts: Sequence[str]) -> Iterator[Found]:
    """The paths that a glob names; `parts` are the names in it, seen from a folder.

    `**` stands for that folder and all below; a glob that ends with it names the folder.
    """
    if not parts or tuple(parts) == (DEEP,):
        yield folder, ""
        return
    part, *rest = parts
    try:
        found = _deep(folder) if part == DEEP else iter(_named(folder, part))
        for path, trouble in found:
            if trouble:
                yield path, trouble
            else:
                yield from fitting(path, rest)
    except (FileNotFoundError, NotADirectoryError):
        return  # no folder: nothing in it has a name
    except OSError as failure:
        yield folder, why(failure)


def _named(folder: str, part: str) -> list[Found]:
    """What in a folder one part of a glob names, by name. Raises OSError."""
    if is_glob(part):
        with os.scandir(folder) as found:
            return sorted((one.path, "") for one in found if fnmatchcase(one.name, part))
    path = Path(folder) / part
    path.lstat()
    return [(str(path), "")]


def _deep(folder: str) -> Iterator[Found]:
    """A folder and all below it."""
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        try:
            with os.scandir(path) as found:
                inner = [one.path for one in found if one.is_dir(follow_symlinks=False)]
        except OSError as failure:
            yield path, why(failure)
            continue
        yield path, ""
        waiting += sorted(inner, reverse=True)
