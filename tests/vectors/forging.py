"""What a criminal can do: sign with the own key, prove with the own secret, true or not.

Nothing here asks whether a claim holds. What can be signed and proved is, so that of a forged entry
only the crime itself is wrong.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from mbp.canonical import canonical
from mbp.cards.pile import parse_card, split_points
from mbp.cards.shuffle import prove_shuffle
from mbp.cards.transcript import Place, Transcript
from mbp.chain import ENTRY_PREFIX, Entry
from mbp.curve import PointError, Q, base_mult, card_point, combine, mult, scalar_to_bytes
from mbp.errors import ProofError
from mbp.keys import Identity
from mbp.match import Match
from mbp.match.table import Table
from mbp.rules.contract import Seat
from tests.cards.plain import Shuffle, plain_prove
from tests.vectors.changes import Change, Tree
from tests.vectors.players import clock, identity, secret_bytes, secrets_of, steady, written

Pair = tuple[bytes, bytes]


WRITTEN: dict[tuple[str, str], Tree] = {}  # entries written before, by head and act


def text_of(data: bytes) -> str:
    """Base64."""
    return b64encode(data).decode("ascii")


def bytes_of(text: str) -> bytes:
    """From base64."""
    return b64decode(text)


def trees(match: Match) -> list[Tree]:
    """The entries of a match, the caller's own."""
    return [deepcopy(dict(entry.tree)) for entry in match.log]


def signed(tree: Mapping[str, Any], signer: Identity) -> Tree:
    """The entry with a signature over whatever it says."""
    bare = {name: value for name, value in tree.items() if name != "sig"}
    return {**bare, "sig": text_of(signer.sign(ENTRY_PREFIX + canonical(bare)))}


def resigned(tree: Mapping[str, Any], change: Change, signer: str = "") -> Tree:
    """A changed entry, signed by its author or by somebody else; proofs stay as they are."""
    changed = deepcopy(dict(tree))
    change(changed)
    return signed(changed, identity(signer or tree["by"]))


def place_of(tree: Mapping[str, Any], key: bytes) -> Place:
    """Where the proofs of an entry stand."""
    prev = bytes.fromhex(tree.get("prev", "00" * 32))
    return Place(prev, Entry(tree).body, key)


def mask_points(cards: Mapping[str, Any], pile: int) -> tuple[bytes, ...] | None:
    """The points of the entry's own mask, if it is one of that pile."""
    mask = cards.get("mask")
    if mask is None or mask["pile"] != str(pile):
        return None
    return split_points(bytes_of(mask["points"]))


def slots_of(claims: Mapping[str, str]) -> list[tuple[int, int]]:
    """The slots of a `give` or `open`, ascending as numbers."""
    return sorted((int(name.split(":")[0]), int(name.split(":")[1])) for name in claims)


def pairs_of(table: Table, seat: Seat, cards: Mapping[str, Any]) -> list[Pair]:
    """The pairs that an entry claims, in the order of its proof; what cannot be one is left out."""
    found = []
    number = int(cards["mask"]["pile"]) if "mask" in cards else len(table.piles)
    if number < len(table.piles) and len(table.piles[number]) == 1:
        source = table.piles[number].mask_source(seat)
        found.append((source[0], bytes_of(cards["mask"]["points"])))
    for e, i in slots_of(cards.get("give", {})):
        pile = table.piles[e] if e < len(table.piles) else None
        second = () if pile is None else pile.second_list or mask_points(cards, e) or ()
        if pile is None or i >= len(second):
            continue
        text, first = cards["give"][f"{e}:{i}"], pile.first_list or ()
        if len(text) == 44:
            found.append((bytes_of(text), second[i]))
        elif int(text) < len(first):
            found.append((first[int(text)], second[i]))
    for e, i in slots_of(cards.get("open", {})):
        pile = table.piles[e] if e < len(table.piles) else None
        if pile is None:
            continue
        card = card_point(e, parse_card(cards["open"][f"{e}:{i}"]))
        if i in pile.numbers and seat == pile.first:
            found.append((card, (pile.first_list or ())[pile.numbers[i]]))
        elif i in pile.bared and seat == pile.second:
            found.append((card, pile.bared[i]))
    return found


def proved(
    place: Place, pairs: Sequence[Pair], secret: int, sums: Sequence[Pair] = (), even: bool = False
) -> bytes:
    """An equality proof by the book, whether or not the pairs are what they claim.

    `sums` are the pairs whose sums are proved, where the prover wants to leave something out;
    `even`: all weights are 1 in these sums.
    """
    transcript = Transcript.start("equality", place)
    for x, y in pairs:
        transcript.absorb("pair", x + y)
    weights = [transcript.challenge("w") for _ in pairs]
    weights = [1] * len(pairs) if even else weights
    source = combine(zip(weights, (x for x, _ in sums or pairs), strict=True))
    r = int.from_bytes(secret_bytes(f"equality {transcript.state.hex()}", 64), "little") % Q
    transcript.absorb("R1", base_mult(r))
    transcript.absorb("R2", mult(r, source))
    c = transcript.challenge("c")
    return scalar_to_bytes(c) + scalar_to_bytes((r + c * secret) % Q)


