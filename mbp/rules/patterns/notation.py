"""Patterns' moves as text: the long form of the act (protocol 8) and a short form for people.

Long `bowl green`, `found c4`, `swap c4`, `flip c4`; short `bg`, `foc4`, `sc4`, `flc4`. Both are
strict pairs with what reads them. People may leave out the word, or write its beginning: `c4` and
`f c4` are taken where one reading of them is legal now. Otherwise no legality here: text and shape
only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from mbp.rules.contract import (
    COLOURS,
    LETTERS,
    NotationError,
)
from mbp.rules.patterns.rules import check
from mbp.rules.patterns.state import (
    NUMBER,
    ROWS,
    SPACES,
    Action,
    Bowl,
    Flip,
    Found,
    Move,
    State,
    Swap,
)
from mbp.rules.text import parse_colour, quoted, the_reading

_ACTS: dict[str, type[Action]] = {"found": Found, "swap": Swap, "flip": Flip}
_WORDS = {kind: word for word, kind in _ACTS.items()}
_SHORT = {Found: "fo", Swap: "s", Flip: "fl"}

_LONG = re.compile(
    rf"bowl (?P<colour>{'|'.join(COLOURS)})|(?P<act>{'|'.join(_ACTS)}) (?P<space>[a-h][1-8])"
)

# What people type, once it is lower case: loose about spaces and about words or their beginnings.
_ON_SPACE = re.compile(r"(?P<word>[a-z]*?)\s*(?P<space>[a-z][0-9]{1,2})")
_OF_BOWL = re.compile(rf"(?:(?:bowl|b)\s*)?(?P<colour>{'|'.join(COLOURS)}|[a-z])")
FORMS = "bowl green, found c4, swap c4, flip c4 (bg, foc4, sc4, flc4, or c4 alone)"


def format_move(move: Move) -> str:
    """The long form."""
    if isinstance(move, Bowl):
        return f"bowl {COLOURS[move.colour]}"
    return f"{_WORDS[type(move)]} {SPACES[move.space]}"


def short_move(move: Move) -> str:
    """The short form."""
    if isinstance(move, Bowl):
        return f"b{LETTERS[move.colour].lower()}"
    return f"{_SHORT[type(move)]}{SPACES[move.space]}"


def parse_long(text: str) -> Move:
    """Reads the long form exactly as `format_move` writes it. Raises NotationError."""
    found = _LONG.fullmatch(text)
    if found is None:
        raise NotationError(f"{quoted(text)} is not the long form of a move")
    if found["colour"]:
        return Bowl(COLOURS.index(found["colour"]))
    return _ACTS[found["act"]](_space(found["space"]))


def parse(state: State, text: str) -> Move:
    """Reads what a person types: long or short, any case and spaces.

    Raises NotationError; AmbiguousMoveError where a word is left out and several are possible.
    """
    loose = " ".join(text.split()).lower()
    if loose in ("bowl", "found", "swap", "flip"):
        missing = "colour; say it like bowl green" if loose == "bowl" else f"space; {loose} c4 does"
        raise NotationError(f"{quoted(text)} names no {missing}")
    if found := _OF_BOWL.fullmatch(loose):
        return Bowl(parse_colour(found["colour"]))
    found = _ON_SPACE.fullmatch(loose)
    kinds = [kind for word, kind in _ACTS.items() if found and word.startswith(found["word"])]
    if found is None or not kinds:
        raise NotationError(f"{quoted(text)} is no move; moves look like {FORMS}")
    space = _space(found["space"])
    return _only(state, text, [kind(space) for kind in kinds])


def _space(name: str) -> int:
    """The space of that name. Raises NotationError."""
    if name in NUMBER:
        return NUMBER[name]
    row = name[1:]
    if row in map(str, range(1, len(ROWS) + 1)):
        columns = ROWS[int(row) - 1]
        raise NotationError(f"{name} is no space: row {row} has {columns[0]} to {columns[-1]}")
    raise NotationError(f"{name} is no space: the rows are 1 to {len(ROWS)}")


def _only(state: State, text: str, readings: Sequence[Action]) -> Move:
    """The one reading, or the one legal one. Raises AmbiguousMoveError, NotationError."""
    move: Move = the_reading(text, readings, partial(check, state), format_move)
    return move
