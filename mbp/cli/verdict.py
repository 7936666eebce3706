"""`mbp audit`: verifies any number of files, as a stranger without any key (protocol 11)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from textwrap import indent
from typing import Annotated, Any

import typer

from mbp.audit import Report, audit, unread
from mbp.cli import junit
from mbp.cli.boundary import INTERRUPTED
from mbp.cli.commands import number
from mbp.cli.session import Session, session_of
from mbp.cli.sources import Place, Source, count_sources, find_sources
from mbp.cli.tally import Tally, failure_line, report_lines
from mbp.cli.terminal import Terminal, to_json
from mbp.cli.workers import jobs_for, run
from mbp.desk.shelf import ENDING
from mbp.errors import MbpError, NoSuchGameError
from mbp.report.trees import finding_tree, outcome_tree

DAMAGED, FAILED = 3, 4  # exits; 4 beats 3
MOST_JOBS = 64
FEW = 20  # files that are told at length

PATHS = typer.Argument(
    metavar="PATH...", help=f"Files, folders, globs, tar, zip, REV:PATH of *{ENDING}."
)
JOBS = typer.Option(metavar="N", help="Processes at work at once.", show_default="all cores")
SINCE = typer.Option(metavar="REV", help="Only what changed in git since REV, or OLD..NEW.")
CLUSTER = typer.Option(metavar="ADDRESS", help="Work on this Dask scheduler's workers.")


def audit_files(
    ctx: typer.Context,
    paths: Annotated[list[str] | None, PATHS] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    jobs: Annotated[str | None, JOBS] = None,
    junit_file: Annotated[
        str | None, typer.Option("--junit", metavar="FILE", help="A report for CI as well.")
    ] = None,
    cluster: Annotated[str, CLUSTER] = "",
    since: Annotated[str, SINCE] = "",
) -> None:
    """Verify game files; no key is needed, and none is used.

    Of a file that does not hold, the first bad entry is named, its author, and the check. With
    --since, each match that changed must only have grown; PATH is then a git repository.
    """
    session = session_of(ctx)
    asked = None if jobs is None else number(jobs, "--jobs", 1, MOST_JOBS)
    if cluster and asked is not None:
        raise typer.BadParameter("its workers do the work: no --jobs", param_hint="--cluster")
    if since:
        total, reports = _changed_since(session, since, paths or ["."])
    elif paths:
        place = Place(session.cwd, session.shown)
        total = count_of(session, paths, place)
        sources = find_sources(paths, place)
        reports = run(audit_source, sources, jobs_for(total, asked), cluster)
    else:
        raise typer.BadParameter("name files or folders, or --since REV")
    told = _Told(session.terminal, as_json, total <= FEW, junit_file is not None)
    stopped = _tell_all(session, reports, total, told)
    told.end(total, stopped)
    if junit_file is not None:
        junit.write(session.path(junit_file), told.cases)
    if stopped:
        raise typer.Exit(INTERRUPTED)
    if told.tally.checks:
        raise typer.Exit(FAILED if told.tally.checks - {1} else DAMAGED)


def _changed_since(session: Session, since: str, paths: list[str]) -> tuple[int, Iterable[Report]]:
    """The reports on what changed, and how many there are."""
    from mbp.cli.since import since_reports

    reports = since_reports(session, since, paths)
    if not reports:
        session.terminal.say(f"no match has changed since {since}")
    return len(reports), reports


def count_of(session: Session, paths: list[str], place: Place) -> int:
    """How many files PATHs name. Raises NoSuchGameError where there is none."""
    total = count_sources(paths, place)
    if not total:
        raise NoSuchGameError(f"no file *{ENDING} in {', '.join(paths)}", hint="name the file")
    return total


def audit_source(source: Source) -> Report:
    """Audits one file; one that cannot be read fails check 1."""
    try:
        data = source.read()
    except MbpError as failure:
        return unread(source.name, str(failure))
    return audit(source.name, data)


def _tell_all(session: Session, reports: Iterable[Report], total: int, told: _Told) -> bool:
    """Tells each report when it comes; returns whether Ctrl-C ended it before the last."""
    try:
        with session.terminal.progress("auditing", total) as step:
            for report in reports:
                told.tell(report)
                step()
    except KeyboardInterrupt:
        return True
    return False


@dataclass
class _Told:
    """What has been told so far: counts, and nothing that grows but the cases for JUnit."""

    terminal: Terminal
    as_json: bool
    at_length: bool
    for_junit: bool
    tally: Tally = field(default_factory=Tally)
    cases: list[str] = field(default_factory=list)
    waiting: list[Report] = field(default_factory=list)

    def tell(self, report: Report) -> None:
        """Prints what there is to say of one report now."""
        first = not self.tally.rows
        self.tally.add(report)
        if self.for_junit:
            self.cases.append(junit.case(report))
        if self.as_json:
            text = indent(to_json(report_tree(report)), "  ")
            self.terminal.stdout.write(f"{'[' if first else ','}\n{text}")
        elif self.at_length:
            self.waiting.append(report)  # few; the progress bar would stand between them
        elif not report.ok:
            self.terminal.put_lines([failure_line(report)])
            self.terminal.stdout.flush()

    def end(self, total: int, stopped: bool) -> None:
        """Prints the end: the sum, and how far it went where it was stopped."""
        done, good = self.tally.sum_of("files"), self.tally.sum_of("hold")
        if stopped:
            self.terminal.say(f"mbp: stopped: {done} of {total} files are audited")
        if self.as_json:
            self.terminal.put("\n]" if done else "[]")
            return
        for report in self.waiting:
            self.terminal.put_lines(report_lines(report, self.terminal.width))
        if not self.at_length:
            self.terminal.put_lines(self.tally.table())
        if total > 1:
            self.terminal.put(f"{good} of {done} hold")


def report_tree(report: Report) -> dict[str, Any]:
    """A report for programs (commands.md)."""
    return {
        "file": report.file,
        "ok": report.ok,
        "game": report.game,
        "id": report.id,
        "entries": report.entries,
        "outcome": outcome_tree(report.outcome),
        "claimed": report.claimed,
        "disclosed": list(report.disclosed),
        "settled": [asdict(one) for one in report.settled],
        "findings": [finding_tree(finding) for finding in report.findings],
        **({"evidence": report.evidence} if report.evidence else {}),
        **({"change": report.change} if report.change else {}),
    }
