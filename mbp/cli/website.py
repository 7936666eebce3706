"""The site of an archive: an index, standings, statistics, and a page for each match.

The index is written first, as a page that says that the rest is to come: whatever ends the writing,
the folder is known as a site, and the same command makes it whole. Pages that no match has any more
are removed in the end. Nothing is written over but pages of mbp, and never through a link.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mbp.cli.archive import count_of, each
from mbp.cli.examining import examined_source
from mbp.cli.session import Session
from mbp.cli.sources import Source
from mbp.errors import MbpError
from mbp.files import IrregularError, is_folder, make_folder, read_start, write_atomic
from mbp.report import index, page, stats
from mbp.report.facts import Book, Facts, facts_of
from mbp.report.standings import standings
from mbp.report.story import tell

OWN = re.compile(r"[0-9a-f]{16}-[0-9a-f]{8,16}\.html")  # the name of a page of a match


@dataclass(frozen=True)
class MatchPage:
    """A file of the archive: what tables need of it, and its page, if it has one."""

    facts: Facts
    text: str


def page_of(source: Source) -> MatchPage:
    """Audits a file and makes its page."""
    examined, data = examined_source(source)
    text = page.page(tell(examined), home=index.INDEX) if examined.match is not None else ""
    return MatchPage(facts_of(examined, data), text)


def write_site(session: Session, text: str, target: Path, asked: int | None) -> bool:
    """Writes the site of what PATH names and returns whether all of it holds. Raises MbpError."""
    _refuse_foreign(session, target)
    total = count_of(session, [text])
    title = f"Matches of {_name(session, text)}"
    make_folder(target)
    _put(session, target / index.INDEX, index.unfinished(title))
    book, files, written = Book(), [], set()
    for made in each(session, "exporting", page_of, [text], total=total, jobs=asked):
        if made.text:
            _put(session, target / made.facts.page, made.text)
            written.add(made.facts.page)
        book.add(made.facts)
        files.append(made.facts)
    pages = {
        index.STANDINGS: index.standings_page(title, standings(book.matches), book.remarks),
        index.STATS: index.stats_page(title, stats.groups(book.matches)),
        index.INDEX: index.index_page(title, [(one, book.remark(one)) for one in files]),
    }
    for name, made_page in pages.items():
        _put(session, target / name, made_page)
    _remove_others(target, written)
    session.terminal.put(session.shown(target / index.INDEX))
    return all(one.ok for one in files)


def _name(session: Session, text: str) -> str:
    """What an archive is called: the folder's own name, or what was typed."""
    path = session.path(text)
    return Path(os.path.realpath(path)).name if is_folder(path) else text


def _put(session: Session, path: Path, text: str) -> None:
    """Writes a page of the site; one that is there must be a page of mbp. Raises MbpError."""
    if not _is_own(path, missing=True):
        shown = session.shown(path)
        raise MbpError(f"{shown} is there already, and no page of mbp", hint=f"move {shown} away")
    write_atomic(path, text.encode("utf-8"), durable=False)


def _is_own(path: Path, *, missing: bool = False) -> bool:
    """Whether a page of mbp is there, itself and not through a link; `missing` where nothing is."""
    if path.is_symlink():
        return False
    try:
        start = read_start(path, 2000)
    except IrregularError:
        return False
    return missing if start is None else page.is_page(start)


def _remove_others(target: Path, written: set[str]) -> None:
    """Removes the pages of matches that the archive does not have any more."""
    for path in sorted(target.iterdir()):
        if OWN.fullmatch(path.name) and path.name not in written and _is_own(path):
            with suppress(OSError):  # gone, or not ours to remove: no link leads to it
                path.unlink()


def _refuse_foreign(session: Session, target: Path) -> None:
    """A site goes into a folder that is new, empty, or has a site already."""
    if not os.path.lexists(target) or (is_folder(target) and _is_own(target / index.INDEX)):
        return
    if not is_folder(target) or any(target.iterdir()):
        shown = session.shown(target)
        raise MbpError(f"{shown} is there already", hint="name a new or empty folder with -o")
