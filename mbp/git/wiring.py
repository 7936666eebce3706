"""What `mbp git setup` puts into a repository, and `mbp git remove` takes out again.

    .gitattributes   lines between two marks: line ends, the diff, the merge
    the local config `diff.mbp` and `merge.mbp`, the commands that git calls
    two hooks        pre-commit and pre-merge-commit, lines between two marks

Everything else in these files stays as it is; doing it twice changes nothing more.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mbp.errors import PostError
from mbp.files import read_if_there, write_atomic
from mbp.git.calls import Repository

FIRST, LAST = "# mbp: begin", "# mbp: end"
ATTRIBUTES = "*.mbp.yaml text eol=lf diff=mbp merge=mbp\n"
HOOKS = ("pre-commit", "pre-merge-commit")
SHELLS = ("sh", "bash", "dash", "ksh", "zsh")
CACHE = "refs/notes/textconv/mbp"  # where git keeps the sentences of old states


@dataclass(frozen=True)
class Wiring:
    """The command lines that git shall call: this program, and the home that it shall use."""

    program: Sequence[str]
    home: str = ""

    def command(self, *words: str) -> str:
        """A command line for a shell."""
        home = ["--home", self.home] if self.home else []
        return shlex.join([*self.program, *home, "git", *words])

    @property
    def settings(self) -> dict[str, str]:
        """The local configuration."""
        return {
            # --: a file in a repository may be called like an option.
            "diff.mbp.textconv": self.command("text", "--"),
            "diff.mbp.cachetextconv": "true",
            "merge.mbp.name": "mbp: one of two logs, whole, or a conflict",
            # %P comes from the repository; git quotes it for the shell.
            "merge.mbp.driver": f"{self.command('merge', '--')} %O %A %B %P",
            "merge.mbp.recursive": "binary",
        }


def set_up(repository: Repository, wiring: Wiring) -> tuple[str, ...]:
    """Wires a repository; returns what people should know. Raises PostError, MbpError."""
    root = _working_tree(repository)
    _write_block(root / ".gitattributes", ATTRIBUTES)
    for name, value in wiring.settings.items():
        repository.run("config", "--local", name, value)
    check = f"{wiring.command('staged')} || exit 1\n"
    folder = _hooks_folder(repository)
    if folder is None:
        return (f"core.hooksPath is set: put this line into your own hooks: {check.strip()}",)
    paths = [folder / name for name in HOOKS]
    return tuple(said for path in paths for said in _write_hook(path, check))


def remove(repository: Repository) -> None:
    """Takes out what `set_up` put in. Raises PostError, MbpError."""
    _write_block(_working_tree(repository) / ".gitattributes", "")
    for section in ("diff.mbp", "merge.mbp"):
        repository.ask("config", "--local", "--remove-section", section)  # it may not be there
    repository.ask("update-ref", "-d", CACHE)
    folder = _hooks_folder(repository)
    paths = [] if folder is None else [folder / name for name in HOOKS]
    for path in paths:
        if read_if_there(path) is not None:
            _write_block(path, "", bare="#!/bin/sh\n")


def _working_tree(repository: Repository) -> Path:
    if repository.ask("rev-parse", "--is-bare-repository").text == "true":
        raise PostError(
            f"{repository.root} is a bare repository: nobody edits files there",
            hint="set up each clone; on the server run mbp audit --since",
        )
    return repository.root


def _hooks_folder(repository: Repository) -> Path | None:
    """The repository's own folder of hooks; None where its hooks are kept somewhere else."""
    if repository.ask("config", "core.hooksPath").text:
        return None
    told = repository.run("rev-parse", "--git-path", "hooks").decode("utf-8", "surrogateescape")
    return repository.root / told.removesuffix("\n")


def _write_hook(path: Path, check: str) -> tuple[str, ...]:
    """Puts the check right behind the first line: what a hook ends with may never return."""
    there = read_if_there(path)
    shebang = (there or b"#!/bin/sh\n").split(b"\n")[0].decode("utf-8", "replace")
    if not shebang.startswith("#!") or Path(shebang.split()[-1]).name not in SHELLS:
        return (f"{path} is no shell script: call this in it: {check.strip()}",)
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_block(path, check, bare="#!/bin/sh\n", behind_first=True)
    path.chmod(path.stat().st_mode | 0o111)
    return ()


def _write_block(path: Path, block: str, *, bare: str = "", behind_first: bool = False) -> None:
    """Puts lines between the two marks, in place of those that are there; none: takes them out.

    A file that then holds nothing but `bare` is taken away.
    """
    data = read_if_there(path)
    kept = _without_block((data or bare.encode()).decode("utf-8", "surrogateescape"))
    text = kept
    if block:
        marked = f"{FIRST}\n{block}{LAST}\n"
        head, rest = (
            (kept.partition("\n")[0] + "\n", kept.partition("\n")[2])
            if behind_first
            else (kept, "")
        )
        gap = "" if not head or head.endswith("\n") else "\n"
        text = f"{head}{gap}{marked}{rest}"
    if text in ("", bare) and not block:
        path.unlink(missing_ok=True)
    elif text.encode("utf-8", "surrogateescape") != data:
        write_atomic(path, text.encode("utf-8", "surrogateescape"))


def _without_block(text: str) -> str:
    before, first, rest = text.partition(f"{FIRST}\n")
    _, last, behind = rest.partition(f"{LAST}\n")
    return before + behind if first and last else text
