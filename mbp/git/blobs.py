"""Bytes out of git's store, blob after blob and never two at once, by one process of git.

Nothing is checked out; no hook, filter or text conversion runs, and no network is asked. Whoever
can push decides what a blob is: of one that is too large for a game file as much is kept as is
refused, and a damaged one, at which git itself dies, costs no other.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mbp.errors import PostError
from mbp.gamefile import MAX_SIZE
from mbp.git.calls import start

ENDING = ".mbp.yaml"
MOST = MAX_SIZE + 1
BLOCK = 2**16
LINK = "120000"

# (name as REV:path, bytes, trouble)
Stored = tuple[str, bytes, str]


class Blobs:
    """A reader of blobs, to be closed; `with` does. Started anew where git has died of one.

    Of each blob it reads at most `most` bytes: of what is too large for mbp, enough to see that.
    """

    def __init__(self, folder: Path, environ: Mapping[str, str], most: int = MOST) -> None:
        self._folder = folder
        self._environ = environ
        self._most = most
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Blobs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process of git, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(BrokenPipeError), process:
                pass

    def read(self, name: str) -> bytes:
        """The first bytes of a blob, by its id or REV:path.

        Raises PostError for one that git does not have, or cannot read.
        """
        try:
            data = None if "\n" in name else self._read(name)
        except OSError:
            data = None
        if data is None:
            self.close()
            raise PostError("git cannot read this object: it is damaged or missing")
        return data

    def _read(self, name: str) -> bytes | None:
        if self._process is None:
            self._process = start(self._folder, self._environ, "cat-file", "--batch", asked=True)
        asks, tells = self._process.stdin, self._process.stdout
        assert asks is not None  # both were asked for
        assert tells is not None
        asks.write(name.encode("utf-8", "surrogateescape") + b"\n")
        asks.flush()
        head = tells.readline().split()
        if len(head) != 3 or head[1] != b"blob" or not head[2].isdigit():
            return None  # `NAME missing`, which may look like anything; or git has died
        size = int(head[2])
        data = tells.read(min(size, self._most))
        left = size - len(data) + 1  # and the line end behind it
        while left > 0:
            block = tells.read(min(left, BLOCK))
            if not block:
                return None
            left -= len(block)
        return data


def is_revision(text: str, cwd: Path, environ: Mapping[str, str]) -> bool:
    """Whether a text names a folder or a file of a revision of the repository around `cwd`."""
    return ":" in text and _kind(text, cwd, environ) in ("tree", "blob")


@dataclass(frozen=True)
class Wanted:
    """Which files of a revision: by their names, and how many of their bytes, or only the names."""

    is_ours: Callable[[str], bool]
    most: int = MOST
    names_only: bool = False


def stored_files(
    text: str, cwd: Path, environ: Mapping[str, str], wanted: Wanted
) -> Iterator[Stored]:
    """The files that `REV:path` names, in git's order.

    What cannot be read is a trouble under its name, and the others go on.
    """
    base = _base(text)
    if _kind(text, cwd, environ) == "blob":
        listed: Iterator[tuple[str, str]] = iter([(text, text)])
    else:
        listed = _listed(base, cwd, environ, wanted.is_ours)
    with Blobs(cwd, environ, wanted.most) as blobs:
        for name, thing in listed:
            if not thing:
                yield name, b"", "git cannot list all of this folder"
            elif wanted.names_only:
                yield name, b"", ""
            else:
                yield (name, *_taken(blobs, thing))


def _taken(blobs: Blobs, thing: str) -> tuple[bytes, str]:
    try:
        return blobs.read(thing), ""
    except PostError as failure:
        return b"", str(failure)


def _base(text: str) -> str:
    return text.rstrip("/") if not text.endswith(":/") else text[:-1]


def _kind(text: str, cwd: Path, environ: Mapping[str, str]) -> str:
    if "\n" in text:
        return ""
    try:
        process = start(cwd, environ, "cat-file", "-t", "--end-of-options", _base(text))
    except OSError:
        return ""  # no git here
    with process:
        assert process.stdout is not None
        return process.stdout.read(16).decode("ascii", "replace").strip()


def _listed(
    base: str, cwd: Path, environ: Mapping[str, str], is_ours: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """Name and object id of the files that are ours in a folder of a revision and those below.

    In the end a pair without an id where git could not list all of them.
    """
    between = "" if base.endswith(":") else "/"
    command = ("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", base)
    with start(cwd, environ, *command) as process:
        assert process.stdout is not None
        for item in _items(process.stdout):
            about, _, name = item.decode("utf-8", "surrogateescape").partition("\t")
            mode, kind, thing = about.split(" ")
            # A link's blob is a path, not a game; submodules are commits.
            if kind == "blob" and mode != LINK and is_ours(name):
                yield f"{base}{between}{name}", thing
    if process.returncode:
        yield base, ""


def _items(stream: IO[bytes]) -> Iterator[bytes]:
    """What stands between NULs."""
    left = b""
    while block := stream.read(BLOCK):
        *items, left = (left + block).split(b"\0")
        yield from items
