"""The desk itself: a command of the user each."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from mbp.chain import to_text
from mbp.curve import scalar_to_bytes
from mbp.desk import words
from mbp.desk.choices import (
    choose_move,
    clean_note,
    complete_options,
    read_move,
    refuse_leaving,
)
from mbp.desk.kept import early_entries, facts_of, kept_records
from mbp.desk.looking import Found
from mbp.desk.settling import Settler
from mbp.desk.shelf import file_name, fits_game, load_game
from mbp.desk.writing import NOTHING, Receipt
from mbp.errors import ForkError, KeyringError, NoSuchGameError, TurnError, VerificationError
from mbp.files import is_file, read_if_there, read_start
from mbp.home import Contact
from mbp.match import Match, invite, secret_of
from mbp.match.settled import speaks_of
from mbp.rules import GAMES
from mbp.rules import find_game as find_rules


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
            self._refuse_halted(match, "B")
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
            crossed = self._release(game_id)
            self._catch_up(game_id, data, take)
            found = self.look(data)
            if found.held is not None and found.held.seq == "0":
                kept = self.home.keep_held(game_id, data)
                return Receipt(Path(), found.match, None, found.notes if kept else words.NOT_HELD)
            seat, news = found.seat, [*([str(crossed)] if crossed else []), *found.notes]
            if not newest:
                self._refuse_unsure(found, None)
            match = self._decided(found, take, news, _holding(origin, data))
            path = self._place(game_id, match)
            if found.held is not None:
                self.home.keep_held(game_id, data)
            # What arrived is kept, whatever becomes of the own entry.
            self._keep(path, match, over=found.held is None)
            if take:
                self._set_facts(game_id, forked=False)
            if newest:
                self._drop_early(match)
            news += self._arrived(found, match)
            answered = match
            if seat is not None and self.halt(match) is None:
                answered = self._write_undecided(match, seat, news)
            if answered is not match:
                self._set_facts(game_id, unsent=len(answered.log) - 1)  # first: killed, it is sent
                self._keep(path, answered)
        return Receipt(path, answered, seat, tuple(news) or (NOTHING,))

    def _arrived(self, found: Found, match: Match) -> list[str]:
        """What is new in the match that stands now, in words."""
        known, seat, names = found.known, found.seat, self.names(match)
        logs = [record.log for _, record in kept_records(self.home, match.id)]
        agreeable = [
            item for item in match.settled if any(speaks_of(item, match.log, log) for log in logs)
        ]
        told = words.new_moves(known, match, seat, names)
        told += words.new_extras(known, match, seat, names, agreeable)
        return [*told, *self._settled_now(known, match)]

    def _drop_early(self, match: Match) -> None:
        """Forgets what is kept aside: the owner has said that this is the newest state."""
        if early_entries(self.home, match.log):
            for name, _ in self.home.aside(match.id):
                self.home.drop_aside(match.id, name)

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
        self._stand(found.match)

    def _decided(self, found: Found, take: bool, news: list[str], path: Path | None) -> Match:
        """Which of two states stands, after the owner's decision, if it needs one.

        `path` holds the given state, as far as it lies in a file of its own.
        """
        try:
            self._refuse_split(found, path)
        except ForkError:
            if not take:
                raise
        choice = found.choice
        if take and choice is not None and choice.split:
            seq = choice.relation.seq
            news.append(f"this history is taken from entry {seq} on; the other is kept as evidence")
            return self._adopted(found)
        if take and facts_of(self.home, found.match.id).forked:
            news.append("you stand by this history")
        return found.match

    def _place(self, game_id: str, match: Match | None = None) -> Path:
        """Where the file of a game lies, or shall lie; without `match` the folder alone counts."""
        found = self._own_file(game_id)
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
            if facts_of(self.home, match.id).forked:
                self._refuse_halted(match, seat)
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


def _holding(path: Path | None, data: bytes) -> Path | None:
    """The path, if the file holds just these bytes; a letter has them somewhere in it."""
    if path is None or not is_file(path):
        return None
    return path if read_start(path, len(data) + 1) == data else None
