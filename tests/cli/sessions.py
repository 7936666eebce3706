"""Sessions: what players type and see, as text files that are executed.

    # a comment; `# clock: +3 days`, `# terminal: 40` and `# pipe` change the world from there on
    alice$ mbp new --to bob
    everything that it prints, standard error too
    [exit code, unless it is 0]

`alice$` is a player with the home folder `alice` beside the games; a bare `$` is somebody without a
key. All stand in one empty folder. Words before `mbp` set the environment (`NO_COLOR=1 mbp ...`);
`< FILE`, `> FILE` and `2>/dev/null` work as in a shell, and so do `cp`, `rm`, `mkdir`, `cat` and
`edit FILE OLD NEW`, which replaces one text in a file; `MATCHES/` is the folder of finished matches
in the test data. The clock goes on by a minute for each line; randomness is a hash that counts. A
line `~ text` behind a command is what is typed at a question.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from mbp.cli import run

MATCHES = Path(__file__).parent.parent / "data" / "matches"
START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
PROMPT = re.compile(r"^(?P<who>[a-z]*)\$ (?P<line>.*)$")
SETTING = re.compile(r"^([A-Z_]+)=(.*)$")
DIRECTIVE = re.compile(r"^# (?P<name>clock|terminal|pipe):? ?(?P<value>.*)$")


@dataclass
class Stage:
    """One folder with players in it; its clock, its chance, and the terminal in front of them."""

    folder: Path
    clock: datetime = START
    drawn: int = 0
    width: int | None = None  # of the terminal, None for a pipe
    typed: list[str] = field(default_factory=list)

    def randomness(self, count: int) -> bytes:
        """The next bytes, the same in every run."""
        self.drawn += 1
        blocks = range(-(-count // 32))
        seed = f"session {self.drawn}".encode()
        return b"".join(sha256(seed + bytes([block])).digest() for block in blocks)[:count]

    def direct(self, name: str, value: str) -> None:
        """Carries out a directive."""
        if name == "clock":
            number, unit = value.lstrip("+").split()
            self.clock += timedelta(**{unit if unit.endswith("s") else f"{unit}s": int(number)})
        else:
            self.width = int(value) if name == "terminal" else None

    def execute(self, who: str, line: str) -> str:
        """What the line prints, with its exit code where that is not 0."""
        self.clock += timedelta(minutes=1)
        words = shlex.split(line)
        environ = {"MBP_HOME": who or "nobody", "TERM": "xterm-256color"}
        while words and (setting := SETTING.match(words[0])):
            environ[setting[1]] = setting[2]
            words.pop(0)
        redirected, words = _redirections(words)
        if words[0] != "mbp":
            return self._other(words)
        return self._program(words[1:], environ, redirected)

    def _program(self, argv: list[str], environ: dict[str, str], redirected: dict[str, str]) -> str:
        on_screen = self.width is not None
        if self.width is not None:
            environ.setdefault("COLUMNS", str(self.width))
        given = "".join(f"{line}\n" for line in self.typed).encode()
        if "<" in redirected:
            given = (self.folder / redirected["<"]).read_bytes()
        screen, hidden = _Screen(on_screen), _Screen(False)
        stdout = hidden if ">" in redirected else screen
        stderr = _Screen(False) if redirected.get("2>") == "/dev/null" else screen
        code = run(
            argv,
            environ=environ,
            cwd=self.folder,
            stdin=_Keyboard(given, screen if on_screen and "<" not in redirected else None),
            stdout=stdout,
            stderr=stderr,
            now=lambda: self.clock,
            randomness=self.randomness,
            zone=UTC,
        )
        if ">" in redirected:
            (self.folder / redirected[">"]).write_text(hidden.getvalue(), encoding="utf-8")
        printed = screen.getvalue().replace(f"{self.folder}/", "").replace("\x1b", "\\e")
        return printed + (f"[{code}]\n" if code else "")

    def _other(self, words: list[str]) -> str:
        """The few commands of a shell that sessions need."""
        name, *names = words
        paths = [MATCHES / one[8:] if one[:8] == "MATCHES/" else self.folder / one for one in names]
        if name == "cp":
            shutil.copy(paths[0], paths[1])
        elif name == "rm":
            paths[0].unlink()
        elif name == "mkdir":
            paths[0].mkdir()
        elif name == "cat":
            return paths[0].read_text(encoding="utf-8")
        elif name == "edit":
            text = paths[0].read_text(encoding="utf-8")
            assert names[1] in text, f"{names[0]} has no {names[1]!r}"
            paths[0].write_text(text.replace(names[1], names[2], 1), encoding="utf-8")
        else:
            raise ValueError(f"sessions know no command {name!r}")
        return ""


class _Screen(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


class _Keyboard(io.TextIOWrapper):
    """Standard input: in front of a screen, on which the line ends are seen, or a pipe."""

    def __init__(self, data: bytes, screen: _Screen | None) -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8")
        self.screen = screen

    def isatty(self) -> bool:
        return self.screen is not None

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        if self.screen is not None:
            self.screen.write("\n")
        return super().readline(size)


def _redirections(words: list[str]) -> tuple[dict[str, str], list[str]]:
    found, rest = {}, []
    remaining = iter(words)
    for word in remaining:
        if word in ("<", ">"):
            found[word] = next(remaining)
        elif word.startswith("2>"):
            found["2>"] = word[2:]
        else:
            rest.append(word)
    return found, rest


def replayed(text: str, folder: Path) -> str:
    """The session as it goes now, executed in an empty folder: same commands, fresh answers."""
    stage = Stage(folder)
    return "".join(_lines(text, stage))


def _lines(text: str, stage: Stage) -> Iterator[str]:
    lines = text.splitlines()
    for number, line in enumerate(lines):
        directive, prompt = DIRECTIVE.match(line), PROMPT.match(line)
        if directive:
            stage.direct(directive["name"], directive["value"])
        if line.startswith("#"):
            yield f"{line}\n"
        elif not line and _next_is_no_answer(lines, number):
            yield "\n"
        elif prompt:
            yield f"{line}\n"
            stage.typed = _typed(lines, number + 1)
            yield from (f"~ {answer}\n" for answer in stage.typed)
            yield stage.execute(prompt["who"], prompt["line"])


def _typed(lines: list[str], start: int) -> list[str]:
    """The lines behind a command that are typed at its questions."""
    typed = []
    for line in lines[start:]:
        if not line.startswith("~ "):
            break
        typed.append(line[2:])
    return typed


def _next_is_no_answer(lines: list[str], number: int) -> bool:
    """Whether an empty line stands before a command or a comment, so that it is no output."""
    following = lines[number + 1] if number + 1 < len(lines) else ""
    return bool(PROMPT.match(following)) or following.startswith("#")
