"""What stands beside the log and does not hold (protocol 9.5, 9.6, 10; check 10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mbp.chain import settle
from mbp.curve import Q
from mbp.match import Match
from tests.vectors import matches
from tests.vectors.forging import card_secret, plain_entry, text_of
from tests.vectors.players import identity
from tests.vectors.vector import Vector, file_tree, of_tree

DROPPED = 64 * "5"

# What a match that B resigned says in the fields of its summary, told otherwise.
SUMMARY = {
    "A": "Otto",
    "B": "Otto",
    "entries": "8",
    "pen": "A",
    "score": "1:0",
    "outcome": "B",
    "termination": "claim",
}


def vectors() -> Iterator[Vector]:
    """All of this page."""
    yield from disclosed()
    yield from settled()
    yield from summaries()


def over() -> Match:
    """A match that B resigned."""
    before = matches.short().at(5)
    return matches.extended(before, plain_entry(before, "B", "resign"))


def beside(name: str, crime: str, reason: str, match: Match, **extras: Any) -> Vector:
    """A vector of check 10: a good match, or its beginning, and something beside the log."""
    return of_tree(name, crime, 10, reason, file_tree(match, **extras))


def disclosed() -> Iterator[Vector]:
    """Card secrets (9.5)."""
    match = over()
    secrets = {seat: card_secret(match, {"by": seat}) for seat in ("A", "B")}
    yield beside("disclosed-early", "a card secret while play goes on", "before play is over",
                 matches.short(), disclosed={"A": number(secrets["A"])})  # fmt: skip
    for name, crime, reason, scalar in (
        ("the-others", "the opponent's secret", "is not A's", secrets["B"]),
        ("one-more", "the secret plus one", "is not A's", secrets["A"] + 1),
        ("plus-q", "the secret plus q", "is not a scalar", secrets["A"] + Q),
        ("zero", "zero for a secret", "is not a scalar", 0),
    ):
        yield beside(f"disclosed-{name}", crime, reason, match, disclosed={"A": number(scalar)})


def number(scalar: int) -> str:
    """32 bytes, little-endian."""
    return text_of(scalar.to_bytes(32, "little"))


def settled() -> Iterator[Vector]:
    """Settlements (9.6)."""
    match, other = matches.short(), matches.other()
    keep, first, game = match.log[5].id, match.log[0].id, match.id
    alien = other.log[2].id
    b, a = identity("B"), identity("A")
    for name, crime, reason, item in (
        ("signed-by-the-other", "A signs for B", "is not signed by B",
         settle("B", keep, DROPPED, game, a)),
        ("for-another-game", "a settlement of another game", "is not signed by B",
         settle("B", keep, DROPPED, other.id, b)),
        ("changed", "a settlement whose dropped entry is another", "is not signed by B",
         {**settle("B", keep, DROPPED, game, b), "drop": 64 * "6"}),
        ("keeps-another", "keeps an entry of another game", "not in this log",
         settle("B", alien, DROPPED, game, b)),
        ("keeps-entry-0", "keeps the invitation", "not in this log",
         settle("B", first, DROPPED, game, b)),
        ("drops-what-stands", "drops an entry of the log", "drops an entry of this log",
         settle("B", keep, match.log[6].id, game, b)),
        ("keeps-what-it-drops", "keeps and drops one entry", "drops an entry of this log",
         settle("B", keep, keep, game, b)),
    ):  # fmt: skip
        yield beside(f"settled-{name}", crime, reason, match, settled=[item])
    nobody = settle("B", first, DROPPED, game, b)
    yield beside("settled-by-nobody", "a settlement by the guest who is not there",
                 "who does not play", match.at(0), settled=[nobody])  # fmt: skip


def summaries() -> Iterator[Vector]:
    """Each field of the summary that is compared (10)."""
    tree = file_tree(over())
    for name, value in SUMMARY.items():
        wrong = {**tree, "summary": {**tree["summary"], name: value}}
        reason = f"the summary says {name} is '{value}'"
        yield of_tree(f"summary-{name}", f"{name} of the summary is wrong", 10, reason, wrong)
    bare = {key: value for key, value in tree["summary"].items() if key != "score"}
    yield of_tree("summary-score-missing", "the summary has no score", 10, "says score is",
                  {**tree, "summary": bare})  # fmt: skip
    short = file_tree(matches.short())
    early = {**short, "summary": {**short["summary"], "termination": "resign"}}
    yield of_tree("summary-termination-early", "a match in progress is called over", 10,
                  "says termination is 'resign'", early)  # fmt: skip
    guest = file_tree(matches.short().at(0))
    early = {**guest, "summary": {**guest["summary"], "B": "Bela"}}
    yield of_tree("summary-guest-early", "a guest who has not accepted", 10, "says B is 'Bela'",
                  early)  # fmt: skip
    nested = {**short, "summary": {**short["summary"], "pen": {"is": "A"}}}
    yield of_tree("summary-pen-map", "a map where a word belongs", 10, "says pen is", nested)
