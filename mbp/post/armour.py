"""The short form of entries: a block of text for any mail, chat or forum (protocol 13).

It carries entries only, a few lines for a move, and is as little believed as a game file: what is
found has the shape of a list of maps of strings, and the sender's checksum. Pure.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import Any, NoReturn

from mbp.canonical import Tree, canonical
from mbp.chain import Entry
from mbp.errors import FormatError, UnsupportedVersionError
from mbp.post.limits import SHORTS, TEXT, Budget
from mbp.post.text import INVISIBLE, plain

VERSION = "1"
LABEL = b"mbp/v1 armour\n"
DIGITS = 32  # of a game id and of a checksum
COLUMNS = 64
MAX_UNPACKED = 4 * 2**20  # bytes of canonical JSON, as much as a game file
MAX_PACKED = 4 * 2**20  # characters of base64
MAX_DEPTH = 31
MAX_BLOCKS = 400  # short forms that one text may hold, quoted ones counted

# Between two words of a line there may be a break and the marks of a quotation.
GAP = r"[\s>|]+"
BEGIN = re.compile(
    rf"\[BEGIN{GAP}MBP/(?P<version>\d{{1,4}})(?:{GAP}(?P<game>[0-9a-f]{{{DIGITS}}})"
    rf"{GAP}(?P<first>\d{{1,4}})-(?P<last>\d{{1,4}}))?"
)
END = re.compile(
    rf"\[END{GAP}MBP/\d{{1,4}}{GAP}(?P<length>\d{{1,7}}){GAP}(?P<sum>[0-9a-f]{{{DIGITS}}})"
)
LOOSE = dict.fromkeys(map(ord, " \n\x1c\x1d\x1e\x1f>|"))  # in a plain text
# The first word, as it may stand in a text that is not plain yet.
UNSEEN = f"[{''.join(map(chr, INVISIBLE))}]*"
START = re.compile(r"\[" + "".join(UNSEEN + letter for letter in "BEGIN"))


@dataclass(frozen=True)
class Short:
    """Entries as they came: the digits of their game id, the seq of the first, their trees."""

    game: str
    first: int
    trees: tuple[Mapping[str, Any], ...]

    @property
    def last(self) -> int:
        """The seq of the last entry."""
        return self.first + len(self.trees) - 1

    @cached_property
    def head(self) -> str:
        """The id that the last entry has, if it is what it says."""
        return Entry(self.trees[-1]).id

    @property
    def text(self) -> str:
        """The block itself, as this program writes it."""
        return _write(self.game, self.first, self.trees)


def format_short(log: Sequence[Entry], first: int) -> str:
    """The short form of the entries of a match from seq `first` on; it ends in a line break."""
    return _write(log[0].id[:DIGITS], first, [entry.tree for entry in log[first:]])


def _write(game: str, first: int, trees: Sequence[Mapping[str, Any]]) -> str:
    span = f"{first}-{first + len(trees) - 1}"
    unpacked = canonical(list(trees))
    packed = zlib.compress(unpacked, 9)
    body = b64encode(packed).decode("ascii")
    lines = [body[start : start + COLUMNS] for start in range(0, len(body), COLUMNS)]
    return "\n".join(
        (
            f"[BEGIN MBP/{VERSION} {game} {span}]",
            *lines,
            f"[END MBP/{VERSION} {len(packed)} {checksum(game, span, unpacked)}]",
            "",
        )
    )


def checksum(game: str, span: str, unpacked: bytes) -> str:
    """What the last line says of the block: against accidents, not against people."""
    return sha256(LABEL + f"{game} {span}\n".encode("ascii") + unpacked).hexdigest()[:DIGITS]


def find_shorts(text: str, budget: Budget | None = None) -> Iterator[Short | FormatError]:
    """Every short form in a text, whatever stands around it; for a bad one, what is wrong.

    Copies of one block, as in a quotation below an answer, come once. The budget is that of the
    letter; raises FormatError where it ends.
    """
    budget = budget or Budget()
    start = START.search(text)
    if start is None:
        return
    budget.spend(TEXT, len(text) - start.start())
    lines = plain(text[start.start() :])
    begins = list(islice(BEGIN.finditer(lines), MAX_BLOCKS + 1))
    ends = [begin.start() for begin in begins[1:]] + [len(lines)]
    seen = set()
    for begin, until in zip(begins[:MAX_BLOCKS], ends, strict=False):
        try:
            short = _read(begin, lines[begin.end() : until], budget)
        except FormatError as error:
            yield error
            continue
        key = (short.game, short.first, short.last, short.head)
        if key not in seen:
            seen.add(key)
            yield short
    if len(begins) > MAX_BLOCKS:
        yield FormatError(f"more than {MAX_BLOCKS} short forms in one text")


def _read(begin: re.Match[str], rest: str, budget: Budget) -> Short:
    """Reads one block; the numbers are those of protocol 13.4. Raises FormatError."""
    if begin["version"] != VERSION:  # 1
        raise UnsupportedVersionError(f"a short form of version {int(begin['version'])}")
    if begin["game"] is None:
        _refuse("its first line is damaged")
    first, last = int(begin["first"]), int(begin["last"])
    where = f"of entries {first}-{last}"
    end = END.search(rest)  # 2
    if end is None:
        _refuse("truncated: the line with END is missing", where)
    if end.start() > 2 * MAX_PACKED:
        _refuse("too long", where)
    body = rest[: end.start()].translate(LOOSE).removeprefix("]")
    packed = _unbase(body, int(end["length"]), where)  # 3
    unpacked = _inflate(packed, where, budget)  # 4
    if checksum(begin["game"], f"{first}-{last}", unpacked) != end["sum"]:  # 5
        _refuse("the checksum differs", where)
    trees = _parse(unpacked, where)  # 6
    if [tree.get("seq") for tree in trees] != [str(seq) for seq in range(first, last + 1)]:  # 7
        _refuse("it holds other entries", where)
    return Short(begin["game"], first, tuple(trees))


def _refuse(reason: str, where: str = "") -> NoReturn:
    words = " ".join(filter(None, ("the short form", where)))
    hint = "ask for it again, or for the game file"
    raise FormatError(f"{words}: {reason}", hint=hint)


def _unbase(body: str, length: int, where: str) -> bytes:
    """The packed bytes, as many as the last line says."""
    if len(body) > MAX_PACKED:
        _refuse("too long", where)
    try:
        packed = b64decode(body, validate=True)
    except ValueError:
        wanted = -(-length // 3) * 4
        _refuse("truncated" if len(body) < wanted else "damaged: not base64", where)
    if len(packed) != length:
        what = "truncated" if len(packed) < length else "damaged"
        _refuse(f"{what}: {len(packed)} bytes of {length}", where)
    return packed


def _inflate(packed: bytes, where: str, budget: Budget) -> bytes:
    """The unpacked bytes, never more than MAX_UNPACKED of them, all of them spent."""
    engine = zlib.decompressobj()
    try:
        unpacked = engine.decompress(packed, min(MAX_UNPACKED, budget.left[SHORTS]) + 1)
    except zlib.error:
        _refuse("damaged: it cannot be unpacked", where)
    budget.spend(SHORTS, len(unpacked))
    if len(unpacked) > MAX_UNPACKED:
        _refuse(f"more than {MAX_UNPACKED} bytes unpacked", where)
    if not engine.eof or engine.unused_data:
        _refuse("damaged: it cannot be unpacked", where)
    return unpacked


def _parse(unpacked: bytes, where: str) -> list[Mapping[str, Any]]:
    """The list of maps of strings that the bytes are the canonical form of."""
    try:
        found: Any = json.loads(unpacked, parse_int=_no_number, parse_float=_no_number)
        if not isinstance(found, list) or not found:
            raise ValueError("no list")
        for tree in found:
            _check_tree(tree, 2)
            if not isinstance(tree, dict):
                raise ValueError("no map")
        if canonical(found) != unpacked:  # also refuses keys that stand twice
            raise ValueError("not canonical")
    except (ValueError, RecursionError):
        _refuse("it does not hold entries in canonical form", where)
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"a number: {text[:20]}")


def _check_tree(tree: Tree | None, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise ValueError("too deep")
    if isinstance(tree, dict):
        for child in tree.values():
            _check_tree(child, depth + 1)
    elif isinstance(tree, list):
        for child in tree:
            _check_tree(child, depth + 1)
    elif not isinstance(tree, str):
        raise ValueError("no string")
