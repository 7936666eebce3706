"""Two histories of one match: shown, kept as evidence, and settled (protocol 4.3, 9.6).

To settle is to sign for one branch, with the other at hand: nobody signs for what he has not seen.
It lets the own program sign entries again where the opponent's fork had stopped it: in the branch
that is kept, and that this home stands by from then on. Where the own key has answered in the
dropped branch, nothing more is signed all the same, since a second answer opens cards of the first,
unless the fork is of the own making (a second device) and both players have signed for the same
branch (`kept.halt_of`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mbp import gamefile
from mbp.chain import Record, Relation, compare, settle
from mbp.desk import words
from mbp.desk.histories import SPLIT
from mbp.desk.kept import BOTH, kept_records
from mbp.desk.looking import Found
from mbp.desk.shelf import load_game, read_bytes
from mbp.desk.writing import Receipt, Writer
from mbp.errors import ForkError, KeyringError, MbpError, TurnError
from mbp.files import read_if_there, write_atomic
from mbp.match import Match
from mbp.match.settled import speaks_of
from mbp.rules.contract import Seat


@dataclass(frozen=True)
class Split:
    """Two verified states of one match, in the order in which they were named."""

    first: Match
    second: Match
    relation: Relation

    @property
    def is_split(self) -> bool:
        """Whether they are two histories: a fork, or two authors who crossed."""
        return self.relation.kind in SPLIT

    @property
    def start(self) -> int:
        """The place of the first entry that differs; twins before a fork differ too."""
        pairs = zip(self.first.log, self.second.log, strict=False)
        return next((n for n, (a, b) in enumerate(pairs) if a.id != b.id), self.relation.seq)

    @property
    def branches(self) -> tuple[str, str]:
        """The ids of both entries at the start, in whichever order they were named the same."""
        one, two = sorted(match.log[self.start].id for match in (self.first, self.second))
        return one, two

    @property
    def evidence(self) -> bytes:
        """Both as one evidence file; in whichever order they were named, the same bytes."""
        pair = sorted((self.first, self.second), key=lambda match: match.log[-1].id)
        return gamefile.dump_evidence(pair[0].record, pair[1].record)

    def grown_from(self, data: bytes) -> bool:
        """Whether bytes are evidence of the same two histories, not longer than these."""
        try:
            before = gamefile.load_evidence(data)
        except MbpError:
            return False
        logs = (self.first.log, self.second.log)
        kinds = [{compare(one.log, log).kind for log in logs} for one in before]
        return all(kind & {"same", "older"} for kind in kinds)


class Settler(Writer):
    """A writer who can look at two histories, and sign for one."""

    def split(self, path: Path, other: Path) -> Split:
        """Verifies both files and tells what they are to each other. Raises as `open`.

        `other` may be an evidence file: then it means the history in there that is not in `path`.
        """
        return self._split(self._verify(gamefile.load(self.read(path)))[0], path, other)

    def _split(self, first: Match, path: Path, other: Path) -> Split:
        found = [self._verify(record)[0] for record in self._histories(other)]
        splits = [Split(first, one, compare(first.log, one.log)) for one in found]
        if any(one.relation.kind == "strangers" for one in splits):
            raise MbpError(f"{path} and {other} are two different matches")
        parted = [one for one in splits if one.is_split]
        if len(parted) > 1:
            hint = "name a file with the one that you mean"
            raise MbpError(f"both histories in {other} part from {path}", hint=hint)
        return parted[0] if parted else splits[0]

    def _histories(self, path: Path) -> tuple[Record, ...]:
        """The one history of a game file, or the two of an evidence file."""
        if path.exists():
            data = read_bytes(path)
            if gamefile.is_evidence(data):
                return gamefile.load_evidence(data)
        return (load_game(self.read(path)),)

    def write_evidence(self, split: Split, path: Path) -> bool:
        """Writes an evidence file; False if it is there already. Raises MbpError for another.

        One with the beginnings of the same two histories is replaced.
        """
        there = read_if_there(path)
        if there == split.evidence:
            return False
        try:
            write_atomic(path, split.evidence, new=there is None or not split.grown_from(there))
        except FileExistsError:
            raise MbpError(f"{path} is another file, it stays", hint="name one with -o") from None
        return True

    def settle(self, path: Path, other: Path | None = None) -> Receipt:
        """Signs that the history in `path` stands and that in `other` is dropped.

        Without `other` it agrees to what the opponent has signed in `path`, if this home has the
        branch that he drops. The home stands by that history from then on: it goes into the file
        of the match, `path` stays as it is. Raises ForkError, KeyringError, TurnError, MbpError.
        """
        game_id = load_game(self.read(path)).game_id
        place = self._own_file(game_id) or path
        with self._writing(place.parent):
            found, seat = self._to_settle(path)
            split_here = found.choice is not None and found.choice.split
            match = self._adopted(found) if split_here else found.match
            split = (
                self._agreeing(match, seat) if other is None else self._split(match, path, other)
            )
            if not split.is_split:
                raise MbpError(f"nothing to settle: {words.relation_words(split.relation)}")
            if split.start == 0:
                raise ForkError("two invitations with one nonce: no branch of them can be kept")
            keep, drop = (one.log[split.start].id for one in (match, split.second))
            signed = settle(seat, keep, drop, game_id, self.identity())
            match = match.with_extras(split.second.record)[0].with_settled(signed)
            for name, one in (("kept", split.first), ("dropped", split.second)):
                data = gamefile.dump(one.record)
                self.home.keep_evidence(game_id, f"settled-{split.start}-{name}.mbp.yaml", data)
            self._keep(place, match)
            self._set_facts(game_id, forked=False)
            news = ["this home stands by the kept branch now"] if split_here else [*found.notes]
            news += self._settled_now(found.known, match)
        return Receipt(place, match, seat, tuple(news))

    def _to_settle(self, path: Path) -> tuple[Found, Seat]:
        """What lies in the file to be kept, and the own seat, once a signature may be asked for."""
        if (crossed := self._release(load_game(self.read(path)).game_id)) is not None:
            raise crossed
        found = self.look(self.read(path))
        if found.seat is None:
            raise KeyringError("your key does not play in this match")
        if found.held is not None:
            raise TurnError(*found.late)
        self._refuse_unsure(found, path)
        halt = self.halt(found.match)
        if halt is not None and halt.why == "early":
            self._refuse_halted(found.match, found.seat)
        return found, found.seat

    def _agreeing(self, match: Match, seat: Seat) -> Split:
        """What the opponent has settled in a history, with the branch that he drops at hand.

        Whoever signs for the drop of what he has not seen signs for whatever comes later.
        """
        theirs = [item for item in match.settled if item["by"] != seat]
        if not theirs:
            message = "your opponent has settled nothing in this file"
            raise MbpError(message, hint="mbp settle FILE OTHER")
        records = [record for _, record in kept_records(self.home, match.id)]
        for item in reversed(theirs):
            for record in records:
                if speaks_of(item, match.log, record.log):
                    dropped = self._verify(record)[0]
                    return Split(match, dropped, compare(match.log, dropped.log))
        raise MbpError(
            "this home has never seen the branch that your opponent drops: nothing is signed",
            hint="ask for the file with that branch, look at it, then: mbp settle FILE OTHER",
        )

    def _adopted(self, found: Found) -> Match:
        """The given history as far as this home knows it, with what stood beside the known one.

        An older copy of it is no way back (4.3): of several that go on from it the one with the
        most own entries counts. What was signed in the dropped one stays signed.
        """
        given, logs = found.given, [one.log for _, one in kept_records(self.home, found.given.id)]
        for log in sorted(logs, key=lambda log: -sum(entry.by == found.seat for entry in log)):
            relation = compare(given.log, log)
            if relation.kind == "older" or relation.counts == "b":
                given = self._verify(Record(log))[0].with_extras(given.record)[0]
        return given if found.known is None else given.with_extras(found.known.record)[0]

    def _settled_now(self, known: Match | None, match: Match) -> Iterator[str]:
        """Says that both have settled, if that is new, and the match goes on."""
        logs = [record.log for _, record in kept_records(self.home, match.id)]
        agreed = [log for log in logs if match.settled_over(log) == BOTH]
        before = [log for log in agreed if known is not None and known.settled_over(log) == BOTH]
        if len(agreed) > len(before) and self.halt(match) is None:
            yield "both of you have settled: the match goes on"
