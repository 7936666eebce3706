"""Logs with holes, and flipped bits (protocol 2; checks 2 and 3)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from mbp.chain import Entry
from tests.vectors import matches
from tests.vectors.changes import Path, Tree, nothing, put
from tests.vectors.forging import bytes_of, lie, reproved, resigned, trees
from tests.vectors.players import identity
from tests.vectors.vector import Vector, file_tree, of_tree

Q = 2**252 + 27742317777372353535851937790883648493


def vectors() -> Iterator[Vector]:
    """All of this page."""
    yield from logs()
    yield from numbers()
    yield from times()
    yield from bits()
    yield from signatures()


def logs() -> Iterator[Vector]:
    """Entries lost, repeated, reordered, foreign."""
    match, other = matches.short(), matches.other()
    log, foreign = trees(match), trees(other)
    for name, crime, seq, reason, changed in (
        ("lost", "an entry is lost", 4, "has seq 5 where 4", [*log[:4], *log[5:8]]),
        ("repeated", "an entry stands twice", 5, "has seq 4 where 5", [*log[:5], log[4], log[5]]),
        ("reordered", "two entries change places", 3, "has seq 4 where 3",
         [*log[:3], log[4], log[3]]),
        ("foreign", "an entry of another game", 3, "prev is not", [*log[:3], foreign[3]]),
        ("foreign-invitation", "the invitation of another game", 1, "prev is not",
         [foreign[0], *log[1:4]]),
    ):  # fmt: skip
        tree = {**file_tree(match), "log": changed}
        yield of_tree(f"chain-{name}", crime, 2, reason, tree, seq=seq)
    later = resigned(log[5], lambda tree: tree.update(seq="4"))
    yield of_tree(
        "chain-lost-and-renumbered", "an entry is lost, its author numbers the next one anew",
        2, "prev is not", file_tree(match.at(3), later),
    )  # fmt: skip
    history = lie(match.at(2), log[3]["act"], lambda tree: tree.update(note="as I always said"))
    yield of_tree(
        "chain-rewritten", "an author signs an earlier entry of his own anew", 2, "prev is not",
        {**file_tree(match), "log": [*log[:3], history, *log[4:6]]}, seq=4,
    )  # fmt: skip


def numbers() -> Iterator[Vector]:
    """A wrong seq, a wrong prev."""
    match = matches.short()
    before, act = match.at(3), match.log[4].act
    skipped = lie(before, act, lambda tree: tree.update(seq="5"))
    yield of_tree("chain-seq-skips", "a number is left out", 2, "has seq 5 where 4",
                  file_tree(before, skipped))  # fmt: skip
    huge = lie(before, act, lambda tree: tree.update(seq="9" * 5_000))
    yield of_tree("chain-seq-huge", "a number of 5,000 digits", 2, "where 4 is next",
                  file_tree(before, huge))  # fmt: skip
    prev = match.log[2].id
    blind = lie(before, act, lambda tree: tree.update(prev=prev))
    yield of_tree("chain-prev-older", "continues an entry further back", 2, "prev is not",
                  file_tree(before, blind))  # fmt: skip
    first = trees(match)[0]
    late = reproved(None, {**first, "seq": "1"})
    yield of_tree("chain-begins-with-1", "an invitation that says it is entry 1", 2,
                  "the first entry has seq 1",
                  {**file_tree(match.at(0)), "log": [late]})  # fmt: skip


def times() -> Iterator[Vector]:
    """Protocol 2.4."""
    match = matches.short()
    before, act = match.at(4), match.log[5].act  # the latest time is 16:00
    early = lie(before, act, lambda tree: tree.update(time="2026-11-30T15:44:59Z"))
    yield of_tree("chain-backdated", "a time 15 minutes and a second back", 2,
                  "is before that of an earlier entry", file_tree(before, early))  # fmt: skip
    close = lie(before, act, lambda tree: tree.update(time="2026-11-30T15:45:00Z"))
    again = matches.extended(before, close)
    creeping = lie(again, match.log[6].act, lambda tree: tree.update(time="2026-11-30T15:44:00Z"))
    yield of_tree(
        "chain-backdated-in-steps", "two entries, each a little earlier than the one before", 2,
        "is before that of an earlier entry", file_tree(again, creeping),
    )  # fmt: skip


# name: (number of the entry, place in it); a bit of the value is flipped, nothing signed anew
FLIPPED: dict[str, tuple[int, Path]] = {
    "note": (8, ("note",)),
    "offer": (8, ("offer",)),
    "time": (4, ("time",)),
    "act": (4, ("act",)),
    "open": (4, ("cards", "open", "0:14")),
    "give-number": (5, ("cards", "give", "0:20")),
    "give-point": (2, ("cards", "give", "0:10")),
    "equality-proof": (4, ("cards", "proof")),
    "coin": (2, ("coin",)),
    "guest-coin": (1, ("coin",)),
    "commitment": (0, ("coin",)),
    "nonce": (0, ("nonce",)),
    "name": (0, ("player", "name")),
    "option": (0, ("options", "pace")),
    "mask": (0, ("cards", "mask", "points")),
    "shuffle-proof": (1, ("cards", "mask", "proof")),
    "signature": (4, ("sig",)),
}


def flipped(text: str) -> str:
    """The value with one bit changed, in the same shape."""
    for old, new in (("mountain 2 ", "mountain 1 "), ("07", "06"), ("T16:", "T17:")):
        if old in text and len(text) < 40:
            return text.replace(old, new)
    if len(text) > 40 and " " not in text:
        data = bytearray(bytes_of(text))
        data[len(data) // 2] ^= 1
        return b64encode(data).decode()
    return text[:-1] + chr(ord(text[-1]) ^ 1)


def bits() -> Iterator[Vector]:
    """One bit of each kind of field."""
    match = matches.short()
    for name, (seq, path) in FLIPPED.items():
        tree = trees(match)[seq]
        node: Any = tree
        for step in path[:-1]:
            node = node[step]
        if name == "offer":
            del node["offer"]
        else:
            put(path, flipped(node[path[-1]]))(tree)
        log = [*trees(match)[:seq], tree]
        before = match.at(max(seq - 1, 0))
        reason = "coin does not match" if name == "coin" else "the signature does not hold"
        what = "the offer is taken away" if name == "offer" else f"a bit of the {name} is flipped"
        yield of_tree(f"flip-{name}", what.replace("-", " "), 3, reason,
                      {**file_tree(before), "log": log})  # fmt: skip


def signatures() -> Iterator[Vector]:
    """Signatures that somebody else made, or nobody (protocol 2.3)."""
    match = matches.short()
    before, tree = match.at(3), trees(match)[4]
    sig = bytes_of(tree["sig"])
    large = int.from_bytes(sig[32:], "little") + Q
    neutral = b"\x01" + bytes(31)
    for name, crime, value in (
        ("by-the-opponent", "the opponent signs", resigned(tree, nothing, "A")["sig"]),
        ("by-a-stranger", "a stranger signs", resigned(tree, nothing, "C")["sig"]),
        ("of-another-entry", "the signature of another entry", trees(match)[6]["sig"]),
        ("zero", "no signature but zeros", text(bytes(64))),
        ("neutral", "a neutral point and a zero", text(neutral + bytes(32))),
        ("s-plus-q", "the second form of a good signature", text(sig[:32] + le(large))),
        ("r-negated", "the other sign of R", text(sig[:31] + bytes([sig[31] ^ 128]) + sig[32:])),
        ("over-the-id", "a signature over the id only", over_the_id(tree)),
    ):
        yield of_tree(f"signature-{name}", crime, 3, "the signature does not hold",
                      file_tree(before, {**tree, "sig": value}))  # fmt: skip


def text(data: bytes) -> str:
    """Base64."""
    return b64encode(data).decode()


def le(number: int) -> bytes:
    """32 bytes, little-endian."""
    return number.to_bytes(32, "little")


def over_the_id(tree: Tree) -> str:
    """A signature by the author over something else than the entry."""
    return text(identity(tree["by"]).sign(b"mbp/v1 entry\n" + bytes.fromhex(Entry(tree).id)))
