"""The pages of an archive around those of its matches: index, standings, statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mbp.report import stats
from mbp.report.chart import bars
from mbp.report.escape import markup
from mbp.report.facts import Facts
from mbp.report.page import document
from mbp.report.standings import Standings
from mbp.report.story import NOBODY, ending
from mbp.rules.contract import SEATS, Seat

INDEX, STANDINGS, STATS = "index.html", "standings.html", "stats.html"
PAGES = ((INDEX, "Matches"), (STANDINGS, "Standings"), (STATS, "Statistics"))


def _around(title: str, here: str, body: str) -> str:
    links = " · ".join(
        f'<span aria-current="page">{name}</span>' if target == here
        else f'<a href="{target}">{name}</a>'
        for target, name in PAGES
    )  # fmt: skip
    header = f"<header><h1>{markup(title)}</h1><nav aria-label='Pages'>{links}</nav></header>"
    return document(title, f"{header}<main>{body}</main><footer></footer>")


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    name: str,
    numbers: Sequence[int] = (),
    minor: Sequence[int] = (),
    foreign: Sequence[int] = (),
) -> str:
    """A table of markup; `numbers` are columns that stand at the right.

    A narrow window has no room for the `minor` columns; what is `foreign` may have long words.
    """
    kinds = []
    for place in range(len(head)):
        marks = {"r": numbers, "m": minor, "n": foreign}
        words = [mark for mark, places in marks.items() if place in places]
        kinds.append(f' class="{" ".join(words)}"' if words else "")
    top = "".join(
        f'<th scope="col"{kind}>{one}</th>' for kind, one in zip(kinds, head, strict=True)
    )
    inner = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{one}</td>" for kind, one in zip(kinds, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{markup(name)}">'
        f"<table><thead><tr>{top}</tr></thead><tbody>{inner}</tbody></table></div>"
    )


def unfinished(title: str) -> str:
    """What stands for the index until all pages are there."""
    told = "<p>This site is not complete: the export is at work, or was ended before its end.</p>"
    return document(title, f"<header><h1>{markup(title)}</h1></header><main>{told}</main>")


def index_page(title: str, files: Sequence[tuple[Facts, str]]) -> str:
    """All files of the archive, those that do not hold first; with each why it does not count."""
    good = sum(one.ok for one, _ in files)
    bad = "" if good == len(files) else " bad"
    box = (
        f'<div class="verdict{bad}"><p><strong>{good} of {len(files)} files hold</strong>, '
        "verified by an audit without any key.</p></div>"
    )
    ordered = sorted(files, key=lambda pair: (pair[0].ok, pair[0].begun, pair[0].file))
    rows = [_index_row(one, remark) for one, remark in ordered]
    made = table(("Match", "Audit"), rows, "Matches", foreign=(0, 1))
    return _around(title, INDEX, f"{box}{made}")


def _index_row(one: Facts, remark: str) -> tuple[str, ...]:
    audit = "holds" if one.ok else f"<strong>does not hold</strong>: {markup(one.said)}"
    if remark:
        audit = f"holds, but does not count: <strong>{markup(one.evidence or remark)}</strong>"
    if not one.game:
        return (markup(one.file), audit)
    names = names_of(one)
    link = f'<a href="{one.page}">{markup(names["A"])} – {markup(names["B"])}</a>'
    details = f"{one.game}, {one.chosen}, {one.begun[:10]}, {one.entries} entries"
    stands = remark
    if one.ok and not remark:
        stands = ending(names, one.outcome, one.scores, claimed=one.claimed)
    lines = [link, *([markup(stands)] if stands else []),
             f'<span class="faint">{markup(details)}</span>']  # fmt: skip
    return ("<br>".join(lines), audit)


def names_of(one: Facts) -> dict[Seat, str]:
    """What the players of a match call themselves."""
    people = one.people or {}
    return {seat: people[seat].name if seat in people else NOBODY for seat in SEATS}


def standings_page(title: str, found: Standings, remarks: Sequence[str]) -> str:
    """The table of the players."""
    head = ("#", "Player", "Rating", "Played", "Wins", "Draws", "Losses", "No result", "Points")
    rows = [tuple(map(markup, cells[:9])) for cells in found.cells]
    notes = "".join(f"<p>{markup(one)}.</p>" for one in remarks)
    about = (
        '<p class="faint">By key, from matches that are over and verify. The rating is Elo’s, '
        "everybody starting with 1500 and K being 32; matches count in the order in which they "
        "ended, by the players’ own clocks. One that ended by a claim counts like any other. "
        "“No result” is one that both agreed to end, and is not rated.</p>"
    )
    told = (
        table(head, rows, "Standings", range(2, 9), (3, 5, 7), (1,)) if rows else "<p>None yet.</p>"
    )
    return _around(title, STANDINGS, f"{told}{notes}{about}")


def stats_page(title: str, found: Sequence[stats.Group]) -> str:
    """Tables and plots of how the matches went."""
    head = ("Options", "Matches", "Over", "Entries", "Winner", "Loser", "First wins")
    parts = []
    for whole, some in stats.by_game(found):
        name = whole.game.capitalize()
        rows = [tuple(map(markup, group.cells)) for group in (whole, *some)]
        drawn = "".join(
            f"<section><h3>{heading}</h3>{bars(f'{name}, {heading.lower()}', counts)}</section>"
            for heading, counts in stats.plots(whole, some)
        )
        told = table(head, rows, f"{name} by options", range(1, 7), (2, 4, 5))
        parts.append(f'<h2>{markup(name)}</h2>{told}<div class="plots">{drawn}</div>')
    return _around(title, STATS, "".join(parts) or "<p>No match counts yet.</p>")
