"""Game files in a git revision, `REV:games/`: read from the store, nothing is checked out.

Two commands that only read objects; neither runs a hook, a filter or a text conversion, and neither
asks the network for objects that a partial clone does not have.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from mbp.cli.walks import is_ours
from mbp.desk.shelf import LARGEST_EVIDENCE

QUIET = {"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
BLOCK = 2**16

# (name as REV:path, bytes, trouble)
Blob = tuple[str, bytes, str]


def is_revision(text: str, cwd: Path) -> bool:
    """Whether a text names a folder or a file of a revision of the repository around `cwd`."""
    return ":" in text and _kind(text, cwd) in ("tree", "blob")


def blobs(text: str, cwd: Path, *, names_only: bool = False) -> Iterator[Blob]:
    """The game files that `REV:path` names, in git's order."""
    base = text.rstrip("/") if not text.endswith(":/") else text[:-1]
    if _kind(text, cwd) == "blob":
        listed: Iterator[tuple[str, str]] = iter([(text, text)])
    else:
        listed = _listed(base, cwd)
    if names_only:
        yield from ((name, b"", "") for name, _ in listed)
        return
    with _started(["cat-file", "--batch"], cwd, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None  # both were asked for
        assert process.stdout is not None
        for name, thing in listed:
            process.stdin.write(thing.encode("utf-8", "surrogateescape") + b"\n")
            process.stdin.flush()
            yield (name, *_blob(process.stdout))
        process.stdin.close()


def _kind(text: str, cwd: Path) -> str:
    base = text.rstrip("/") if not text.endswith(":/") else text[:-1]
    if "\n" in text:
        return ""
    try:
        with _started(["cat-file", "-t", "--end-of-options", base], cwd) as process:
            assert process.stdout is not None
            return process.stdout.read(16).decode("ascii", "replace").strip()
    except OSError:
        return ""  # no git here


def _listed(base: str, cwd: Path) -> Iterator[tuple[str, str]]:
    """Name and object id of the game files in a folder of a revision and those below."""
    between = "" if base.endswith(":") else "/"
    command = ["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", base]
    with _started(command, cwd) as process:
        assert process.stdout is not None
        for item in _items(process.stdout):
            about, _, name = item.decode("utf-8", "surrogateescape").partition("\t")
            mode, kind, thing = about.split(" ")
            # A link's blob is a path, not a game; submodules are commits.
            if kind == "blob" and mode != "120000" and is_ours(name):
                yield f"{base}{between}{name}", thing


def _items(stream: IO[bytes]) -> Iterator[bytes]:
    """What stands between NULs."""
    left = b""
    while block := stream.read(BLOCK):
        *items, left = (left + block).split(b"\0")
        yield from items


def _blob(stream: IO[bytes]) -> tuple[bytes, str]:
    """What `cat-file --batch` answers: the bytes, no more than a game file may have."""
    head = stream.readline().split()
    if len(head) != 3:
        return b"", "git does not have this object"
    size = int(head[2])
    data = stream.read(min(size, LARGEST_EVIDENCE))
    rest = size - len(data) + 1  # and the line end behind it
    while rest > 0:
        rest -= len(stream.read(min(rest, BLOCK))) or rest
    return data, ""


def _started(
    arguments: list[str], cwd: Path, stdin: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        ["git", *arguments],
        cwd=cwd,
        env={**os.environ, **QUIET},
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
