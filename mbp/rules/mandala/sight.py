"""What a seat or a stranger sees of a position, as data: for the board and for programs.

Shows what the sight shows and no more; what the sight leaves out is shown as the state, which is
public, counts it.
"""

from __future__ import annotations

from typing import Any

from mbp.rules.contract import COLOURS, SEATS, Colour, Seat, Sight
from mbp.rules.mandala.state import NONE, PLACE, Counts, State, colours_of


def missing_of(areas: tuple[Counts, ...]) -> list[Colour]:
    """The colours that none of the areas has, in order."""
    return [c for c in range(len(COLOURS)) if not any(area[c] for area in areas)]


def seen(state: State, sight: Sight, zone: str) -> tuple[Counts, int]:
    """A zone's open cards by colour and the number of closed ones, as the sight shows them."""
    if zone in sight:
        cards = sight[zone]
        return tuple(cards.count(colour) for colour in range(len(COLOURS))), cards.count(None)
    for number, mandala in enumerate(state.mandalas, 1):
        if zone == f"mountain {number}":
            return mandala.mountain, mandala.closed
    kind, _, seat = zone.partition(" ")
    side = state.sides[0 if seat == "A" else 1]
    return (side.cup, side.closed) if kind == "cup" else (NONE, side.hand)


def points_of(river: tuple[Colour, ...], cup: Counts) -> int:
    """The score of a cup as far as it is seen (M9.1)."""
    return sum(space * cup[colour] for space, colour in enumerate(river, 1))


def tree(state: State, sight: Sight) -> dict[str, Any]:
    """The board for programs: cards by English colour, closed cards as null."""
    choice = state.choice
    return {
        "mandalas": [_mandala_tree(state, sight, number) for number in (1, 2)],
        "seats": {seat: _seat_tree(state, sight, seat) for seat in SEATS},
        "deck": state.deck,
        "discards": _by_name(state.discards),
        "last_stage": state.last_stage,
        "turns": state.turns,
        "choice": None if choice is None else {"mandala": choice.mandala, "chooser": state.mover},
    }


def _mandala_tree(state: State, sight: Sight, number: int) -> dict[str, Any]:
    mandala = state.mandalas[number - 1]
    mountain, closed = seen(state, sight, f"mountain {number}")
    return {
        "mountain": _named(mountain, closed),
        "fields": {seat: _named(mandala.fields[PLACE[seat]], 0) for seat in SEATS},
        "missing": [COLOURS[c] for c in missing_of((mountain, *mandala.fields))],
    }


def _seat_tree(state: State, sight: Sight, seat: Seat) -> dict[str, Any]:
    river = state.sides[PLACE[seat]].river
    cup, closed = seen(state, sight, f"cup {seat}")
    return {
        "hand": _named(*seen(state, sight, f"hand {seat}")),
        "river": [COLOURS[colour] for colour in river],
        "cup": _named(cup, closed),
        "points": points_of(river, cup),
    }


def _named(counts: Counts, closed: int) -> list[str | None]:
    """One item a card: its colour in English, null if it is closed."""
    names: list[str | None] = []
    for colour in colours_of(counts):
        names += [COLOURS[colour]] * counts[colour]
    return names + [None] * closed


def _by_name(counts: Counts) -> dict[str, int]:
    return {COLOURS[colour]: counts[colour] for colour in colours_of(counts)}
