"""Builds Patterns positions, plays moves in them, and states P3 a second time, space by space."""

from __future__ import annotations

from mbp.rules.contract import LETTERS, IllegalMoveError, Seat, Step, other
from mbp.rules.patterns import PATTERNS
from mbp.rules.patterns.state import PLACE, SPACES, Side, State, Tile


def tile(text: str) -> Tile:
    """`y` is an open yellow tile, `AK` a black one face down of A, `BG2` one with B's marker 2."""
    if len(text) == 1:
        return Tile(LETTERS.index(text.upper()))
    owner: Seat = "A" if text[0] == "A" else "B"
    return Tile(LETTERS.index(text[1]), owner, int(text[2:] or 0))


def position(
    bowls: str = "KG",
    a: str = "",
    b: str = "",
    **spaces: str,
) -> State:
    """A position with A to move: bowls, rivers of A and B, single tiles, else open yellow ones."""
    tiles = tuple(tile(spaces.get(name, "y")) for name in SPACES)
    rivers = (tuple(LETTERS.index(letter) for letter in river) for river in (a, b))
    one, two = (Side(LETTERS.index(bowl), river) for bowl, river in zip(bowls, rivers, strict=True))
    return State("A", tiles, (one, two))


def play(state: State, *texts: str) -> Step[State]:
    """Plays moves one after the other and returns the last step; no tile may get lost."""
    for text in texts:
        step = PATTERNS.apply(state, PATTERNS.parse(state, text))
        assert step.state.total() == 54  # P1.1
        state = step.state
    return step


def refused(state: State, text: str) -> str:
    """The number of the rule that forbids a move."""
    try:
        PATTERNS.apply(state, PATTERNS.parse(state, text))
    except IllegalMoveError as error:
        return error.rule
    raise AssertionError(f"{text} was allowed")


def offered(state: State) -> set[str]:
    """The legal moves in long form."""
    return {PATTERNS.format(state, move) for move in PATTERNS.legal_moves(state, ())}


def on(state: State, name: str) -> Tile:
    """The tile on a space."""
    return state.tiles[SPACES.index(name)]


# The second statement of P3: names of spaces and words, from the text of the rules.


def neighbours(name: str) -> list[str]:
    """P1.3: the spaces above, below, left and right, as far as the board has them (P1.2)."""
    first = {1: "c", 2: "b", 7: "b", 8: "c"}
    last = {1: "f", 2: "g", 7: "g", 8: "f"}
    column, row = ord(name[0]), int(name[1])
    return [
        f"{chr(x)}{y}"
        for x, y in ((column, row - 1), (column, row + 1), (column - 1, row), (column + 1, row))
        if 1 <= y <= 8 and ord(first.get(y, "a")) <= x <= ord(last.get(y, "h"))
    ]


def touches(state: State, name: str, owner: Seat, colour: int) -> bool:
    """Whether an orthogonal neighbour is a face-down tile of that colour and owner."""
    near = [on(state, one) for one in neighbours(name)]
    return any(one.owner == owner and one.colour == colour for one in near)


def allowed(state: State, seat: Seat) -> set[str]:
    """Every action that P3.1 to P3.3 allow a player, in long form."""
    found: set[str] = set()
    side = state.sides[PLACE[seat]]
    bowl = side.bowl
    assert bowl is not None
    for name in (f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"):
        if name not in SPACES or on(state, name).owner is not None:
            continue
        colour = on(state, name).colour
        if not touches(state, name, other(seat), bowl):
            if bowl not in side.river:
                found.add(f"found {name}")
            elif colour != bowl and touches(state, name, seat, bowl):
                found.add(f"swap {name}")
        safe = not touches(state, name, other(seat), colour)
        if colour in side.river and touches(state, name, seat, colour) and safe:
            found.add(f"flip {name}")
    return found
