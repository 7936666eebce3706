"""git's merge driver for game files: one of the two logs stands, whole, or there is a conflict.

    same, older, newer   the longer log stands: one side is the beginning of the other
    twins                the one that the chain continues (protocol 2.5); while it continues
                         neither, the one with the smaller id, so that both players get the same
    settled              where both players have signed for one branch (protocol 9.6), that branch
    anything else        a conflict, named: git keeps both versions in its index; so where both have
                         signed for both branches, for nothing says which they meant in the end

What stands beside the log is joined, each item checked alone. The common ancestor is not needed:
a log says itself how it came about.
"""

from __future__ import annotations

from mbp import gamefile
from mbp.chain import Record, Relation, compare
from mbp.errors import ForkError, FormatError, MbpError, VerificationError
from mbp.git.growth import SEATS, settlers
from mbp.git.trust import Trusted, load, trusted_by
from mbp.home import Home
from mbp.match import Match
from mbp.match.sentences import histories


def merge_files(ours: bytes, theirs: bytes, home: Home | None) -> tuple[bytes, tuple[str, ...]]:
    """The file that stands, and sentences about what was found.

    Raises FormatError, VerificationError, ForkError or MbpError where it is for people to decide.
    """
    here, there = load(ours), load(theirs)
    trusted = trusted_by(home, here.game_id)
    mine, left_out = _verified("ours", here, trusted)
    his, left_out_there = _verified("theirs", there, trusted.and_also(mine))
    match, said = merge(mine, his)
    dropped = (*left_out, *left_out_there)
    data = gamefile.dump(match.record)
    if data not in (ours, theirs):
        _refuse_too_large(data)
    return data, (*(f"left out: {reason}" for reason in dropped), *said)


def _refuse_too_large(data: bytes) -> None:
    """Raises MbpError for what no program reads back: what stands beside two logs adds up."""
    try:
        gamefile.load(data)
    except FormatError as failure:
        raise MbpError(f"both together are too much for one file: {failure}") from None


def merge(ours: Match, theirs: Match) -> tuple[Match, tuple[str, ...]]:
    """The match that stands, with the items of both beside its log. Pure; raises as above."""
    relation = compare(ours.log, theirs.log)
    said: tuple[str, ...] = ()
    if relation.kind == "strangers":
        raise MbpError("these are two different matches", hint="give one of them another name")
    if relation.kind in ("fork", "authors"):
        stands, falls = _settled(ours, theirs, relation)
        said = ("two histories: both players have settled on the one that stands",)
    else:
        stands, falls = (theirs, ours) if _theirs_stands(ours, theirs, relation) else (ours, theirs)
    if relation.kind == "twins":
        said = (f"entry {relation.seq} was written twice (twins): the match goes on",)
    joined, dropped = stands.with_extras(falls.record)
    return joined, (*said, *(f"left out: {reason}" for reason in dropped))


def _verified(side: str, record: Record, trusted: Trusted) -> tuple[Match, tuple[str, ...]]:
    """Verifies one side. Raises VerificationError that says which side it is."""
    try:
        return trusted.verify(record)
    except VerificationError as error:
        error.reason = f"{side}: {error.reason}"
        raise


def _theirs_stands(ours: Match, theirs: Match, relation: Relation) -> bool:
    if relation.kind == "twins" and relation.counts is None:
        return theirs.log[relation.seq].id < ours.log[relation.seq].id
    return relation.kind == "older" or relation.counts == "b"


def _settled(ours: Match, theirs: Match, relation: Relation) -> tuple[Match, Match]:
    """Of two histories the one that both players have signed for. Raises ForkError."""
    sides = ((ours, theirs), (theirs, ours))
    agreed = [side for side in sides if settlers(*side) == set(SEATS)]
    if len(agreed) == 1:
        return agreed[0]
    told = histories(ours, relation) + ", and both have settled on both" * bool(agreed)
    raise ForkError(told, hint="both versions are kept: mbp fork shows them")
