"""`mbp commit`, and `mbp move --commit`: a match file into its git repository."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from mbp.chain import Record, compare
from mbp.cli.session import Session, session_of
from mbp.desk.shelf import check_game_file, load_game, read_bytes, slug
from mbp.errors import ForkError, PostError
from mbp.match import Match
from mbp.match.sentences import histories


def commit(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A path, game id, or opponent.")],
) -> None:
    """Commit a match as it is to its git repository; nothing else that is staged goes with it.

    The subject tells the newest entry; trailers name game, seq and head for programs. An older
    copy and a second history are not committed.
    """
    session = session_of(ctx)
    session.terminal.put(commit_match(session, session.find(file)))


def commit_match(session: Session, path: Path) -> str:
    """Commits a match as its file has it: the subject.

    Raises PostError, ForkError, and what opening a file raises.
    """
    from mbp.git import commit_file, committed, find_repository, message, refuse_unfinished

    data = read_bytes(path)
    check_game_file(path, data)
    match = _verified(session, path, load_game(data))
    repository = find_repository(path, session.terminal.environ)
    refuse_unfinished(repository, path)
    text = message(match, players_slug(match), committed(repository, path))
    try:
        made = commit_file(repository, path, data, text)
    except PostError as failure:
        again = f"the file is kept; then: mbp commit {shlex.quote(session.shown(path))}"
        raise PostError(str(failure), hint=again) from None
    if not made:
        session.terminal.say("the newest commit has it already")
    return text.partition("\n")[0]


def _verified(session: Session, path: Path, record: Record) -> Match:
    """The match in a file, once it is the newest state that this home knows.

    Raises VerificationError, ForkError, PostError.
    """
    from mbp.git.trust import trusted_by

    match, dropped = trusted_by(session.home, record.game_id).verify(record)
    for reason in dropped:
        session.terminal.say(f"does not hold: {reason}")
    memory = session.home.remembered(match.id)
    if memory is None:
        return match
    known = load_game(memory).log
    relation = compare(known, match.log)
    if relation.kind in ("fork", "authors"):
        told = histories(match, relation)
        name = shlex.quote(session.shown(path))
        raise ForkError(
            f"{session.shown(path)} is not the match that is known here: {told}",
            hint=f"see where they part: mbp fork {match.id[:8]} {name}",
        )
    if relation.kind == "newer" or relation.counts == "a":
        newest = session.home.facts(match.id).path or ""
        elsewhere = newest and Path(newest) != path.absolute()
        hint = f"the newest is {newest}" if elsewhere else "bring it up to date: mbp receive FILE"
        raise PostError(
            f"{session.shown(path)} is an older copy: it ends at entry {len(match.log) - 1}, and "
            f"entry {len(known) - 1} is known here",
            hint=hint,
        )
    return match


def players_slug(match: Match) -> str:
    """Both players as file names call them: `alice-bob`, before the guest has come `alice-open`."""
    names = [slug(player.name) for _, player in sorted(match.players.items())]
    return "-".join([*names, "open"][:2])
