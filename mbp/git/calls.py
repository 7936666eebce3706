"""The program `git`: found, called, and its failures named. Nothing else starts a process.

Paths go behind `--` and come back between NUL bytes, so that no name in a repository can be taken
for an option or for two names. Paths are bytes to git and text here (surrogateescape).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mbp.errors import PostError
from mbp.files import is_folder

PATIENCE = 300  # seconds for one call; a fetch over a slow line is the longest


@dataclass(frozen=True)
class Answer:
    """What a call of git came to: its exit code, and what it printed on both streams."""

    code: int
    output: bytes
    complaint: str

    @property
    def text(self) -> str:
        """The output without its last line end."""
        return os.fsdecode(self.output).removesuffix("\n")


@dataclass(frozen=True)
class Repository:
    """A repository, by its working tree (a bare one by itself), and the environment for git."""

    root: Path
    environ: Mapping[str, str]

    def ask(self, *arguments: str, given: bytes = b"") -> Answer:
        """Calls git in this repository. Raises PostError only where git cannot run at all."""
        return _call(self.root, self.environ, arguments, given)

    def run(self, *arguments: str, given: bytes = b"") -> bytes:
        """The output of a call that has to succeed. Raises PostError with git's own words."""
        answer = self.ask(*arguments, given=given)
        if answer.code:
            raise PostError(
                f"git {arguments[0]} failed: {answer.complaint or f'exit {answer.code}'}",
                hint="put right what git says, and try again",
            )
        return answer.output

    def path_in(self, path: Path) -> str:
        """A file's path inside this repository. Raises PostError for one outside."""
        try:
            inside = Path(os.path.realpath(path)).relative_to(os.path.realpath(self.root))
            return inside.as_posix()
        except ValueError:
            raise PostError(f"{path} lies outside the repository {self.root}") from None


def find_repository(where: Path, environ: Mapping[str, str]) -> Repository:
    """The repository that a folder, or a file's folder, lies in. Raises PostError."""
    folder = where if is_folder(where) else where.parent
    if not is_folder(folder):
        raise PostError(f"there is no folder {folder}")
    answer = _call(folder, environ, ("rev-parse", "--is-bare-repository", "--git-dir"), b"")
    if answer.code:
        raise PostError(f"{folder} is in no git repository", hint=f"make one: git init {folder}")
    bare, _, git_dir = answer.text.partition("\n")
    if bare == "true":
        return Repository(folder / git_dir, environ)
    top = _call(folder, environ, ("rev-parse", "--show-toplevel"), b"")
    if top.code:
        raise PostError(f"{folder} is inside a .git folder", hint="name the folder above it")
    return Repository(Path(top.text), environ)


def _call(
    folder: Path, environ: Mapping[str, str], arguments: tuple[str, ...], given: bytes
) -> Answer:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            input=given,
            capture_output=True,
            env=dict(environ),
            timeout=PATIENCE,
            check=False,
        )
    except FileNotFoundError:
        raise PostError("there is no program git", hint="install git") from None
    except subprocess.TimeoutExpired:
        raise PostError(f"git {arguments[0]} did not end within {PATIENCE} seconds") from None
    complaint = done.stderr.decode("utf-8", "replace").strip()
    return Answer(done.returncode, done.stdout, complaint)
