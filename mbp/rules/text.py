"""What the notations of all games share: colours, readings of a text, foreign text in messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import Any

from mbp.rules.contract import (
    COLOURS,
    LETTERS,
    AmbiguousMoveError,
    Colour,
    Happened,
    IllegalMoveError,
    NotationError,
    Seat,
)


def quoted(text: str) -> str:
    """A foreign text for a message: quoted, its control characters escaped, not too long."""
    return ascii(text if len(text) <= 60 else text[:60] + "...")


def parse_colour(word: str) -> Colour:
    """Reads a colour in lower case, its English word or its letter. Raises NotationError."""
    if word in COLOURS:
        return COLOURS.index(word)
    if len(word) == 1 and word.upper() in LETTERS:
        return LETTERS.index(word.upper())
    letters = ", ".join(f"{a} {name}" for a, name in zip(LETTERS, COLOURS, strict=True))
    if word in ("b", "bl", "bk"):
        raise NotationError(f"{word!r} is no colour: black is K; the letters are {letters}")
    raise NotationError(f"{quoted(word)} is no colour; the letters are {letters}")


def the_reading(
    text: str, readings: Sequence[Any], check: Callable[[Any], object], say: Callable[[Any], str]
) -> Any:
    """The one reading of a text, or the one legal one; `check` raises IllegalMoveError.

    Raises AmbiguousMoveError, naming each by `say`, and NotationError where none is legal.
    """
    if len(readings) == 1:
        return readings[0]
    objections = [_objection(check, move) for move in readings]
    legal = [move for move, why in zip(readings, objections, strict=True) if not why]
    if len(legal) == 1:
        return legal[0]
    if legal:
        raise AmbiguousMoveError(text, [say(move) for move in legal])
    first = getattr(readings[0], "count", None)  # what forbids one card forbids several
    same = [getattr(move, "count", None) == first for move in readings]
    reasons = "; ".join(dict.fromkeys(compress(objections, same)))
    raise NotationError(f"no reading of {quoted(text)} is legal now: {reasons}")


def _objection(check: Callable[[Any], object], move: Any) -> str:
    """Why a move is not legal, empty if it is."""
    try:
        check(move)
    except IllegalMoveError as error:
        return str(error)
    return ""


def named(names: Mapping[Seat, str], seat: str) -> str:
    """A player's name, the seat itself where it has none yet."""
    return next((name for one, name in names.items() if one == seat), seat)


LEFT = {"resign": "a player resigned", "abort": "by agreement", "claim": "by a claim"}


def over(termination: str, ends: Mapping[str, str]) -> str:
    """Why play is over: by one of the game's own `ends`, or because a player left (protocol 9)."""
    return f"play is over: {ends.get(termination) or LEFT.get(termination, termination)}"


def told(event: Happened, names: Mapping[Seat, str]) -> str:
    """What happened, with the name of the player whom it is about."""
    return event.text if event.seat is None else f"{named(names, event.seat)} {event.text}"
