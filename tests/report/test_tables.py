"""Standings, statistics, and the pages around an archive."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mbp.report import index, stats
from mbp.report.facts import Book, Facts, Person, displayed, facts_of
from mbp.report.standings import FACTOR, START, expected, standings
from mbp.rules.contract import Outcome, Seat
from tests.report.stories import DISCLOSED, EVIL, PATTERNS, examined
from tests.report.test_page import seen


def person(key: str, name: str | None = None) -> Person:
    """Somebody whose name is the key, unless told."""
    return Person(key, name or key.capitalize(), key[:2])


def over(a: Person, b: Person, winner: Seat | None, day: int, end: str = "river") -> Facts:
    """A match that ended on a day of January."""
    scores = (1, 2) if winner == "B" else (2, 1)
    return Facts(
        file="f", ok=True, said="", game="mandala", id=f"{day:064}", ids=bytes(8 * 30),
        options="defaults", people={"A": a, "B": b}, outcome=Outcome(end, winner, scores),
        scores=scores, first="A", begun=f"2026-01-{day:02}", ended=f"2026-01-{day:02}",
        colours=(1, 0, 0, 2, 0, 0),
    )  # fmt: skip


ANNA, BEN, CLEO = person("anna"), person("ben"), person("cleo")


def test_wins_losses_draws_and_matches_without_result_are_counted() -> None:
    table = standings([
        over(ANNA, BEN, "A", 1), over(BEN, ANNA, None, 2), over(ANNA, BEN, None, 3, "abort"),
        over(BEN, CLEO, "B", 4, "resign"),
    ])  # fmt: skip
    rows = {row.key: row for row in table.rows}
    counted = {key: (r.wins, r.draws, r.losses, r.none, r.points) for key, r in rows.items()}
    assert counted == {"anna": (1, 1, 0, 1, 1.5), "ben": (0, 1, 2, 1, 0.5), "cleo": (1, 0, 0, 0, 1)}


def test_the_rating_is_elos() -> None:
    assert expected(1500, 1500) == 0.5
    assert expected(1900, 1500) == pytest.approx(10 / 11)  # 400 points: ten to one
    table = standings([over(ANNA, BEN, "A", 1), over(BEN, ANNA, "A", 2)])
    first = START + FACTOR / 2
    second = first - FACTOR * (1 - expected(2 * START - first, first))
    ratings = {row.key: row.rating for row in table.rows}
    assert ratings["anna"] == pytest.approx(second)
    assert sum(ratings.values()) == pytest.approx(2 * START)


def test_an_open_match_and_one_without_a_guest_do_not_count() -> None:
    match = over(ANNA, BEN, "A", 1)
    assert not standings([replace(match, outcome=None), replace(match, people={"A": ANNA})]).rows


def test_one_name_with_two_keys_is_told_apart() -> None:
    twin = person("xy", "anna")
    shown = displayed([ANNA, twin, BEN])
    assert shown == {"anna": "Anna [an]", "xy": "anna [xy]", "ben": "Ben"}


def test_each_match_counts_once_and_the_longest_file_of_it() -> None:
    book = Book()
    whole = over(ANNA, BEN, "A", 1)
    shorter = replace(whole, ids=whole.ids[:80], outcome=None)
    for one in (shorter, whole, shorter, whole):
        book.add(one)
    assert book.matches == [whole]
    assert book.remarks == []


def test_a_match_with_two_histories_and_files_that_do_not_hold_are_left_out() -> None:
    book = Book()
    one = over(ANNA, BEN, "A", 1)
    for facts in (one, replace(one, ids=bytes(8 * 29) + b"different"[:8]), replace(one, ok=False)):
        book.add(facts)
    assert book.matches == []
    assert book.remarks == [
        "1 file does not hold and is left out",
        "match 00000000 has two histories and is left out",
    ]


def test_statistics_by_game_and_options() -> None:
    matches = [over(ANNA, BEN, "A", 1), over(ANNA, BEN, "B", 2), over(ANNA, BEN, None, 3, "abort"),
               replace(over(ANNA, BEN, "A", 4), options="draw up_to", outcome=None)]  # fmt: skip
    one, two = stats.groups(matches)
    assert one.tree() == {
        "game": "mandala",
        "options": "defaults",
        "matches": 3,
        "over": 3,
        "entries": {"least": 30, "median": 30, "most": 30},
        "ends": {"abort": 1, "river": 2},
        "scores": [[2, 1], [2, 1]],
        "decided": 2,
        "first_wins": 1,
        "colours": {"black": 3, "green": 0, "purple": 0, "yellow": 6, "orange": 0, "red": 0},
    }
    assert two.cells == ("mandala", "draw up_to", "1", "0", "–", "–", "–", "–")
    assert stats.lengths_by_ten([one, two]) == {"30–39 entries": 3}


def test_facts_of_stored_matches() -> None:
    facts = facts_of(examined(DISCLOSED))
    assert (facts.game, facts.entries, facts.scores, facts.options) == (
        "mandala", 60, (44, 30), "defaults"
    )  # fmt: skip
    assert facts.page == f"{facts.id[:16]}-{facts.ids[-8:].hex()[:8]}.html"
    patterns = facts_of(examined(PATTERNS))
    assert patterns.outcome is not None
    assert patterns.first in ("A", "B")


def test_the_pages_of_an_archive_say_all_of_it_and_foreign_text_stays_text() -> None:
    evil = person("evil", EVIL)
    good, bad = over(ANNA, evil, "A", 1), Facts(EVIL, False, EVIL)
    pages = (
        index.index_page(EVIL, [good, bad]),
        index.standings_page(EVIL, standings([good]), [EVIL]),
        index.stats_page(EVIL, stats.groups([replace(good, options=EVIL)])),
    )
    for text in pages:
        found = seen(text)
        assert EVIL in found.text
        assert not {tag for tag, _ in found.elements} & {"img", "script"}
        links = {at["href"] for tag, at in found.elements if tag == "a"}
        assert links <= {"index.html", "standings.html", "stats.html", good.page}
    assert "1 of 2 files hold" in seen(pages[0]).text
