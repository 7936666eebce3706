"""Looking at matches: finding, reading and verifying them. Writes nothing but the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from mbp.chain import Entry, Record, prefix_digest
from mbp.desk import words
from mbp.desk.histories import Choice, choose, hold_back
from mbp.desk.shelf import find_game, game_files, load_game, read_bytes
from mbp.errors import MbpError, NoSuchGameError
from mbp.home import Home
from mbp.keys import Identity
from mbp.match import Match, replay, secret_of
from mbp.rules.contract import Seat


@dataclass(frozen=True)
class World:
    """Clock and randomness, which enter at the top and are handed down."""

    now: Callable[[], datetime]
    randomness: Callable[[int], bytes]


@dataclass(frozen=True)
class Opened:
    """A verified match as it stands for this home.

    `seat` is the own one, None for a stranger; `notes` are sentences about what was found;
    `looked` is the seq that `show` has shown last (-1: none).
    """

    path: Path
    match: Match
    seat: Seat | None
    notes: tuple[str, ...]
    looked: int


@dataclass(frozen=True)
class Found:
    """What bytes hold (`given`), beside the newest state that the home remembers (`known`).

    `held` is the first entry that is ahead of the clock: `given` ends before it. `dropped` says
    which items beside the log do not hold.
    """

    given: Match
    known: Match | None
    choice: Choice | None
    held: Entry | None
    dropped: tuple[str, ...]

    @property
    def match(self) -> Match:
        """The state that stands."""
        return self.given if self.choice is None else self.choice.match

    @property
    def notes(self) -> tuple[str, ...]:
        """All of it in words."""
        said = () if self.choice is None else words.choice_notes(self.choice)
        return (*self.dropped, *words.held_note(self.held), *said)


@dataclass(frozen=True)
class Status:
    """The games of this home: the own ones, those to play first; the others are only counted."""

    mine: tuple[Opened, ...]
    others: int
    troubles: tuple[str, ...]


class Reader:
    """A home, a games folder, and the world; `ask` asks for the passphrase, if there is one."""

    def __init__(self, home: Home, games: Path, world: World, ask: Callable[[], str]) -> None:
        self.home = home
        self.games = games
        self.world = world
        self._ask = ask
        self._identity: Identity | None = None

    def find(self, what: str) -> Path:
        """The file that FILE means. Raises NoSuchGameError."""
        me = self.home.profile().key if self.home.has_identity else ""
        names = {contact.key: contact.name for contact in self.home.contacts()}
        return find_game(self.games, what, me, names)

    def open(self, path: Path) -> Opened:
        """Reads and verifies a match, and compares it with what the home remembers.

        Of two histories the known one is shown, and said so. Raises NoSuchGameError, FormatError,
        VerificationError.
        """
        found = self.look(self.read(path))
        facts = self.home.facts(found.match.id)
        return Opened(path, found.match, self._seat(found.match), found.notes, facts.looked)

    def read(self, path: Path) -> bytes:
        """The bytes of a match file; where it is gone, those that the home remembers of it.

        Raises NoSuchGameError, MbpError.
        """
        try:
            return read_bytes(path)
        except NoSuchGameError:
            memory = self._remembered_at(path)
            if memory is None:
                raise
            return memory

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
        given, held = hold_back(given, len(known.log) if known else 0, self.world.now())
        choice = None if known is None or known is given else choose(known, given)
        return Found(given, known, choice, held, dropped)

    def secrets(self, match: Match) -> dict[Seat, int]:
        """The card secrets that this home knows of a match: disclosed ones and the own."""
        found = match.disclosed_secrets()
        seat = self._seat(match)
        if seat is not None and seat not in found and match.game.copies:
            found[seat] = secret_of(match.position, seat, self.identity())
        return found

    def mark_looked(self, opened: Opened) -> None:
        """Remembers what `show` has shown to the own seat."""
        if opened.seat is None or opened.looked == len(opened.match.log) - 1:
            return
        with self.home.lock():
            facts = self.home.facts(opened.match.id)
            looked = len(opened.match.log) - 1
            self.home.set_facts(opened.match.id, replace(facts, looked=looked))

    def status(self) -> Status:
        """The games of the games folder, and those the home remembers elsewhere."""
        paths = {path.resolve(): path for path in game_files(self.games)}
        for game_id in self.home.all_remembered():
            where = self.home.facts(game_id).path
            if where and Path(where).exists():
                paths.setdefault(Path(where).resolve(), Path(where))
        mine, others, troubles = [], 0, []
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
            else:
                mine.append(opened)
        mine.sort(key=lambda game: (game.match.pen is None, game.match.pen != game.seat))
        return Status(tuple(mine), others, tuple(troubles))

    def identity(self) -> Identity:
        """The own identity; asks for its passphrase once, if it has one."""
        if self._identity is None:
            self._identity = self.home.identity(self._ask)
        return self._identity

    def _player(self) -> dict[str, str]:
        profile = self.home.profile()
        mail = {"mail": profile.mail} if profile.mail else {}
        return {"name": profile.name, "key": profile.key, **mail}

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
