"""One shuffle of 108 cards: masking, proving, verifying (protocol 6.1, 6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from mbp import curve
from mbp.cards.pile import Pile
from mbp.cards.shuffle import prove_shuffle, verify_shuffle
from mbp.cards.transcript import Place
from mbp.cli.pair import SeededWorld
from tests.bench.measure import Figure, milliseconds


def card_figures(runs: int) -> Iterator[Figure]:
    """The second mask of pile 0: its source is a list of points, none of them in a table."""
    world = SeededWorld("bench")
    first, secret = (curve.reduce(world.randomness(64)) for _ in range(2))
    pile = Pile.of(0, range(108), "A")
    pile = pile.with_mask("A", pile.make_mask("A", first))
    source = pile.mask_source("B")
    points = pile.make_mask("B", secret)
    place = Place(bytes(32), b"{}", curve.base_mult(secret))
    proof = prove_shuffle(place, source, points, secret, world.randomness)

    def nothing() -> None:
        return None

    yield milliseconds(
        "mask 108 cards", runs, lambda _: pile.make_mask("B", secret), nothing, "12 ms"
    )
    yield milliseconds(
        "prove the shuffle",
        runs,
        lambda _: prove_shuffle(place, source, points, secret, world.randomness),
        nothing,
        "80 ms",
    )
    yield milliseconds(
        "verify the shuffle",
        runs,
        lambda _: verify_shuffle(place, source, points, proof),
        nothing,
        "35 ms",
    )
