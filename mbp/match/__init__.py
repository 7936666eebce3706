"""A match: a verified chain with its piles and the state of its game (protocol 7 to 11).

A `Match` comes from `replay`, from `invite` or from another `Match`: holding one is the proof that
every entry of it holds. It is frozen, and knows no secrets; what a seat sees is asked for with the
seat's card secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mbp import curve
from mbp.chain import Entry, Record, from_text, settlement_signed_by, to_text
from mbp.errors import ExtrasError, TurnError, VerificationError
from mbp.match.course import LEAVING, first_seat
from mbp.match.position import Left, Player, Position
from mbp.match.settled import settlers
from mbp.match.table import Slot, Table
from mbp.match.verify import Moment, advance
from mbp.match.write import Pen, coin_of, secret_of, write_entry, write_invitation
from mbp.rules.contract import SEATS, AnyGame, Colour, Outcome, Seat, Sight, State, other

__all__ = [
    "Left",
    "Match",
    "Pen",
    "Player",
    "Position",
    "Slot",
    "Table",
    "first_seat",
    "invite",
    "replay",
    "replay_as_far",
    "secret_of",
]


@dataclass(frozen=True)
class Match:
    """A verified match. `moments` has an item for each entry: what it is, and what came of it."""

    moments: tuple[Moment, ...]
    disclosed: Mapping[str, str]
    settled: tuple[Mapping[str, str], ...]

    @property
    def position(self) -> Position:
        """The position behind the newest entry."""
        return self.moments[-1].position

    @property
    def log(self) -> tuple[Entry, ...]:
        """The entries, oldest first."""
        return tuple(moment.entry for moment in self.moments)

    @property
    def game(self) -> AnyGame:
        return self.position.game

    @property
    def id(self) -> str:
        """The game id, id(entry 0)."""
        return self.position.game_id

    @property
    def pen(self) -> Seat | None:
        """Who may write the next entry, None when nothing may follow."""
        return self.position.pen

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, None while the match is open."""
        return self.position.outcome

    @property
    def players(self) -> Mapping[Seat, Player]:
        return self.position.players

    @property
    def record(self) -> Record:
        """What `gamefile.dump` writes, with a fresh summary."""
        return Record(self.log, self.disclosed, self.settled, self.summary)

    @property
    def summary(self) -> dict[str, str]:
        """What a reader of the bare file wants to know (protocol 10); derived, never trusted."""
        position, outcome = self.position, self.outcome
        found: dict[str, str] = {
            **{seat: player.name for seat, player in position.players.items()},
            "entries": str(position.count),
            "pen": position.pen or "none",
            "score": ":".join(map(str, position.scores)),
            "outcome": _outcome_word(outcome),
        }
        if position.termination is not None:
            found["termination"] = position.termination
        return found

    def seat_of(self, public: bytes) -> Seat | None:
        """The seat that an identity key plays, None for a stranger."""
        for seat, player in self.players.items():
            if player.key == public:
                return seat
        return None

    def at(self, seq: int) -> Match:
        """The match as it stood behind entry `seq`."""
        return replace(self, moments=self.moments[: seq + 1], disclosed={}, settled=())

    def seen(self, secrets: Mapping[Seat, int]) -> tuple[State | None, Sight]:
        """State and zones as one sees them who knows these card secrets: none, one's own, or both.

        Face-up cards that a player can open, but has had no entry to open them in, are turned up in
        the state (protocol 7.1: a mover opens them in the entry of the move, having seen them).
        """
        table, state, left = self.position.table, self.position.state, self.position.left
        if state is not None and left is not None:
            state = self.game.left(state, left.termination)
        sight = {}
        for name, zone in self.game.zones.items():
            slots = table.zones.get(name, ())
            sight[name] = tuple(_look(table, slot, zone.owner, secrets) for slot in slots)
            if state is None or zone.owner is not None:
                continue
            for slot, colour in zip(slots, sight[name], strict=True):
                if slot not in table.cards and colour is not None:
                    state = self.game.reveal(state, name, colour)
        return state, sight

    def disclosed_secrets(self) -> dict[Seat, int]:
        """The card secrets that stand in the file and hold (protocol 9.5)."""
        return {
            seat: int.from_bytes(from_text(self.disclosed[seat]), "little")
            for seat in SEATS
            if seat in self.disclosed
        }

    def played(self, seat: Seat, act: str, pen: Pen, note: str = "", offer: str = "") -> Match:
        """The match with one more entry, by the seat that `pen.identity` plays.

        Raises GameError for an illegal move, TurnError where the act is not possible now; the match
        itself stays as it is.
        """
        if self.seat_of(pen.identity.public) != seat:
            raise TurnError(f"this key does not play seat {seat}")
        refuse_out_of_turn(self.position, seat, act)
        fields = {name: text for name, text in (("note", note), ("offer", offer)) if text}
        if act == "begin":
            fields = {**fields, "coin": to_text(coin_of(self.position, "A", pen.identity))}
        entry = write_entry(self.position, seat, act, pen, fields=fields)
        return self.extended(entry)

    def accepted(self, player: Mapping[str, str], pen: Pen, note: str = "") -> Match:
        """The match with the guest's `accept` (protocol 3)."""
        if self.position.duty != "accept":
            raise TurnError("the invitation has been accepted already")
        coin = to_text(coin_of(self.position, "B", pen.identity))
        fields = {"player": dict(player), "coin": coin, **({"note": note} if note else {})}
        return self.extended(write_entry(self.position, "B", "accept", pen, fields=fields))

    def extended(self, entry: Entry) -> Match:
        """The match with one more entry, verified. Raises VerificationError."""
        return replace(self, moments=(*self.moments, advance(self.position, entry)))

    def with_disclosed(self, seat: Seat, secret: str) -> Match:
        """The match with a card secret laid open. Raises ExtrasError if it is not this seat's."""
        check_disclosed(self.position, seat, secret)
        return replace(self, disclosed={**self.disclosed, seat: secret})

    def with_extras(self, record: Record) -> tuple[Match, tuple[str, ...]]:
        """The match with all of a record's disclosed secrets and settlements that hold.

        Each item is checked alone; also returns why the others were dropped.
        """
        match, dropped = self, []
        for seat in SEATS:
            if seat in record.disclosed:
                try:
                    match = match.with_disclosed(seat, record.disclosed[seat])
                except ExtrasError as error:
                    dropped.append(error.reason)
        # In one go: a file has room for thousands of settlements, which their author can sign.
        settled = {_written(item): item for item in self.settled}
        ids = {entry.id: place for place, entry in enumerate(self.log)}
        for item in record.settled:
            try:
                if _written(item) not in settled:
                    check_settled(self, ids, item)
                    settled[_written(item)] = item
            except ExtrasError as error:
                dropped.append(error.reason)
        return replace(match, settled=tuple(settled.values())), tuple(dropped)

    def with_settled(self, item: Mapping[str, str]) -> Match:
        """The match with one more settlement. Raises ExtrasError if it does not hold."""
        check_settled(self, {entry.id: place for place, entry in enumerate(self.log)}, item)
        return self if item in self.settled else replace(self, settled=(*self.settled, item))

    def settled_over(self, other: Sequence[Entry]) -> set[str]:
        """Who has signed that this history stands, and the one of that log is dropped (9.6)."""
        return settlers(self.log, self.settled, other)


