"""Mandala's moves as text: the long form of the act (protocol 8) and a short form for people.

Long `mountain 1 red`, `field 2 yellow 3`, `discard purple 2`, `take orange`; short `m1r`, `f2y3`,
`dp2`, `to`. With the option `draw: up_to` the mountain also names its draw:
`mountain 1 red draw 2`, `m1rd2`. Both forms are strict pairs with what reads them. No legality
here: text and shape only, but for a number that a person left out, where only the readings that
are legal are offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from mbp.rules.contract import (
    COLOURS,
    LETTERS,
    NotationError,
)
from mbp.rules.mandala.rules import check
from mbp.rules.mandala.state import PLACE, Discard, Field, Mountain, Move, State, Take
from mbp.rules.text import parse_colour, quoted, the_reading

_NUMBER = "(?:0|[1-9][0-9]{0,2})"
_COLOUR = "|".join(COLOURS)
_LONG = re.compile(
    rf"mountain (?P<m>[12]) (?P<mc>{_COLOUR})(?: draw (?P<draw>{_NUMBER}))?"
    rf"|field (?P<f>[12]) (?P<fc>{_COLOUR}) (?P<fk>{_NUMBER})"
    rf"|discard (?P<dc>{_COLOUR}) (?P<dk>{_NUMBER})"
    rf"|take (?P<tc>{_COLOUR})"
)

# What people type, once it is lower case: loose about spaces and about words or letters.
_LOOSE = re.compile(
    r"(?P<act>mountain|field|discard|take|[mfdt])\s*(?P<mandala>[0-9]{1,3})?\s*"
    rf"(?P<colour>{_COLOUR}|[a-z]+?)\s*(?P<count>[0-9]{{1,3}})?\s*"
    r"(?:(?:draw|d)\s*(?P<draw>[0-9]{1,3}))?"
)
# A beginning without its colour: an act, a mandala perhaps.
_BARE = re.compile(r"(?P<act>mountain|field|discard|take|[mfdt])\s*[0-9]{0,3}")
FORMS = "mountain 1 red, field 2 yellow 3, discard purple 2, take orange (m1r, f2y3, dp2, to)"
_ACTS = {"m": "mountain", "f": "field", "d": "discard", "t": "take"}
_EXAMPLES = {
    "mountain": "mountain 1 red",
    "field": "field 1 red 2",
    "discard": "discard red 2",
    "take": "take red",
}


def format_move(move: Move) -> str:
    """The long form."""
    name = COLOURS[move.colour]
    match move:
        case Mountain(draw=None):
            return f"mountain {move.mandala} {name}"
        case Mountain():
            return f"mountain {move.mandala} {name} draw {move.draw}"
        case Field():
            return f"field {move.mandala} {name} {move.count}"
        case Discard():
            return f"discard {name} {move.count}"
        case Take():
            return f"take {name}"


def short_move(move: Move) -> str:
    """The short form."""
    letter = LETTERS[move.colour].lower()
    match move:
        case Mountain(draw=None):
            return f"m{move.mandala}{letter}"
        case Mountain():
            return f"m{move.mandala}{letter}d{move.draw}"
        case Field():
            return f"f{move.mandala}{letter}{move.count}"
        case Discard():
            return f"d{letter}{move.count}"
        case Take():
            return f"t{letter}"


def parse_long(state: State, text: str) -> Move:
    """Reads the long form exactly as `format_move` writes it. Raises NotationError."""
    found = _LONG.fullmatch(text)
    if found is None:
        raise NotationError(f"{quoted(text)} is not the long form of a move")
    if found["mc"]:
        _same_option(state, text, found["draw"] is not None)
        drawn = None if found["draw"] is None else int(found["draw"])
        return Mountain(int(found["m"]), COLOURS.index(found["mc"]), drawn)
    if found["fc"]:
        return Field(int(found["f"]), COLOURS.index(found["fc"]), int(found["fk"]))
    if found["dc"]:
        return Discard(COLOURS.index(found["dc"]), int(found["dk"]))
    return Take(COLOURS.index(found["tc"]))


def parse(state: State, text: str) -> Move:
    """Reads what a person types: long or short, any case and spaces.

    Raises NotationError; AmbiguousMoveError where a number is left out and several are possible.
    """
    loose = " ".join(text.split()).lower()
    if bare := _BARE.fullmatch(loose):
        example = _EXAMPLES[_ACTS[bare["act"][0]]]
        raise NotationError(f"{quoted(text)} names no colour; say it like {example}")
    found = _LOOSE.fullmatch(loose)
    if found is None or _is_other_word(found):
        raise NotationError(f"{quoted(text)} is no move; moves look like {FORMS}")
    act = _ACTS[found["act"][0]]
    colour = parse_colour(found["colour"])
    _no_extras(act, found, text)
    if act == "take":
        return Take(colour)
    mandalas = [] if act == "discard" else _mandalas(act, found["mandala"])
    if act == "mountain":
        if found["draw"]:
            _same_option(state, text, True)
        draws = _given(found["draw"], range(4)) if state.up_to else [None]
        return _only(state, text, [Mountain(m, colour, n) for m in mandalas for n in draws])
    counts = _given(found["count"], range(1, _hand(state) + 1))
    if act == "field":
        return _only(state, text, [Field(m, colour, n) for m in mandalas for n in counts])
    return _only(state, text, [Discard(colour, n) for n in counts])


def _is_other_word(found: re.Match[str]) -> bool:
    """Whether it is a word that only begins with the letter of an act, such as `first`."""
    word = found["colour"]
    return (
        len(found["act"]) == 1
        and found.start("colour") == 1
        and len(word) > 1
        and (word not in COLOURS)
    )


def _same_option(state: State, text: str, named: bool) -> None:
    """Whether a mountain names its draw follows from the option `draw` alone (protocol 8)."""
    if named and not state.up_to:
        raise NotationError(f"{quoted(text)} names a draw, but this match draws in full")
    if state.up_to and not named:
        raise NotationError(f"{quoted(text)} must name its draw: mountain 1 red draw 3")


def _no_extras(act: str, found: re.Match[str], text: str) -> None:
    """Refuses a number or a draw that the act does not have."""
    if found["mandala"] and act in ("discard", "take"):
        raise NotationError(f"{act} names no mandala, but {quoted(text)} does")
    if found["count"] and act in ("mountain", "take"):
        one = "one card goes to the mountain" if act == "mountain" else "all cards are taken"
        raise NotationError(f"{act} has no number of cards, since {one}: {quoted(text)}")
    if found["draw"] and act != "mountain":
        raise NotationError(f"{act} names no draw, but {quoted(text)} does")


def _mandalas(act: str, number: str | None) -> list[int]:
    if number is None:
        return [1, 2]
    if number not in ("1", "2"):
        raise NotationError(f"there are mandalas 1 and 2, no {act} {number}")
    return [int(number)]


def _given(number: str | None, otherwise: Iterable[int]) -> list[int]:
    return list(otherwise) if number is None else [int(number)]


def _hand(state: State) -> int:
    return 0 if state.mover is None else state.sides[PLACE[state.mover]].hand


def _only(state: State, text: str, readings: list[Move]) -> Move:
    """The one reading, or the one legal one. Raises AmbiguousMoveError, NotationError."""
    if not readings:  # no number of cards is possible, as with an empty hand
        raise NotationError(f"{quoted(text)} leaves a number out, and none is possible now")
    move: Move = the_reading(text, readings, partial(check, state), format_move)
    return move
