"""A match as text, JSON and CSV, and the texts of peers in them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from mbp.report import plain
from mbp.report.escape import cell, data, markup
from mbp.report.escape import plain as cleaned
from tests.report.stories import DISCLOSED, EVIL, FORMULA, PATTERNS, hostile, story


@pytest.mark.parametrize("path", [DISCLOSED, PATTERNS], ids=lambda path: path.stem)
def test_text_tells_every_entry_and_the_last_board(path: Path) -> None:
    tale = story(path)
    lines = plain.text(tale).splitlines()
    assert tale.match.id[:8] in lines[0]
    assert lines[2] == f"verified: all {len(tale.steps)} entries verify"
    for step in tale.steps:
        assert any(line.startswith(f"{step.seq:>4}  ") and step.text in line for line in lines)
    assert lines[-1] == plain.board_lines(tale, tale.steps[-1])[-1]


@pytest.mark.parametrize("path", [DISCLOSED, PATTERNS], ids=lambda path: path.stem)
def test_json_has_every_entry_with_its_board(path: Path) -> None:
    tale = story(path)
    found = json.loads(plain.json_text(tale))
    assert (found["id"], found["ok"], found["findings"]) == (tale.match.id, True, [])
    assert [entry["seq"] for entry in found["entries"]] == list(range(len(tale.steps)))
    assert [entry["board"] is None for entry in found["entries"]] == [
        step.state is None for step in tale.steps
    ]
    last = found["entries"][-1]["board"]
    assert last == tale.match.game.json(tale.steps[-1].state, tale.steps[-1].sight)


def test_csv_is_a_table_without_formulas() -> None:
    rows = list(csv.DictReader(io.StringIO(plain.csv_text(hostile()))))
    assert [row["seq"] for row in rows] == [str(number) for number in range(6)]
    assert {row["note"] for row in rows} == {"", EVIL, f"'{FORMULA}"}
    assert {row["name"] for row in rows} == {EVIL, f"'{FORMULA}"}


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "  =1"])
def test_a_formula_becomes_a_text(text: str) -> None:
    assert cell(text) == f"'{text}"
    assert cell("field 1") == "field 1"


@pytest.mark.parametrize("letter", ["\x00", "\x1b", "\x9b", "\u202e", "\u2028", "\ufeff", "\uffff"])
def test_what_programs_obey_is_replaced(letter: str) -> None:
    assert cleaned(f"a{letter}b") == "a\ufffdb"
    assert letter not in markup(letter)


def test_a_data_block_cannot_be_ended_from_inside() -> None:
    tree = {"a": "</script><!--", "b": "\u2028"}
    assert "<" not in data(tree)
    assert json.loads(data(tree)) == tree
