"""What is in a letter: the game files and short forms in whatever arrived.

Pure: from bytes (a game file, a mail, a text, anything packed) to what was found in them, believed
by nobody. No header, name or address of a mail is handed on: what is found is bytes of game files,
entries in short form, and words of this program's own. `mbox` splits a mailbox into mails.

Whatever the bytes, reading ends soon in a Letter: each part is guarded by itself, and what it costs
is taken from the budget of the letter (`limits`) before it is done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Literal

from mbp.errors import FormatError
from mbp.post.armour import Short, find_shorts
from mbp.post.limits import FILES, MAX_DEPTH, MAX_MAIL, PARTS, TEXT, UNPACKED, Budget
from mbp.post.mime import Part, parse_mail
from mbp.post.text import LONGEST_HTML, bare, decode, text_of_html
from mbp.post.unpack import is_packed, unpacked

MAX_FILE = 4 * 2**20 + 1  # bytes of a game file that are read: one more than it may have
MAX_FINDS = 200  # of one letter
MAX_REPORT = 2**16  # bytes of what tells why a mail came back
START = 2**14  # bytes that tell whether something is a mail

HEADER = re.compile(rb"([A-Za-z][A-Za-z0-9-]{0,60}):")
MAIL_HEADERS = {
    b"from", b"to", b"subject", b"date", b"message-id", b"received", b"mime-version", b"cc",
    b"return-path", b"delivered-to", b"content-type", b"content-transfer-encoding", b"sender",
    b"reply-to", b"in-reply-to", b"references", b"x-original-to", b"dkim-signature",
}  # fmt: skip
HEAD_END = re.compile(rb"\r?\n\r?\n")
GAME_FILE = re.compile(rb"""(?:^|\n)[{ ]*["']?mbp["']?[ ]*:[ ]*["'|>\r\n]""")
FIRST_LINE = re.compile(rb"""^["']?mbp["']?: *["'][0-9]+["'][ \r]*$""", re.MULTILINE)
FLOW = re.compile(rb"\s*\{")
SHOWN = re.compile(rb"^\[-- .* --\]", re.MULTILINE)  # what mutt and s-nail write above a part
MARKUP = re.compile(r"<(?:br|p|div|pre|html|blockquote)\b", re.IGNORECASE)
ACTION = re.compile(r"^action:[ \t]*(\w+)", re.IGNORECASE | re.MULTILINE)
STATUS = re.compile(r"^status:[ \t]*([245]\.\d{1,3}\.\d{1,3})\b", re.IGNORECASE | re.MULTILINE)
OURS = re.compile(rb"\s*mbp:")
SUMMARY = re.compile(rb"[\r\n]summary:")

DELIVERY = "message/delivery-status"
DAEMON = re.compile(r"mailer-daemon|postmaster")
SHORT, SHORT_END = b"[BEGIN MBP/", b"[END MBP/"

Kind = Literal["file", "mail", "reply", "bounce"]


@dataclass(frozen=True)
class Find:
    """One thing found: the bytes of a game file, or a short form, or why it is neither.

    `where` says in our own words in what it was.
    """

    where: str
    file: bytes = b""
    short: Short | None = None
    trouble: FormatError | None = None


@dataclass(frozen=True)
class Letter:
    """What arrived in one piece.

    `mail`: from a person, or a program that plays; `reply`: by a program that answers for somebody
    (a vacation); `bounce`: our own mail did not arrive, `status` says why in digits; `file`: no
    mail at all.
    """

    kind: Kind
    finds: tuple[Find, ...]
    status: str = ""


def read_letter(data: bytes) -> Letter:
    """Looks into bytes of any kind, at most MAX_MAIL of them."""
    walk = _Walk()
    if len(data) > MAX_MAIL:
        walk.add(Find("the letter", trouble=FormatError(f"a letter of more than {MAX_MAIL} bytes")))
        data = data[:MAX_MAIL]
    if b"\n" not in data:  # some programs end lines by CR alone
        data = data.replace(b"\r", b"\n")
    if not is_mail(data):
        walk.look(data, 0, "the file")
        return Letter("file", walk.found())
    mail = parse_mail(data)
    walk.guarded(partial(walk.mail, mail, 0))
    kind, status = _kind_of(mail)
    return Letter(kind, walk.found(), status)


def is_mail(data: bytes) -> bool:
    """Whether bytes begin with the headers of a mail."""
    names = set()
    start = data[:START].lstrip()
    for number, line in enumerate(HEAD_END.split(start, maxsplit=1)[0].split(b"\n")):
        found = HEADER.match(line)
        if found:
            names.add(found[1].lower())
        elif not (number and line[:1] in (b" ", b"\t")) and not line.startswith(b"From "):
            break
    return len(names & MAIL_HEADERS) >= 2


def name_of_letter(data: bytes) -> str:
    """What people call the kind of letter that these bytes are; empty for none."""
    if is_mbox(data[: 2**16]):
        return "a mailbox"
    if is_mail(data):
        return "a mail"
    if is_packed(data):
        return "a packed file"
    return "a text with a short form" if SHORT in data else ""


def _kind_of(mail: Part) -> tuple[Kind, str]:
    """Whether a program wrote the mail, and the status of a bounce."""
    if mail.kind == "multipart/report":
        found = [part for part in islice(mail.children(), 10) if part.kind == DELIVERY]
        reports = [decode(part.decoded()[:MAX_REPORT]) for part in found]
        actions = {one[1].lower() for report in reports for one in ACTION.finditer(report)}
        if "failed" in actions or (not actions and DELIVERY[8:] in mail.header("Content-Type")):
            return "bounce", next((one[1] for one in map(STATUS.search, reports) if one), "")
        return "reply", ""  # it is late, it has arrived, somebody has read it
    if mail.header("Return-Path") == "<>" and DAEMON.search(mail.header("From")):
        return "bounce", ""
    sent = re.split(r"[;(\s]", mail.header("Auto-Submitted"), maxsplit=1)[0]
    if (
        sent == "auto-replied"
        or mail.header("Precedence") in ("auto_reply", "auto-reply")
        or mail.header("X-Autoreply")
        or mail.header("X-Autorespond")
    ):
        return "reply", ""
    return "mail", ""


@dataclass
class _Walk:
    """One walk through a letter, within one budget. `finds` holds each thing once."""

    budget: Budget = field(default_factory=Budget)
    finds: dict[Any, Find] = field(default_factory=dict)

    def found(self) -> tuple[Find, ...]:
        """What was found."""
        return tuple(self.finds.values())

    def add(self, find: Find) -> None:
        """Keeps a find, unless it is there: a text and its copy in HTML hold the same."""
        short = find.short
        file = (find.file, str(find.trouble))
        key = (short.game, short.first, short.head) if short else file
        if len(self.finds) < MAX_FINDS:
            self.finds.setdefault(key, find)

    def guarded(self, act: Callable[[], None]) -> None:
        """Does it; what cannot be opened becomes a find with a reason, and stops nothing else."""
        try:
            act()
        except FormatError as trouble:
            self.add(Find("the mail", trouble=trouble))
        except Exception:  # noqa: BLE001 - whatever a library makes of a mail that is none
            self.add(Find("the mail", trouble=FormatError("a damaged mail")))

    def mail(self, part: Part, depth: int) -> None:
        """Looks into a mail or a part of one. Raises FormatError where limits end it."""
        _check_depth(depth)
        if part.kind == DELIVERY:
            return
        leaf = True
        for child in part.children():
            leaf = False
            self.budget.spend(PARTS)
            self.guarded(partial(self.mail, child, depth + 1))
        if leaf:
            self._leaf(part, depth)

    def _leaf(self, part: Part, depth: int) -> None:
        data = part.decoded()
        self.budget.spend(UNPACKED, len(data))
        if part.kind == "text/html":
            self._html(decode(data, part.charset), "the text")
        elif part.kind.startswith("text/") and not _is_file(bare(data)):
            self._shorts(decode(data, part.charset), "the text")
        else:
            self.look(data, depth, "the attachment")

    def look(self, data: bytes, depth: int, where: str) -> None:
        """Looks into bytes of which nothing is known."""
        self.guarded(partial(self._look, data, depth, where))

    def _look(self, data: bytes, depth: int, where: str) -> None:
        _check_depth(depth)
        if is_packed(data):
            for inside in unpacked(data, self.budget):
                if isinstance(inside, FormatError):
                    self.add(Find("the mail", trouble=inside))
                else:
                    self.look(inside, depth + 1, where)
            return
        data = bare(data)
        if is_mbox(data[:START]):
            for start, end in _places_of_mails(data):
                self.budget.spend(PARTS)
                self.budget.spend(UNPACKED, end - start)
                self.look(data[start:end], depth + 1, where)
        elif _is_file(data):
            self._file(data, where)
        elif is_mail(data):
            self.mail(parse_mail(data), depth + 1)
        else:
            text = decode(data)
            (self._html if MARKUP.search(text) else self._shorts)(text, where)

    def _file(self, data: bytes, where: str) -> None:
        start, end = _place_of_file(data)
        if start:
            self.guarded(partial(self._shorts, decode(data[:start]), "the text"))
        if start == end:
            return
        self.budget.spend(FILES, min(end - start, MAX_FILE))
        file = data[start : min(end, start + MAX_FILE)]
        self.add(Find(where, file, trouble=_cut(data, start, end)))

    def _html(self, page: str, where: str) -> None:
        self.budget.spend(TEXT, min(len(page), LONGEST_HTML))
        self._shorts(text_of_html(page), where)

    def _shorts(self, text: str, where: str) -> None:
        for one in find_shorts(text, self.budget):
            if isinstance(one, Short):
                self.add(Find(where, short=one))
            else:
                self.add(Find(where, trouble=one))


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise FormatError(f"more than {MAX_DEPTH} levels of mails, parts and archives")


def _is_file(data: bytes) -> bool:
    """Whether bytes look like a game file."""
    return b"mbp" in data and bool(GAME_FILE.search(data))


def _place_of_file(data: bytes) -> tuple[int, int]:
    """Where a game file begins and ends in a text that has it below something else.

    Mail programs that show an attachment, or hand it to a pipe, put it below the text of the mail
    and a line that says so. And people quote what this program has said, `mbp: ...`: then there is
    a short form and no file, and both places are the end. A file may have one in a note.
    """
    found = FIRST_LINE.search(data)
    start = found.start() if found else len(data)
    below = data.find(SHORT, 0, start) >= 0 or (found and SHOWN.search(data, 0, start))
    if not below or FLOW.match(data):
        return 0, len(data)
    behind = SHOWN.search(data, start)  # the next attachment
    return start, behind.start() if behind else len(data)


def _cut(data: bytes, start: int, end: int) -> FormatError | None:
    """Why a game file of ours is not whole: its last field does not come (protocol 10)."""
    if OURS.match(data, start, end) and not SUMMARY.search(data, start, end):
        return FormatError("the game file is truncated: it has no end")
    return None


def _places_of_mails(data: bytes) -> Iterator[tuple[int, int]]:
    """Where the mails of an mbox lie; not line by line, as there may be millions."""
    start = data.find(b"\n") + 1
    for found in NEXT_MAIL.finditer(data):
        if data.endswith((b"\n", b"\n\r"), 0, found.start()):
            yield start, found.start()
            start = found.end()
    yield start, len(data)


def split_mbox(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The mails of an mbox, one after the other, from its lines.

    A mail begins at the start or behind an empty line with `From `, a sender and a time; `>From `
    in a mail loses the mark that it was given.
    """
    mail, blank = bytearray(), True  # no list: lines may be short, and many
    for line in lines:
        if blank and line.startswith(b"From ") and MBOX_LINE.match(line):
            if mail:
                yield bytes(mail)
            mail = bytearray()
        elif len(mail) <= MAX_MAIL:
            mail += line[1:] if line[:1] == b">" and ESCAPED.match(line) else line
        blank = line in BLANK
    if mail:
        yield bytes(mail)


MBOX_LINE = re.compile(rb"From \S+ .*\d\d?:\d\d")
NEXT_MAIL = re.compile(rb"\nFrom \S+ .*\d\d?:\d\d.*(?:\n|\Z)")
BLANK = (b"\n", b"\r\n")
ESCAPED = re.compile(rb">+From ")


def is_mbox(start: bytes) -> bool:
    """Whether bytes begin as an mbox does."""
    return bool(MBOX_LINE.match(start))
