"""Throws altered game files at `load`: it must return a Record or raise a FormatError.

`python -m tests.chain.fuzz_gamefile SECONDS [SEED]` runs as long as told and says how many files it
tried; the first file that breaks the promise is shown by the traceback, with its seed.
"""

from __future__ import annotations

import sys
from functools import cache
from random import Random
from time import monotonic

from mbp.errors import FormatError
from mbp.gamefile import dump, load
from tests.chain.gamefile_examples import POINT, encoded, example

TOKENS = [
    b"&a ", b"*a", b"!x ", b"! ", b"!!str ", b"%YAML 1.1\n", b"---\n", b"...\n", b"<<: ", b"? ",
    b": ", b"- ", b"[", b"]", b"{", b"}", b",", b'"', b"'", b"|", b">", b"#", b"\\", b"\\x00",
    b"\\ud800", b"\\U00110000", b"\xef\xbb\xbf", b"\x00", b"\xff", b"\xc2\x85", b"\xe2\x80\xa8",
    b"\t", b"\r", b"\n", b"  ", b"=", b"0", b"9" * 5000, b"-1", b"~", b"null", b"x" * 1100,
    "é".encode(), "🙂".encode(), b"vacation 0", b"deal", b"invite", b"abort", b"{}", b"[]",
]  # fmt: skip


@cache
def good_files() -> tuple[bytes, ...]:
    """One record in the two styles, with short decks so that a change seldom hits a point."""
    tree = example()
    for entry in tree["log"][:2]:
        entry["cards"]["mask"].update(points=POINT, proof=POINT)
    flow = encoded(tree)
    return dump(load(flow)), flow


def altered(data: bytes, random: Random) -> bytes:
    """The file after one change: a bit, a byte, a token, some lines or some bytes."""
    place = random.randrange(len(data) + 1)
    match random.randrange(7):
        case 0 if place < len(data):
            bit = data[place] ^ 1 << random.randrange(8)
            return data[:place] + bytes([bit]) + data[place + 1 :]
        case 1:
            return data[:place] + random.choice(TOKENS) + data[place:]
        case 2:
            return data[:place] + random.choice(TOKENS) + data[place + random.randrange(20) :]
        case 3:
            return data[:place] + data[place + random.randrange(1, 200) :]
        case 4:
            lines = data.splitlines(keepends=True)
            del lines[random.randrange(len(lines))]
            return b"".join(lines)
        case 5:
            lines = data.splitlines(keepends=True)
            one, two = random.randrange(len(lines)), random.randrange(len(lines))
            lines[one], lines[two] = lines[two], lines[one]
            return b"".join(lines)
        case _:
            lines = data.splitlines(keepends=True)
            line = random.choice(lines)
            lines.insert(random.randrange(len(lines)), line)
            return b"".join(lines)


def try_one(seed: int) -> bool:
    """Loads the file of this seed; whether it was accepted, and if so, written and read back."""
    random = Random(seed)
    data = random.choice(good_files())
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        data = altered(data, random) or b"\n"
    try:
        record = load(data)
    except FormatError as error:
        message = str(error)
    else:
        assert load(dump(record)) == record, seed
        return True
    assert message.isprintable(), seed
    return False


def main(seconds: float, seed: int) -> None:
    """Tries files until the time is over."""
    end = monotonic() + seconds
    tried = accepted = 0
    while monotonic() < end:
        accepted += try_one(seed + tried)
        tried += 1
    sys.stdout.write(f"{tried} files from seed {seed}, {accepted} accepted\n")


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
