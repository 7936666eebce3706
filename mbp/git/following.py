"""Where each match of an old state is in a new one: under its old name, another one, or nowhere.

Pure but for the two functions that it is handed: `read` gives the bytes of a blob, `look` verifies
one. At most two files are held at once, whatever has changed.

Each old state has to be the beginning of a new one of the same game id, or what `growth` accepts in
its place. A file that still has its match has to go on from it itself. Where it is gone, or has
another match now, the match is looked for in the other files that changed: it may be moved, and two
may swap their names. A file that did not change is not looked at, so that a copy may be removed
only where another file that changed goes on from it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from mbp.chain import Record
from mbp.errors import MbpError, PostError
from mbp.git.growth import Change, evidence_gone, growth
from mbp.git.revisions import Row
from mbp.git.trust import load
from mbp.match import Match

T = TypeVar("T")
OTHER = Change("rewritten", "another match stands in this file", 0)
MENDED = Change("mended")


@dataclass(frozen=True)
class Seen(Generic[T]):
    """A new state as it was verified: its match, None where it does not hold or is evidence.

    `told` is the caller's own.
    """

    match: Match | None
    holds: bool
    told: T


@dataclass(frozen=True)
class Fate(Generic[T]):
    """What became of a file; `told` is None where there is none any more.

    `moved`: the match had another name before. `same`: it has not changed beside that.
    """

    path: str
    change: Change
    told: T | None = None
    game_id: str = ""
    moved: bool = False
    same: bool = False

    @property
    def word(self) -> str:
        """The kind of change; a match that was moved and changed has two."""
        if not self.moved:
            return self.change.kind
        return "renamed" if self.same else f"renamed, {self.change.kind}"


@dataclass(frozen=True)
class _Open:
    """An old state that no new one has been found to go on from, and what stands in its place."""

    row: Row
    change: Change


@dataclass
class _Follower(Generic[T]):
    read: Callable[[str], bytes]
    look: Callable[[str, str], Seen[T]]
    given_up: Collection[str]
    open: dict[str, list[_Open]] = field(default_factory=dict)
    carriers: dict[str, list[Row]] = field(default_factory=dict)  # new states of files that were
    added: dict[str, Row] = field(default_factory=dict)  # a new state in a file that was not
    waiting: list[tuple[Row, T, str]] = field(default_factory=list)
    moved: dict[str, Fate[T]] = field(default_factory=dict)

    def removed(self, row: Row) -> Iterator[Fate[T]]:
        """A file that is gone: its match has to be in another one."""
        old = self._old(row)
        if isinstance(old, Change):
            yield Fate(row.path, replace(old, kind="removed"))
        elif old is not None:
            gone = Change("removed", f"the match {old.game_id[:8]} is removed")
            self.open.setdefault(old.game_id, []).append(_Open(row, gone))

    def changed(self, row: Row) -> Iterator[Fate[T]]:
        """A file that has other bytes now; one with another match than before has to wait."""
        seen, old = self.look(row.path, row.new), self._old(row)
        if not seen.holds:
            yield Fate(row.path, Change("damaged"), seen.told)
        elif isinstance(old, Change):
            yield Fate(row.path, old, seen.told)
        elif old is None:
            yield Fate(row.path, MENDED, seen.told, seen.match.id if seen.match else "")
        elif seen.match is None:
            change = Change("rewritten", "evidence stands in place of the match")
            yield Fate(row.path, change, seen.told, old.game_id)
        else:
            yield from self._goes_on(row, old, seen.match, seen.told)

    def _goes_on(self, row: Row, old: Record, match: Match, told: T) -> Iterator[Fate[T]]:
        self.carriers.setdefault(match.id, []).append(row)
        if old.game_id == match.id:
            change = growth(old, match, given_up=row.path in self.given_up)
            yield Fate(row.path, change, told, match.id)
        else:
            self.open.setdefault(old.game_id, []).append(_Open(row, OTHER))
            self.waiting.append((row, told, match.id))

    def new(self, row: Row) -> Iterator[Fate[T]]:
        """A file where none was: a new match, or one that had another name."""
        seen = self.look(row.path, row.new)
        if not seen.holds:
            yield Fate(row.path, Change("damaged"), seen.told)
        elif seen.match is None:
            yield Fate(row.path, Change("new"), seen.told)
        else:
            self.added[seen.match.id] = row
            found = self._carried(row, seen.match)
            yield replace(found or Fate(row.path, Change("new"), None, seen.match.id),
                          told=seen.told)  # fmt: skip

    def _carried(self, row: Row, match: Match) -> Fate[T] | None:
        """Closes the old states that a match goes on from: the fate of its file, or None."""
        fate: Fate[T] | None = None
        left = []
        for one in self.open.get(match.id, ()):
            change = growth(load(self.read(one.row.old)), match)
            if change.refused:
                left.append(one)
            else:
                same = one.row.old == row.new
                fate = Fate(row.path, change, None, match.id, moved=True, same=same)
        self.open[match.id] = left
        return fate

    def rest(self) -> Iterator[Fate[T]]:
        """What had to wait until all others were known."""
        for game_id in [one for one, left in self.open.items() if left]:
            for row in self.carriers.get(game_id, ()):
                match = self.look(row.path, row.new).match if self.open[game_id] else None
                if match is not None and (fate := self._carried(row, match)):
                    self.moved[row.path] = fate
        lost = {one.row: (one, game_id) for game_id, left in self.open.items() for one in left}
        for row, told, game_id in self.waiting:
            if row in lost:
                one, old_id = lost.pop(row)
                yield Fate(row.path, one.change, told, old_id)
            else:
                fate = self.moved.get(row.path, Fate(row.path, Change("new"), None, game_id))
                yield replace(fate, told=told)
        for one, game_id in lost.values():
            near = [*self.carriers.get(game_id, ()), *filter(None, [self.added.get(game_id)])]
            said = f": {near[0].path} does not go on from it" if near else ""
            change = replace(one.change, reason=one.change.reason + said)
            yield Fate(one.row.path, change, None, game_id)

    def _old(self, row: Row) -> Record | Change | None:
        """The old state of a file; None where it was no match, a change where that is refused."""
        try:
            data = self.read(row.old)
        except PostError as failure:
            return Change("rewritten", f"what was here before: {failure}")
        try:
            return load(data)
        except MbpError:
            return evidence_gone(data, b"" if row.old != row.new else data)


def fates(
    rows: Sequence[Row],
    read: Callable[[str], bytes],
    look: Callable[[str, str], Seen[T]],
    given_up: Collection[str] = (),
) -> Iterator[Fate[T]]:
    """What became of each file that differs, one by one as they are known.

    `look` verifies the new blob of a path; `given_up` are paths of which `growth` asks less.
    """
    follower = _Follower(read, look, given_up)
    for row in rows:
        if not row.new:
            yield from follower.removed(row)
    for row in rows:
        if row.old and row.new:
            yield from follower.changed(row)
    for row in rows:
        if not row.old:
            yield from follower.new(row)
    yield from follower.rest()
