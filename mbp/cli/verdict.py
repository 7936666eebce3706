"""`mbp audit`: verifies files and folders, as a stranger without any key (protocol 11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from mbp.audit import Finding, Report, audit
from mbp.cli.commands import number
from mbp.cli.session import Session, session_of
from mbp.cli.terminal import clean, to_json, wrapped
from mbp.cli.trees import outcome_tree
from mbp.desk.shelf import ENDING, read_bytes
from mbp.errors import MbpError, NoSuchGameError
from mbp.rules.contract import Line, Outcome, Span

DAMAGED, FAILED = 3, 4  # exits; 4 beats 3
MOST_JOBS = 64


def audit_files(
    ctx: typer.Context,
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help=f"Files, or folders of *{ENDING}.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    jobs: Annotated[str, typer.Option(metavar="N", help="Processes at work at once.")] = "1",
) -> None:
    """Verify game files; no key is needed, and none is used.

    Of a file that does not hold, the first bad entry is named, its author, and the check.
    """
    session, processes = session_of(ctx), number(jobs, "--jobs", 1, MOST_JOBS)
    files = [found for text in paths for found in _files(session.path(text))]
    if not files:
        raise NoSuchGameError(f"no file *{ENDING} in {', '.join(paths)}", hint="name the file")
    named = [(session.shown(path), path) for path in dict.fromkeys(files)]
    reports = []
    with session.terminal.progress("auditing", len(named)) as step:
        for report in _reports(named, processes):
            reports.append(report)
            step()
    if as_json:
        session.terminal.put(to_json([report_tree(report) for report in reports]))
    else:
        _print(session, reports)
    checks = {finding.check for report in reports for finding in report.findings}
    if checks:
        raise typer.Exit(FAILED if checks - {1} else DAMAGED)


def _files(path: Path) -> Iterator[Path]:
    """A file, or all game files in a folder and those below, in order."""
    if not path.is_dir():
        yield path
        return
    yield from sorted(found for found in path.rglob(f"*{ENDING}") if found.is_file())


def _reports(named: Sequence[tuple[str, Path]], jobs: int) -> Iterable[Report]:
    """The reports in the order of the files."""
    if jobs == 1 or len(named) == 1:
        yield from map(audit_path, named)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(min(jobs, len(named))) as pool:
        yield from pool.map(audit_path, named)


def audit_path(named: tuple[str, Path]) -> Report:
    """Audits one file by its shown name and path; one that cannot be read fails check 1."""
    name, path = named
    try:
        data = read_bytes(path)
    except MbpError as failure:
        return Report(name, False, None, None, None, None, (Finding(1, None, None, str(failure)),))
    return audit(name, data)


def report_tree(report: Report) -> dict[str, Any]:
    """A report for programs (commands.md)."""
    return {
        "file": report.file,
        "ok": report.ok,
        "game": report.game,
        "id": report.id,
        "entries": report.entries,
        "outcome": outcome_tree(report.outcome),
        "findings": [
            {
                "check": finding.check,
                "seq": finding.seq,
                "author": finding.author,
                "reason": finding.reason,
            }
            for finding in report.findings
        ],
    }


def _print(session: Session, reports: Sequence[Report]) -> None:
    width = session.terminal.width
    for report in reports:
        mark = Span("ok     " if report.ok else "FAILED ", style="" if report.ok else "bold")
        lines: list[Line] = [(mark, Span(clean(report.file)))]
        texts = [_about(report)] if report.game else []
        texts += [_finding(finding) for finding in report.findings]
        for text in texts:
            lines += [(Span(one),) for one in wrapped(clean(text), width, " " * 7, " " * 7)]
        session.terminal.put_lines(lines)
    if len(reports) > 1:
        good = sum(report.ok for report in reports)
        session.terminal.put(f"{good} of {len(reports)} hold")


def _about(report: Report) -> str:
    """Which match it is, how it ended, and what a chain alone cannot prove."""
    entries = "1 entry" if report.entries == 1 else f"{report.entries} entries"
    parts = [f"{report.game} {(report.id or '')[:8]}, {entries}"]
    if report.ok:
        parts.append(_ended(report.outcome) + (" (as claimed)" if report.claimed else ""))
    if report.disclosed:
        parts.append("cards disclosed by " + " and ".join(report.disclosed))
    parts += [f"settled: {text}" for text in report.settled]
    return ", ".join(parts)


def _ended(outcome: Outcome | None) -> str:
    if outcome is None:
        return "open"
    if outcome.termination == "abort":
        return "no result (abort)"
    score = ":".join(map(str, outcome.scores))
    winner = f"{outcome.winner} wins" if outcome.winner else "draw"
    return f"{winner} {score} ({outcome.termination})"


def _finding(finding: Finding) -> str:
    place = "" if finding.seq is None else f"entry {finding.seq}"
    if finding.author:
        place += f" by {finding.author}"
    return f"{place}{': ' if place else ''}{finding.reason} (check {finding.check})"
