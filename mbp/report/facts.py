"""What tables need to know of a match: small, and easily sent from one process to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from mbp.audit import Examined
from mbp.keys import fingerprint
from mbp.match import Match, first_seat
from mbp.report.escape import plain
from mbp.report.story import verdict
from mbp.rules.contract import COLOURS, SEATS, Outcome, Seat

ID_BYTES = 8  # of each entry's id: enough to tell histories of one match apart


@dataclass(frozen=True)
class Person:
    """A player: the identity key is who, the name is what the player calls himself."""

    key: str
    name: str
    mark: str  # first digits of the key's fingerprint

    @property
    def told_apart(self) -> str:
        """The name with the mark, for where two keys have one name."""
        return f"{self.name} [{self.mark}]"


@dataclass(frozen=True)
class Facts:
    """One file, as far as it holds; without a game where nothing of it does.

    `ids` are the first bytes of the entries' ids in order, `first` the seat that moved first,
    `colours` how often a move named each colour.
    """

    file: str
    ok: bool
    said: str
    game: str = ""
    id: str = ""
    ids: bytes = b""
    options: str = ""
    people: Mapping[Seat, Person] | None = None
    outcome: Outcome | None = None
    scores: tuple[int, int] = (0, 0)
    first: Seat | None = None
    begun: str = ""
    ended: str = ""
    colours: tuple[int, ...] = (0,) * len(COLOURS)

    @property
    def entries(self) -> int:
        """How many entries hold."""
        return len(self.ids) // ID_BYTES

    @property
    def page(self) -> str:
        """The name of the page of this match in a site: of digits alone, whatever the file's."""
        return f"{self.id[:16]}-{self.ids[-ID_BYTES:].hex()[:8]}.html"


def facts_of(examined: Examined) -> Facts:
    """The facts of an audited file."""
    report, match = examined.report, examined.match
    ok, said = verdict(report)
    facts = Facts(plain(report.file), ok, said)
    if match is None:
        return facts
    position = match.position
    return replace(
        facts,
        game=match.game.name,
        id=match.id,
        ids=b"".join(bytes.fromhex(entry.id)[:ID_BYTES] for entry in match.log),
        options=_options(match),
        people={seat: _person(match, seat) for seat in SEATS if seat in match.players},
        outcome=match.outcome,
        scores=position.scores,
        first=first_seat(match.position) if match.position.joint else None,
        begun=match.log[0].tree["time"],
        ended=match.log[-1].tree["time"],
        colours=_colours(match),
    )


def _person(match: Match, seat: Seat) -> Person:
    player = match.players[seat]
    return Person(player.key_text, plain(player.name), fingerprint(player.key).hex[:9])


def _options(match: Match) -> str:
    """The options of the rules that are not the defaults; `defaults` where all are."""
    chosen = match.position.options
    parts = [
        f"{option.name} {chosen[option.name]}"
        for option in match.game.options
        if chosen[option.name] != option.default
    ]
    return ", ".join(parts) or "defaults"


def _colours(match: Match) -> tuple[int, ...]:
    words = [
        word
        for entry in match.log
        if entry.verb in match.game.acts
        for word in entry.act.split(" ")
    ]
    return tuple(words.count(colour) for colour in COLOURS)


class Book:
    """The matches of an archive, each once: of several files of a match the longest counts.

    Files that do not hold do not count, nor does a match of which there are two histories.
    """

    def __init__(self) -> None:
        self._matches: dict[str, Facts] = {}
        self._forked: set[str] = set()
        self.failed = 0

    def add(self, facts: Facts) -> None:
        """Takes in one more file."""
        if not facts.ok:
            self.failed += 1
            return
        known = self._matches.get(facts.id)
        if known is None or facts.ids.startswith(known.ids):
            self._matches[facts.id] = facts
        elif not known.ids.startswith(facts.ids):
            self._forked.add(facts.id)

    @property
    def matches(self) -> list[Facts]:
        """The matches that count, in the order in which they ended."""
        counted = [one for game_id, one in self._matches.items() if game_id not in self._forked]
        return sorted(counted, key=lambda one: (one.ended, one.id))

    @property
    def remarks(self) -> list[str]:
        """What does not count, and why."""
        found = []
        if self.failed:
            words = ("file does", "is") if self.failed == 1 else ("files do", "are")
            found.append(f"{self.failed} {words[0]} not hold and {words[1]} left out")
        found += [
            f"match {game_id[:8]} has two histories and is left out"
            for game_id in sorted(self._forked)
        ]
        return found


def displayed(people: Iterable[Person]) -> dict[str, str]:
    """What each key is called: its last name, with a mark where another key has that name too."""
    last = {person.key: person for person in people}
    names = [person.name.casefold() for person in last.values()]
    return {
        key: person.told_apart if names.count(person.name.casefold()) > 1 else person.name
        for key, person in last.items()
    }
