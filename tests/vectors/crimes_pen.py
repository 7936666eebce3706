"""Acts by those who may not write them, or not now (protocol 7.1, 9; check 4)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from mbp.match import Match
from mbp.times import format_time
from tests.vectors import matches
from tests.vectors.changes import Tree, nothing
from tests.vectors.forging import (
    honest_entry,
    lie,
    plain_entry,
    reproved,
    signed,
    text_of,
    trees,
)
from tests.vectors.players import identity, secret_bytes
from tests.vectors.vector import Vector, file_tree, of_tree


def vectors() -> Iterator[Vector]:
    """All of this page."""
    yield from turns()
    yield from openings()
    yield from claims()
    yield from leaving()
    yield from offers()
    yield from ends()


def told(
    name: str, crime: str, reason: str, match: Match, tree: Tree, base: str = "short"
) -> Vector:
    """A vector of check 4 whose last entry is the crime."""
    return of_tree(f"pen-{name}", crime, 4, reason, file_tree(match, tree), base=base)


def days(match: Match, number: int, seconds: int = 0) -> str:
    """The time so many days behind the entry before."""
    return format_time(match.position.time + timedelta(days=number, seconds=seconds))


def turns() -> Iterator[Vector]:
    """Who has the pen, and for what (7.1)."""
    match, late = matches.short(), matches.long()
    mine = match.at(5)
    again = lie(match.at(4), match.log[5].act, nothing)
    again.update(seq="6", prev=mine.position.head)
    twice = reproved(mine, again)
    yield told("twice", "a player moves twice", "the pen is B's", mine, twice)
    yield told("deal-for-a-turn", "deals where a turn is due", "deal stands where an act of play",
               mine, plain_entry(mine, "B", "deal"))  # fmt: skip
    waiting = late.at(88)  # A owes a mask and gives
    turn = plain_entry(waiting, "A", "discard green 1")
    yield told("turn-while-waiting", "moves while cards are not given",
               "discard stands where deal is due", waiting, turn, "long")  # fmt: skip
    yield told("deal-by-the-waiting", "deals for the other player", "the pen is A's", waiting,
               plain_entry(waiting, "B", "deal"), "long")  # fmt: skip


def openings() -> Iterator[Vector]:
    """The first three entries, in their order and by their authors (3)."""
    match = matches.short()
    first = trees(match)[0]
    by_b = signed({**first, "by": "B"}, identity("A"))
    yield of_tree("pen-invitation-by-b", "the invitation is by B", 4, "is not by A",
                  {**file_tree(match.at(0)), "log": [by_b]})  # fmt: skip
    accept = honest_entry(match.at(0), "accept")
    own = signed({**accept, "by": "A"}, identity("A"))
    yield told("accepts-for-b", "A accepts the own invitation", "the pen is B's", match.at(0), own)
    yield told("b-before-accept", "B deals before accepting", "nobody has accepted", match.at(0),
               plain_entry(match.at(0), "B", "deal"))  # fmt: skip
    early = plain_entry(match.at(1), "A", "deal")
    yield told("deal-for-begin", "deals where the coin is due", "deal stands where begin is due",
               match.at(1), early)  # fmt: skip
    coin = text_of(secret_bytes("coin"))
    shown = trees(match)[2]["coin"]
    yield told("begins-twice", "begins a second time", "begin stands where an act of play",
               match.at(2), plain_entry(match.at(2), "A", "begin", coin=shown))  # fmt: skip
    yield told("begins-for-a", "B begins", "the pen is A's", match.at(1),
               plain_entry(match.at(1), "B", "begin", coin=shown))  # fmt: skip
    later = match.at(3)
    again = signed({**accept, "seq": "4", "prev": later.position.head, "coin": coin,
                    "time": trees(match)[4]["time"]}, identity("B"))  # fmt: skip
    yield told("accepts-twice", "accepts a second time", "accept stands where an act of play",
               later, again)  # fmt: skip
    anew = signed({**first, "seq": "3", "prev": match.log[2].id, "time": trees(match)[3]["time"]},
                  identity("A"))  # fmt: skip
    yield told("invites-again", "invites in the middle", "invite stands where an act of play",
               match.at(2), anew)  # fmt: skip


def claims() -> Iterator[Vector]:
    """Protocol 9.3."""
    match, free = matches.short(), matches.other()
    before = match.at(5)  # the pen is B's
    for name, crime, reason, at, seat, time, base in (
        ("too-early", "claims at the last second", "before the 7 days", before, "A",
         days(before, 7), "short"),
        ("with-the-pen", "claims from oneself", "who has the pen", before, "B",
         days(before, 8), "short"),
        ("without-pace", "claims where there is no pace", "without pace", free, other_of(free),
         days(free, 9_999), "other"),
        ("before-accept", "claims from nobody", "before the invitation was accepted",
         match.at(0), "A", days(match.at(0), 8), "short"),
    ):  # fmt: skip
        tree = plain_entry(at, "A" if seat == "A" else "B", "claim", time=time)
        yield told(f"claim-{name}", crime, reason, at, tree, base)
    away = matches.extended(before, plain_entry(before, "B", "vacation 3"))
    soon = plain_entry(away, "A", "claim", time=days(away, 10))
    yield told("claim-in-vacation", "claims before the vacation is over", "before the 7 days",
               away, soon)  # fmt: skip


def other_of(match: Match) -> str:
    """The player without the pen."""
    return "B" if match.pen == "A" else "A"


def leaving() -> Iterator[Vector]:
    """Protocol 9.1, 9.2, 9.4."""
    match = matches.short()
    before = match.at(5)
    begun = match.at(1)
    for act in ("resign", "vacation 1"):
        verb = act.partition(" ")[0]
        yield told(f"{verb}-too-early", f"{verb} before entry 3", "before entry 3", begun,
                   plain_entry(begun, "A", act))  # fmt: skip
    yield told("resigns-for-the-opponent", "resigns without the pen", "the pen is B's", before,
               plain_entry(before, "A", "resign"))  # fmt: skip
    yield told("agree-without-offer", "agrees to no offer", "agrees to no offer", before,
               plain_entry(before, "B", "agree"))  # fmt: skip
    lapsed = match.at(matches.OFFER + 1)
    yield told("agree-to-the-own-offer", "agrees to the own offer, one entry later",
               "agrees to no offer", lapsed, plain_entry(lapsed, "B", "agree"))  # fmt: skip
    gone = match.at(matches.OFFER + 2)
    yield told("agree-too-late", "agrees to an offer that has lapsed", "agrees to no offer", gone,
               plain_entry(gone, "A", "agree"))  # fmt: skip
    yield told("vacation-of-zero", "takes 0 days, which would only put the claim off",
               "of vacation", before, plain_entry(before, "B", "vacation 0"))  # fmt: skip
    yield told("vacation-too-long", "takes 10 days of 9", "of vacation", before,
               plain_entry(before, "B", "vacation 10"))  # fmt: skip
    yield told("vacation-endless", "takes more days than a number holds", "of vacation", before,
               plain_entry(before, "B", "vacation " + 5_000 * "9"))  # fmt: skip
    away = matches.extended(before, plain_entry(before, "B", "vacation 5"))
    yield told("vacation-in-parts", "takes 5 days and 5 days of 9", "of vacation",
               away, plain_entry(away, "B", "vacation 5"))  # fmt: skip
    long = matches.long().at(4)
    assert long.pen is not None
    yield told("vacation-of-none", "takes a day where there is no vacation", "of vacation", long,
               plain_entry(long, long.pen, "vacation 1"), "long")  # fmt: skip
    resumed = plain_entry(away, "A", "resign")
    yield told("pen-does-not-move", "takes the pen of a player on vacation", "the pen is B's",
               away, resumed)  # fmt: skip


def offers() -> Iterator[Vector]:
    """Protocol 9.2: on an act of play only."""
    match, late = matches.short(), matches.long()
    dealing = late.at(88)
    deal = lie(dealing, "deal", lambda tree: tree.update(offer="abort"))
    yield told("offer-on-deal", "offers while dealing", "an offer stands on an act", dealing, deal,
               "long")  # fmt: skip
    before = match.at(5)
    yield told("offer-on-resign", "offers while resigning", "an offer stands on an act", before,
               plain_entry(before, "B", "resign", offer="abort"))  # fmt: skip
    yield told("offer-on-vacation", "offers on vacation", "an offer stands on an act", before,
               plain_entry(before, "B", "vacation 1", offer="abort"))  # fmt: skip
    accept = lie(match.at(0), "accept", lambda tree: tree.update(offer="abort"))
    yield told("offer-on-accept", "offers while accepting", "an offer stands on an act",
               match.at(0), accept)  # fmt: skip
    invite = reproved(None, {**trees(match)[0], "offer": "abort"})
    yield of_tree("pen-offer-on-invite", "offers while inviting", 4, "an offer stands on an act",
                  {**file_tree(match.at(0)), "log": [invite]})  # fmt: skip


def ends() -> Iterator[Vector]:
    """Nothing follows the end (7.2, 9.3)."""
    match, late = matches.short(), matches.long()
    before = match.at(5)
    resigned = matches.extended(before, plain_entry(before, "B", "resign"))
    for name, act in (("turn", "discard black 1"), ("vacation", "vacation 1"), ("deal", "deal"),
                      ("claim", "claim")):  # fmt: skip
        tree = plain_entry(resigned, "A", act, time=days(resigned, 99))
        yield told(f"{name}-after-resign", f"{name} after the end", "the match is over", resigned,
                   tree)  # fmt: skip
    over = late.at(96)
    yield told("deal-after-the-end", "deals when all is said", "the match is over", over,
               plain_entry(over, "A", "deal"), "long")  # fmt: skip
    scored = late.at(95)  # B's cup is still closed
    for act in ("resign", "vacation 1"):
        verb = act.partition(" ")[0]
        yield told(f"{verb}-after-play", f"{verb} after play is over", "after play is over", scored,
                   plain_entry(scored, "B", act), "long")  # fmt: skip
    yield told("turn-after-play", "plays on", "take stands where deal is due", scored,
               plain_entry(scored, "B", "take red"), "long")  # fmt: skip
    yield told("deal-by-the-winner", "the player whose cup is open deals", "the pen is B's", scored,
               plain_entry(scored, "A", "deal"), "long")  # fmt: skip
    closed = matches.extended(scored, plain_entry(scored, "A", "claim", time=days(scored, 8)))
    yield told("deal-after-claim", "opens cups that a claim closed", "the match is over", closed,
               plain_entry(closed, "B", "deal"), "long")  # fmt: skip
