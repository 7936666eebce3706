"""A game file as sentences, for `git diff` and `git log -p` (git's textconv).

One line for each entry, so that a diff shows the moves that were added. The file is verified: where
an entry does not hold, that is said in its place, and what follows is only what the file claims.
"""

from __future__ import annotations

from collections.abc import Iterator

from mbp import gamefile
from mbp.chain import Entry, Record
from mbp.errors import FormatError, VerificationError
from mbp.git.trust import trusted_by
from mbp.home import Home
from mbp.match import Match
from mbp.match.sentences import sentence


def diff_text(data: bytes, home: Home | None) -> str:
    """The lines that git compares; a file that is none of mbp's is shown as it is.

    With a home, what it has verified before is not verified again.
    """
    if not data:
        return ""
    try:
        record = gamefile.load(data)
    except FormatError as error:
        return f"not a game file: {error}\n{data.decode('utf-8', 'replace')}"
    return "".join(f"{line}\n" for line in _lines(record, home))


def _lines(record: Record, home: Home | None) -> Iterator[str]:
    trusted = trusted_by(home, record.game_id)
    try:
        match, dropped = trusted.verify(record)
    except VerificationError as error:
        held = record.prefix(error.seq or 0)
        if held.log:
            match, _ = trusted.verify(held)
            yield from _told(match)
        yield f"DOES NOT HOLD: {error}"
        yield from (_claimed(entry) for entry in record.log[len(held.log) :])
        return
    yield from _told(match)
    yield from _beside(match)
    yield from (f"DOES NOT HOLD: {reason}" for reason in dropped)


def _told(match: Match) -> Iterator[str]:
    """A line for each entry, and one for each note."""
    yield f"{match.game.name} {match.id}"
    options = ", ".join(f"{name} {value}" for name, value in match.position.options.items())
    yield f"options {options}"
    for moment in match.moments:
        entry = moment.entry
        yield f"{entry.seq:>3} {match.players[entry.by].name}: {sentence(moment)}"
        if "note" in entry.tree:
            yield f"      “{entry.tree['note']}”"


def _claimed(entry: Entry) -> str:
    return f"{entry.seq[:10]:>3} {entry.by}: {entry.act}"


def _beside(match: Match) -> Iterator[str]:
    """What stands beside the log, and how the match stands."""
    for seat in match.disclosed:
        yield f"cards disclosed by {seat}"
    for item in match.settled:
        yield f"settled by {item['by']}: {item['keep'][:8]} stands, {item['drop'][:8]} is dropped"
    summary = match.summary
    standing = f"score {summary['score']}, outcome {summary['outcome']}"
    if "termination" in summary:
        standing += f" ({summary['termination']})"
    yield standing
