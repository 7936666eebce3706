"""Where an archive's game files come from: files, folders, globs, tar and zip, git revisions.

What stands in an archive or a revision is read as bytes and never written to disk, under whatever
name; a game file may be no larger than protocol 10 says, and more is not read. Nothing here looks
into the bytes. A source that cannot be read becomes one trouble, and the others go on.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mbp.cli import git_blobs, packed
from mbp.desk.shelf import ENDING, read_bytes
from mbp.errors import MbpError
from mbp.files import expanded

MAGIC = "*?["


@dataclass(frozen=True)
class Source:
    """A game file to be: its shown name, and its bytes or the path to read them from.

    `trouble` says why neither is there.
    """

    name: str
    path: str = ""
    data: bytes = b""
    trouble: str = ""

    def read(self) -> bytes:
        """The bytes, at most one more than a game file may have. Raises MbpError."""
        if self.trouble:
            raise MbpError(self.trouble)
        return read_bytes(Path(self.path)) if self.path else self.data


@dataclass(frozen=True)
class Place:
    """The current folder, and how a path in it is shown."""

    cwd: Path
    shown: Callable[[Path], str]


def count_sources(texts: Iterable[str], place: Place) -> int:
    """How many sources there are: for progress bars, and to know whether there is any."""
    return sum(1 for _ in find_sources(texts, place, names_only=True))


def find_sources(
    texts: Iterable[str], place: Place, *, names_only: bool = False
) -> Iterator[Source]:
    """All game files that PATHs name, each path once, one after the other and never all at once.

    A file that is named is taken under whatever name; in folders, archives and revisions a name
    ends in `.mbp.yaml`. `names_only` leaves the bytes of archives and revisions out.
    """
    wanted = tuple(dict.fromkeys(texts))
    seen: set[str] | None = set() if len(wanted) > 1 or any(map(_is_glob, wanted)) else None
    for text in wanted:
        for source in _of_text(text, place, names_only):
            if seen is not None and source.path:
                if source.path in seen:
                    continue
                seen.add(source.path)
            yield source


def _of_text(text: str, place: Place, names_only: bool) -> Iterator[Source]:
    try:
        path = place.cwd / expanded(text)
    except MbpError as failure:
        yield Source(text, trouble=str(failure))
        return
    if os.path.lexists(path):
        yield from _of_path(path, place, names_only)
    elif git_blobs.is_revision(text, place.cwd):
        for name, data, trouble in git_blobs.blobs(text, place.cwd, names_only=names_only):
            yield Source(name, data=data, trouble=trouble)
    elif _is_glob(text):
        for found in _matching(text, path, place):
            yield from _of_path(found, place, names_only)
    else:
        yield Source(place.shown(path), trouble=f"there is no file {place.shown(path)}")


def _matching(text: str, path: Path, place: Place) -> list[Path]:
    """What a glob finds, by name; `**` goes through folders of any depth."""
    anchored = Path(text).is_absolute() or text.startswith("~")
    base = Path(path.anchor) if anchored else place.cwd
    try:
        return sorted(base.glob(str(path.relative_to(path.anchor)) if anchored else text))
    except ValueError:
        return []  # no pattern at all, such as a**


def _is_glob(text: str) -> bool:
    return any(letter in text for letter in MAGIC)


def _of_path(path: Path, place: Place, names_only: bool) -> Iterator[Source]:
    if path.is_dir():
        for found in _below(path):
            yield Source(place.shown(found), str(found))
    elif packed.is_archive(path.name):
        shown = place.shown(path)
        for name, data, trouble in packed.members(path, names_only=names_only):
            inside = f"{shown}:{name}" if name else shown
            yield Source(inside, data=data, trouble=trouble)
    else:
        yield Source(place.shown(path), str(path))


def _below(folder: Path) -> Iterator[Path]:
    """The game files in a folder and those below, by name; links to folders are not followed."""
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError:
        return  # closed to us: what lies in there is none of ours to audit
    for name in names:
        path = folder / name
        try:
            mode = path.lstat().st_mode
        except OSError:
            continue  # gone in between
        if stat.S_ISDIR(mode):
            yield from _below(path)
        elif name.endswith(ENDING) and path.is_file():
            yield path
