"""Masks that are no shuffle of what they should be; their proofs (protocol 6.1, 6.4; check 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mbp.cards.pile import split_points
from mbp.curve import (
    NEUTRAL,
    Q,
    add,
    base_mult,
    card_point,
    is_valid_point,
    mult,
    scalar_to_bytes,
    subtract,
)
from mbp.match import Match
from tests.cards.plain import P, Shuffle, plain_prove
from tests.vectors import matches
from tests.vectors.changes import Tree, nothing, put
from tests.vectors.crimes_players import LOW_ORDER, NO_POINTS
from tests.vectors.forging import (
    bytes_of,
    card_secret,
    honest_entry,
    lie,
    mask_source,
    place_of,
    reproved,
    signed,
    text_of,
    trees,
    true_shuffle,
)
from tests.vectors.players import identity
from tests.vectors.vector import Vector, file_tree, of_tree

Points = tuple[bytes, ...]
N = 108

# The places of the words of a shuffle proof of n points (6.4).
WORDS = {
    "c1": 0, "c2": 1, "ce": 2, "cd": 3, "cD": 4, "T": 5, "U": 6, "r": 7, "s": 8, "zeta": 9,
    "a-first": 10, "a-last": 9 + N, "b-first": 10 + N, "b-last": 2 * N + 7,
}  # fmt: skip
POINTS = ("c1", "c2", "ce", "cd", "cD", "T", "U")


def vectors() -> Iterator[Vector]:
    """All of this page."""
    yield from decks()
    yield from foreign_points()
    yield from words()
    yield from encodings()
    yield from moved()
    yield from not_due()
    yield from late_piles()


def masked(
    name: str, crime: str, reason: str, change: Callable[[Points], Sequence[bytes]]
) -> Vector:
    """A vector in which B's mask of the first pile has other points, proved as well as B can."""
    match = matches.short().at(0)
    tree = honest_entry(match, "accept")
    honest = split_points(bytes_of(tree["cards"]["mask"]["points"]))
    points = tuple(change(honest))
    tree["cards"]["mask"]["points"] = text_of(b"".join(points))
    unmask = pow(card_secret(match, tree), -1, Q)
    first = match.position.table.piles[0].first_list or ()
    for place, point in enumerate(points):  # whoever moves a point gives its slot as before
        if f"0:{place}" in tree["cards"]["give"] and point in honest:
            number = first.index(mult(unmask, point))
            tree["cards"]["give"][f"0:{place}"] = str(number)
    made = reproved(match, tree, shuffle=told(match, points))
    return of_tree(f"mask-{name}", crime, 5, reason, file_tree(match, made))


def told(match: Match, points: Points) -> Shuffle | None:
    """What B says about the points: what can be said, else what would be true of B's own."""
    if len({*points}) == N == len(points) and all(map(is_valid_point, points)):
        return None
    honest = honest_entry(match, "accept")
    return true_shuffle(match, honest, card_secret(match, honest))


def decks() -> Iterator[Vector]:
    """Lists that are no deck."""
    not_ascending = "the points of the mask are not strictly ascending"
    yield masked("duplicate", "a card stands twice, another is missing", not_ascending,
                 lambda points: (points[0], *points[:1], *points[2:]))  # fmt: skip
    yield masked("unsorted", "two points change places", not_ascending,
                 lambda points: (points[1], points[0], *points[2:]))  # fmt: skip
    yield masked("truncated", "107 points", "a mask of 107 points for 108 cards",
                 lambda points: points[:-1])  # fmt: skip
    yield masked("too-long", "109 points", "a mask of 109 points for 108 cards",
                 lambda points: (*points, b"\xff" * 32))  # fmt: skip
    yield masked("scaled", "one point of the opponent's list is scaled by t", FAILS,
                 lambda points: sorted([mult(5, points[0]), *points[1:]]))  # fmt: skip


FAILS = "the shuffle proof fails"


def foreign_points() -> Iterator[Vector]:
    """Points that are not the author's secret times the list before."""
    short, other = matches.short().at(0), matches.other().at(0)
    secret = card_secret(short, {"by": "B"})
    first, foreign = (match.position.table.piles[0].first_list or () for match in (short, other))
    cards = [card_point(0, card) for card in range(N)]
    for name, crime, points in (
        ("unmasked", "the opponent's list as it was", first),
        ("of-another-pile", "a card of another pile", twisted(secret, first, card_point(1, 0))),
        ("of-another-game", "the list of another game", tuple(mult(secret, p) for p in foreign)),
        ("one-of-another-game", "a point of another game", twisted(secret, first, foreign[0])),
        ("without-the-opponents", "the opponent's mask is gone",
         tuple(mult(secret, point) for point in cards)),
    ):  # fmt: skip
        yield masked(name, crime, FAILS, instead(points))
    yield inviters("of-pile-1", "A masks the cards of pile 1",
                   [card_point(1, card) for card in range(N)])  # fmt: skip
    yield inviters("of-the-base", "A masks points whose logarithms are known",
                   [base_mult(card + 1) for card in range(N)])  # fmt: skip
    yield inviters("card-twice", "A's deck has a colour of 19",
                   [*cards[:-1], card_point(0, 200)])  # fmt: skip


