"""Taking in all that came, whatever its order: the newest state of each match that holds.

One letter that cannot be used stops nothing: what was wrong with it is told in the end, and the
worst of it is the exit code. A letter of which another part was of use counts as taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from mbp.chain import Entry
from mbp.cli.arrivals import FETCHED, Arrival
from mbp.cli.boundary import report
from mbp.cli.session import Session
from mbp.cli.terminal import Steps
from mbp.desk import NOTHING, Receipt
from mbp.desk.intake import Family, Intake
from mbp.desk.joining import Early, is_known, join, known_log, waiting
from mbp.desk.shelf import LARGEST, load_game
from mbp.desk.words import OLDER
from mbp.errors import FormatError, MbpError, UnsureError, VerificationError
from mbp.match.verify import TOLERANCE
from mbp.post.armour import Short
from mbp.post.letter import DOMAIN
from mbp.post.mail import SHORT_END, Find, Letter, read_letter
from mbp.times import parse_time

MOST_WAITING = 64 * 2**20  # bytes of game files that wait to be taken in together
FEW = 3  # without a progress bar

REPLY = "an automatic reply, ignored"
OWN_MAIL = f"@{DOMAIN}>".encode()  # stands in the ids of our mails
BOUNCE = "your mail has not arrived: it came back"


@dataclass(frozen=True)
class Taken:
    """The log that was known before, and the receipt for what came."""

    known: tuple[Entry, ...]
    receipt: Receipt

    @property
    def is_old(self) -> bool:
        """Whether it brought nothing."""
        return all(text == NOTHING or text.startswith(OLDER) for text in self.receipt.news)


@dataclass
class Taking:
    """One run of `receive`.

    `used` are the letters that were of use, `names` what was typed for each, `seen` counts them;
    `unsure` waits for an answer of the owner, while a bar is `drawn`; `named`: a letter was named
    itself, and is answered whatever is in it; `logs` are those that short forms were compared with.
    """

    session: Session
    newest: bool = False
    take: bool = False
    intake: Intake = field(default_factory=Intake)
    taken: list[Taken] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failures: list[tuple[str, MbpError]] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    unsure: list[tuple[str, bytes]] = field(default_factory=list)
    logs: dict[str, Sequence[Entry]] = field(default_factory=dict)
    drawn: bool = False
    named: bool = False

    def read(self, letters: Iterable[Arrival], total: int) -> None:
        """Looks into all letters and sorts what is in them."""
        with self._progress("reading mails", total) as step:
            for arrival in letters:
                self._read(arrival)
                step()
                if self.intake.size > MOST_WAITING:
                    self._take_files()

    def _read(self, arrival: Arrival) -> None:
        label = arrival.label
        self.names[label] = arrival.name
        self.named |= arrival.named
        self.seen["letters"] += 1
        if arrival.trouble is not None:
            self.failures.append((label, arrival.trouble))
            return
        letter = read_letter(arrival.data)
        if letter.kind in ("reply", "bounce"):
            if (
                arrival.named or letter.finds or OWN_MAIL in arrival.data
            ):  # else it is not of a game
                self.notes.append(self._of_program(letter, label))
            return
        finds = letter.finds
        if not finds and arrival.named:
            finds = (
                Find("the letter", arrival.data[:LARGEST], trouble=_empty(letter, arrival.data)),
            )
        self.seen["empty"] += not finds and arrival.name != FETCHED
        for find in finds:
            self.intake.add(label, find)

    def _of_program(self, letter: Letter, label: str) -> str:
        where = "" if self.seen["letters"] == 1 else f"{label}: "
        if letter.kind == "reply":
            return where + REPLY
        status = f" ({letter.status})" if letter.status else ""
        games = sorted({find.short.game[:8] for find in letter.finds if find.short})
        resend = f"; to send it again: mbp resend {games[0]}" if len(games) == 1 else ""
        return f"{where}{BOUNCE}{status}{resend}"

    def work(self) -> None:
        """Takes in all that was found: whole files first, then short forms."""
        self._take_files()
        shorts = self._early_first(self.intake.sorted_shorts())
        with self._progress("receiving short forms", len(shorts)) as step:
            for label, short in shorts:
                self._guarded(label, partial(self._short, label, short))
                step()
        self._take_held()
        self.failures += self.intake.troubles
        for label, data in self.unsure:  # now that no bar is in the way of a question
            self._guarded(label, partial(self._receive, label, data))

    def _early_first(self, shorts: Iterable[tuple[str, Short]]) -> list[tuple[str, Short]]:
        """Those behind a gap first, then the others as they follow each other.

        What is kept aside may follow an own entry that this home does not know any more; then
        nothing must be signed in the place of that one (protocol 4.3).
        """
        ends: dict[str, int] = {}  # by game, the seq behind what is known or comes
        early, others = [], []
        for label, short in shorts:
            if short.game not in ends:
                ends[short.game] = len(known_log(self.session.home, short))
            end = ends[short.game]
            if 0 < end < short.first:
                early.append((label, short))
            else:
                others.append((label, short))
                ends[short.game] = max(end, short.last + 1)
        return [*early, *others]

    def _take_files(self) -> None:
        """Takes in the whole files that were found so far."""
        families = self.intake.take_families()
        with self._progress("receiving matches", len(families)) as step:
            for family in families:
                self._family(family)
                step()

    def _take_held(self) -> None:
        """Takes in invitations that were dated ahead of the clock, once their time has come."""
        home, latest = self.session.home, self.session.now() + TOLERANCE
        for game_id in home.held_invitations():
            data = home.held(game_id)
            if data and parse_time(load_game(data).log[0].tree["time"]) <= latest:
                label = f"what came before of match {game_id[:8]}"
                self.names[label] = game_id[:8]
                self._guarded(label, partial(self._receive, label, data))

    @contextmanager
    def _progress(self, title: str, total: int) -> Iterator[Steps]:
        if total <= FEW:
            yield lambda count=1: None
            return
        with self.session.terminal.progress(title, total) as step:
            self.drawn = True
            yield step
        self.drawn = False

    def _guarded(self, label: str, act: Callable[[], None]) -> bool:
        """Does it for a letter; whether it went well."""
        try:
            act()
        except MbpError as failure:
            self.failures.append((label, failure))
            return False
        self.used.add(label)
        return True

    def _family(self, family: Family) -> None:
        """Receives the longest file that holds, and what may have more than a log."""
        done = False
        tried = set()
        for member, data in family.newest_first():
            if not done or member.has_extras:
                tried.add((member.cut, member.tail))
                done |= self._guarded(member.label, partial(self._receive, member.label, data))
        if done:  # the others were beginnings of it
            others = [one for one in family.members if (one.cut, one.tail) not in tried]
            self.used.update(one.label for one in others)

    def _short(self, label: str, short: Short) -> None:
        if (self.taken or self.seen["letters"] > 1) and self._knows(short):
            return
        joined = join(self.session.home, short)
        if isinstance(joined, Early):
            self.notes.append(joined.note)
            return
        self._receive(label, joined)

    def _knows(self, short: Short) -> bool:
        """Whether it is known already; a log is looked at again where it had been too short."""
        if not is_known(self.logs.get(short.game, ()), short):
            self.logs[short.game] = known_log(self.session.home, short)
        return is_known(self.logs[short.game], short)

    def _receive(self, label: str, data: bytes) -> None:
        """Receives a game file, then what had waited for it. Raises MbpError."""
        desk, home = self.session.desk, self.session.home
        self.session.subject = self.names[label]
        record = load_game(data)
        game_id = record.game_id
        memory = home.remembered(game_id)
        known = load_game(memory).log if memory else ()
        try:
            receipt = desk.receive(data, self._origin(label), newest=self.newest, take=self.take)
        except UnsureError as failure:
            if self.drawn and self.session.terminal.interactive:
                self.unsure.append((label, data))
                return
            receipt = self._asked(label, data, failure)
        if home.remembered(game_id) is None:  # an invitation that is held back
            self.notes += receipt.news
            return
        self.taken.append(Taken(known, receipt))
        for name, short in waiting(home, game_id):
            self._receive_waiting(label, game_id, name, short)

    def _receive_waiting(self, label: str, game_id: str, name: str, short: Short) -> None:
        """Receives entries that had come early; those that do not hold are left out."""
        home, entries = self.session.home, f"entries {short.first}-{short.last}"
        try:
            joined = join(home, short)
            if isinstance(joined, Early):
                return
            home.drop_aside(game_id, name)
            self._receive(label, joined)
        except (FormatError, VerificationError) as failure:
            home.drop_aside(game_id, name)
            self.notes.append(f"{entries} had come before, and are left out: {failure}")
        else:
            self.notes.append(f"{entries} had come before: joined")

    def _origin(self, label: str) -> Path | None:
        name = self.names[label]
        return None if name == "-" else self.session.path(name)

    def _asked(self, label: str, data: bytes, failure: UnsureError) -> Receipt:
        """Asks the owner whether this is the newest state."""
        terminal = self.session.terminal
        if not terminal.interactive:
            raise failure
        terminal.say(str(failure))
        if not terminal.confirm("is this the newest state of the match?", failure.hint):
            raise failure
        return self.session.desk.receive(data, self._origin(label), newest=True, take=self.take)

    def by_match(self) -> list[Taken]:
        """What was taken in, once for each match, all its news together."""
        found: dict[str, Taken] = {}
        for one in self.taken:
            game_id, receipt = one.receipt.match.id, one.receipt
            first = found.get(game_id)
            if first is not None:
                news = [*first.receipt.news, *receipt.news]
                told = [text for text in dict.fromkeys(news) if text != NOTHING] or [NOTHING]
                receipt, one = replace(receipt, news=tuple(told)), first
            found[game_id] = replace(one, receipt=receipt)
        return list(found.values())

    def close(self) -> int:
        """Says what could not be used; the exit code. Raises what was wrong with the only one."""
        worst = 0
        for label, failure in self.failures:
            if label in self.used:
                self.session.terminal.say(f"left out: {failure}")
            elif self.seen["letters"] == 1:
                raise failure
            else:
                self.session.subject = self.names[label]
                self.session.terminal.say(f"{label}:")
                worst = max(worst, report(failure, self.session))
        if self.seen["empty"]:
            what = "letter" if self.seen["empty"] == 1 else "letters"
            self.session.terminal.say(f"{self.seen['empty']} {what} without a game")
        return worst


def _empty(letter: Letter, data: bytes) -> FormatError | None:
    """Why there is no game in a letter that was named; None where the format tells it better."""
    if letter.kind != "file":
        hint = "save what was attached, or ask for the game file"
        return FormatError("there is no game in this mail", hint=hint)
    if not data.strip():
        return FormatError("nothing came", hint="name the mail, or pipe or paste all of it")
    if SHORT_END in data:
        hint = "copy it from the line [BEGIN MBP to the line [END MBP"
        return FormatError("the short form: its first line is missing", hint=hint)
    if b"mbp" not in data:
        return FormatError("there is no game in it", hint="take all of the mail, or the attachment")
    return None
