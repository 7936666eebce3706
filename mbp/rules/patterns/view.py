"""Patterns' board for people: every seat sees the same, its own things at the bottom.

Letters tell all without colours: an open tile is a small letter, a face-down one a capital in the
brackets of its owner, `[K]` A's and `(K)` B's, with the claim marker beside it (`[K1]`). A sign
before a small letter says what the player to move can do there. The board is never turned, so
that a space is where its name says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mbp.rules.contract import COLOURS, LETTERS, Line, Seat, Span, other
from mbp.rules.layout import apart, beside, cut, fill, width_of
from mbp.rules.patterns.rules import legal_moves, points
from mbp.rules.patterns.state import NUMBER, PLACE, ROWS, Bowl, Flip, Found, State
from mbp.rules.text import over

_WIDE = 75  # from here on the players stand beside the board: their rivers fit
_WIDER = 100  # from here on the board has more room
_MOST = 120
_GAP = 3
_COLUMNS = "abcdefgh"
_BRACKETS: dict[Seat, tuple[str, str]] = {"A": ("[", "]"), "B": ("(", ")")}
_BOWL_ACTION, _FLIP, _BOTH = "+", "-", "±"


def board(
    state: State, seat: Seat | None, names: Mapping[Seat, str], width: int
) -> tuple[Line, ...]:
    """The board in at most `width` columns: 18 to 20 lines, 10 where it is wide."""
    width = min(width, _MOST)
    below = seat or "A"
    cell = 5 if width >= _WIDER else 4
    grid = _grid(state, cell)
    room = width - (2 + len(_COLUMNS) * cell) - _GAP if width >= _WIDE else width
    above, under = (_player(state, one, names, room) for one in (other(below), below))
    table = _table(state, names, room)
    if width < _WIDE:
        lines: Sequence[Line] = (*above, *grid, *table, *under)
    else:
        pad: list[Line] = [()] * (4 - len(above))  # so that both blocks have ten lines
        lines = beside(grid, (*above, *pad, *table, *pad, *under), _GAP)
    return tuple(_trimmed(line, width) for line in lines)


def _grid(state: State, cell: int) -> tuple[Line, ...]:
    """The 52 spaces with their coordinates, `cell` columns each: ten lines of one width."""
    marks = _marks(state)
    width = 2 + len(_COLUMNS) * cell
    letters: Line = (Span("  " + "".join(f" {c}".ljust(cell) for c in _COLUMNS), style="dim"),)
    rows: list[Line] = []
    for row, columns in enumerate(ROWS, 1):
        spans = [Span(f"{row} ", style="dim")]
        for column in _COLUMNS:
            if column in columns:
                space = NUMBER[f"{column}{row}"]
                spans += fill(_tile(state, space, marks.get(space, " ")), cell)
            else:
                spans.append(Span(" " * cell))
        rows.append(fill(tuple(spans), width))
    return (letters, *rows, letters)


def _tile(state: State, space: int, mark: str) -> Line:
    tile = state.tiles[space]
    letter = LETTERS[tile.colour]
    if tile.owner is None:
        return Span(mark, style="bold"), Span(letter.lower(), tile.colour)
    left, right = _BRACKETS[tile.owner]
    text = f"{letter}{tile.marker or ''}"
    return Span(left), Span(text, tile.colour, "bold"), Span(right)


def _marks(state: State) -> dict[int, str]:
    """The sign of each space where the player to move can do something."""
    marks: dict[int, str] = {}
    for move in legal_moves(state):
        if isinstance(move, Bowl):
            continue
        sign = _FLIP if isinstance(move, Flip) else _BOWL_ACTION
        marks[move.space] = _BOTH if move.space in marks else sign
    return marks


def _player(state: State, seat: Seat, names: Mapping[Seat, str], room: int) -> list[Line]:
    """A player's name and score, bowl and river; the groups' points where there is room."""
    side, number = state.sides[PLACE[seat]], points(state, seat)
    score = f"{number} {'point' if number == 1 else 'points'}"
    mark = "▸ " if state.mover == seat else "  "
    start = f"{mark}{' '.join(_BRACKETS[seat])} "
    name = cut(names.get(seat, seat), room - len(start) - len(score) - 1)
    wide = room >= 54
    bowl = Span("·", style="dim") if side.bowl is None else Span(LETTERS[side.bowl], side.bowl)
    lines = [
        apart((Span(start + name, style="bold"),), (Span(score, style="bold"),), room),
        (Span("  bowl   ", style="dim"), bowl),
        (Span("  river  ", style="dim"), *_river(state, seat, 7 if wide else 5)),
    ]
    return [*lines, _worth(state, seat)] if wide else lines


def _river(state: State, seat: Seat, pitch: int) -> Line:
    """The six spaces with colour and size of each group; a point marks an empty one."""
    side, sizes = state.sides[PLACE[seat]], state.sizes(seat)
    spans: list[Span] = []
    for space in range(len(COLOURS)):
        spans.append(Span(f"{space + 1}:", style="dim"))
        if space < len(side.river):
            colour = side.river[space]
            spans.append(Span(f"{LETTERS[colour]}{sizes[space]}".ljust(pitch - 2), colour))
        else:
            spans.append(Span("·".ljust(pitch - 2), style="dim"))
    return tuple(spans)


def _worth(state: State, seat: Seat) -> Line:
    """What each group scores, below its place in the river (P5.1)."""
    numbers = ((size - 1) * space for space, size in enumerate(state.sizes(seat), 1))
    return (Span("  worth  " + "".join(f"  {number}".ljust(7) for number in numbers), style="dim"),)


def _table(state: State, names: Mapping[Seat, str], room: int) -> tuple[Line, Line]:
    """How far the match is; what the signs mean, or why nobody has a turn."""
    still = sum(tile.owner is None for tile in state.tiles)
    count = f"  action {state.actions} · {still} tiles open"
    return (Span(count),), _trimmed(_remark(state, names, room), room)


def _remark(state: State, names: Mapping[Seat, str], room: int) -> Line:
    if state.mover is None:
        why = over(state.termination or "", {"blocked": "no action is left"})
        return (Span(f"  {why}", style="bold"),)
    if state.left:
        letters = [Span(LETTERS[colour], colour) for colour in state.left]
        name = cut(names.get(state.mover, state.mover), room - 24)
        return (Span(f"  {name} takes a bowl tile: "), letters[0], Span(" or "), letters[1])
    moves = legal_moves(state)
    signs = set(_marks(state).values())
    words = [
        (_BOWL_ACTION, "found" if any(isinstance(move, Found) for move in moves) else "swap"),
        (_FLIP, "flip"),
        (_BOTH, "both"),
    ]
    text = "  ".join(f"{sign} {word}" for sign, word in words if sign in signs)
    return (Span("  " + text, style="dim"),)


def _trimmed(line: Line, width: int) -> Line:
    """The line, cut if it is too long and without white space at its end."""
    if width_of(line) > width:
        line = fill(line, width)
    while line and not line[-1].text.strip():
        line = line[:-1]
    return (*line[:-1], replace(line[-1], text=line[-1].text.rstrip())) if line else line
