"""`mbp demo`: a whole match by post between two homes on this machine, and a stranger's audit.

Everything goes the way of a real match; only keys, clock and chance come from a seed, so that the
same seed shows the same match. Those keys are for the demo alone: it takes no home but its own.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from mbp.audit import audit
from mbp.cli.commands import number
from mbp.cli.maildirs import Maildirs
from mbp.cli.pair import Pair, SeededWorld, fresh_folder
from mbp.cli.session import Session, session_of
from mbp.cli.telling import View, outcome_text
from mbp.cli.terminal import columns, wrapped
from mbp.cli.ticker import Ticker
from mbp.errors import MbpError, NoSuchGameError
from mbp.keys import fingerprint
from mbp.match import Match
from mbp.rules import GAMES, find_game
from mbp.rules.contract import SEATS, Seat, Span, other

NAMES = ("Alice", "Bob")
WORDS: dict[Seat, str] = {"A": "Here we go.", "B": "Thank you, with pleasure. Good luck!"}
LARGEST_SEED = 999_999_999
TYPICAL = 60  # entries of a match between greedy players


def demo(
    ctx: typer.Context,
    game: Annotated[str, typer.Option(metavar="GAME", help="Which game.")] = "mandala",
    seed: Annotated[
        str | None, typer.Option(metavar="N", help="Show the match of this number again.")
    ] = None,
    folder: Annotated[
        str | None, typer.Option("--dir", metavar="DIR", help="Keep everything in a new folder.")
    ] = None,
) -> None:
    """Watch two players play a whole match by post, and a stranger audit it.

    All that they have is made for the occasion and removed again, unless --dir names a folder.
    """
    session = session_of(ctx)
    if session.options:
        raise typer.BadParameter("the demo makes homes of its own: leave --home and --games out")
    if find_game(game) is None:
        known = ", ".join(GAMES)
        raise NoSuchGameError(f"there is no game {game!r}", hint=f"choose one of: {known}")
    chosen = _drawn(session) if seed is None else number(seed, "--seed", 0, LARGEST_SEED)
    with ExitStack() as stack:
        if folder is None:
            place = Path(stack.enter_context(TemporaryDirectory(prefix="mbp-demo-")))
        else:
            place = fresh_folder(session.path(folder))
        pair = Pair.meet(place, SeededWorld(f"{game} {chosen}"), NAMES)
        homes = {seat: pair.desk(seat).home.root for seat in SEATS}
        pair.carry = Maildirs({seat: homes[seat] / "Maildir" for seat in SEATS}).carry
        _introduce(session, pair, game)
        _play(session, pair, game)
        _show_end(session, pair)
    _say_more(session, pair, chosen, kept=folder is not None)


def _drawn(session: Session) -> int:
    """A number for a match that nobody has asked for."""
    return int.from_bytes(session.randomness(8), "big") % (LARGEST_SEED + 1)


def _put(session: Session, text: str) -> None:
    session.terminal.put("\n".join(wrapped(text, session.terminal.width)))


def _introduce(session: Session, pair: Pair, game: str) -> None:
    """Who plays, and how they know each other."""
    _put(
        session,
        f"{' and '.join(NAMES)} play {game.capitalize()} by post. Each has a home folder with a "
        "key, and all that goes between them is one file. They know each other's fingerprints:",
    )
    for seat, name in zip(SEATS, NAMES, strict=True):
        found = fingerprint(pair.desk(seat).identity().public)
        start = f"  {name:<7}"
        rows = wrapped(found.hex, session.terminal.width, start, " " * len(start))
        lines = [(Span(row[: len(start)], style="bold"), Span(row[len(start) :])) for row in rows]
        session.terminal.put_lines(lines)
    session.terminal.put()


def _play(session: Session, pair: Pair, game: str) -> None:
    """From the invitation to the cards that both lay open after the end."""
    ticker = Ticker(session.terminal, TYPICAL)
    try:
        pair.invite(game, {}, named=True)
        ticker.tell(pair.match)
        pair.accept(WORDS["B"])
        ticker.tell(pair.match)
        pair.turn()  # begin needs no decision
        if pair.match.pen == "A":
            pair.turn(WORDS["A"])
        ticker.tell(pair.match)
        for match in pair.play_on():
            ticker.tell(match)
        if pair.match.game.copies:
            for seat in SEATS:
                pair.disclose(seat)
                pair.hand_over(other(seat))
    finally:
        ticker.clear()


def _show_end(session: Session, pair: Pair) -> None:
    """The board with all cards, who has won, and what a stranger makes of the file."""
    terminal, match = session.terminal, pair.match
    view = View(match, None, dict(zip(SEATS, NAMES, strict=True)), "", "", session.now())
    state, sight = match.seen(match.disclosed_secrets())
    terminal.put()
    if state is not None:
        terminal.put_lines(match.game.board(state, sight, None, view.names, terminal.width))
        terminal.put()
    if match.outcome is not None:
        text = outcome_text(view, match.outcome)
        terminal.put_lines([(Span(line, style="bold"),) for line in wrapped(text, terminal.width)])
    data = pair.files["A"].read_bytes()
    days = (match.position.latest - match.moments[0].position.time).days
    _put(
        session,
        f"{len(match.log)} entries in {pair.hand_overs} letters and {days} days; "
        f"the file has {len(data) / 1000:.0f} kB.",
    )
    report = audit(pair.files["A"].name, data)
    if not report.ok:
        raise MbpError(f"the audit failed: {report.findings[0].reason}")
    _put(session, f"A stranger audits it, without a key: {_proved(match)}. Everything holds.")


def _proved(match: Match) -> str:
    """What an audit has verified, in numbers."""
    cards = [entry.cards for entry in match.log]
    shuffles = sum("mask" in one for one in cards)
    shown = sum(len(one.get("open", {})) + len(one.get("give", {})) for one in cards)
    numbers = [f"{len(match.log)} signatures", "every move legal"]
    if match.game.copies:
        numbers[1:1] = [f"{shuffles} shuffles", f"{shown} steps of single cards"]
    return ", ".join(numbers)


def _say_more(session: Session, pair: Pair, seed: int, *, kept: bool) -> None:
    """What to type next."""
    terminal, game = session.terminal, pair.match.game.name
    again = "" if game == "mandala" else f" --game {game}"
    terminal.put()
    if kept:
        home, file = pair.desk("A").home.root, pair.files["A"]
        _put_row(session, "The file:", session.shown(file))
        view = f"mbp show {pair.match.id[:8]} --home {session.shown(home)}"
        _put_row(session, "Alice's view:", view)
    _put_row(session, "The same again:", f"mbp demo{again} --seed {seed}")
    _put_row(session, "Play yourself:", "mbp key new --name NAME")
    if kept:
        terminal.say("The two keys come from the seed: play no real match with them.")


def _put_row(session: Session, label: str, text: str) -> None:
    """A label and what goes with it, below each other where the terminal is narrow."""
    width = session.terminal.width
    room = 17
    if room + columns(text) > width:
        session.terminal.put(label)
        session.terminal.put("\n".join(wrapped(text, width, "  ", "    ")))
    else:
        session.terminal.put(f"{label:<{room}}{text}")
