"""An audit as a JUnit XML report, which CI systems show: a case a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

from mbp.audit import Report
from mbp.cli.tally import finding_text
from mbp.cli.terminal import clean
from mbp.errors import MbpError
from mbp.files import read_start, write_atomic

START = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="mbp audit"'


def case(report: Report) -> str:
    """The element of one file."""
    name = _quoted(report.file)
    group = _quoted(report.game or "unreadable")
    if report.ok:
        return f"<testcase classname={group} name={name}/>"
    failures = "".join(
        f'<failure type="check {finding.check}" message={_quoted(finding_text(finding))}/>'
        for finding in report.findings
    )
    return f"<testcase classname={group} name={name}>{failures}</testcase>"


def check_target(path: Path) -> None:
    """Raises MbpError where a report could not be written: known before the long work."""
    there = read_start(path, len(START))
    if there and there != START.encode():
        raise MbpError(f"{path} is no report of mbp, and stays as it is", hint="name another file")
    if not os.access(path if there else path.parent, os.W_OK):
        raise MbpError(f"cannot write {path}", hint=f"check who may use {path} and its folder")


def write(path: Path, cases: Sequence[str]) -> None:
    """Writes the report; an earlier one is replaced, any other file stays. Raises MbpError."""
    check_target(path)
    failed = sum("<failure" in one for one in cases)
    counts = f'tests="{len(cases)}" failures="{failed}" errors="0" skipped="0"'
    lines = (
        f"{START} {counts}>",
        f'<testsuite name="mbp audit" {counts}>',
        *cases,
        "</testsuite>",
        "</testsuites>",
        "",
    )
    write_atomic(path, "\n".join(lines).encode("utf-8"))


def _quoted(text: str) -> str:
    """An attribute's value; what XML cannot hold at all is shown as U+FFFD."""
    kept = "".join("\ufffd" if ord(one) & 0xFFFE == 0xFFFE else one for one in clean(text))
    return f'"{escape(kept)}"'
