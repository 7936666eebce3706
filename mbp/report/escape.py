"""Foreign text on its way into pages and tables.

Invariant: what comes out of `markup` cannot end an element or an attribute, what comes out of
`cell` is no formula for a spreadsheet, and nothing has controls, bidi overrides or line ends.
"""

from __future__ import annotations

import json
import unicodedata
from html import escape
from typing import Any

# Controls, formats (bidi, zero width), halves of surrogates, separators of lines and paragraphs.
BARRED = {"Cc", "Cf", "Cs", "Zl", "Zp"}
FORMULA = ("=", "+", "-", "@", "\u2212")


def plain(text: str) -> str:
    """The text with U+FFFD for everything that a reader's program might obey or XML cannot hold."""
    if text.isascii() and text.isprintable():
        return text
    return "".join("\ufffd" if _barred(letter) else letter for letter in text)


def _barred(letter: str) -> bool:
    return unicodedata.category(letter) in BARRED or ord(letter) & 0xFFFE == 0xFFFE


def markup(text: str) -> str:
    """Foreign text between tags or in a quoted attribute."""
    return escape(plain(text), quote=True)


def data(tree: Any) -> str:
    """JSON for a data block of a page: no `<`, so that no text in it ends the block."""
    text = json.dumps(tree, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def cell(text: str) -> str:
    """Foreign text in a table that a spreadsheet may open: a formula becomes a text.

    Some spreadsheets begin a new cell at a semicolon, and take wide signs for the narrow ones.
    """
    return ";".join(map(_disarmed, plain(text).split(";")))


def _disarmed(text: str) -> str:
    bare = unicodedata.normalize("NFKC", text).lstrip()
    return f"'{text}" if bare.startswith(FORMULA) else text
