"""The chain of signed entries: what an entry is, its id, its seal (protocol 2).

A `Record` is what a file claims, in the right shapes (check 1 of protocol 11 has passed) but believed
by nobody yet; only `match.replay` makes something verified of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

from mbp.canonical import canonical

ID_PREFIX = b"mbp/v1 id\n"
ENTRY_PREFIX = b"mbp/v1 entry\n"


@dataclass(frozen=True)
class Entry:
    """One entry of the log as its tree of strings (binary values as base64 without white space)."""

    tree: Mapping[str, Any]

    @property
    def seq(self) -> int:
        return int(self.tree["seq"])

    @property
    def by(self) -> Any:
        return self.tree["by"]

    @property
    def act(self) -> str:
        return str(self.tree["act"])

    @cached_property
    def unsigned(self) -> bytes:
        """canonical(e without sig)."""
        return canonical({name: value for name, value in self.tree.items() if name != "sig"})

    @cached_property
    def id(self) -> str:
        """SHA-256 over the canonical form without sig, lower-case hex (protocol 2.2)."""
        return sha256(ID_PREFIX + self.unsigned).hexdigest()


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
