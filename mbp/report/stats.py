"""How matches went: length, scores, ends, first moves and colours, by game and options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

from mbp.report.facts import Facts
from mbp.rules.contract import COLOURS, Outcome

LEAVING = ("abort", "claim", "resign")  # ends that no score decides

HEAD = (
    "game", "options", "matches", "over", "entries", "winner", "loser", "first wins",
)  # fmt: skip


@dataclass(frozen=True)
class Group:
    """The matches of one game with the same options of the rules."""

    game: str
    options: str
    matches: tuple[Facts, ...]

    @property
    def outcomes(self) -> list[Outcome]:
        """The outcomes of the matches that are over."""
        return [one.outcome for one in self.matches if one.outcome is not None]

    @property
    def lengths(self) -> list[int]:
        """The entries of the matches that are over."""
        return [one.entries for one in self.matches if one.outcome is not None]

    @property
    def ends(self) -> dict[str, int]:
        """How often each termination was."""
        return dict(sorted(Counter(outcome.termination for outcome in self.outcomes).items()))

    @property
    def scores(self) -> list[tuple[int, int]]:
        """The winner's and the loser's points of matches that were played out."""
        played = [one for one in self.outcomes if one.termination not in LEAVING]
        return [(one.scores[1], one.scores[0]) if one.winner == "B" else one.scores
                for one in played]  # fmt: skip

    @property
    def first_wins(self) -> tuple[int, int]:
        """How often who moved first won, and how many matches had a winner."""
        decided = [one for one in self.matches if one.outcome and one.outcome.winner]
        won = [one for one in decided if one.outcome and one.outcome.winner == one.first]
        return len(won), len(decided)

    @property
    def colours(self) -> list[int]:
        """How often moves named each colour."""
        return [sum(one.colours[place] for one in self.matches) for place in range(len(COLOURS))]

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
        won, decided = self.first_wins
        share = f"{won} of {decided}" if decided else "–"
        over = str(len(self.lengths))
        return (
            self.game,
            self.options,
            str(len(self.matches)),
            over,
            entries,
            winner,
            loser,
            share,
        )

    def tree(self) -> dict[str, Any]:
        """The group for programs; docs/json.md."""
        return {
            "game": self.game,
            "options": self.options,
            "matches": len(self.matches),
            "over": len(self.lengths),
            "entries": {
                "least": min(self.lengths, default=None),
                "median": median(self.lengths) if self.lengths else None,
                "most": max(self.lengths, default=None),
            },
            "ends": self.ends,
            "scores": [list(pair) for pair in self.scores],
            "decided": self.first_wins[1],
            "first_wins": self.first_wins[0],
            "colours": dict(zip(COLOURS, self.colours, strict=True)),
        }


def groups(matches: Iterable[Facts]) -> list[Group]:
    """The groups by name."""
    found: dict[tuple[str, str], list[Facts]] = {}
    for one in matches:
        found.setdefault((one.game, one.options), []).append(one)
    return [Group(*place, tuple(found[place])) for place in sorted(found)]


def lengths_by_ten(found: Iterable[Group]) -> dict[str, int]:
    """How many matches had so many entries, by tens."""
    tens = Counter(length // 10 * 10 for group in found for length in group.lengths)
    return {f"{ten}–{ten + 9} entries": tens[ten] for ten in sorted(tens)}
