"""Lines of spans side by side, in boxes, cut and filled to a width: no game in here, no terminal.

Widths are columns of a terminal: most characters take one, East Asian wide ones two, combining
marks none. Invariant: a line that is filled or boxed has exactly the width asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from unicodedata import category, combining, east_asian_width

from mbp.rules.contract import Line, Span


def columns(text: str) -> int:
    """The columns that a text takes."""
    return sum(_columns(letter) for letter in text)


def _columns(letter: str) -> int:
    if combining(letter) or category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def width_of(line: Line) -> int:
    """The columns that a line takes."""
    return sum(columns(span.text) for span in line)


def cut(text: str, width: int) -> str:
    """The text, or as much of it as leaves room for an ellipsis."""
    if columns(text) <= width:
        return text
    kept, left = "", width - 1
    for letter in text:
        left -= _columns(letter)
        if left < 0:
            break
        kept += letter
    return kept + "…" if width > 0 else ""


def fill(line: Line, width: int, filler: str = " ") -> Line:
    """The line, cut or filled to exactly this width."""
    room = width - width_of(line)
    if room == 0:
        return line
    if room > 0:
        return (*line, Span(filler * room, style="" if filler == " " else "dim"))
    kept: list[Span] = []
    left = width
    for span in line:
        kept.append(replace(span, text=cut(span.text, left)))
        left -= columns(span.text)
        if left <= 0:
            break
    return fill(tuple(kept), width)  # a wide character may have left one column


def apart(left: Line, right: Line, width: int, filler: str = " ") -> Line:
    """Left and right part of a line at the edges of this width; the left part gives way."""
    return (*fill(left, width - width_of(right), filler), *right)


def boxed(title: Line, corner: Line, lines: Sequence[Line], width: int) -> tuple[Line, ...]:
    """Lines in a frame, with a title at the left of its upper edge and a word at the right."""
    right = (Span(" "), *corner, Span(" ")) if corner else ()
    edge = apart((*title, Span(" ")), right, width - 5, "─")
    return (
        (_dim("╭─ "), *edge, _dim("─╮")),
        *((_dim("│ "), *fill(line, width - 4), _dim(" │")) for line in lines),
        (_dim("╰" + "─" * (width - 2) + "╯"),),
    )


def beside(left: Sequence[Line], right: Sequence[Line], gap: int) -> tuple[Line, ...]:
    """Two blocks of as many lines next to each other."""
    return tuple((*one, Span(" " * gap), *two) for one, two in zip(left, right, strict=True))


def _dim(text: str) -> Span:
    return Span(text, style="dim")
