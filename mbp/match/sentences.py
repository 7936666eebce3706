"""Entries in words, for logs, mails and messages."""

from __future__ import annotations

from mbp.chain import Relation
from mbp.match import Match
from mbp.match.verify import Moment
from mbp.rules.contract import COLOURS

FIXED = {
    "accept": "accepts the invitation",
    "begin": "shows the coin: play begins",
    "deal": "deals",
    "resign": "resigns",
    "agree": "agrees to end the match without result",
    "claim": "claims the match: the pace is over",
}


def sentence(moment: Moment) -> str:
    """What happened in an entry, without its author: `mountain 2 red, draws 3`."""
    entry, game = moment.entry, moment.position.game
    names = {seat: player.name for seat, player in moment.position.players.items()}
    if entry.verb == "invite":
        return f"invites to {game.name}"
    if entry.verb == "vacation":
        return f"takes {entry.act.partition(' ')[2]} days of vacation"
    parts = [FIXED.get(entry.verb, entry.act)]
    opened = entry.cards.get("open", {})
    if entry.verb in ("begin", "deal") and opened:
        cards = [card // game.copies for card in moment.opened.values()]
        parts.append("turns up " + ", ".join(COLOURS[colour] for colour in cards))
    parts += [words for event in moment.events if (words := game.tell(event, entry.by, names))]
    if "offer" in entry.tree:
        parts.append("offers to end the match without result")
    return ", ".join(parts)


def histories(match: Match, relation: Relation) -> str:
    """Names a fork, or two authors who crossed; `match` is one of the two (protocol 2.5, 9.3)."""
    if relation.by is None:
        return f"two histories: both players wrote an entry {relation.seq}"
    name = match.players[relation.by].name
    return f"two histories (fork): {name} has signed two different entries {relation.seq}"
