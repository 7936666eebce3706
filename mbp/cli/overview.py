"""`mbp status`: the games of this home, those to play first."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from mbp.cli.session import Session, session_of
from mbp.cli.telling import View, deadline, halted_words, outcome_text, span_of_time, view_of
from mbp.cli.terminal import clean, to_json, wrapped
from mbp.cli.trees import status_tree
from mbp.desk import Status
from mbp.rules.contract import Line, Span

HALTED, UNSURE, INVITED = "two histories", "not the newest state", "invitations"


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
    mine, invitations = (
        [view_of(session, one.match, one.seat, one.path) for one in games]
        for games in (found.mine, found.invitations)
    )
    if as_ics:
        from mbp.cli.deadlines import calendar_file

        terminal.stdout.write(calendar_file(mine))
        _tell_troubles(session, found)
        return
    if as_json:
        files, halts = [view.path for view in mine], [view.halted.why for view in mine]
        terminal.put(to_json(status_tree(found, files, halts, session.now())))
        return
    sections: dict[str, list[Line]] = {}
    for view in (*mine, *invitations):
        sections.setdefault(_section(view), []).extend(_lines(session, view))
    for name in (HALTED, UNSURE, "your turn", INVITED, "waiting", "over"):
        if name in sections:
            terminal.put_lines([(Span(name, style="bold"),), *sections[name]])
    _tell_troubles(session, found)
    if others := found.others - len(found.invitations):
        terminal.put(f"{'1 game' if others == 1 else f'{others} games'} of other people")
    if not sections:
        terminal.say(f"no games of yours in {session.shown(session.games)}: begin one with mbp new")


def _tell_troubles(session: Session, found: Status) -> None:
    for trouble in found.troubles:
        session.terminal.say(f"cannot read {trouble}")


def _section(view: View) -> str:
    if view.match.outcome is not None or view.match.pen is None:
        return "over"
    if view.seat is None:
        return INVITED
    if view.halted.why:
        return UNSURE if view.halted.why == "early" else HALTED
    return "your turn" if view.match.pen == view.seat else "waiting"


def _lines(session: Session, view: View) -> list[Line]:
    """A game: which, whom it is with, how long it has waited, what can be done."""
    width, start = session.terminal.width, f"  {view.match.id[:8]}  "
    indent = " " * len(start)
    lines = [*wrapped(clean(_told(view)), width, start, indent, whole=True)]
    told = "" if view.halted.why else deadline(session, view)
    if told:
        lines += wrapped(clean(told), width, indent, indent)
    return [(Span(line),) for line in lines]


def _told(view: View) -> str:
    """A game in a sentence, with the command to type, if there is one."""
    match, position = view.match, view.match.position
    name = match.game.name.capitalize()
    waited = span_of_time(view.now - position.time)
    if view.seat is None:
        return f"{name} from {view.names['A']}, to accept: mbp join {view.handle}"
    if match.outcome is not None:
        return f"{name} with {view.rival}: {outcome_text(view, match.outcome)}"
    if view.halted.why:
        return f"{name} with {view.rival}: {halted_words(view)}"
    if position.duty == "accept":
        return f"{name} with {view.rival}, not accepted yet, written {waited} ago"
    if match.pen == view.seat:
        return f"{name} with {view.rival}, {_own_turn(view, waited)}"
    return f"{name} with {view.rival}, who has had it for {waited}"


def _own_turn(view: View, waited: str) -> str:
    """Since when it is the own turn, and the command to type."""
    position = view.match.position
    what = f"show {view.handle}" if position.duty == "play" else f"receive {shlex.quote(view.path)}"
    if view.match.log[-1].by == view.seat and position.pause:
        days = "a day" if position.pause == 1 else f"{position.pause} days"
        return f"where you have taken {days} of vacation: mbp {what}"
    return f"who has waited {waited}: mbp {what}"
