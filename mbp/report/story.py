"""A match as it is told: every entry with its position as a stranger sees it, and how it ended.

A card is open that was opened, or whose owner has disclosed the secret (protocol 9.5); nothing else
is asked for, so a story can be shown to anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mbp.audit import Examined, Report
from mbp.match import Match
from mbp.match.sentences import sentence
from mbp.match.verify import Moment
from mbp.report.escape import plain
from mbp.rules.contract import SEATS, Happened, Outcome, Seat, Sight, State
from mbp.rules.picture import Picture

NOBODY = "nobody yet"


@dataclass(frozen=True)
class Step:
    """An entry as it is told; the state is None before play begins."""

    seq: int
    by: Seat
    name: str
    time: str
    act: str
    text: str
    note: str
    scores: tuple[int, int]
    great: bool
    state: State | None
    sight: Sight


@dataclass(frozen=True)
class Story:
    """A match with its audit. Texts are plain; `steps` has an item for each entry that holds."""

    match: Match
    report: Report
    names: Mapping[Seat, str]
    steps: tuple[Step, ...]

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; of two histories neither says so."""
        return None if self.report.evidence else self.match.outcome

    @property
    def stands(self) -> str:
        """How the match stands or ended, in words."""
        if self.report.evidence:
            return "two histories, so neither result counts"
        match = self.match
        scores, claimed = match.position.scores, match.position.claimed
        return ending(self.names, match.outcome, scores, claimed=claimed)

    @property
    def title(self) -> str:
        """`Mandala: Anna – Ben`."""
        game = self.match.game.name.capitalize()
        return f"{game}: {self.names['A']} – {self.names['B']}"

    def picture(self, step: Step) -> Picture | None:
        """The board at a step, None before play begins."""
        if step.state is None:
            return None
        return self.match.game.picture(step.state, step.sight, self.names)


def tell(examined: Examined) -> Story:
    """The story of a file of which at least the first entry holds. Raises ValueError otherwise."""
    match = examined.match
    if match is None:
        raise ValueError("nothing of this file holds")
    return Story(match, examined.report, names_of(match), tuple(_steps(match)))


def names_of(match: Match) -> dict[Seat, str]:
    """What the players call themselves, fit to be shown."""
    players = match.players
    return {seat: plain(players[seat].name) if seat in players else NOBODY for seat in SEATS}


def _steps(match: Match) -> Iterator[Step]:
    secrets = match.disclosed_secrets()
    for moment in match.moments:
        entry, position = moment.entry, moment.position
        state, sight = match.at(int(entry.seq)).seen(secrets)
        yield Step(
            seq=int(entry.seq),
            by=entry.by,
            name=plain(position.players[entry.by].name),
            time=entry.tree["time"],
            act=plain(entry.act),
            text=plain(sentence(moment)),
            note=plain(entry.tree.get("note", "")),
            scores=position.scores,
            great=is_great(moment),
            state=state,
            sight=sight,
        )


def is_great(moment: Moment) -> bool:
    """Whether something came of an entry that people look for, such as a complete mandala."""
    return any(isinstance(event, Happened) and event.great for event in moment.events)


@dataclass(frozen=True)
class Verdict:
    """What an audit says of a file in a word and a sentence."""

    ok: bool
    word: str
    said: str


def verdict(report: Report) -> Verdict:
    """Whether a file holds, and what the audit says of it."""
    if report.evidence:
        return Verdict(True, "Evidence", plain(report.evidence))
    if report.ok:
        claimed = "; it ended by a claim, whose time a chain cannot prove" if report.claimed else ""
        return Verdict(True, "Verified", f"all {report.entries} entries verify{claimed}")
    finding = report.findings[0]
    where = "" if finding.seq is None else f"entry {finding.seq} by {finding.author}: "
    said = f"{where}{plain(finding.reason)} (check {finding.check})"
    return Verdict(False, "Does not hold", said)


def ending(
    names: Mapping[Seat, str],
    outcome: Outcome | None,
    scores: tuple[int, int],
    *,
    claimed: bool = False,
) -> str:
    """How a match stands or ended, the winner's points first: `Anna wins 32:18 (river)`."""
    if outcome is None:
        return f"open, {scores[0]}:{scores[1]}"
    count = ":".join(map(str, outcome.points))
    if outcome.termination == "abort":
        return f"no result, {count} (abort)"
    winner = f"{names[outcome.winner]} wins" if outcome.winner else "draw"
    ends = [outcome.termination] * (outcome.termination != "claim") + ["as claimed"] * claimed
    return f"{winner} {count} ({', '.join(ends)})"
