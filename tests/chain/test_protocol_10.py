"""Protocol 10 and 11: the summary, the order of the checks, replay and what may be trusted."""

from __future__ import annotations

import time
from typing import Any

import pytest

from mbp.audit import audit
from mbp.chain import Entry, Record, from_text, prefix_digest, to_text
from mbp.errors import (
    CardError,
    ChainError,
    ExtrasError,
    FormatError,
    OwedError,
    PenError,
    ProofError,
    RuleViolation,
    SignatureError,
    VerificationError,
)
from mbp.gamefile import dump, load
from mbp.match import Match, replay
from tests.chain.gamefile_examples import FILES
from tests.duel import Duel, file_of, identity_of, refusal, refused_next, resealed


@pytest.fixture(scope="module")
def duel() -> Duel:
    return Duel("protocol 10")


@pytest.fixture(scope="module")
def match(duel: Duel) -> Match:
    """A whole match."""
    return duel.finished(duel.begun())


@pytest.fixture(scope="module")
def resigned(duel: Duel, match: Match) -> Match:
    """A short match that is over, with every field that a summary can have."""
    begun = match.at(2)
    assert begun.pen is not None
    return begun.played(begun.pen, "resign", duel.pen(begun.pen))


def summarised(match: Match, summary: dict[str, Any]) -> list[str]:
    """What an audit says of the file with this summary; every finding is check 10."""
    report = audit("x", dump(Record(match.log, match.disclosed, match.settled, summary)))
    assert {finding.check for finding in report.findings} <= {10}
    assert report.ok == (not report.findings)
    return [finding.reason for finding in report.findings]


# 10 the summary


@pytest.mark.parametrize("field", ["A", "B", "entries", "pen", "score", "outcome", "termination"])
def test_10_each_compared_field_of_the_summary(resigned: Match, field: str) -> None:
    true = resigned.summary
    assert summarised(resigned, true) == []
    (said,) = summarised(resigned, {**true, field: "something else"})
    assert f"says {field} is" in said
    (missing,) = summarised(resigned, {name: v for name, v in true.items() if name != field})
    assert "'nothing'" in missing
    (kind,) = summarised(resigned, {**true, field: {"a": "map"}})
    assert field in kind


def test_10_other_fields_of_the_summary_are_for_people(resigned: Match) -> None:
    more = {"move": "33", "board": ["red", "black"], "players": {"x": "y"}}
    assert summarised(resigned, {**resigned.summary, **more}) == []


def dump_and_load(match: Match, summary: dict[str, Any]) -> Record:
    return load(dump(Record(match.log, summary=summary)))


def test_10_b_is_left_out_before_accept_and_termination_while_play_lasts(match: Match) -> None:
    invited = match.at(0)
    assert invited.summary == {
        "A": "Anna",
        "entries": "1",
        "pen": "B",
        "score": "0:0",
        "outcome": "open",
    }
    assert summarised(invited, {**invited.summary, "B": "Bert"})
    begun = match.at(2)
    assert begun.summary["B"] == "Bert"
    assert "termination" not in begun.summary
    assert summarised(begun, {**begun.summary, "termination": "river"})


def test_10_the_outcome_is_open_while_a_cup_is_closed(match: Match) -> None:
    for number in range(3, len(match.log)):
        now = match.at(number)
        if now.position.play_over and now.pen is not None:
            assert now.summary["outcome"] == "open"
            assert now.summary["termination"] == match.summary["termination"]
    assert match.summary["outcome"] in ("A", "B", "draw")
    assert match.summary["pen"] == "none"


def test_10_programs_ignore_the_summary(match: Match) -> None:
    record = dump_and_load(match, {"A": "Eve", "score": "99:0"})
    assert replay(record).summary == match.summary


# 11 order of the checks

CHECKS: dict[type[FormatError] | type[VerificationError], int] = {
    FormatError: 1,
    ChainError: 2,
    SignatureError: 3,
    PenError: 4,
    ProofError: 5,
    CardError: 6,
    RuleViolation: 7,
    OwedError: 8,
    ExtrasError: 10,
}


def test_11_each_check_has_its_number_and_its_error() -> None:
    for error, number in CHECKS.items():
        assert error.check == number


def flipped(text: str, place: int = 20) -> str:
    """A binary value with one bit changed."""
    data = bytearray(from_text(text))
    data[place % len(data)] ^= 1
    return to_text(bytes(data))


def crimes(duel: Duel, before: Match, entry: Entry) -> list[tuple[int, dict[str, Any]]]:
    """Changes to an entry of play, one for each check, by the check that refuses it."""
    cards = entry.cards
    proof = {**cards, "proof": flipped(cards["proof"], 40)}
    return [
        (2, {"seq": "999"}),
        (3, {}),
        (4, {"act": "begin", "coin": to_text(bytes(32))}),
        (5, {"cards": {**cards, "mask": {"pile": "9", "points": to_text(bytes(64))}}}),
        (6, {"cards": proof}),
        (7, {"act": "take red", "cards": None}),
        (8, {"cards": None}),
    ]


