"""Gives and opens that are not true, or cannot be; their proofs (protocol 6.2, 6.3; check 6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from mbp.cards.transcript import Transcript
from mbp.curve import Q, add, base_mult, mult, scalar_to_bytes, subtract
from mbp.match import Match
from tests.vectors import matches
from tests.vectors.changes import Change, added
from tests.vectors.crimes_players import LOW_ORDER, NO_POINTS
from tests.vectors.forging import (
    bytes_of,
    card_secret,
    honest_entry,
    lie,
    pairs_of,
    place_of,
    reproved,
    signed,
    text_of,
    trees,
)
from tests.vectors.players import identity
from tests.vectors.vector import Vector, file_tree, of_tree

FAILS = "the equality proof fails"
BEGIN = 2  # A gives eight points and opens four cards
TURN = 5  # A gives a point and opens a card


def vectors() -> Iterator[Vector]:
    """All of this page."""
    yield from points()
    yield from numbers()
    yield from slots()
    yield from opens()
    yield from proofs()
    yield from late_piles()


def done(
    name: str, crime: str, reason: str, seq: int, change: Change, base: str = "short"
) -> Vector:
    """A vector whose last entry pays something else than the good one in its place."""
    match = matches.long() if base == "long" else matches.short()
    before = match.at(seq - 1)
    tree = lie(before, match.log[seq].act, change)
    return of_tree(f"cards-{name}", crime, 6, reason, file_tree(before, tree), base=base)


def points() -> Iterator[Vector]:
    """The points T of the first masker."""
    gives = trees(matches.short())[BEGIN]["cards"]["give"]
    one, two = (bytes_of(gives[slot]) for slot in ("0:10", "0:11"))

    def given(first: bytes, second: bytes) -> Change:
        texts = {"0:10": text_of(first), "0:11": text_of(second)}
        return added("give", texts)

    shift = base_mult(99)
    yield done("point-wrong", "a point that is not the slot's", FAILS, BEGIN, given(shift, two))
    yield done("point-scaled", "twice the slot's point", FAILS, BEGIN, given(mult(2, one), two))
    yield done("points-swapped", "two slots with each other's point", FAILS, BEGIN, given(two, one))
    yield done("point-twice", "one point for two slots", "is given twice", BEGIN, given(one, one))
    yield cancelling(given(add(one, shift), subtract(two, shift)))
    for name, (crime, point) in NO_POINTS.items():
        yield done(f"point-{name}", f"a point that is {crime}", "is no point of the group", BEGIN,
                   given(point, two))  # fmt: skip
    yield unseen()


def cancelling(change: Change) -> Vector:
    """Two wrong points whose errors cancel in a sum without weights."""
    before = matches.short().at(BEGIN - 1)
    tree = honest_entry(before, "begin")
    change(tree)
    made = reproved(before, tree, even=True)
    return of_tree("cards-points-cancel", "two wrong points whose errors cancel in a sum", 6, FAILS,
                   file_tree(before, made))  # fmt: skip


def unseen() -> Vector:
    """A point plus one of order 2, which an even weight makes vanish from the sum."""
    before = matches.short().at(BEGIN - 1)
    tree = honest_entry(before, "begin")
    true = pairs_of(before.position.table, "A", tree["cards"])
    bent = text_of(add(bytes_of(tree["cards"]["give"]["0:10"]), LOW_ORDER[4]))
    tree["cards"]["give"]["0:10"] = bent
    secret = card_secret(before, tree)
    for number in count():
        tree["note"] = f"{number}"
        pairs = pairs_of(before.position.table, "A", tree["cards"])
        transcript = Transcript.start("equality", place_of(tree, base_mult(secret)))
        for x, y in pairs:
            transcript.absorb("pair", x + y)
        if transcript.challenge("w") % 2 == 0:
            break
    made = reproved(before, tree, sums=true)
    return of_tree("cards-point-bent", "a point outside the subgroup that its weight hides", 6,
                   "is no point of the group", file_tree(before, made))  # fmt: skip


def numbers() -> Iterator[Vector]:
    """The numbers j of the second masker."""
    gives = trees(matches.short())[1]["cards"]["give"]
    unused = next(str(j) for j in range(108) if str(j) not in gives.values())
    swap = {"0:4": gives["0:5"], "0:5": gives["0:4"]}
    for name, crime, reason, texts in (
        ("number-wrong", "another number of the list", FAILS, {"0:4": unused}),
        ("numbers-swapped", "two slots with each other's number", FAILS, swap),
        ("number-twice", "one number for two slots", "is given twice", {"0:5": gives["0:4"]}),
    ):
        yield done(name, crime, reason, 1,
                   added("give", texts))  # fmt: skip
    match = matches.long()
    seq = next(seq for seq in range(3, 30) if match.log[seq].by == "B" and
               "give" in match.log[seq].cards)  # fmt: skip
    slot = next(iter(match.log[seq].cards["give"]))
    old = match.log[1].cards["give"]["0:4"]
    for name, crime, reason, text in (
        ("number-used", "a number that another slot has", "is given twice", old),
        ("number-again", "a slot is given a second time", "is given twice", ""),
        ("number-108", "a number behind the list", "is no number of the first list", "108"),
        ("number-huge", "a number of 60 digits", "is no number of the first list", 60 * "9"),
        ("point-for-number", "a point where a number is due", "is no number", text_of(bytes(32))),
    ):
        texts = {slot: text} if text else {"0:4": old}
        yield done(name, crime, reason, seq,
                   added("give", texts), "long")  # fmt: skip
    yield done("number-for-point", "a number where a point is due", "is no point", TURN,
               added("give", {"0:20": "7"}))  # fmt: skip


def slots() -> Iterator[Vector]:
    """Slots that do not exist, or are not the author's to give (6.2)."""
    for name, slot in (("0-108", "0:108"), ("1-0", "1:0"), ("huge", f"0:{60 * '9'}")):
        for what, text in (("give", text_of(base_mult(3))), ("open", "R17")):
            yield done(f"{what}-slot-{name}", f"a {what} of a slot that does not exist",
                       "there is no slot", TURN,
                       added(what, {slot: text}))  # fmt: skip
    match = matches.short()
    secret = card_secret(match.at(1), {"by": "A"})
    pile = match.at(1).position.table.piles[0]
    own = pile.find_give("A", secret, 4)
    yield done("give-own", "a slot of the own hand is given", "gives its own slot", TURN,
               added("give", {"0:4": own}))  # fmt: skip
    again = pile.find_give("A", secret, 10)
    yield done("give-again", "a slot is given a second time", "is given twice", TURN,
               added("give", {"0:10": again}))  # fmt: skip
    other = text_of(base_mult(5))
    yield done("give-again-otherwise", "a slot is given a second time, as another card",
               "is given twice", TURN, added("give", {"0:10": other}))  # fmt: skip


