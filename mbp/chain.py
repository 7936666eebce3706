"""The chain of signed entries: ids, seals, and what two logs of one game are to each other.

Protocol 2, 9.6. A `Record` is what a file claims, in the right shapes (check 1 of protocol 11 has
passed) but believed by nobody yet; only `match.replay` makes something verified of it.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal

from mbp.canonical import canonical
from mbp.keys import Identity, verify_signature

ID_PREFIX = b"mbp/v1 id\n"
ENTRY_PREFIX = b"mbp/v1 entry\n"
SETTLE_PREFIX = b"mbp/v1 settle\n"


def to_text(data: bytes) -> str:
    """A binary value as it stands in a tree (RFC 4648 base64 with padding)."""
    return base64.b64encode(data).decode("ascii")


def from_text(text: str) -> bytes:
    """The bytes of a binary value that `gamefile` has let pass."""
    return base64.b64decode(text)


@dataclass(frozen=True)
class Entry:
    """One entry of the log as its tree of strings (binary values as base64 without white space)."""

    tree: Mapping[str, Any]

    @property
    def seq(self) -> str:
        return str(self.tree["seq"])

    @property
    def by(self) -> Literal["A", "B"]:
        return "A" if self.tree["by"] == "A" else "B"

    @property
    def act(self) -> str:
        return str(self.tree["act"])

    @property
    def verb(self) -> str:
        """The first word of the act."""
        return self.act.partition(" ")[0]

    @property
    def cards(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.tree.get("cards", {})
        return found

    @cached_property
    def unsigned(self) -> bytes:
        """canonical(e without sig)."""
        return canonical({name: value for name, value in self.tree.items() if name != "sig"})

    @cached_property
    def id(self) -> str:
        """SHA-256 over the canonical form without sig, lower-case hex (protocol 2.2)."""
        return sha256(ID_PREFIX + self.unsigned).hexdigest()

    @cached_property
    def body(self) -> bytes:
        """What the entry's proofs absorb: no `sig` and no field named `proof` (protocol 5.4)."""
        return canonical(_without(self.tree, ("sig",), ("proof",)))

    @property
    def bare(self) -> bytes:
        """What twins have in common (protocol 2.5).

        `prev` is left out too: behind twins the next entries are compared as if they had one.
        """
        return canonical(_without(self.tree, ("time", "note", "sig", "prev"), ("proof",)))

    def signed_by(self, public: bytes) -> bool:
        """Whether `sig` holds under that identity key (protocol 2.3)."""
        sig = from_text(self.tree["sig"])
        return verify_signature(public, sig, ENTRY_PREFIX + self.unsigned)


@dataclass(frozen=True)
class Record:
    """What a file claims: the log, and what may stand beside it (protocol 10)."""

    log: tuple[Entry, ...]
    disclosed: Mapping[str, str] = field(default_factory=dict)
    settled: tuple[Mapping[str, str], ...] = ()
    summary: Mapping[str, Any] = field(default_factory=dict)

    @property
    def game_id(self) -> str:
        """id(entry 0)."""
        return self.log[0].id

    def prefix(self, count: int) -> Record:
        """The first `count` entries, and nothing beside them."""
        return Record(self.log[:count])


def seal(tree: Mapping[str, Any], identity: Identity) -> Entry:
    """Signs an entry's tree (protocol 2.3)."""
    sig = identity.sign(ENTRY_PREFIX + Entry(tree).unsigned)
    return Entry({**tree, "sig": to_text(sig)})


def prefix_digest(log: Sequence[Entry], count: int) -> str:
    """SHA-256 of exactly the first `count` entries, `sig` included: the key of the cache."""
    digest = sha256(b"mbp/v1 prefix\n")
    for entry in log[:count]:
        digest.update(entry.id.encode("ascii") + from_text(entry.tree["sig"]))
    return digest.hexdigest()


def _without(tree: Mapping[str, Any], top: Sequence[str], deep: Sequence[str]) -> dict[str, Any]:
    """The tree without the names `top` at its top and without the names `deep` anywhere."""
    return {
        name: _without(value, (), deep) if isinstance(value, Mapping) else value
        for name, value in tree.items()
        if name not in top and name not in deep
    }


Kind = Literal["same", "older", "newer", "twins", "fork", "authors", "strangers"]


@dataclass(frozen=True)
class Relation:
    """What log `a` is to log `b` (protocol 2.5, 9.3).

    `older`: a is the beginning of b. `seq`: the first entry that they do not share; `by` its author
    (None where two authors meet). `counts`, for twins: the log whose twin the chain continues, None
    while neither does. `strangers`: two different games.
    """

    kind: Kind
    seq: int
    by: Literal["A", "B"] | None = None
    counts: Literal["a", "b"] | None = None


def compare(a: Sequence[Entry], b: Sequence[Entry]) -> Relation:
    """Tells what two logs are to each other. Both are expected to verify, each for itself."""
    shared = 0
    while shared < min(len(a), len(b)) and a[shared].id == b[shared].id:
        shared += 1
    if shared == len(a) or shared == len(b):
        kinds: dict[bool, Kind] = {True: "older", False: "newer"}
        kind: Kind = "same" if len(a) == len(b) else kinds[len(a) < len(b)]
        return Relation(kind, shared)
    if shared == 0:
        return _compare_invitations(a[0], b[0])
    if shared == 1 and _author_key(a, a[1]) != _author_key(b, b[1]):
        begun = all(len(log) > 2 and log[2].verb == "begin" for log in (a, b))
        return Relation("fork", 2, "A") if begun else Relation("authors", 1)
    return _compare_continuations(a, b, shared)


def _compare_invitations(a: Entry, b: Entry) -> Relation:
    same_key = a.tree["player"]["key"] == b.tree["player"]["key"]
    if same_key and a.tree["nonce"] == b.tree["nonce"]:
        return Relation("fork", 0, "A")
    return Relation("strangers", 0)


def _compare_continuations(a: Sequence[Entry], b: Sequence[Entry], first: int) -> Relation:
    """Walks on from the first difference, twin by twin, as if each pair had one prev."""
    for seq in range(first, min(len(a), len(b))):
        if a[seq].by != b[seq].by:
            return Relation("authors", seq)
        if not are_twins(a[seq], b[seq]):
            return Relation("fork", seq, a[seq].by)
    twins = Relation("twins", first, a[first].by)
    if len(a) == len(b):
        return twins
    return replace(twins, counts="a" if len(a) > len(b) else "b")


def are_twins(a: Entry, b: Entry) -> bool:
    """Whether two entries of one author and one prev differ in nothing that counts (2.5)."""
    return a.bare == b.bare


def _author_key(log: Sequence[Entry], entry: Entry) -> str:
    opening = log[0] if entry.by == "A" else log[1]
    return str(opening.tree.get("player", {}).get("key", ""))


def _settlement_bytes(item: Mapping[str, str], game_id: str) -> bytes:
    return SETTLE_PREFIX + canonical(
        {"by": item["by"], "drop": item["drop"], "game": game_id, "keep": item["keep"]}
    )


def settle(by: str, keep: str, drop: str, game_id: str, identity: Identity) -> dict[str, str]:
    """A signed settlement: its author stands by `keep` and drops the other history (9.6)."""
    item = {"by": by, "keep": keep, "drop": drop}
    return {**item, "sig": to_text(identity.sign(_settlement_bytes(item, game_id)))}


def settlement_signed_by(item: Mapping[str, str], game_id: str, public: bytes) -> bool:
    """Whether a settlement's `sig` holds (protocol 9.6)."""
    return verify_signature(public, from_text(item["sig"]), _settlement_bytes(item, game_id))
