"""Mandala's board for people, and its events in words.

A view shows what the sight shows and no more: a card that the sight does not open is a `?`, and a
score that such a card could raise has a `+`. The seat that looks is at the bottom, the opponent at
the top, and each field lies on its player's side of the mountain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mbp.rules.contract import (
    COLOURS,
    LETTERS,
    SEATS,
    Colour,
    Drawn,
    Event,
    Happened,
    Line,
    Moved,
    Seat,
    Shuffled,
    Sight,
    Span,
    other,
)
from mbp.rules.layout import apart, beside, boxed, columns, cut, fill, width_of
from mbp.rules.mandala.sight import missing_of, points_of, seen
from mbp.rules.mandala.state import DISCARDS, NONE, PLACE, Counts, State
from mbp.rules.text import named, over, told

_WIDE = 72  # from here on the mandalas lie side by side
_MOST = 120
_OVER = {
    "river": "six colours in a river",
    "last_mandala": "the last mandala is gone",
    "deck": "the deck is used up",
    "turn_limit": "the last turn is played",
}


def board(
    state: State, sight: Sight, seat: Seat | None, names: Mapping[Seat, str], width: int
) -> tuple[Line, ...]:
    """The board in at most `width` columns: 19 to 20 lines, 12 to 13 where it is wide."""
    width = min(width, _MOST)
    below = seat or "A"
    above = other(below)
    wide = width >= _WIDE
    size = (width - 2) // 2 if wide else width
    one, two = (_mandala(state, sight, number, below, names, size) for number in (1, 2))
    lines = (
        *_player(state, sight, above, names, width),
        *(beside(one, two, width - 2 * size) if wide else (*one, *two)),
        *_table(state, width),
        *_player(state, sight, below, names, width),
    )
    return tuple(_trimmed(line, width) for line in lines)


def _player(
    state: State, sight: Sight, seat: Seat, names: Mapping[Seat, str], width: int
) -> tuple[Line, ...]:
    """A player's name and score, river, cup and hand."""
    side = state.sides[PLACE[seat]]
    cup, closed = seen(state, sight, f"cup {seat}")
    points = points_of(side.river, cup)
    score = f"{points}{'+' if closed else ''} {'point' if points == 1 and not closed else 'points'}"
    mark = "▸ " if state.mover == seat else "  "
    name = Span(cut(names.get(seat, seat), width - len(score) - 5), style="bold")
    header = apart((Span(mark, style="bold"), name), (Span(score, style="bold"),), width)
    order = [*side.river, *(c for c in range(len(COLOURS)) if c not in side.river)]
    river = _row("river", _river(side.river), 9)
    hand = _row("hand", _hand(state, sight, seat, width - 9), 9)
    if width < _WIDE:
        return header, river, _row("cup", _cards(cup, closed, width - 9, order), 9), hand
    left = max((width - 2) // 2, width_of(river))
    room = width - left - 2
    right = _row("cup", _cards(cup, closed, room - 5, order), 5)
    return header, (*fill(river, left), Span("  "), *right), hand


def _row(label: str, line: Line, indent: int) -> Line:
    return (Span(("  " + label if indent > 5 else label).ljust(indent), style="dim"), *line)


def _river(river: tuple[Colour, ...]) -> Line:
    """The six spaces with their values; a point marks an empty one (M1.3)."""
    spans: list[Span] = []
    for space in range(len(COLOURS)):
        spans.append(Span(f"{'  ' if space else ''}{space + 1} ", style="dim"))
        empty = space >= len(river)
        spans.append(Span("·", style="dim") if empty else _letters(river[space], 1))
    return tuple(spans)


def _hand(state: State, sight: Sight, seat: Seat, room: int) -> Line:
    counts, closed = seen(state, sight, f"hand {seat}")
    if counts == NONE:
        return (Span(f"{closed} {'card' if closed == 1 else 'cards'}", style="dim"),)
    return _cards(counts, closed, room)


def _mandala(
    state: State, sight: Sight, number: int, below: Seat, names: Mapping[Seat, str], width: int
) -> tuple[Line, ...]:
    """A mandala in its frame: field, mountain, field, and the colours that it still needs."""
    mandala = state.mandalas[number - 1]
    mountain, closed = seen(state, sight, f"mountain {number}")
    field = {seat: mandala.fields[PLACE[seat]] for seat in SEATS}
    rows: list[tuple[str, Counts, int]] = [
        (names.get(other(below), other(below)), field[other(below)], 0),
        ("mountain", mountain, closed),
        (names.get(below, below), field[below], 0),
    ]
    lines = [_area(label, counts, shut, width - 4) for label, counts, shut in rows]
    choice = state.choice
    if choice is not None and choice.mandala == number and state.mover is not None:
        name = cut(names.get(state.mover, state.mover), width - 26)
        corner: Line = (Span(f"{name} takes", style="bold"),)
    else:
        letters = [_letters(colour, 1) for colour in missing_of((mountain, *mandala.fields))]
        corner = (Span("needs ", style="dim"), *_spaced(letters)) if state.mover else ()
    return boxed((Span(f"mandala {number}", style="bold"),), corner, lines, width)


def _area(label: str, counts: Counts, closed: int, width: int) -> Line:
    """One area of a mandala: whose, its cards, their number."""
    size = sum(counts) + closed
    number = Span(f"{size:3}" if size else "  ·", style="dim")
    indent = min(max(width // 4, 10), 16)
    name = cut(label, indent - 1)
    start = Span(name + " " * (indent - columns(name)), style="dim")
    return apart((start, *_cards(counts, closed, width - indent - 3)), (number,), width)


def _table(state: State, width: int) -> tuple[Line, ...]:
    """Deck, discard pile and turn, and what ends the game."""
    counts = f"  deck {state.deck} · discards {sum(state.discards)} · turn {state.turns}"
    line: Line = (Span(counts),)
    if width >= _WIDE and any(state.discards):
        pile = _cards(state.discards, 0, 0)
        head, _, tail = counts.partition(" · turn")
        line = (Span(head + " ("), *pile, Span(f") · turn{tail}"))
    remark = _remark(state)
    if not remark:
        return (line,)
    end: Line = (Span("  " + remark, style="bold"),)
    if width_of(line) + width_of(end) <= width:
        return (apart(line, end, width),)
    return line, end


def _remark(state: State) -> str:
    if state.termination is not None:
        return over(state.termination, _OVER)
    return "last stage: the next mandala ends it" if state.last_stage else ""


def _cards(counts: Counts, closed: int, room: int, order: Iterable[Colour] = range(6)) -> Line:
    """Cards by colour, one letter each; a letter and a number each where room is short."""
    colours = [colour for colour in order if counts[colour]]
    spelled = sum(counts) + closed + len(colours) - (0 if closed else 1)
    if spelled <= room:
        spans = [_letters(colour, counts[colour]) for colour in colours]
        closed_span = Span("?" * closed, style="dim")
    else:
        spans = [Span(f"{LETTERS[colour]}{counts[colour]}", colour) for colour in colours]
        closed_span = Span(f"?{closed}", style="dim")
    return _spaced([*spans, closed_span] if closed else spans)


def _letters(colour: Colour, number: int) -> Span:
    return Span(LETTERS[colour] * number, colour)


def _spaced(spans: list[Span]) -> Line:
    line: list[Span] = []
    for place, span in enumerate(spans):
        line += [Span(" "), span] if place else [span]
    return tuple(line)


def _trimmed(line: Line, width: int) -> Line:
    """The line, cut if it is too long and without white space at its end."""
    if width_of(line) > width:
        line = fill(line, width)
    while line and not line[-1].text.strip():
        line = line[:-1]
    return line


def tell(event: Event, seat: Seat, names: Mapping[Seat, str]) -> str | None:
    """An event of a move by `seat` in a few words; None where the move itself says it all."""
    match event:
        case Happened():
            return told(event, names)
        case Shuffled():
            return f"{event.count} discards become the new deck"
        case Drawn():
            kind, _, which = event.zone.partition(" ")
            if kind == "mountain":
                return f"{event.count} new on mountain {which}"
            return f"draws {event.count}"
        case Moved():
            return _tell_moved(event, seat, names)


def _tell_moved(event: Moved, seat: Seat, names: Mapping[Seat, str]) -> str | None:
    if event.source.startswith("hand"):
        return None  # the move says it
    if event.colour is None:
        return f"{event.source} discarded" if event.source.startswith("mountain") else None
    cards = f"{event.count} {COLOURS[event.colour]}"
    if event.target == DISCARDS:
        return f"{cards} discarded"
    kind, _, owner = event.target.partition(" ")
    whose = "the" if owner == seat else f"{named(names, owner)}'s"
    return f"{cards} to {whose} {kind}"