def opens() -> Iterator[Vector]:
    """Cards that are not there (6.2)."""
    faced = trees(matches.short())[BEGIN]["cards"]["open"]

    def opened(slot: str, card: str) -> Change:
        return added("open", {slot: card})

    yield done("open-another-copy", "another copy of the same colour", FAILS, TURN,
               opened("0:7", "Y04"))  # fmt: skip
    yield done("open-another-colour", "a mountain card of another colour", FAILS, BEGIN,
               opened("0:0", "K00"))  # fmt: skip
    yield done("opens-swapped", "two mountain cards change places", FAILS, BEGIN,
               added("open", {"0:0": faced["0:1"], "0:1": faced["0:0"]}))  # fmt: skip
    yield done("open-not-in-the-hand", "a card that the author does not hold", FAILS, TURN,
               opened("0:8", "R17"))  # fmt: skip
    yield done("open-the-opponents", "a card of the opponent's hand", "is not given to A", TURN,
               opened("0:15", "K00"))  # fmt: skip
    yield done("open-the-opponents-cup", "a card of the opponent's cup", "is not given to A", TURN,
               opened("0:18", "K00"))  # fmt: skip
    yield done("open-the-deck", "a card of the deck", "is not given to A", TURN,
               opened("0:50", "K00"))  # fmt: skip
    yield done("open-again", "a card that is open", "is opened twice", TURN,
               opened("0:0", faced["0:0"]))  # fmt: skip
    yield done("open-again-as-another", "an open card as another", "is opened twice", TURN,
               opened("0:0", "K00"))  # fmt: skip
    yield done("open-a-card-twice", "a card that lies open elsewhere", "opened twice in pile 0",
               TURN, opened("0:7", faced["0:3"]))  # fmt: skip


