"""Entries in short form -> the bytes of a game file, for the desk to receive (protocol 13.5).

Nothing is believed on the way: what comes out is verified as a file is. Entries whose predecessors
are missing are kept aside in the home, if a player of the match has signed them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mbp import gamefile
from mbp.chain import Entry, Record
from mbp.desk.shelf import load_game
from mbp.errors import ChainError, FormatError, SignatureError
from mbp.home import Home
from mbp.keys import parse_key
from mbp.post.armour import Short, find_shorts


@dataclass(frozen=True)
class Early:
    """Entries that were kept aside, and what is said of it."""

    note: str


def known_id(home: Home, short: Short) -> str | None:
    """The id of the game that a short form belongs to, None if this home has not seen it."""
    fits = [game_id for game_id in home.all_remembered() if game_id.startswith(short.game)]
    return fits[0] if len(fits) == 1 else None


def is_known(log: Sequence[Entry], short: Short) -> bool:
    """Whether the known log has these entries already, the very same."""
    return short.last < len(log) and log[short.last].id == short.head


def known_log(home: Home, short: Short) -> Sequence[Entry]:
    """The known log of the match that a short form belongs to, empty where there is none."""
    game_id = known_id(home, short)
    memory = home.remembered(game_id) if game_id else None
    return load_game(memory).log if memory else ()


def join(home: Home, short: Short) -> bytes | Early:
    """The game file that the entries make with the known ones, or that they came too early.

    Raises FormatError, ChainError, SignatureError.
    """
    game_id = known_id(home, short)
    memory = home.remembered(game_id) if game_id else None
    if memory is None:
        return _invitation(short)
    known = load_game(memory)
    where = f"entries {short.first}-{short.last}"
    if short.first > len(known.log):
        return _kept_aside(home, known, short, where)
    log = gamefile.parse_log(known.log[: short.first], short.trees)
    _refuse_other_place(log, short)
    return gamefile.dump(Record(log, known.disclosed, known.settled, known.summary))


def _invitation(short: Short) -> bytes:
    if short.first:
        raise FormatError(
            f"entries {short.first}-{short.last} of match {short.game[:8]}, not known here",
            hint="ask for the whole game file",
        )
    log = gamefile.parse_log((), short.trees)
    _refuse_other_place(log, short)
    return gamefile.dump(Record(log))


def _refuse_other_place(log: tuple[Entry, ...], short: Short) -> None:
    """Raises for entries of another match, or behind other entries than the known ones."""
    if not log[0].id.startswith(short.game):
        raise FormatError("the entries are of another match than their first line says")
    first = log[short.first]
    if short.first and first.tree["prev"] != log[short.first - 1].id:
        raise ChainError(
            f"it follows another entry {short.first - 1} than the one that is known here",
            seq=short.first,
            author=first.by,
        )


def _kept_aside(home: Home, known: Record, short: Short, where: str) -> Early:
    """Keeps early entries, if they are signed by who they say."""
    if len(known.log) < 2:  # anybody could have signed them
        raise FormatError(
            f"{where} of match {known.game_id[:8]}, which nobody has accepted here yet",
            hint="ask for the whole game file",
        )
    entries = gamefile.parse_log(known.log[:2], short.trees)[2:]
    keys = {entry.by: parse_key(entry.tree["player"]["key"]) for entry in known.log[:2]}
    for entry in entries:
        if not entry.signed_by(keys[entry.by]):
            raise SignatureError(
                "it is not signed with the key of a player of this match",
                seq=int(entry.seq),
                author=entry.by,
            )
    missing, last = len(known.log), short.first - 1
    gap = f"entry {missing} is" if missing == last else f"entries {missing}-{last} are"
    name = f"{short.first}-{short.last}-{short.head[:8]}"
    with home.lock():
        kept = home.keep_aside(known.game_id, name, short.text)
    said = "kept aside" if kept else "not kept, as too many wait already"
    note = f"{where} of match {known.game_id[:8]} came early: {gap} missing; {said}"
    return Early(note)


def waiting(home: Home, game_id: str) -> Iterator[tuple[str, Short]]:
    """Early entries that now follow what is known, one after the other as they are joined."""
    for name, text in sorted(home.aside(game_id)):
        memory = home.remembered(game_id)
        count = len(load_game(memory).log) if memory else 0
        short = next((one for one in find_shorts(text) if isinstance(one, Short)), None)
        if short is None or short.last < count:
            home.drop_aside(game_id, name)
        elif short.first <= count:
            yield name, short
