"""A match entry by entry: what is shown of each, and where a command leads. Prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mbp.cli.session import Session
from mbp.cli.show import invitation_lines
from mbp.cli.telling import View, outcome_text, time_for_people, title
from mbp.cli.terminal import clean, columns, wrapped
from mbp.match.sentences import sentence
from mbp.report.story import is_great
from mbp.rules.contract import Line, Seat, Span

TYPED = (
    "n next · b back · d, D to the next, the previous destruction or end · a number: that entry · "
    "f first · l newest · q quit"
)
KEYS = (
    "→ next · ← back · d, D to the next, the previous destruction or end · digits, Enter: that "
    "entry · Home first · End newest · q quit"
)
BRIEF = "? for the keys"
LONGEST = 24  # columns of a name on the board
MOST_DIGITS = 6
LONG_FORMS = {"next": "n", "back": "b", "destruction": "d", "first": "f", "last": "l", "": "n"}


@dataclass(frozen=True)
class Showing:
    """A match as it is looked at: with which card secrets, and whose side is at the bottom.

    `looker` says so in words; `trouble` is why the file does not go on behind the newest entry.
    """

    session: Session
    view: View
    secrets: Mapping[Seat, int]
    below: Seat | None
    looker: str
    trouble: str = ""

    @property
    def last(self) -> int:
        """The newest entry."""
        return len(self.view.match.log) - 1

    @property
    def width(self) -> int:
        """The columns that there are now."""
        return self.session.terminal.width

    def head(self) -> list[Line]:
        """Which match it is, and as whom one looks."""
        text = f"{title(self.view)}, {self.looker}"
        return [(Span(one, style="bold"),) for one in wrapped(text, self.width, "", "  ")]

    def about(self) -> list[Line]:
        """The match id, options and players."""
        lines = wrapped(self.view.match.id, self.width, "  match    ", " " * 11)
        return [(Span(one),) for one in (*lines, *invitation_lines(self.view, self.width))]

    def lines(self, seq: int, *, invitation: bool = True) -> list[Line]:
        """The entry, and the position behind it; `invitation` stands for a board before play."""
        board = self._board(seq, invitation=invitation)
        return [*self._entry(seq), *self._note(seq), *([(), *board] if board else [])]

    def _entry(self, seq: int) -> list[Line]:
        """When it was, and what happened."""
        match = self.view.match.at(seq)
        moment = match.moments[-1]
        time = time_for_people(self.session, match.position.time)
        text = f"{self.view.names[moment.entry.by]}: {sentence(moment, self.view.names)}"
        place: Line = (Span(f"{seq}/{self.last}  {time}", style="dim"),)
        return [place, *((Span(one, style="bold"),) for one in wrapped(clean(text), self.width))]

    def _note(self, seq: int) -> list[Line]:
        note = self.view.match.log[seq].tree.get("note")
        if note is None:
            return []
        return [(Span(one),) for one in wrapped(f"“{clean(note)}”", self.width, "  ", "   ")]

    def _board(self, seq: int, *, invitation: bool = True) -> list[Line]:
        match = self.view.match.at(seq)
        state, sight = match.seen(self.secrets)
        lines: list[Line] = []
        if state is not None:
            names = {seat: _short(name) for seat, name in self.view.names.items()}
            lines += match.game.board(state, sight, self.below, names, self.width)
        elif invitation:
            lines += [(Span(text),) for text in invitation_lines(self.view, self.width)]
        ends = []
        if seq == self.last and match.outcome is not None:
            ends.append(f"over: {outcome_text(self.view, match.outcome)}")
        if seq == self.last and self.trouble:
            ends.append(self.trouble)
        for text in ends:
            lines += [(), *((Span(one),) for one in wrapped(text, self.width))]
        return lines

    def screen(self, seq: int, *, keys: bool, room: int) -> list[Line]:
        """At most `room` lines for a terminal: what is least of use gives way first.

        The entry and what happened always stand there. `keys`: the keys instead of the board.
        """
        entry, note, board = self._entry(seq), self._note(seq), self._board(seq)
        told: list[Line] = [(Span(one, style="dim"),) for one in wrapped(KEYS, self.width)]
        brief: Line = (Span(BRIEF, style="dim"),)
        if keys:
            board, brief = told, ()
        short = f"{self.view.match.game.name.capitalize()} {self.view.match.id[:8]}, {self.looker}"
        small: Line = (Span(wrapped(short, self.width)[0], style="bold"),)
        packed = [line for line in board if line]
        choices: Sequence[list[Line]] = (
            [*self.head(), *entry, *note, (), *board, (), *([] if keys else told)],
            [*self.head(), *entry, *note, *packed, brief],
            [small, *entry, *packed, brief],
            [*entry[:3], *packed, brief],
        )
        for lines in choices:
            if len(lines) <= room:
                return lines
        return [*choices[-1][: max(1, room - 1)], (Span("…", style="dim"),)]

    def great(self, seq: int, direction: int) -> int:
        """The next entry of which something came that people look for; else the end there is."""
        moments = self.view.match.moments
        while 0 <= seq + direction <= self.last:
            seq += direction
            if is_great(moments[seq]):
                break
        return seq

    def target(self, seq: int, command: str) -> int | str | None:
        """The entry to which a command leads, or why there is none; None where it is no command."""
        verb, _, rest = command.partition(" ")
        leads: dict[str, Callable[[], int]] = {
            "n": lambda: min(seq + 1, self.last),
            "b": lambda: max(seq - 1, 0),
            "d": lambda: self.great(seq, 1),
            "D": lambda: self.great(seq, -1),
            "f": lambda: 0,
            "l": lambda: self.last,
        }
        verb = LONG_FORMS.get(verb, verb)
        if verb in leads and not rest:
            return leads[verb]()
        digits = rest if verb in ("g", "go") else command
        if not (digits.isascii() and digits.isdecimal()):
            return None
        if len(digits) > MOST_DIGITS or int(digits) > self.last:
            return f"there is no entry {digits[:20]}: the newest is {self.last}"
        return int(digits)


def _short(name: str) -> str:
    """A name that leaves room for the rest of a line."""
    while columns(name) > LONGEST:
        name = f"{name[:-2]}…"
    return name
