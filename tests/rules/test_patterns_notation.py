"""Patterns' notation: long and short form are strict pairs, people may be loose."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbp.rules.contract import AmbiguousMoveError, NotationError
from mbp.rules.patterns import PATTERNS
from mbp.rules.patterns.state import NUMBER, Bowl, Flip, Found, Move, State, Swap
from tests.rules.patterns_positions import play, position

START = position()
# On c5 A may swap and flip; on d4 swap alone; on f5 nothing.
MIDDLE = position("KG", a="KP", b="K", c4="AK1", b5="AP2", c5="p", f4="BK1", f5="k")
# On c5 A may found and flip.
FOUNDING = position("RG", a="K", c4="AK1", c5="k")

spaces = st.integers(0, 51)
moves: st.SearchStrategy[Move] = st.one_of(
    st.builds(Bowl, st.integers(0, 5)),
    st.builds(Found, spaces),
    st.builds(Swap, spaces),
    st.builds(Flip, spaces),
)


@given(moves)
def test_long_form_is_a_strict_pair(move: Move) -> None:
    text = PATTERNS.format(START, move)
    assert PATTERNS.parse_long(START, text) == move
    assert PATTERNS.parse(START, text) == move


@given(moves)
def test_short_form_is_a_strict_pair_in_any_position(move: Move) -> None:
    for state in (START, MIDDLE, FOUNDING):
        assert PATTERNS.parse(state, PATTERNS.short(state, move)) == move


@given(moves)
def test_people_may_use_any_case_and_more_spaces(move: Move) -> None:
    text = PATTERNS.format(START, move).title().replace(" ", " \t ")
    assert PATTERNS.parse(START, f"  {text} ") == move
    assert PATTERNS.parse(START, PATTERNS.short(START, move).upper()) == move


@given(st.text(max_size=30) | st.text("bowlfundsapi gkpyr12345678", max_size=12))
def test_nothing_but_notation_errors_leaves_the_parsers(text: str) -> None:
    for state in (START, MIDDLE):
        for parse in (PATTERNS.parse, PATTERNS.parse_long):
            assert complaint(parse, state, text).isprintable()


def complaint(parse: Callable[[State, str], Move], state: State, text: str) -> str:
    """What a parser says about a text, nothing if it reads it."""
    try:
        parse(state, text)
    except NotationError as error:
        return str(error)
    return ""


@given(st.text("bowlgrenfudsapi c12345678", max_size=12))
def test_whatever_parse_long_reads_is_written_back(text: str) -> None:
    try:
        move = PATTERNS.parse_long(START, text)
    except NotationError:
        return
    assert PATTERNS.format(START, move) == text


@pytest.mark.parametrize(
    ("text", "move", "short"),
    [
        ("bowl green", Bowl(1), "bg"),
        ("found c4", Found(NUMBER["c4"]), "foc4"),
        ("swap c4", Swap(NUMBER["c4"]), "sc4"),
        ("flip c4", Flip(NUMBER["c4"]), "flc4"),
    ],
)
def test_protocol_8_examples(text: str, move: Move, short: str) -> None:
    assert PATTERNS.parse_long(START, text) == move
    assert PATTERNS.format(START, move) == text
    assert PATTERNS.short(START, move) == short


@pytest.mark.parametrize(
    "text",
    [
        "",
        "c4",
        "foc4",
        "Found c4",
        "found  c4",
        " found c4",
        "found c4\n",
        "found C4",
        "found c04",
        "found c９",
        "found a1",
        "found i4",
        "found c9",
        "bowl",
        "bowl g",
        "bowl blue",
        "bowl green c4",
    ],
)
def test_a_file_holds_the_long_form_only(text: str) -> None:
    with pytest.raises(NotationError):
        PATTERNS.parse_long(START, text)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("foundc4", Found(NUMBER["c4"])),
        ("FO C4", Found(NUMBER["c4"])),
        ("s c4", Swap(NUMBER["c4"])),
        ("sw c4", Swap(NUMBER["c4"])),
        ("fli c4", Flip(NUMBER["c4"])),
        ("green", Bowl(1)),
        ("g", Bowl(1)),
        ("bk", Bowl(0)),
        ("b black", Bowl(0)),
        ("bowl p", Bowl(2)),
    ],
)
def test_loose_forms(text: str, move: Move) -> None:
    assert PATTERNS.parse(START, text) == move


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("pass", "moves look like bowl green"),
        ("bb", "black is K"),
        ("x", "no colour"),
        ("a1", "row 1 has c to f"),
        ("found g8", "row 8 has c to f"),
        ("found i4", "row 4 has a to h"),
        ("c9", "rows are 1 to 8"),
        ("bowl c4", "no move"),
        ("found", "names no space"),
        ("bowl", "say it like bowl green"),
        ("\x1b[31m", "no move"),
    ],
)
def test_messages_help(text: str, hint: str) -> None:
    with pytest.raises(NotationError, match=hint):
        PATTERNS.parse(START, text)


def test_a_bare_space_with_one_reading_is_taken() -> None:
    assert PATTERNS.parse(START, "c4") == Found(NUMBER["c4"])
    assert PATTERNS.parse(MIDDLE, "d4") == Swap(NUMBER["d4"])
    assert PATTERNS.parse(MIDDLE, "f c5") == Flip(NUMBER["c5"])


@pytest.mark.parametrize(
    ("state", "text", "readings"),
    [
        (MIDDLE, "c5", ("swap c5", "flip c5")),
        (FOUNDING, "c5", ("found c5", "flip c5")),
        (FOUNDING, "f c5", ("found c5", "flip c5")),
    ],
)
def test_a_bare_space_with_several_readings_lists_them(
    state: State, text: str, readings: tuple[str, ...]
) -> None:
    with pytest.raises(AmbiguousMoveError) as error:
        PATTERNS.parse(state, text)
    assert error.value.readings == readings


def test_a_bare_space_without_a_reading_says_why() -> None:
    with pytest.raises(NotationError, match=r"^no reading of 'c4' .*: .*lies face down \(P3.4\)$"):
        PATTERNS.parse(MIDDLE, "c4")
    with pytest.raises(NotationError, match=r"founded already \(P3.1\); the tile on f5 is black"):
        PATTERNS.parse(MIDDLE, "f5")
    over = play(position("KG", e8="g", c1="g"), "found e8", "found c1", "found d2").state
    with pytest.raises(NotationError, match="play is over"):
        PATTERNS.parse(over, "f4")
