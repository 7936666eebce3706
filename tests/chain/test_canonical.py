"""Canonical bytes and what is hashed of an entry (protocol 1.2, 2.2, 5.4)."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbp.canonical import canonical
from mbp.chain import Entry
from tests.chain.gamefile_examples import DATA

VECTORS: dict[str, Any] = json.loads((DATA / "vectors.json").read_text("utf-8"))

TREES = st.recursive(
    st.text(st.characters(exclude_categories=["Cs"])),
    lambda node: st.lists(node) | st.dictionaries(st.text("aZ_0:.", min_size=1), node),
    max_leaves=15,
)


@pytest.mark.parametrize("vector", VECTORS["canonical"])
def test_1_2_known_answers(vector: dict[str, Any]) -> None:
    assert canonical(vector["tree"]) == vector["text"].encode("utf-8")
    assert canonical(vector["tree"]).hex() == vector["hex"]


@given(TREES)
def test_1_2_canonical_bytes_are_json_of_the_same_tree(tree: Any) -> None:
    data = canonical(tree)
    assert json.loads(data) == tree
    assert canonical(json.loads(data)) == data


@given(st.dictionaries(st.text("aZ_0:.", min_size=1), st.text("xé"), min_size=2))
def test_1_2_the_order_of_keys_does_not_count(tree: dict[str, str]) -> None:
    assert canonical(dict(reversed(tree.items()))) == canonical(tree)
    assert list(json.loads(canonical(tree))) == sorted(tree)


def test_1_2_only_what_json_demands_is_escaped() -> None:
    # RFC 8785 3.2.2.2: two-character escapes where JSON has them, else \\u00xx in lower case.
    assert canonical('\b\t\n\f\r"\\/\x00\x1f\x7fé\u2028🙂').decode("utf-8") == (
        '"\\b\\t\\n\\f\\r\\"\\\\/\\u0000\\u001f\x7fé\u2028🙂"'
    )


def test_2_2_known_entry() -> None:
    vector = VECTORS["entry"]
    entry = Entry(vector["entry"])
    assert entry.unsigned == vector["unsigned"].encode("utf-8")
    assert entry.id == vector["id"]
    assert entry.id == sha256(b"mbp/v1 id\n" + entry.unsigned).hexdigest()


def test_2_2_the_signature_is_no_part_of_the_id() -> None:
    tree = VECTORS["entry"]["entry"]
    assert Entry({**tree, "sig": "other"}).id == Entry(tree).id
    assert Entry({**tree, "note": "other"}).id != Entry(tree).id


def test_5_4_proofs_absorb_the_entry_without_sig_and_proofs() -> None:
    vector = VECTORS["proof_body"]
    assert Entry(vector["entry"]).body == vector["body"].encode("utf-8")
