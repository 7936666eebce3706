"""What came in many letters, sorted: whole files by match, the longest first, then short forms.

Pure, and cheap: a mailbox holds each match many times over, and mostly a file is the beginning of
another one, byte for byte, up to where its log ends. Then only the longest needs to be read, as
long as it holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mbp.errors import FormatError
from mbp.post.armour import Short
from mbp.post.mail import Find

BESIDE = (b"\ndisclosed:", b"\nsettled:", b"\nsummary:")


@dataclass(frozen=True)
class Member:
    """A file of a family: where its log ends, what comes behind, and in which letter it was."""

    cut: int
    tail: bytes
    label: str

    @property
    def has_extras(self) -> bool:
        """Whether there may be more in it than a log, so that it is read in any case."""
        return b"disclosed" in self.tail or b"settled" in self.tail


@dataclass
class Family:
    """Files of which each is the beginning of the longest, up to the end of its log."""

    longest: bytes
    members: list[Member] = field(default_factory=list)

    def fits(self, log: bytes) -> bool:
        """Whether one of both logs is the beginning of the other."""
        return self.longest.startswith(log) or log.startswith(self.longest)

    def newest_first(self) -> Iterator[tuple[Member, bytes]]:
        """Each file with its bytes, those of equal content once."""
        seen = set()
        for member in sorted(self.members, key=lambda one: -one.cut):
            if (member.cut, member.tail) not in seen:
                seen.add((member.cut, member.tail))
                yield member, self.longest[: member.cut] + member.tail


@dataclass
class Intake:
    """All that was found. `troubles` are by letter, with what was wrong."""

    families: list[Family] = field(default_factory=list)
    shorts: dict[tuple[str, int, str], tuple[str, Short]] = field(default_factory=dict)
    troubles: list[tuple[str, FormatError]] = field(default_factory=list)
    size: int = 0  # bytes that are kept of files

    def take_families(self) -> list[Family]:
        """The families found so far, which are not kept any longer."""
        families, self.families, self.size = self.families, [], 0
        return families

    def add(self, label: str, find: Find) -> None:
        """Sorts one find in; `label` names its letter."""
        if find.trouble is not None:
            self.troubles.append((label, find.trouble))
        elif find.short is not None:
            short = find.short
            self.shorts.setdefault((short.game, short.first, short.head), (label, short))
        else:
            self._add_file(label, find.file)

    def _add_file(self, label: str, data: bytes) -> None:
        places = [place for name in BESIDE if (place := data.find(name)) >= 0]
        cut = min(places, default=len(data))
        log, tail = data[:cut], data[cut:]
        family = next((one for one in self.families if one.fits(log)), None)
        if family is None:
            family = Family(b"")
            self.families.append(family)
        self.size += max(0, len(log) - len(family.longest)) + len(tail)
        family.longest = max(family.longest, log, key=len)
        family.members.append(Member(cut, tail, label))

    def sorted_shorts(self) -> list[tuple[str, Short]]:
        """The short forms by match and place, of those that begin together the longest first."""
        found = list(self.shorts.values())
        return sorted(found, key=lambda pair: (pair[1].game, pair[1].first, -pair[1].last))
