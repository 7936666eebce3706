"""What the notations of all games share: colours by word or letter, foreign text in messages."""

from __future__ import annotations

from mbp.rules.contract import COLOURS, LETTERS, Colour, NotationError


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