def invite(
    game: AnyGame,
    options: Mapping[str, str],
    player: Mapping[str, str],
    guest: str,
    nonce: bytes,
    pen: Pen,
) -> Match:
    """A new match with its invitation; arguments as `write_invitation`."""
    entry = write_invitation(game, options, player, guest, nonce, pen)
    return Match((advance(None, entry),), {}, ())


def replay(record: Record, *, verified: int = 0) -> Match:
    """Verifies a record, entry by entry (protocol 11, checks 2 to 8).

    `verified` entries at the start are known to hold, signatures and proofs included; only the
    cache of verified prefixes may say so. Disclosed secrets and settlements are left to the caller
    (`with_disclosed`, `with_settled`). Raises VerificationError at the first entry that does not
    hold.
    """
    return Match(tuple(_moments(record, verified)), {}, ())


def replay_as_far(record: Record) -> tuple[Match, VerificationError | None]:
    """Verifies as `replay` does: the match up to the first bad entry, and what is wrong with it.

    The match has no entry, and hence no position, where the first one is bad.
    """
    moments: list[Moment] = []
    try:
        moments.extend(_moments(record, 0))
    except VerificationError as fault:
        return Match(tuple(moments), {}, ()), fault
    return Match(tuple(moments), {}, ()), None


def _moments(record: Record, verified: int) -> Iterator[Moment]:
    """What each entry comes to, one behind the other. Raises VerificationError."""
    before: Position | None = None
    for number, entry in enumerate(record.log):
        moment = advance(before, entry, trusted=number < verified)
        before = moment.position
        yield moment


