"""Text as mail programs leave it, made plain enough to look for a short form in it.

Pure. What is dropped here are marks that no short form has (protocol 13.3): widths of zero, odd
spaces and line ends, markup. Nothing of the text is shown to anybody. Each step takes time and room
by the length of the text alone, whatever stands in it.
"""

from __future__ import annotations

import re
from html import unescape

from mbp.post.limits import MAX_TEXT

# Soft hyphens, zero widths, marks of direction, joiners, the byte order mark in the middle.
INVISIBLE = (
    0xAD, 0x34F, 0x61C, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F),
    *range(0x2060, 0x2070), 0xFEFF,
)  # fmt: skip
SPACES = (0x9, 0xB, 0xC, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
BREAKS = (0xD, 0x85, 0x2028, 0x2029)
PLAIN: dict[int, str | None] = {
    **dict.fromkeys(INVISIBLE, None), **dict.fromkeys(SPACES, " "), **dict.fromkeys(BREAKS, "\n")
}  # fmt: skip

BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
# What mails are written in. Not every codec of the library reads a text in a time by its length.
CHARSETS = re.compile(
    r"utf-?8|(?:us-)?ascii|utf-?(?:16|32)(?:[lb]e)?|iso-?8859-\d{1,2}|latin-?\d|koi8-[rtu]"
    r"|(?:windows-|cp|ibm)\d{3,4}|macintosh|tis-620|gb2312|gbk|gb18030|big5(?:-hkscs)?|euc-(?:jp|kr)"
    r"|shift[_-]jis|iso-2022-(?:jp|kr)|ks_c_5601-1987"
)

TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)?[^<>]*>")
REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
BLOCKS = {"br", "p", "div", "pre", "li", "tr", "td", "th", "blockquote", "table", "h1", "h2", "h3"}
SILENT = {"script", "style", "title"}
LONGEST_HTML = 4 * 2**20  # characters of a page


def plain(text: str) -> str:
    """The text with LF line ends, plain spaces, and nothing that has no width."""
    return text.replace("\r\n", "\n").translate(PLAIN)


def bare(data: bytes) -> bytes:
    """UTF-8 without a byte order mark, which editors and mail programs put before a file.

    Of such a text at most MAX_TEXT bytes are read.
    """
    for mark, encoding in BOMS.items():
        if data.startswith(mark):
            return data[:MAX_TEXT].decode(encoding, "replace").encode("utf-8", "replace")
    return data


def decode(data: bytes, charset: str = "") -> str:
    """The text of at most MAX_TEXT bytes, in that charset if it is one that mails have."""
    start = data[:MAX_TEXT]
    for encoding in (charset if CHARSETS.fullmatch(charset) else "utf-8", "utf-8"):
        try:
            return start.decode(encoding)
        except (LookupError, ValueError):
            continue
    return start.decode("latin-1")


def text_of_html(html: str) -> str:
    """The text of a page of HTML, whatever its state, of at most LONGEST_HTML characters of it.

    Blocks become lines. Not by the library: its parser takes minutes for some pages.
    """
    page = html[:LONGEST_HTML]
    parts: list[str] = []
    silent, place = "", 0
    for tag in TAG.finditer(page):
        if not silent:
            parts.append(page[place : tag.start()])
        place = tag.end()
        name = (tag[2] or "").lower()
        if silent:
            if (tag[1] and name == silent) or name == "body":  # where the end is missing
                silent = ""
        elif name in SILENT and not tag[1]:
            silent = name
        elif name in BLOCKS:
            parts.append("\n")
    if not silent:
        parts.append(page[place:])
    return REFERENCE.sub(lambda one: unescape(one[0]), "".join(parts))
