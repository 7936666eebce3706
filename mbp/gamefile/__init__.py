"""THE format: bytes <-> `Record` (protocol 1, 10 and check 1 of protocol 11).

What `load` returns has the right shapes and is believed by nobody yet: this package can not verify.
Nothing else in mbp reads or writes YAML. `reader` makes a tree of strings of the bytes, `record` a
Record of the tree, `writer` bytes of a Record; `load(dump(record)) == record` for what `load`
returns. `evidence` puts two game files into one, where there are two histories; `entries` makes a
log of entries that came without a file.
"""

from __future__ import annotations

from mbp.chain import Record
from mbp.gamefile.entries import parse_log
from mbp.gamefile.evidence import dump_evidence, is_evidence, load_evidence
from mbp.gamefile.reader import MAX_SIZE, read_tree
from mbp.gamefile.record import parse_record
from mbp.gamefile.writer import write_dense, write_record

__all__ = [
    "MAX_SIZE",
    "dump",
    "dump_evidence",
    "is_evidence",
    "load",
    "load_evidence",
    "parse_log",
]


def load(data: bytes) -> Record:
    """The record that the bytes of a game file claim.

    Raises FormatError with the place in `path` and, inside an entry, its place in the log in `seq`;
    UnsupportedVersionError where the file, the game or its rules are of another version.
    """
    return parse_record(read_tree(data))


def dump(record: Record) -> bytes:
    """The bytes of a game file, the same for the same record; `load` reads them back.

    What has no room in its readable form is written densely; what has none even so is not read
    back: whoever keeps files compares with MAX_SIZE.
    """
    data = write_record(record)
    return data if len(data) <= MAX_SIZE else write_dense(record)
