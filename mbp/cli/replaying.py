"""`mbp replay`: steps through a match, by keys on a terminal or by plain commands on a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from mbp.cli.commands import number
from mbp.cli.examining import examined_source
from mbp.cli.keypress import Key, keys_of
from mbp.cli.session import Session, session_of
from mbp.cli.sources import Source
from mbp.cli.stepping import TYPED, Showing
from mbp.cli.telling import view_of
from mbp.cli.verdict import FAILED
from mbp.desk import Opened
from mbp.errors import FormatError, KeyringError, VerificationError
from mbp.report.story import verdict
from mbp.rules.contract import SEATS, Line

CLEAR = "\x1b[H\x1b[2J"


def replay(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A path, game id, or opponent.")],
    who: Annotated[
        str | None,
        typer.Option("--as", metavar="WHO", help="A, B, stranger, or open: all that is known."),
    ] = None,
    at: Annotated[str, typer.Option(metavar="SEQ", help="The entry to begin with.")] = "0",
    to: Annotated[
        str | None, typer.Option("--to", metavar="text", help="Print it whole, for a pipe.")
    ] = None,
) -> None:
    """Step through a match: next, back, to an entry, to the next destruction or end.

    On a terminal by keys; else commands are read, one a line. Of a file that does not hold, what
    stands before the bad entry is shown.
    """
    session = session_of(ctx)
    if to not in (None, "text"):
        raise typer.BadParameter(f"{to!r} is not text", param_hint="--to")
    opened, trouble, holds = _opened(session, file)
    showing = _showing(session, opened, who, trouble)
    start = number(at, "--at", 0, showing.last)
    if to == "text":
        _print(session, showing, start)
    else:
        with keys_of(session.terminal) as keys:
            if keys is None:
                _follow_typed(session, showing, start)
            else:
                _follow_keys(session, showing, start, keys)
    if trouble:
        session.terminal.say(f"mbp: {trouble}")
    if not holds:
        raise typer.Exit(FAILED)


def _opened(session: Session, file: str) -> tuple[Opened, str, bool]:
    """The match, why it does not go on behind its newest entry, and whether the file holds.

    Raises VerificationError, FormatError where nothing of it holds.
    """
    try:
        return session.open(file), "", True
    except (VerificationError, FormatError):
        path = session.find(file)
        examined, _ = examined_source(Source(session.shown(path), str(path)))
        if examined.match is None:
            raise
    found = verdict(examined.report)
    said = f"what follows does not hold: {found.said}"
    if found.ok:
        said = f"{found.said}; this is the first of them"
    return Opened(path, examined.match, None, (), -1), said, found.ok


def _showing(session: Session, opened: Opened, who: str | None, trouble: str) -> Showing:
    """The match for the one who looks. Raises KeyringError where a seat's cards are not known."""
    match = opened.match
    word = (who or opened.seat or "open").lower()
    view = view_of(session, match, opened.seat, opened.path)
    known = {} if word == "stranger" else session.desk.secrets(match)
    if word == "stranger" or (word == "open" and not (known or opened.seat)):
        return Showing(session, view, {}, None, "as a stranger sees it", trouble)
    if word == "open":
        looker = "all known cards open"
        return Showing(session, view, known, opened.seat, looker, trouble)
    for seat in SEATS:
        if word == seat.lower():
            if match.game.copies and seat not in known:
                hint = f"mbp replay {session.subject} --as stranger"
                raise KeyringError(f"{seat}'s cards are not disclosed", hint=hint)
            secrets = {one: secret for one, secret in known.items() if one == seat}
            return Showing(session, view, secrets, seat, f"as {seat} sees it", trouble)
    raise typer.BadParameter(f"{who!r} is none of A, B, stranger, open", param_hint="--as")


def _print(session: Session, showing: Showing, start: int) -> None:
    """Prints the match whole."""
    lines: list[Line] = [*showing.head(), *showing.about(), ()]
    for seq in range(start, showing.last + 1):
        lines += [*showing.lines(seq, invitation=False), ()]
    session.terminal.put_lines(lines)


def _follow_typed(session: Session, showing: Showing, seq: int) -> None:
    """Shows the positions that typed commands ask for, one after the other."""
    terminal = session.terminal
    terminal.put_lines([*showing.head(), *showing.lines(seq), ()])
    for command in _typed(session):
        if command in ("q", "quit"):
            return
        found = showing.target(seq, command)
        if isinstance(found, int):
            seq = found
            terminal.put_lines([*showing.lines(seq), ()])
            terminal.stdout.flush()
        else:
            terminal.say(found or TYPED)


def _typed(session: Session) -> Iterator[str]:
    """Commands from standard input, one a line, until it ends."""
    terminal = session.terminal
    while True:
        if terminal.interactive:
            terminal.stdout.flush()
            terminal.stderr.write("> ")
            terminal.stderr.flush()
        line = terminal.stdin.readline()
        if not line:
            if terminal.interactive:
                terminal.stderr.write("\n")
            return
        yield line.strip()


def _follow_keys(session: Session, showing: Showing, seq: int, keys: Iterator[Key]) -> None:
    """Shows the positions that keys ask for, each on the whole screen."""
    _draw(session, showing, seq, "")
    for key in keys:
        said, unknown = f"entry {key.typed}" if key.typed else "", False
        if key.command in ("q", "quit"):
            session.terminal.stdout.write("\n")
            return
        if key.command:
            found = showing.target(seq, key.command)
            seq = found if isinstance(found, int) else seq
            said = found if isinstance(found, str) else said
            unknown = found is None
        _draw(session, showing, seq, said, keys=unknown)


def _draw(session: Session, showing: Showing, seq: int, said: str, *, keys: bool = False) -> None:
    """Fills the screen; what was typed, or is to be said, stands in its last line."""
    terminal = session.terminal
    terminal.stdout.write(CLEAR)
    terminal.put_lines(showing.screen(seq, keys=keys, room=terminal.height - 1))
    terminal.stdout.write(said[: terminal.width - 1])
    terminal.stdout.flush()
