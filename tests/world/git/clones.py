"""Players who have a clone each: mbp in this process, git and what git starts in their own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from mbp import gamefile
from mbp.cli import run
from mbp.errors import MbpError
from mbp.home import Home
from mbp.match import Match, replay
from tests.duel import identity_of

ROOT = Path(__file__).parents[3]
START = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Said:
    """What a run of mbp came to; what it said beside the product is in one line."""

    code: int
    out: str
    err: str


class Clone:
    """A player (or a stranger, without a name) with a working tree and a home."""

    def __init__(self, root: Path, label: str, name: str = "") -> None:
        self.root, self.tree, self.name = root, root / label, name
        self.home = Home(root / f"{label}-home")
        self.clock = START
        self.drawn = 0
        if name:
            with self.home.lock():
                self.home.create_identity(identity_of(name), name)

    @property
    def environ(self) -> dict[str, str]:
        """The environment of all processes: this player, and nothing of this machine's git."""
        who = self.name or "Nobody"
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "HOME": str(self.root),
            "MBP_HOME": str(self.home.root),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_NAME": who,
            "GIT_AUTHOR_EMAIL": f"{who}@example.org",
            "GIT_COMMITTER_NAME": who,
            "GIT_COMMITTER_EMAIL": f"{who}@example.org",
            "GIT_TERMINAL_PROMPT": "0",
        }

    def mbp(self, *argv: str, code: int = 0) -> Said:
        """Runs mbp in the working tree; fails for another exit code."""
        out, err = io.StringIO(), io.StringIO()
        self.clock += timedelta(minutes=1)
        found = run(
            argv,
            environ=self.environ,
            cwd=self.tree,
            stdin=io.StringIO(),
            stdout=out,
            stderr=err,
            now=lambda: self.clock,
            randomness=self.randomness,
            zone=UTC,
        )
        said = Said(found, out.getvalue(), " ".join(err.getvalue().split()))
        assert found == code, said
        return said

    def said_lines(self, *argv: str) -> list[str]:
        """The lines that mbp says beside the product, as they stand there."""
        done = subprocess.run(
            [sys.executable, "-P", "-m", "mbp", *argv],
            cwd=self.tree,
            env=self.environ,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stderr.splitlines()

    def randomness(self, count: int) -> bytes:
        """Bytes that repeat from run to run."""
        self.drawn += 1
        seed = f"{self.tree.name} {self.drawn}".encode()
        blocks = [sha256(seed + bytes([block])).digest() for block in range(-(-count // 32))]
        return b"".join(blocks)[:count]

    def git(self, *argv: str, fails: bool = False) -> str:
        """Runs git in the working tree; its output, both streams."""
        done = subprocess.run(
            ["git", *argv],
            cwd=self.tree,
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert bool(done.returncode) == fails, done.stdout
        return done.stdout

    def init(self) -> Clone:
        """Makes a new repository."""
        self.tree.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        return self

    def clone(self, bare: Path) -> Clone:
        """Clones a bare repository."""
        self.tree.mkdir()
        self.git("clone", "--quiet", str(bare), ".")
        return self

    def write(self, name: str, data: bytes) -> Path:
        """Puts a file into the working tree."""
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def commit(self, name: str, data: bytes, *options: str, fails: bool = False) -> str:
        """Writes a file and commits it with git alone."""
        self.write(name, data)
        self.git("add", "--", name)
        return self.git("commit", "--quiet", "-m", name, *options, fails=fails)

    def match(self, name: str) -> Match:
        """The verified match of a file."""
        record = gamefile.load((self.tree / name).read_bytes())
        return replay(record).with_extras(record)[0]

    def glance(self, name: str) -> Match:
        """The match of a file that mbp has verified just now: no proof is verified again."""
        record = gamefile.load((self.tree / name).read_bytes())
        return replay(record, verified=len(record.log))


def verifies(data: bytes) -> bool:
    """Whether the bytes are a game file whose log holds."""
    try:
        replay(gamefile.load(data))
    except MbpError:
        return False
    return True
