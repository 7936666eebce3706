"""Charts as SVG: the score of a match entry by entry, and bars of how often something was."""

from __future__ import annotations

from collections.abc import Mapping

from mbp.report.escape import markup
from mbp.report.story import Story

WIDE, HIGH, LEFT, LOWER = 420, 150, 30, 18
RIGHT = 22  # room for the letters at the ends of the lines
LETTER = 15  # from one line of text to the next


def x_of(story: Story, seq: int) -> float:
    """Where an entry lies from left to right."""
    room = WIDE - LEFT - RIGHT
    return round(LEFT + room * seq / max(1, len(story.steps) - 1), 1)


def score_chart(story: Story) -> str:
    """Both players' points behind each entry; lines differ by their dashes and letters, too."""
    top = max(1, *(score for step in story.steps for score in step.scores))
    floor = HIGH - LOWER

    def y_of(points: int) -> float:
        return round(floor - (floor - 10) * points / top, 1)

    lines, ends = [], []
    for place, seat in enumerate("AB"):
        points = " ".join(
            f"{x_of(story, step.seq):g},{y_of(step.scores[place]):g}" for step in story.steps
        )
        lines.append(f'<polyline class="l{seat.lower()}" points="{points}"/>')
        ends.append(y_of(story.steps[-1].scores[place]) + 4)
    if abs(ends[0] - ends[1]) < LETTER:  # so that no letter covers the other
        upper, lowest = ends.index(min(ends)), min(floor + 4, max(ends) + 6)
        ends[upper], ends[1 - upper] = lowest - LETTER, lowest
    letters = "".join(
        f'<text x="{WIDE - RIGHT + 6}" y="{end:g}">{seat}</text>'
        for seat, end in zip("AB", ends, strict=True)
    )
    final = story.steps[-1].scores
    label = (
        f"Points by entry: A {story.names['A']} (solid line) ends with {final[0]}, "
        f"B {story.names['B']} (dashed line) with {final[1]}"
    )
    here = x_of(story, story.steps[-1].seq)
    return (
        f'<svg class="chart" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{markup(label)}">'
        f'<path class="axis" d="M{LEFT} 8V{floor}H{WIDE - RIGHT}" fill="none"/>'
        f'<text x="2" y="14">{top}</text><text x="2" y="{floor}">0</text>'
        f'<text x="{LEFT}" y="{HIGH - 4}">entry 0</text>'
        f'<text x="{WIDE - RIGHT}" y="{HIGH - 4}" text-anchor="end">{len(story.steps) - 1}</text>'
        f"{''.join(lines)}{letters}"
        f'<line class="cursor" id="cursor" x1="{here:g}" x2="{here:g}" y1="8" y2="{floor}"/></svg>'
    )


def bars(title: str, counts: Mapping[str, float]) -> str:
    """How often or how much something was, a bar each, with its number."""
    most = max(1, *counts.values()) if counts else 1
    left, row, room = 170, 22, 200
    drawn = []
    for place, (name, count) in enumerate(counts.items()):
        y = place * row
        shown = name if len(name) <= 23 else f"{name[:22]}…"
        length = round(room * count / most, 1)
        number = f"{round(count, 1):g}"
        drawn.append(
            f'<text x="{left - 6}" y="{y + 15}" text-anchor="end">{markup(shown)}</text>'
            f'<rect x="{left}" y="{y + 4}" width="{length:g}" height="14" rx="2"/>'
            f'<text x="{left + length + 6:g}" y="{y + 15}">{number}</text>'
        )
    height = max(row, row * len(counts))
    label = f"{title}: {', '.join(f'{name} {round(n, 1):g}' for name, n in counts.items())}"
    return (
        f'<svg class="chart" viewBox="0 0 {WIDE} {height}" role="img" '
        f'aria-label="{markup(label)}">{"".join(drawn)}</svg>'
    )
