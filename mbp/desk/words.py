"""What the desk says to its owner. Pure; peers' text is cleaned where it is printed."""

from __future__ import annotations

from mbp.chain import Entry, Relation
from mbp.desk.histories import Choice
from mbp.match import Match
from mbp.match.sentences import histories, sentence
from mbp.rules.contract import Seat

SPLIT_HINT = (
    "both are kept as evidence: mbp fork shows them, mbp settle signs for one of them; to stand by "
    "one without a signature: mbp receive FILE --take, with its file"
)
BARRED = (
    "a second answer would open cards of the first; to go on there, take that history back: "
    "mbp receive FILE --take"
)

STILL_BARRED = (
    "your key has answered in the dropped branch: nothing more is signed in this one, until both "
    "players have settled on it, and never where the fork is your opponent's"
)


def held_note(held: Entry | None) -> tuple[str, ...]:
    """Says that an entry is held back (protocol 2.4)."""
    if held is None:
        return ()
    return (
        f"entry {held.seq} is dated {held.tree['time']}, ahead of this clock: held back, "
        "receive the file again later",
    )


def choice_notes(choice: Choice) -> tuple[str, ...]:
    """Says what a given file was beside the known state."""
    relation, count = choice.relation, len(choice.match.log)
    if relation.kind == "newer":
        return (f"the file is an older copy: the match stands at entry {count - 1}",)
    if relation.kind == "twins":
        return (f"entry {relation.seq} was written twice (twins): the match goes on",)
    if choice.split:
        return (split_words(choice),)
    return ()


def split_words(choice: Choice) -> str:
    """Names a fork, or two authors (protocol 2.5, 9.3)."""
    return histories(choice.match, choice.relation)


def relation_words(relation: Relation) -> str:
    """Says of two states that are one history how they belong together."""
    if relation.kind == "twins":
        return f"entry {relation.seq} was written twice (twins), which is no fork"
    if relation.kind == "same":
        return "both files hold the same entries"
    older = "the first" if relation.kind == "older" else "the second"
    return f"{older} file is an older copy of the other, up to entry {relation.seq - 1}"


def new_moves(known: Match | None, match: Match, seat: Seat | None) -> list[str]:
    """The entries that were not known, in words."""
    start = 0 if known is None else len(known.log)
    if known is not None and known.log != match.log[:start]:
        start = next(
            (n for n, (a, b) in enumerate(zip(known.log, match.log, strict=False)) if a.id != b.id),
            start,
        )
    return [
        f"{who(match, moment.entry.by, seat)}: {sentence(moment)}"
        for moment in match.moments[start:]
    ]


def who(match: Match, by: Seat, seat: Seat | None) -> str:
    """A player as the reader knows them."""
    return "you" if by == seat else match.players[by].name


def not_now(match: Match, seat: Seat) -> str:
    """Why a seat cannot play a move now."""
    if match.pen is None:
        return "the match is over"
    if match.pen != seat:
        name = match.players[match.pen].name if match.pen in match.players else "your opponent"
        return f"it is not your turn: {name} is next"
    return f"now {match.position.duty} is due, not a move"
