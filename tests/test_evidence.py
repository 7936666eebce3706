"""Evidence files: an audit verifies both histories, and that they are two (protocol 2.5)."""

from __future__ import annotations

import pytest

from mbp.audit import Report, audit
from mbp.chain import Record
from mbp.errors import FormatError
from mbp.gamefile import dump_evidence, is_evidence, load, load_evidence
from mbp.match import Match
from mbp.rules.contract import Seat
from tests.duel import Duel, file_of, resealed


@pytest.fixture(scope="module")
def branches() -> tuple[Match, Match]:
    """Two histories of one match: one player has signed two moves."""
    duel = Duel("evidence")
    start = duel.at_play(duel.begun())
    texts = duel.texts(start)
    return duel.step(duel.play(start, texts[0])), duel.play(start, texts[-1])


def evidence(one: Match, two: Match) -> bytes:
    return dump_evidence(one.record, two.record)


def reasons(report: Report) -> list[tuple[int, str]]:
    assert not report.ok
    assert not report.evidence
    return [(finding.check, finding.reason) for finding in report.findings]


def test_2_5_a_fork_is_proved_by_its_file_alone(branches: tuple[Match, Match]) -> None:
    data = evidence(*branches)
    assert is_evidence(data)
    assert [record.log for record in load_evidence(data)] == [match.log for match in branches]
    report = audit("fork", data)
    assert report.ok
    assert (report.id, report.entries) == (branches[0].id, 5)
    name = branches[0].players[branches[0].log[3].by].name
    assert report.evidence == f"two histories (fork): {name} has signed two different entries 3"


def test_line_ends_of_another_system_change_nothing(branches: tuple[Match, Match]) -> None:
    data = evidence(*branches)
    assert audit("fork", data.replace(b"\n", b"\r\n")) == audit("fork", data)


def test_1_5_a_game_file_is_no_evidence_and_evidence_no_game_file(
    branches: tuple[Match, Match],
) -> None:
    assert not is_evidence(file_of(branches[0]))
    with pytest.raises(FormatError):
        load(evidence(*branches))


def test_one_history_twice_is_no_evidence(branches: tuple[Match, Match]) -> None:
    one = branches[0]
    assert reasons(audit("x", evidence(one, one))) == [(2, "no two histories: same")]
    assert reasons(audit("x", evidence(one.at(3), one))) == [(2, "no two histories: older")]
    strange = Duel("another match").begun()
    assert reasons(audit("x", evidence(one, strange))) == [(2, "no two histories: strangers")]


def test_an_accusation_that_the_accused_has_not_signed_does_not_hold(
    branches: tuple[Match, Match],
) -> None:
    """Whoever wants to accuse a player cannot write the second entry for him."""
    one, two = branches
    entry = one.log[3]
    other: Seat = "A" if entry.by == "B" else "B"
    forged = resealed(entry, Duel("evidence").identity(other), act=two.log[3].act)
    made_up = Record((*one.log[:3], forged), summary=one.summary)
    assert 3 in [check for check, _ in reasons(audit("x", dump_evidence(one.record, made_up)))]


def test_damaged_evidence_is_check_1(branches: tuple[Match, Match]) -> None:
    data = evidence(*branches)
    first, _, second = data.partition(b"\n---\n")
    for damaged in (first, data + b"---\n" + second, data[: len(data) // 3], b"# mbp evidence"):
        assert [check for check, _ in reasons(audit("x", damaged))] == [1]
