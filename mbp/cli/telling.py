"""What people are told of a match: its title, how it stands, what to do next. Prints nothing."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from mbp.cli.session import Session
from mbp.cli.terminal import clean
from mbp.desk import words
from mbp.errors import MbpError
from mbp.match import Match
from mbp.rules.contract import Outcome, Seat, other

NOBODY = "whoever accepts"
ENDS = {
    "river": "a river has six colours",
    "last_mandala": "the last mandala is gone",
    "deck": "the deck is used up",
    "turn_limit": "the last turn is played",
    "blocked": "a player has no action left",
}


@dataclass(frozen=True)
class Halted:
    """Why nothing is signed in a match: the word of `Halt.why`, and what is told of it, by lines.

    Empty while nothing stops it.
    """

    why: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class View:
    """A match as somebody looks at it; `handle` is what to type for FILE.

    `halted` says why nothing is signed in it, and how to go on.
    """

    match: Match
    seat: Seat | None
    names: Mapping[Seat, str]
    handle: str
    path: str
    now: datetime
    halted: Halted = Halted()

    def who(self, seat: Seat | None) -> str:
        """A player as the one who looks calls them."""
        if seat is None:
            return "nobody"
        return "you" if seat == self.seat else self.names[seat]

    @property
    def rival(self) -> str:
        """The opponent of the one who looks."""
        return self.names[other(self.seat or "A")]


def view_of(session: Session, match: Match, seat: Seat | None, path: Path) -> View:
    """The match as it is told to the owner of this home."""
    called = session.desk.names(match)
    second = called["B"] if "B" in called else _guest(session, match.position.guest)
    names: dict[Seat, str] = {"A": clean(called["A"]), "B": clean(second)}
    shown = session.shown(path)
    in_games = path.absolute().parent == session.games.absolute()
    handle = match.id[:8] if in_games else shlex.quote(shown)
    halted = Halted()
    if seat is not None:
        halted = _halted(session, match, names[other(seat)], handle, shlex.quote(shown))
    return View(match, seat, names, handle, shown, session.now(), halted)


def _halted(session: Session, match: Match, rival: str, handle: str, path: str) -> Halted:
    """Why nothing is signed in a match, and the commands to go on."""
    try:
        halt = session.desk.halt(match)
    except MbpError as failure:  # what is kept of one match must not hide the others
        return Halted("unreadable", (str(failure), failure.hint))
    if halt is None:
        return Halted()
    first, hint = words.halt_words(halt, rival, path, session.shown)
    return Halted(halt.why, (first, *hint.replace("FILE", handle).split("\n")))


def halted_words(view: View) -> str:
    """Why nothing is signed in a match, in short."""
    if view.halted.why == "settled":
        return view.halted.lines[0]
    show = f"mbp show {view.handle} tells"
    if view.halted.why == "forked":
        return f"you have to decide, {show} how"
    return f"nothing more is signed as it stands, {show} why"


def _guest(session: Session, key: str) -> str:
    """Whom an invitation is for, by the key that it names, if it names one."""
    if not key:
        return NOBODY
    home = session.home
    if home.has_identity and home.profile().key == key:
        return home.profile().name
    contact = home.contact_of(key)
    return contact.name if contact else "the invited guest"


def title(view: View) -> str:
    """`Mandala 1a2b3c4d  Alice - Bob`."""
    match = view.match
    return f"{match.game.name.capitalize()} {match.id[:8]}  {view.names['A']} - {view.names['B']}"


def span_of_time(span: timedelta) -> str:
    """A length of time in its largest unit: `2 days`."""
    seconds = int(span.total_seconds())
    for length, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        number = seconds // length
        if number >= 1:
            return f"{number} {unit}" + ("" if number == 1 else "s")
    return "a moment"


def time_for_people(session: Session, moment: datetime) -> str:
    """A moment in the local time zone, to the minute."""
    return session.tell_time(moment)


def deadline(session: Session, view: View) -> str:
    """Until when the next entry is free of a claim, in the local time zone, and what is left of it.

    Empty where there can be no claim. Days are 86,400 s each (protocol 9.3): where the clocks are
    put back or forward in between, the local hour is another one.
    """
    match, since = view.match, view.match.position.claimable_after
    if since is None or match.pen is None or view.seat is None:
        return ""
    own, when = match.pen == view.seat, time_for_people(session, since)
    if view.now > since:
        # Late is not lost: the match goes on until somebody claims it.
        late = f"your time was over {when}: play on, unless a claim has come"
        return late if own else f"claim since {when}: mbp claim {view.handle}"
    left = f"{span_of_time(since - view.now)} left"
    return f"play by {when} ({left})" if own else f"{view.rival} has until {when} ({left})"


def outcome_text(view: View, outcome: Outcome) -> str:
    """How a match ended: `Alice wins 32 to 18: a river has six colours`."""
    if outcome.termination == "abort":
        return "ended without result, as both agreed"
    if outcome.winner is None:
        return f"a draw at {outcome.scores[0]}: {ENDS.get(outcome.termination, '')}".rstrip(": ")
    winner = view.who(outcome.winner)
    wins = f"{winner} {'win' if winner == 'you' else 'wins'}"
    if outcome.termination == "resign":
        loser = view.who(other(outcome.winner))
        return f"{wins}: {loser} resigned"
    if outcome.termination == "claim":
        return f"{wins} by a claim: the time was over"
    high, low = outcome.points
    tie = ", the smaller cup decides" if high == low else ""
    return f"{wins} {high} to {low}{tie}: {ENDS.get(outcome.termination, outcome.termination)}"


def next_steps(view: View, *, looked: bool) -> list[str]:
    """Whose turn it is and the one next thing to do, with the command to type.

    `looked` says that the board was just shown; otherwise an own entry may just have been written.
    """
    match, position = view.match, view.match.position
    if match.outcome is not None:
        return _after_the_end(view, match.outcome, looked)
    if view.halted.why:
        return [line for line in view.halted.lines if line]
    if view.seat is None:
        return _to_a_stranger(view)
    if match.pen == view.seat:
        return _with_the_pen(view, looked)
    if match.pen is None:
        return ["the match is over"]
    told = [_waiting(view)]
    since = position.claimable_after
    if since is not None and view.now > since:
        told.append(f"the time of {view.rival} is over: mbp claim {view.handle}")
    return told


def _after_the_end(view: View, outcome: Outcome, looked: bool) -> list[str]:
    told = [f"over: {outcome_text(view, outcome)}"]
    match = view.match
    if view.seat is not None and match.log[-1].by == view.seat:
        unless = ", unless they have it" if looked else ""
        told.append(f"send {view.path} to {view.rival}{unless}")
    hidden = bool(match.game.copies) and match.position.state is not None
    if view.seat is not None and hidden and view.seat not in match.disclosed:
        told.append(f"to show all your cards to everybody: mbp disclose {view.handle}")
    return told


def _to_a_stranger(view: View) -> list[str]:
    match = view.match
    if match.position.duty == "accept":
        return [f"to accept the invitation: mbp join {view.handle}"]
    return [f"{view.who(match.pen)} is next"]


def _with_the_pen(view: View, looked: bool) -> list[str]:
    position = view.match.position
    if position.duty != "play":
        return [f"to go on: mbp receive {shlex.quote(view.path)}"]
    told = [f"your turn: mbp show {view.handle}"]
    if looked:
        told = [f"your turn: mbp move {view.handle} MOVE   (mbp moves {view.handle} lists them)"]
    if position.offered_by == other(view.seat or "A"):
        told.append(f"{view.rival} offers to end it without result: mbp agree {view.handle}")
    return told


def _waiting(view: View) -> str:
    match = view.match
    if match.log[-1].by != view.seat:
        return f"{view.who(match.pen)} is next"
    return f"{view.who(match.pen)} is next: send {view.path}"
