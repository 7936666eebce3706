"""Mandala's notation: long and short form are strict pairs, people may be loose."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbp.rules.contract import AmbiguousMoveError, NotationError
from mbp.rules.mandala import MANDALA
from mbp.rules.mandala.state import Choice, Discard, Field, Mountain, Move, State, Take
from tests.rules.mandala_positions import mandala, play, position, side

FULL = position()
UP_TO = position(up_to=True)

numbers = st.sampled_from([1, 2])
colours = st.integers(0, 5)
cards = st.integers(0, 8)
plain: st.SearchStrategy[Move] = st.one_of(
    st.builds(Field, numbers, colours, cards),
    st.builds(Discard, colours, cards),
    st.builds(Take, colours),
)
full_moves: st.SearchStrategy[Move] = plain | st.builds(Mountain, numbers, colours)
up_to_moves: st.SearchStrategy[Move] = plain | st.builds(
    Mountain, numbers, colours, st.integers(0, 3)
)
cases = st.tuples(st.just(FULL), full_moves) | st.tuples(st.just(UP_TO), up_to_moves)


@given(cases)
def test_long_form_is_a_strict_pair(case: tuple[State, Move]) -> None:
    state, move = case
    text = MANDALA.format(state, move)
    assert MANDALA.parse_long(state, text) == move
    assert MANDALA.parse(state, text) == move


@given(cases)
def test_short_form_is_a_strict_pair(case: tuple[State, Move]) -> None:
    state, move = case
    assert MANDALA.parse(state, MANDALA.short(state, move)) == move


@given(cases)
def test_people_may_use_any_case_and_more_spaces(case: tuple[State, Move]) -> None:
    state, move = case
    text = MANDALA.format(state, move).title().replace(" ", " \t ")
    assert MANDALA.parse(state, f"  {text} ") == move
    assert MANDALA.parse(state, MANDALA.short(state, move).upper()) == move


@given(st.text(max_size=30) | st.text("mfdtakegpyor 0123", max_size=12))
def test_nothing_but_notation_errors_leaves_the_parsers(text: str) -> None:
    for state in (FULL, UP_TO):
        for parse in (MANDALA.parse, MANDALA.parse_long):
            assert complaint(parse, state, text).isprintable()


def complaint(parse: Callable[[State, str], Move], state: State, text: str) -> str:
    """What a parser says about a text, nothing if it reads it."""
    try:
        parse(state, text)
    except NotationError as error:
        return str(error)
    return ""


@given(st.text("mountaifeldscrk 123w", max_size=24))
def test_whatever_parse_long_reads_is_written_back(text: str) -> None:
    try:
        move = MANDALA.parse_long(FULL, text)
    except NotationError:
        return
    assert MANDALA.format(FULL, move) == text


@pytest.mark.parametrize(
    ("text", "move", "short"),
    [
        ("mountain 1 red", Mountain(1, 5), "m1r"),
        ("field 2 yellow 3", Field(2, 3, 3), "f2y3"),
        ("discard purple 2", Discard(2, 2), "dp2"),
        ("take orange", Take(4), "to"),
    ],
)
def test_protocol_8_examples(text: str, move: Move, short: str) -> None:
    assert MANDALA.parse_long(FULL, text) == move
    assert MANDALA.format(FULL, move) == text
    assert MANDALA.short(FULL, move) == short


def test_protocol_8_draw_is_named_with_up_to_and_else_never() -> None:
    assert MANDALA.format(UP_TO, Mountain(2, 1, 2)) == "mountain 2 green draw 2"
    assert MANDALA.short(UP_TO, Mountain(1, 5, 2)) == "m1rd2"
    for state, text in ((FULL, "mountain 2 green draw 2"), (UP_TO, "mountain 2 green")):
        with pytest.raises(NotationError):
            MANDALA.parse_long(state, text)
    with pytest.raises(NotationError, match="draws in full"):
        MANDALA.parse(FULL, "m2gd2")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "m1r",
        "Mountain 1 red",
        "mountain  1 red",
        " mountain 1 red",
        "mountain 1 red\n",
        "mountain 01 red",
        "mountain 3 red",
        "mountain ١ red",
        "mountain 1 r",
        "field 2 yellow",
        "field 2 yellow 03",
        "field 2 yellow +3",
        "field 2 yellow 1000",
        "discard purple",
        "take orange 1",
    ],
)
def test_a_file_holds_the_long_form_only(text: str) -> None:
    with pytest.raises(NotationError):
        MANDALA.parse_long(FULL, text)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("m 1 r", Mountain(1, 5)),
        ("mountain1red", Mountain(1, 5)),
        ("M1K", Mountain(1, 0)),
        ("field 2 y 3", Field(2, 3, 3)),
        ("f2yellow3", Field(2, 3, 3)),
        ("d purple 2", Discard(2, 2)),
        ("t o", Take(4)),
        ("tg", Take(1)),
    ],
)
def test_loose_forms(text: str, move: Move) -> None:
    assert MANDALA.parse(FULL, text) == move


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("pass", "mountain 1 red"),
        ("m1b", "black is K"),
        ("mountain 1 blue", "no colour"),
        ("m3r", "mandalas 1 and 2"),
        ("m1r2", "one card"),
        ("to2", "all cards"),
        ("d1p2", "no mandala"),
        ("f1rd2", "no draw"),
        ("field 1", "names no colour; say it like field 1 red 2"),
        ("mountain 1", "say it like mountain 1 red"),
        ("discard", "say it like discard red 2"),
        ("t", "say it like take red"),
        ("first", "is no move"),
        ("\x1b[31m", "no move"),
    ],
)
def test_messages_help(text: str, hint: str) -> None:
    with pytest.raises(NotationError, match=hint):
        MANDALA.parse(FULL, text)


def test_a_missing_count_lists_the_readings() -> None:
    with pytest.raises(AmbiguousMoveError) as error:
        MANDALA.parse(position(a=side(4)), "f2y")
    assert error.value.readings == ("field 2 yellow 1", "field 2 yellow 2", "field 2 yellow 3")
    with pytest.raises(AmbiguousMoveError) as error:
        MANDALA.parse(position(a=side(2)), "discard purple")
    assert error.value.readings == ("discard purple 1", "discard purple 2")


def test_a_missing_count_with_one_reading_is_taken() -> None:
    assert MANDALA.parse(position(a=side(2)), "f2y") == Field(2, 3, 1)
    assert MANDALA.parse(position(a=side(1)), "dp") == Discard(2, 1)


def test_a_missing_mandala_with_one_reading_is_taken() -> None:
    state = position(mandala("KG", b="R"), mandala("KG"))
    assert MANDALA.parse(state, "mr") == Mountain(2, 5)
    with pytest.raises(AmbiguousMoveError):
        MANDALA.parse(FULL, "mr")


def test_a_missing_draw_lists_the_readings() -> None:
    with pytest.raises(AmbiguousMoveError) as error:
        MANDALA.parse(position(a=side(8), up_to=True), "m1r")
    assert error.value.readings == ("mountain 1 red draw 0", "mountain 1 red draw 1")


def test_a_missing_number_without_a_legal_reading() -> None:
    choosing = position(mandala("KG", a="R"), choice=Choice(1, "B"))
    with pytest.raises(NotationError, match=r"taken first .M6\.1"):
        MANDALA.parse(choosing, "f2y")
    over = play(position(turns=399), "dr1").state
    with pytest.raises(NotationError):
        MANDALA.parse(over, "dr")
