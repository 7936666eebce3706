"""The commands that write the own next entry: a move, an act of protocol 9, a disclosure."""

from __future__ import annotations

from typing import Annotated

import typer

from mbp.cli.commands import number
from mbp.cli.receive import cards_awaited, tell
from mbp.cli.session import session_of

GAME_FILE = typer.Argument(metavar="FILE", help="A path, game id, or opponent.")
OUTPUT = typer.Option("-o", "--output", metavar="PATH", help="Write the result there.")


def move(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    words: Annotated[list[str], typer.Argument(metavar="MOVE...", help="mountain 1 red, or m1r")],
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
) -> None:
    """Play a move: it is signed and written, then the file is yours to send.

    Moves of Mandala: mountain 1 red, field 2 yellow 3, discard purple 2, take orange; in short m1r,
    f2y3, dp2, to. The letters: K black, G green, P purple, Y yellow, O orange, R red.
    """
    session = session_of(ctx)
    target = session.path(output) if output else None
    path = session.find(file)
    receipt = session.desk.play(path, " ".join(words), note, offer, target)
    tell(session, receipt, cards_awaited(session, receipt))
    if commit:
        from mbp.cli.commit import commit_match

        session.terminal.say(commit_match(session, receipt.path, receipt.match))


def _leave(ctx: typer.Context, file: str, act: str, output: str | None) -> None:
    session = session_of(ctx)
    target = session.path(output) if output else None
    tell(session, session.desk.leave(session.find(file), act, target))


def resign(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    output: Annotated[str | None, OUTPUT] = None,
) -> None:
    """Give the match up: your opponent wins."""
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
) -> None:
    """Take days off: your time is longer by them, as far as the match allows."""
    _leave(ctx, file, f"vacation {number(days, 'DAYS', 1, 365)}", output)


def disclose(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    output: Annotated[str | None, OUTPUT] = None,
) -> None:
    """After the end, publish your card secret, so that anyone can read the whole match."""
    session = session_of(ctx)
    target = session.path(output) if output else None
    tell(session, session.desk.disclose(session.find(file), target), steps=False)


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
