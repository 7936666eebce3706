"""Writing matches: locks, memory, signatures, and what must not be signed (protocol 4.3)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mbp import gamefile
from mbp.chain import compare
from mbp.desk import words
from mbp.desk.choices import clean_note
from mbp.desk.histories import SPLIT, answers
from mbp.desk.kept import facts_of, halt_of, kept_records
from mbp.desk.looking import Found, Opened, Reader
from mbp.desk.shelf import find_by_id, fits_game, load_game
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
from mbp.match.settled import few
from mbp.rules.contract import Seat, other

MOST_KEPT = 50  # histories of a match; more are kept only for what the own key has done in them
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
        if self.home.keeps(path):
            hint = "take it in with mbp receive, or name a file with -o"
            raise MbpError(f"{path} belongs to what your home keeps, it stays as it is", hint=hint)
        there = read_if_there(path)
        known = there is None or there == self.home.remembered(match.id)
        if not known and not fits_game(path, match.id):
            raise MbpError(f"{path} is another file, it stays as it is", hint="name one with -o")
        data = self._stand(match)
        facts = facts_of(self.home, match.id)
        if move and facts.path != str(path.absolute()):
            self.home.set_facts(match.id, replace(facts, path=str(path.absolute())))
        if there is None or (over and there != data):
            write_atomic(path, data)

    def _own_file(self, game_id: str) -> Path | None:
        """Where the file of a game lies, as the home remembers it or the games folder has it."""
        where = self.home.facts(game_id).path
        if where and Path(where).parent.is_dir() and fits_game(Path(where), game_id):
            return Path(where)
        return find_by_id(self.games, game_id)

    def _stand(self, match: Match) -> bytes:
        """Makes a match the one that stands, and returns its bytes: the only way to do so.

        Whatever led to it (taken, settled, merged by git, restored), what stood is kept for ever
        where this one does not go on from it. `halt_of` counts what is kept: an own answer in there
        bars signing in this one (4.3).
        """
        match = replace(match, settled=few(match.settled, self._seat(match)))
        data, memory = gamefile.dump(match.record), self.home.remembered(match.id)
        if len(data) > gamefile.MAX_SIZE:
            raise MbpError("the match has grown to what a game file can hold", hint=words.FULL)
        if memory == data:
            return data
        if memory is not None:
            stood = [entry.id for entry in load_game(memory).log]
            if stood != [entry.id for entry in match.log[: len(stood)]]:
                self.home.keep_evidence(match.id, f"stood-{len(stood) - 1}.mbp.yaml", memory)
        self.home.remember(match.id, data)
        self._note_verified(match, 0)
        return data

    def _signed(self, match: Match, seat: Seat, act: str, note: str = "", offer: str = "") -> Match:
        """The match with the own next entry. The caller holds the newest state that is known."""
        self._refuse_halted(match, seat)
        return match.played(seat, act, self._pen(), clean_note(note), offer)

    def _refuse_halted(self, match: Match, seat: Seat) -> None:
        """Raises ForkError or UnsureError where the own seat must not sign (`kept.Halt`)."""
        halt = halt_of(self.home, match, seat)
        if halt is None:
            return
        rival = self.names(match).get(other(seat), "your opponent")
        path = shlex.quote(facts_of(self.home, match.id).path or "FILE")
        message, hint = words.halt_words(halt, rival, path)
        raise (UnsureError if halt.why == "early" else ForkError)(message, hint=hint)

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
        data = self.read(path)
        if (crossed := self._release(load_game(data).game_id)) is not None:
            raise crossed
        found = self.look(data)
        match, seat = found.match, found.seat
        if seat is None:
            raise KeyringError(
                "your key does not play in this match", hint="accept an invitation: mbp join FILE"
            )
        if found.held is not None:
            raise TurnError(*found.late)
        self._refuse_unsure(found, path)
        self._refuse_split(found, path)
        self._bring_up_to_date(path, found)
        return Opened(path, match, seat, found.notes, self.home.facts(match.id).looked), seat

    def _bring_up_to_date(self, path: Path, found: Found) -> None:
        """Writes what the home knows over an older copy of it, whatever the command comes to.

        A command killed between memory and file leaves such a copy; who is told that it is not his
        turn must not send that one.
        """
        if found.choice is not None and found.choice.relation.kind == "newer":
            self._keep(path, found.match, move=False)

    def _refuse_unsure(self, found: Found, path: Path | None) -> None:
        """Raises UnsureError where the own key has signed and the home knows nothing of it."""
        if found.known is None and any(entry.by == found.seat for entry in found.given.log):
            place = "FILE" if path is None else shlex.quote(str(path))
            raise UnsureError(
                "your key has already signed in this match, and this home has no memory of it",
                hint=f"if this is the newest state: mbp receive {place} --newest",
            )

    def _refuse_split(self, found: Found, path: Path | None = None) -> None:
        """Keeps two histories, twins too, as evidence. Raises ForkError where there are two.

        A fork by the opponent stops all signing until the owner decides; once decided, it stops
        nothing when it comes again; where he has settled, it is kept and goes by. `path` holds the
        given history.
        """
        known, choice, seat = found.known, found.choice, found.seat
        if known is None or choice is None or choice.relation.kind not in ("twins", *SPLIT):
            return
        relation = choice.relation
        foul = relation.kind == "fork" and seat not in (None, relation.by)
        if foul and not found.settled and not self._is_kept(found.given):
            self._set_facts(known.id, forked=True)  # first: what is kept counts as decided
        name = f"{relation.kind}-{relation.seq}"
        data = gamefile.dump(found.given.record)
        self.home.keep_evidence(known.id, f"{name}-known.mbp.yaml", gamefile.dump(known.record))
        kept = self.home.evidence_folder(known.id)
        enough = len(self.home.evidence(known.id)) >= MOST_KEPT
        if not enough or answers(found.given.log, known.log, seat) or seat in found.given.disclosed:
            kept = self.home.keep_evidence(known.id, f"{name}-given.mbp.yaml", data)
        if choice.split and not found.settled:
            agree = words.AGREE_HINT * bool(found.given.settled_over(known.log) - {seat})
            folder = self.home.evidence_folder(known.id)
            told = {
                "folder": folder,
                "known": known.id[:8],
                "given": shlex.quote(str(path or kept)),
            }
            hint = (words.SPLIT_HINT + agree).format(**told)
            raise ForkError(words.split_words(choice, seat, found.names), hint=hint)

    def _is_kept(self, match: Match) -> bool:
        """Whether a history lies here already, or goes on here: the owner has been told of it."""
        records = (record for _, record in kept_records(self.home, match.id))
        return any(compare(match.log, one.log).kind in ("same", "older") for one in records)

    def _release(self, game_id: str) -> ForkError | None:
        """Takes in what was held back for its date, once that has come.

        Returns the error for a second history, which is kept, so that it can be told.
        """
        data = self.home.held(game_id)
        if data is None or self.home.remembered(game_id) is None:
            return None
        found = self.look(data)
        if found.held is not None:
            return None
        crossed = None
        try:
            self._refuse_split(found)
        except ForkError as failure:
            crossed = failure
        self._stand(found.match)
        self.home.drop_held(game_id)
        return crossed

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
