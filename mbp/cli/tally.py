"""What an audit of many files comes to: counts by game, and reports in words. Prints nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from mbp.audit import Finding, Report
from mbp.cli.terminal import clean, columns, wrapped
from mbp.report.escape import plain
from mbp.report.story import ending
from mbp.rules.contract import SEATS, Line, Span

HEAD = ("game", "files", "hold", "failed", "over", "open", "entries")
UNREADABLE, EVIDENCE = "unreadable", "evidence"


@dataclass
class Tally:
    """Counts of reports; nothing of a report itself is kept."""

    rows: dict[str, dict[str, int]] = field(default_factory=dict)
    checks: set[int] = field(default_factory=set)

    def add(self, report: Report) -> None:
        """Counts one more report."""
        kind = EVIDENCE if report.evidence else report.game or UNREADABLE
        row = self.rows.setdefault(kind, dict.fromkeys(HEAD[1:], 0))
        row["files"] += 1
        row["hold" if report.ok else "failed"] += 1
        row["entries"] += report.entries or 0
        if report.ok and not report.evidence:
            row["over" if report.outcome else "open"] += 1
        self.checks |= {finding.check for finding in report.findings}

    def sum_of(self, name: str) -> int:
        """The sum of a column."""
        return sum(row[name] for row in self.rows.values())

    def table(self) -> list[Line]:
        """A line for each game, and one for all where there are several."""
        rows = [(game, *map(str, self.rows[game].values())) for game in sorted(self.rows)]
        if len(rows) > 1:
            rows.append(("all", *(str(self.sum_of(name)) for name in HEAD[1:])))
        return table_lines(HEAD, rows)


def table_lines(
    head: tuple[str, ...], rows: Iterable[tuple[str, ...]], texts: int = 1
) -> list[Line]:
    """A table: the first `texts` columns from the left, the others, numbers, from the right."""
    cells = [head, *rows]
    wide = [max(columns(row[place]) for row in cells) for place in range(len(head))]
    lines: list[Line] = []
    for row in cells:
        parts = []
        for place, text in enumerate(row):
            gap = " " * (wide[place] - columns(text))
            parts.append(text + gap if place < texts else gap + text)
        lines.append((Span("  ".join(parts).rstrip(), style="" if lines else "bold"),))
    return lines


def report_lines(report: Report, width: int) -> list[Line]:
    """A report at length: the file, which match it is, what does not hold."""
    lines: list[Line] = [(_mark(report), Span(clean(report.file)))]
    texts = [_about(report)] if report.game else []
    texts += [finding_text(finding) for finding in report.findings]
    for text in texts:
        lines += [(Span(one),) for one in wrapped(clean(text), width, " " * 7, " " * 7)]
    return lines


def report_line(report: Report) -> Line:
    """A report in one line: what does not hold, or what an evidence file proves."""
    why = "; ".join(finding_text(finding) for finding in report.findings)
    text = why or f"evidence holds: {report.evidence}"
    return _mark(report), Span(clean(f"{report.file}: {text}"))


def _mark(report: Report) -> Span:
    return Span("ok     " if report.ok else "FAILED ", style="" if report.ok else "bold")


def _about(report: Report) -> str:
    """Which match it is, how it ended, and what a chain alone cannot prove."""
    entries = "1 entry" if report.entries == 1 else f"{report.entries} entries"
    parts = [f"{report.change}: " * bool(report.change)]
    parts[0] += f"{report.game} {(report.id or '')[:8]}, {entries}"
    if report.beside:
        parts.append(f"second history of {report.beside}")
    if report.evidence:
        parts.append(f"evidence holds: {report.evidence}")
    elif report.ok:
        parts.append(_ended(report))
    if report.disclosed:
        parts.append("cards disclosed by " + " and ".join(report.disclosed))
    for drop in dict.fromkeys(one.drop for one in report.settled):
        by = " and ".join(sorted({one.by for one in report.settled if one.drop == drop}))
        parts.append(f"settled: {by} dropped {drop[:8]}")
    return ", ".join(parts)


def _ended(report: Report) -> str:
    if report.outcome is None:
        return "open"
    names = {seat: plain(name) for seat, name in zip(SEATS, report.names, strict=False)}
    return ending(names, report.outcome, report.outcome.scores, claimed=report.claimed)


def finding_text(finding: Finding) -> str:
    """What does not hold, where, and whose it is."""
    place = "" if finding.seq is None else f"entry {finding.seq}"
    if finding.author:
        place += f" by {finding.author}"
    return f"{place}{': ' if place else ''}{finding.reason} (check {finding.check})"