def check_disclosed(position: Position, seat: str, secret: str) -> None:
    """Check 10 of a disclosed card secret: after play, and k G = K (protocol 9.5)."""
    if not position.play_over:
        raise ExtrasError("a card secret is disclosed before play is over")
    player = next((p for s, p in position.players.items() if s == seat), None)
    scalar = int.from_bytes(from_text(secret), "little")
    if not 0 < scalar < curve.Q:
        raise ExtrasError(f"the disclosed secret of {seat} is not a scalar")
    if player is None or curve.base_mult(scalar) != player.card_key:
        raise ExtrasError(f"the disclosed secret is not {seat}'s")


def _written(item: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """A settlement as a value that can be looked up."""
    return tuple(sorted(item.items()))


def check_settled(match: Match, ids: Mapping[str, int], item: Mapping[str, str]) -> None:
    """Check 10 of a settlement (protocol 9.6); `ids` are those of the log, with their places."""
    player = next((p for s, p in match.players.items() if s == item["by"]), None)
    if player is None:
        raise ExtrasError(f"a settlement by {item['by']}, who does not play")
    if ids.get(item["keep"], 0) == 0:  # entry 0 is in every history
        raise ExtrasError("a settlement keeps an entry that is not in this log")
    if item["drop"] in ids:
        raise ExtrasError("a settlement drops an entry of this log")
    if not settlement_signed_by(item, match.id, player.key):
        raise ExtrasError(f"the settlement is not signed by {item['by']}")


def refuse_out_of_turn(position: Position, seat: Seat, act: str) -> None:
    """Raises TurnError where `seat` cannot write this act now (protocol 7.1, 9)."""
    verb = act.partition(" ")[0]
    if position.pen is None:
        raise TurnError("the match is over")
    if verb == "claim":
        return  # everything else about a claim depends on its time: the entry itself is checked
    if position.pen != seat:
        raise TurnError(f"the pen is not yours: it is {position.players[other(seat)].name}'s turn")
    if verb in LEAVING:
        return
    due = verb in position.game.acts if position.duty == "play" else verb == position.duty
    if not due:
        raise TurnError(f"now {position.duty} is due, not {verb}")


def _outcome_word(outcome: Outcome | None) -> str:
    if outcome is None:
        return "open"
    if outcome.termination == "abort":
        return "none"
    return outcome.winner or "draw"


def _look(
    table: Table, slot: Slot, owner: Seat | None, secrets: Mapping[Seat, int]
) -> Colour | None:
    """The colour of a slot for one who knows these secrets."""
    card, pile = table.cards.get(slot), table.pile_of(slot)
    if card is None and len(secrets) == len(SEATS) and pile.masked:
        card = pile.read_both(secrets[pile.first], secrets[pile.second], slot[1])
    elif card is None:
        for seat, secret in secrets.items():
            if owner in (seat, None):
                card = pile.read(seat, secret, slot[1]) if pile.masked else None
    return None if card is None else card // table.game.copies
