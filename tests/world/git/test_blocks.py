"""Lines between marks: put in and taken out again, a file is what it was, byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbp.git.blocks import FIRST, LAST, has_block, with_block, without_block

BLOCK, SHEBANG = ("one", "two"), "#!/bin/sh\n"
LINES = st.lists(st.sampled_from(["", "a", "# b", "#!/bin/sh", LAST, "\r", "c\x0bd", "é\u2028f"]))
TEXTS = st.none() | st.builds(
    lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n", "\r\n"])
)


@given(TEXTS, st.booleans())
def test_what_is_put_in_comes_out_again(text: str | None, is_hook: bool) -> None:
    bare = SHEBANG if is_hook else ""
    marked = with_block(text, BLOCK, bare=bare, behind_first=is_hook)
    assert has_block(marked)
    assert with_block(marked, BLOCK, bare=bare, behind_first=is_hook) == marked
    assert without_block(marked, bare=bare) == text
    newer = with_block(marked, ("three",), bare=bare, behind_first=is_hook)
    assert "two" not in newer
    assert without_block(newer, bare=bare) == text


@given(TEXTS)
def test_without_marks_nothing_is_taken_out(text: str | None) -> None:
    assert without_block(text or "", bare=SHEBANG) == (text or "")
    assert without_block(SHEBANG, bare=SHEBANG) == SHEBANG
    assert without_block(f"{text}\n{FIRST}\n") == f"{text}\n{FIRST}\n"


@given(TEXTS.filter(lambda text: "\r" not in (text or "")))
def test_line_ends_of_another_system_are_the_same_lines(text: str | None) -> None:
    marked = with_block(text, BLOCK)
    converted = marked.replace("\n", "\r\n")
    assert with_block(converted, BLOCK) == converted
    left = without_block(converted)
    assert (left is None) == (text is None)
    assert left is None or left.replace("\r\n", "\n") == text


@pytest.mark.parametrize("twice", ["\n", "\r\n"])
def test_a_block_that_is_there_twice_is_made_one(twice: str) -> None:
    one = with_block("a\n", BLOCK)
    two = with_block("", BLOCK).replace("\n", twice)
    assert with_block(one + two, BLOCK) == one
    assert without_block(one + two) == "a\n"


def test_the_lines_stand_last_or_behind_the_first_line() -> None:
    assert with_block("a\nb\n", BLOCK).split("\n")[:3] == ["a", "b", FIRST]
    hook = with_block("#!/bin/bash -e\nexit 0\n", BLOCK, bare=SHEBANG, behind_first=True)
    assert hook.split("\n") == ["#!/bin/bash -e", FIRST, *BLOCK, LAST, "exit 0", ""]
    assert with_block(None, BLOCK, bare=SHEBANG, behind_first=True).startswith(SHEBANG)
