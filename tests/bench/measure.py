"""Medians with their spread, and the table they stand in."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Figure:
    """A line of the table. `low` and `high` are the least and the most that was measured."""

    name: str
    unit: str
    middle: float
    low: float
    high: float
    count: int
    aim: str = ""

    @property
    def row(self) -> str:
        """The line in Markdown."""
        spread = "" if self.count == 1 else f"{_number(self.low)} – {_number(self.high)}"
        value = f"{_number(self.middle)} {self.unit}".strip()
        return f"| {self.name:<42} | {value:>12} | {spread:>17} | {self.count:>4} | {self.aim:<9} |"


HEAD = (
    f"| {'figure':<42} | {'median':>12} | {'least – most':>17} | {'runs':>4} | {'aim':<9} |\n"
    f"| {'-' * 42} | {'-' * 12} | {'-' * 17} | {'-' * 4} | {'-' * 9} |"
)


def figure(name: str, unit: str, values: Sequence[float], aim: str = "") -> Figure:
    """Median and spread of some values."""
    return Figure(name, unit, median(values), min(values), max(values), len(values), aim)


def milliseconds(
    name: str, runs: int, act: Callable[[T], object], prepare: Callable[[], T], aim: str = ""
) -> Figure:
    """The CPU time of `act` on what `prepare`, which is not timed, makes for each run.

    Not the clock's time: what else the machine does should not count.
    """
    times = []
    for _ in range(runs):
        given = prepare()
        start = time.process_time()
        act(given)
        times.append((time.process_time() - start) * 1000)
    return figure(name, "ms", times, aim)


def line_through(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Least squares: where the line starts, how it rises, and the share of the variance it tells.

    The last is 1 where all points lie on the line.
    """
    count = len(points)
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    rise = sum((x - mean_x) * (y - mean_y) for x, y in points)
    rise /= sum((x - mean_x) ** 2 for x, _ in points)
    start = mean_y - rise * mean_x
    left = sum((y - start - rise * x) ** 2 for x, y in points)
    whole = sum((y - mean_y) ** 2 for _, y in points)
    return start, rise, 1 - left / whole


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
