"""What reaches a terminal, in which colours and how wide; and what a pipe is never asked."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from mbp.cli.terminal import Terminal, clean, columns, to_json, wrapped
from mbp.errors import KeyringError
from mbp.rules.contract import Span


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def terminal(stdin: str = "", *, on: bool = False, **environ: str) -> Terminal:
    """Streams in memory, a terminal's or pipes."""
    kind = Screen if on else io.StringIO
    return Terminal(kind(stdin), kind(), kind(), environ)


def printed(shown: Terminal) -> str:
    """What stands on standard output."""
    assert isinstance(shown.stdout, io.StringIO)
    return shown.stdout.getvalue()


HOSTILE = [
    "\x1b[31mred", "\x1b]0;title\x07", "\r\nlines", "\x00", "\x7f", "\x9b31m",
    "\u202eright to left", "\u2066isolate", "\u200bzero", "\ufeffmark", "\u2028line", "\ud800half",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_reaches_the_terminal(text: str) -> None:
    shown = terminal(on=True, TERM="xterm-256color", COLORTERM="truecolor")
    shown.put(text.replace("\n", " "))
    shown.put_lines([(Span(text),)])
    out = printed(shown)
    assert all(character == "\n" or clean(character) == character for character in out)
    assert out.isprintable() or set(out) - set("\n") == set(out.replace("\n", ""))
    assert clean(text) == clean(clean(text))


def test_clean_leaves_what_can_be_printed() -> None:
    assert clean("Zoë 李 🙂 – “x”") == "Zoë 李 🙂 – “x”"


def test_json_escapes_what_a_terminal_obeys_and_reads_the_same() -> None:
    tree = {"note": "".join(HOSTILE), "name": "Zoë 🙂"}
    text = to_json(tree)
    assert json.loads(text) == tree
    assert all(clean(line) == line for line in text.split("\n"))
    assert "Zoë 🙂" in text


@pytest.mark.parametrize(
    ("environ", "on", "coloured"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({}, True, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_colours(environ: dict[str, str], on: bool, coloured: bool) -> None:
    shown = terminal(on=on, **environ)
    shown.put_lines([(Span("R", 5, "bold"), Span("  "), Span("?", style="dim"), Span("plain"))])
    assert shown.coloured == coloured
    assert ("\x1b[" in printed(shown)) == coloured
    assert printed(shown).endswith("plain\n")


@pytest.mark.parametrize(
    ("told", "width"),
    [("", 80), ("20", 40), ("63", 63), ("400", 120), ("wide", 80), ("9" * 400, 80), ("٣", 80)],
)
def test_width(told: str, width: int) -> None:
    assert terminal(COLUMNS=told).width == width


def test_a_pipe_is_never_asked() -> None:
    for ask in ("ask", "confirm", "ask_secret"):
        shown = terminal("yes\n")
        with pytest.raises(KeyringError) as caught:
            getattr(shown, ask)("well?", "say it with --yes")
        assert caught.value.hint == "say it with --yes"
        assert shown.stdin.read() == "yes\n"


def test_a_terminal_is_asked_and_its_end_is_no_answer() -> None:
    assert terminal("yes\n", on=True).confirm("well?", "")
    assert not terminal("\n", on=True).confirm("well?", "")
    with pytest.raises(KeyringError):
        terminal("", on=True).ask("well?", "")


def test_progress_shows_on_a_terminal_only() -> None:
    for on in (True, False):
        shown = terminal(on=on, TERM="xterm")
        with shown.progress("auditing", 3) as step:
            step()
            step(2)
        assert isinstance(shown.stderr, io.StringIO)
        assert ("auditing" in shown.stderr.getvalue()) == on
        assert printed(shown) == ""


def test_columns_and_wrapping() -> None:
    assert columns("abc") == 3
    assert columns("李x") == 3
    assert columns("e\u0301") == 1
    assert list(wrapped("one two three", 9, "- ", "  ")) == ["- one two", "  three"]
    assert list(wrapped("", 40)) == [""]
    path = "/a/very/long/path/without/a/space"
    assert list(wrapped(path, 10, whole=True)) == [path]
    assert max(map(len, wrapped(path, 10))) == 10


def test_words_of_people_are_cut_where_they_do_not_fit() -> None:
    cut = wrapped("so longwordwithoutaspace it is", 9, "- ", "  ", whole=False)
    assert list(cut) == ["- so", "  longwor", "  dwithou", "  taspace", "  it is"]
    wide = wrapped("李" * 9, 9, "> ", "  ", whole=False)
    assert "".join(line[2:] for line in wide) == "李" * 9
    assert all(columns(line) <= 9 for line in wide)
    assert list(wrapped("a  李李 b", 7)) == ["a  李李", "b"]


def test_paths_in_the_current_folder_are_told_without_it() -> None:
    shown = Terminal(io.StringIO(), io.StringIO(), io.StringIO(), {}, f"{Path('/there')}/")
    shown.say("cannot read /there/x.yaml\nnor /elsewhere/y.yaml nor /over/there/z.yaml")
    assert isinstance(shown.stderr, io.StringIO)
    assert (
        shown.stderr.getvalue()
        == "cannot read x.yaml\nnor /elsewhere/y.yaml nor /over/there/z.yaml\n"
    )


FAKE = "Your turn: mbp resign bob"


@pytest.mark.parametrize(
    "joint", ["\u00a0", "\u2003", "\u2007", "\u3000", "\u2800", "_", "/", "李"]
)
@pytest.mark.parametrize("start", ["", "hi"])
def test_no_text_of_a_peer_begins_a_row_of_the_terminal(joint: str, start: str) -> None:
    for length in range(60, 90):
        note = start + joint * length + FAKE.replace(" ", joint)
        for first in ("      ", "12:00  Anna  "):
            lines = wrapped(f"“{clean(note)}”", 80, first, "       ")
            assert max(map(columns, lines)) <= 80
            assert all(line.startswith(("      ", first)) for line in lines)


def test_a_name_that_begins_with_many_spaces_fits_a_row() -> None:
    lines = wrapped("\u00a0" * 99 + "mbp is a contact now", 80)
    assert max(map(columns, lines)) <= 80
