"""The commands that write the own next entry: a move, an act of protocol 9, a disclosure."""

from __future__ import annotations

from typing import Annotated

import typer

from mbp.cli.commands import number
from mbp.cli.receive import cards_awaited, tell
from mbp.cli.session import Session, session_of
from mbp.cli.telling import View, deadline, view_of
from mbp.errors import MbpError
from mbp.rules import GAMES
from mbp.rules.contract import COLOURS, LETTERS

GAME_FILE = typer.Argument(metavar="FILE", help="A path, game id, or opponent.")
OUTPUT = typer.Option("-o", "--output", metavar="PATH", help="Write the result there.")


def move(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    words: Annotated[list[str], typer.Argument(metavar="MOVE...", help="In long or in short.")],
    note: Annotated[
        str, typer.Option("-m", "--note", metavar="NOTE", help="Words to your opponent.")
    ] = "",
    offer: Annotated[
        bool, typer.Option("--offer-abort", help="Offer to end the match without result.")
    ] = False,
    output: Annotated[str | None, OUTPUT] = None,
    commit: Annotated[
        bool, typer.Option("--commit", help="Commit the file to its git repository.")
    ] = False,
    send: Annotated[bool, typer.Option("--send", help="Mail it, as mbp send does.")] = False,
) -> None:
    """Play a move: it is signed and written, then the file is yours to send."""
    session = session_of(ctx)
    target = session.path(output) if output else None
    path = session.find(file)
    receipt = session.desk.play(path, " ".join(words), note, offer, target)
    tell(session, receipt, cards_awaited(session, receipt))
    if commit:
        from mbp.cli.commit import commit_match

        session.terminal.say(commit_match(session, receipt.path))
    if send:
        from mbp.cli.outbox import Way, post_match

        post_match(session, receipt.path, receipt.match, receipt.seat, Way(""))


def _notation() -> str:
    """How moves are written, game by game; for the help."""
    told = [f"Moves of {name.capitalize()}: {game.forms}." for name, game in GAMES.items()]
    letters = ", ".join(f"{one} {name}" for one, name in zip(LETTERS, COLOURS, strict=True))
    return "\n\n".join([*told, f"The letters: {letters}."])


move.__doc__ = f"{move.__doc__}\n\n{_notation()}"


def _leave(ctx: typer.Context, file: str, act: str, output: str | None) -> None:
    session = session_of(ctx)
    target = session.path(output) if output else None
    tell(session, session.desk.leave(session.find(file), act, target))


def resign(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    output: Annotated[str | None, OUTPUT] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing.")] = False,
) -> None:
    """Give the match up: your opponent wins. On a terminal it asks once more."""
    session = session_of(ctx)
    if session.terminal.interactive and not yes:
        opened = session.desk.open(session.find(file))
        view = view_of(session, opened.match, opened.seat, opened.path)
        question = f"give up the match with {view.rival}?"
        may_resign = opened.seat is not None and opened.match.pen == opened.seat
        if may_resign and not session.terminal.confirm(question, "say it with --yes"):
            raise MbpError("nothing is given up: the match goes on")
    _leave(ctx, file, "resign", output)


def agree(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    output: Annotated[str | None, OUTPUT] = None,
) -> None:
    """End the match without result, as your opponent has just offered."""
    _leave(ctx, file, "agree", output)


def claim(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    output: Annotated[str | None, OUTPUT] = None,
) -> None:
    """Claim a match whose next entry has not come within the pace."""
    _leave(ctx, file, "claim", output)


def vacation(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    days: Annotated[str, typer.Argument(metavar="DAYS", help="How many days.")],
    output: Annotated[str | None, OUTPUT] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing.")] = False,
) -> None:
    """Take days off: your time is longer by them, as far as the match allows.

    The pace counts anew from this entry: what is left of a vacation before it is lost.
    """
    session = session_of(ctx)
    target = session.path(output) if output else None
    act, path = f"vacation {number(days, 'DAYS', 1, 365)}", session.find(file)
    opened = session.desk.open(path)
    before = view_of(session, opened.match, opened.seat, opened.path)
    warning = _second_vacation(session, before)
    if warning:
        terminal = session.terminal
        terminal.say(warning)
        asked = terminal.interactive and not yes
        if asked and not terminal.confirm("take it all the same?", "say it with --yes"):
            raise MbpError("no vacation is taken: the one before goes on")
    receipt = session.desk.leave(path, act, target)
    view = view_of(session, receipt.match, receipt.seat, receipt.path)
    until, left = deadline(session, view), receipt.match.position.vacation_left(receipt.seat or "A")
    days = "1 day" if left == 1 else f"{left or 'no'} days"
    send = f"{until}{': ' if until else ''}send {view.path} to {view.rival}"
    tell(session, receipt, f"{days} of vacation left\n{send}")


def _second_vacation(session: Session, view: View) -> str:
    """What a vacation does to one that is going on; empty where none is (protocol 9.4)."""
    match, position = view.match, view.match.position
    until = position.claimable_after
    going_on = position.pause and match.log[-1].by == view.seat and match.pen == view.seat
    if not going_on or until is None:
        return ""
    return (
        f"a vacation is going on ({deadline(session, view)}): a second one counts from now, and "
        "what is left of the first is lost"
    )


def disclose(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    output: Annotated[str | None, OUTPUT] = None,
) -> None:
    """After the end, publish your card secret, so that anyone can read the whole match."""
    session = session_of(ctx)
    target = session.path(output) if output else None
    receipt = session.desk.disclose(session.find(file), target)
    view = view_of(session, receipt.match, receipt.seat, receipt.path)
    tell(session, receipt, f"send {view.path} to {view.rival}", steps=False)


def bot(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    player: Annotated[str, typer.Option(metavar="NAME", help="greedy or random")] = "greedy",
    output: Annotated[str | None, OUTPUT] = None,
) -> None:
    """Let a computer player write your next entry; it sees only what you see."""
    session = session_of(ctx)
    target = session.path(output) if output else None
    receipt = session.desk.bot(session.find(file), player, target)
    tell(session, receipt, cards_awaited(session, receipt))
