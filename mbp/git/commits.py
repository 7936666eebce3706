"""Commits of one match file: a subject that people like, and trailers for programs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from mbp.chain import Record
from mbp.errors import MbpError, PostError
from mbp.git.blobs import Blobs
from mbp.git.calls import Repository
from mbp.git.growth import SEATS
from mbp.git.trust import load
from mbp.match import Match

# What can be going on in a repository: by what git keeps of it, and how it is finished.
GOING_ON = {
    "MERGE_HEAD": ("a merge", "git commit"),
    "CHERRY_PICK_HEAD": ("a cherry-pick", "git cherry-pick --continue"),
    "REVERT_HEAD": ("a revert", "git revert --continue"),
}


def message(match: Match, players: str, before: Record | None = None) -> str:
    """The commit's message; `players` is what a file name calls them (`alice-bob`).

    Subject: `mbp: alice-bob 1a2b3c4d #17 mountain 2 red`; what has come beside the log since
    `before` has words of its own. Nothing in it is a player's free text.
    """
    entry = match.log[-1]
    subject = f"mbp: {players} {match.id[:8]} #{entry.seq} {', '.join(_news(match, before))}"
    trailers = {"Mbp-Game": match.id, "Mbp-Seq": entry.seq, "Mbp-Head": entry.id}
    return "\n".join([subject, "", *(f"{name}: {text}" for name, text in trailers.items()), ""])


def _news(match: Match, before: Record | None) -> Iterator[str]:
    """What is new since an earlier state of the file: the newest entry, what stands beside it."""
    old = before if before is not None and before.game_id == match.id else Record(())
    beside = [
        f"cards disclosed by {s}" for s in SEATS if s in match.disclosed.keys() - old.disclosed
    ]
    for seat in SEATS:
        if any(item["by"] == seat and item not in old.settled for item in match.settled):
            beside.append(f"settled by {seat}")
    if not beside or not old.log or old.log[-1].id != match.log[-1].id:
        yield match.log[-1].act
    yield from beside


def committed(repository: Repository, path: Path) -> Record | None:
    """The file as the newest commit has it; None where that has no such match."""
    with Blobs(repository.root, repository.environ) as blobs:
        try:
            return load(blobs.read(f"HEAD:{repository.path_in(path)}"))
        except MbpError:
            return None


def commit_file(repository: Repository, path: Path, data: bytes, text: str) -> bool:
    """Commits this one file, which has these bytes; whatever else is staged stays staged.

    False where the newest commit has it already. The index stays as it was where nothing is
    committed. Raises PostError.
    """
    inside = repository.path_in(path)
    spec = f":(top,literal){inside}"
    blob = repository.run("hash-object", "--stdin", f"--path={inside}", given=data).strip()
    if repository.ask("rev-parse", "--verify", "--quiet", f"HEAD:{inside}").output.strip() == blob:
        return False
    known = repository.ask("ls-files", "--error-unmatch", "--", spec).code == 0
    if not known:
        repository.run("add", "--intent-to-add", "--", spec)
    try:
        repository.run("commit", "--quiet", "--only", "-F", "-", "--", spec, given=text.encode())
    except PostError:
        if not known:
            repository.ask("rm", "--quiet", "--cached", "--", spec)
        raise
    return True


def refuse_unfinished(repository: Repository, path: Path) -> None:
    """Raises PostError while a merge or the like goes on: to commit a file then would settle it."""
    inside = repository.path_in(path)
    name = shlex.quote(inside)
    if repository.run("ls-files", "--unmerged", "-z", "--", f":(top,literal){inside}"):
        raise PostError(
            f"{inside} is in conflict: git has two versions of it",
            hint=f"mbp fork shows it, mbp settle ends it; then git add {name}, and git commit",
        )
    for what, (named, finish) in GOING_ON.items():
        if (repository.folder / what).exists():
            raise PostError(f"{named} is going on", hint=f"git add {name}, then {finish}")
