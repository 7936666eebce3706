"""`mbp audit`: verifies any number of files, as a stranger without any key (protocol 11)."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from textwrap import indent
from typing import Annotated, Any

import typer

from mbp.audit import Report
from mbp.cli import junit
from mbp.cli.archive import count_of, each
from mbp.cli.boundary import INTERRUPTED, UNEXPECTED
from mbp.cli.commands import number
from mbp.cli.examining import audited
from mbp.cli.session import Session, session_of
from mbp.cli.tally import Tally, report_line, report_lines
from mbp.cli.terminal import Terminal, to_json
from mbp.cli.workers import undisturbed
from mbp.desk.shelf import ENDING
from mbp.errors import MbpError
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
    _refuse_idle(since, cluster, asked)
    target = None if junit_file is None else session.path(junit_file)
    if target is not None:
        junit.check_target(target)
    if since:
        total, reports = _changed_since(session, since, paths or ["."])
    elif paths:
        total = count_of(session, paths)
        reports = each(
            session, "auditing", audited, paths, total=total, jobs=asked, cluster=cluster
        )
    else:
        raise typer.BadParameter("name files or folders, or --since REV")
    told = _Told(session.terminal, as_json, total <= FEW, target is not None)
    stopped = _tell_all(reports, told)
    if isinstance(stopped, MbpError) and not told.tally.rows:
        raise stopped
    told.end(total, stopped is not None)
    _leave(told, stopped, target)


def _refuse_idle(since: str, cluster: str, jobs: int | None) -> None:
    """Raises BadParameter for options that would do nothing beside each other."""
    if cluster and jobs is not None:
        raise typer.BadParameter("its workers do the work: no --jobs", param_hint="--cluster")
    if since and (cluster or jobs is not None):
        other = "--cluster" if cluster else "--jobs"
        raise typer.BadParameter(f"one process does that: no {other}", param_hint="--since")


def _changed_since(
    session: Session, since: str, paths: list[str]
) -> tuple[int, Generator[Report, None, None]]:
    """How many reports there are on what changed, and they."""
    from mbp.cli.since import since_reports

    total, reports = since_reports(session, since, paths)
    if not total:
        session.terminal.say(f"no match has changed since {since}")
    return total, reports


def _tell_all(
    reports: Generator[Report, None, None], told: _Told
) -> KeyboardInterrupt | MbpError | None:
    """Tells each report when it comes; returns what ended it before the last, if anything did."""
    try:
        with closing(reports):
            for report in reports:
                with undisturbed():  # whatever is told is counted
                    told.tell(report)
    except (KeyboardInterrupt, MbpError) as stopped:
        return stopped
    return None


def _leave(told: _Told, stopped: BaseException | None, target: Path | None) -> None:
    """Writes the report for CI, and raises what gives the exit code."""
    code = FAILED if told.tally.checks - {1} else DAMAGED if told.tally.checks else 0
    if target is not None:
        try:
            junit.write(target, told.cases)
        except MbpError as failure:  # the disk is full, say; what was found still counts
            told.terminal.say(f"mbp: {failure}")
            code = code or UNEXPECTED
    if isinstance(stopped, MbpError):
        raise stopped
    if stopped is not None:
        raise typer.Exit(INTERRUPTED)
    if code:
        raise typer.Exit(code)


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
        if self.as_json:
            text = indent(to_json(report_tree(report)), "  ")
            self.terminal.stdout.write(f"{',' if self.tally.rows else '['}\n{text}")
        elif self.at_length:
            self.waiting.append(report)  # few; the progress bar would stand between them
        elif not report.ok or report.evidence:
            self.terminal.put_lines([report_line(report)])
            self.terminal.stdout.flush()
        if self.for_junit:
            self.cases.append(junit.case(report))
        self.tally.add(report)

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
        if not self.at_length and done:
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
        **({"second_history_of": report.beside} if report.beside else {}),
    }
