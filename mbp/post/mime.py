"""A mail taken apart: its parts, and the bytes of each without their transfer encoding.

Pure. The parts are found here and not by the library, which makes an object of every line and of
every part, and takes time by the square of a header's length. Here a part costs nothing before it
is asked for, and nothing is copied but what `decoded` hands out. What the library reads are single
headers, cut to a length; what it cannot read is as if it were not there.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import a2b_qp
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message

LONGEST_HEAD = 2**20  # bytes in which the headers have to end
LONGEST_HEADER = 1000  # bytes of one that are read
MOST_FOOTER_LINES = 20  # of words alone, behind a part in base64

MBOX_LINE = re.compile(rb"From .*\n")  # the first line of a mail in an mbox
# The first line that is no header and does not continue one: mostly the empty one.
HEAD_END = re.compile(rb"^(?!From |[\x21-\x39\x3b-\x7e]*:|[ \t])(?:\r?\n)?", re.MULTILINE)
WANTED = re.compile(
    rb"^(content-type|content-transfer-encoding|auto-submitted|precedence|x-autoreply"
    rb"|x-autorespond|return-path|from):(.*(?:\n[ \t].*)*+)",
    re.IGNORECASE | re.MULTILINE,
)
# The first line that is not base64.
FOREIGN = re.compile(rb"^(?![ \t]*[A-Za-z0-9+/]*={0,2}[ \t\r\v\f]*$)", re.MULTILINE)
WHITE = b" \t\r\n\v\f"


@dataclass(frozen=True)
class Part:
    """A mail, or a part of one: the headers that matter, and its body, `data[start:end]`."""

    headers: Message[str, str]
    data: bytes
    start: int
    end: int

    def header(self, name: str) -> str:
        """A header in lower case, empty where it is not there."""
        return str(self.headers.get(name, "")).strip().lower()

    @property
    def kind(self) -> str:
        """Its type: `text/plain` and so on."""
        return _readable(self.headers.get_content_type) or "text/plain"

    @property
    def charset(self) -> str:
        """How it says that its text is encoded, in lower case, or nothing."""
        return _readable(self.headers.get_content_charset)

    @property
    def encoding(self) -> str:
        """Its transfer encoding."""
        return self.header("Content-Transfer-Encoding")

    def children(self) -> Iterator[Part]:
        """The parts inside, one after the other; none where it has no parts."""
        kind = self.kind
        if kind.startswith("multipart/"):
            default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
            for start, end in self._between(_readable(self.headers.get_boundary)):
                yield _part(self.data, start, end, default)
        elif kind.startswith("message/") and self.encoding not in DECODERS:
            yield _part(self.data, self.start, self.end)

    def _between(self, boundary: str) -> Iterator[tuple[int, int]]:
        """Where the parts lie between the lines with the boundary; the last may lack its end."""
        if not boundary:
            return
        name = re.escape(boundary.encode("latin-1", "replace"))
        line = re.compile(rb"\n--" + name + rb"(--)?[ \t]*\r?(?=\n|\Z)")
        start = None
        # The first one may stand in the first line, so from the line end before it.
        for found in line.finditer(self.data, max(0, self.start - 1), self.end):
            if start is not None:
                last = found.start() - self.data.endswith(b"\r", 0, found.start())
                yield start, max(start, last)
            start = min(found.end() + 1, self.end)
            if found[1]:
                return
        if start is not None:
            yield start, self.end

    def decoded(self) -> bytes:
        """The bytes of the body without its transfer encoding."""
        raw = self.data[self.start : self.end]
        decode = DECODERS.get(self.encoding)
        return decode(raw) if decode else raw


def parse_mail(data: bytes) -> Part:
    """The mail, its headers and body apart; a damaged one as far as it goes."""
    if data[:1].isspace():
        data = data.lstrip()
    before = MBOX_LINE.match(data)
    return _part(data, before.end() if before else 0, len(data))


def _part(data: bytes, start: int, end: int, default: str = "text/plain") -> Part:
    last = min(end, start + LONGEST_HEAD)
    found = HEAD_END.search(data, start, last)
    head, body = found.span() if found else (last, last)
    headers: Message[str, str] = Message()
    headers.set_default_type(default)
    for one in WANTED.finditer(data, start, head):
        name = one[1].decode("ascii")
        if name not in headers:
            value = one[2][:LONGEST_HEADER].decode("latin-1")
            headers[name] = " ".join(value.splitlines())
    return Part(headers, data, body, end)


def _readable(read: Callable[[], str | None]) -> str:
    """What the library reads in a header; nothing where it cannot."""
    try:
        return read() or ""
    except Exception:  # noqa: BLE001 - whatever it makes of charsets and numbers that are none
        return ""


def decode_base64(text: bytes) -> bytes:
    """The bytes of a part in base64, up to where something else begins.

    Mailing lists and virus scanners write words behind the last line. Where such a word could be
    base64 too, the padding tells, or the length: lines have four characters for three bytes.
    """
    with suppress(ValueError):  # mostly there is nothing else
        return b64decode(text.translate(None, b"\r\n"), validate=True)
    foreign = FOREIGN.search(text)
    own = text[: foreign.start()] if foreign else text
    joined, padding, _ = own.translate(None, WHITE).partition(b"=")
    if padding:
        joined += b"=" * (-len(joined) % 4)
    for word in reversed(own[-4096:].split()[-MOST_FOOTER_LINES:]):
        if not len(joined) % 4 or not len(word) % 4 or len(word) == len(joined):
            break
        joined = joined[: -len(word)]
    with suppress(ValueError):
        return b64decode(joined[: len(joined) // 4 * 4], validate=True)
    return b""


DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "base64": decode_base64,
    "quoted-printable": a2b_qp,
}
