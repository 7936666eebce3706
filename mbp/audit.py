"""Checks every claim of a game file, without any key, and lists what does not hold.

Protocol 11: 1 for the whole file, 2 to 8 entry by entry up to the first failure, then the outcome
(9), which is derived and so cannot fail, and what stands beside the log (10).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mbp import gamefile
from mbp.chain import Record, compare
from mbp.errors import FormatError
from mbp.match import Match, replay_as_far
from mbp.match.sentences import histories
from mbp.rules.contract import Outcome, Seat

SUMMARY_CHECKED = ("A", "B", "entries", "pen", "score", "outcome", "termination")


@dataclass(frozen=True)
class Finding:
    """One claim that does not hold: `check` of protocol 11; seq and author None for the file."""

    check: int
    seq: int | None
    author: str | None
    reason: str


@dataclass(frozen=True)
class Settled:
    """A settlement that holds: whose it is, and the ids of both entries (protocol 9.6)."""

    by: str
    keep: str
    drop: str


@dataclass(frozen=True)
class Report:
    """What an audit of one file found; game and id are None where the file cannot be read."""

    file: str
    ok: bool
    game: str | None
    id: str | None
    entries: int | None
    outcome: Outcome | None
    findings: tuple[Finding, ...]
    settled: tuple[Settled, ...] = ()
    disclosed: tuple[Seat, ...] = ()
    claimed: bool = False  # ended by a claim, which a chain cannot prove (protocol 9.3)
    evidence: str = ""  # of an evidence file: what it proves, in words
    change: str = ""  # since another state of a repository: new, grown, rewritten, ...
    names: tuple[str, ...] = ()  # what A and, where there is one, B call themselves
    beside: str = ""  # of a new file: the file that has another history of its match


@dataclass(frozen=True)
class Examined:
    """A report with the match behind it: as far as it holds, None where nothing of it does.

    `second` is the other history of an evidence file that holds.
    """

    report: Report
    match: Match | None
    second: Match | None = None


def audit(name: str, data: bytes) -> Report:
    """Audits one game file, handed in as bytes; never raises for what the bytes are."""
    return examine(name, data).report


def unread(name: str, reason: str) -> Report:
    """The report of a file whose bytes could not be had."""
    return Report(name, False, None, None, None, None, (Finding(1, None, None, reason),))


def examine(name: str, data: bytes) -> Examined:
    """Audits as `audit` does, and keeps the match up to the first entry that does not hold."""
    if gamefile.is_evidence(data):
        return _examine_evidence(name, data)
    try:
        record = gamefile.load(data)
    except FormatError as error:
        finding = Finding(1, error.seq, None, str(error))
        return Examined(Report(name, False, None, None, None, None, (finding,)), None)
    return _examine_record(name, record)


def _examine_record(name: str, record: Record) -> Examined:
    """Checks 2 to 10."""
    game, count = record.log[0].tree["game"], len(record.log)
    match, fault = replay_as_far(record)
    if fault is not None:
        finding = Finding(fault.check, fault.seq, fault.author, fault.reason)
        report = Report(name, False, game, record.game_id, count, None, (finding,))
        return Examined(report, match if match.log else None)
    match, findings = _take_extras(match, record)
    report = Report(
        file=name,
        ok=not findings,
        game=game,
        id=match.id,
        entries=count,
        outcome=match.outcome,
        findings=tuple(findings),
        settled=tuple(Settled(item["by"], item["keep"], item["drop"]) for item in match.settled),
        disclosed=tuple(match.disclosed_secrets()),
        claimed=match.position.claimed,
        names=tuple(player.name for player in match.players.values()),
    )
    return Examined(report, match)


def _examine_evidence(name: str, data: bytes) -> Examined:
    """Audits both histories of an evidence file, and whether they are two (protocol 2.5)."""
    try:
        one, two = (_examine_record(name, record) for record in gamefile.load_evidence(data))
    except FormatError as error:
        return Examined(unread(name, str(error)), None)
    if one.match is None or two.match is None or not (one.report.ok and two.report.ok):
        findings = (*one.report.findings, *two.report.findings)
        return Examined(replace(one.report, ok=False, findings=findings), one.match)
    relation = compare(one.match.log, two.match.log)
    if relation.kind not in ("fork", "authors"):
        finding = Finding(2, relation.seq, None, f"no two histories: {relation.kind}")
        return Examined(replace(one.report, ok=False, findings=(finding,)), one.match)
    told = histories(one.match, relation)
    entries = max(len(one.match.log), len(two.match.log))
    report = replace(one.report, entries=entries, outcome=None, evidence=told)
    return Examined(report, one.match, two.match)


def _take_extras(match: Match, record: Record) -> tuple[Match, list[Finding]]:
    """Check 10 of each item beside the log."""
    findings = []
    match, reasons = match.with_extras(record)
    findings += [Finding(10, None, None, reason) for reason in reasons]
    findings += [Finding(10, None, None, reason) for reason in _disagreements(match, record)]
    return match, findings


def _disagreements(match: Match, record: Record) -> Iterator[str]:
    """Where the file's summary says something else than the match (protocol 10)."""
    true, claimed = match.summary, record.summary
    for name in SUMMARY_CHECKED:
        if true.get(name) != claimed.get(name):
            says, is_so = claimed.get(name, "nothing"), true.get(name, "nothing")
            yield f"the summary says {name} is {repr(says)[:60]}, the match {is_so!r}"
