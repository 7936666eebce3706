"""`mbp standings` and `mbp stats`: tables out of an archive, from matches that audit clean."""

from __future__ import annotations

from typing import Annotated

import typer

from mbp.audit import Examined, examine, unread
from mbp.cli.commands import number
from mbp.cli.session import Session, session_of
from mbp.cli.sources import Place, Source, find_sources
from mbp.cli.tally import table_lines
from mbp.cli.terminal import clean, columns, to_json
from mbp.cli.verdict import MOST_JOBS, PATHS, count_of
from mbp.cli.workers import jobs_for, run
from mbp.errors import MbpError
from mbp.report import stats
from mbp.report.facts import Book, Facts, facts_of
from mbp.report.standings import standings
from mbp.rules.contract import COLOURS, Line, Span

JOBS = typer.Option(metavar="N", help="Processes at work at once.", show_default="all cores")
FOR_PROGRAMS = typer.Option("--json", help="For programs.")
HEAD = ("no", "player", "played", "won", "drawn", "lost", "none", "points", "rating")
NARROW = (0, 1, 3, 5, 8)  # the columns that a terminal of 40 columns has room for
LONGEST, SHORTER = 32, 16  # columns of a name


def rank(
    ctx: typer.Context,
    paths: Annotated[list[str], PATHS],
    as_json: Annotated[bool, FOR_PROGRAMS] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="For spreadsheets.")] = False,
    jobs: Annotated[str | None, JOBS] = None,
) -> None:
    """List the players of an archive with wins, losses, draws, points and an Elo rating.

    Who is who goes by key. Only matches that are over and verify count, each once.
    """
    session = session_of(ctx)
    book = _book(session, paths, jobs)
    found = standings(book.matches)
    if as_json:
        session.terminal.put(to_json(found.tree()))
    elif as_csv:
        session.terminal.stdout.write(found.csv_text().replace("\r\n", "\n"))
    else:
        wide = session.terminal.width >= 78
        wanted, most = (range(len(HEAD)), LONGEST) if wide else (NARROW, SHORTER)
        rows = [tuple(_cut(row[place], most) for place in wanted) for row in found.cells]
        head = tuple(HEAD[place] for place in wanted)
        session.terminal.put_lines(table_lines(head, rows, texts=2))
    for remark in book.remarks:
        session.terminal.say(remark)


def tell_stats(
    ctx: typer.Context,
    paths: Annotated[list[str], PATHS],
    as_json: Annotated[bool, FOR_PROGRAMS] = False,
    jobs: Annotated[str | None, JOBS] = None,
) -> None:
    """Tell how the matches of an archive went, by game and options.

    Length, scores of winners and losers, ends, wins of who moved first, colours named in moves.
    """
    session = session_of(ctx)
    book = _book(session, paths, jobs)
    found = stats.groups(book.matches)
    if as_json:
        session.terminal.put(to_json([group.tree() for group in found]))
    else:
        for group in found:
            session.terminal.put_lines([*_group_lines(group), ()])
    for remark in book.remarks:
        session.terminal.say(remark)


def _book(session: Session, paths: list[str], jobs: str | None) -> Book:
    """The matches that PATHs name."""
    asked = None if jobs is None else number(jobs, "--jobs", 1, MOST_JOBS)
    place = Place(session.cwd, session.shown)
    total = count_of(session, paths, place)
    book = Book()
    with session.terminal.progress("verifying", total) as step:
        for facts in run(facts_of_source, find_sources(paths, place), jobs_for(total, asked)):
            book.add(facts)
            step()
    return book


def facts_of_source(source: Source) -> Facts:
    """Audits a file and keeps what tables need."""
    try:
        return facts_of(examine(source.name, source.read()))
    except MbpError as failure:
        return facts_of(Examined(unread(source.name, str(failure)), None))


def _cut(text: str, most: int) -> str:
    """A cell that leaves room for the others."""
    shown = clean(text)
    while columns(shown) > most:
        shown = f"{shown[:-2]}…"
    return shown


def _group_lines(group: stats.Group) -> list[Line]:
    """A group as a block of lines, which 40 columns have room for."""
    values = dict(zip(stats.HEAD, group.cells, strict=True))
    ends = ", ".join(f"{end} {count}" for end, count in sorted(group.ends.items())) or "–"
    rows = [
        ("matches", f"{values['matches']}, {values['over']} over"),
        ("entries", values["entries"]),
        ("scores", f"winner {values['winner']}, loser {values['loser']}"),
        ("first wins", values["first wins"]),
        ("ends", ends),
    ]
    lines: list[Line] = [(Span(f"{group.game}, {group.options}", style="bold"),)]
    lines += [(Span(f"  {name:<11}{value}"),) for name, value in rows]
    if any(group.colours):
        spans = [
            Span(f" {name} {count}", colour)
            for colour, (name, count) in enumerate(zip(COLOURS, group.colours, strict=True))
        ]
        lines += [(Span("  colours   "), *spans[:3]), (Span(" " * 12), *spans[3:])]
    return lines
