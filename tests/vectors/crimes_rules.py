"""Moves that the rules do not allow, signed, proved and paid for (rules M3 to M6; check 7)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.vectors import matches
from tests.vectors.changes import Change, Tree, nothing
from tests.vectors.forging import lie
from tests.vectors.players import colours, sight_of
from tests.vectors.vector import Vector, file_tree, of_tree

# What stands in the tables: name: (crime, entries before, act, an honest act to start from, reason)
Row = tuple[str, int, str, str, str]

IN_SHORT: dict[str, Row] = {
    "m3-1-draws-four": (
        "draws more than three", 3, "mountain 1 red draw 4", "mountain 1 red draw 0", "(M3.1)"),
    "m3-1-draws-above-eight": (
        "draws three with seven cards", 6, "mountain 1 orange draw 4", "mountain 1 orange draw 0",
        "(M3.1)"),
    "m3-1-draw-not-named": (
        "does not name the draw", 3, "mountain 1 red", "mountain 1 red draw 0", "must name"),
    "m4-2-mountain-of-own-field": (
        "a colour of the own field to the mountain", 12, "mountain 2 red draw 0",
        "mountain 1 red draw 0", "(M4.2)"),
    "m4-2-field-of-mountain": (
        "a colour of the mountain to the field", 12, "field 2 yellow 1", "discard yellow 1",
        "(M4.2)"),
    "m3-2-none": ("no card to the field", 12, "field 2 red 0", "field 2 red 1", "(M3.2)"),
    "m3-2-more-than-held": (
        "seven cards of a hand of six to the field", 12, "field 2 red 7", "field 2 red 1",
        "(M3.2)"),
    "m3-2-whole-hand": (
        "the whole hand to the field", 13, "field 1 black 1", "discard black 1", "(M3.2)"),
    "m3-3-none": ("discards nothing", 12, "discard red 0", "discard red 1", "(M3.3)"),
    "m3-3-more-than-held": (
        "discards seven cards of six", 12, "discard red 7", "discard red 1", "(M3.3)"),
    "m3-4-empty-hand": (
        "ends the turn with an empty hand", 13, "mountain 2 black draw 0", "discard black 1",
        "(M3.4)"),
    "m6-1-nothing-to-take": (
        "takes where nothing is destroyed", 12, "take red", "discard red 1", "(M6.1)"),
    "mandala-3": (
        "plays to a third mandala", 3, "mountain 3 red draw 0", "mountain 1 red draw 0",
        "not the long form"),
    "very-long": (
        "a move of 5,000 letters", 3, "mountain 1 " + 5_000 * "m", "mountain 1 red draw 0",
        "not the long form"),
    "colour-capital": (
        "a colour's other spelling", 3, "mountain 1 Red draw 0", "mountain 1 red draw 0",
        "not the long form"),
    "count-leading-zero": (
        "a count's other spelling", 12, "discard red 01", "discard red 1", "not the long form"),
    "take-a-count": ("takes a number of cards", 12, "take red 1", "discard red 1", "long form"),
}  # fmt: skip

IN_LONG: dict[str, Row] = {
    "m3-1-draw-named": (
        "names the draw where one draws in full", 83, "mountain 1 green draw 1",
        "mountain 1 green", "names a draw"),
    "m4-2-mountain-of-their-field": (
        "a colour of the opponent's field to the mountain", 87, "mountain 2 green",
        "mountain 1 green", "(M4.2)"),
    "m4-2-field-of-their-field": (
        "a colour of the opponent's field to the own", 87, "field 2 green 1", "discard green 1",
        "(M4.2)"),
    "m6-1-takes-what-is-not-there": (
        "takes a colour that the mountain lacks", 93, "take black", "take purple", "(M6.1)"),
}  # fmt: skip

PLAYS_ON = 93  # entries of `long` behind which A has to take


def vectors() -> Iterator[Vector]:
    """All of this page."""
    for base, rows in (("short", IN_SHORT), ("long", IN_LONG)):
        for name, row in rows.items():
            yield broken(name, base, row)
    match = matches.long().at(PLAYS_ON - 1)
    colour = colours(sight_of(match, "A").hand)[0]
    tree = lie(match, f"discard {colour} 1", nothing, honest="take purple")
    yield of_tree("rule-m6-1-plays-on", "plays on before the mandala is destroyed", 7, "(M6.1)",
                  file_tree(match, tree), base="long")  # fmt: skip


def broken(name: str, base: str, row: Row) -> Vector:
    """A vector whose last entry is an illegal move."""
    crime, count, act, honest, reason = row
    match = (matches.long() if base == "long" else matches.short()).at(count - 1)
    change: Change = drop_cards if act.endswith(" 0") and "draw" not in act else keep
    tree = lie(match, act, change, honest=honest)
    return of_tree(f"rule-{name}", crime, 7, reason, file_tree(match, tree), base=base)


def keep(tree: Tree) -> None:
    """Pays as for the honest act, but makes no pile of its own."""
    tree.get("cards", {}).pop("mask", None)


def drop_cards(tree: Tree) -> None:
    """Pays nothing, since nothing is played."""
    del tree["cards"]
