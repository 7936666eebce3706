"""Audits what a source holds, whatever is made of it then: a report, facts, a page."""

from __future__ import annotations

from mbp.audit import Examined, examine, unread
from mbp.cli.sources import Source
from mbp.errors import MbpError
from mbp.report.facts import Facts, facts_of


def examined_source(source: Source) -> tuple[Examined, bytes | None]:
    """The source as an audit finds it, and its bytes; None where they cannot be had (check 1)."""
    try:
        data = source.read()
    except MbpError as failure:
        return Examined(unread(source.name, str(failure)), None), None
    return examine(source.name, data), data


def facts_of_source(source: Source) -> Facts:
    """What tables need of a source."""
    return facts_of(*examined_source(source))
