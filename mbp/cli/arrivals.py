"""What came, one letter after the other: from files, folders, Maildirs, mboxes, standard input.

Nothing is moved, marked or deleted, and no name in a mailbox or folder says what is in a letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import IO, Any

from mbp.cli.session import Session
from mbp.errors import MbpError, NoSuchGameError
from mbp.files import IrregularError, is_folder, open_regular
from mbp.post.limits import MAX_MAIL
from mbp.post.mail import is_mbox, split_mbox

START = 4096  # bytes that tell what a file is
LONGEST_LINE = 2**20
NAME_ONE = "name a mail, a mailbox, a folder or a game file; - is standard input"
MAILDIR = ("new", "cur")
FETCHED = "--imap"  # the name of what nobody has typed


@dataclass(frozen=True)
class Arrival:
    """One letter: what people call it, its bytes; `name` is what was typed for it.

    `named`: it was named itself, so that it should hold a game; of a folder or mailbox, some do.
    `trouble` says why there is nothing.
    """

    label: str
    data: bytes
    name: str
    named: bool
    trouble: MbpError | None = None


def arrivals(session: Session, names: Iterable[str]) -> Iterator[Arrival]:
    """All letters that the names stand for; `-` is standard input."""
    for name in dict.fromkeys(names):
        try:
            yield from _of_name(session, name)
        except MbpError as trouble:  # the others go on
            yield Arrival(name, b"", name, named=True, trouble=trouble)


def _of_name(session: Session, name: str) -> Iterator[Arrival]:
    """The letters of one name. Raises NoSuchGameError, MbpError."""
    if name == "-":
        yield from _of_stream(_standard_input(session), name, "standard input")
        return
    path = session.path(name)
    if not is_folder(path):
        yield from _of_file(path, name, _one_line(session.shown(path)), named=True)
        return
    for place in _files_in(path):
        label = _one_line(session.shown(place))
        try:
            yield from _of_file(_where_now(place), name, label, named=False)
        except MbpError as trouble:  # a mail that has just been deleted stops no other
            yield Arrival(label, b"", name, named=False, trouble=trouble)


def count_arrivals(session: Session, names: Iterable[str]) -> int:
    """About how many letters there are, for a progress bar; what can be read only once is none."""
    paths = [session.path(name) for name in dict.fromkeys(names) if name != "-"]
    with suppress(OSError, MbpError):  # what cannot be read is told when it is
        return sum(
            sum(map(_count, _files_in(path))) if path.is_dir() else _count(path) for path in paths
        )
    return 0


def _count(path: Path) -> int:
    """The mails in a mailbox, by the lines that may begin one; 1 for any other file."""
    if not path.is_file():
        return 0
    with path.open("rb") as file:
        if not is_mbox(file.read(START)):
            return 1
        file.seek(0)
        blocks = iter(lambda: file.read(2**20), b"")
        return 1 + sum(block.count(b"\n\nFrom ") for block in blocks)


def _where_now(mail: Path) -> Path:
    """The path of a mail in a Maildir, also when a mail program has just moved or marked it."""
    if mail.exists() or mail.parent.name not in MAILDIR:
        return mail
    places = (mail.parent.parent / part for part in MAILDIR)
    unique = mail.name.partition(":")[0]
    found = (path for place in places for path in place.glob(f"{escape(unique)}*"))
    return next(found, mail)


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())


def _files_in(folder: Path) -> list[Path]:
    """The mails of a Maildir, else the files of a folder, by name."""
    try:
        inner = [folder / part for part in MAILDIR if (folder / part).is_dir()]
        found = [path for place in inner or [folder] for path in place.iterdir()]
    except OSError as failure:
        raise MbpError(f"cannot read {folder}: {failure.strerror}") from failure
    return sorted(path for path in found if path.is_file() and not path.name.startswith("."))


def _of_file(path: Path, name: str, label: str, *, named: bool) -> Iterator[Arrival]:
    try:
        # Where the machine makes pipes (standard input, process substitution) they are read.
        with open_regular(path, pipes=path.is_relative_to("/dev")) as file:
            yield from _of_stream(file, name, label, named=named)
    except FileNotFoundError:
        raise NoSuchGameError(f"there is no file {path}", hint=NAME_ONE) from None
    except IrregularError as failure:
        raise NoSuchGameError(str(failure), hint=NAME_ONE) from None
    except OSError as failure:
        raise MbpError(f"cannot read {path}: {failure.strerror}") from failure


def _of_stream(file: IO[bytes], name: str, label: str, *, named: bool = True) -> Iterator[Arrival]:
    start = file.read(START)
    if not is_mbox(start):
        yield Arrival(label, start + file.read(MAX_MAIL + 1 - len(start)), name, named)
        return
    mails = split_mbox(_lines(start, file))
    first = next(mails, b"")
    second = next(mails, None)
    if second is None:  # what a mail program pipes may have such a first line too
        yield Arrival(label, first, name, named)
        return
    yield Arrival(f"mail 1 of {label}", first, name, named=False)
    yield Arrival(f"mail 2 of {label}", second, name, named=False)
    for number, mail in enumerate(mails, 3):
        yield Arrival(f"mail {number} of {label}", mail, name, named=False)


def _lines(start: bytes, file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file of which the start was read already."""
    *whole, rest = start.split(b"\n")
    yield from (line + b"\n" for line in whole)
    yield rest + file.readline(LONGEST_LINE)
    while line := file.readline(LONGEST_LINE):
        yield line


def _standard_input(session: Session) -> IO[bytes]:
    import io

    binary: Any = getattr(session.terminal.stdin, "buffer", None)
    if binary is None:
        return io.BytesIO(session.terminal.stdin.read(MAX_MAIL).encode())
    stream: IO[bytes] = binary
    return stream
