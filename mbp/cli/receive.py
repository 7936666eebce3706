"""`mbp receive`: takes in what came; and how every command tells what it has done."""

from __future__ import annotations

from itertools import takewhile
from typing import Annotated

import typer

from mbp import gamefile
from mbp.cli.boundary import report
from mbp.cli.session import Session, session_of
from mbp.cli.telling import next_steps, view_of
from mbp.desk import Receipt
from mbp.desk.shelf import LARGEST, load_game, naming, read_bytes
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
            _take_in(session, name, newest, take, len(names) > 1)
        except MbpError as failure:
            if len(names) == 1:
                raise
            session.terminal.say(f"{name}:")
            worst = max(worst, report(failure, session))
    if worst:
        raise typer.Exit(worst)


def _take_in(session: Session, name: str, newest: bool, take: bool, labelled: bool) -> None:
    session.subject = name
    path = None if name == "-" else session.path(name)
    data = _read_input(session) if path is None else read_bytes(path)
    with naming("standard input" if path is None else name):
        game_id = gamefile.load(data).game_id
    desk, home = session.desk, session.home
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
    cards = cards_given(session, receipt.match, receipt.seat, before)
    tell(session, receipt, f"your new cards: {cards}" if cards else "", labelled=labelled)


def _read_input(session: Session) -> bytes:
    binary = getattr(session.terminal.stdin, "buffer", None)
    if binary is None:
        return session.terminal.stdin.read(LARGEST).encode()
    data: bytes = binary.read(LARGEST)
    return data


def tell(
    session: Session,
    receipt: Receipt,
    more: str = "",
    *,
    steps: bool = True,
    labelled: bool = False,
) -> None:
    """Says what happened, `more` of it, and what is next; the file's path is the product.

    `labelled` puts the id of the match before each line.
    """
    match, seat = receipt.match, receipt.seat
    said = [*receipt.news, more]
    if steps:
        said += next_steps(view_of(session, match, seat, receipt.path), looked=False)
    indent = f"{match.id[:8]}  " if labelled else ""
    for sentence in filter(None, said):
        session.terminal.say(sentence, indent, whole="“" not in sentence)
    session.terminal.put(session.shown(receipt.path))


def cards_given(session: Session, match: Match, seat: Seat | None, before: bytes | None) -> str:
    """The cards of the own hand that can be read now, and could not be `before` this came."""
    if seat is None or seat not in match.game.hands:
        return ""
    zone, secrets = match.game.hands[seat], session.desk.secrets(match)
    log = load_game(before).log if before else ()
    pairs = zip(log, match.log, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0].id == pair[1].id, pairs))
    known = _readable(match.at(shared - 1), zone, secrets) if shared else {}
    return " ".join(
        f"{LETTERS[colour]} {COLOURS[colour]}"
        for slot, colour in _readable(match, zone, secrets).items()
        if slot not in known
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
