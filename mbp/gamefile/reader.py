"""Bytes -> tree of strings: the strict subset of YAML (protocol 1 and 10).

YAML is read as a stream of events and never composed, resolved or constructed by the library: what
the subset lacks is refused before anything is built of it. What the tree means is not known here.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from mbp.canonical import Tree
from mbp.errors import FormatError
from mbp.gamefile.tree import TreeBuilder

MAX_SIZE = 4 * 1024 * 1024  # bytes

# All but what YAML calls printable, and also the line breaks that YAML 1.1 knows and YAML 1.2 does
# not (U+0085, U+2028, U+2029): two programs would read two texts.
FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
# A `%` before the document: the library knows two directives and may pass over all others.
DIRECTIVE = re.compile(r"(?:[ \t]*(?:#[^\n\r]*)?[\n\r])*+%")
# libyaml compares each %TAG line with all those before it; this many cost nothing.
MAX_TAG_LINES = 1_000
TAG_LINE = re.compile(rb"[\n\r]%TAG")
# libyaml clears, at each word of a scalar, a buffer as long as the scalar's longest gap so far. The
# product (bytes of the gap times words) is what that costs; this much takes less than a second.
MAX_GAP_COST = 20_000_000_000
PIECE = 256  # bytes handed to the library at a time

LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def read_tree(data: bytes, loader: Any = LOADER) -> Tree:
    """The one document of the bytes as maps, lists and strings. Raises FormatError.

    `loader` is a loader class of the library, the one over libyaml where that is installed.
    """
    _check_text(data)
    feed = _Feed(data)
    builder = TreeBuilder()
    try:
        for event in yaml.parse(feed, Loader=loader):
            feed.mark()
            builder.take(event)
    except yaml.YAMLError as error:
        # An exhausted feed ends too early, which makes an error that is none of the file's.
        if not feed.exhausted:
            raise FormatError(_explain(error)) from None
    except ValueError:
        # The loader in pure Python makes characters of numbers that no character has.
        raise FormatError("not YAML: unknown character") from None
    if feed.exhausted:
        raise FormatError("a scalar with too many words beside too long a gap")
    return builder.finish()


def _check_text(data: bytes) -> None:
    """Refuses what the bytes alone show: size, encoding, characters, directives."""
    if len(data) > MAX_SIZE:
        raise FormatError(f"more than {MAX_SIZE} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"not UTF-8 at byte {error.start}") from None
    if text.startswith("\ufeff"):
        raise FormatError("a byte order mark")
    if found := FORBIDDEN.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise FormatError(f"forbidden character U+{ord(found[0]):04X} in line {line}")
    if DIRECTIVE.match(text) or len(TAG_LINE.findall(data)) > MAX_TAG_LINES:
        raise FormatError("a directive")


def _explain(error: yaml.YAMLError) -> str:
    """The library's reason in one line; of the file's own text it holds nothing unescaped."""
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
    mark = getattr(error, "problem_mark", None)
    where = f" in line {mark.line + 1}" if mark else ""
    return f"not YAML: {reason}{where}"


class _Feed:
    """The bytes in small pieces, which end early once the scalar being read costs too much.

    The library asks for a piece only when it has used up the one before, so the pieces handed out
    since the last event belong to the token that it is reading (or to comments before it).
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0
        self.exhausted = False
        self.mark()

    def mark(self) -> None:
        """Begins a new count: an event has come out."""
        self.gap = self.longest = self.words = 0

    def read(self, size: int = PIECE, /) -> bytes:
        """The next piece, at most `size` bytes, empty at the end."""
        piece = self.data[self.position : self.position + min(size, PIECE)]
        self.position += len(piece)
        if piece.isspace():
            self.gap += len(piece)
        else:
            gap = self.gap + len(piece) - len(piece.lstrip())
            self.longest = max(self.longest, gap)
            self.gap = len(piece) - len(piece.rstrip())
            self.words += len(piece.split())
        if self.words * self.longest > MAX_GAP_COST:
            self.exhausted = True
            return b""
        return piece