def twisted(secret: int, source: Sequence[bytes], stranger: bytes) -> Points:
    """The mask of a list in which a stranger stands for the first point."""
    return tuple(mult(secret, point) for point in (stranger, *source[1:]))


def inviters(name: str, crime: str, source: Sequence[bytes]) -> Vector:
    """A vector in which A's first mask is the true shuffle of another source."""
    match = matches.short()
    tree = trees(match)[0]
    secret = card_secret(None, tree)
    honest = [mult(secret, point) for point in source]
    points = sorted(honest)
    tree["cards"]["mask"]["points"] = text_of(b"".join(points))
    pi = tuple(1 + honest.index(point) for point in points)
    place = place_of(tree, base_mult(secret))
    shuffle = Shuffle(place, mask_source(None, tree), tuple(points), pi, secret)
    made = reproved(None, tree, shuffle=shuffle)
    return of_tree(f"mask-{name}", crime, 5, FAILS, {**file_tree(match.at(0)), "log": [made]})


def with_proof(change: Callable[[list[bytes]], Sequence[bytes]]) -> Tree:
    """B's accept with another shuffle proof; the equality proof does not see it."""
    tree = honest_entry(matches.short().at(0), "accept")
    proof = bytes_of(tree["cards"]["mask"]["proof"])
    words = [proof[at : at + 32] for at in range(0, len(proof), 32)]
    tree["cards"]["mask"]["proof"] = text_of(b"".join(change(words)))
    return signed(tree, identity("B"))


def proof(name: str, crime: str, change: Callable[[list[bytes]], Sequence[bytes]]) -> Vector:
    """A vector with a changed shuffle proof."""
    tree = file_tree(matches.short().at(0), with_proof(change))
    return of_tree(f"shuffle-{name}", crime, 5, FAILS, tree)


def words() -> Iterator[Vector]:
    """Every kind of word of a proof, changed."""
    for name, place in WORDS.items():
        if name in POINTS:
            yield word(f"word-{name}", f"{name} of a proof is another point", place, moved_on)
        else:
            yield word(f"word-{name}", f"{name} of a proof is one more", place, one_more)


def word(name: str, crime: str, place: int, make: Callable[[bytes], bytes]) -> Vector:
    """A vector with one changed word in a shuffle proof."""
    return proof(
        name, crime, lambda words: [*words[:place], make(words[place]), *words[place + 1 :]]
    )


def moved_on(point: bytes) -> bytes:
    """The point plus G."""
    return add(point, base_mult(1))


def one_more(word: bytes) -> bytes:
    """The scalar plus one."""
    return scalar_to_bytes((int.from_bytes(word, "little") + 1) % Q)


def encodings() -> Iterator[Vector]:
    """Words in other forms, and zeros (5, 5.5)."""
    for name in ("r", "zeta", "a-last", "b-last"):
        yield word(f"{name}-plus-q", f"{name} of a proof is the same scalar plus q", WORDS[name],
                   plus_q)  # fmt: skip
    for name in ("r", "s", "zeta", "a-first"):
        yield word(f"{name}-zero", f"{name} of a proof is zero", WORDS[name],
                   lambda scalar: bytes(32))  # fmt: skip
    for name, (crime, point) in NO_POINTS.items():
        yield proof(f"c1-{name}", f"c1 of a proof is {crime}", replaced(point))
    yield word("U-plus-order-2", "U of a proof plus a point of order 2", WORDS["U"],
               lambda point: add(point, LOW_ORDER[4]))  # fmt: skip
    yield proof("short", "a proof without its last word", lambda words: words[:-1])
    yield proof("long", "a proof with one word more", lambda words: [*words, words[-1]])
    for name, point in (
        ("order-8", LOW_ORDER[1]),
        ("neutral", NEUTRAL),
        ("y-above-p", (P + 1).to_bytes(32, "little")),
        ("off-the-curve", (2).to_bytes(32, "little")),
    ):
        yield masked(f"point-{name}", f"a point of a mask that is none: {name}".replace("-", " "),
                     FAILS, smuggled(point))  # fmt: skip


def replaced(point: bytes) -> Callable[[list[bytes]], Sequence[bytes]]:
    """Another first word."""
    return lambda words: [point, *words[1:]]


def smuggled(point: bytes) -> Callable[[Points], Sequence[bytes]]:
    """A point instead of the first."""
    return lambda points: sorted([point, *points[1:]])


