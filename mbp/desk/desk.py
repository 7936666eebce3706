"""The desk itself: a command of the user each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from mbp import gamefile
from mbp.chain import Entry, Record, compare, to_text
from mbp.curve import scalar_to_bytes
from mbp.desk import words
from mbp.desk.choices import (
    choose_move,
    clean_note,
    complete_options,
    read_move,
    refuse_leaving,
)
from mbp.desk.histories import answered_elsewhere
from mbp.desk.kept import facts_of, kept_logs
from mbp.desk.looking import Found
from mbp.desk.settling import Settler
from mbp.desk.shelf import file_name, find_by_id, fits_game, load_game
from mbp.desk.writing import NOTHING, Receipt
from mbp.errors import ForkError, KeyringError, NoSuchGameError, TurnError, VerificationError
from mbp.files import read_if_there
from mbp.home import Contact
from mbp.match import Match, invite, secret_of
from mbp.rules import GAMES
from mbp.rules import find_game as find_rules
from mbp.rules.contract import Seat


class Desk(Settler):
    """One player at work."""

    def new(
        self, game_name: str, options: Mapping[str, str], to: str = "", output: Path | None = None
    ) -> Receipt:
        """Writes an invitation; `to` names a contact, whose key alone may accept it."""
        game = find_rules(game_name)
        if game is None:
            known = ", ".join(GAMES)
            raise NoSuchGameError(f"there is no game {game_name!r}", hint=f"choose one of: {known}")
        profile = self.home.profile()
        guest = self._contact(to) if to else None
        with self._writing(output.parent if output else self.games, make=output is None):
            nonce = self.world.randomness(32)
            key = guest.key if guest else ""
            chosen = complete_options(game, options)
            match = invite(game, chosen, self._player(), key, nonce, self._pen())
            name = file_name(profile.name, guest.name if guest else "", match.id)
            path = output or self.games / name
            self._keep(path, match)
        whom = guest.name if guest else "whoever may accept"
        return Receipt(path, match, "A", (f"invitation written: send the file to {whom}",))

    def _contact(self, name: str) -> Contact:
        contact = self.home.contact(name)
        if contact is None:
            raise KeyringError(
                f"there is no contact {name!r}",
                hint="mbp contacts lists them; mbp trust FILE remembers one",
            )
        if contact.key == self.home.profile().key:
            raise KeyringError("that is your own key")
        return contact

    def join(self, path: Path, note: str = "", output: Path | None = None) -> Receipt:
        """Accepts an invitation: the inviter's key is remembered, the guest's entry written."""
        news: list[str] = []
        with self._writing((output or path).parent):
            found = self.look(self.read(path))
            match = found.match
            if self._seat(match) == "A":
                raise TurnError("this is your own invitation", hint="send it to your opponent")
            if match.position.duty != "accept":
                self._bring_up_to_date(path, found)
                raise TurnError("the invitation has been accepted already")
            if found.held is not None:
                raise TurnError(*found.late)
            if match.position.guest not in ("", self.home.profile().key):
                raise KeyringError("the invitation is for somebody else's key")
            self._meet(match, "A", news)
            match = match.accepted(self._player(), self._pen(), clean_note(note))
            self._keep(output or path, match)
        news.append(f"accepted: send the file back to {self.names(match)['A']}")
        return Receipt(output or path, match, "B", tuple(news))

    def receive(
        self, data: bytes, origin: Path | None = None, *, newest: bool = False, take: bool = False
    ) -> Receipt:
        """Takes a game file in and moves the stored game forward; commands.md, `receive`.

        Raises UnsureError unless `newest`, ForkError for two histories unless `take`.
        """
        game_id = load_game(data).game_id
        with self._writing(self._place(game_id).parent, make=True):
            self._catch_up(game_id, data, take)
            found = self._with_held(self.look(data))
            if found.held is not None and found.held.seq == "0":
                kept = self.home.keep_held(game_id, data)
                return Receipt(Path(), found.match, None, found.notes if kept else words.NOT_HELD)
            seat, news = self._seat(found.match), [*found.notes]
            if not newest:
                self._refuse_unsure(found, seat)
            match = self._decided(found, take, news)
            names = self.names(match)
            news += words.new_moves(found.known, match, seat, names)
            news += words.new_extras(found.known, match, seat, names)
            path = self._place(game_id, match)
            if found.held is not None:
                self.home.keep_held(game_id, data)
            # What arrived is kept, whatever becomes of the own entry.
            self._keep(path, match, over=found.held is None)
            answered = match
            news += self._lift(match, seat)
            if facts_of(self.home, game_id).barred:
                news.append("you had answered another history: nothing more is signed in this one")
            else:
                answered = self._write_undecided(match, seat, news)
            if answered is not match:
                self._set_facts(game_id, unsent=len(answered.log) - 1)  # first: killed, it is sent
                self._keep(path, answered)
        return Receipt(path, answered, seat, tuple(news) or (NOTHING,))

    def _catch_up(self, game_id: str, data: bytes, take: bool) -> None:
        """Takes in what somebody has put in place of the game file, before it is written over.

        A newer state becomes the known one; a second history is kept, and refused unless `take`.
        """
        path, memory = self._place(game_id), self.home.remembered(game_id)
        there = read_if_there(path)
        if memory is None or there in (None, memory, data) or not fits_game(path, game_id):
            return
        try:
            found = self.look(there or b"")
        except VerificationError:
            return  # an entry of it does not hold: the known state is written over it
        with suppress(*[ForkError] * take):
            self._refuse_split(found)
        self.home.remember(game_id, gamefile.dump(found.match.record))

    def _decided(self, found: Found, take: bool, news: list[str]) -> Match:
        """Which of two states stands, after the owner's decision, if it needs one."""
        try:
            self._refuse_split(found)
        except ForkError:
            if not take:
                raise
            return self._taken(found, news)
        if take and found.choice is not None and found.choice.split:
            return self._taken(found, news)  # the owner takes back a branch that was settled away
        if take and facts_of(self.home, found.match.id).forked:
            self._set_facts(found.match.id, forked=False)
            news.append("you stand by this history")
        return found.match

    def _taken(self, found: Found, news: list[str]) -> Match:
        """Adopts the given history; what was signed in the dropped one stays signed.

        Where the own key has answered in a dropped history, this one or an earlier one, nothing
        more is signed: a second answer to one turn would open cards of the first (protocol 4.3).
        """
        known, choice = found.known, found.choice
        if known is None or choice is None:
            return found.match
        kept, seat = kept_logs(self.home, known.id), self._seat(known)
        given = self._continued(found.given, kept, seat)
        barred = answered_elsewhere(kept, given.log, seat)
        self._set_facts(known.id, forked=False, barred=barred)
        seq = choice.relation.seq
        news.append(f"this history is taken from entry {seq} on; the other is kept as evidence")
        return given.with_extras(known.record)[0]

    def _continued(
        self, given: Match, kept: Sequence[tuple[Entry, ...]], seat: Seat | None
    ) -> Match:
        """The given history as far as this home knows it: an older copy of it is no way back (4.3).

        Of several that go on from it the one with the most own entries counts.
        """
        for log in sorted(kept, key=lambda log: -sum(entry.by == seat for entry in log)):
            relation = compare(given.log, log)
            if relation.kind == "older" or relation.counts == "b":
                given = self._verify(Record(log))[0].with_extras(given.record)[0]
        return given

    def _place(self, game_id: str, match: Match | None = None) -> Path:
        """Where the file of a game lies, or shall lie; without `match` the folder alone counts."""
        where = self.home.facts(game_id).path
        if where and Path(where).parent.is_dir() and fits_game(Path(where), game_id):
            return Path(where)
        found = find_by_id(self.games, game_id)
        if found is not None or match is None:
            return found or self.games / game_id
        host, guest = match.players["A"].name, match.position.guest
        return self.games / file_name(host, self._name_of(guest), game_id)

    def _name_of(self, key: str) -> str:
        """The own name or a contact's, empty for a key that is not known, or none."""
        if key and self.home.has_identity and key == self.home.profile().key:
            return self.home.profile().name
        contact = self.home.contact_of(key) if key else None
        return contact.name if contact else ""

    def play(
        self, path: Path, text: str, note: str = "", offer: bool = False, output: Path | None = None
    ) -> Receipt:
        """Plays one move. Raises GameError for a bad one; the file stays as it is."""
        with self._writing((output or path).parent):
            opened, seat = self._current(path)
            match = opened.match
            if match.pen != seat or match.position.duty != "play":
                raise TurnError(
                    words.not_now(match, seat, self.names(match)),
                    hint="mbp show FILE tells what is next",
                )
            act = read_move(match, self.secrets(match), text)
            match = self._signed(match, seat, act, note, "abort" if offer else "")
            return self._finish(opened, seat, match, output)

    def leave(self, path: Path, act: str, output: Path | None = None) -> Receipt:
        """Writes an act of protocol 9: `resign`, `agree`, `claim`, `vacation N`."""
        with self._writing((output or path).parent):
            opened, seat = self._current(path)
            refuse_leaving(opened.match, seat, act, self.world.now(), self.world.tell_time)
            match = self._signed(opened.match, seat, act)
            return self._finish(opened, seat, match, output)

    def bot(self, path: Path, player: str = "greedy", output: Path | None = None) -> Receipt:
        """Lets a computer player choose the next move of the own seat."""
        with self._writing((output or path).parent):
            opened, seat = self._current(path)
            match = opened.match
            if match.pen != seat:
                raise TurnError(words.not_now(match, seat, self.names(match)))
            if match.position.duty == "play":
                act = choose_move(match, seat, self.secrets(match), player, self.world.randomness)
                match = self._signed(match, seat, act)
            return self._finish(opened, seat, match, output)

    def disclose(self, path: Path, output: Path | None = None) -> Receipt:
        """Publishes the own card secret, after the end (protocol 9.5)."""
        with self._writing((output or path).parent):
            opened, seat = self._current(path)
            match = opened.match
            if not match.game.copies:
                raise TurnError(
                    "this game has no hidden cards", hint="mbp show FILE shows all of it"
                )
            if not match.position.play_over:
                raise TurnError("play is not over", hint="a secret is disclosed after the end")
            secret = secret_of(match.position, seat, self.identity())
            match = match.with_disclosed(seat, to_text(scalar_to_bytes(secret)))
            self._keep(output or path, match, move=output is None)
        return Receipt(output or path, match, seat, ("your cards of this match are open now",))

    def note_mail(self, game_id: str, **changes: Any) -> None:
        """Remembers where the mails of a match go (`to`), or what of it is `unsent`."""
        with self.home.lock():
            self._set_facts(game_id, **changes)

    def trust(self, path: Path, name: str = "", mail: str = "") -> Contact:
        """Remembers the key of the opponent in a match file (the inviter's, for an invitation).

        `name` and `mail` are the owner's; without them, what the match says.
        """
        opened = self.open(path)
        others = [s for s in opened.match.players if s != opened.seat]
        if not others:
            raise KeyringError("this is your own invitation: nobody has accepted it yet")
        if len(others) > 1:
            raise KeyringError("two players, and neither is you: whose key do you mean?")
        player = opened.match.players[others[0]]
        with self.home.lock():
            return self.home.remember_contact(
                name or player.name, player.key_text, mail or player.mail, rename=bool(name)
            )
