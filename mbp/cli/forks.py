"""`mbp fork` and `mbp settle`: two histories of one match, side by side, and the way out."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Annotated

import typer

from mbp.cli.receive import tell
from mbp.cli.session import Session, session_of
from mbp.cli.telling import title, view_of
from mbp.cli.terminal import clean, columns, to_json, wrapped
from mbp.cli.trees import fork_tree
from mbp.desk.settling import Split
from mbp.desk.shelf import ENDING, EVIDENCE_ENDING
from mbp.desk.words import relation_words
from mbp.match import Match
from mbp.match.sentences import histories, sentence
from mbp.rules.contract import Line, Seat, Span

NARROW = 60  # columns; below, one history stands under the other
SEEN = "what the dropped branch has shown stays seen: no signature makes it unseen"
GAME_FILE = typer.Argument(metavar="FILE", help="A path, game id, or opponent.")


def fork(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    other: Annotated[
        str, typer.Argument(metavar="OTHER", help="The other history, a path; or evidence of both.")
    ],
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="PATH", help="Evidence goes there.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show two histories of a match from where they part, and who signed what twice.

    An evidence file of both is written, which mbp audit verifies by itself. Nothing is signed.
    """
    session = session_of(ctx)
    path, second = session.find(file), session.path(other)
    split = session.desk.split(path, second)
    if not split.is_split:
        nothing = f"no fork: {relation_words(split.relation)}"
        session.terminal.put(to_json(fork_tree(split, None)) if as_json else nothing)
        return
    target = session.path(output) if output else _evidence_path(path, split)
    if not as_json:  # first of all they are shown, whatever becomes of the file
        names = session.shown(path), session.shown(second)
        _show(session, split, names)
        _advise(session, split, names)
    session.desk.write_evidence(split, target)
    shown = session.shown(target)
    if as_json:
        session.terminal.put(to_json(fork_tree(split, shown)))
    else:
        session.terminal.say(f"anyone can verify it: mbp audit {shlex.quote(shown)}")
        session.terminal.put(shown)


def _evidence_path(path: Path, split: Split) -> Path:
    """Beside the first file, the same for the same two branches, however far they have gone."""
    stem = path.name.removesuffix(ENDING).removesuffix(EVIDENCE_ENDING)
    one, two = (branch[:8] for branch in split.branches)
    return path.with_name(f"{stem}-{split.start}-{one}-{two}{EVIDENCE_ENDING}")


def _show(session: Session, split: Split, names: tuple[str, str]) -> None:
    """The two histories from the first entry that differs on."""
    view = view_of(session, split.first, None, Path(names[0]))
    width = session.terminal.width
    lines: list[Line] = [(Span(title(view), style="bold"),)]
    last = split.start - 1
    same = "nothing is the same" if last < 0 else f"the same in both up to entry {last}"
    lines.append((Span(same),))
    one, two = (
        list(_told(match, split.start, session.desk.names(match)))
        for match in (split.first, split.second)
    )
    if width < NARROW:
        for name, told in zip(names, (one, two), strict=True):
            lines.append((Span(clean(name), style="bold"),))
            lines += [(Span(row),) for text in told for row in wrapped(text, width, "  ", "      ")]
    else:
        half = (width - 2) // 2
        lines.append((Span("  ".join(_fitted(clean(n), half) for n in names), style="bold"),))
        lines += [(Span(row),) for row in _side_by_side(one, two, half)]
    session.terminal.put_lines(lines)


def _told(match: Match, start: int, names: Mapping[Seat, str]) -> Iterator[str]:
    for moment in match.moments[start:]:
        yield clean(f"{moment.entry.seq:>3} {names[moment.entry.by]}: {sentence(moment, names)}")


def _side_by_side(one: list[str], two: list[str], half: int) -> Iterator[str]:
    """Rows of two cells, each wrapped within its half."""
    for left, right in zip_longest(one, two, fillvalue=""):
        cells = (wrapped(left, half, "", "    "), wrapped(right, half, "", "    "))
        for a, b in zip_longest(*cells, fillvalue=""):
            yield f"{_fitted(a, half)}  {b}".rstrip()


def _fitted(text: str, width: int) -> str:
    """The text in exactly so many columns."""
    while columns(text) > width:
        text = text[:-2] + "…"
    return text + " " * (width - columns(text))


def _advise(session: Session, split: Split, names: tuple[str, str]) -> None:
    """Who signed twice, and how to go on."""
    say, desk = session.terminal.say, session.desk
    say(histories(split.first, split.relation, None, desk.names(split.first)))
    for match in (split.first, split.second):
        entry = match.log[split.relation.seq]
        say(f"  {entry.id[:16]} by {desk.names(match)[entry.by]}: {entry.act}")
    if split.start:
        say(f"to go on with the first, both of you: mbp settle {shlex.join(names)}")
        say(SEEN)


def settle(
    ctx: typer.Context,
    file: Annotated[str, GAME_FILE],
    other: Annotated[
        str, typer.Argument(metavar="OTHER", help="The history to drop; none: as FILE settles it.")
    ] = "",
) -> None:
    """Sign that the history in FILE stands and that in OTHER is dropped, then send the game file.

    The match goes on once both players stand by one branch. Both histories are kept as evidence.
    The standing one goes into the file of the match; any other file stays as it is.
    """
    session = session_of(ctx)
    path = session.find(file)
    receipt = session.desk.settle(path, session.path(other) if other else None)
    session.terminal.say("settled: your signature for this branch is in the file")
    session.terminal.say(SEEN)
    tell(session, receipt)
