"""Two histories of one match: shown, kept as evidence, and settled (protocol 4.3, 9.6).

To settle is to sign for one branch. It lets the own program sign entries again where the opponent's
fork had stopped it: in the branch that is kept, and that this home stands by from then on. Where
the own key has answered in the dropped branch, nothing more is signed all the same, since a second
answer opens cards of the first, unless the fork is of the own making (a second device) and both
players have signed for the same branch.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mbp import gamefile
from mbp.chain import Entry, Relation, compare, settle
from mbp.desk import words
from mbp.desk.histories import SPLIT, answered_elsewhere, settled_by
from mbp.desk.kept import facts_of, kept_logs
from mbp.desk.looking import Found
from mbp.desk.writing import Receipt, Writer
from mbp.errors import ForkError, KeyringError, MbpError, TurnError
from mbp.files import read_if_there, write_atomic
from mbp.match import Match
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
    def evidence(self) -> bytes:
        """Both as one evidence file; in whichever order they were named, the same bytes."""
        pair = sorted((self.first, self.second), key=lambda match: match.log[-1].id)
        return gamefile.dump_evidence(pair[0].record, pair[1].record)


class Settler(Writer):
    """A writer who can look at two histories, and sign for one."""

    def split(self, path: Path, other: Path) -> Split:
        """Verifies both files and tells what they are to each other. Raises as `open`."""
        first, second = (self._verify(gamefile.load(self.read(one)))[0] for one in (path, other))
        relation = compare(first.log, second.log)
        if relation.kind == "strangers":
            raise MbpError(f"{path} and {other} are two different matches")
        return Split(first, second, relation)

    def write_evidence(self, split: Split, path: Path) -> bool:
        """Writes an evidence file; False if it is there already. Raises MbpError for another."""
        if read_if_there(path) == split.evidence:
            return False
        try:
            write_atomic(path, split.evidence, new=True)
        except FileExistsError:
            raise MbpError(f"{path} is another file, it stays", hint="name one with -o") from None
        return True

    def settle(self, path: Path, other: Path | None = None) -> Receipt:
        """Signs that the history in `path` stands and that in `other` is dropped.

        Without `other` it agrees to what the opponent has signed in `path`. The home stands by
        that history from then on. Raises ForkError, KeyringError, TurnError, MbpError.
        """
        with self._writing(path.parent):
            found = self.look(self.read(path))
            seat = self._seat(found.given)
            if seat is None:
                raise KeyringError("your key does not play in this match")
            if found.held is not None:
                raise TurnError(*words.held_note(found.held))
            self._refuse_unsure(found, seat)
            split = None if other is None else self.split(path, other)
            keep, drop = self._choice(found.given, seat, split)
            dropped = () if split is None else split.second.log
            match, news = self._standing(found, seat, dropped)
            match = match.with_extras(split.second.record)[0] if split else match
            game_id = match.id
            match = match.with_settled(settle(seat, keep, drop, game_id, self.identity()))
            if split is not None:
                for name, one in (("kept", split.first), ("dropped", split.second)):
                    data = gamefile.dump(one.record)
                    self.home.keep_evidence(game_id, f"settled-{split.start}-{name}.mbp.yaml", data)
            self._keep(path, match)
            news += self._lift(match, seat)
        return Receipt(path, match, seat, tuple(news))

    def _choice(self, given: Match, seat: Seat, split: Split | None) -> tuple[str, str]:
        """The ids to keep and to drop (protocol 9.6)."""
        if split is None:
            theirs = [item for item in given.settled if item["by"] != seat]
            if not theirs:
                raise MbpError(
                    "your opponent has settled nothing in this file", hint="mbp settle FILE OTHER"
                )
            return theirs[-1]["keep"], theirs[-1]["drop"]
        if not split.is_split:
            raise MbpError(f"nothing to settle: {words.relation_words(split.relation)}")
        if split.start == 0:
            raise ForkError("two invitations with one nonce: no branch of them can be kept")
        return split.first.log[split.start].id, split.second.log[split.start].id

    def _standing(
        self, found: Found, seat: Seat, dropped: tuple[Entry, ...]
    ) -> tuple[Match, list[str]]:
        """The match to go on with: what the home knows, if the kept branch is its own."""
        known, choice = found.known, found.choice
        if known is None or choice is None or not choice.split:
            self._set_facts(found.match.id, forked=False)
            return found.match, [*found.notes]
        barred = answered_elsewhere(
            [*kept_logs(self.home, known.id), known.log, dropped], found.given.log, seat
        )
        self.home.keep_evidence(
            known.id, f"settled-{choice.relation.seq}-known.mbp.yaml", gamefile.dump(known.record)
        )
        self._set_facts(known.id, forked=False, barred=barred)
        return found.given.with_extras(known.record)[0], ["this home stands by the kept branch now"]

    def _lift(self, match: Match, seat: Seat | None) -> list[str]:
        """Lifts the bar where both have settled every fork of the own making; says how it stands.

        It stays for a fork of the opponent's in which the own key has answered (protocol 4.3).
        """
        if seat is None or not facts_of(self.home, match.id).barred:
            return []
        left = []
        for log in kept_logs(self.home, match.id):
            own = compare(match.log, log).by == seat
            if not (own and settled_by(match, log) == {"A", "B"}):
                left.append(log)
        if answered_elsewhere(left, match.log, seat):
            return [words.STILL_BARRED]
        self._set_facts(match.id, forked=facts_of(self.home, match.id).forked, barred=False)
        return ["both of you have settled: the match goes on"]
