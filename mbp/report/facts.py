"""What tables need to know of a match: small, and easily sent from one process to another."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from mbp.audit import Examined, Settled
from mbp.keys import fingerprint
from mbp.match import Match, first_seat
from mbp.names import alike
from mbp.report.escape import plain
from mbp.report.story import verdict
from mbp.rules.contract import COLOURS, SEATS, Happened, Moved, Outcome, Seat

ID_BYTES = 16  # of each entry's id: nobody finds two entries that share them
MARK = 9  # characters of a fingerprint behind a name
MARKS = re.compile(r"\[[^\[\]]*\]")  # what looks like one
SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")  # whose letters look alike


@dataclass(frozen=True)
class Person:
    """A player: the identity key is who, the name is what the player calls himself."""

    key: str
    name: str
    mark: str  # the key's fingerprint, of which the first digits are shown


@dataclass(frozen=True)
class Facts:
    """One file, as far as it holds; without a game where nothing of it does.

    `unread`: there were no bytes, of which `digest` is the SHA-256. `ids` are the first bytes of
    the entries' ids in order, `course` the same without what twins may differ in (protocol 2.5).
    `first` is the seat that moved first, `colours` how often each colour was played. `evidence` is
    what an evidence file proves, in words; `second` its other history.
    """

    file: str
    ok: bool
    said: str
    unread: bool = False
    digest: str = ""
    game: str = ""
    id: str = ""
    ids: bytes = b""
    course: bytes = b""
    options: Mapping[str, str] = field(default_factory=dict)
    chosen: str = ""  # the options that are not the defaults
    people: Mapping[Seat, Person] | None = None
    outcome: Outcome | None = None
    scores: tuple[int, int] = (0, 0)
    claimed: bool = False
    first: Seat | None = None
    begun: str = ""
    ended: str = ""
    colours: tuple[int, ...] = (0,) * len(COLOURS)
    settled: tuple[Settled, ...] = ()
    evidence: str = ""
    second: Facts | None = None

    @property
    def entries(self) -> int:
        """How many entries hold."""
        return len(self.ids) // ID_BYTES

    @property
    def page(self) -> str:
        """The name of the page of this file in a site: of digits alone, whatever the file's."""
        return f"{self.id[:16]}-{self.digest[:16]}.html"

    def has(self, entry_id: str) -> bool:
        """Whether an entry stands in this history."""
        wanted = bytes.fromhex(entry_id)[:ID_BYTES]
        return any(
            self.ids[place : place + ID_BYTES] == wanted
            for place in range(0, len(self.ids), ID_BYTES)
        )


def facts_of(examined: Examined, data: bytes | None = b"") -> Facts:
    """The facts of an audited file; `data` are its bytes, None where they could not be had."""
    report, match = examined.report, examined.match
    found, digest = verdict(report), sha256(data or b"").hexdigest()
    said = found.said if data is not None else plain(report.findings[0].reason)
    facts = Facts(plain(report.file), found.ok, said, data is None, digest)
    if match is None:
        return facts
    facts = _with_match(facts, match)
    if examined.second is None:
        return facts
    second = _with_match(facts, examined.second)
    return replace(facts, evidence=found.said, second=second)


def _with_match(facts: Facts, match: Match) -> Facts:
    position = match.position
    settled = (Settled(item["by"], item["keep"], item["drop"]) for item in match.settled)
    return replace(
        facts,
        game=match.game.name,
        id=match.id,
        ids=b"".join(bytes.fromhex(entry.id)[:ID_BYTES] for entry in match.log),
        course=b"".join(sha256(entry.bare).digest()[:ID_BYTES] for entry in match.log),
        options={option.name: position.options[option.name] for option in match.game.options},
        chosen=_chosen(match),
        people={seat: _person(match, seat) for seat in SEATS if seat in match.players},
        outcome=match.outcome,
        scores=position.scores,
        claimed=position.claimed,
        first=first_seat(position) if position.joint else None,
        begun=match.log[0].tree["time"],
        ended=match.log[-1].tree["time"],
        colours=_colours(match),
        settled=tuple(settled),
    )


def _person(match: Match, seat: Seat) -> Person:
    player = match.players[seat]
    return Person(player.key_text, plain(player.name), fingerprint(player.key).hex)


def _chosen(match: Match) -> str:
    """The options of the rules that are not the defaults; `defaults` where all are."""
    chosen = match.position.options
    parts = [
        f"{option.name} {chosen[option.name]}"
        for option in match.game.options
        if chosen[option.name] != option.default
    ]
    return ", ".join(parts) or "defaults"


