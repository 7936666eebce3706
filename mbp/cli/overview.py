"""`mbp status`: the games of this home, those to play first."""

from __future__ import annotations

from typing import Annotated

import typer

from mbp.cli.session import Session, session_of
from mbp.cli.telling import View, deadline, outcome_text, span_of_time, view_of
from mbp.cli.terminal import clean, to_json, wrapped
from mbp.cli.trees import status_tree
from mbp.desk import Opened
from mbp.rules.contract import Line, Span


def status(
    ctx: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    as_ics: Annotated[
        bool, typer.Option("--ics", help="Deadlines as a calendar file (iCalendar).")
    ] = False,
) -> None:
    """List your games, those to play first, how long each has waited, and until when it may."""
    session = session_of(ctx)
    found = session.desk.status()
    terminal = session.terminal
    if as_ics:
        from mbp.cli.deadlines import calendar_file

        views = [view_of(session, one.match, one.seat, one.path) for one in found.mine]
        terminal.stdout.write(calendar_file(views))
        return
    if as_json:
        files = [session.shown(opened.path) for opened in found.mine]
        terminal.put(to_json(status_tree(found, files, session.now())))
        return
    sections: dict[str, list[Line]] = {}
    for opened in found.mine:
        view = view_of(session, opened.match, opened.seat, opened.path)
        sections.setdefault(_section(opened), []).extend(_lines(session, view))
    for name in ("your turn", "waiting", "over"):
        if name in sections:
            terminal.put_lines([(Span(name, style="bold"),), *sections[name]])
    for trouble in found.troubles:
        terminal.say(f"cannot read {trouble}")
    if found.others:
        games = "1 game" if found.others == 1 else f"{found.others} games"
        terminal.put(f"{games} of other people")
    if not found.mine:
        terminal.say(f"no games of yours in {session.shown(session.games)}: begin one with mbp new")


def _section(opened: Opened) -> str:
    if opened.match.pen is None:
        return "over"
    return "your turn" if opened.match.pen == opened.seat else "waiting"


def _lines(session: Session, view: View) -> list[Line]:
    """A game: whom it is with, how long it has waited, what can be done."""
    match, position = view.match, view.match.position
    start = f"  {match.id[:8]}  "
    waited = span_of_time(view.now - position.time)
    if match.outcome is not None:
        text = f"{view.rival}: {outcome_text(view, match.outcome)}"
    elif match.pen == view.seat:
        what = f"show {view.handle}" if position.duty == "play" else f"receive {view.path}"
        text = f"{view.rival} has waited {waited}: mbp {what}"
    else:
        text = f"{view.rival} has had it for {waited}"
    lines = [*wrapped(clean(text), session.terminal.width, start, " " * len(start))]
    if told := deadline(session, view):
        lines += wrapped(clean(told), session.terminal.width, " " * len(start), " " * len(start))
    return [(Span(line),) for line in lines]
