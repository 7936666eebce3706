"""Looking at matches: finding, reading and verifying them. Writes nothing but the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from mbp.chain import Entry, Record, compare, prefix_digest
from mbp.desk import words
from mbp.desk.histories import Choice, choose, hold_back
from mbp.desk.kept import Halt, facts_of, halt_of
from mbp.desk.shelf import (
    check_game_file,
    fitting_games,
    game_files,
    is_path,
    load_game,
    read_bytes,
    records,
    the_one,
)
from mbp.errors import MbpError, NoSuchGameError
from mbp.files import read_if_there
from mbp.home import Home
from mbp.keys import Identity
from mbp.match import Match, replay, secret_of
from mbp.rules.contract import Seat
from mbp.times import format_time, parse_time


@dataclass(frozen=True)
class World:
    """Clock and randomness, which enter at the top and are handed down.

    `tell_time` writes a moment for the owner to read.
    """

    now: Callable[[], datetime]
    randomness: Callable[[int], bytes]
    tell_time: Callable[[datetime], str] = format_time


@dataclass(frozen=True)
class Opened:
    """A verified match as it stands for this home.

    `path` is where its newest state lies, as far as that is known. `seat` is the own one, None for
    a stranger; `notes` are sentences about what was found; `looked` is the seq that `show` has
    shown last (-1: none).
    """

    path: Path
    match: Match
    seat: Seat | None
    notes: tuple[str, ...]
    looked: int


@dataclass(frozen=True)
class Found:
    """What bytes hold (`given`), beside the newest state that the home remembers (`known`).

    `held` is the first entry that is ahead of the clock: `given` ends before it, and `late` says
    so. `dropped` says which items beside the log do not hold. `seat` is the own one, `names` are
    what the owner calls the players.
    """

    given: Match
    known: Match | None
    choice: Choice | None
    held: Entry | None
    dropped: tuple[str, ...]
    late: tuple[str, ...] = ()
    seat: Seat | None = None
    names: Mapping[Seat, str] = field(default_factory=dict)

    @property
    def settled(self) -> bool:
        """Whether there are two histories, and the owner has signed that the known one stands."""
        choice = self.choice
        if choice is None or not choice.split:
            return False
        return self.seat in choice.match.settled_over(self.given.log)

    @property
    def match(self) -> Match:
        """The state that stands."""
        return self.given if self.choice is None else self.choice.match

    @property
    def notes(self) -> tuple[str, ...]:
        """All of it in words."""
        said: tuple[str, ...] = ()
        if self.choice is not None:
            said = words.choice_notes(self.choice, self.seat, self.names, settled=self.settled)
        return (*self.dropped, *self.late, *said)


@dataclass(frozen=True)
class Status:
    """The games of this home: the own ones, those to play first; the others are only counted.

    Among the others, `invitations` are those that the own key may accept.
    """

    mine: tuple[Opened, ...]
    others: int
    troubles: tuple[str, ...]
    invitations: tuple[Opened, ...] = ()


class Reader:
    """A home, a games folder, and the world; `ask` asks for the passphrase, if there is one."""

    def __init__(self, home: Home, games: Path, world: World, ask: Callable[[], str]) -> None:
        self.home = home
        self.games = games
        self.world = world
        self._ask = ask
        self._identity: Identity | None = None

    def find(self, what: str) -> Path:
        """The file that FILE means: in the games folder, or where the home remembers a game.

        Where several fit, the one that goes on; else an invitation of one's own that waits for its
        guest, else those that are over. Raises NoSuchGameError.
        """
        if is_path(what):
            return Path(what)
        me = self.home.profile().key if self.home.has_identity else ""
        names = {contact.key: contact.name for contact in self.home.contacts()}
        fits = fitting_games(self._shelf(), what, me, names)
        if len(fits) > 1:
            ranks = {path: self._rank(path) for path in fits}
            first = min(ranks.values())
            fits = {path: record for path, record in fits.items() if ranks[path] == first}
        return the_one(self.games, what, fits)

    def _shelf(self) -> Iterator[tuple[Path, Record]]:
        """Each game of the games folder or of the memory once: where its newest state lies."""
        remembered = {}
        for game_id in self.home.all_remembered():
            if where := self.home.facts(game_id).path:
                remembered[game_id] = Path(where)
        seen = set()
        for path, record in records(self.games):
            place = remembered.get(record.game_id, path)
            seen.add(record.game_id)
            yield place if place.exists() else path, record
        for game_id, path in remembered.items():
            data = None if game_id in seen else self.home.remembered(game_id)
            if data is not None:
                with suppress(MbpError):  # what is damaged fits nothing
                    yield path, load_game(data)

    def _rank(self, path: Path) -> int:
        """How little a game is meant where nothing but its opponent was named: 0 goes on."""
        try:
            opened = self.open(path)
        except MbpError:
            return 2
        if opened.match.outcome is not None:
            return 2
        return int(opened.match.position.duty == "accept" and opened.seat == "A")

    def open(self, path: Path) -> Opened:
        """Reads and verifies a match, and compares it with what the home remembers.

        Of two histories the known one is shown, and said so. Raises NoSuchGameError, FormatError,
        VerificationError.
        """
        found = self._with_held(self.look(self.read(path)))
        facts, notes = self.home.facts(found.match.id), found.notes
        if found.choice is not None and found.choice.relation.kind == "newer":
            newest = Path(facts.path or path)
            if newest != path.absolute() and self._holds(newest, found.match):
                path, notes = newest, (*notes, f"the newest is {newest}")
        return Opened(path, found.match, found.seat, notes, facts.looked)

    def _with_held(self, found: Found) -> Found:
        """What was held back for its date, once that has come, where it goes on from `found`.

        Of two histories neither is passed over for it.
        """
        data = self.home.held(found.match.id)
        if data is None or found.held is not None or (found.choice and found.choice.split):
            return found
        later = self.look(data)
        goes_on = compare(found.match.log, later.match.log).kind == "older"
        return later if later.held is None and goes_on else found

    def _holds(self, path: Path, match: Match) -> bool:
        """Whether the file has the newest entry of the match."""
        data = read_if_there(path)
        return data is not None and load_game(data).log == match.log

    def halt(self, match: Match) -> Halt | None:
        """Why the own seat signs nothing in a match, None where nothing stops it. Raises MbpError.

        The match is the newest state that is known, or goes on from it.
        """
        return halt_of(self.home, match, self._seat(match))

    def names(self, match: Match) -> dict[Seat, str]:
        """What the owner calls the players: as contacts, else as they call themselves."""
        known = {contact.key: contact.name for contact in self.home.contacts()}
        return {
            seat: known.get(player.key_text, player.name) for seat, player in match.players.items()
        }

    def read(self, path: Path) -> bytes:
        """The bytes of a match file; where it is gone, those that the home remembers of it.

        Raises NoSuchGameError, FormatError that names the file, MbpError.
        """
        try:
            data = read_bytes(path)
        except NoSuchGameError:
            memory = self._remembered_at(path)
            if memory is None:
                raise
            return memory
        check_game_file(path, data)
        return data

    def _remembered_at(self, path: Path) -> bytes | None:
        for game_id in self.home.all_remembered():
            if self.home.facts(game_id).path == str(path.absolute()):
                return self.home.remembered(game_id)
        return None

    def look(self, data: bytes) -> Found:
        """Verifies the bytes of a game file and compares them with the memory. Raises as `open`."""
        record = load_game(data)
        memory = self.home.remembered(record.game_id)
        given, dropped, known = self._compared(record, load_game(memory) if memory else None)
        seat = self._seat(given)
        given, held = hold_back(given, known.log if known else (), seat, self.world.now())
        choice = None if known is None or known is given else choose(known, given)
        time = self.world.tell_time(parse_time(held.tree["time"])) if held else ""
        late = words.held_note(held, time)
        return Found(given, known, choice, held, dropped, late, seat, self.names(given))

    def secrets(self, match: Match) -> dict[Seat, int]:
        """The card secrets that this home knows of a match: disclosed ones and the own."""
        found = match.disclosed_secrets()
        seat = self._seat(match)
        if seat is not None and seat not in found and match.game.copies:
            found[seat] = secret_of(match.position, seat, self.identity())
        return found

    def mark_looked(self, opened: Opened) -> None:
        """Remembers what `show` has shown to the own seat, unless another process is writing."""
        if opened.seat is None or opened.looked == len(opened.match.log) - 1:
            return
        with ExitStack() as held:
            try:
                held.enter_context(self.home.lock(patience=0))
            except MbpError:
                return
            facts = facts_of(self.home, opened.match.id)
            looked = len(opened.match.log) - 1
            self.home.set_facts(opened.match.id, replace(facts, looked=looked))

    def status(self) -> Status:
        """The games of the games folder, and those the home remembers elsewhere."""
        paths = {path.resolve(): path for path in game_files(self.games)}
        for game_id in self.home.all_remembered():
            where = self.home.facts(game_id).path
            if where and Path(where).exists():
                paths.setdefault(Path(where).resolve(), Path(where))
        mine, others, troubles, invitations = [], 0, [], []
        seen = set()
        for path in paths.values():
            try:
                opened = self.open(path)
            except MbpError as error:
                troubles.append(f"{path.name}: {error}")
                continue
            if opened.match.id in seen:
                continue
            seen.add(opened.match.id)
            if opened.seat is None:
                others += 1
                if self.may_accept(opened.match):
                    invitations.append(opened)
            else:
                mine.append(opened)
        mine.sort(key=lambda game: (game.match.pen is None, game.match.pen != game.seat))
        return Status(tuple(mine), others, tuple(troubles), tuple(invitations))

    def may_accept(self, match: Match) -> bool:
        """Whether it is an invitation that the own key may accept."""
        me = self.home.profile().key if self.home.has_identity else ""
        return match.position.duty == "accept" and match.position.guest in ("", me)

    def identity(self) -> Identity:
        """The own identity; asks for its passphrase once, if it has one."""
        if self._identity is None:
            self._identity = self.home.identity(self._ask)
        return self._identity

    def _player(self) -> dict[str, str]:
        profile = self.home.profile()
        mail = {"mail": profile.mail} if profile.mail else {}
        return {"name": profile.name, "key": profile.key, **mail}

    def seat_in(self, match: Match) -> Seat | None:
        """The seat that the own key plays in a match, None where it plays none."""
        return self._seat(match)

    def _seat(self, match: Match) -> Seat | None:
        if not self.home.has_identity:
            return None
        key = self.home.profile().key
        return next((s for s, player in match.players.items() if player.key_text == key), None)

    def _verify(self, record: Record) -> tuple[Match, tuple[str, ...]]:
        """Replays a record; skips proofs of a prefix that the cache holds, of exactly these bytes.

        Returns the match, and why items beside its log were dropped.
        """
        count, digest = self.home.verified(record.game_id) or (0, "")
        trusted = 0 < count <= len(record.log) and prefix_digest(record.log, count) == digest
        match = replay(record, verified=count if trusted else 0)
        self._note_verified(match, count if trusted else 0)
        match, dropped = match.with_extras(record)
        return match, _said(dropped)

    def _note_verified(self, match: Match, known: int) -> None:
        if len(match.log) > known and self.home.root.is_dir():
            digest = prefix_digest(match.log, len(match.log))
            self.home.set_verified(match.id, len(match.log), digest)

    def _compared(
        self, record: Record, memory: Record | None
    ) -> tuple[Match, tuple[str, ...], Match | None]:
        """The match that a record holds, why items beside its log were dropped, the known match.

        Mostly one log is the beginning of the other, sig for sig: then one replay is both.
        """
        if memory is None or memory == record:
            given, dropped = self._verify(record)
            return given, dropped, None if memory is None else given
        shared = min(len(record.log), len(memory.log))
        if record.log[:shared] != memory.log[:shared]:
            # The known state first, for the cache ends with it.
            known = self._verify(memory)[0]
            return *self._verify(record), known
        if shared == len(memory.log):
            given, dropped = self._verify(record)
            return given, dropped, given.at(shared - 1).with_extras(memory)[0]
        known = self._verify(memory)[0]
        given, reasons = known.at(shared - 1).with_extras(record)
        return given, _said(reasons), known


def _said(dropped: Iterable[str]) -> tuple[str, ...]:
    """What is said of items that were dropped."""
    return tuple(f"left out: {reason}" for reason in dropped)
