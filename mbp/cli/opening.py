"""`mbp new` and `mbp join`: an invitation, and its acceptance."""

from __future__ import annotations

from typing import Annotated

import typer

from mbp.cli.receive import tell
from mbp.cli.session import session_of
from mbp.cli.show import invitation_lines
from mbp.cli.telling import title, view_of
from mbp.desk.choices import DEFAULT_PACE
from mbp.rules import GAMES, find_game

OUTPUT = typer.Option("-o", "--output", metavar="PATH", help="Write the result there.")
NOTE = typer.Option("-m", "--note", metavar="NOTE", help="Words to your opponent.")


def new(
    ctx: typer.Context,
    to: Annotated[str, typer.Option(metavar="CONTACT", help="Only this contact may accept.")] = "",
    game: Annotated[str, typer.Option(metavar="GAME", help="What to play.")] = "mandala",
    option: Annotated[
        list[str] | None, typer.Option(metavar="K=V", help="An option of the game; repeatable.")
    ] = None,
    output: Annotated[str | None, OUTPUT] = None,
) -> None:
    """Write an invitation, a file to send; without --to, anyone may accept it."""
    session = session_of(ctx)
    if find_game(game) is None:
        known = ", ".join(GAMES)
        raise typer.BadParameter(f"{game!r} is none of: {known}", param_hint="--game")
    chosen = dict(_pair(text) for text in option or ())
    receipt = session.desk.new(game, chosen, to, session.path(output) if output else None)
    tell(session, receipt, steps=False)


def _options() -> str:
    """What --option may choose, game by game, each default first; for the help."""
    told = []
    for name, game in GAMES.items():
        options = (f"{option.name} ({', '.join(option.values)})" for option in game.options)
        told.append(f"Options of {name.capitalize()}: {'; '.join(options)}.")
    told.append(
        "Of every game: pace, the days that an entry may take before the opponent can claim the "
        f"match ({DEFAULT_PACE}; 0: no limit); vacation, the days off that each player has (none)."
    )
    return "\n\n".join(told)


new.__doc__ = f"{new.__doc__}\n\nGames: {', '.join(GAMES)}.\n\n{_options()}"


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise typer.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
    return name, value


def join(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The invitation that came.")],
    note: Annotated[str, NOTE] = "",
    output: Annotated[str | None, OUTPUT] = None,
) -> None:
    """Accept an invitation; the inviter's fingerprint is shown, to compare by voice."""
    session = session_of(ctx)
    opened = session.open(file)
    view = view_of(session, opened.match, opened.seat, opened.path)
    session.terminal.say(title(view))
    for line in invitation_lines(view, session.terminal.width):
        session.terminal.say(line)
    receipt = session.desk.join(opened.path, note, session.path(output) if output else None)
    tell(session, receipt, steps=False)
