"""`mbp export`: a match as a page, a picture, text, JSON or CSV; an archive as a small site.

Shows what a stranger may see, never the own cards: an exported page goes to other people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from mbp import gamefile
from mbp.audit import Examined, examine
from mbp.cli.commands import number
from mbp.cli.packed import is_archive
from mbp.cli.session import Session, session_of
from mbp.cli.sources import Place, Source, find_sources, is_revision
from mbp.cli.verdict import FAILED, MOST_JOBS
from mbp.cli.walks import is_glob, is_ours
from mbp.cli.website import write_site
from mbp.errors import MbpError
from mbp.files import is_file, is_folder, read_start, write_atomic
from mbp.match import replay
from mbp.report import page, plain, svg
from mbp.report.story import Story, tell

FORMS = ("html", "svg", "txt", "json", "csv")


def export(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game, or a folder of games.")],
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORM", help=f"{' '.join(FORMS)}; else as PATH ends, or html"),
    ] = None,
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

    A folder, archive or revision becomes a small site: an index, standings, and a page for each
    match.
    """
    session = session_of(ctx)
    form, source = _form(to, output), _one(session, file)
    if source is None:
        ok = _export_many(session, file, form, output, at, jobs)
    else:
        ok = _export_one(session, source, form, output, at, jobs)
    if not ok:
        session.terminal.say(f"mbp: not all of it holds: mbp audit {file} tells more")
        raise typer.Exit(FAILED)


def _export_many(
    session: Session, file: str, form: str, output: str | None, at: str | None, jobs: str | None
) -> bool:
    """Makes a site; returns whether all of it holds."""
    if form != "html" or output in (None, "-"):
        raise typer.BadParameter("many games become a site: --to html -o SITE", param_hint="-o")
    if at is not None:
        raise typer.BadParameter("it is for the picture of one game", param_hint="--at")
    asked = None if jobs is None else number(jobs, "--jobs", 1, MOST_JOBS)
    return write_site(session, file, session.path(output or ""), asked)


def _export_one(
    session: Session,
    source: Source,
    form: str,
    output: str | None,
    at: str | None,
    jobs: str | None,
) -> bool:
    """Makes one document; returns whether all of the game holds."""
    if jobs is not None:
        raise typer.BadParameter("it is for many games", param_hint="--jobs")
    if at is not None and form != "svg":
        raise typer.BadParameter(f"it is for --to svg, not for {form}", param_hint="--at")
    examined = _examined(source)
    _write(session, _rendered(tell(examined), form, at), output, form)
    return examined.report.ok


def _form(to: str | None, output: str | None) -> str:
    """What is to be made: as `--to` says, or the ending of the file that is to be written."""
    if to is not None and to not in FORMS:
        raise typer.BadParameter(f"{to!r} is none of {', '.join(FORMS)}", param_hint="--to")
    ending = Path(output or "").suffix.lower().removeprefix(".")
    named = "html" if ending == "htm" else ending
    if to is not None and named in FORMS and named != to:
        raise typer.BadParameter(f"{to!r}, but -o names a file of {named}", param_hint="--to")
    return to or (named if named in FORMS else "html")


def _one(session: Session, file: str) -> Source | None:
    """The one game that FILE means; None for a folder, an archive, a revision, a glob."""
    path, place = session.path(file), Place(session.cwd, session.shown)
    if is_revision(file, place):
        found = list(islice(find_sources([file], place), 2))
        return found[0] if [one.name for one in found] == [file] else None
    if is_folder(path) or (is_file(path) and is_archive(path.name)):
        return None
    if not is_file(path) and is_glob(file):
        return None
    path = session.find(file)
    return Source(session.shown(path), str(path))


def _examined(source: Source) -> Examined:
    """The file as an audit finds it. Raises FormatError, VerificationError where nothing holds."""
    try:
        data = source.read()
    except MbpError as failure:
        raise type(failure)(f"{source.name}: {failure}", hint=failure.hint) from None
    examined = examine(source.name, data)
    if examined.match is None:
        replay(gamefile.load(data))
    return examined


def _rendered(story: Story, form: str, at: str | None) -> str:
    if form == "svg":
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
    return writers[form](story)


def _write(session: Session, text: str, output: str | None, form: str) -> None:
    """Writes to standard output, or to a file that is not there yet or was made by an export."""
    if output is None or output == "-":
        session.terminal.stdout.write(text.replace("\r\n", "\n"))
        return
    path = session.path(output)
    if is_ours(path.name):
        raise MbpError(
            f"{session.shown(path)} is named like a game", hint="name another file with -o"
        )
    there = read_start(path, 2000)
    ours = {"html": page.is_page, "svg": svg.is_picture}
    if there is not None and not (form in ours and ours[form](there)):
        raise MbpError(f"{session.shown(path)} is there already", hint="name another file with -o")
    write_atomic(path, text.encode("utf-8"))
    session.terminal.put(session.shown(path))
