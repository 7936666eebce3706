"""The short form: written as protocol 13 says, and found again in what mail programs make of it."""

from __future__ import annotations

import zlib
from base64 import b64encode
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbp import gamefile
from mbp.canonical import canonical
from mbp.errors import FormatError, UnsupportedVersionError
from mbp.post.armour import MAX_UNPACKED, Short, find_shorts, format_short
from mbp.post.text import text_of_html
from tests.post.stored import LOG, MATCH

BLOCK = format_short(LOG, 10)


def found(text: str) -> Short:
    """The one short form of a text."""
    (one,) = find_shorts(text)
    assert isinstance(one, Short), one
    return one


def refused(text: str) -> str:
    """Why the one short form of a text is refused."""
    (one,) = find_shorts(text)
    assert isinstance(one, FormatError)
    return str(one)


def block_of(unpacked: bytes, span: str = "1-1", game: str = "ab" * 16) -> str:
    """A block with this inside, whatever it is."""
    packed = zlib.compress(unpacked)
    total = sha256(b"mbp/v1 armour\n" + f"{game} {span}\n".encode() + unpacked).hexdigest()[:32]
    body = b64encode(packed).decode()
    return f"[BEGIN MBP/1 {game} {span}]\n{body}\n[END MBP/1 {len(packed)} {total}]\n"


def test_13_1_the_lines_name_the_game_the_entries_the_length_and_the_checksum() -> None:
    lines = BLOCK.splitlines()
    assert lines[0] == f"[BEGIN MBP/1 {MATCH.game_id[:32]} 10-{len(LOG) - 1}]"
    assert lines[-1].startswith("[END MBP/1 ")
    assert max(map(len, lines)) == 64
    assert BLOCK.isascii()


def test_13_2_what_is_inside_is_the_canonical_list_of_the_entries() -> None:
    assert (
        block_of(
            canonical([entry.tree for entry in LOG[10:]]), f"10-{len(LOG) - 1}", MATCH.game_id[:32]
        )
        .split("\n")[-2]
        .split()[-1]
        == BLOCK.split("\n")[-2].split()[-1]
    )
    short = found(BLOCK)
    assert (short.game, short.first, short.last) == (MATCH.game_id[:32], 10, len(LOG) - 1)
    assert short.head == LOG[-1].id
    assert short.text == BLOCK
    assert gamefile.parse_log(LOG[:10], short.trees) == LOG


@pytest.mark.parametrize("first", [0, 1, len(LOG) - 1])
def test_13_5_the_entries_continue_the_log(first: int) -> None:
    short = found(format_short(LOG, first))
    assert gamefile.parse_log(LOG[:first], short.trees) == LOG


def quoted(text: str, marks: str) -> str:
    return "".join(f"{marks}{line}\n" for line in text.splitlines())


MANGLED = {
    "crlf": BLOCK.replace("\n", "\r\n"),
    "cr": BLOCK.replace("\n", "\r"),
    "quoted": quoted(BLOCK, "> "),
    "quoted five deep": quoted(BLOCK, ">> > >> "),
    "quoted with bars": quoted(BLOCK, "| > "),
    "quoted and wrapped at 40": "\n".join(
        f"> {line[start : start + 40]}"
        for line in BLOCK.splitlines()
        for start in range(0, len(line), 40)
        if not line.startswith("[")
    ).join((quoted(BLOCK.splitlines()[0], "> "), "\n" + quoted(BLOCK.splitlines()[-1], "> "))),
    "trailing space": BLOCK.replace("\n", " \t \n"),
    "non-breaking spaces": BLOCK.replace(" ", "\u00a0"),
    "zero widths": "\u200b".join(BLOCK),
    "a byte order mark": "\ufeff" + BLOCK,
    "soft hyphens": BLOCK.replace("a", "a\u00ad"),
    "blank lines between": BLOCK.replace("\n", "\n\n"),
    "one line": BLOCK.replace("\n", " "),
    "first line broken": BLOCK.replace(" ", "\n> ", 2),
    "words around": f"Hello,\n{BLOCK}Bye\n-- \n[BEGIN of my signature]\n",
    "indented": quoted(BLOCK, "    "),
    "html": text_of_html("<p>Hi<br>" + BLOCK.replace("\n", "<br />") + "</p><style>x</style>"),
    "html quoted": text_of_html(
        "<blockquote>&gt;&nbsp;" + BLOCK.replace("\n", "<br>&gt;&nbsp;") + "</blockquote>"
    ),
    "twice, once quoted": BLOCK + quoted(BLOCK, "> "),
}


@pytest.mark.parametrize("name", MANGLED)
def test_13_3_a_reader_finds_it_in_any_text(name: str) -> None:
    assert found(MANGLED[name]).trees == found(BLOCK).trees


def test_13_3_several_in_one_text_are_all_found() -> None:
    shorts = list(find_shorts(quoted(format_short(LOG, 4), "> ") + "so:\n" + BLOCK))
    assert [one.first for one in shorts if isinstance(one, Short)] == [4, 10]


DEEP = b"[" * 40_000 + b"]" * 40_000
LINES = BLOCK.splitlines(keepends=True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BLOCK.replace("MBP/1", "MBP/2"), "version 2"),
        ("".join(LINES[:-1]), "truncated: the line with END is missing"),
        ("".join([*LINES[:2], *LINES[3:]]), "truncated"),
        ("".join([*LINES[:2], *LINES[1:]]), "damaged"),
        (BLOCK.replace(LINES[1][:4], "!!!!"), "damaged: not base64"),
        (BLOCK.replace(f"10-{len(LOG) - 1}", f"11-{len(LOG)}"), "checksum differs"),
        (BLOCK.replace(MATCH.game_id[:32], "0" * 32), "checksum differs"),
        (LINES[0].replace("0-", "0:") + BLOCK[len(LINES[0]) :], "first line is damaged"),
        (block_of(b'[{"seq":"2"}]'), "holds other entries"),
        (block_of(b'[{"seq":1}]'), "canonical form"),
        (block_of(b'[{"seq":1.5e9}]'), "canonical form"),
        (block_of(b'[{"seq":null}]'), "canonical form"),
        (block_of(b'[{"seq":"1","seq":"1"}]'), "canonical form"),
        (block_of(b'[{"seq": "1"}]'), "canonical form"),
        (block_of(b'[{"seq":"\\ud800"}]'), "canonical form"),
        (block_of(b'["1"]'), "canonical form"),
        (block_of(b'{"seq":"1"}'), "canonical form"),
        (block_of(b"[]"), "canonical form"),
        (block_of(DEEP), "canonical form"),
        (block_of(b"\xff"), "canonical form"),
        (block_of(b'["' + b"x" * MAX_UNPACKED + b'"]'), "bytes unpacked"),
    ],
)
def test_13_4_a_bad_block_is_refused_with_its_reason(text: str, reason: str) -> None:
    assert reason in refused(text)


def test_13_4_another_version_is_told_apart() -> None:
    (one,) = find_shorts(BLOCK.replace("MBP/1", "MBP/7"))
    assert isinstance(one, UnsupportedVersionError)


@settings(max_examples=60, deadline=None)
@given(st.text() | st.text(alphabet="[]BEGIN MBP/1END0ab-\n> "))
def test_any_text_gives_short_forms_or_reasons(text: str) -> None:
    for one in find_shorts(f"[BEGIN MBP/1 {'ab' * 16} 1-1]{text}"):
        assert isinstance(one, Short | FormatError)
    text_of_html(text)
