"""Each vector is refused as protocol 11 says, and the script makes the same bytes again."""

from __future__ import annotations

from collections import Counter

import pytest

from mbp.audit import audit
from tests.vectors.generate import STEPS, files
from tests.vectors.patches import BASES, CRIMES, HERE, dumped
from tests.vectors.survey import file_of, first_finding, index, table

LIMIT = 1_500_000  # bytes of all vectors together


@pytest.mark.parametrize("name", [name for name, claim in index().items() if claim["check"]])
def test_11_crime_is_refused_with_check_entry_author_and_reason(name: str) -> None:
    claim = index()[name]
    check, seq, author, reason = first_finding(name)
    assert (check, seq, author) == (claim["check"], claim["seq"], claim["author"]), reason
    assert claim["reason"] in reason


@pytest.mark.parametrize("name", [name for name, claim in index().items() if not claim["check"]])
def test_11_good_file_is_accepted(name: str) -> None:
    report = audit(name, file_of(name))
    assert report.ok, report.findings


def test_11_there_are_crimes_for_every_check() -> None:
    counts = Counter(claim["check"] for claim in index().values())
    assert counts.total() - counts[None] >= 80
    # Check 9 is derived from what holds by then, and cannot fail.
    assert set(counts) == {None, 1, 2, 3, 4, 5, 6, 7, 8, 10}


def test_each_file_has_a_line_in_the_index_and_says_one_crime() -> None:
    assert {path.stem for path in CRIMES.iterdir()} == set(index())
    assert len({claim["crime"] for claim in index().values()}) > 0.9 * len(index())


def test_made_anew_the_vectors_are_the_same_bytes() -> None:
    stored = {
        path.relative_to(HERE).as_posix(): path.read_bytes()
        for path in (*BASES.iterdir(), *CRIMES.iterdir(), *HERE.glob("*.json"))
    }
    made = {**dict(files()), STEPS: dumped(table())}
    assert sorted(made) == sorted(stored)
    assert [name for name, data in made.items() if data != stored[name]] == []
    assert sum(map(len, made.values())) < LIMIT