def test_11_the_first_failure_is_named(duel: Duel, match: Match) -> None:
    """Each crime alone is refused by its own check, and two together by the earlier one."""
    before = duel.at_play(match.at(5))
    entry = duel.step(before).log[-1]
    seq, author = len(before.log), entry.by
    found = crimes(duel, before, entry)
    for check, change in found:
        signer = identity_of("Eve") if check == 3 else duel.identity(author)
        wrong = resealed(entry, signer, **change)
        assert refused_next(before, wrong) == (check, seq, author), change
    for place, (check, change) in enumerate(found):
        for later, more in found[place + 1 :]:
            if (check, later) in ((4, 7), (7, 8), (6, 7), (6, 8), (5, 6), (5, 7), (5, 8)):
                continue  # both changes would be to one field, or undo one another
            signer = identity_of("Eve") if 3 in (check, later) else duel.identity(author)
            wrong = resealed(entry, signer, **{**more, **change})
            assert refused_next(before, wrong)[0] == check, (check, later)


def test_11_entries_are_checked_one_by_one(duel: Duel, match: Match) -> None:
    """A late check of an early entry comes before an early check of a later one."""
    entry = match.log[3]
    bad = resealed(entry, duel.identity(entry.by), act="take red", cards=None)
    error = refusal(*match.log[:3], bad, *match.log[5:])
    assert (error.check, error.seq, error.author) == (7, 3, entry.by)


def test_11_every_error_names_entry_author_check_and_reason(match: Match) -> None:
    forged = Entry({**match.log[4].tree, "note": "x"})
    error = refusal(*match.log[:4], forged, *match.log[5:])
    assert str(error) == f"entry 4 by {forged.by}: the signature does not hold (check 3)"


def test_11_one_bit_of_any_entry_is_noticed(match: Match) -> None:
    for number in range(2, len(match.log), 3):
        entry = match.log[number]
        for name in ("sig", "time", "act"):
            tree = dict(entry.tree)
            tree[name] = {
                "sig": flipped(tree["sig"]),
                "time": tree["time"].replace("2026", "2027"),
                "act": "resign",
            }[name]
            check, seq, _ = refused_next(match.at(number - 1), Entry(tree))
            assert (check in (2, 3), seq) == (True, number)


# replay


def test_11_replay_gives_the_same_match_again(match: Match) -> None:
    again = replay(load(file_of(match)))
    assert again.log == match.log
    assert again.summary == match.summary
    assert [m.events for m in again.moments] == [m.events for m in match.moments]
    assert again.seen({})[1] == match.seen({})[1]
    assert again.position == match.position


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.name))
def test_11_matches_of_a_second_implementation_hold(path: Any) -> None:
    report = audit(path.name, path.read_bytes())
    assert report.ok, report.findings
    assert report.outcome is not None


def test_11_replay_is_linear_in_the_entries(match: Match) -> None:
    """Twice the moves cost about twice the time; vacations of no cost make the log long."""
    duel = Duel("linear", {**Duel().options, "vacation": "365"})
    start = duel.begun()
    spans = []
    for count in (80, 160, 320):
        now = start
        for _ in range(count):
            now = now.played("A", "vacation 1", duel.pen("A"))
        begin = time.process_time()
        replay(now.record, verified=3)
        spans.append(time.process_time() - begin)
    # Quadratic growth would make the last 16 times the first; linear is 4.
    assert spans[2] < 9 * max(spans[0], 0.002)


# trusted prefixes


def test_11_a_trusted_prefix_skips_signatures_and_proofs_only(match: Match) -> None:
    log = list(match.log)
    log[4] = Entry({**log[4].tree, "sig": flipped(log[4].tree["sig"])})
    wrong = Record(tuple(log))
    assert replay(wrong, verified=len(log)).summary == match.summary  # whoever says so must know
    with pytest.raises(VerificationError):
        replay(wrong, verified=4)
    assert prefix_digest(log, 5) != prefix_digest(match.log, 5)
    assert prefix_digest(log, 4) == prefix_digest(match.log, 4)


def test_11_the_digest_of_a_prefix_is_of_exactly_these_bytes(match: Match) -> None:
    digests = {prefix_digest(match.log, count) for count in range(1, len(match.log) + 1)}
    assert len(digests) == len(match.log)
    noted = [*match.log[:2], Entry({**match.log[2].tree, "note": "x"})]
    assert prefix_digest(noted, 3) != prefix_digest(match.log, 3)


def test_11_a_trusted_prefix_still_keeps_rules_and_debts(duel: Duel, match: Match) -> None:
    before = duel.at_play(match.at(5))
    entry = duel.step(before).log[-1]
    for act, cards, check in (("take red", None, 7), (entry.act, None, 8)):
        wrong = resealed(entry, duel.identity(entry.by), act=act, cards=cards)
        with pytest.raises(VerificationError) as caught:
            replay(Record((*before.log, wrong)), verified=99)
        assert caught.value.check == check
