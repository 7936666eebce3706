"""Mandala's board as shapes: B above, the two mandalas side by side, A below.

Shows what the sight shows and no more, as `view` does.
"""

from __future__ import annotations

from collections.abc import Mapping

from mbp.rules.contract import COLOURS, LETTERS, SEATS, Seat, Sight
from mbp.rules.layout import cut
from mbp.rules.mandala.sight import missing_of, points_of, seen
from mbp.rules.mandala.state import PLACE, Counts, State, colours_of
from mbp.rules.picture import WIDTH, Frame, Label, Picture, Shape, river_of, row_of, said

_TABLE = 48  # of deck and discards
_SIDE = 102  # height of a player's things
_AREA = 50  # of one area of a mandala
_BOX, _BOX_WIDTH = 3 * _AREA + 26, 206


def picture(state: State, sight: Sight, names: Mapping[Seat, str]) -> Picture:
    """The position as shapes and in words."""
    shapes: list[Shape] = [
        *_player(state, sight, "B", names, 0),
        *_mandala(state, sight, 1, names, 0, _SIDE),
        *_mandala(state, sight, 2, names, WIDTH - _BOX_WIDTH, _SIDE),
        *_table(state, _SIDE + _BOX),
        *_player(state, sight, "A", names, _SIDE + _BOX + _TABLE),
    ]
    words = (
        *(line for number in (1, 2) for line in _mandala_words(state, sight, number)),
        *(line for seat in SEATS for line in _player_words(state, sight, seat, names)),
        f"Discarded: {said(state.discards, 0)}; deck: {state.deck}",
    )
    return Picture(2 * _SIDE + _BOX + _TABLE, tuple(shapes), words)


def _player(
    state: State, sight: Sight, seat: Seat, names: Mapping[Seat, str], y: int
) -> list[Shape]:
    """A player's name and score, river, hand and cup."""
    river = state.sides[PLACE[seat]].river
    mark = "▸ " if state.mover == seat else ""
    ordered = [(colour, str(space)) for space, colour in enumerate(river, 1)]
    return [
        Label(0, y + 15, f"{mark}{seat}  {cut(names[seat], 26)}", "bold"),
        Label(WIDTH, y + 15, _points(state, sight, seat), "bold", right=True),
        Label(0, y + 42, "river", "dim"),
        *river_of(40, y + 24, ordered),
        Label(218, y + 42, "hand", "dim"),
        *row_of(256, y + 24, *seen(state, sight, f"hand {seat}")),
        Label(0, y + 78, "cup", "dim"),
        *row_of(40, y + 60, *seen(state, sight, f"cup {seat}")),
    ]


def _points(state: State, sight: Sight, seat: Seat) -> str:
    cup, closed = seen(state, sight, f"cup {seat}")
    return f"{points_of(state.sides[PLACE[seat]].river, cup)}{'+' if closed else ''} points"


def _mandala(
    state: State, sight: Sight, number: int, names: Mapping[Seat, str], x: int, y: int
) -> list[Shape]:
    """A mandala in its frame: B's field, the mountain, A's field."""
    shapes: list[Shape] = [
        Frame(x, y, _BOX_WIDTH, _BOX),
        Label(x + 6, y + 16, f"mandala {number}", "bold"),
        Label(x + _BOX_WIDTH - 6, y + 16, _corner(state, sight, number), "dim", right=True),
    ]
    areas = _areas(state, sight, number)
    for place, (seat, counts, closed) in enumerate(areas):
        top = y + 22 + place * _AREA
        shown = f"field {seat}  {cut(names[seat], 18)}" if seat else "mountain"
        shapes += [Label(x + 6, top + 11, shown, "dim"), *row_of(x + 6, top + 15, counts, closed)]
    return shapes


def _areas(state: State, sight: Sight, number: int) -> tuple[tuple[Seat | None, Counts, int], ...]:
    """The three areas from the top, the mountain without a seat."""
    fields = state.mandalas[number - 1].fields
    mountain = seen(state, sight, f"mountain {number}")
    return (
        ("B", fields[PLACE["B"]], 0),
        (None, *mountain),
        ("A", fields[PLACE["A"]], 0),
    )


def _corner(state: State, sight: Sight, number: int) -> str:
    """Who takes a colour, or what the mandala still needs."""
    if state.choice is not None and state.choice.mandala == number and state.mover:
        return f"{state.mover} takes"
    counts = tuple(area for _, area, _ in _areas(state, sight, number))
    letters = "".join(LETTERS[colour] for colour in missing_of(counts))
    return f"needs {letters}" if state.mover and letters else ""


def _table(state: State, y: int) -> list[Shape]:
    """Deck, turn and discards, in two lines."""
    stage = " · last stage" if state.last_stage else ""
    pile = " ".join(
        f"{LETTERS[colour]}{state.discards[colour]}" for colour in colours_of(state.discards)
    )
    cards = f"discards {sum(state.discards)}{f': {pile}' if pile else ''}"
    return [
        Label(0, y + 18, f"deck {state.deck} · turn {state.turns}{stage}", "dim"),
        Label(0, y + 36, cards, "dim"),
    ]


def _mandala_words(state: State, sight: Sight, number: int) -> list[str]:
    lines = []
    for seat, counts, closed in _areas(state, sight, number):
        where = f"field of {seat}" if seat else "mountain"
        lines.append(f"Mandala {number}, {where}: {said(counts, closed)}")
    return lines


def _player_words(state: State, sight: Sight, seat: Seat, names: Mapping[Seat, str]) -> list[str]:
    river = state.sides[PLACE[seat]].river
    spaces = [f"{space} {COLOURS[colour]}" for space, colour in enumerate(river, 1)]
    turn = ", to move" if state.mover == seat else ""
    return [
        f"{seat}, {names[seat]}{turn}: {_points(state, sight, seat)}",
        f"{seat}'s river: {', '.join(spaces) or 'none'}",
        f"{seat}'s cup: {said(*seen(state, sight, f'cup {seat}'))}",
        f"{seat}'s hand: {said(*seen(state, sight, f'hand {seat}'))}",
    ]
