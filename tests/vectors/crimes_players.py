"""Players, keys and coins that are not what they must be (protocol 3, 6; check 3)."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha512
from itertools import count

from mbp.canonical import canonical
from mbp.chain import ENTRY_PREFIX
from mbp.curve import Q, add, base_mult
from mbp.keys import format_key
from mbp.match import Match
from tests.cards.plain import P, encode, torsion
from tests.vectors import matches
from tests.vectors.changes import Tree
from tests.vectors.forging import (
    bytes_of,
    honest_entry,
    lie,
    reproved,
    resigned,
    signed,
    text_of,
    trees,
)
from tests.vectors.players import identity, secret_bytes, secrets_of
from tests.vectors.vector import Vector, file_tree, of_tree

LOW_ORDER = [encode(point) for point in torsion()]  # by multiples of one of order 8
NEUTRAL, ORDER_8, ORDER_4, ORDER_2 = LOW_ORDER[0], LOW_ORDER[1], LOW_ORDER[2], LOW_ORDER[4]
OFF_CURVE = (2).to_bytes(32, "little")

# name: (crime, the 32 bytes); no point that protocol 5 allows
NO_POINTS = {
    "neutral": ("the neutral element", NEUTRAL),
    "sign-of-zero": ("the neutral element with a sign", NEUTRAL[:31] + b"\x80"),
    "y-above-p": ("y = p + 1 for y = 1", (P + 1).to_bytes(32, "little")),
    "order-2": ("a point of order 2", ORDER_2),
    "order-4": ("a point of order 4", ORDER_4),
    "order-8": ("a point of order 8", ORDER_8),
    "outside-the-subgroup": ("a point outside the subgroup", add(base_mult(7), ORDER_8)),
    "off-the-curve": ("no point of the curve", OFF_CURVE),
}


def vectors() -> Iterator[Vector]:
    """All of this page."""
    yield from keys()
    yield from guests()
    yield from card_keys()
    yield from coins()


def anybody(tree: Tree, public: bytes) -> Tree:
    """Signs an invitation with a key that has no secret: whoever wants to can.

    With a key of small order h A vanishes for one text in eight at most, and then R = s G holds
    for every s. The texts differ in their note.
    """
    s = 12345
    point = base_mult(s)
    for number in count():
        tree["note"] = f"{number}"
        made = reproved(None, tree)
        bare = {name: value for name, value in made.items() if name != "sig"}
        message = ENTRY_PREFIX + canonical(bare)
        h = int.from_bytes(sha512(point + public + message).digest(), "little") % Q
        if h % 8 == 0:
            return {**bare, "sig": text_of(point + s.to_bytes(32, "little"))}
    raise LookupError("no text is signed by nobody")


def keys() -> Iterator[Vector]:
    """Identity keys (protocol 3.1)."""
    match = matches.short()
    for name, (crime, public) in NO_POINTS.items():
        tree = trees(match)[0]
        tree["player"]["key"] = format_key(public)
        made = anybody(tree, public) if name in ("neutral", "order-2") else signed_by_a(tree)
        yield of_tree(f"key-{name}", f"an identity key that is {crime}", 3,
                      "the player's key is not a valid point",
                      {**file_tree(match.at(0)), "log": [made]})  # fmt: skip
    for name in ("order-8", "y-above-p", "outside-the-subgroup"):
        crime, public = NO_POINTS[name]
        tree = trees(match)[0]
        tree["guest"] = format_key(public)
        yield of_tree(f"guest-{name}", f"the guest must be {crime}", 3,
                      "the guest's key is not a valid point",
                      {**file_tree(match.at(0)), "log": [reproved(None, tree)]})  # fmt: skip


def signed_by_a(tree: Tree) -> Tree:
    """Proofs as they are, and a signature that cannot hold."""
    return signed(tree, identity("A"))


def guests() -> Iterator[Vector]:
    """Who accepts (protocol 3)."""
    match, free = matches.short(), matches.other()
    act = "accept"

    def another(tree: Tree) -> None:
        tree["player"]["key"] = identity("C").text

    tree = honest_entry(match.at(0), act)
    another(tree)
    stranger = signed(reproved(match.at(0), tree), identity("C"))
    yield of_tree("guest-another", "somebody else accepts than the one invited", 3,
                  "the guest is not the one", file_tree(match.at(0), stranger))  # fmt: skip

    tree = honest_entry(free.at(0), act)
    tree["player"]["key"] = identity("A").text
    alone = signed(reproved(free.at(0), tree), identity("A"))
    yield of_tree("guest-is-the-host", "the inviter accepts with the own key", 3,
                  "both players have one identity key", file_tree(free.at(0), alone),
                  base="other")  # fmt: skip
    tree = honest_entry(free.at(0), act)
    tree["player"]["key"] = format_key(ORDER_8)
    loose = signed(reproved(free.at(0), tree), identity("B"))
    yield of_tree("guest-key-order-8", "a guest whose key is of order 8", 3,
                  "the player's key is not a valid point", file_tree(free.at(0), loose),
                  base="other")  # fmt: skip
    tree = honest_entry(free.at(0), act)
    mine = resigned(tree, lambda entry: entry["player"].update(key=identity("C").text))
    yield of_tree("guest-key-not-the-signers", "B takes the seat for a stranger's key", 3,
                  "the signature does not hold", file_tree(free.at(0), mine),
                  base="other")  # fmt: skip


def card_keys() -> Iterator[Vector]:
    """K = k G (protocol 6)."""
    match = matches.short()
    for name in ("neutral", "order-4", "outside-the-subgroup", "y-above-p"):
        crime, point = NO_POINTS[name]
        tree = trees(match)[0]
        tree["cards"]["key"] = text_of(point)
        yield of_tree(f"card-key-{name}", f"a card key that is {crime}", 3,
                      "the card key is not a valid point",
                      {**file_tree(match.at(0)), "log": [signed_by_a(tree)]})  # fmt: skip
    # B takes A's K, which B knows no k of; who lent it to B could prove everything
    secret = secrets_of(match.at(0), "A")["A"]
    tree = twin_mask(match, secret)
    yield of_tree("card-key-shared", "both players have one card secret", 3,
                  "both players have one card key", file_tree(match.at(0), tree))  # fmt: skip


def twin_mask(match: Match, secret: int) -> Tree:
    """B accepts with A's card secret and proves everything with it."""
    table = match.at(0).position.table
    pile = table.piles[0]
    points = pile.make_mask("B", secret)
    masked = pile.with_mask("B", points)
    tree = honest_entry(match.at(0), "accept")
    tree["cards"]["key"] = text_of(base_mult(secret))
    tree["cards"]["mask"]["points"] = text_of(b"".join(points))
    slots = [name.partition(":")[2] for name in tree["cards"]["give"]]
    tree["cards"]["give"] = {
        f"0:{slot}": masked.find_give("B", secret, int(slot)) for slot in slots
    }
    return reproved(match.at(0), tree, secret=secret)


def coins() -> Iterator[Vector]:
    """Protocol 3."""
    match = matches.short()
    other = lie(match.at(1), "begin", lambda tree: tree.update(coin=text_of(secret_bytes("coin"))))
    yield of_tree("coin-another", "a coin that does not match its commitment", 3,
                  "the coin does not match", file_tree(match.at(1), other))  # fmt: skip
    guests_coin = trees(match)[1]["coin"]
    copied = lie(match.at(1), "begin", lambda tree: tree.update(coin=guests_coin))
    yield of_tree("coin-of-the-guest", "A shows the guest's coin", 3, "the coin does not match",
                  file_tree(match.at(1), copied))  # fmt: skip
    commitment = trees(match)[0]["coin"]
    unopened = lie(match.at(1), "begin", lambda tree: tree.update(coin=commitment))
    yield of_tree("coin-not-opened", "A shows the commitment again", 3, "the coin does not match",
                  file_tree(match.at(1), unopened))  # fmt: skip
    assert len(bytes_of(commitment)) == 32