def _colours(match: Match) -> tuple[int, ...]:
    """How many cards of each colour were played from a hand, or tiles laid and turned."""
    played, hands = [0] * len(COLOURS), set(match.game.hands.values())
    for event in (event for moment in match.moments for event in moment.events):
        if isinstance(event, Moved) and event.source in hands and event.colour is not None:
            played[event.colour] += event.count
        elif isinstance(event, Happened) and event.colour is not None:
            played[event.colour] += 1
    return tuple(played)


class Book:
    """The matches of an archive, each once: of several files of a match the longest counts.

    Files that do not hold do not count, nor does a match of which there are two histories. Where
    both players have settled which one they drop (protocol 9.6), the other one counts.
    """

    def __init__(self) -> None:
        self._histories: dict[str, list[Facts]] = {}  # by match, none the beginning of another
        self._settled: dict[str, set[Settled]] = {}
        self._apart: set[str] = set()  # matches of two invitations with one nonce
        self.failed = 0
        self.unread: list[str] = []

    def add(self, facts: Facts) -> None:
        """Takes in one more file."""
        if facts.unread:
            self.unread.append(f"{facts.file}: {facts.said}")
            return
        if not facts.ok:
            self.failed += 1
            return
        for one in (facts, facts.second):
            if one is not None:
                self._settled.setdefault(one.id, set()).update(one.settled)
                self._place(one)
        if facts.second is not None and facts.second.id != facts.id:
            self._apart |= {facts.id, facts.second.id}

    def _place(self, one: Facts) -> None:
        known = self._histories.setdefault(one.id, [])
        if not any(other.course.startswith(one.course) for other in known):
            known[:] = [other for other in known if not one.course.startswith(other.course)]
            known.append(one)

    def dropped(self, one: Facts) -> bool:
        """Whether both players have signed that this history is dropped."""
        found = self._settled.get(one.id, set())
        by = {item.by for item in found if one.has(item.drop) and not one.has(item.keep)}
        return by == set(SEATS)

    def _standing(self, game_id: str) -> list[Facts]:
        return [one for one in self._histories[game_id] if not self.dropped(one)]

    def forked(self, game_id: str) -> bool:
        """Whether there are two histories of a match, or none that its players stand by."""
        return game_id in self._apart or len(self._standing(game_id)) != 1

    @property
    def matches(self) -> list[Facts]:
        """The matches that count, in the order in which they ended."""
        found = [self._standing(game_id)[0] for game_id in self._histories
                 if not self.forked(game_id)]  # fmt: skip
        return sorted(found, key=lambda one: (one.ended, one.id))

    def remark(self, facts: Facts) -> str:
        """Why a file does not count although it holds; empty where it does."""
        if not facts.ok or not facts.game:
            return ""
        if facts.second is None and self.dropped(facts):
            return "both players dropped this history"
        return "two histories" if self.forked(facts.id) else ""

    @property
    def remarks(self) -> list[str]:
        """What does not count, and why."""
        found = []
        if self.failed:
            words = ("file does", "is") if self.failed == 1 else ("files do", "are")
            found.append(f"{self.failed} {words[0]} not hold and {words[1]} left out")
        for game_id, known in sorted(self._histories.items()):
            if self.forked(game_id):
                found.append(f"match {game_id[:8]} has two histories and is left out")
            elif any(map(self.dropped, known)):
                found.append(f"a history of match {game_id[:8]} that both dropped is left out")
        return found


def displayed(people: Iterable[Person]) -> dict[str, str]:
    """What each key is called: its last name, with a mark where it could be taken for another's."""
    last = {person.key: person for person in people}
    bare = {key: _bare(person.name) for key, person in last.items()}
    names, shown = list(bare.values()), {}
    for key, person in last.items():
        if names.count(bare[key]) == 1 and not _doubtful(person.name):
            shown[key] = person.name
            continue
        short = person.mark[:MARK]
        same = [
            one for one in last.values() if (bare[one.key], one.mark[:MARK]) == (bare[key], short)
        ]
        name = " ".join(person.name.split())
        shown[key] = f"{name} [{short if len(same) == 1 else person.mark}]"
    return shown


def _bare(name: str) -> str:
    """What two names have in common that look alike, whatever marks they pretend to have."""
    return alike(MARKS.sub("", alike(name)))


def _doubtful(name: str) -> bool:
    """Whether a name alone looks like a marked one, like none, or mixes scripts that look alike."""
    kinds = [unicodedata.category(letter) for letter in name if letter not in "()"]
    words = {unicodedata.name(letter, "").split(" ")[0] for letter in name}
    mixed = len(words & set(SCRIPTS)) > 1
    return mixed or not alike(name) or any(kind in ("Ps", "Pe") for kind in kinds)
