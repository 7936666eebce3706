"""What the home keeps of a game beside its newest state: other histories, and what follows of them.

All that was ever known here counts, whatever way the standing history came to stand: taken,
settled, merged by git, or restored. Facts say how the owner has decided; where their file is gone
(damaged, and moved away as the hint says), the histories that are kept still tell what must not be
signed (protocol 4.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mbp.chain import Entry, Record, compare
from mbp.desk.histories import answers
from mbp.desk.shelf import load_game, read_bytes
from mbp.home import Facts, Home
from mbp.match import Match
from mbp.match.settled import settlers
from mbp.rules.contract import Seat

BOTH = {"A", "B"}
Why = Literal["forked", "answered", "slipped", "settled", "disclosed", "early"]


@dataclass(frozen=True)
class Halt:
    """Why nothing is signed in a match, as it stands here.

    `forked`     the opponent has signed two histories, and the owner has not decided
    `answered`   the own key has answered in another history: for ever
    `slipped`    so it has, but the fork is of the own making: until both have settled
    `settled`    as before, and the owner has settled: until the opponent has
    `disclosed`  the own card secret is out, by another history: for ever
    `early`      entries are kept aside that follow an own one: this is not the newest state

    `other` is where the other history lies; `entries` are those kept aside (`5-6`).
    """

    why: Why
    other: Path | None = None
    entries: str = ""


def kept_records(home: Home, game_id: str) -> Iterator[tuple[Path, Record]]:
    """The histories that lie in the home: all evidence, and the newest state. Raises MbpError."""
    for path in home.evidence(game_id):
        yield path, load_game(read_bytes(path))
    memory = home.remembered(game_id)
    if memory is not None:
        yield home.match_path(game_id), load_game(memory)


def facts_of(home: Home, game_id: str) -> Facts:
    """The facts about a game; without their file, no decision counts as made. Raises MbpError."""
    memory = home.remembered(game_id)
    if memory is None or home.facts_path(game_id).exists():
        return home.facts(game_id)
    known = load_game(memory)
    seat = _seat_in(known.log, home)
    forks = (other for _, other in _forks(home, known.log, seat))
    undecided = (seat not in settlers(known.log, known.settled, other.log) for other in forks)
    return Facts(forked=any(undecided))


def halt_of(home: Home, match: Match, seat: Seat | None) -> Halt | None:
    """Why the own seat signs nothing in a match; None where nothing stops it. Raises MbpError."""
    if seat is None:
        return None
    if facts_of(home, match.id).forked:
        given = [path for path, _ in _forks(home, match.log, seat)]
        return Halt("forked", given[-1] if given else None)
    if match.pen is None:
        return None
    return _barred(home, match, seat) or _early(home, match, seat)


def _barred(home: Home, match: Match, seat: Seat) -> Halt | None:
    """Whether an answer in another history, or a secret that is out there, forbids to sign."""
    found: dict[Why, Path] = {}
    for path, record in kept_records(home, match.id):
        if seat in record.disclosed and not match.position.play_over:
            found["disclosed"] = path
        if answers(record.log, match.log, seat):
            found |= dict.fromkeys(_unsettled(match, record, seat), path)
    order: tuple[Why, ...] = ("answered", "disclosed", "slipped", "settled")
    return next((Halt(why, found[why]) for why in order if why in found), None)


def _unsettled(match: Match, other: Record, seat: Seat) -> Iterator[Why]:
    """What an answer in that other history comes to; nothing where both have settled a slip.

    It stays for a fork of the opponent's: he could write a second history, and ask to settle. It
    stays, too, where both have settled for the other one as well (they have played on in there),
    and where the other one has another guest, who signs nothing here.
    """
    foul = compare(match.log, other.log).by != seat or _has_other_guest(match, other)
    if foul or _settlers_of(other, match) >= BOTH:
        yield "answered"
    elif (agreed := match.settled_over(other.log)) != BOTH:
        yield "settled" if seat in agreed else "slipped"


def _has_other_guest(match: Match, other: Record) -> bool:
    guests = {log[1].tree["player"]["key"] for log in (match.log, other.log)}
    return len(guests) > 1


def _settlers_of(other: Record, match: Match) -> set[str]:
    return settlers(other.log, other.settled, match.log)


def early_entries(home: Home, log: Sequence[Entry]) -> str:
    """The entries kept aside that come behind a log, as `5-6`; empty where there are none.

    What follows the newest entry itself counts too, if it names that as the one before.
    """
    spans = []
    for name, text in home.aside(log[0].id):
        first, last = (int(part) for part in name.split("-")[:2])
        if first > len(log) or (first == len(log) and _follows(text, log[-1])):
            spans.append((first, last))
    return f"{min(spans)[0]}-{max(last for _, last in spans)}" if spans else ""


def _follows(text: str, entry: Entry) -> bool:
    """Whether a short form goes on from that entry."""
    from mbp.post.armour import Short, find_shorts

    shorts = [one for one in find_shorts(text) if isinstance(one, Short)]
    return any(one.trees[0].get("prev") == entry.id for one in shorts)


def _early(home: Home, match: Match, seat: Seat) -> Halt | None:
    """Whether entries are kept aside that follow one which the own seat has to write."""
    entries = early_entries(home, match.log) if match.pen == seat else ""
    return Halt("early", entries=entries) if entries else None


def _forks(home: Home, log: Sequence[Entry], seat: str | None) -> Iterator[tuple[Path, Record]]:
    """The histories that are kept as a fork of the opponent's."""
    for path, record in kept_records(home, log[0].id):
        relation = compare(log, record.log)
        if relation.kind == "fork" and relation.by != seat:
            yield path, record


def _seat_in(log: Sequence[Entry], home: Home) -> str | None:
    """The own seat in a log."""
    if not home.has_identity:
        return None
    key = home.profile().key
    openings = (entry for entry in log[:2] if "player" in entry.tree)
    return next((entry.by for entry in openings if entry.tree["player"]["key"] == key), None)
