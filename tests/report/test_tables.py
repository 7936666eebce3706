"""Standings, statistics, and the pages around an archive."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

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
        file="f", ok=True, said="", game="mandala", id=f"{day:064}", ids=bytes(16 * 30),
        course=bytes(16 * 30), digest=f"{day:064}", options={"draw": "full"},
        people={"A": a, "B": b}, outcome=Outcome(end, winner, scores),
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


@pytest.mark.parametrize("name", [
    "Anna ", " Anna", "Anna\u00a0", "ANNA", "\uff21nna", "Anna [an]", "Anna\uff3ban\uff3d",
    "Anna\u115f",
])  # fmt: skip
def test_names_that_look_the_same_are_told_apart(name: str) -> None:
    shown = displayed([ANNA, Person("xy", name, "xy")])
    assert shown["anna"] == "Anna [an]"
    assert shown["xy"].endswith(" [xy]")


def test_two_spellings_of_one_letter_are_one_name() -> None:
    assert "[" in displayed([Person("a", "Zo\u00e9", "aa"), Person("b", "Zoe\u0301", "bb")])["a"]


@pytest.mark.parametrize("name", ["Anna [d83a 73c7]", "Ben \u27e6an\u27e7", "\u3164", "\u0410nna"])
def test_a_name_that_pretends_to_be_marked_or_another_has_a_mark(name: str) -> None:
    assert displayed([Person("xy", name, "xy")])["xy"].endswith(" [xy]")


def test_marks_that_begin_alike_are_shown_whole() -> None:
    marks = {"a": "d83a 73c7 0000", "b": "d83a 73c7 1111", "c": "aaaa bbbb cccc"}
    shown = displayed([Person(key, "Anna", mark) for key, mark in marks.items()])
    assert shown == {
        "a": f"Anna [{marks['a']}]",
        "b": f"Anna [{marks['b']}]",
        "c": "Anna [aaaa bbbb]",
    }


def test_who_stands_equal_shares_a_rank() -> None:
    table = standings([over(ANNA, BEN, "A", 1), over(CLEO, person("dora"), "A", 2)])
    assert [(rank, row.key) for rank, row in table.ranked] == [
        (1, "anna"), (1, "cleo"), (3, "ben"), (3, "dora"),
    ]  # fmt: skip
    assert [row["rank"] for row in table.tree()] == [1, 1, 3, 3]
    assert [cells[0] for cells in table.cells] == ["1", "1", "3", "3"]


def test_each_match_counts_once_and_the_longest_file_of_it() -> None:
    book = Book()
    whole = over(ANNA, BEN, "A", 1)
    shorter = replace(whole, ids=whole.ids[:80], course=whole.course[:80], outcome=None)
    for one in (shorter, whole, shorter, whole):
        book.add(one)
    assert book.matches == [whole]
    assert book.remarks == []


def test_a_match_with_two_histories_and_files_that_do_not_hold_are_left_out() -> None:
    book = Book()
    one = over(ANNA, BEN, "A", 1)
    other = replace(one, course=bytes(16 * 29) + b"something different"[:16])
    for facts in (one, other, replace(one, ok=False)):
        book.add(facts)
    assert book.matches == []
    assert book.remarks == [
        "1 file does not hold and is left out",
        "match 00000000 has two histories and is left out",
    ]


def test_statistics_by_game_and_by_each_value_of_an_option() -> None:
    other = {"draw": "up_to"}
    aborted, still = over(ANNA, BEN, None, 3, "abort"), over(ANNA, BEN, "A", 4)
    matches = [over(ANNA, BEN, "A", 1), over(ANNA, BEN, "B", 2), aborted,
               replace(still, options=other, first="B", outcome=None)]  # fmt: skip
    whole, full, up_to = stats.groups(matches)
    assert whole.tree() == {
        "game": "mandala",
        "options": "all",
        "matches": 4,
        "over": 3,
        "entries": {"least": 30, "median": 30, "most": 30},
        "ends": {"abort": 1, "river": 2},
        "scores": [[2, 1], [2, 1]],
        "starts": {"A": 3, "B": 1},
        "decided": 2,
        "first_wins": 1,
        "colours": {"black": 4, "green": 0, "purple": 0, "yellow": 8, "orange": 0, "red": 0},
    }
    assert (full.options, full.tree()["matches"], full.starts) == ("draw full", 3, {"A": 3, "B": 0})
    assert up_to.cells == ("draw up_to", "1", "0", "–", "–", "–", "–")
    assert stats.by_game([whole, full, up_to]) == [(whole, [full, up_to])]


def test_every_side_of_the_statistics_is_drawn() -> None:
    whole, *parts = stats.groups([over(ANNA, BEN, "A", 1), over(ANNA, BEN, "B", 2)])
    drawn = dict(stats.plots(whole, parts))
    assert drawn["Length in entries"] == {"30–39": 2}
    assert drawn["Winner’s points"] == drawn["Loser’s points"] == {"0–9": 2}
    assert drawn["Ends"] == {"river": 2}
    assert drawn["Who moved first"] == {"the inviter (A)": 2, "the guest (B)": 0}
    assert drawn["How it went for who moved first"] == {"wins": 1, "draws": 0, "losses": 1}
    assert drawn["Colours played"]["yellow"] == 4
    assert drawn["Winner’s points by option"] == {"draw full": 2.0}
    text = index.stats_page("t", [whole, *parts])
    assert all(f"<h3>{heading}</h3>" in text for heading in drawn)


def test_a_stretch_without_matches_is_shown_as_empty() -> None:
    assert stats.spread([62, 41, 99]) == {
        "40–49": 1, "50–59": 0, "60–69": 1, "70–79": 0, "80–89": 0, "90–99": 1
    }  # fmt: skip
    assert stats.spread([]) == {}
    wide = stats.spread([3, 4999])
    assert (len(wide), sum(wide.values())) == (10, 2)


@pytest.mark.parametrize("path", [DISCLOSED, PATTERNS], ids=lambda path: path.stem)
def test_colours_are_those_of_cards_and_tiles_that_were_played(path: Path) -> None:
    found = examined(path)
    assert found.match is not None
    acts = [entry.act.split() for entry in found.match.log if entry.verb in found.match.game.acts]
    if path == PATTERNS:
        laid = [act for act in acts if act[0] != "bowl"]  # each lays or turns one tile
        assert sum(facts_of(found).colours) == len(laid)
    else:
        fixed = {"mountain": 1, "take": 0}  # the others end with their number
        cards = [fixed[act[0]] if act[0] in fixed else int(act[-1]) for act in acts]
        assert sum(facts_of(found).colours) == sum(cards)


def test_facts_of_stored_matches() -> None:
    data = DISCLOSED.read_bytes()
    facts = facts_of(examined(DISCLOSED), data)
    assert (facts.game, facts.entries, facts.scores, facts.chosen) == (
        "mandala", 60, (44, 30), "defaults"
    )  # fmt: skip
    assert facts.options == {"start": "coin", "draw": "full", "deck_end": "last_mandala"}
    assert facts.page == f"{facts.id[:16]}-{sha256(data).hexdigest()[:16]}.html"
    patterns = facts_of(examined(PATTERNS))
    assert patterns.outcome is not None
    assert patterns.first in ("A", "B")


def test_the_pages_of_an_archive_say_all_of_it_and_foreign_text_stays_text() -> None:
    evil = person("evil", EVIL)
    good, bad = over(ANNA, evil, "A", 1), Facts(EVIL, False, EVIL)
    pages = (
        index.index_page(EVIL, [(good, EVIL), (bad, "")]),
        index.standings_page(EVIL, standings([good]), [EVIL]),
        index.stats_page(EVIL, stats.groups([replace(good, options={EVIL: EVIL})])),
    )
    for text in pages:
        found = seen(text)
        assert EVIL in found.text
        assert not {tag for tag, _ in found.elements} & {"img", "script"}
        links = {at["href"] for tag, at in found.elements if tag == "a"}
        assert links <= {"index.html", "standings.html", "stats.html", good.page}
    assert "1 of 2 files hold" in seen(pages[0]).text
