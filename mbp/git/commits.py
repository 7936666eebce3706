"""Commits of one match file: a subject that people like, and trailers for programs."""

from __future__ import annotations

from pathlib import Path

from mbp.errors import PostError
from mbp.git.calls import Repository
from mbp.match import Match


def message(match: Match, players: str) -> str:
    """The commit's message; `players` is what a file name calls them (`alice-bob`).

    Subject: `mbp: alice-bob 1a2b3c4d #17 mountain 2 red`. Nothing in it is a player's free text.
    """
    entry = match.log[-1]
    subject = f"mbp: {players} {match.id[:8]} #{entry.seq} {entry.act}"
    trailers = {"Mbp-Game": match.id, "Mbp-Seq": entry.seq, "Mbp-Head": entry.id}
    return "\n".join([subject, "", *(f"{name}: {text}" for name, text in trailers.items()), ""])


def commit_file(repository: Repository, path: Path, text: str) -> bool:
    """Commits this one file as it is; whatever else is staged stays staged.

    False where the newest commit has it already. Raises PostError.
    """
    inside = f":(top,literal){repository.path_in(path)}"
    if not path.is_file():
        raise PostError(f"there is no file {path}")
    repository.run("add", "--", inside)
    if repository.ask("rev-parse", "--verify", "--quiet", "HEAD").code == 0:
        same = repository.ask("diff", "--cached", "--quiet", "HEAD", "--", inside)
        if same.code == 0:
            return False
    repository.run("commit", "--quiet", "--only", "-F", "-", "--", inside, given=text.encode())
    return True