def reproved(
    match: Match | None,
    tree: Mapping[str, Any],
    *,
    pairs: Sequence[Pair] | None = None,
    sums: Sequence[Pair] = (),
    even: bool = False,
    shuffle: Shuffle | None = None,
    secret: int | None = None,
) -> Tree:
    """The entry with all its proofs made anew by its author and signed.

    `match` is the one before the entry, None for an invitation. `pairs` instead of those that
    follow from the entry; `shuffle` what its mask is proved to be, else the truth.
    """
    made = deepcopy(dict(tree))
    seat: Seat = made["by"]
    if secret is None:
        secret = card_secret(match, made)
    cards = made["cards"]
    place = place_of(made, base_mult(secret))
    if "mask" in cards and "proof" in cards["mask"]:
        cards["mask"]["proof"] = text_of(shuffled(match, made, place, secret, shuffle))
    if match is not None and "proof" in cards:
        if pairs is None:
            pairs = pairs_of(match.position.table, seat, cards)
        cards["proof"] = text_of(tried(place, pairs, secret, sums, even))
    return signed(made, identity(seat))


def shuffled(
    match: Match | None, tree: Tree, place: Place, secret: int, shuffle: Shuffle | None
) -> bytes:
    """The shuffle proof of an entry: the short way where it is true, else by the book."""
    if shuffle is None:
        source, points = mask_source(match, tree), mask_points(tree["cards"], 0) or ()
        try:
            return prove_shuffle(place, source, points, secret, steady("shuffle"))
        except ProofError:
            shuffle = true_shuffle(match, tree, secret)
    return plain_prove(Shuffle(place, shuffle.src, shuffle.dst, shuffle.pi, secret))


def tried(
    place: Place, pairs: Sequence[Pair], secret: int, sums: Sequence[Pair], even: bool
) -> bytes:
    """A proof where the pairs allow one, else bytes that look like one."""
    try:
        return proved(place, pairs, secret, sums, even)
    except PointError:
        scalars = [int.from_bytes(secret_bytes(f"no proof {n}"), "little") % Q for n in (1, 2)]
        return b"".join(map(scalar_to_bytes, scalars))


def card_secret(match: Match | None, tree: Mapping[str, Any]) -> int:
    """The card secret of the author of an entry."""
    if match is None:
        return identity("A").card_secret("A", bytes_of(tree["nonce"]))
    seat: Seat = tree["by"]
    return secrets_of(match, seat)[seat]


def mask_source(match: Match | None, tree: Mapping[str, Any]) -> tuple[bytes, ...]:
    """The list that the mask of an entry starts from."""
    number = int(tree["cards"]["mask"]["pile"])
    if match is None:
        return tuple(card_point(0, card) for card in range(108))
    pile = match.position.table.piles[number]
    return pile.mask_source(tree["by"])


def true_shuffle(match: Match | None, tree: Mapping[str, Any], secret: int) -> Shuffle:
    """The statement that a mask makes; where it is false, the best that its author can say."""
    src = mask_source(match, tree)
    dst = split_points(bytes_of(tree["cards"]["mask"]["points"]))
    places = {mult(secret, point): place for place, point in enumerate(src, 1)}
    free = sorted(set(range(1, len(src) + 1)) - {places.get(point, 0) for point in dst})
    pi = [places.get(point) or free.pop() for point in dst]
    return Shuffle(Place(b"", b"", b""), src, tuple(dst), tuple(pi), secret)


def lie(match: Match, act: str, change: Change, *, honest: str = "", **proof: Any) -> Tree:
    """An entry of the player with the pen: an honest one, changed, proved anew and signed.

    `honest` is the act to start from, where `act` could not be written honestly.
    """
    seat = match.pen
    assert seat is not None
    tree = honest_entry(match, honest or act)
    tree["act"] = act
    change(tree)
    if "cards" not in tree:
        return signed(tree, identity(seat))
    return reproved(match, tree, **proof)


def honest_entry(match: Match, act: str) -> Tree:
    """The next entry, as the player with the pen writes it; the caller's own."""
    head = match.position.head
    if (head, act) not in WRITTEN:
        seat = match.pen
        assert seat is not None
        WRITTEN[head, act] = dict(written(match, seat, act).log[-1].tree)
    return deepcopy(WRITTEN[head, act])


def plain_entry(match: Match, seat: Seat, act: str, **fields: str) -> Tree:
    """An entry without cards by anybody, whether or not it may stand there."""
    position = match.position
    tree: Tree = {
        "seq": str(position.count),
        "by": seat,
        "time": fields.pop("time", ""),
        "prev": position.head,
        "act": act,
        **fields,
    }
    if not tree["time"]:
        tree["time"] = clock(match).strftime("%Y-%m-%dT%H:%M:%SZ")
    return signed(tree, identity(seat))
