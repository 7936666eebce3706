"""What `mbp git setup` puts into a repository, and `mbp git remove` takes out again.

    .gitattributes   lines between two marks: line ends, the diff, the merge
    the local config `diff.mbp` and `merge.mbp`, the commands that git calls
    two hooks        pre-commit and pre-merge-commit, lines between two marks

Everything else in these files stays as it is; doing it twice changes nothing more. A link is never
written through: what it leads to may be a file of another place, or one that others commit.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mbp.errors import PostError
from mbp.files import read_if_there, write_atomic
from mbp.git.blocks import has_block, with_block, without_block
from mbp.git.calls import Repository

ATTRIBUTES = (
    "*.mbp.yaml text eol=lf diff=mbp merge=mbp",
    "*.mbp-fork.yaml text eol=lf",
)
HOOKS = ("pre-commit", "pre-merge-commit")
SHEBANG = "#!/bin/sh\n"
SHELLS = ("sh", "bash", "dash", "ksh", "zsh")
CACHE = "refs/notes/textconv/mbp"  # where git keeps the sentences of old states
ELSEWHERE = "your hooks are kept elsewhere (core.hooksPath, or a link)"


@dataclass(frozen=True)
class Word:
    """What people should know, and a line that they may want to copy."""

    text: str
    line: str = ""


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

    @property
    def check(self) -> str:
        """The line that a hook has to have."""
        return f"{self.command('staged')} || exit 1"

    def block(self, hook: str) -> tuple[str, ...]:
        """The lines of a hook. Most commits have no game file: then no Python is started.

        In a merge nothing need be staged that is not in HEAD, and yet the other side can be lost.
        """
        if hook != "pre-commit":
            return (self.check,)
        return (
            "mbp_files=$(git diff --cached --name-only --no-renames) || mbp_files=.mbp.yaml",
            "git rev-parse --quiet --verify MERGE_HEAD >/dev/null && mbp_files=.mbp.yaml",
            f"case $mbp_files in *.mbp.yaml*) {self.check} ;; esac",
        )


def set_up(repository: Repository, wiring: Wiring) -> tuple[Word, ...]:
    """Wires a repository; returns what people should know. Raises PostError, MbpError."""
    attributes = _working_tree(repository) / ".gitattributes"
    if attributes.is_symlink():
        raise PostError(
            f"{attributes} is a link, which git does not follow",
            hint="put a file in its place, and try again",
        )
    _write(attributes, with_block(_text_of(attributes), ATTRIBUTES))
    for name, value in wiring.settings.items():
        repository.run("config", "--local", name, value)
    folder = _hooks_folder(repository)
    if folder.is_symlink() or _is_elsewhere(repository):
        return (Word(f"{ELSEWHERE}: put this line into {' and '.join(HOOKS)}:", wiring.check),)
    return tuple(said for hook in HOOKS for said in _write_hook(folder / hook, wiring))


def remove(repository: Repository) -> tuple[Word, ...]:
    """Takes out what `set_up` put in; returns what people should know. Raises PostError."""
    said = [*_remove_attributes(repository, _working_tree(repository) / ".gitattributes")]
    for section in ("diff.mbp", "merge.mbp"):
        repository.ask("config", "--local", "--remove-section", section)  # it may not be there
    repository.ask("update-ref", "-d", CACHE)
    folder = _hooks_folder(repository)
    for hook in HOOKS:
        path = folder / hook
        text = None if folder.is_symlink() or path.is_symlink() else _text_of(path)
        if text is not None:
            _write(path, without_block(text, bare=SHEBANG))
    if folder.is_symlink() or _is_elsewhere(repository):
        said.append(Word(f"{ELSEWHERE}: take the line with mbp out of them yourself"))
    return tuple(said)


def _remove_attributes(repository: Repository, path: Path) -> Iterator[Word]:
    text = None if path.is_symlink() else _text_of(path)
    if text is None or not has_block(text):
        return
    left = without_block(text)
    _write(path, left)
    if repository.ask("ls-files", "--error-unmatch", "--", path.name).code == 0:
        done = "is changed" if left is not None else "had nothing else in it and is deleted"
        yield Word(f".gitattributes {done}: commit that, if it is for all clones")


def _working_tree(repository: Repository) -> Path:
    if repository.bare:
        raise PostError(
            f"{repository.root} is a bare repository: nobody edits files there",
            hint="set up each clone; on the server run mbp audit --since",
        )
    return repository.root


def _hooks_folder(repository: Repository) -> Path:
    """The repository's own folder of hooks, whether git uses it or another one."""
    told = repository.run("rev-parse", "--git-common-dir").decode("utf-8", "surrogateescape")
    return repository.root / told.removesuffix("\n") / "hooks"


def _is_elsewhere(repository: Repository) -> bool:
    return bool(repository.ask("config", "core.hooksPath").text)


def _write_hook(path: Path, wiring: Wiring) -> Iterator[Word]:
    """Puts the check right behind the first line: what a hook ends with may never return."""
    text = _text_of(path)
    if path.is_symlink():
        trouble = "is a link"
    elif text is not None and not _is_shell(text):
        trouble = "is no shell script"
    elif text is not None and not path.stat().st_mode & 0o111:
        trouble = "is not executable, so that git does not run it"
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        block = wiring.block(path.name)
        _write(path, with_block(text, block, bare=SHEBANG, behind_first=True))
        if text is None:
            mode = path.stat().st_mode
            path.chmod(mode | (mode & 0o444) >> 2)  # for all who may read it
        return
    yield Word(f"{path} {trouble}: it stays as it is; call this in it:", wiring.check)


def _is_shell(text: str) -> bool:
    """Whether the first line names a shell, by its path or by way of env, with options or not."""
    first = text.partition("\n")[0]
    words = [word for word in first.removeprefix("#!").split() if not word.startswith("-")]
    names = [Path(word).name for word in words if Path(word).name != "env"]
    return first.startswith("#!") and bool(names) and names[0] in SHELLS


def _text_of(path: Path) -> str | None:
    data = read_if_there(path)
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _write(path: Path, text: str | None) -> None:
    """Makes the file hold this text, None: takes it away; what is so already is not touched."""
    if text is None:
        path.unlink(missing_ok=True)
    elif text != _text_of(path):
        write_atomic(path, text.encode("utf-8", "surrogateescape"))
