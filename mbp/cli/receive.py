"""`mbp receive`: takes in what came; and how every command tells what it has done."""

from __future__ import annotations

from typing import Annotated

import typer

from mbp import gamefile
from mbp.cli.boundary import report
from mbp.cli.session import Session, session_of
from mbp.cli.telling import next_steps, view_of
from mbp.desk import Receipt
from mbp.desk.shelf import LARGEST, read_bytes
from mbp.errors import MbpError, UnsureError
from mbp.match import Match
from mbp.rules.contract import COLOURS, LETTERS, Seat


def receive(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH or -]...", help="Game files; - is standard input."),
    ] = None,
    newest: Annotated[
        bool, typer.Option("--newest", help="Yes, it is the newest state of its match.")
    ] = False,
    take: Annotated[
        bool, typer.Option("--take", help="Of two histories, stand by the one in this file.")
    ] = False,
) -> None:
    """Take in game files that came: verify, store, write what needs no decision.

    Where two histories of a match exist, both are kept, and --take decides.
    """
    session = session_of(ctx)
    if not paths and session.terminal.stdin.isatty():
        raise typer.BadParameter("name the file that came, or - for standard input")
    names = paths or ["-"]
    worst = 0
    for name in names:
        try:
            _take_in(session, name, newest, take)
        except MbpError as failure:
            if len(names) == 1:
                raise
            session.terminal.say(f"{name}:")
            worst = max(worst, report(failure, session))
    if worst:
        raise typer.Exit(worst)


def _take_in(session: Session, name: str, newest: bool, take: bool) -> None:
    session.subject = name
    path = None if name == "-" else session.path(name)
    data = _read_input(session) if path is None else read_bytes(path)
    desk, home, game_id = session.desk, session.home, gamefile.load(data).game_id
    before = home.remembered(game_id)
    try:
        receipt = desk.receive(data, path, newest=newest, take=take)
    except UnsureError as failure:
        if not session.terminal.interactive:
            raise
        session.terminal.say(str(failure))
        if not session.terminal.confirm("is this the newest state of the match?", failure.hint):
            raise
        receipt = desk.receive(data, path, newest=True, take=take)
    moved = home.remembered(game_id) != before
    cards = cards_given(session, receipt.match, receipt.seat) if moved else ""
    tell(session, receipt, f"your new cards: {cards}" if cards else "")


def _read_input(session: Session) -> bytes:
    binary = getattr(session.terminal.stdin, "buffer", None)
    if binary is None:
        return session.terminal.stdin.read(LARGEST).encode()
    data: bytes = binary.read(LARGEST)
    return data


def tell(session: Session, receipt: Receipt, more: str = "", *, steps: bool = True) -> None:
    """Says what happened, `more` of it, and what is next; the file's path is the product."""
    match, seat = receipt.match, receipt.seat
    said = [*receipt.news, more]
    if steps:
        view = view_of(session, match, seat, receipt.path)
        said += next_steps(view, "", bool(seat) and session.home.facts(match.id).forked)
    for sentence in filter(None, said):
        session.terminal.say(sentence)
    session.terminal.put(session.shown(receipt.path))


def cards_given(session: Session, match: Match, seat: Seat | None) -> str:
    """The cards of the own hand that the opponent's newest entries have made readable."""
    start = len(match.log)
    while start and match.log[start - 1].by == seat:
        start -= 1
    while start and match.log[start - 1].by != seat:
        start -= 1
    if seat is None or not start or seat not in match.game.hands:
        return ""
    zone = match.game.hands[seat]
    secrets = session.desk.secrets(match)
    before = _readable(match.at(start - 1), zone, secrets)
    after = _readable(match, zone, secrets)
    return " ".join(
        f"{LETTERS[colour]} {COLOURS[colour]}"
        for slot, colour in after.items()
        if slot not in before
    )


def cards_awaited(session: Session, receipt: Receipt) -> str:
    """Says of cards that were drawn and cannot be read before the opponent's next entry."""
    match, seat = receipt.match, receipt.seat
    if seat is None or match.pen is None or seat not in match.game.hands:
        return ""
    zone = match.game.hands[seat]
    _, sight = match.seen(session.desk.secrets(match))
    number = sight.get(zone, ()).count(None)
    if not number:
        return ""
    cards = "the card" if number == 1 else f"the {number} cards"
    return f"{cards} you drew: seen when the next entry has come"


def _readable(match: Match, zone: str, secrets: dict[Seat, int]) -> dict[tuple[int, int], int]:
    """The cards of a zone that can be read with these secrets, by slot."""
    _, sight = match.seen(secrets)
    slots = match.position.table.zones.get(zone, ())
    return {
        slot: colour
        for slot, colour in zip(slots, sight.get(zone, ()), strict=True)
        if colour is not None
    }
