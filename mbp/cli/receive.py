"""`mbp receive`: takes in what came; and how every command tells what it has done."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mbp.chain import Entry
from mbp.cli.boundary import report
from mbp.cli.session import Session, session_of
from mbp.cli.telling import next_steps, view_of
from mbp.desk import NOTHING, Receipt
from mbp.desk.shelf import naming
from mbp.errors import MbpError
from mbp.match import Match
from mbp.rules.contract import COLOURS, LETTERS, Seat

if TYPE_CHECKING:
    from mbp.cli.taking import Taking


def receive(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH or -]...",
            help="Mails, mailboxes, folders, game files; - is standard input.",
        ),
    ] = None,
    newest: Annotated[
        bool, typer.Option("--newest", help="Yes, it is the newest state of its match.")
    ] = False,
    take: Annotated[
        bool, typer.Option("--take", help="Of two histories, stand by the one in this file.")
    ] = False,
    imap: Annotated[
        bool, typer.Option("--imap", help="Fetch new mails from the server of mail.toml.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="With --imap: those of the last 30 days, known or not.")
    ] = False,
    send: Annotated[
        bool, typer.Option("--send", help="Mail what was written without a decision of yours.")
    ] = False,
) -> None:
    """Take in what came: verify, store, write what needs no decision.

    A PATH is a mail, an mbox, a Maildir, a folder, a game file, or a text with a short form in it.
    Where two histories of a match exist, both are kept, and --take decides.
    """
    session = session_of(ctx)
    if not paths and not imap and session.terminal.stdin.isatty():
        raise typer.BadParameter("name the file that came, or - for standard input")
    if again and not imap:
        raise typer.BadParameter("--again is for --imap")
    taking = _take_in(session, paths or ([] if imap else ["-"]), (newest, take), imap, again)
    code = _tell_all(session, taking, send)
    if code:
        raise typer.Exit(code)


def _take_in(
    session: Session, names: list[str], decided: tuple[bool, bool], imap: bool, again: bool
) -> Taking:
    """Takes in all letters of these names, and those on the server."""
    from mbp.cli.arrivals import arrivals, count_arrivals
    from mbp.cli.taking import Taking

    taking = Taking(session, *decided)
    if imap:
        from mbp.cli.fetching import Fetching

        fetching = Fetching(session, again)
        taking.read(fetching.fetch(), 0)  # it has a bar of its own
    drawing = session.terminal.stderr.isatty()
    taking.read(arrivals(session, names), count_arrivals(session, names) if drawing else 0)
    taking.work()
    if imap:
        fetching.keep_mark(taking.failures)
    return taking


def _tell_all(session: Session, taking: Taking, send: bool) -> int:
    """Tells what came of everything, and mails what is due; the exit code."""
    all_taken = taking.by_match()
    if not taking.named:  # of a mailbox, only what is new
        all_taken = [one for one in all_taken if not one.is_old]
    for taken in all_taken:
        receipt = taken.receipt
        cards = cards_given(session, receipt.match, receipt.seat, taken.known)
        more = f"your new cards: {cards}" if cards else ""
        tell(session, receipt, more, labelled=len(all_taken) > 1)
    worst = _send_on(session) if send else 0
    for note in taking.notes:
        session.terminal.say(note)
    if not (all_taken or taking.notes or taking.failures):
        session.terminal.say(NOTHING)
    name = next(iter(taking.names.values()), "-")
    with naming("standard input" if name == "-" else name):
        return max(worst, taking.close())


def _send_on(session: Session) -> int:
    """Mails the entries that were written here by themselves (protocol 7.1: begin, deal).

    Those too that an earlier run has written and not sent. Of each that cannot be sent the reason
    is said; the worst exit code.
    """
    from mbp.cli.outbox import Way, post_match

    home, worst = session.home, 0
    for game_id in home.all_remembered():
        facts = home.facts(game_id)
        if facts.unsent < 0 or facts.path is None:
            continue
        session.subject = game_id[:8]
        try:
            opened = session.desk.open(Path(facts.path))
            if len(opened.match.log) - 1 == facts.unsent:
                post_match(session, opened.path, opened.match, opened.seat, Way(""), "auto")
        except MbpError as failure:
            worst = max(worst, report(failure, session))
    return worst


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


def cards_given(
    session: Session, match: Match, seat: Seat | None, known_log: Sequence[Entry]
) -> str:
    """The cards of the own hand that can be read now, and could not with the log known before."""
    if seat is None or seat not in match.game.hands:
        return ""
    zone, secrets = match.game.hands[seat], session.desk.secrets(match)
    pairs = zip(known_log, match.log, strict=False)
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
