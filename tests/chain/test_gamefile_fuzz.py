"""Whatever the bytes, `load` returns a Record or raises a FormatError (protocol 11, check 1)."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mbp.errors import FormatError
from mbp.gamefile import load
from mbp.gamefile.reader import read_tree
from tests.chain.fuzz_gamefile import TOKENS, try_one

FILES = st.binary(max_size=200) | st.lists(
    st.sampled_from([*TOKENS, b"a", b"a: b\n", b"mbp: 1\n", b"log:\n"]), max_size=20
).map(b"".join)


def test_altered_files_are_read_or_refused() -> None:
    outcomes = [try_one(seed) for seed in range(400)]
    # Both happen, or the alterations are too gentle or too rough to tell anything.
    assert 10 < sum(outcomes) < 390


@settings(max_examples=200, deadline=None)
@given(FILES)
def test_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        load(data)


@settings(max_examples=200, deadline=None)
@given(FILES)
def test_both_loaders_of_the_library_raise_nothing_else(data: bytes) -> None:
    for loader in (yaml.CBaseLoader, yaml.BaseLoader):
        try:
            tree = read_tree(data, loader)
        except FormatError:
            continue
        assert isinstance(tree, dict)
