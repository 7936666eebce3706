"""The program `git`: found, called, and its failures named. Nothing else starts a process.

Paths go behind `--` and come back between NUL bytes, so that no name in a repository can be taken
for an option or for two names. Paths are bytes to git and text here (surrogateescape).
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mbp.errors import PostError
from mbp.files import is_folder

PATIENCE = 300  # seconds for one call; a fetch over a slow line is the longest

# What only reads asks no network for objects that a partial clone lacks, and writes no index.
READING = {"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}


def call_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment for git, without what would make it see other files than there are.

    A tool that calls git may say for its own sake how paths are to be read (GIT_*_PATHSPECS), and
    refs/replace, which anybody may push, would show one object in place of another.
    """
    kept = {name: text for name, text in environ.items() if not name.endswith("_PATHSPECS")}
    return {**kept, "GIT_NO_REPLACE_OBJECTS": "1"}


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
    """A repository, by its working tree (a bare one by itself), and the environment for git.

    `folder` is what git keeps of this working tree: its HEAD, and what is going on in it.
    """

    root: Path
    environ: Mapping[str, str]
    folder: Path
    bare: bool = False

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
        """Where a file itself lies in this repository, links followed. Raises PostError."""
        try:
            inside = Path(os.path.realpath(path)).relative_to(os.path.realpath(self.root))
            return inside.as_posix()
        except ValueError:
            raise PostError(f"{path} lies outside the repository {self.root}") from None

    def name_in(self, path: Path) -> str:
        """What a path is called in this repository; no link in there is followed.

        Links on the way to the repository are the user's own; those in it are whoever's can push.
        Raises PostError for a path outside.
        """
        plain, root = Path(os.path.normpath(path)), Path(os.path.realpath(self.root))
        for above in (*reversed(plain.parents), plain):
            real = Path(os.path.realpath(above))
            if real.is_relative_to(root):
                return (real.relative_to(root) / plain.relative_to(above)).as_posix()
        raise PostError(f"{path} lies outside the repository {self.root}")


def find_repository(where: Path, environ: Mapping[str, str]) -> Repository:
    """The repository that a folder, or a file's folder, lies in. Raises PostError."""
    folder = where if is_folder(where) else where.parent
    if not is_folder(folder):
        raise PostError(f"there is no folder {folder}")
    answer = _call(folder, environ, ("rev-parse", "--is-bare-repository", "--absolute-git-dir"))
    if "not a git repository" in answer.complaint:
        hint = f"make one: git init {shlex.quote(str(folder))}"
        raise PostError(f"{folder} is in no git repository", hint=hint)
    if answer.code:
        raise PostError(f"git does not work in {folder}: {answer.complaint}")
    bare, _, git_dir = answer.text.partition("\n")
    if bare == "true":
        return Repository(Path(git_dir), environ, Path(git_dir), bare=True)
    top = _call(folder, environ, ("rev-parse", "--show-toplevel"))
    if top.code:
        raise PostError(f"{folder} is inside a .git folder", hint="name the folder above it")
    return Repository(Path(top.text), environ, Path(git_dir))


def start(
    folder: Path, environ: Mapping[str, str], *arguments: str, asked: bool = False
) -> subprocess.Popen[bytes]:
    """Starts a git that only reads, and whose output is read as it comes.

    `asked`: questions go to its standard input. Raises OSError where there is no git.
    """
    return subprocess.Popen(
        ["git", "-C", str(folder), *arguments],
        env={**call_environ(environ), **READING},
        stdin=subprocess.PIPE if asked else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _call(
    folder: Path, environ: Mapping[str, str], arguments: tuple[str, ...], given: bytes = b""
) -> Answer:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            input=given,
            capture_output=True,
            env=call_environ(environ),
            timeout=PATIENCE,
            check=False,
        )
    except FileNotFoundError:
        raise PostError("there is no program git", hint="install git") from None
    except subprocess.TimeoutExpired:
        raise PostError(f"git {arguments[0]} did not end within {PATIENCE} seconds") from None
    complaint = done.stderr.decode("utf-8", "replace").strip()
    return Answer(done.returncode, done.stdout, complaint)
