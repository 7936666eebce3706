"""Which matches of an archive count: one history of each, as its players signed it."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import pytest

from mbp import gamefile
from mbp.audit import examine
from mbp.chain import settle
from mbp.match import Match
from mbp.report import plain
from mbp.report.facts import Book, Facts, facts_of
from mbp.report.page import page
from mbp.report.standings import standings
from mbp.report.stats import groups
from mbp.report.story import tell
from mbp.rules import GAMES
from mbp.rules.contract import SEATS, Seat
from tests.duel import DAY, Duel, file_of, resealed
from tests.report.test_page import seen

DUEL = Duel("book", options={"start": "inviter", "pace": "7"}, game=GAMES["patterns"])


def facts(data: bytes) -> Facts:
    """The facts of a file's bytes."""
    return facts_of(examine("file", data), data)


def book_of(*files: bytes) -> Book:
    """A book of files."""
    book = Book()
    for data in files:
        book.add(facts(data))
    return book


@cache
def begun() -> Match:
    """A match in which it is A's turn."""
    return DUEL.at_play(DUEL.begun(), "A")


@cache
def lost() -> Match:
    """The match as A, who then resigns, has played it."""
    match = DUEL.step(begun())
    match = DUEL.at_play(match, "A")
    return match.played("A", "resign", DUEL.pen("A"))


@cache
def again() -> Match:
    """The same match with a second entry of A's in the place of the first."""
    played = next(text for text in DUEL.texts(begun()) if text != lost().log[len(begun().log)].act)
    return begun().played("A", played, DUEL.pen("A"))


def settled(keep: Match, drop: Match, seats: tuple[Seat, ...]) -> Match:
    """The match with these players' signatures for it."""
    at = len(begun().log)
    for seat in seats:
        item = settle(seat, keep.log[at].id, drop.log[at].id, keep.id, DUEL.identity(seat))
        keep = keep.with_settled(item)
    return keep


def evidence(one: Match, two: Match) -> bytes:
    """The evidence file of two histories."""
    return gamefile.dump_evidence(one.record, two.record)


def test_an_evidence_file_is_no_win() -> None:
    data = evidence(lost(), again())
    book = book_of(data)
    assert book.matches == []
    assert book.remarks == [f"match {lost().id[:8]} has two histories and is left out"]
    assert standings(book.matches).rows == ()
    assert groups(book.matches) == []


def test_a_match_of_which_there_is_evidence_does_not_count_whatever_else_there_is() -> None:
    files = (file_of(lost()), evidence(lost(), again()), file_of(begun()))
    for order in permutations(files):
        assert book_of(*order).matches == []


def test_two_invitations_with_one_nonce_are_two_histories() -> None:
    one = DUEL.accepted()
    entry = resealed(one.log[0], DUEL.identity("A"), note="another")
    entry = resealed(entry, DUEL.identity("A"), options={**DUEL.options, "pace": "9"})
    two = gamefile.load(file_of(one.at(0)))
    bare = type(two)((entry,), summary={**two.summary})
    book = book_of(gamefile.dump_evidence(one.at(0).record, bare))
    assert book.failed == 0
    assert book.matches == []
    assert len(book.remarks) == 2


def test_an_evidence_file_is_shown_as_such() -> None:
    data = evidence(lost(), again())
    found = examine("file", data)
    told = facts_of(found, data)
    assert told.evidence.startswith("two histories (fork): Anna has signed two different entries")
    text = seen(page(tell(found))).text
    assert "Evidence: two histories (fork): Anna has signed" in text
    assert "Verified" not in text
    assert "wins" not in text
    assert "wins" not in plain.text(tell(found))
    tree = plain.tree(tell(found))
    assert (tree["evidence"], tree["outcome"]) == (told.evidence, None)


def test_9_6_the_history_that_both_have_settled_counts() -> None:
    kept = settled(lost(), again(), SEATS)
    for files in permutations((file_of(kept), file_of(again()), file_of(begun()))):
        book = book_of(*files)
        assert [one.outcome for one in book.matches] == [lost().outcome]
        assert book.remarks == [f"a history of match {kept.id[:8]} that both dropped is left out"]
        assert [book.remark(facts(data)) for data in files].count("") == 2
    assert book_of(file_of(kept), evidence(lost(), again())).matches != []
    assert book_of(file_of(kept)).remarks == []


@pytest.mark.parametrize("seats", [("A",), ("B",), ()])
def test_9_6_what_one_player_has_settled_changes_nothing(seats: tuple[Seat, ...]) -> None:
    book = book_of(file_of(settled(lost(), again(), seats)), file_of(again()))
    assert book.matches == []
    assert {book.remark(facts(file_of(one))) for one in (lost(), again())} == {"two histories"}


def test_9_6_settlements_for_both_sides_settle_nothing() -> None:
    one, two = settled(lost(), again(), SEATS), settled(again(), lost(), SEATS)
    assert book_of(file_of(one), file_of(two)).matches == []


def test_2_5_twins_are_one_history() -> None:
    last = lost().log[len(begun().log)]
    late = begun().played("A", last.act, DUEL.pen("A", DUEL.time + DAY), note="later")
    assert late.log[-1].id != last.id
    for files in permutations((file_of(lost()), file_of(late))):
        book = book_of(*files)
        assert [one.outcome for one in book.matches] == [lost().outcome]
        assert book.remarks == []


def test_9_3_a_claim_that_crosses_a_move_makes_two_histories() -> None:
    late = begun().position.time + 8 * DAY
    claimed = begun().played("B", "claim", DUEL.pen("B", late))
    book = book_of(file_of(claimed), file_of(again()))
    assert book.matches == []
    assert [one.claimed for one in book_of(file_of(claimed)).matches] == [True]


def test_the_longest_file_counts_whatever_the_order() -> None:
    states = [file_of(lost().at(seq)) for seq in (1, 3, len(lost().log) - 1)]
    for files in permutations(states):
        (one,) = book_of(*files).matches
        assert one.entries == len(lost().log)
