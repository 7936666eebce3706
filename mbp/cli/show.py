"""`mbp show`: the board as its seat may see it, what is new, what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Literal

import typer

from mbp.cli.commands import number
from mbp.cli.session import Session, session_of
from mbp.cli.telling import View, deadline, next_steps, title, view_of
from mbp.cli.terminal import clean, columns, to_json, wrapped
from mbp.cli.trees import show_tree
from mbp.desk import Desk, Opened
from mbp.errors import MbpError
from mbp.keys import fingerprint
from mbp.match.sentences import sentence
from mbp.rules.contract import SEATS, Line, Seat, Sight, Span, State

FEWEST, MOST = 2, 6  # moves above the board


def show(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A path, game id, or opponent.")],
    at: Annotated[
        str | None, typer.Option(metavar="SEQ", help="As it stood behind that entry.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(metavar="A|B", help="As that seat may see it; of others, what is public."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show the board, what is new, and what to do next."""
    session = session_of(ctx)
    opened = session.open(file)
    match, asked = opened.match, _seat(seat)
    seq = None if at is None else number(at, "--at", 0, len(match.log) - 1)
    shown = match if seq is None else match.at(seq)
    state, sight = shown.seen(secrets_for(session.desk, opened, asked))
    if as_json:
        session.terminal.put(to_json(show_tree(shown, state, sight)))
        return
    view = view_of(session, shown, opened.seat, opened.path)
    new = range(opened.looked + 1, len(match.log)) if opened.looked >= 0 and seq is None else ()
    width = session.terminal.width
    lines = [*_head(view, seq, width), *moves_made(view, width, new)]
    lines += _board(session, view, state, sight, asked or opened.seat)
    session.terminal.put_lines(lines)
    if seq is None:
        _end(session, opened, view)
        if asked in (None, opened.seat):
            with suppress(MbpError):  # a home that cannot be written still shows its games
                session.desk.mark_looked(opened)


def _seat(text: str | None) -> Seat | None:
    if text is None:
        return None
    for seat in SEATS:
        if text.upper() == seat:
            return seat
    raise typer.BadParameter(f"{text!r} is no seat: A or B", param_hint="--seat")


def _end(session: Session, opened: Opened, view: View) -> None:
    """Whose turn it is, and what to do next."""
    steps = next_steps(view, looked=True)
    since = opened.match.position.claimable_after
    waits = opened.match.pen == view.seat or (since is not None and view.now <= since)
    if waits and not view.halted.why:
        steps += filter(None, [deadline(session, view)])  # a claim that is possible was told
    session.terminal.put_lines(_footer(steps, session.terminal.width))


def secrets_for(desk: Desk, opened: Opened, seat: Seat | None) -> Mapping[Seat, int]:
    """The card secrets with which a seat is shown: the own one only to the own seat."""
    if seat is not None and seat != opened.seat:
        return opened.match.disclosed_secrets()
    return desk.secrets(opened.match)


def _head(view: View, at: int | None, width: int) -> list[Line]:
    text = title(view) if at is None else f"{title(view)}  after entry {at}"
    return [(Span(line, style="bold"),) for line in wrapped(text, width, "", "  ", whole=False)]


def moves_made(view: View, width: int, new: range | tuple[()]) -> list[Line]:
    """The last moves with their notes, those that are new to the one who looks marked."""
    match = view.match
    moments = match.moments[-min(max(FEWEST, len(new)), MOST) :]
    left = len(new) - len(moments)
    lines: list[Line] = []
    if left > 0:
        lines.append((Span(f"  {left} more new: mbp log {view.handle}", style="dim"),))
    for moment in moments:
        seq = int(moment.entry.seq)
        fresh = seq in new and moment.entry.by != view.seat
        start = f"{'*' if fresh else ' '}{seq:>4} "
        text = f"{view.who(moment.entry.by)}: {sentence(moment, view.names)}"
        style: Literal["bold", ""] = "bold" if fresh else ""
        for line in wrapped(clean(text), width, start, " " * len(start), whole=False):
            lines.append((Span(line, style=style),))
        note = moment.entry.tree.get("note")
        if note:
            for line in wrapped(f"“{clean(note)}”", width, " " * 6, " " * 7, whole=False):
                lines.append((Span(line, style=style),))
    return lines


def _board(
    session: Session, view: View, state: State | None, sight: Sight, below: Seat | None
) -> list[Line]:
    """The board; before play begins, who invites whom to what."""
    width = session.terminal.width
    if state is not None:
        lines = view.match.game.board(state, sight, below, _short_names(view), width)
        return [(), *lines, ()]
    return [(), *((Span(text),) for text in invitation_lines(view, width)), ()]


def _short_names(view: View) -> dict[Seat, str]:
    """Names that leave room for the rest of a line."""
    found: dict[Seat, str] = {}
    for seat, name in view.names.items():
        while columns(name) > 24:
            name = name[:-2] + "…"
        found[seat] = name
    return found


def invitation_lines(view: View, width: int) -> list[str]:
    """Options of a match, and the fingerprints of its players."""
    options = view.match.position.options
    chosen = ", ".join(f"{name} {value}" for name, value in options.items())
    lines = [*wrapped(chosen, width, "  options  ", " " * 11)]
    for seat, player in view.match.players.items():
        found = fingerprint(player.key)
        lines += wrapped(f"{view.names[seat]}  {found.hex}", width, f"  {seat}  ", " " * 5)
    return lines


def _footer(steps: list[str], width: int) -> list[Line]:
    lines: list[Line] = []
    for place, step in enumerate(steps):
        text = step[:1].upper() + step[1:] if not step.startswith("mbp") else step
        for line in wrapped(clean(text), width, "", "  ", whole=True):
            lines.append((Span(line, style="" if place else "bold"),))
    return lines
