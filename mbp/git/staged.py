"""The pre-commit hook: what is staged only grew, holds, and has no entry of mine made elsewhere.

Entries that this home has verified before are not verified again. A file that was renamed is the
same match under another path.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mbp import gamefile
from mbp.errors import MbpError
from mbp.files import read_if_there
from mbp.git.growth import growth
from mbp.git.revisions import Changed
from mbp.git.trust import trusted_by
from mbp.home import Home
from mbp.match import Match


def refusals(changes: Sequence[Changed], home: Home | None) -> tuple[str, ...]:
    """Why these changes must not be committed, a sentence each; nothing where they may."""
    before = known_before(changes)
    said, seen = [], set()
    for change in changes:
        if change.new is None:
            continue
        try:
            match = _verified(change.new, home)
        except MbpError as error:
            said.append(f"{change.path}: {error}")
            continue
        seen.add(match.id)
        old = change.old if change.old is not None else before.get(match.id)
        became = growth(old, match) if old is not None else None
        if became is not None and became.refused:
            said.append(f"{change.path}: {became.reason}")
        said += [f"{change.path}: {reason}" for reason in unsigned_here(match, home)]
    return (*said, *_removed(changes, seen))


def known_before(changes: Sequence[Changed]) -> dict[str, bytes]:
    """The old states of files that are gone, by game id: perhaps they were renamed."""
    found = {}
    for change in changes:
        if change.new is None and change.old is not None:
            game_id = id_of(change.old)
            if game_id:
                found[game_id] = change.old
    return found


def id_of(data: bytes) -> str:
    """The game id that bytes claim, empty where they are no game file."""
    try:
        return gamefile.load(data).game_id
    except MbpError:
        return ""


def _verified(data: bytes, home: Home | None) -> Match:
    record = gamefile.load(data)
    match, dropped = trusted_by(home, record.game_id).verify(record)
    if dropped:
        raise MbpError(dropped[0])
    return match


def _removed(changes: Sequence[Changed], seen: set[str]) -> Iterator[str]:
    for change in changes:
        if change.new is None and change.old is not None:
            game_id = id_of(change.old)
            if game_id and game_id not in seen:
                yield f"{change.path}: the match {game_id[:8]} would be removed"


def unsigned_here(match: Match, home: Home | None) -> Iterator[str]:
    """The first entry of the own key that lies nowhere in this home's memory or evidence.

    Every entry that a home signs is in its memory before it is in any file; one that is not was
    signed on another device, or by somebody who has the key.
    """
    if home is None or not home.has_identity:
        return
    key = home.profile().key
    seat = next((s for s, player in match.players.items() if player.key_text == key), None)
    own = [entry for entry in match.log if entry.by == seat]
    if not own:
        return
    signed = set(_remembered_ids(home, match.id))
    for entry in own:
        if entry.id not in signed:
            yield (
                f"entry {entry.seq} is signed with your key, and this home did not sign it "
                "(on another device? then first: mbp receive FILE)"
            )
            return


def _remembered_ids(home: Home, game_id: str) -> Iterator[str]:
    kept = [home.remembered(game_id), *map(read_if_there, home.evidence(game_id))]
    for data in kept:
        if data is not None:
            yield from (entry.id for entry in gamefile.load(data).log)
