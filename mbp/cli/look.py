"""`mbp moves` and `mbp log`: what can be played, and what was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from mbp.cli.session import Session, session_of
from mbp.cli.telling import time_for_people, view_of
from mbp.cli.terminal import clean, columns, to_json, wrapped
from mbp.cli.trees import log_tree, moves_tree
from mbp.desk import Opened
from mbp.errors import KeyringError
from mbp.match.sentences import sentence
from mbp.rules.contract import COLOURS, Line, Span

GAME_FILE = typer.Argument(metavar="FILE", help="A path, game id, or opponent.")
FOR_PROGRAMS = typer.Option("--json", help="For programs.")


def moves(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    as_json: Annotated[bool, FOR_PROGRAMS] = False,
) -> None:
    """List the moves you can play, each in long and short form."""
    session = session_of(ctx)
    opened = session.open(file)
    if opened.seat is None:
        raise KeyringError("your key does not play in this match", hint=f"mbp show {file}")
    found = legal_moves(session, opened)
    if as_json:
        items = [{"long": long, "short": short} for long, short in found]
        session.terminal.put(to_json(moves_tree(opened.match, opened.seat, items)))
    elif found:
        session.terminal.put_lines(_grouped(found, session.terminal.width))
    else:
        view = view_of(session, opened.match, opened.seat, opened.path)
        session.terminal.say(f"no move to choose now: mbp show {view.handle}")


def legal_moves(session: Session, opened: Opened) -> list[tuple[str, str]]:
    """The legal moves of the own seat, long and short; none where it has none to choose."""
    match, seat = opened.match, opened.seat
    if seat is None or match.pen != seat or match.position.duty != "play":
        return []
    state, sight = match.seen(session.desk.secrets(match))
    if state is None:
        return []
    hand = [card for card in sight.get(match.game.hands.get(seat, ""), ()) if card is not None]
    game = match.game
    found = game.legal_moves(state, hand)
    return [(game.format(state, move), game.short(state, move)) for move in found]


def _grouped(found: Sequence[tuple[str, str]], width: int) -> list[Line]:
    """Moves that begin alike (`field 1`) in one block, as many side by side as fit."""
    blocks: dict[str, list[tuple[str, str]]] = {}
    for long, short in found:
        start, rest = _split(long)
        blocks.setdefault(start, []).append((rest, short))
    lines: list[Line] = []
    for start, cells in blocks.items():
        lines.append((Span(start, style="bold"),))
        wide = max(columns(f"{rest} {short}") for rest, short in cells) + 3
        per_line = max(1, (width - 2) // wide)
        for first in range(0, len(cells), per_line):
            line: list[Span] = [Span("  ")]
            for rest, short in cells[first : first + per_line]:
                gap = " " * (wide - columns(f"{rest} {short}"))
                line += [Span(rest + " ", _colour(rest)), Span(short, style="bold"), Span(gap)]
            lines.append(tuple(line))
    return lines


def _split(long: str) -> tuple[str, str]:
    """A move before its colour, and from there on; without a colour, its first word alone."""
    words = long.split()
    places = [number for number, word in enumerate(words) if word in COLOURS]
    place = places[0] if places else 1
    return " ".join(words[:place]), " ".join(words[place:])


def _colour(rest: str) -> int | None:
    word = rest.partition(" ")[0]
    return COLOURS.index(word) if word in COLOURS else None


def log(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    as_json: Annotated[bool, FOR_PROGRAMS] = False,
) -> None:
    """List what happened, entry by entry, in your local time."""
    session = session_of(ctx)
    opened = session.open(file)
    if as_json:
        session.terminal.put(to_json(log_tree(opened.match)))
        return
    terminal = session.terminal
    view = view_of(session, opened.match, opened.seat, opened.path)
    for moment in opened.match.moments:
        entry = moment.entry
        time = time_for_people(session, moment.position.time)
        start = f"{entry.seq:>3}  {time}  "
        text = f"{view.names[entry.by]}: {sentence(moment, view.names)}"
        indent = " " * (len(start) if terminal.width >= 60 else 5)
        terminal.put("\n".join(wrapped(clean(text), terminal.width, start, indent, whole=False)))
        if "note" in entry.tree:
            note = f"“{clean(entry.tree['note'])}”"
            lines = wrapped(note, terminal.width, indent, indent + " ", whole=False)
            terminal.put("\n".join(lines))
