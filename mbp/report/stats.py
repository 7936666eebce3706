"""How matches went: length, scores, ends, starts, colours, by game and each option's value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from mbp.report.facts import Facts
from mbp.rules.contract import COLOURS, SEATS, Outcome

LEAVING = ("abort", "claim", "resign")  # ends that no score decides
ALL = "all"  # instead of an option with its value
STEPS = (10, 20, 50, 100, 200, 500)
MOST_STEPS = 12  # bars of a plot

HEAD = ("options", "matches", "over", "entries", "winner", "loser", "first wins")


@dataclass(frozen=True)
class Group:
    """The matches of one game: all, or those with one value of an option (`draw full`)."""

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
        return [one.points for one in self.outcomes if one.termination not in LEAVING]

    @property
    def starts(self) -> dict[str, int]:
        """How often each seat moved first."""
        found = Counter(one.first for one in self.matches)
        return {seat: found[seat] for seat in SEATS}

    @property
    def first_wins(self) -> tuple[int, int]:
        """How often who moved first won, and how many matches had a winner."""
        decided = [one for one in self.matches if one.outcome and one.outcome.winner]
        won = [one for one in decided if one.outcome and one.outcome.winner == one.first]
        return len(won), len(decided)

    @property
    def colours(self) -> dict[str, int]:
        """How many cards or tiles of each colour were played."""
        sums = [sum(one.colours[place] for one in self.matches) for place in range(len(COLOURS))]
        return dict(zip(COLOURS, sums, strict=True))

    @property
    def means(self) -> tuple[float, float] | None:
        """The winner's and the loser's points on an average, None without any."""
        if not self.scores:
            return None
        won, lost = (sum(points) / len(points) for points in zip(*self.scores, strict=True))
        return won, lost

    @property
    def cells(self) -> tuple[str, ...]:
        """A line of the table, in the order of HEAD; a dash where there is nothing to say."""
        entries = "–"
        if self.lengths:
            low, high = min(self.lengths), max(self.lengths)
            entries = f"{median(self.lengths):g} ({low}-{high})"
        winner, loser = (f"{mean:.1f}" for mean in self.means) if self.means else ("–", "–")
        won, decided = self.first_wins
        share = f"{won} of {decided}" if decided else "–"
        counts = str(len(self.matches)), str(len(self.lengths))
        return self.options, *counts, entries, winner, loser, share

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
            "starts": self.starts,
            "decided": self.first_wins[1],
            "first_wins": self.first_wins[0],
            "colours": self.colours,
        }


def groups(matches: Iterable[Facts]) -> list[Group]:
    """For each game all its matches, then those with each value of each option."""
    games: dict[str, list[Facts]] = {}
    for one in matches:
        games.setdefault(one.game, []).append(one)
    found = []
    for game, mine in sorted(games.items()):
        parts: dict[str, list[Facts]] = {}
        for one in mine:
            for name, value in one.options.items():
                parts.setdefault(f"{name} {value}", []).append(one)
        found.append(Group(game, ALL, tuple(mine)))
        found += [Group(game, label, tuple(some)) for label, some in sorted(parts.items())]
    return found


def by_game(found: Iterable[Group]) -> list[tuple[Group, list[Group]]]:
    """Each game's group of all matches, with those of its options."""
    games: list[tuple[Group, list[Group]]] = []
    for group in found:
        if group.options == ALL:
            games.append((group, []))
        else:
            games[-1][1].append(group)
    return games


def plots(whole: Group, parts: Sequence[Group]) -> list[tuple[str, Mapping[str, float]]]:
    """What there is to draw of a game: headings, and a bar's length for each name."""
    won, decided = whole.first_wins
    pairs = whole.scores
    over = len([one for one in whole.outcomes if one.termination != "abort"])
    starts = {"the inviter (A)": whole.starts["A"], "the guest (B)": whole.starts["B"]}
    first = {"wins": won, "draws": over - decided, "losses": decided - won}
    found: list[tuple[str, Mapping[str, float]]] = [
        ("Length in entries", spread(whole.lengths)),
        ("Winner’s points", spread([pair[0] for pair in pairs])),
        ("Loser’s points", spread([pair[1] for pair in pairs])),
        ("Ends", whole.ends),
        ("Who moved first", starts),
        ("How it went for who moved first", first),
        ("Colours played", whole.colours),
        ("Matches by option", {part.options: len(part.matches) for part in parts}),
        ("Median length by option", {p.options: median(p.lengths) for p in parts if p.lengths}),
        ("Winner’s points by option", {p.options: p.means[0] for p in parts if p.means}),
    ]  # fmt: skip
    return [(heading, counts) for heading, counts in found if any(counts.values())]


def spread(values: Sequence[int]) -> dict[str, int]:
    """How many values lie in each stretch from the least to the most, empty ones too."""
    if not values:
        return {}
    low, high = min(values), max(values)
    step = next((one for one in STEPS if high // one - low // one < MOST_STEPS), 1000)
    counts = Counter(value // step * step for value in values)
    starts = range(low // step * step, high + 1, step)
    return {f"{start}–{start + step - 1}": counts[start] for start in starts}
