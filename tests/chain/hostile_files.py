"""Files made to cost a reader time or memory, each as large as a game file may be.

`python -m tests.chain.hostile_files` loads one after the other within 300 MiB and writes a line of
figures for each: seconds, outcome, name.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Mapping
from time import process_time

from mbp.errors import FormatError
from mbp.gamefile import MAX_SIZE, load
from tests.chain.gamefile_examples import ID, POINT, SIGNATURE, encoded, example

MEMORY = 300 * 1024 * 1024  # bytes


def filled(start: bytes, unit: bytes, end: bytes = b"") -> bytes:
    """`unit` as often as the size of a file allows."""
    return start + unit * ((MAX_SIZE - len(start) - len(end)) // len(unit)) + end


def counted(start: bytes, form: str, end: bytes = b"") -> bytes:
    """A form filled with 0, 1, 2 ... as often as the size of a file allows."""
    units: list[bytes] = []
    room = MAX_SIZE - len(start) - len(end)
    while room >= 0:
        units.append(form.format(f"{len(units):x}").encode())
        room -= len(units[-1])
    return start + b"".join(units[:-1]) + end


def gap(start: bytes, white: bytes, count: int, word: bytes, end: bytes = b"") -> bytes:
    """A scalar with one long gap and as many words as fit: libyaml's quadratic case."""
    return filled(start + white * count, word, end)


def full_log() -> bytes:
    """5,000 entries of the right shape."""
    tree = example()
    entry = {"seq": "5", "by": "A", "time": "2026-11-30T12:00:00Z", "prev": ID, "act": "deal"}
    entry |= {"sig": SIGNATURE, "note": "x" * 400}
    tree["log"] += [{**entry, "cards": {"open": {"0:1": "R07"}}}] * 4995
    return encoded(tree)


def full_cards() -> bytes:
    """One entry of the right shape with as many points as fit."""
    tree = example()
    tree["log"][3]["cards"] = {"give": {f"0:{place}": POINT for place in range(70_000)}}
    return encoded(tree)


def full_summary() -> bytes:
    """A summary with as many keys as nodes are allowed."""
    tree = example()
    tree["summary"] = {f"k{place}": "x" for place in range(199_000)}
    return encoded(tree)


# Refused, each for its own reason.
REFUSED: Mapping[str, Callable[[], bytes]] = {
    "a million scalars in a flow list": lambda: filled(b"a: [", b"a,", b"]"),
    "a million scalars in a block list": lambda: filled(b"a:\n", b"- a\n"),
    "a million empty scalars": lambda: filled(b"a:\n", b"-\n"),
    "a million quoted scalars": lambda: filled(b"a: [", b'"",', b"]"),
    "a million maps": lambda: filled(b"a: [", b"a: b,", b"]"),
    "a million keys": lambda: counted(b"", "k{}:\n"),
    "a million keys in a flow map": lambda: counted(b"{", "{},", b"}"),
    "one key a million times": lambda: filled(b"", b"a: b\n"),
    "deep flow lists": lambda: filled(b"", b"["),
    "deep flow lists, one a line": lambda: filled(b"", b"[\n"),
    "deep flow maps": lambda: filled(b"", b"{a: "),
    "deep block lists": lambda: filled(b"", b"- "),
    "deep block maps": lambda: b"".join(b" " * depth + b"a:\n" for depth in range(2890)),
    "deep keys": lambda: filled(b"", b"? "),
    "deep keys, one a line": lambda: filled(b"", b"?\n"),
    "colons": lambda: filled(b"", b": "),
    "one huge line": lambda: filled(b"a: ", b"x"),
    "one huge key": lambda: filled(b"", b"x", b": a"),
    "one huge announced key": lambda: filled(b"? ", b"x", b"\n: a"),
    "one huge quoted scalar": lambda: filled(b'a: "', b"x", b'"'),
    "a scalar of escapes": lambda: filled(b'a: "', b"\\n", b'"'),
    "a scalar of long escapes": lambda: filled(b'a: "', b"\\U0001F600", b'"'),
    "a scalar of escaped line ends": lambda: filled(b'a: "', b"\\\n", b'"'),
    "a scalar of quotes": lambda: filled(b"a: '", b"''", b"'"),
    "a scalar of a million words": lambda: filled(b"a: ", b"x "),
    "a scalar of a million lines": lambda: filled(b'a: "', b"x\n", b'"'),
    "a literal of a million lines": lambda: filled(b"a: |\n", b" x\n"),
    "a folded scalar of a million lines": lambda: filled(b"a: >\n", b" x\n\n"),
    "a literal of empty lines": lambda: filled(b"a: |\n", b"\n"),
    "wide characters": lambda: filled(b"a: '", "🙂".encode(), b"'"),
    "spaces": lambda: filled(b"", b" "),
    "tabs": lambda: filled(b"", b"\t"),
    "line ends": lambda: filled(b"", b"\n"),
    "comments": lambda: filled(b"", b"#\n"),
    "one huge comment": lambda: filled(b"", b"#"),
    "anchors": lambda: filled(b"a:\n", b"- &a b\n"),
    "one huge anchor": lambda: filled(b"a: &", b"x", b" b"),
    "one huge tag": lambda: filled(b"a: !<", b"%41", b"> b"),
    "tag lines": lambda: counted(b"#\n", "%TAG !{}! x\n"),
    "tag lines at the end": lambda: counted(b"a: b\n...\n", "%TAG !{}! x\n"),
    "documents": lambda: filled(b"", b"---\n"),
    "ends of documents": lambda: filled(b"a: b\n", b"...\n"),
    "zero bytes": lambda: filled(b"", b"\0"),
    "a long gap in a plain scalar": lambda: gap(b"a: x", b" ", 2_000_000, b"x "),
    "a long gap in a quoted scalar": lambda: gap(b'a: "x', b" ", 2_000_000, b"x ", b'"'),
    "many line ends in a quoted scalar": lambda: gap(b'a: "x', b"\n", 2_000_000, b"x\n", b'"'),
    "many line ends in a literal": lambda: gap(b"a: |\n", b"\n", 1_500_000, b" x\n"),
    "many line ends in a folded scalar": lambda: gap(b"a: >\n x", b"\n", 1_500_000, b" x\n"),
    "a gap that is just short enough": lambda: gap(b"a: x", b" ", 9_000, b"x "),
}
ACCEPTED: Mapping[str, Callable[[], bytes]] = {
    "5,000 entries": full_log,
    "70,000 points": full_cards,
    "199,000 fields of a summary": full_summary,
}


def main() -> None:
    """Loads every file and writes its figures."""
    # On top of what Python and the libraries take before they read anything.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for name, make in {**REFUSED, **ACCEPTED}.items():
        data = make()
        assert len(data) <= MAX_SIZE
        start = process_time()
        try:
            load(data)
            outcome = "accepted"
        except FormatError:
            outcome = "refused"
        sys.stdout.write(f"{process_time() - start:.2f} s\t{outcome}\t{name}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
