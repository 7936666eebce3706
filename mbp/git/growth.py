"""What became of a match file between two states of a repository: whether it only grew. Pure.

    new        there was no such match before
    grown      every entry is still there, and everything that stood beside the log
    twins      an entry was replaced by its twin, which the chain goes on from (protocol 2.5)
    settled    another history, for which those have signed whom it costs one (protocol 9.6)
    mended     what was there before was no game file, or did not hold
    damaged    what is there now does not hold
    removed    the match is in no file any more
    rewritten  anything else: the past was changed

The last three are refused. The new state must have been verified by the caller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mbp import gamefile
from mbp.chain import Record, Relation, compare
from mbp.errors import MbpError
from mbp.match import Match, replay
from mbp.match.sentences import histories
from mbp.match.settled import taken_out

SEATS = ("A", "B")
Kind = Literal["new", "grown", "twins", "settled", "mended", "damaged", "removed", "rewritten"]
REFUSED = ("damaged", "removed", "rewritten")
BESIDE = "a settlement or a disclosed secret was taken out"


@dataclass(frozen=True)
class Change:
    """What became of a match; `reason` says why it is refused, empty where it is not.

    `seq` and `author`: the first entry that was changed; None where it is about the whole file.
    """

    kind: Kind
    reason: str = ""
    seq: int | None = None
    author: str | None = None

    @property
    def refused(self) -> bool:
        """Whether the past was changed, or the present does not hold."""
        return self.kind in REFUSED


def growth(before: Record, new: Match, *, given_up: bool = False) -> Change:
    """What became of the match in an old state.

    `given_up`: the old state is the own one, and the new one has all that others have published;
    then it is enough that one player has signed that the old one is dropped.
    """
    relation = compare(before.log, new.log)
    if relation.kind in ("same", "older"):
        return _beside(before, new, Change("grown"))
    if relation.kind == "twins" and relation.counts != "a":
        return _beside(before, new, Change("twins"))
    # Only now it matters whether the old state held: if not, there was no past to be changed.
    try:
        known, _ = replay(before).with_extras(before)
    except MbpError:
        return Change("mended")
    if _is_settled(known, new, relation, given_up):
        return _beside(before, new, Change("settled"))
    return _rewritten(known, new, relation)


def evidence_gone(old: bytes, new: bytes) -> Change | None:
    """How a change of an evidence file is refused; None where the old bytes are none that holds.

    It shows two histories for ever: there is nothing that it could grow to.
    """
    if old == new or not gamefile.is_evidence(old):
        return None
    try:
        for record in gamefile.load_evidence(old):
            replay(record)
    except MbpError:
        return None
    return Change("rewritten", "the evidence of two histories that was here is gone")


def settlers(stands: Match, falls: Match) -> set[str]:
    """Who has signed that the first of two histories stands (protocol 9.6).

    Nobody where they have different players: who lost his seat can sign nothing in the other one.
    """
    one, two = ({s: p.key for s, p in match.players.items()} for match in (stands, falls))
    return stands.settled_over(falls.log) if one == two else set()


def _beside(before: Record, new: Match, change: Change) -> Change:
    """The change, unless something that stood beside the old log, and holds, is gone."""
    joined, _ = new.with_extras(before)
    hidden = any(seat not in new.disclosed for seat in joined.disclosed)
    gone = hidden or taken_out(joined.settled, new.settled)
    return Change("rewritten", BESIDE) if gone else change


def _is_settled(known: Match, new: Match, relation: Relation, given_up: bool) -> bool:
    """Whether those have signed for the new history whom it costs the old one.

    In a fork that is the player who did not make it: whoever signs twice must not choose alone
    which entry counts. Where two authors have crossed, both have an entry to lose.
    """
    if relation.kind not in ("fork", "authors"):
        return False
    signed = settlers(new, known)
    return bool(signed) if given_up else signed >= {s for s in SEATS if s != relation.by}


def _rewritten(known: Match, new: Match, relation: Relation) -> Change:
    """Says how the past was changed."""
    if relation.kind == "strangers":
        return Change("rewritten", "another match stands in this file", 0)
    if relation.kind in ("fork", "authors"):
        return Change("rewritten", histories(known, relation), relation.seq, relation.by)
    gone = known.log[len(new.log) if relation.kind == "newer" else relation.seq]
    reason = f"entry {gone.seq} was there before and is gone"
    return Change("rewritten", reason, int(gone.seq), gone.by)
