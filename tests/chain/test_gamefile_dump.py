"""The style that mbp writes (protocol 10), and that what is written is read back."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mbp.chain import Entry, Record
from mbp.gamefile import dump, load
from mbp.gamefile.reader import read_tree
from tests.chain.gamefile_examples import (
    FILES,
    ID,
    SIGNATURE,
    changed,
    encoded,
    example,
    strings,
)


def written(*path: str | int, to: Any) -> str:
    """The file that `dump` makes of the example with another value."""
    return dump(load(encoded(changed(*path, to=to)))).decode()


def test_10_a_log_without_a_summary_is_a_file_too() -> None:
    record = load(encoded(example())).prefix(1)
    assert load(dump(record)) == Record(record.log, summary={"entries": "1"})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_10_a_match_is_written_and_read_back(path: Any) -> None:
    record = load(path.read_bytes())
    data = dump(record)
    assert load(data) == record
    assert dump(load(data)) == data
    assert [entry.id for entry in load(data).log] == [entry.id for entry in record.log]


def test_10_the_file_as_a_person_sees_it() -> None:
    text = written("log", 1, "cards", to={
        "key": "A" * 43 + "=",
        "proof": SIGNATURE,
        "give": {"0:10": "5", "0:9": "A" * 43 + "=", "10:0": "1", "2:0": "2"},
        "open": {"0:0": "R07"},
        "mask": {"proof": "A" * 128, "points": "A" * 43 + "=", "pile": "0"},
    })  # fmt: skip
    second = text[text.index('- seq: "1"') : text.index('- seq: "2"')]
    entry = example()["log"][1]
    assert (
        second
        == f'''\
- seq: "1"
  by: "B"
  time: "{entry["time"]}"
  prev: "{entry["prev"]}"
  player:
    name: "Bó"
    key: "{entry["player"]["key"]}"
  coin: "{entry["coin"]}"
  act: "accept"
  cards:
    key: "{"A" * 43}="
    mask:
      pile: "0"
      points: "{"A" * 43}="
      proof: |-
        {"A" * 76}
        {"A" * 52}
    give:
      0:9: "{"A" * 43}="
      0:10: "5"
      2:0: "2"
      10:0: "1"
    open:
      0:0: "R07"
    proof: |-
      {"A" * 76}
      {"A" * 10}==
  sig: |-
    {entry["sig"][:76]}
    {entry["sig"][76:]}
'''
    )


def test_10_top_level_keys_in_order_and_optional_ones_left_out() -> None:
    text = dump(load(encoded(dict(reversed(example().items()))))).decode()
    tops = [line for line in text.splitlines() if line[0] not in " -"]
    assert tops == ['mbp: "1"', "log:", "disclosed:", "settled:", "summary:"]
    tree = {key: example()[key] for key in ("summary", "log", "mbp")}
    text = dump(load(encoded(tree))).decode()
    assert [line for line in text.splitlines() if line[0] not in " -"] == [
        'mbp: "1"', "log:", "summary:"
    ]  # fmt: skip


def test_10_the_order_of_a_map_does_not_show() -> None:
    def turned(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: turned(node[key]) for key in reversed(node)}
        return [turned(item) for item in node] if isinstance(node, list) else node

    tree = example()
    assert dump(load(encoded({**turned(tree), "summary": tree["summary"]}))) == dump(
        load(encoded(tree))
    )


def test_10_lf_and_76_columns_of_binary_and_keys_on_one_line() -> None:
    for path in FILES:
        data = dump(load(path.read_bytes()))
        assert b"\r" not in data
        assert data.endswith(b"\n")
        assert not any(line.endswith(" ") for line in data.decode().split("\n"))
        for line in data.decode().splitlines():
            content = line.strip()
            if '"' not in content and ":" not in content:
                assert len(content) <= 76


@pytest.mark.parametrize(
    ("note", "text"),
    [
        ("Schön, 良い 🙂", '"Schön, 良い 🙂"'),
        ('say "no" \\ never', '"say \\"no\\" \\\\ never"'),
        ("a\u00a0b\u200dc\u202ed", '"a\\xA0b\\u200Dc\\u202Ed"'),
        ("\ufeff\ufffe\ue000\U000e0001", '"\\uFEFF\\uFFFE\\uE000\\U000E0001"'),
        ("#: - [x] {y}, %TAG", '"#: - [x] {y}, %TAG"'),
        (" leading and trailing ", '" leading and trailing "'),
    ],
)
def test_10_text_is_readable_and_what_cannot_be_seen_is_escaped(note: str, text: str) -> None:
    file = written("log", 3, "note", to=note)
    assert f"\n  note: {text}\n" in file
    assert load(file.encode()).log[3].tree["note"] == note


def test_10_a_binary_value_in_a_summary_is_text() -> None:
    assert f'\n  sig: "{SIGNATURE}"\n' in written("summary", to={"sig": SIGNATURE})


KEYS = st.text("abzAZ_09:.", min_size=1, max_size=6) | st.sampled_from(
    ["...", "null", "0:10", ":", "a:", ".", "x" * 1100, "yes", "1.5"]
)
# Any text but half pairs, which no file can hold.
TEXT = st.text(st.characters(exclude_categories=["Cs"])) | st.text(' \n\t"\\#:-x\x85\u2028\ufeff')
TREES = st.recursive(
    TEXT,
    lambda node: (
        st.lists(node, min_size=1, max_size=4) | st.dictionaries(KEYS, node, min_size=1, max_size=4)
    ),
    max_leaves=12,
)
SUMMARIES = st.dictionaries(KEYS, TREES, min_size=1, max_size=5)
NOTES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=40)
NUMBERS = st.integers(0, 10**30).map(str)
SLOTS = st.builds("{}:{}".format, NUMBERS, NUMBERS)


@settings(max_examples=150, deadline=None)
@given(SUMMARIES)
def test_10_any_summary_is_read_back_by_anybody(summary: dict[str, Any]) -> None:
    record = Record((), summary=summary)
    data = dump(record).replace(b"log:\n", b"log: x\n")
    tree = {"mbp": "1", "log": "x", "summary": summary}
    assert read_tree(data) == tree
    assert read_tree(data, yaml.BaseLoader) == tree
    assert strings(data) == tree


@settings(max_examples=60, deadline=None)
@given(NOTES, st.dictionaries(SLOTS, NUMBERS, min_size=1, max_size=5), SUMMARIES)
def test_10_any_record_is_read_back(note: str, gives: Any, summary: Any) -> None:
    tree = {"seq": "1", "by": "B", "time": "2026-11-30T12:00:00Z", "prev": ID, "act": "deal"}
    entry = Entry({**tree, "note": note, "sig": SIGNATURE, "cards": {"give": gives}})
    record = Record((FIRST, entry), summary=summary)
    assert load(dump(record)) == record


FIRST = load(encoded(example())).log[0]


def test_10_what_has_no_room_in_readable_form_is_written_densely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    note = 'é "q" \\ \u00a0\ufeff\ufffe\U0010ffff'
    record = load(encoded(changed("log", 1, "note", to=note)))
    readable = dump(record)
    monkeypatch.setattr("mbp.gamefile.MAX_SIZE", len(readable) - 1)
    dense = dump(record)
    assert len(dense) < len(readable)
    assert load(dense) == record
    assert record.log[1].tree["note"] == note
