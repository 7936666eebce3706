"""Entries in words, for logs, mails and messages."""

from __future__ import annotations

from collections.abc import Mapping

from mbp.chain import Relation
from mbp.match import Match
from mbp.match.verify import Moment
from mbp.rules.contract import COLOURS, Seat

FIXED = {
    "accept": "accepts the invitation",
    "begin": "shows the coin: play begins",
    "deal": "deals",
    "resign": "resigns",
    "agree": "agrees to end the match without result",
    "claim": "claims the match: the pace is over",
}


def sentence(moment: Moment, names: Mapping[Seat, str] | None = None) -> str:
    """What happened in an entry, without its author: `mountain 2 red, draws 3`.

    `names` are what the reader calls the players, by default what they call themselves.
    """
    entry, game = moment.entry, moment.position.game
    if names is None:
        names = {seat: player.name for seat, player in moment.position.players.items()}
    if entry.verb == "invite":
        return f"invites to {game.name}"
    if entry.verb == "vacation":
        number = entry.act.partition(" ")[2]
        return f"takes {number} {'day' if number == '1' else 'days'} of vacation"
    parts = [FIXED.get(entry.verb, entry.act)]
    opened = entry.cards.get("open", {})
    if entry.verb in ("begin", "deal") and opened:
        cards = [card // game.copies for card in moment.opened.values()]
        parts.append("turns up " + ", ".join(COLOURS[colour] for colour in cards))
    parts += [words for event in moment.events if (words := game.tell(event, entry.by, names))]
    if "offer" in entry.tree:
        parts.append("offers to end the match without result")
    return ", ".join(parts)


def histories(
    match: Match,
    relation: Relation,
    reader: Seat | None = None,
    names: Mapping[Seat, str] | None = None,
) -> str:
    """Names a fork, or two authors who crossed; `match` is one of the two (protocol 2.5, 9.3).

    `reader` is the seat of who is told, if it is a player's; `names` as in `sentence`.
    """
    if relation.by is None:
        return f"two histories: both players wrote an entry {relation.seq}"
    own, name = relation.by == reader, (names or {}).get(relation.by)
    who = "you have" if own else f"{name or match.players[relation.by].name} has"
    return f"two histories (fork): {who} signed two different entries {relation.seq}"
