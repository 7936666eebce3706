"""A match as it is played: a line for each entry, and a progress bar below them on a terminal.

The bar is drawn by hand and only between two lines: one that draws itself would paint over them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mbp.cli.terminal import Terminal, columns, wrapped
from mbp.match import Match
from mbp.match.sentences import sentence
from mbp.match.verify import Moment
from mbp.rules.contract import COLOURS, Line, Span

BAR = 30  # columns
POINT = 128 / 3  # characters of a point: 32 bytes in base64
COLOUR = re.compile(rf"\b({'|'.join(COLOURS)})\b")


class Ticker:
    """Prints entries in their order, each once. `typical` entries fill the progress bar."""

    def __init__(self, terminal: Terminal, typical: int) -> None:
        self._terminal = terminal
        self._typical = typical
        self._told = 0
        streams = (terminal.stdout, terminal.stderr)
        on_screen = all(stream.isatty() for stream in streams)
        self._bar = on_screen and terminal.environ.get("TERM", "dumb") != "dumb"

    def tell(self, match: Match) -> None:
        """Prints what is new in a match."""
        self.clear()
        for moment in match.moments[self._told :]:
            self._terminal.put_lines(entry_lines(match, moment, self._terminal.width))
        self._terminal.stdout.flush()
        self._told = len(match.moments)
        self._draw()

    def clear(self) -> None:
        """Takes the bar away."""
        if self._bar:
            self._terminal.stderr.write("\r\x1b[K")
            self._terminal.stderr.flush()

    def _draw(self) -> None:
        if self._bar:
            full = min(BAR - 1, BAR * self._told // self._typical)
            bar = "█" * full + "░" * (BAR - full)
            self._terminal.stderr.write(f"  {bar}")
            self._terminal.stderr.flush()


def entry_lines(match: Match, moment: Moment, width: int) -> list[Line]:
    """An entry with its time, its author and its note; words for colours have that colour."""
    time = f"{moment.position.time:%Y-%m-%d %H:%M}"
    name = match.players[moment.entry.by].name
    longest = max(columns(player.name) for player in match.players.values())
    pad = " " * (longest - columns(name) + 2)
    indent = " " * (len(time) + longest + 4) if width >= 60 else "  "
    first = f"{time}  {name}{pad}"
    texts = [f"{sentence(moment)}{_shuffle(moment)}"]
    if "note" in moment.entry.tree:
        texts.append(f"“{moment.entry.tree['note']}”")
    rows = wrapped(texts[0], width, first, indent)
    lines: list[Line] = [
        (Span(f"{time}  ", style="dim"), Span(f"{name}{pad}", style="bold"), *_coloured(row))
        for row in [rows[0][len(first) :]]
    ]
    lines += [_coloured(row) for row in rows[1:]]
    for note in texts[1:]:
        lines += [(Span(row),) for row in wrapped(note, width, indent, indent)]
    return lines


def _shuffle(moment: Moment) -> str:
    """What a mask is, for those who have never seen one (protocol 6.1)."""
    mask = moment.entry.cards.get("mask")
    if mask is None:
        return ""
    again = " again" if moment.entry.verb == "accept" else ""
    return f", shuffles and masks {int(len(mask['points']) / POINT)} cards{again}"


def _coloured(text: str) -> Line:
    """The text with its words for colours in spans of their own."""
    parts: Sequence[str] = COLOUR.split(text)
    return tuple(Span(part, COLOURS.index(part) if part in COLOURS else None) for part in parts)
