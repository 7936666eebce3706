"""`mbp replay`: steps through a match, by keys on a terminal or by plain commands on a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import typer

from mbp.cli.commands import number
from mbp.cli.keypress import keys_of
from mbp.cli.session import Session, session_of
from mbp.cli.show import invitation_lines
from mbp.cli.telling import View, outcome_text, time_for_people, title, view_of
from mbp.cli.terminal import clean, columns, wrapped
from mbp.desk import Opened
from mbp.errors import KeyringError
from mbp.match.sentences import sentence
from mbp.report.story import is_great
from mbp.rules.contract import SEATS, Line, Seat, Span

HELP = (
    "n next · b back · d next destruction or the like · D the one before · "
    "a number: that entry · f first · l last · q quit"
)
LONGEST = 24  # columns of a name on the board
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
    """Step through a match: next, back, to an entry, to the next destruction.

    On a terminal by keys; else commands are read, one a line.
    """
    session = session_of(ctx)
    if to not in (None, "text"):
        raise typer.BadParameter(f"{to!r} is not text", param_hint="--to")
    opened = session.open(file)
    showing = _showing(session, opened, who)
    start = number(at, "--at", 0, showing.last)
    if to == "text":
        for seq in range(start, showing.last + 1):
            session.terminal.put_lines([*showing.lines(seq), ()])
        return
    _go_through(session, showing, start)


@dataclass(frozen=True)
class Showing:
    """A match as it is looked at: with which card secrets, and whose side is at the bottom."""

    session: Session
    view: View
    secrets: Mapping[Seat, int]
    below: Seat | None

    @property
    def last(self) -> int:
        """The newest entry."""
        return len(self.view.match.log) - 1

    def lines(self, seq: int) -> list[Line]:
        """The entry, and the position behind it."""
        match, width = self.view.match.at(seq), self.session.terminal.width
        moment = match.moments[-1]
        entry = moment.entry
        time = time_for_people(self.session, match.position.time)
        text = f"{self.view.names[entry.by]}: {sentence(moment, self.view.names)}"
        lines: list[Line] = [(Span(f"{seq}/{self.last}  {time}", style="dim"),)]
        lines += [(Span(one, style="bold"),) for one in wrapped(clean(text), width)]
        if "note" in entry.tree:
            note = f"“{clean(entry.tree['note'])}”"
            lines += [(Span(one),) for one in wrapped(note, width, "  ", "   ")]
        return [*lines, (), *self._board(seq)]

    def _board(self, seq: int) -> list[Line]:
        match, width = self.view.match.at(seq), self.session.terminal.width
        state, sight = match.seen(self.secrets)
        if state is None:
            return [(Span(text),) for text in invitation_lines(self.view, width)]
        names = {seat: _short(name) for seat, name in self.view.names.items()}
        lines = [*match.game.board(state, sight, self.below, names, width)]
        if seq == self.last and match.outcome is not None:
            over = f"over: {outcome_text(self.view, match.outcome)}"
            lines += [(), *((Span(one),) for one in wrapped(over, width))]
        return lines

    def great(self, seq: int, direction: int) -> int:
        """The next entry of which something came that people look for; else the end there is."""
        moments = self.view.match.moments
        while 0 <= seq + direction <= self.last:
            seq += direction
            if is_great(moments[seq]):
                break
        return seq


def _short(name: str) -> str:
    """A name that leaves room for the rest of a line."""
    while columns(name) > LONGEST:
        name = f"{name[:-2]}…"
    return name


def _showing(session: Session, opened: Opened, who: str | None) -> Showing:
    """The match for the one who looks. Raises KeyringError where a seat's cards are not known."""
    match = opened.match
    word = (who or opened.seat or "open").lower()
    view = view_of(session, match, opened.seat, opened.path)
    if word == "stranger":
        return Showing(session, view, {}, None)
    known = session.desk.secrets(match)
    if word == "open":
        return Showing(session, view, known, opened.seat)
    for seat in SEATS:
        if word == seat.lower():
            if match.game.copies and seat not in known:
                hint = f"mbp replay {session.subject} --as stranger"
                raise KeyringError(f"{seat}'s cards are not disclosed", hint=hint)
            return Showing(session, view, {s: k for s, k in known.items() if s == seat}, seat)
    raise typer.BadParameter(f"{who!r} is none of A, B, stranger, open", param_hint="--as")


def _go_through(session: Session, showing: Showing, start: int) -> None:
    """Shows one position after the other until there is no more command."""
    with keys_of(session.terminal) as by_keys:
        _follow(session, showing, start, by_keys)


def _follow(session: Session, showing: Showing, seq: int, by_keys: Iterator[str] | None) -> None:
    """Shows the positions that the commands ask for, by keys or typed."""
    terminal = session.terminal
    if by_keys is None:
        terminal.put_lines([(Span(title(showing.view), style="bold"),)])
    _show(session, showing, seq, by_keys is not None)
    for command in by_keys or _typed(session):
        if command in ("q", "quit"):
            return
        found = command_target(showing, seq, command)
        if found is None:
            terminal.say(HELP)
            continue
        seq = found
        _show(session, showing, seq, by_keys is not None)


def _show(session: Session, showing: Showing, seq: int, whole_screen: bool) -> None:
    terminal = session.terminal
    if whole_screen:
        terminal.stdout.write(CLEAR)
        terminal.put_lines([(Span(title(showing.view), style="bold"),)])
    terminal.put_lines([*showing.lines(seq), ()])
    if whole_screen:
        terminal.put_lines((Span(one, style="dim"),) for one in wrapped(HELP, terminal.width))
    terminal.stdout.flush()


def _typed(session: Session) -> Iterator[str]:
    """Commands from standard input, one a line, until it ends."""
    terminal = session.terminal
    while True:
        if terminal.interactive:
            terminal.stderr.write("> ")
            terminal.stderr.flush()
        line = terminal.stdin.readline()
        if not line:
            if terminal.interactive:
                terminal.stderr.write("\n")
            return
        yield line.strip()


def command_target(showing: Showing, seq: int, command: str) -> int | None:
    """The entry to which a command leads, None where it is no command."""
    verb, _, rest = command.partition(" ")
    leads: dict[str, Callable[[], int]] = {
        "": lambda: min(seq + 1, showing.last),
        "n": lambda: min(seq + 1, showing.last),
        "b": lambda: max(seq - 1, 0),
        "d": lambda: showing.great(seq, 1),
        "D": lambda: showing.great(seq, -1),
        "f": lambda: 0,
        "l": lambda: showing.last,
    }
    longer = {"next": "n", "back": "b", "destruction": "d", "first": "f", "last": "l"}
    verb = longer.get(verb, verb)
    if verb in leads and not rest:
        return leads[verb]()
    digits = rest if verb in ("g", "go") else command
    if digits.isascii() and digits.isdecimal() and len(digits) <= 6:
        return min(int(digits), showing.last)
    return None
