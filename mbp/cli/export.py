"""`mbp export`: a match as a page, a picture, text, JSON or CSV; an archive as a small site.

Shows what a stranger may see, never the own cards: an exported page goes to other people.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from mbp import gamefile
from mbp.audit import Examined, examine, unread
from mbp.cli.commands import number
from mbp.cli.session import Session, session_of
from mbp.cli.sources import Place, Source, find_sources
from mbp.cli.verdict import FAILED, MOST_JOBS, count_of
from mbp.cli.workers import jobs_for, run
from mbp.desk.shelf import read_bytes
from mbp.errors import MbpError
from mbp.files import is_folder, make_folder, read_start, write_atomic
from mbp.match import replay
from mbp.report import index, page, plain, stats, svg
from mbp.report.facts import Book, Facts, facts_of
from mbp.report.standings import standings
from mbp.report.story import Story, tell

FORMS = ("html", "svg", "txt", "json", "csv")


def export(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game, or a folder of games.")],
    to: Annotated[str, typer.Option("--to", metavar="FORM", help=" ".join(FORMS))] = "html",
    output: Annotated[
        str | None, typer.Option("-o", metavar="PATH", help="Instead of standard output.")
    ] = None,
    at: Annotated[
        str | None, typer.Option(metavar="SEQ", help="For svg: as it stood behind that entry.")
    ] = None,
    jobs: Annotated[
        str | None, typer.Option(metavar="N", help="For a folder: processes at work at once.")
    ] = None,
) -> None:
    """Make a page, a picture or a table of a game, to show to anybody.

    A folder becomes a small site: an index, standings, and a page for each match.
    """
    session = session_of(ctx)
    if to not in FORMS:
        raise typer.BadParameter(f"{to!r} is none of {', '.join(FORMS)}", param_hint="--to")
    if is_folder(session.path(file)):
        if to != "html" or output is None:
            raise typer.BadParameter(
                "a folder becomes a site: --to html -o SITE", param_hint="FILE"
            )
        asked = None if jobs is None else number(jobs, "--jobs", 1, MOST_JOBS)
        ok = _write_site(session, file, session.path(output), asked)
    else:
        examined = _examined(session, file)
        ok = examined.report.ok
        _write(session, _rendered(tell(examined), to, at), output, to)
    if not ok:
        session.terminal.say(f"mbp: not all of it holds: mbp audit {file} tells more")
        raise typer.Exit(FAILED)


def _examined(session: Session, file: str) -> Examined:
    """The file as an audit finds it. Raises FormatError, VerificationError where nothing holds."""
    path = session.find(file)
    data = read_bytes(path)
    examined = examine(session.shown(path), data)
    if examined.match is None:
        replay(gamefile.load(data))
    return examined


def _rendered(story: Story, to: str, at: str | None) -> str:
    if to == "svg":
        last = len(story.steps) - 1
        step = story.steps[last if at is None else number(at, "--at", 0, last)]
        picture = story.picture(step)
        if picture is None:
            raise MbpError(f"there is no board behind entry {step.seq}: play begins later")
        return svg.alone(picture, story.title)
    writers: Mapping[str, Callable[[Story], str]] = {
        "html": page.page,
        "txt": plain.text,
        "json": plain.json_text,
        "csv": plain.csv_text,
    }
    return writers[to](story)


def _write(session: Session, text: str, output: str | None, to: str) -> None:
    """Writes to standard output, or to a file that is not there yet or was made by an export."""
    if output is None or output == "-":
        session.terminal.stdout.write(text.replace("\r\n", "\n"))
        return
    path = session.path(output)
    there = read_start(path, 2000)
    if there is not None and not _is_ours(there, to):
        raise MbpError(f"{session.shown(path)} is there already", hint="name another file with -o")
    write_atomic(path, text.encode("utf-8"))
    session.terminal.put(session.shown(path))


def _is_ours(data: bytes, to: str) -> bool:
    marks = {"html": page.MARK.encode(), "svg": b'class="board"'}
    return to in marks and marks[to] in data


@dataclass(frozen=True)
class _Page:
    """A file of the archive: what tables need of it, and its page, if it has one."""

    facts: Facts
    text: str


def page_of(source: Source) -> _Page:
    """Audits a file and makes its page."""
    try:
        examined = examine(source.name, source.read())
    except MbpError as failure:
        examined = Examined(unread(source.name, str(failure)), None)
    facts = facts_of(examined)
    text = page.page(tell(examined), home=index.INDEX) if examined.match is not None else ""
    return _Page(facts, text)


def _write_site(session: Session, folder: str, target: Path, asked: int | None) -> bool:
    """Writes a site and returns whether all files hold. Raises MbpError."""
    _refuse_foreign(session, target)
    place = Place(session.cwd, session.shown)
    total = count_of(session, [folder], place)
    make_folder(target)
    book, files = Book(), []
    with session.terminal.progress("exporting", total) as step:
        for made in run(page_of, find_sources([folder], place), jobs_for(total, asked)):
            if made.text:
                write_atomic(target / made.facts.page, made.text.encode("utf-8"), durable=False)
            book.add(made.facts)
            files.append(made.facts)
            step()
    title = f"Matches of {Path(os.path.realpath(session.path(folder))).name}"
    pages = {
        index.STANDINGS: index.standings_page(title, standings(book.matches), book.remarks),
        index.STATS: index.stats_page(title, stats.groups(book.matches)),
        index.INDEX: index.index_page(title, files),
    }
    for name, text in pages.items():
        write_atomic(target / name, text.encode("utf-8"), durable=False)
    session.terminal.put(session.shown(target / index.INDEX))
    return all(one.ok for one in files)


def _refuse_foreign(session: Session, target: Path) -> None:
    """A site goes into a folder that is new, empty, or has a site already."""
    if not target.exists():
        return
    start = read_start(target / index.INDEX, 2**20) if target.is_dir() else None
    if start is not None and page.MARK.encode() in start:
        return
    if not target.is_dir() or any(target.iterdir()):
        shown = session.shown(target)
        raise MbpError(f"{shown} is there already", hint="name a new or empty folder with -o")
