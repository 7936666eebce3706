"""The terminal: what may be printed there, how wide, in which colours, and what may be asked.

Standard output is the product, everything else goes to standard error. No text reaches a terminal
but through `clean`: names and notes are a peer's, and a control character in them is an attack.
Plain escape sequences are enough for six colours; rich is loaded for progress bars alone.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from mbp.errors import KeyringError

if TYPE_CHECKING:
    from mbp.rules.contract import Line, Span

NARROWEST, WIDEST, PIPED = 40, 120, 80  # columns
FEWEST, LINES = 8, 24

# Cc and Cf hold escapes, bidi controls and zero widths, Cs what is no character, Zl and Zp breaks.
UNPRINTABLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}

# By place in COLOURS (black, green, purple, yellow, orange, red); black must show on black too.
RICH_COLOURS = ("38;5;245", "38;5;35", "38;5;134", "38;5;220", "38;5;208", "38;5;196")
FEW_COLOURS = ("2", "32", "35", "93", "33", "31")
STYLES = {"": "", "bold": "1", "dim": "2"}


def clean(text: str) -> str:
    """The text with nothing in it that a terminal obeys: no controls, escapes, bidi, line ends."""
    if text.isascii() and text.isprintable():
        return text
    return "".join("\ufffd" if _is_unprintable(character) else character for character in text)


def _is_unprintable(character: str) -> bool:
    return unicodedata.category(character) in UNPRINTABLE


def columns(text: str) -> int:
    """How many columns a text takes: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    widths = {"W": 2, "F": 2}
    return sum(
        0 if unicodedata.combining(one) else widths.get(unicodedata.east_asian_width(one), 1)
        for one in text
    )


def to_json(tree: Any) -> str:
    """A tree as JSON for programs that is safe to look at too: nothing unprintable stands bare."""
    return _bare(json.dumps(tree, ensure_ascii=False, indent=2))


def to_line(tree: Any) -> str:
    """A tree as JSON in one line, for programs that read line by line; else as `to_json`."""
    return _bare(json.dumps(tree, ensure_ascii=False))


def _bare(text: str) -> str:
    return "".join(
        f"\\u{ord(one):04x}" if one != "\n" and ord(one) < 1 << 16 and _is_unprintable(one) else one
        for one in text
    )


class Steps(Protocol):
    """A progress bar: told of each step that is done."""

    def __call__(self, count: int = 1) -> None:
        """Moves on by so many steps."""


