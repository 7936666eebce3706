"""Where an archive's game files come from: files, folders, globs, tar and zip, git revisions.

What stands in an archive or a revision is read as bytes and never written to disk, under whatever
name; no more is read than the largest evidence file may have, two game files of protocol 10.
Nothing here looks into the bytes. What cannot be read, and a PATH that names no game file, becomes
one trouble each, and the others go on: nothing is passed over without a word.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mbp.cli import packed, walks
from mbp.desk.shelf import ENDING, LARGEST_EVIDENCE
from mbp.errors import MbpError, NoSuchGameError
from mbp.files import IrregularError, expanded, is_folder, open_regular

MISSING = "there is no such file"
NOTHING = f"no file *{ENDING} is there"


@dataclass(frozen=True)
class Source:
    """A game file to be: its shown name, and its bytes or the path to read them from.

    `trouble` says why there are no bytes.
    """

    name: str
    path: str = ""
    data: bytes = b""
    trouble: str = ""

    def read(self) -> bytes:
        """The bytes, at most as many as an evidence file may have. Raises MbpError."""
        if self.trouble:
            raise MbpError(self.trouble)
        return _content(self.path) if self.path else self.data


def _content(path: str) -> bytes:
    """The bytes of a regular file. Raises MbpError, whose message goes without the path."""
    try:
        with open_regular(Path(path)) as file:
            return file.read(LARGEST_EVIDENCE)
    except FileNotFoundError:
        gone = "is a link to no file" if Path(path).is_symlink() else MISSING
        raise NoSuchGameError(gone) from None
    except IrregularError:
        raise NoSuchGameError("is no regular file") from None
    except OSError as failure:
        raise MbpError(walks.why(failure)) from None


@dataclass(frozen=True)
class Place:
    """The current folder, and how a path in it is shown."""

    cwd: Path
    shown: Callable[[Path], str]


def count_sources(texts: Iterable[str], place: Place) -> int:
    """How many sources there are, for progress bars; 0 where no PATH names any."""
    total = empty = 0
    for source in find_sources(texts, place, names_only=True):
        total += 1
        empty += source.trouble == NOTHING
    return 0 if total == empty else total


def find_sources(
    texts: Iterable[str], place: Place, *, names_only: bool = False
) -> Iterator[Source]:
    """All game files that PATHs name, each path once, one after the other and never all at once.

    A file that is named is taken under whatever name; in folders, archives and revisions a name
    ends as those of game files or of evidence files do. `names_only` leaves the bytes of archives
    and revisions out.
    """
    wanted = tuple(dict.fromkeys(texts))
    seen: set[str] | None = set() if len(wanted) > 1 or any(map(walks.is_glob, wanted)) else None
    for text in wanted:
        empty = True
        for source in _of_text(text, place, names_only):
            empty = False
            if seen is not None and source.path:
                if source.path in seen:
                    continue
                seen.add(source.path)
            yield source
        if empty:
            yield Source(text, trouble=NOTHING)


def _of_text(text: str, place: Place, names_only: bool) -> Iterator[Source]:
    try:
        path = place.cwd / expanded(text)
    except MbpError as failure:
        yield Source(text, trouble=str(failure))
        return
    # A revision first: whoever can push may put a folder of that name into the repository.
    if is_revision(text, place):
        yield from _of_revision(text, place, names_only)
    elif os.path.lexists(path):
        yield from _of_path(path, place, names_only)
    elif walks.is_glob(text):
        yield from _matching(text, path, place, names_only)
    else:
        yield Source(place.shown(path), trouble=_missing(text, place))


def _missing(text: str, place: Place) -> str:
    """What to say of a PATH that is nothing: REV:PATH could be meant, or a file."""
    revision, colon, inside = text.partition(":")
    if is_revision(f"{revision}:", place) and colon:
        return f"there is no {inside} in revision {revision}"
    return MISSING + (f", and no revision {revision}" if colon else "")


def is_revision(text: str, place: Place) -> bool:
    """Whether a text names a folder or a file of a git revision."""
    if ":" not in text:
        return False  # and git is not even loaded
    from mbp.git import blobs

    return blobs.is_revision(text, place.cwd, os.environ)


def _of_revision(text: str, place: Place, names_only: bool) -> Iterator[Source]:
    from mbp.git.blobs import Wanted, stored_files

    wanted = Wanted(walks.is_ours, LARGEST_EVIDENCE, names_only)
    for name, data, trouble in stored_files(text, place.cwd, os.environ, wanted):
        yield Source(name, data=data, trouble=trouble)


def _matching(text: str, path: Path, place: Place, names_only: bool) -> Iterator[Source]:
    """What a glob names; `**` goes through folders of any depth."""
    anchored = Path(text).is_absolute() or text.startswith("~")
    base, parts = (path.anchor, path.parts[1:]) if anchored else (place.cwd, Path(text).parts)
    for found, trouble in walks.fitting(str(base), parts):
        if trouble:
            yield Source(place.shown(Path(found)), found, trouble=trouble)
        else:
            yield from _of_path(Path(found), place, names_only)


def _of_path(path: Path, place: Place, names_only: bool) -> Iterator[Source]:
    if is_folder(path):
        for found, trouble in walks.below(str(path)):
            yield Source(place.shown(Path(found)), found, trouble=trouble)
    elif packed.is_archive(path.name):
        shown = place.shown(path)
        for name, data, trouble in packed.members(path, names_only=names_only):
            inside = f"{shown}:{name}" if name else shown
            yield Source(inside, data=data, trouble=trouble)
    else:
        yield Source(place.shown(path), str(path))