def proofs() -> Iterator[Vector]:
    """Equality proofs (6.3)."""
    match, other = matches.short(), matches.other()
    before, tree = match.at(TURN - 1), trees(match)[TURN]
    proof = bytes_of(tree["cards"]["proof"])
    c, s = proof[:32], proof[32:]
    late = trees(match)[TURN + 2]["cards"]["proof"]
    foreign = trees(other)[3]["cards"]["proof"]
    for name, crime, text in (
        ("c", "c of a proof is one more", text_of(scalar(c, 1) + s)),
        ("s", "s of a proof is one more", text_of(c + scalar(s, 1))),
        ("c-zero", "c of a proof is zero", text_of(bytes(32) + s)),
        ("s-zero", "s of a proof is zero", text_of(c + bytes(32))),
        ("c-plus-q", "c of a proof is the same scalar plus q", text_of(plus_q(c) + s)),
        ("s-plus-q", "s of a proof is the same scalar plus q", text_of(c + plus_q(s))),
        ("swapped", "c and s change places", text_of(s + c)),
        ("of-a-later-entry", "the proof of another entry", late),
        ("of-the-opponent", "the proof of an entry of the opponent", proof_of(match, TURN + 1)),
        ("of-another-game", "the proof of another game", foreign),
    ):
        moved = signed({**tree, "cards": {**tree["cards"], "proof": text}}, identity("A"))
        yield of_tree(f"equality-{name}", crime, 6, FAILS, file_tree(before, moved))
    changed = signed({**tree, "note": "a late word"}, identity("A"))
    yield of_tree("equality-of-another-text", "the proof of the same entry with another note", 6,
                  FAILS, file_tree(before, changed))  # fmt: skip
    bare = {name: value for name, value in tree["cards"].items() if name != "proof"}
    yield of_tree("equality-missing", "gives and opens without proof", 6, "the proof is missing",
                  file_tree(before, signed({**tree, "cards": bare}, identity("A"))))  # fmt: skip
    long = matches.long()
    taking = trees(long)[93]
    idle = signed({**taking, "cards": {"proof": text_of(proof)}}, identity("A"))
    yield of_tree("equality-of-nothing", "a proof where nothing is claimed", 6,
                  "a proof without pairs", file_tree(long.at(92), idle), base="long")  # fmt: skip
    yield half_proved()


def proof_of(match: Match, seq: int) -> str:
    """The equality proof of an entry."""
    return str(match.log[seq].cards["proof"])


def scalar(word: bytes, more: int) -> bytes:
    """The scalar and some more."""
    return scalar_to_bytes((int.from_bytes(word, "little") + more) % Q)


def plus_q(word: bytes) -> bytes:
    """The second form of a scalar."""
    return (int.from_bytes(word, "little") + Q).to_bytes(32, "little")


def half_proved() -> Vector:
    """A proof of the opens that leaves the gives out."""
    before = matches.short().at(TURN - 1)
    tree = honest_entry(before, matches.short().log[TURN].act)
    pairs = pairs_of(before.position.table, "A", tree["cards"])
    made = reproved(before, tree, pairs=pairs[1:])
    return of_tree("equality-of-the-opens", "a proof of the opens alone", 6, FAILS,
                   file_tree(before, made))  # fmt: skip


def late_piles() -> Iterator[Vector]:
    """The pile of a single card, whose pair stands in the equality proof (6.1)."""
    match = matches.long()
    yield done("open-not-in-the-pile", "a card that was never discarded", "is not in pile 1", 92,
               added("open", {"1:0": "K03"}), "long")  # fmt: skip
    for seq, who in ((88, "first"), (89, "second")):
        tree = trees(match)[seq]
        wrong = mult(5, bytes_of(tree["cards"]["mask"]["points"]))
        tree["cards"]["mask"]["points"] = text_of(wrong)
        made = reproved(match.at(seq - 1), tree)
        yield of_tree(f"cards-mask-of-one-{who}", f"the {who} mask of a single card is another", 6,
                      FAILS, file_tree(match.at(seq - 1), made), base="long")  # fmt: skip