def instead(made: Sequence[bytes]) -> Callable[[Points], Sequence[bytes]]:
    """Other points, in their order."""
    return lambda points: sorted(made)


def plus_q(word: bytes) -> bytes:
    """The second form of a scalar."""
    return (int.from_bytes(word, "little") + Q).to_bytes(32, "little")


def moved() -> Iterator[Vector]:
    """Proofs that are good elsewhere, and errors that cancel."""
    match, other = matches.short(), matches.other()
    before = match.at(0)
    proof_of = [bytes_of(tree["cards"]["mask"]["proof"]) for tree in trees(match)[:2]]
    theirs = bytes_of(trees(other)[1]["cards"]["mask"]["proof"])
    yield proof("of-the-other-player", "A's proof in B's entry", lambda words: [proof_of[0]])
    yield proof("of-another-game", "the proof of another game", lambda words: [theirs])
    tree = lie(before, "accept", lambda entry: entry.update(note="a late word"))
    tree["cards"]["mask"]["proof"] = text_of(proof_of[1])
    yield of_tree("shuffle-of-another-text", "the proof of the same entry with another note", 5,
                  FAILS, file_tree(before, signed(tree, identity("B"))))  # fmt: skip
    tree = honest_entry(before, "accept")
    secret = card_secret(before, tree)
    true = true_shuffle(before, tree, secret)
    true = Shuffle(place_of(tree, base_mult(secret)), true.src, true.dst, true.pi, secret)
    for one, two in (("ce", "cd"), ("T", "U"), ("ce", "T")):
        shift = base_mult(77)
        signs = {one: shift, two: subtract(NEUTRAL, shift)}
        if two in ("T", "U"):
            signs = {one: shift, two: shift if one == "ce" else subtract(NEUTRAL, shift)}
        made = plain_prove(true, signs)
        yield proof(f"cancel-{one}-{two}", f"errors in {one} and {two} that cancel in a sum",
                    replaced_whole(made))  # fmt: skip


def replaced_whole(made: bytes) -> Callable[[list[bytes]], Sequence[bytes]]:
    """Another proof."""
    return lambda words: [made]


def not_due() -> Iterator[Vector]:
    """Masks that nobody owes, or without what they need."""
    match = matches.short()
    before = match.at(0)
    mask = trees(match)[1]["cards"]["mask"]
    bare = lie(before, "accept", lambda tree: tree["cards"]["mask"].pop("proof"))
    yield of_tree("mask-without-proof", "a mask without proof", 5, "the mask has no proof",
                  file_tree(before, bare))  # fmt: skip
    for name, crime, at, number in (
        ("of-pile-1", "a mask of a pile that is none yet, in place of the one due", 0, "1"),
        ("twice", "a second mask of the pile", 1, "0"),
        ("of-the-next-pile", "a mask of a pile that is none yet", 2, "1"),
        ("of-pile-7", "a mask of a pile that is far away", 2, "7"),
    ):
        act = match.log[at + 1].act
        tree = lie(match.at(at), act, nothing)
        tree["cards"]["mask"] = {**mask, "pile": number}
        made = signed(tree, identity(tree["by"]))
        yield of_tree(f"mask-not-due-{name}", crime, 5, "is not due",
                      file_tree(match.at(at), made))  # fmt: skip


def late_piles() -> Iterator[Vector]:
    """Piles of one card, and of few (6.1)."""
    match = matches.long()
    before, tree = match.at(87), trees(match)[88]
    fake = trees(match)[90]["cards"]["mask"]["proof"]
    tree["cards"]["mask"]["proof"] = fake
    yield of_tree("mask-of-one-with-proof", "a shuffle proof for a pile of one card", 5,
                  "a mask of one card has no shuffle proof",
                  file_tree(before, signed(tree, identity("B"))), base="long")  # fmt: skip
    for name, crime, point in (
        ("order-4", "a point of order 4 masks a single card", LOW_ORDER[2]),
        ("neutral", "the neutral element masks a single card", NEUTRAL),
    ):
        bad = {"pile": "1", "points": text_of(point)}
        tree = lie(before, match.log[88].act, put(("cards", "mask"), bad))
        yield of_tree(f"mask-of-one-{name}", crime, 5, "is no point of the group",
                      file_tree(before, tree), base="long")  # fmt: skip
    third = match.at(89)
    tree = honest_entry(third, match.log[90].act)
    points = split_points(bytes_of(tree["cards"]["mask"]["points"]))
    tree["cards"]["mask"]["points"] = text_of(b"".join(points[:-1]))
    yield of_tree("mask-of-few-truncated", "a card less than was discarded", 5,
                  "a mask of 2 points", file_tree(third, signed(tree, identity("A"))),
                  base="long")  # fmt: skip
