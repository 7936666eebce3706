"""How matches went: length, scores, ends, first moves and colours, by game and options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from mbp.report.facts import Facts
from mbp.rules.contract import COLOURS

HEAD = (
    "game", "options", "matches", "over", "entries", "winner", "loser", "first wins",
)  # fmt: skip


@dataclass
class Group:
    """The matches of one game with the same options of the rules."""

    game: str
    options: str
    matches: int = 0
    lengths: list[int] = field(default_factory=list)  # entries of matches that are over
    ends: Counter[str] = field(default_factory=Counter)
    scores: list[tuple[int, int]] = field(default_factory=list)  # winner's and loser's, played out
    decided: int = 0
    first_wins: int = 0
    colours: list[int] = field(default_factory=lambda: [0] * len(COLOURS))

    def add(self, one: Facts) -> None:
        """Takes in one more match."""
        self.matches += 1
        for colour, count in enumerate(one.colours):
            self.colours[colour] += count
        outcome = one.outcome
        if outcome is None:
            return
        self.lengths.append(one.entries)
        self.ends[outcome.termination] += 1
        if outcome.winner is not None:
            self.decided += 1
            self.first_wins += outcome.winner == one.first
        if outcome.termination not in ("abort", "claim", "resign"):
            a, b = outcome.scores
            self.scores.append((b, a) if outcome.winner == "B" else (a, b))

    @property
    def cells(self) -> tuple[str, ...]:
        """A line of the table, in the order of HEAD; a dash where there is nothing to say."""
        entries = "–"
        if self.lengths:
            low, high = min(self.lengths), max(self.lengths)
            entries = f"{median(self.lengths):g} ({low}-{high})"
        winner, loser = (
            (f"{sum(points) / len(points):.1f}" for points in zip(*self.scores, strict=True))
            if self.scores
            else ("–", "–")
        )
        share = f"{self.first_wins} of {self.decided}" if self.decided else "–"
        over = str(len(self.lengths))
        return (self.game, self.options, str(self.matches), over, entries, winner, loser, share)

    def tree(self) -> dict[str, Any]:
        """The group for programs; docs/json.md."""
        return {
            "game": self.game,
            "options": self.options,
            "matches": self.matches,
            "over": len(self.lengths),
            "entries": {
                "least": min(self.lengths, default=None),
                "median": median(self.lengths) if self.lengths else None,
                "most": max(self.lengths, default=None),
            },
            "ends": dict(sorted(self.ends.items())),
            "scores": [list(pair) for pair in self.scores],
            "decided": self.decided,
            "first_wins": self.first_wins,
            "colours": dict(zip(COLOURS, self.colours, strict=True)),
        }


def groups(matches: Iterable[Facts]) -> list[Group]:
    """The groups by name."""
    found: dict[tuple[str, str], Group] = {}
    for one in matches:
        place = (one.game, one.options)
        found.setdefault(place, Group(*place)).add(one)
    return [found[place] for place in sorted(found)]


def lengths_by_ten(found: Iterable[Group]) -> dict[str, int]:
    """How many matches had so many entries, by tens."""
    tens = Counter(length // 10 * 10 for group in found for length in group.lengths)
    return {f"{ten}–{ten + 9} entries": tens[ten] for ten in sorted(tens)}
