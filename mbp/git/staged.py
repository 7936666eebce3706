"""The hooks: what is staged only grew, holds, and has no entry of mine made elsewhere.

It is compared with HEAD, and in a merge with what is merged too, so that no parent's match is lost.
Entries that this home has verified before are not verified again.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mbp.errors import FormatError, MbpError
from mbp.files import read_if_there
from mbp.git.blobs import Blobs
from mbp.git.calls import Repository
from mbp.git.following import Fate, Seen, fates
from mbp.git.revisions import Row, staged_rows
from mbp.git.trust import load, trusted_by
from mbp.home import Home
from mbp.match import Match

OWN = re.compile(r"^stood-|-(known|kept)(-\d+)?\.")  # evidence of what this home itself stood by
TAKE_OUT = "git restore --staged takes a file out of the commit"
GO_BACK = "git merge --abort goes back to before the merge"
SETTLE = "settle first (mbp settle FILE OTHER), or go back: git merge --abort"
RECEIVE = "was it another device of yours? then: mbp receive {name}, git add {name}, git commit"
HALVES = ("grown", "twins", "settled")  # what has all that one parent had, or dropped it rightly


@dataclass(frozen=True)
class Refusal:
    """Why a file must not be committed, and what to do next."""

    path: str
    reason: str
    hint: str


Look = Callable[[str, str], Seen[str]]


def refusals(repository: Repository, home: Home | None) -> tuple[Refusal, ...]:
    """Why what is staged must not be committed; nothing where it may. Raises PostError."""
    first, *others = staged_rows(repository)
    with Blobs(repository.root, repository.environ) as blobs:
        looker = _Looker(blobs.read, home)
        merged = [list(fates(rows, blobs.read, looker.look)) for rows in others]
        given_up = {row.path for row in first if others and _all_kept(row, merged)}
        ours = list(fates(first, blobs.read, looker.look, given_up))
    said = [_refusal(fate, bool(others)) for fate in ours if fate.change.refused]
    for one in merged:
        said += [_refusal(fate, merging=True) for fate in one if fate.change.refused]
    return tuple(dict.fromkeys([*said, *looker.unsigned]))


def _all_kept(row: Row, merged: list[list[Fate[str]]]) -> bool:
    """Whether a staged file has all that the others had under its name.

    Then nothing that they have published is lost, whatever becomes of the own side.
    """
    for one in merged:
        found = next((fate for fate in one if fate.path == row.path), None)
        if found is not None and found.word not in HALVES:
            return False
    return True


def _refusal(fate: Fate[str], merging: bool) -> Refusal:
    reason = fate.told if fate.change.kind == "damaged" else fate.change.reason
    split = "two histories" in fate.change.reason
    hint = (SETTLE if split else GO_BACK) if merging else TAKE_OUT
    return Refusal(fate.path, reason or "", hint)


@dataclass
class _Looker:
    """Verifies each staged blob once, and notes entries of the own key that came from elsewhere."""

    read: Callable[[str], bytes]
    home: Home | None
    seen: dict[str, Seen[str]] = field(default_factory=dict)
    unsigned: list[Refusal] = field(default_factory=list)

    def look(self, path: str, blob: str) -> Seen[str]:
        """What a new state is; `told` says why it does not hold."""
        if blob not in self.seen:
            self.seen[blob] = self._verified(path, blob)
        return self.seen[blob]

    def _verified(self, path: str, blob: str) -> Seen[str]:
        try:
            record = load(self.read(blob))
            match, dropped = trusted_by(self.home, record.game_id).verify(record)
        except MbpError as error:
            return Seen(None, False, str(error))
        if dropped:
            return Seen(None, False, dropped[0])
        for reason in unsigned_here(match, self.home):
            hint = RECEIVE.format(name=shlex.quote(path))
            self.unsigned.append(Refusal(path, reason, hint))
        return Seen(match, True, "")


def unsigned_here(match: Match, home: Home | None) -> Iterator[str]:
    """The first entry of the own key that this home has not signed, nor taken for its own.

    Every entry that a home signs is in its memory before it is in any file; one that is not was
    signed on another device, or by somebody who has the key.
    """
    if home is None or not home.has_identity:
        return
    key = home.profile().key
    seat = next((s for s, player in match.players.items() if player.key_text == key), None)
    own = [entry for entry in match.log if entry.by == seat]
    left = {entry.id for entry in own}
    for path in _stood_by(home, match.id) if own else ():
        left -= set(_ids_in(path))
        if not left:
            return
    first = next((entry.seq for entry in own if entry.id in left), None)
    if first is not None:
        yield f"entry {first} is signed with your key, and this home did not sign it"


def _stood_by(home: Home, game_id: str) -> Iterator[Path]:
    """Where the histories lie that this home stands by, or stood by: not what came and was refused.

    The newest state first, which mostly is enough.
    """
    yield home.match_path(game_id)
    yield from (path for path in home.evidence(game_id) if OWN.search(path.name))


def _ids_in(path: Path) -> Iterator[str]:
    """The ids of the entries in a file of the home. Raises FormatError, with the file's name."""
    data = read_if_there(path)
    if data is None:
        return
    try:
        yield from (entry.id for entry in load(data).log)
    except FormatError as failure:
        hint = "move it away: what it says of this one game is then forgotten"
        raise FormatError(f"{path} is damaged: {failure}", hint=hint) from failure
