"""Makes the next position of an entry, or refuses it (protocol 11, checks 2 to 8).

The checks of one entry, in order; the numbers stand in the code:

2. seq, prev, time
3. players, keys, coins, signature
4. pen: whether its author may write this now
5. masks and their shuffle proofs
6. gives, opens, the equality proof
7. the rules of the game
8. what was owed

5 to 8 stand in `match.pay`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from mbp import coins, curve
from mbp.cards.pile import parse_card
from mbp.chain import Entry, from_text
from mbp.errors import ChainError, PenError, SignatureError, VerificationError
from mbp.keys import check_key, parse_key
from mbp.match.course import LEAVING
from mbp.match.pay import pay, pay_nothing
from mbp.match.position import Left, Player, Position
from mbp.match.table import Table
from mbp.rules import GAMES
from mbp.rules.contract import Event, Seat, other
from mbp.times import parse_time

TOLERANCE = timedelta(minutes=15)  # protocol 2.4


@dataclass(frozen=True)
class Moment:
    """An entry, what happened in it, and the position behind it."""

    entry: Entry
    position: Position
    events: tuple[Event, ...] = ()

    @property
    def opened(self) -> dict[str, int]:
        """The cards that the entry opened, by slot, as numbers c of protocol 5.3."""
        return {name: parse_card(text) for name, text in self.entry.cards.get("open", {}).items()}


def advance(position: Position | None, entry: Entry, *, trusted: bool = False) -> Moment:
    """Verifies one entry behind a position (None: the empty log).

    `trusted` skips the signature, the proofs and the points of a prefix whose exact bytes were
    verified before. Raises VerificationError with the entry's seq, author and check.
    """
    try:
        if position is None:
            opened = before = _open(entry, trusted)
        else:
            opened = _check_author(_check_chain(position, entry), entry, trusted)
            _check_pen(position, opened, entry)
            before = replace(position, players=opened.players, joint=opened.joint)
        if entry.verb in LEAVING:
            pay_nothing(before, entry, trusted=trusted)
            return Moment(entry, _leave(before, opened, entry))
        course = pay(before, entry, trusted=trusted)
        paid = replace(opened, table=course.table, state=course.state)
        offered = entry.by if "offer" in entry.tree and not paid.play_over else None
        return Moment(entry, replace(paid, offered_by=offered), course.events)
    except VerificationError as error:
        if error.seq is None:
            error.seq, error.author = (position.count if position else 0), entry.by
        raise


# 2 chain


def _check_chain(position: Position, entry: Entry) -> Position:
    """Check 2: the entry is the next one, and not backdated."""
    if entry.seq != str(position.count):
        raise ChainError(f"has seq {entry.seq[:9]} where {position.count} is next")
    if entry.tree["prev"] != position.head:
        raise ChainError("prev is not the id of the entry before")
    time = parse_time(entry.tree["time"])
    if position.latest - time > TOLERANCE:
        raise ChainError(f"time {entry.tree['time']} is before that of an earlier entry")
    return replace(
        position,
        count=position.count + 1,
        head=entry.id,
        time=time,
        latest=max(time, position.latest),
        pause=0,
        offered_by=None,
    )


def _open(entry: Entry, trusted: bool) -> Position:
    """Checks 2 to 4 of entry 0, which makes the first position."""
    if entry.seq != "0":
        raise ChainError(f"the first entry has seq {entry.seq[:9]}")
    tree = entry.tree
    time = parse_time(tree["time"])
    game = GAMES[tree["game"]]
    position = Position(
        game=game,
        game_id=entry.id,
        options=tree["options"],
        guest=tree.get("guest", ""),
        nonce=from_text(tree["nonce"]),
        commitment=from_text(tree["coin"]),
        players={},
        count=1,
        head=entry.id,
        time=time,
        latest=time,
        table=Table.laid(game),
    )
    if position.guest and not check_key(parse_key(position.guest)):
        raise SignatureError("the guest's key is not a valid point")
    position = position.with_player("A", _read_player(entry))
    _check_signature(position, entry, "A", trusted)
    if entry.by != "A":
        raise PenError("the invitation is not by A")
    if "offer" in tree:
        raise PenError("an offer stands on an act of play only")
    return position


# 3 players, keys, coins, signature


def _read_player(entry: Entry) -> Player:
    """The player whom an invite or accept introduces. Raises SignatureError for a bad key."""
    claims: Mapping[str, str] = entry.tree["player"]
    key = parse_key(claims["key"])
    if not check_key(key):
        raise SignatureError("the player's key is not a valid point")
    card_key = from_text(entry.cards["key"]) if "key" in entry.cards else b""
    if card_key and not curve.is_valid_point(card_key):
        raise SignatureError("the card key is not a valid point")
    return Player(claims["name"], key, claims["key"], claims.get("mail", ""), card_key)


def _check_author(position: Position, entry: Entry, trusted: bool) -> Position:
    """Check 3: whoever the entry names as author signed it; B and the coins are as they must be."""
    if position.count == 2 and entry.verb == "accept" and entry.by == "B":
        position = _seat_guest(position, entry)
    if entry.by not in position.players:
        raise PenError("nobody has accepted the invitation yet")
    if position.count == 3 and entry.verb == "begin":
        coin = from_text(entry.tree["coin"])
        if coins.commitment(coin) != position.commitment:
            raise SignatureError("the coin does not match its commitment")
        position = replace(position, joint=coins.joint_seed(coin, position.coin_b))
    _check_signature(position, entry, entry.by, trusted)
    return position


def _seat_guest(position: Position, entry: Entry) -> Position:
    host = position.players["A"]
    guest = _read_player(entry)
    if position.guest and guest.key_text != position.guest:
        raise SignatureError("the guest is not the one whom the invitation names")
    if guest.key == host.key:
        raise SignatureError("both players have one identity key")
    if guest.card_key and guest.card_key == host.card_key:
        raise SignatureError("both players have one card key")
    return replace(position.with_player("B", guest), coin_b=from_text(entry.tree["coin"]))


def _check_signature(position: Position, entry: Entry, seat: Seat, trusted: bool) -> None:
    if not trusted and not entry.signed_by(position.players[seat].key):
        raise SignatureError("the signature does not hold")


# 4 pen


def _check_pen(before: Position, after: Position, entry: Entry) -> None:
    """Check 4: the author has the pen and the act is one that may stand here (7.1, 9)."""
    if before.pen is None:
        raise PenError("the match is over, nothing may follow")
    if entry.verb == "claim":
        _check_claim(before, entry, after.time)
    elif before.pen != entry.by:
        raise PenError(f"the pen is {before.pen}'s")
    elif entry.verb in LEAVING:
        _check_leaving(before, entry)
    elif before.duty == "play":
        if entry.verb not in before.game.acts:
            raise PenError(f"{entry.verb} stands where an act of play is due")
    elif entry.verb != before.duty:
        raise PenError(f"{entry.verb} stands where {before.duty} is due")
    if "offer" in entry.tree and entry.verb not in before.game.acts:
        raise PenError("an offer stands on an act of play only")


def _check_claim(before: Position, entry: Entry, time: datetime) -> None:
    """Protocol 9.3."""
    if entry.by == before.pen:
        raise PenError("a claim by the player who has the pen")
    if before.count < 2:
        raise PenError("a claim before the invitation was accepted")
    since = before.claimable_after
    if since is None:
        raise PenError("a claim in a match without pace")
    if time <= since:
        raise PenError(f"a claim before the {before.pace} days of the pace are over")


def _check_leaving(before: Position, entry: Entry) -> None:
    """Protocol 7.1, 9.1, 9.2, 9.4."""
    if before.count < 3:
        raise PenError(f"{entry.verb} before entry 3")
    if before.play_over:
        raise PenError(f"{entry.verb} after play is over")
    if entry.verb == "agree" and before.offered_by != other(entry.by):
        raise PenError("agrees to no offer of the entry before")
    if entry.verb == "vacation":
        days = vacation_days(entry.act)
        if not 0 < days <= before.vacation_left(entry.by):
            raise PenError(
                f"takes {days} days of vacation, {before.vacation_left(entry.by)} are left"
            )


def vacation_days(act: str) -> int:
    """The days of a `vacation N`; more digits than any option allows count as too many."""
    number = act.partition(" ")[2]
    return int(number) if len(number) <= 4 else 10**4


def _leave(before: Position, after: Position, entry: Entry) -> Position:
    """The position behind an act that pays nothing (protocol 9)."""
    seat, opponent = entry.by, other(entry.by)
    if entry.verb == "vacation":
        days = vacation_days(entry.act)
        taken = {**before.vacation_taken, seat: before.vacation_taken[seat] + days}
        return replace(after, pause=days, vacation_taken=taken)
    if entry.verb == "claim" and before.play_over:
        return replace(after, closed_by_claim=True)
    leaves = {
        "resign": Left("resign", opponent),
        "agree": Left("abort", None),
        "claim": Left("claim", seat),
    }
    return replace(after, left=leaves[entry.verb])
