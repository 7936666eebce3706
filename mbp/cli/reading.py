"""What tables need of a source: work that goes to other processes."""

from __future__ import annotations

from mbp.cli.examining import examined_source
from mbp.cli.sources import Source
from mbp.report.facts import Facts, facts_of


def facts_of_source(source: Source) -> Facts:
    """What tables need of a source."""
    return facts_of(*examined_source(source))
