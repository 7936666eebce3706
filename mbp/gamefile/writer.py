"""Record -> bytes, in the one style that mbp writes (protocol 10).

LF, scalars in double quotes, keys in a fixed order, long binary values in lines of 76 characters,
one slot a line: so that a diff shows what a move added and nothing else. The text is made here
rather than by the library, so that it stays the same whatever the library's version.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mbp.canonical import Tree, canonical
from mbp.chain import Record

WIDTH = 76  # characters of a line of binary data
# Longer keys must be announced by `?`: YAML looks for their colon in 1,024 characters only.
MAX_SIMPLE_KEY = 1_000
PLAIN_KEY = re.compile(r"[A-Za-z_0-9](?:[A-Za-z_0-9:.]*[A-Za-z_0-9.])?")

# An entry first says what it is, then what was done, then what programs alone read. Names that are
# not here are options of games, slots and seats; they come before the others of their map.
ORDER = (
    "seq", "by", "time", "prev", "game", "rules", "options", "pace", "vacation",
    "player", "name", "guest", "nonce", "coin", "act", "note", "offer",
    "cards", "key", "mail", "mask", "pile", "points", "give", "open", "proof",
    "keep", "drop", "sig",
)  # fmt: skip
RANK = {name: rank for rank, name in enumerate(ORDER)}
BINARY = ("sig", "points", "proof")  # the binary values that can be longer than a line

# What does not stand for itself between double quotes: characters that YAML forbids or takes for
# more than they are, and what nobody could see: spaces, marks that have no width or turn the
# direction of writing, code points without a character. The list is fixed, so that a file does not
# depend on the Unicode tables of a Python.
ESCAPED = re.compile(
    '["\\\\\x00-\x1f\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e'
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ud800-\uf8ff\ufdd0-\ufdef\ufeff\ufff0-\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U0010ffff]"
)
UNPRINTABLE = re.compile(
    "[\x7f-\x9f\ufeff\ufffe\uffff]"
)  # which JSON lets stand, and YAML does not
SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def write_record(record: Record) -> bytes:
    """The bytes of a game file."""
    lines = ['mbp: "1"']
    lines += _field("log", [entry.tree for entry in record.log], "")
    if record.disclosed:
        lines += _field("disclosed", record.disclosed, "")
    if record.settled:
        lines += _field("settled", record.settled, "")
    # A log that came without a file has no summary yet, and an empty map cannot stand (1.4).
    summary = record.summary or {"entries": str(len(record.log))}
    lines += _field("summary", summary, "", signed=False)
    return ("\n".join(lines) + "\n").encode("utf-8")


def write_dense(record: Record) -> bytes:
    """The same in as few bytes as can be: canonical JSON, which is YAML of the subset too.

    For a match so full of notes that its readable form has no room in a file, while that of the
    opponent's program had.
    """
    tree: dict[str, Tree] = {"mbp": "1", "log": [entry.tree for entry in record.log]}
    if record.disclosed:
        tree["disclosed"] = record.disclosed
    if record.settled:
        tree["settled"] = record.settled
    tree["summary"] = record.summary or {"entries": str(len(record.log))}
    text = UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", canonical(tree).decode())
    return text.encode("utf-8") + b"\n"


def quoted(text: str) -> str:
    """The text between double quotes, on one line."""
    return f'"{ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if short := SHORT.get(found[0]):
        return short
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def _rank(name: str) -> tuple[int, int, str, int, str]:
    """Sorts names by ORDER, and slots as pairs of numbers of any length."""
    first, colon, second = name.partition(":")
    if not colon:
        return RANK.get(name, -1), 0, name, 0, ""
    return len(ORDER), len(first), first, len(second), second


def _field(name: str, value: Tree, indent: str, signed: bool = True) -> Iterator[str]:
    """The lines of a key and its value; only in what is `signed` is the order of keys ours."""
    key = name if PLAIN_KEY.fullmatch(name) else quoted(name)
    if len(name) > MAX_SIMPLE_KEY:
        yield f"{indent}? {key}"
        key = indent
    else:
        key = indent + key
    if isinstance(value, str):
        if signed and name in BINARY and len(value) > WIDTH:
            yield f"{key}: |-"
            for start in range(0, len(value), WIDTH):
                yield f"{indent}  {value[start : start + WIDTH]}"
        else:
            yield f"{key}: {quoted(value)}"
    else:
        yield f"{key}:"
        deeper = indent + "  " if isinstance(value, Mapping) else indent
        yield from _block(value, deeper, signed)


def _block(value: Mapping[str, Tree] | Sequence[Tree], indent: str, signed: bool) -> Iterator[str]:
    """The lines of a map or list."""
    if isinstance(value, Mapping):
        names = sorted(value, key=_rank) if signed else value
        for name in names:
            yield from _field(name, value[name], indent, signed)
        return
    for item in value:
        if isinstance(item, str):
            yield f"{indent}- {quoted(item)}"
            continue
        lines = _block(item, indent + "  ", signed)
        # The first line of a map or list goes behind the dash that announces it.
        yield f"{indent}- {next(lines)[len(indent) + 2 :]}"
        yield from lines
