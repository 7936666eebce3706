"""What is in a letter: the game files and short forms in whatever arrived.

Pure: from bytes (a game file, a mail, a text, anything packed) to what was found in them, believed
by nobody. No header, name or address of a mail is handed on: what is found is bytes of game files,
entries in short form, and words of this program's own. `mbox` splits a mailbox into mails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.errors import MessageError
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import Any, Literal

from mbp.errors import FormatError
from mbp.post.armour import Short, find_shorts
from mbp.post.text import text_of_html
from mbp.post.unpack import MAX_DEPTH, Budget, decode_base64, is_packed, unpacked

MAX_FILE = 4 * 2**20 + 1  # bytes of a game file that are read: one more than it may have
MAX_FINDS = 200  # of one letter

HEADER = re.compile(rb"([A-Za-z][A-Za-z0-9-]{0,60}):(?:[ \t]|\r?$)")
MAIL_HEADERS = {
    b"from", b"to", b"subject", b"date", b"message-id", b"received", b"mime-version", b"cc",
    b"return-path", b"delivered-to", b"content-type", b"content-transfer-encoding", b"sender",
    b"reply-to", b"in-reply-to", b"references", b"x-original-to", b"dkim-signature",
}  # fmt: skip
HEAD_END = re.compile(rb"\r?\n\r?\n")
GAME_FILE = re.compile(rb"""(?:^|\n)[{ ]*["']?mbp["']?[ ]*:""")
FIRST_LINE = re.compile(rb"""^mbp: ["']""", re.MULTILINE)
MARKUP = re.compile(r"<(?:br|p|div|pre|html|blockquote)\b", re.IGNORECASE)
STATUS = re.compile(r"^status:[ \t]*([245]\.\d{1,3}\.\d{1,3})\b", re.IGNORECASE | re.MULTILINE)
BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}

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
    """Looks into bytes of any kind."""
    walk = _Walk()
    if not is_mail(data):
        walk.look(data, 0, "the file")
        return Letter("file", walk.found())
    message = parse_mail(data)
    walk.guarded(lambda: walk.mail(message, 0))
    kind, status = _kind_of(message)
    return Letter(kind, walk.found(), status)


def is_mail(data: bytes) -> bool:
    """Whether bytes begin with the headers of a mail."""
    names = set()
    start = data[: 2**16].lstrip()
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


def parse_mail(data: bytes) -> Message[str, str]:
    """The mail, its parts apart; a damaged one as far as it goes."""
    start = data.lstrip()
    if start.startswith(b"From "):
        start = start.partition(b"\n")[2]
    return BytesParser(policy=compat32).parsebytes(start)


def _kind_of(message: Message[str, str]) -> tuple[Kind, str]:
    """Whether a program wrote the mail, and the status of a bounce."""
    if _is_report(message):
        return "bounce", _status(message)
    sent = re.split(r"[;(\s]", _header(message, "Auto-Submitted"), maxsplit=1)[0]
    answers = {"auto_reply", "auto-reply"}
    if (
        sent == "auto-replied"
        or _header(message, "Precedence") in answers
        or message.get("X-Autoreply")
        or message.get("X-Autorespond")
    ):
        return "reply", ""
    return "mail", ""


def _is_report(message: Message[str, str]) -> bool:
    if message.get_content_type() == "multipart/report":
        return "delivery-status" in _header(message, "Content-Type") or any(
            part.get_content_type() == "message/delivery-status" for part in _children(message)
        )
    empty = _header(message, "Return-Path") == "<>"
    return empty and bool(re.search(r"mailer-daemon|postmaster", _header(message, "From")))


def _status(message: Message[str, str]) -> str:
    for part in _children(message):
        if part.get_content_type() == "message/delivery-status":
            for block in [part, *_children(part)]:
                text = "\n".join(f"{name}: {value}" for name, value in block.items())
                if found := STATUS.search(text):
                    return found[1]
    return ""


def _header(message: Message[str, str], name: str) -> str:
    return str(message.get(name, "")).strip().lower()


def _children(part: Message[str, str]) -> list[Message[str, str]]:
    inside: Any = part.get_payload()
    return [one for one in inside if isinstance(one, Message)] if isinstance(inside, list) else []


@dataclass
class _Walk:
    """One walk through a letter, within one budget."""

    budget: Budget = field(default_factory=Budget)
    finds: list[Find] = field(default_factory=list)

    def found(self) -> tuple[Find, ...]:
        """What was found, each once; a text and its copy in HTML hold the same."""
        unique: dict[Any, Find] = {}
        for find in self.finds:
            short = find.short
            key = (short.game, short.first, short.head) if short else (find.file, find.trouble)
            unique.setdefault(key, find)
        return tuple(unique.values())

    def guarded(self, act: Any) -> None:
        """Does it; what cannot be opened becomes a find with a reason."""
        try:
            act()
        except FormatError as trouble:
            self._add(Find("the mail", trouble=trouble))
        except (MessageError, RecursionError, ValueError, LookupError, TypeError, AttributeError):
            # The library's own answers to mails that are none.
            self._add(Find("the mail", trouble=FormatError("a damaged mail")))

    def _add(self, find: Find) -> None:
        if len(self.finds) < MAX_FINDS:
            self.finds.append(find)

    def mail(self, message: Message[str, str], depth: int) -> None:
        """Looks into a mail or a part of one. Raises FormatError where limits end it."""
        if depth > MAX_DEPTH:
            raise FormatError(f"more than {MAX_DEPTH} levels of mails, parts and archives")
        if message.get_content_type() == "message/delivery-status":
            return
        children = _children(message)
        for child in children:
            self.mail(child, depth + 1)
        if not children:
            self._leaf(message, depth)

    def _leaf(self, part: Message[str, str], depth: int) -> None:
        data = self.budget.spend(_decoded(part))
        kind = part.get_content_type()
        if kind == "text/html":
            self._shorts(text_of_html(_text(data, part.get_content_charset())), "the text")
        elif kind.startswith("text/") and not _is_file(_bare(data)):
            self._shorts(_text(data, part.get_content_charset()), "the text")
        else:
            self.look(data, depth, "the attachment")

    def look(self, data: bytes, depth: int, where: str) -> None:
        """Looks into bytes of which nothing is known."""
        self.guarded(lambda: self._look(data, depth, where))

    def _look(self, data: bytes, depth: int, where: str) -> None:
        if depth > MAX_DEPTH:
            raise FormatError(f"more than {MAX_DEPTH} levels of mails, parts and archives")
        if is_packed(data):
            for inside in unpacked(data, self.budget):
                self.look(inside, depth + 1, where)
            return
        bare = _bare(data)
        if _is_file(bare):
            start = _start_behind_short(bare)
            if start:
                self._shorts(_text(bare[:start], None), "the text")
                bare = bare[start:]
            self._add(Find(where, bare[:MAX_FILE], trouble=_cut(bare)))
        elif is_mail(bare):
            self.mail(parse_mail(bare), depth + 1)
        else:
            text = _text(bare, None)
            self._shorts(text_of_html(text) if MARKUP.search(text) else text, where)

    def _shorts(self, text: str, where: str) -> None:
        for one in find_shorts(text):
            if isinstance(one, Short):
                self._add(Find(where, short=one))
            else:
                self._add(Find(where, trouble=one))


def _is_file(data: bytes) -> bool:
    """Whether bytes look like a game file."""
    return b"mbp" in data and bool(GAME_FILE.search(data))


def _start_behind_short(data: bytes) -> int:
    """Where a game file of ours begins in a text that has a short form before it, else 0.

    Mail programs that show an attachment, or hand it to a pipe, put it below the text of the mail.
    """
    found = FIRST_LINE.search(data)
    return found.start() if found and SHORT in data[: found.start()] else 0


def _cut(data: bytes) -> FormatError | None:
    """Why a game file of ours is not whole: its last field does not come (protocol 10)."""
    if data.lstrip().startswith(b"mbp:") and b"\nsummary:" not in data.replace(b"\r", b"\n"):
        return FormatError("the game file is truncated: it has no end")
    return None


def _decoded(part: Message[str, str]) -> bytes:
    """The bytes of a part without its transfer encoding."""
    encoding = _header(part, "Content-Transfer-Encoding")
    if encoding == "base64":
        raw: Any = part.get_payload()
        return decode_base64(raw.encode("ascii", "replace")) if isinstance(raw, str) else b""
    data: Any = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _bare(data: bytes) -> bytes:
    """UTF-8 without a byte order mark, which editors and mail programs put before a file."""
    for mark, encoding in BOMS.items():
        if data.startswith(mark):
            return data.decode(encoding, "replace").encode("utf-8", "replace")
    return data


def _text(data: bytes, charset: str | None) -> str:
    for encoding in (charset or "utf-8", "utf-8"):
        try:
            return data.decode(encoding)
        except (LookupError, UnicodeError, ValueError):
            continue
    return data.decode("latin-1")


def split_mbox(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The mails of an mbox, one after the other, from its lines.

    A mail begins at the start or behind an empty line with `From `, a sender and a time; `>From `
    in a mail loses the mark that it was given.
    """
    mail: list[bytes] = []
    size, blank = 0, True
    for line in lines:
        if blank and line.startswith(b"From ") and MBOX_LINE.match(line):
            if mail:
                yield b"".join(mail)
            mail, size = [], 0
        elif size < MAX_MAIL:
            mail.append(line[1:] if line[:1] == b">" and ESCAPED.match(line) else line)
            size += len(line)
        blank = line in BLANK
    if mail:
        yield b"".join(mail)


MAX_MAIL = 64 * 2**20  # bytes of a mail that are read
MBOX_LINE = re.compile(rb"From \S+ .*\d\d?:\d\d")
BLANK = (b"\n", b"\r\n")
ESCAPED = re.compile(rb">+From ")


def is_mbox(start: bytes) -> bool:
    """Whether bytes begin as an mbox does."""
    return bool(MBOX_LINE.match(start))
