"""Entries that came without a file (protocol 13): trees -> the log that they make.

Shapes only, as everywhere in this package: check 1 of protocol 11, for the whole log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mbp.chain import Entry
from mbp.gamefile.record import FILE_VERSION, parse_record


def parse_log(before: Sequence[Entry], trees: Sequence[Mapping[str, Any]]) -> tuple[Entry, ...]:
    """The entries `before`, which are known, and these behind them.

    Raises FormatError, UnsupportedVersionError as `load` does.
    """
    log = [*(entry.tree for entry in before), *trees]
    return parse_record({"mbp": FILE_VERSION, "log": log, "summary": {}}).log