@dataclass(frozen=True)
class Terminal:
    """The three streams, and what the environment says of them.

    `here` is the current folder with a slash: paths in it are told without it.
    """

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    environ: Mapping[str, str]
    here: str = ""

    @property
    def width(self) -> int:
        """The columns to use: COLUMNS, else the terminal's, from 40 to 120; 80 in a pipe."""
        told = self.environ.get("COLUMNS", "")
        if told.isascii() and told.isdigit() and len(told) < 6:
            found = int(told)
        elif self.stdout.isatty():
            import shutil

            found = shutil.get_terminal_size((PIPED, 24)).columns
        else:
            found = PIPED
        return max(NARROWEST, min(found, WIDEST))

    @property
    def height(self) -> int:
        """The lines that there are: LINES, else the terminal's; 24 in a pipe."""
        told = self.environ.get("LINES", "")
        if told.isascii() and told.isdigit() and len(told) < 6:
            return max(FEWEST, int(told))
        if not self.stdout.isatty():
            return LINES
        import shutil

        return max(FEWEST, shutil.get_terminal_size((PIPED, LINES)).lines)

    @property
    def coloured(self) -> bool:
        """Whether standard output gets colours: NO_COLOR, then FORCE_COLOR, then the terminal."""
        if self.environ.get("NO_COLOR"):
            return False
        if self.environ.get("FORCE_COLOR"):
            return True
        return self.stdout.isatty() and self.environ.get("TERM", "dumb") != "dumb"

    @property
    def interactive(self) -> bool:
        """Whether there is somebody to ask."""
        return self.stdin.isatty() and self.stderr.isatty()

    def put(self, text: str = "") -> None:
        """Prints lines of the product, to standard output."""
        self.stdout.write("".join(f"{clean(line)}\n" for line in text.split("\n")))

    def say(self, text: str, indent: str = "", *, whole: bool = True) -> None:
        """Tells people something beside the product, wrapped, to standard error."""
        # At the start of a path only: the same names may stand in the middle of another one.
        shorter = re.sub(rf"(?<![^\s'\"(]){re.escape(self.here)}", "", text) if self.here else text
        for paragraph in shorter.split("\n"):
            for line in wrapped(clean(paragraph), self.width, indent, indent, whole=whole):
                self.stderr.write(f"{line}\n")

    def say_line(self, text: str) -> None:
        """A line to be copied, whole: wrapped, it would be another command."""
        self.stderr.write(f"{clean(text)}\n")

    def put_lines(self, lines: Iterable[Line]) -> None:
        """Prints lines of spans, in colours where there may be some."""
        for line in lines:
            painted = [self._painted(span) if self.coloured else clean(span.text) for span in line]
            self.stdout.write("".join(painted).rstrip() + "\n")

    def _painted(self, span: Span) -> str:
        text = clean(span.text)
        many = "256" in self.environ.get("TERM", "") or self.environ.get("COLORTERM")
        palette = RICH_COLOURS if many else FEW_COLOURS
        codes = [STYLES[span.style], "" if span.colour is None else palette[span.colour]]
        wanted = ";".join(code for code in codes if code)
        return f"\x1b[{wanted}m{text}\x1b[0m" if wanted and text.strip() else text

    def ask(self, question: str, hint: str) -> str:
        """One line of an answer. Raises KeyringError, with the hint, where nobody can answer."""
        if not self.interactive:
            raise KeyringError(f"an answer is needed: {question}", hint=hint)
        self.stderr.write(f"{clean(question)} ")
        self.stderr.flush()
        answer = self.stdin.readline()
        if not answer:
            self.stderr.write("\n")
            raise KeyringError(f"no answer: {question}", hint=hint)
        return answer.strip()

    def confirm(self, question: str, hint: str) -> bool:
        """Whether the answer is yes. Raises KeyringError as `ask` does."""
        return self.ask(f"{question} [y/N]", hint).lower() in ("y", "yes")

    def ask_secret(self, question: str, hint: str) -> str:
        """A passphrase, typed without an echo. Raises KeyringError as `ask` does."""
        if not self.interactive or self.stdin is not sys.stdin:
            return self.ask(f"{question}:", hint)
        import getpass

        return getpass.getpass(f"{clean(question)}: ", self.stderr)

    @contextmanager
    def progress(self, title: str, total: int) -> Iterator[Steps]:
        """A progress bar on standard error while the work goes on; none but on a terminal.

        Shows how many there are and are done, how many a second, and the time that is left.
        """
        if not self.stderr.isatty() or self.environ.get("TERM", "dumb") == "dumb":
            yield lambda count=1: None
            return
        from mbp.cli.progress import bar

        with bar(clean(title), total, self.stderr, self.width, self.coloured) as step:
            yield step


def wrapped(
    text: str, width: int, first: str = "", rest: str = "", *, whole: bool = False
) -> Sequence[str]:
    """The text in lines of at most `width` columns.

    Longer words are cut: a terminal would break them itself, and what a peer wrote would begin a
    row as if it were mbp's. With `whole`, for text that mbp made, paths stay as they can be copied.
    """
    if len(first) + columns(text) <= width:
        return (first + text,)
    lines: list[str] = []
    line, fresh = first, True
    for gap, word in re.findall(r"(\s*)(\S+)", text):
        if not fresh and columns(f"{line}{gap}{word}") > width:
            lines.append(line)
            line, fresh = rest, True
        start = line if fresh and (lines or columns(line + gap) >= width) else line + gap
        if not whole or "/" not in word:
            while columns(start + word) > width:
                fits = max(1, _fitting(word, width - columns(start)))
                lines.append(start + word[:fits])
                start, word = rest, word[fits:]
        line, fresh = start + word, False
    return (*lines, line)


def _fitting(word: str, room: int) -> int:
    """How many characters of a word fit into so many columns."""
    used = 0
    for number, character in enumerate(word):
        used += columns(character)
        if used > room:
            return number
    return len(word)
