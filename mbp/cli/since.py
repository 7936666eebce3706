"""`mbp audit --since REV`: what became of the match files of a repository since a commit.

For a server or CI: every changed match is audited as a stranger does, from its first entry on, and
must have only grown; new, removed and rewritten ones are named. The cost follows what changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mbp.audit import Finding, Report, examine
from mbp.cli.session import Session
from mbp.git import Change, Changed, changes_between, find_repository, growth
from mbp.git.staged import id_of, known_before

CHAIN = 2  # the check of protocol 11 that a changed past fails


def since_reports(session: Session, since: str, paths: Sequence[str]) -> list[Report]:
    """A report for each match file that changed; `since` is a commit, or OLD..NEW.

    `paths` are folders or files of one repository that alone count. Raises PostError.
    """
    places = [session.path(text) for text in paths]
    repository = find_repository(places[0], session.terminal.environ)
    under = [repository.path_in(place) for place in places]
    old, _, new = since.partition("..")
    changes = changes_between(repository, old, new.lstrip(".") or "HEAD", under)
    return list(_reports(changes))


def _reports(changes: Sequence[Changed]) -> Iterator[Report]:
    before, seen = known_before(changes), set()
    for change in changes:
        if change.new is not None:
            report = _changed(change, change.new, before)
            seen.add(report.id)
            yield report
    for change in changes:
        if change.new is None and change.old is not None:
            game_id = id_of(change.old) or None
            if game_id not in seen:
                yield _removed(change.path, game_id)


def _changed(change: Changed, new: bytes, before: dict[str, bytes]) -> Report:
    examined = examine(change.path, new)
    report, match = examined.report, examined.match
    old = change.old if change.old is not None else before.get(report.id or "")
    if old is None:
        return replace(report, change="new")
    if match is None or not report.ok:
        return replace(report, change="damaged")
    became = growth(old, match)
    if not became.refused:
        return replace(report, change="renamed" if change.old is None else became.kind)
    finding = _finding(became)
    return replace(report, ok=False, findings=(*report.findings, finding), change=became.kind)


def _finding(became: Change) -> Finding:
    return Finding(CHAIN, became.seq, became.author, became.reason)


def _removed(path: str, game_id: str | None) -> Report:
    finding = Finding(CHAIN, None, None, "the file was removed")
    return Report(path, False, None, game_id, None, None, (finding,), change="removed")
