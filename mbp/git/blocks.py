"""Lines of mbp's own between two marks in a file of somebody else's. Pure.

Put in and taken out again, the file is what it was, byte for byte: what cannot be seen afterwards,
that the file was there without any line, or that its last line had no end, stands in the mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

FIRST, LAST = "# mbp: begin", "# mbp: end"
WAS_THERE, NO_END = " (the file was here before)", " (the line above had no end)"
ENDS = "\r\n"
LINE = re.compile(r"[^\n]*\n|[^\n]+")


def with_block(
    text: str | None, block: Sequence[str], *, bare: str = "", behind_first: bool = False
) -> str:
    """The text of a file (None: there is none) with these lines, without ends, between the marks.

    Lines that are there already are replaced; the same ones stay, with whatever ends they have. A
    new file begins with `bare`. With `behind_first` they come behind the first line, else last.
    """
    lines = LINE.findall(bare if text is None else text)
    places = _places(lines)
    if places:
        start, end = places[0]
        if len(places) == 1 and [one.rstrip(ENDS) for one in lines[start + 1 : end - 1]] == [
            *block
        ]:
            return "".join(lines)
        note = lines[start].rstrip(ENDS).removeprefix(FIRST)
        behind = _without(lines[end:], _places(lines[end:]))
        return "".join([*lines[:start], *_marked(block, note), *behind])
    note = WAS_THERE if text in ("", bare) else ""
    head, rest = (lines[:1], lines[1:]) if behind_first else (lines, [])
    if head and not head[-1].endswith("\n"):
        head, note = [*head[:-1], head[-1] + "\n"], NO_END
    return "".join([*head, *_marked(block, note), *rest])


def without_block(text: str, *, bare: str = "") -> str | None:
    """The text without what stands between marks; None where the file was not there before."""
    lines = LINE.findall(text)
    places = _places(lines)
    if not places:
        return text
    notes = [lines[start] for start, _ in places]
    left = "".join(_without(lines, places))
    return None if left in ("", bare) and not any(WAS_THERE in note for note in notes) else left


def has_block(text: str) -> bool:
    """Whether there are lines of mbp's."""
    return bool(_places(LINE.findall(text)))


def _marked(block: Sequence[str], note: str) -> list[str]:
    return [f"{one}\n" for one in (f"{FIRST}{note}", *block, LAST)]


def _places(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Where the marked lines begin, and where they are over."""
    bare = [line.rstrip(ENDS) for line in lines]
    found, place = [], 0
    while place < len(bare):
        if bare[place] in (FIRST, FIRST + WAS_THERE, FIRST + NO_END) and LAST in bare[place:]:
            end = bare.index(LAST, place) + 1
            found.append((place, end))
            place = end
        else:
            place += 1
    return found


def _without(lines: Sequence[str], places: Sequence[tuple[int, int]]) -> list[str]:
    left: list[str] = []
    begin = 0
    for start, end in places:
        left += lines[begin:start]
        first = lines[start]
        if first.rstrip(ENDS).endswith(NO_END) and left:
            left[-1] = left[-1].removesuffix("\r\n" if first.endswith("\r\n") else "\n")
        begin = end
    return [*left, *lines[begin:]]
