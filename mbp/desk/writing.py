"""Writing matches: locks, memory, signatures, and what must not be signed (protocol 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mbp import gamefile
from mbp.desk import words
from mbp.desk.choices import clean_note
from mbp.desk.histories import settled_by, with_few_settlements
from mbp.desk.kept import facts_of
from mbp.desk.looking import Found, Opened, Reader
from mbp.desk.shelf import fits_game
from mbp.errors import (
    ForkError,
    KeyringError,
    MbpError,
    NoSuchGameError,
    TurnError,
    UnsureError,
)
from mbp.files import make_folder, read_if_there, write_atomic
from mbp.home import lock_folder
from mbp.match import Match, Pen
from mbp.match.sentences import sentence
from mbp.rules.contract import Seat

NOTHING = "nothing new"
UNDECIDED = ("begin", "deal")  # entries that need no decision: the desk writes them by itself


@dataclass(frozen=True)
class Receipt:
    """What a command made of a match; `news` are sentences on what happened."""

    path: Path
    match: Match
    seat: Seat | None
    news: tuple[str, ...]


class Writer(Reader):
    """A reader who may write. Every command holds `_writing` from reading to writing."""

    @contextmanager
    def _writing(self, folder: Path, *, make: bool = False) -> Iterator[None]:
        """Keeps other processes out: of this home first, then of the folder of the game file.

        `make`: the folder may be new. Raises NoSuchGameError, MbpError.
        """
        if self.home.has_identity:
            self.identity()  # its passphrase is asked for before anything is locked
        if make:
            make_folder(folder)
        elif not folder.is_dir():
            raise NoSuchGameError(f"there is no folder {folder}", hint=f"make it: mkdir {folder}")
        with self.home.lock(), lock_folder(folder):
            yield

    def _pen(self) -> Pen:
        return Pen(self.identity(), self.world.now(), self.world.randomness)

    def _keep(self, path: Path, match: Match, *, move: bool = True, over: bool = True) -> None:
        """Writes memory first, then the game file (never over one that is not this game's).

        `over` False leaves a file that is there: it goes on with an entry that is held back.
        """
        data, memory, there = (
            gamefile.dump(with_few_settlements(match).record),
            self.home.remembered(match.id),
            read_if_there(path),
        )
        if there not in (None, memory, data) and not fits_game(path, match.id):
            raise MbpError(f"{path} is another file, it stays as it is", hint="name one with -o")
        if len(data) > gamefile.MAX_SIZE:
            raise MbpError("the match has grown to what a game file can hold", hint=words.FULL)
        if memory != data:
            self.home.remember(match.id, data)
            self._note_verified(match, 0)
        facts = facts_of(self.home, match.id)
        if move and facts.path != str(path.absolute()):
            self.home.set_facts(match.id, replace(facts, path=str(path.absolute())))
        if there is None or (over and there != data):
            write_atomic(path, data)

    def _signed(self, match: Match, seat: Seat, act: str, note: str = "", offer: str = "") -> Match:
        """The match with the own next entry. The caller holds the newest state that is known."""
        facts = facts_of(self.home, match.id)
        if facts.barred:
            raise ForkError("you have answered in another history of this match", hint=words.BARRED)
        if facts.forked:
            raise ForkError(
                "your opponent has signed two histories of this match; nothing more is signed",
                hint=words.FORKED_HINT.format(
                    folder=self.home.evidence_folder(match.id), path=facts.path or "FILE"
                ),
            )
        return match.played(seat, act, self._pen(), clean_note(note), offer)

    def _write_undecided(self, match: Match, seat: Seat | None, news: list[str]) -> Match:
        """Writes the entries that need no decision, as long as the pen is the own (7.1)."""
        while seat is not None and match.pen == seat and match.position.duty in UNDECIDED:
            if match.position.duty == "begin":
                self._meet(match, "B", news)
            match = self._signed(match, seat, match.position.duty)
            news.append(f"you: {sentence(match.moments[-1], self.names(match))}")
        return match

    def _meet(self, match: Match, seat: Seat, news: list[str]) -> None:
        """Remembers whose key the opponent's is, at the first meeting. Raises KeyringError."""
        player = match.players[seat]
        if self.home.contact_of(player.key_text) is None:
            contact = self.home.remember_contact(player.name, player.key_text, player.mail)
            news.append(f"{contact.name} is a contact now: compare fingerprints with mbp contacts")

    def _current(self, path: Path) -> tuple[Opened, Seat]:
        """The newest state of a match, about to be continued by the own seat.

        Raises KeyringError for a match of others, UnsureError where only the owner can tell whether
        it is the newest state, ForkError for two histories, TurnError while an entry is held back.
        """
        found = self._with_held(self.look(self.read(path)))
        match, seat = found.match, self._seat(found.match)
        if seat is None:
            raise KeyringError(
                "your key does not play in this match", hint="accept an invitation: mbp join FILE"
            )
        if found.held is not None:
            raise TurnError(*found.late)
        self._refuse_unsure(found, seat)
        self._refuse_split(found)
        self._bring_up_to_date(path, found)
        return Opened(path, match, seat, found.notes, self.home.facts(match.id).looked), seat

    def _bring_up_to_date(self, path: Path, found: Found) -> None:
        """Writes what the home knows over an older copy of it, whatever the command comes to.

        A command killed between memory and file leaves such a copy; who is told that it is not his
        turn must not send that one.
        """
        if found.choice is not None and found.choice.relation.kind == "newer":
            self._keep(path, found.match, move=False)

    def _refuse_unsure(self, found: Found, seat: Seat | None) -> None:
        """Raises UnsureError where the own key has signed and the home knows nothing of it."""
        if found.known is None and any(entry.by == seat for entry in found.given.log):
            raise UnsureError(
                "your key has already signed in this match, and this home has no memory of it",
                hint="if this is the newest state: mbp receive FILE --newest",
            )

    def _refuse_split(self, found: Found) -> None:
        """Keeps two histories, twins too, as evidence. Raises ForkError where there are two.

        A fork by the opponent stops all signing until the owner decides; once decided, it stops
        nothing when it comes again.
        """
        if found.known is None or found.choice is None:
            return
        known, relation = found.known, found.choice.relation
        if relation.kind not in ("twins", "fork", "authors") or self._is_settled(found):
            return
        given, seat = gamefile.dump(found.given.record), self._seat(known)
        kept = [read_if_there(path) for path in self.home.evidence(known.id)]
        if relation.kind == "fork" and seat not in (None, relation.by) and given not in kept:
            self._set_facts(known.id, forked=True)  # first: what is kept counts as decided
        name = f"{relation.kind}-{relation.seq}"
        self.home.keep_evidence(known.id, f"{name}-known.mbp.yaml", gamefile.dump(known.record))
        self.home.keep_evidence(known.id, f"{name}-given.mbp.yaml", given)
        if found.choice.split:
            folder = self.home.evidence_folder(known.id)
            hint = words.SPLIT_HINT.format(folder=folder, known=known.id[:8])
            raise ForkError(words.split_words(found.choice, seat), hint=hint)

    def _is_settled(self, found: Found) -> bool:
        """Whether the owner has signed that the known history stands, not the given one (9.6)."""
        known = found.known
        return known is not None and self._seat(known) in settled_by(known, found.given.log)

    def _set_facts(self, game_id: str, **changes: Any) -> None:
        """Changes what the home knows of a game, by the fields of `Facts`."""
        facts = facts_of(self.home, game_id)
        now = replace(facts, **changes)
        if now != facts:
            self.home.set_facts(game_id, now)

    def _finish(self, opened: Opened, seat: Seat, match: Match, output: Path | None) -> Receipt:
        """Writes what is due behind the own entry, keeps everything, and tells it."""
        news = [*opened.notes, *words.new_moves(opened.match, match, seat, self.names(match))]
        match = self._write_undecided(match, seat, news)
        self._keep(output or opened.path, match, move=output is None)
        return Receipt(output or opened.path, match, seat, tuple(news))
