"""What an audit makes of a source: the work that goes to other processes. Prints nothing."""

from __future__ import annotations

from mbp.audit import Examined, Report, examine, unread
from mbp.cli.packed import packed_by
from mbp.cli.sources import Source
from mbp.errors import MbpError


def examined_source(source: Source) -> tuple[Examined, bytes | None]:
    """The source as an audit finds it, and its bytes; None where they cannot be had (check 1)."""
    try:
        data = source.read()
    except MbpError as failure:
        return Examined(unread(source.name, str(failure)), None), None
    found = examine(source.name, data)
    if found.report.id is None and (oddity := _oddity(data)):
        reason = f"{oddity}: {found.report.findings[0].reason}"
        return Examined(unread(source.name, reason), None), data
    return found, data


def audited(source: Source) -> Report:
    """The report on a source."""
    return examined_source(source)[0].report


def _oddity(data: bytes) -> str:
    """What bytes are that are no game file, empty where they could be meant as one."""
    if not data.strip():
        return "the file is empty"
    if kind := packed_by(data):
        return f"this is packed by {kind}, unpack it first"
    return "" if b"mbp" in data else "this is no game file"
