"""Two records <-> one evidence file: both histories of a match, whole, for anyone to verify.

The bytes are a line that says so, a game file, the line `---`, and the other game file: a YAML
stream of two documents. Whoever cuts it at that line has two game files of protocol 10.
"""

from __future__ import annotations

import re

from mbp.chain import Record
from mbp.errors import FormatError
from mbp.gamefile.reader import read_tree
from mbp.gamefile.record import parse_record
from mbp.gamefile.writer import write_record

HEAD = b"# mbp evidence: two histories of one match, one after the other\n"
# In a game file this line cannot stand: YAML ends the document there.
CUT = re.compile(rb"\r?\n---\r?\n")


def is_evidence(data: bytes) -> bool:
    """Whether the bytes say that they are an evidence file."""
    return data.startswith(HEAD.split(b":")[0])


def dump_evidence(first: Record, second: Record) -> bytes:
    """The bytes of an evidence file, the same for the same two records."""
    return HEAD + write_record(first) + b"---\n" + write_record(second)


def load_evidence(data: bytes) -> tuple[Record, Record]:
    """The two records that an evidence file claims. Raises FormatError."""
    parts = CUT.split(data)
    if len(parts) != 2:
        raise FormatError(f"an evidence file holds two game files, not {len(parts)}")
    first, second = (parse_record(read_tree(part)) for part in parts)
    return first, second
