"""The table of an archive's players: by key, from matches that audit clean, with an Elo rating.

The rating is Elo's (The Rating of Chessplayers, Past and Present, 1978, 1.5 and 2.1): a player of
rating R expects 1 / (1 + 10^((Q - R) / 400)) points against one of rating Q, and wins or loses K
times the difference to the points made: 1, 1/2 or 0. Everybody starts with 1500, K is 32. Matches
count in the order of their newest entries; those times are claims of the players (protocol 2.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mbp.report.escape import cell
from mbp.report.facts import Facts, Person, displayed
from mbp.report.plain import csv_lines
from mbp.rules.contract import SEATS, Outcome, Seat

START, FACTOR, SCALE = 1500.0, 32.0, 400.0
COLUMNS = (
    "rank", "name", "rating", "played", "wins", "draws", "losses", "without_result", "points",
    "key",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """What a player has done. `none` counts matches without result, which are not rated."""

    key: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    none: int = 0
    rating: float = START
    names: tuple[str, ...] = ()

    @property
    def played(self) -> int:
        """The matches that are over."""
        return self.wins + self.draws + self.losses + self.none

    @property
    def points(self) -> float:
        """A win is a point, a draw half of one."""
        return self.wins + self.draws / 2

    @property
    def standing(self) -> tuple[float, float]:
        """What the order goes by; of ratings no more than is shown."""
        return -round(self.rating, 1), -self.points

    def named(self, name: str) -> Row:
        """The row of a player who uses this name, too."""
        return self if name in self.names else replace(self, names=(*self.names, name))

    def after(self, points: float, change: float) -> Row:
        """The row with one more match: the points made, and what the rating changes by."""
        return replace(
            self,
            wins=self.wins + (points == 1),
            draws=self.draws + (points == 0.5),
            losses=self.losses + (points == 0),
            rating=self.rating + change,
        )


@dataclass(frozen=True)
class Standings:
    """The rows, best rating first; `shown` tells what each key is called."""

    rows: tuple[Row, ...]
    shown: Mapping[str, str]

    @property
    def ranked(self) -> list[tuple[int, Row]]:
        """The rows with their ranks, which those share who stand equal."""
        found: list[tuple[int, Row]] = []
        for place, row in enumerate(self.rows, 1):
            equal = found and found[-1][1].standing == row.standing
            found.append((found[-1][0] if equal else place, row))
        return found

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """The table as texts, in the order of COLUMNS."""
        return [
            (str(rank), self.shown[row.key], f"{row.rating:.0f}", str(row.played), str(row.wins),
             str(row.draws), str(row.losses), str(row.none), f"{row.points:g}", row.key)
            for rank, row in self.ranked
        ]  # fmt: skip

    def tree(self) -> list[dict[str, Any]]:
        """The table for programs; docs/json.md."""
        return [
            {
                "rank": rank,
                "key": row.key,
                "name": self.shown[row.key],
                "names": sorted(row.names),
                "played": row.played,
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "without_result": row.none,
                "points": row.points,
                "rating": round(row.rating, 1),
            }
            for rank, row in self.ranked
        ]

    def csv_text(self) -> str:
        """The table as CSV."""
        return csv_lines(COLUMNS, [(one[0], cell(one[1]), *one[2:]) for one in self.cells])


def standings(matches: Iterable[Facts]) -> Standings:
    """The table of matches that are over, given in the order in which they ended."""
    rows: dict[str, Row] = {}
    people: list[Person] = []
    for one in matches:
        if one.outcome is None or one.people is None or len(one.people) < len(SEATS):
            continue
        for person in one.people.values():
            people.append(person)
            rows[person.key] = rows.get(person.key, Row(person.key)).named(person.name)
        a, b = _counted(rows[one.people["A"].key], rows[one.people["B"].key], one.outcome)
        rows |= {a.key: a, b.key: b}
    shown = displayed(people)
    ordered = sorted(rows.values(), key=lambda row: (*row.standing, shown[row.key], row.key))
    return Standings(tuple(ordered), shown)


def _counted(a: Row, b: Row, outcome: Outcome) -> tuple[Row, Row]:
    """The rows of A and B with one more match."""
    if outcome.termination == "abort":
        return replace(a, none=a.none + 1), replace(b, none=b.none + 1)
    made = points_of(outcome, "A")
    change = FACTOR * (made - expected(a.rating, b.rating))
    return a.after(made, change), b.after(1 - made, -change)


def points_of(outcome: Outcome, seat: Seat) -> float:
    """What a match with a result is worth to a seat: 1, 1/2 or 0."""
    return 0.5 if outcome.winner is None else float(outcome.winner == seat)


def expected(rating: float, against: float) -> float:
    """The points that a player of one rating expects against one of another."""
    return 1 / (1 + 10 ** ((against - rating) / SCALE))
