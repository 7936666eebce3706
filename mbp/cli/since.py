"""`mbp audit --since REV`: what became of the match files of a repository since a commit.

For a server or CI: every changed match is audited as a stranger does, from its first entry on, and
must have only grown; new, removed and rewritten ones are named. The cost follows what changed.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from mbp.audit import Finding, Report, examine, unread
from mbp.cli.session import Session
from mbp.cli.workers import undisturbed
from mbp.errors import PostError
from mbp.files import is_folder
from mbp.git import Change, Repository, find_repository
from mbp.git.blobs import Blobs
from mbp.git.following import Fate, Seen, fates
from mbp.git.revisions import Row, rows_between, tree_of
from mbp.git.siblings import other_history, siblings
from mbp.match import Match

CHAIN = 2  # the check of protocol 11 that a changed past fails


def since_reports(
    session: Session, since: str, paths: Sequence[str]
) -> tuple[int, Generator[Report, None, None]]:
    """How many match files changed, and a report for each, one by one.

    `since` is a commit, or OLD..NEW, where OLD may be a tree. `paths` are folders or files of one
    repository that alone count. Raises PostError.
    """
    repository = _repository(session.path(paths[0]), session.terminal.environ)
    under = [_name(repository, session, text) for text in paths]
    old, _, new = since.partition("..")
    new = new.lstrip(".") or "HEAD"
    rows = rows_between(repository, old, new, under)
    reports = _reports(repository, rows, tree_of(repository, new))
    return len(rows), _with_bar(session, len(rows), reports)


def _with_bar(
    session: Session, total: int, reports: Iterator[Report]
) -> Generator[Report, None, None]:
    """The reports, with a progress bar meanwhile."""
    with ExitStack() as stack:
        with undisturbed():  # the bar is a thread
            step = stack.enter_context(session.terminal.progress("auditing", total))
        for report in reports:
            yield report
            step()


def _repository(place: Path, environ: Mapping[str, str]) -> Repository:
    """The repository that a path lies in.

    A link in a repository is whoever's can push there: it does not lead to another repository.
    """
    place = Path(os.path.normpath(place))
    for above in (*reversed(place.parents), place):
        if above.is_symlink():
            try:
                return find_repository(above.parent, environ)
            except PostError:  # a link of the user's own, on the way to a repository
                return _repository(above.resolve() / place.relative_to(above), environ)
    while not is_folder(place) and place != place.parent:
        place = place.parent
    return find_repository(place, environ)


def _name(repository: Repository, session: Session, text: str) -> str:
    """What a path is called in the repository. A bare one has no folders to stand in."""
    here = Path(os.path.realpath(session.cwd))
    if repository.bare and here.is_relative_to(os.path.realpath(repository.root)):
        return Path(os.path.normpath(text)).as_posix()
    return repository.name_in(session.path(text))


def _reports(repository: Repository, rows: Sequence[Row], tree: str) -> Iterator[Report]:
    with Blobs(repository.root, repository.environ) as blobs:
        near = siblings(repository, tree, rows, blobs.read)

        def look(path: str, blob: str) -> Seen[Report]:
            seen = _examined(path, blob, blobs)
            others = [one for one in near.get(seen.told.id or "", ()) if one != path]
            if seen.match is None or not others:
                return seen
            beside = other_history(seen.match.log, others, tree, blobs.read)
            return replace(seen, told=replace(seen.told, beside=beside))

        for fate in fates(rows, blobs.read, look):
            yield _report(fate)


def _examined(path: str, blob: str, blobs: Blobs) -> Seen[Report]:
    """Audits a new state; one that cannot be read fails check 1."""
    try:
        found = examine(path, blobs.read(blob))
    except PostError as failure:
        return Seen(None, False, unread(path, str(failure)))
    report = found.report
    match: Match | None = found.match if report.ok and not report.evidence else None
    return Seen(match, report.ok, report)


def _report(fate: Fate[Report]) -> Report:
    change = fate.change
    if fate.told is None:
        report = Report(fate.path, False, None, fate.game_id or None, None, None, ())
    else:
        report = replace(fate.told, beside=fate.told.beside * (fate.word == "new"))
    if change.refused and change.kind != "damaged":
        report = replace(report, ok=False, findings=(*report.findings, _finding(change)))
    return replace(report, change=fate.word)


def _finding(change: Change) -> Finding:
    return Finding(CHAIN, change.seq, change.author, change.reason)
