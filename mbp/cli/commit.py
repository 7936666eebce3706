"""`mbp commit`, and `mbp move --commit`: a match file into its git repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mbp.cli.session import Session, session_of
from mbp.desk.shelf import slug
from mbp.errors import PostError
from mbp.match import Match


def commit(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A path, game id, or opponent.")],
) -> None:
    """Commit a match as it is to its git repository; nothing else that is staged goes with it.

    The subject tells the newest entry; trailers name game, seq and head for programs.
    """
    session = session_of(ctx)
    opened = session.open(file)
    session.terminal.put(commit_match(session, opened.path, opened.match))


def commit_match(session: Session, path: Path, match: Match) -> str:
    """Commits a match that was verified: the subject. Raises PostError."""
    from mbp.git import commit_file, find_repository, message

    repository = find_repository(path, session.terminal.environ)
    text = message(match, players_slug(match))
    try:
        made = commit_file(repository, path, text)
    except PostError as failure:
        shown = session.shown(path)
        raise PostError(str(failure), hint=f"the file is kept; then: mbp commit {shown}") from None
    if not made:
        session.terminal.say("the newest commit has it already")
    return text.partition("\n")[0]


def players_slug(match: Match) -> str:
    """Both players as file names call them: `alice-bob`, before the guest has come `alice-open`."""
    names = [slug(player.name) for _, player in sorted(match.players.items())]
    return "-".join([*names, "open"][:2])
