"""Files of Patterns: what its rules, its tiles and its end forbid, and some that hold (P2 to P5).

An entry of Patterns has no cards, so a crime is nothing but its act, or a field too much.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

from mbp import coins
from mbp.chain import from_text
from mbp.match import Match
from mbp.rules.contract import Seat, other
from mbp.rules.patterns.state import State
from mbp.times import format_time
from tests.vectors import matches, tiles
from tests.vectors.changes import GONE, Change, Tree, put
from tests.vectors.forging import honest_entry, plain_entry, resigned, text_of, trees
from tests.vectors.players import secret_bytes
from tests.vectors.vector import Vector, file_tree, of_tree

# Illegal acts of the mover. name: (crime, entries before, act, reason)
IN_TILES: Mapping[str, tuple[str, int, str, str]] = {
    "p2-3-bowl-not-left": (
        "chooses a bowl tile that is not left", 3, "bowl red", "tiles left for the bowls are"),
    "p2-3-acts-first": ("acts before the bowl is chosen", 3, "found e5", "chosen first (P2.3)"),
    "p2-3-bowl-again": ("chooses a bowl tile again", 5, "bowl yellow", "have their tile (P2.3)"),
    "p3-1-founded": ("founds a colour twice", 9, "found c1", "black is founded already (P3.1)"),
    "p3-1-beside": (
        "founds next to the opponent's group", 7, "found e4", "touches the opponent's black"),
    "p3-1-own-tile": ("founds on an own tile", 6, "found e5", "on e5 lies face down"),
    "p3-1-their-tile": ("founds on the opponent's tile", 5, "found e5", "on e5 lies face down"),
    "p3-2-not-founded": ("swaps a colour without a group", 5, "swap c1", "not founded yet (P3.2)"),
    "p3-2-same-colour": ("swaps for the bowl's colour", 12, "swap g4", "is purple too"),
    "p3-2-far": ("swaps far from the group", 9, "swap c1", "not touch the own black group (P3.2)"),
    "p3-2-diagonal": ("swaps at a corner of the group", 9, "swap c6", "not touch the own black"),
    "p3-2-beside": (
        "swaps where both groups touch", 37, "swap e7", "touches the opponent's black"),
    "p3-2-own-tile": ("swaps an own tile", 18, "swap g3", "on g3 lies face down"),
    "p3-2-their-tile": ("swaps the opponent's tile", 12, "swap f3", "on f3 lies face down"),
    "p3-3-not-founded": ("flips a colour without a group", 5, "flip c1", "founded yet (P3.3)"),
    "p3-3-far": ("flips far from the group", 6, "flip e2", "not touch the own black group (P3.3)"),
    "p3-3-diagonal": ("flips at a corner of the group", 6, "flip f6", "not touch the own black"),
    "p3-3-beside": (
        "flips where both groups touch", 14, "flip g4", "touches the opponent's purple"),
    "p3-3-own-tile": ("flips an own tile", 11, "flip c7", "on c7 lies face down"),
    "p3-3-their-tile": ("flips the opponent's tile", 10, "flip c7", "on c7 lies face down"),
    "space-capital": ("a space's other spelling", 5, "found E4", "not the long form"),
    "space-in-the-corner": ("a space that the board lacks", 5, "found a1", "a1 is no space"),
    "space-row-9": ("a row that the board lacks", 5, "found c9", "not the long form"),
    "two-spaces": ("two spaces in one act", 5, "flip c4 c5", "not the long form"),
    "no-space": ("an act without its space", 5, "found", "not the long form"),
}  # fmt: skip

BEGIN = 2  # the entry that shows A's coin
RULES = 7  # check 7


def vectors() -> Iterator[Vector]:
    """All of this page."""
    yield from good()
    yield from illegal()
    yield from seeds()
    yield from turns()
    yield from ends()
    yield from foreign()


def told(
    name: str, crime: str, check: int | None, reason: str, match: Match, *entries: Tree,
    base: str = "tiles",
) -> Vector:  # fmt: skip
    """A vector of a beginning of a base, and more entries."""
    tree = file_tree(match, *entries)
    return of_tree(f"tiles-{name}", crime, check, reason, tree, base=base)


def by_pen(match: Match, act: str, **fields: str) -> Tree:
    """The next entry by the player with the pen, whatever it says."""
    assert match.pen is not None
    return plain_entry(match, match.pen, act, **fields)


def good() -> Iterator[Vector]:
    """What holds: the bases, and the ways to leave the table."""
    match, sudden = tiles.tiles(), tiles.sudden()
    yield told("good", "a whole match of Patterns", None, "", match)
    yield told("good-sudden", "play ends after three actions", None, "", sudden, base="sudden")
    before, offered = match.at(20), match.at(tiles.OFFER)
    late = format_time(before.position.time + timedelta(days=7, seconds=1))
    for name, what, held, tree in (
        ("resign", "a resignation", before, by_pen(before, "resign")),
        ("agree", "an offer and its agreement", offered, by_pen(offered, "agree")),
        ("claim", "a claim", before, plain_entry(before, without_pen(before), "claim", time=late)),
    ):
        left = matches.extended(held, tree)
        yield told(f"good-{name}", what, None, "", left)
    last = by_pen(sudden.at(5), sudden.log[-1].act, offer="abort")
    over = matches.extended(sudden.at(5), last)
    yield told("good-offer-lapses", "an offer with the last action", None, "", over, base="sudden")
    agrees = plain_entry(over, other(over.log[-1].by), "agree")
    yield told("end-agree", "agrees to an offer behind the end", 4, "the match is over",
               over, agrees, base="sudden")  # fmt: skip


def without_pen(match: Match) -> Seat:
    """The player who waits."""
    assert match.pen is not None
    return other(match.pen)


def illegal() -> Iterator[Vector]:
    """Acts that the rules do not allow (P2.3, P3.1 to P3.4)."""
    for name, (crime, count, act, reason) in IN_TILES.items():
        match = tiles.tiles().at(count - 1)
        yield told(name, crime, RULES, reason, match, by_pen(match, act))


def seeds() -> Iterator[Vector]:
    """Tiles that the joint seed does not give (P2.4), and a coin that is not the one of entry 0."""
    match = tiles.tiles()
    begun, later = match.at(BEGIN), match.at(20)
    swapped = laid_by(match, coins.joint_seed(coin_of(match, 1), coin_of(match, BEGIN)))
    alone = laid_by(match, coins.joint_seed(coin_of(match, BEGIN), coin_of(match, BEGIN)))
    bowl = that_fits(match, alone, tiles.state_of(begun))
    yield told("p2-4-bowl", "a bowl tile that is left with A's coin alone", RULES,
               "tiles left for the bowls are", begun, by_pen(begun, bowl))  # fmt: skip
    for name, crime, theirs in (
        ("coins-swapped", "with the coins the other way round", swapped),
        ("coin-alone", "with A's coin alone", alone),
    ):
        now = tiles.state_of(later)
        act = that_fits(match, relaid(now, theirs), now)
        yield told(f"p2-4-{name}", f"an act that fits the tiles {crime}", RULES, "(P3.",
                   later, by_pen(later, act))  # fmt: skip
    begin = honest_entry(match.at(1), "begin")
    for name, crime, coin in (
        ("coin", "another coin than the one committed to", secret_bytes("coin")),
        ("coin-of-the-guest", "the guest's coin for the own", coin_of(match, 1)),
    ):
        lying = resigned(begin, put(("coin",), text_of(coin)))
        yield told(f"p2-4-{name}", crime, 3, "does not match its commitment", match.at(1), lying)


def coin_of(match: Match, seq: int) -> bytes:
    """The coin that an entry shows."""
    return from_text(match.log[seq].tree["coin"])


def laid_by(match: Match, joint: bytes) -> State:
    """The set-up of another joint seed, with the same start player."""
    state: State = match.game.start(match.position.options, "B", coins.Chance(joint).below)
    return state


def relaid(state: State, theirs: State) -> State:
    """A position whose open tiles have the colours of another set-up."""
    pairs = zip(state.tiles, theirs.tiles, strict=True)
    return replace(state, tiles=tuple(mine if mine.owner else tile for mine, tile in pairs))


def that_fits(match: Match, theirs: State, ours: State) -> str:
    """An act that is legal in one position and not in the other."""
    game = match.game
    legal = [game.format(ours, move) for move in game.legal_moves(ours, ())]
    moves = [game.format(theirs, move) for move in game.legal_moves(theirs, ())]
    return next(act for act in reversed(moves) if act not in legal)


def turns() -> Iterator[Vector]:
    """Acts by the player who waits, or where another entry is due (P2.3, protocol 7.1)."""
    match, sudden = tiles.tiles(), tiles.sudden()
    begun, coin = match.at(BEGIN), sudden.at(BEGIN)
    yield told("turn-bowl-by-the-start-player", "the start player (the guest) chooses the bowl", 4,
               "the pen is A's", begun, plain_entry(begun, "B", match.log[3].act))  # fmt: skip
    yield told("turn-bowl-against-the-coin", "the start player by the coin chooses the bowl", 4,
               "the pen is B's", coin, plain_entry(coin, "A", sudden.log[3].act),
               base="sudden")  # fmt: skip
    yield told("turn-out-of-turn", "an action out of turn", 4, "the pen is B's", match.at(9),
               plain_entry(match.at(9), "A", match.log[11].act))  # fmt: skip
    yield told("turn-before-begin", "chooses the bowl before the coin is shown", 4,
               "bowl stands where begin is due", match.at(1),
               by_pen(match.at(1), match.log[3].act))  # fmt: skip


def ends() -> Iterator[Vector]:
    """The rules make the extra flips, and nothing may follow (P4)."""
    over = tiles.sudden()
    last = over.log[-1].by
    for name, crime, seat, act in (
        ("extra-flip", "an extra flip as an entry", last, "flip c4"),
        ("plays-on", "the blocked player plays on", other(last), "flip a4"),
        ("claims", "claims behind the end", last, "claim"),
        ("resigns", "resigns behind the end", other(last), "resign"),
    ):
        yield told(f"end-{name}", crime, 4, "the match is over", over,
                   plain_entry(over, seat, act), base="sudden")  # fmt: skip
    tree = file_tree(over)
    for name, crime, field, value in (
        ("without-extra-flips", "a score without the extra flips", "score", "0:0"),
        ("without-a-chain", "a score without extra flips next to extra flips", "score", "4:0"),
        ("still-open", "a match that has come to its end is called open", "outcome", "open"),
        ("by-deck", "an end of the other game", "termination", "deck"),
    ):
        wrong = {**tree, "summary": {**tree["summary"], field: value}}
        yield of_tree(f"tiles-end-{name}", crime, 10, f"the summary says {field} is '{value}'",
                      wrong, base="sudden")  # fmt: skip


def foreign() -> Iterator[Vector]:
    """What belongs to games with cards, or to one of the two games alone (protocol 3, 6, 8)."""
    match, short = tiles.tiles(), matches.short()
    key, slot = {"key": text_of(secret_bytes("point"))}, {"open": {"0:0": "K00"}}
    for name, crime, seq, change in (
        ("cards-in-the-invitation", "a card key of A", 0, put(("cards",), key)),
        ("cards-in-accept", "a card key of B", 1, put(("cards",), key)),
        ("cards-in-an-action", "opens a card", 5, put(("cards",), slot)),
        ("option-of-mandala", "an option of Mandala", 0, put(("options", "draw"), "full")),
        ("option-missing", "no word on who starts", 0, put(("options", "start"), GONE)),
        ("rules-of-mandala", "the rules of Mandala", 0, put(("rules",), "mandala/1")),
    ):
        yield changed(name, crime, seq, change)
    before = match.at(4)
    for name, crime, act in (
        ("deal", "deals where there are no cards", "deal"),
        ("act-of-mandala", "an act of Mandala", "discard red 1"),
        ("act-alone", "a space alone, as people type it", "c4"),
        ("act-short", "the short form that people type", "foc4"),
    ):
        yield told(f"form-{name}", crime, 1, "unknown act", before, by_pen(before, act))
    secret = {"A": text_of(secret_bytes("card secret"))}
    yield of_tree("tiles-form-disclosed", "a card secret in a game without cards", 1, "unknown key",
                  file_tree(match, disclosed=secret), base="tiles", seq=None)  # fmt: skip
    yield of_tree("tiles-form-in-mandala", "an act of Patterns in Mandala", 1, "unknown act",
                  file_tree(short.at(4), by_pen(short.at(4), "flip c4")))  # fmt: skip


def changed(name: str, crime: str, seq: int, change: Change) -> Vector:
    """A vector whose entry `seq` has a field that it cannot have, or lacks one."""
    reason = "missing" if "missing" in name else "unknown"
    log = trees(tiles.tiles().at(seq))
    log[seq] = resigned(log[seq], change)
    tree = {**file_tree(tiles.tiles().at(seq)), "log": log}
    return of_tree(f"tiles-form-{name}", crime, 1, reason, tree, base="tiles")
