"""Text as mail programs leave it, made plain enough to look for a short form in it.

Pure. What is dropped here are marks that no short form has (protocol 13.3): widths of zero, odd
spaces and line ends, markup. Nothing of the text is shown to anybody.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

# Soft hyphens, zero widths, marks of direction, joiners, the byte order mark in the middle.
INVISIBLE = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
SPACES = re.compile("[\t\x0b\x0c\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
BREAKS = re.compile("\r\n?|[\u0085\u2028\u2029]")

BLOCKS = {"br", "p", "div", "pre", "li", "tr", "td", "th", "blockquote", "table", "h1", "h2", "h3"}
LONGEST_HTML = 2**20
SILENT = {"script", "style", "head", "title"}


def plain(text: str) -> str:
    """The text with LF line ends, plain spaces, and nothing that has no width."""
    return SPACES.sub(" ", INVISIBLE.sub("", BREAKS.sub("\n", text)))


class _Stripper(HTMLParser):
    """Collects the text between tags; blocks become lines."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self.silent += 1
        elif tag in BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in SILENT:
            self.silent = max(0, self.silent - 1)
        elif tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.parts.append(data)


def text_of_html(html: str) -> str:
    """The text of a page of HTML, whatever its state, of at most LONGEST_HTML characters of it."""
    stripper = _Stripper()
    stripper.feed(html[:LONGEST_HTML])
    stripper.close()
    return "".join(stripper.parts)
