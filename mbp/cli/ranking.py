"""`mbp standings` and `mbp stats`: tables out of an archive, from matches that audit clean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from mbp.cli.archive import each
from mbp.cli.commands import number
from mbp.cli.reading import facts_of_source
from mbp.cli.session import Session, session_of
from mbp.cli.tally import table_lines
from mbp.cli.terminal import clean, columns, to_json, wrapped
from mbp.cli.verdict import DAMAGED, MOST_JOBS, PATHS
from mbp.report import stats
from mbp.report.facts import Book
from mbp.report.standings import Standings, standings
from mbp.rules.contract import COLOURS, Line, Span
from mbp.rules.layout import width_of

JOBS = typer.Option(metavar="N", help="Processes at work at once.", show_default="all cores")
FOR_PROGRAMS = typer.Option("--json", help="For programs.")
HEAD = ("no", "player", "rating", "played", "won", "drawn", "lost", "no result", "points")
# Columns of each table by their number in it, the first choice that fits counts.
RANKED = (range(len(HEAD)), (0, 1, 2, 4, 6))
PARTED = (range(len(stats.HEAD)), (0, 1, 3, 6), (0, 1, 6), (0, 6))
SHORTEST = 16  # columns that a name has at least


def rank(
    ctx: typer.Context,
    paths: Annotated[list[str], PATHS],
    as_json: Annotated[bool, FOR_PROGRAMS] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="For spreadsheets.")] = False,
    jobs: Annotated[str | None, JOBS] = None,
) -> None:
    """List the players of an archive with an Elo rating, wins, losses, draws and points.

    Who is who goes by key. Only matches that are over and verify count, each once. "no result":
    ended by agreement, and not rated.
    """
    session = session_of(ctx)
    book = _book(session, paths, jobs)
    found = standings(book.matches)
    if as_json:
        session.terminal.put(to_json(found.tree()))
    elif as_csv:
        session.terminal.stdout.write(found.csv_text().replace("\r\n", "\n"))
    elif found.rows:
        session.terminal.put_lines(ranking_lines(found, session.terminal.width))
    else:
        session.terminal.say("no match that counts is over")
    _end(session, book)


def ranking_lines(found: Standings, width: int) -> list[Line]:
    """The table of players in so many columns; long names give way."""
    for wanted in RANKED:
        head = tuple(HEAD[place] for place in wanted)
        bare = [tuple("" if place == 1 else row[place] for place in wanted) for row in found.cells]
        room = width - max(map(width_of, table_lines(head, bare, texts=2))) + len(HEAD[1])
        if room >= SHORTEST:
            break
    rows = [tuple(_cut(row[place], room) for place in wanted) for row in found.cells]
    return table_lines(head, rows, texts=2)


def tell_stats(
    ctx: typer.Context,
    paths: Annotated[list[str], PATHS],
    as_json: Annotated[bool, FOR_PROGRAMS] = False,
    jobs: Annotated[str | None, JOBS] = None,
) -> None:
    """Tell how the matches of an archive went, by game and by option.

    Length, scores of winners and losers, ends, who moved first and how often they won, colours of
    the cards or tiles that were played.
    """
    session = session_of(ctx)
    book = _book(session, paths, jobs)
    found = stats.groups(book.matches)
    if as_json:
        session.terminal.put(to_json([group.tree() for group in found]))
    elif not found:
        session.terminal.say("no match counts")
    else:
        for place, (whole, parts) in enumerate(stats.by_game(found)):
            gap: list[Line] = [()] * (place > 0)
            width = session.terminal.width
            lines = [*gap, *_group_lines(whole, width), (), *_parts(parts, width)]
            session.terminal.put_lines(lines)
    _end(session, book)


def _end(session: Session, book: Book) -> None:
    """Says what does not count; what cannot be read at all is a failure."""
    for remark in (*book.remarks, *(f"mbp: {one}" for one in book.unread)):
        session.terminal.say(remark)
    if book.unread:
        raise typer.Exit(DAMAGED)


def _book(session: Session, paths: list[str], jobs: str | None) -> Book:
    """The matches that PATHs name."""
    asked = None if jobs is None else number(jobs, "--jobs", 1, MOST_JOBS)
    book = Book()
    for facts in each(session, "verifying", facts_of_source, paths, jobs=asked):
        book.add(facts)
    return book


def _cut(text: str, most: int) -> str:
    """A cell that leaves room for the others."""
    shown = clean(text)
    while columns(shown) > most:
        shown = f"{shown[:-2]}…"
    return shown


def _group_lines(group: stats.Group, width: int) -> list[Line]:
    """All matches of a game as a block of lines."""
    values = dict(zip(stats.HEAD, group.cells, strict=True))
    rows = [
        ("entries", values["entries"]),
        ("scores", f"winner {values['winner']}, loser {values['loser']}"),
        ("starts", ", ".join(f"{seat} {count}" for seat, count in group.starts.items())),
        ("first wins", values["first wins"]),
        ("ends", ", ".join(f"{end} {count}" for end, count in group.ends.items()) or "–"),
    ]
    matches = "1 match" if values["matches"] == "1" else f"{values['matches']} matches"
    lines: list[Line] = [(Span(f"{group.game}, {matches}, {values['over']} over", style="bold"),)]
    for name, value in rows:
        lines += [(Span(one),) for one in wrapped(value, width, f"  {name:<11}", " " * 13)]
    if any(group.colours.values()):
        spans = [
            Span(f" {name} {group.colours[name]}", place) for place, name in enumerate(COLOURS)
        ]
        lines += [(Span("  colours   "), *spans[:3]), (Span(" " * 12), *spans[3:])]
    return lines


def _parts(parts: Sequence[stats.Group], width: int) -> list[Line]:
    """A line for each value of an option, with as many columns as there is room for."""
    for wanted in PARTED:
        rows = [tuple(part.cells[place] for place in wanted) for part in parts]
        lines = table_lines(tuple(stats.HEAD[place] for place in wanted), rows)
        if max(map(width_of, lines)) + 2 <= width:
            break
    return [(Span("  "), *line) for line in lines]
