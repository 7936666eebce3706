"""`mbp send`, `mbp resend`, `mbp remind`: a match by mail to the opponent."""

from __future__ import annotations

from typing import Annotated

import typer

from mbp.cli.composing import Kind
from mbp.cli.outbox import Way, post_match
from mbp.cli.session import Session, session_of

GAME_FILE = typer.Argument(metavar="FILE", help="A path, game id, or opponent.")
TO = typer.Option(metavar="ADDRESS", help="Where to; else the address that is known.")
SMTP = typer.Option("--smtp", help="Send it over the server of mail.toml.")
EML = typer.Option("--eml", help="Write a draft for your mail program.")
STDOUT = typer.Option("--stdout", help="Print the mail, for sendmail -t or msmtp -t.")
MAILTO = typer.Option("--mailto", help="Print a link with the short form.")


def send(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    to: Annotated[str, TO] = "",
    smtp: Annotated[bool, SMTP] = False,
    eml: Annotated[bool, EML] = False,
    stdout: Annotated[bool, STDOUT] = False,
    mailto: Annotated[bool, MAILTO] = False,
) -> None:
    """Send a match to your opponent by mail, with your newest entries.

    Without a way: over SMTP if mail.toml in your folder names a server, else as a draft.
    """
    _post(session_of(ctx), file, to, _way(smtp, eml, stdout, mailto), "send")


def resend(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    to: Annotated[str, TO] = "",
    smtp: Annotated[bool, SMTP] = False,
    eml: Annotated[bool, EML] = False,
    stdout: Annotated[bool, STDOUT] = False,
    mailto: Annotated[bool, MAILTO] = False,
) -> None:
    """Send the newest mail of a match again, where it got lost."""
    _post(session_of(ctx), file, to, _way(smtp, eml, stdout, mailto), "send")


def remind(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    to: Annotated[str, TO] = "",
    smtp: Annotated[bool, SMTP] = False,
    eml: Annotated[bool, EML] = False,
    stdout: Annotated[bool, STDOUT] = False,
    mailto: Annotated[bool, MAILTO] = False,
) -> None:
    """Ask your opponent for the next entry, with the match attached once more."""
    _post(session_of(ctx), file, to, _way(smtp, eml, stdout, mailto), "remind")


def _way(smtp: bool, eml: bool, stdout: bool, mailto: bool) -> str:
    """The one way that was named, or none."""
    ways = {"smtp": smtp, "eml": eml, "stdout": stdout, "mailto": mailto}
    named = [name for name, wanted in ways.items() if wanted]
    if len(named) > 1:
        raise typer.BadParameter(f"--{named[0]} and --{named[1]} are two ways: choose one")
    return named[0] if named else ""


def _post(session: Session, file: str, to: str, way: str, kind: Kind) -> None:
    opened = session.open(file)
    post_match(session, opened.path, opened.match, opened.seat, Way(way, to), kind)
