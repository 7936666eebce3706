"""`mbp replay` by commands on a pipe, printed whole, and of files that do not hold."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mbp import gamefile
from tests.cli.test_audit import mbp_run
from tests.duel import Duel
from tests.report.stories import CLOSED, DISCLOSED, PATTERNS, ROOT

PLACE = re.compile(r"^(\d+)/(\d+)  ", re.MULTILINE)


def steps(out: str) -> list[int]:
    """The entries that were shown, in their order."""
    return [int(seq) for seq, _ in PLACE.findall(out)]


def typed(*commands: str, file: Path = DISCLOSED, at: int = 0) -> tuple[list[int], str]:
    """The entries that commands lead to, the one of the beginning first, and what was said."""
    text = "".join(f"{command}\n" for command in commands)
    code, out, err = mbp_run(ROOT, "replay", str(file), "--at", str(at), typed=text)
    assert code == 0
    return steps(out), err


def test_plain_commands() -> None:
    assert typed("next", "n", "", "back", "b") == ([0, 1, 2, 3, 2, 1], "")
    assert typed("go 12", "g 3", "7", "f", "l", "first", "last") == (
        [0, 12, 3, 7, 0, 59, 0, 59],
        "",
    )
    assert typed("b", at=0) == ([0, 0], "")
    assert typed("n", at=59) == ([59, 59], "")
    assert typed("q", "n") == ([0], "")
    assert typed("quit", "n") == ([0], "")


def test_d_goes_to_the_next_and_the_previous_destruction_or_end() -> None:
    (start, one, two, back), _ = typed("d", "destruction", "D")
    assert (start, back) == (0, one)
    _, out, _ = mbp_run(ROOT, "replay", str(DISCLOSED), "--at", str(one), typed="d\n")
    assert "is complete" in out
    assert one < two
    (_, end), _ = typed("d", at=58)
    assert end == 59


@pytest.mark.parametrize("command", ["60", "go 999", "9999999999"])
def test_an_entry_that_is_not_there_is_said(command: str) -> None:
    seqs, said = typed(command, "n")
    assert seqs == [0, 1]
    assert said == f"there is no entry {command.split()[-1]}: the newest is 59\n"


@pytest.mark.parametrize("command", ["what", "n 3", "go", "-1", "\u0663", "12a"])
def test_what_is_no_command_is_answered_with_all_commands(command: str) -> None:
    seqs, said = typed(command)
    assert seqs == [0]
    assert " ".join(said.split()).startswith("n next · b back · d, D to the next, the previous")


def test_bytes_that_are_no_text_end_nothing() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "mbp", "replay", str(DISCLOSED)], input=b"n\n\xff\nn\n",
        env={"PYTHONPATH": str(ROOT), "MBP_HOME": "nobody"}, capture_output=True, check=True,
    )  # fmt: skip
    assert steps(found.stdout.decode()) == [0, 1, 2]


@pytest.mark.parametrize(("who", "looker", "own", "theirs"), [
    ("A", "as A sees it", False, True), ("b", "as B sees it", True, False),
    ("stranger", "as a stranger sees it", True, True),
    ("open", "all known cards open", False, False), (None, "all known cards open", False, False),
])  # fmt: skip
def test_who_looks_sees_what_he_could_and_it_is_said(
    who: str | None, looker: str, own: bool, theirs: bool
) -> None:
    argv = [] if who is None else ["--as", who]
    code, out, _ = mbp_run(ROOT, "replay", str(DISCLOSED), "--at", "20", *argv)
    lines = out.splitlines()
    assert (code, lines[0]) == (0, f"Mandala aa8c3190  Anna - Bernd, {looker}")
    below, above = [line for line in lines if line.startswith("  hand")][::-1]
    if who == "b":  # who looks sits below
        below, above = above, below
    assert ("cards" in below, "cards" in above) == (own, theirs)


def test_nothing_is_known_of_closed_cards() -> None:
    code, out, _ = mbp_run(ROOT, "replay", str(CLOSED))
    assert (code, out.splitlines()[0].endswith(", as a stranger sees it")) == (0, True)
    assert mbp_run(ROOT, "replay", str(CLOSED), "--as", "A")[0] == 6
    assert mbp_run(ROOT, "replay", str(PATTERNS), "--as", "A")[0] == 0


def test_printed_whole_it_says_what_it_is(tmp_path: Path) -> None:
    argv = ("replay", str(DISCLOSED), "--to", "text", "--as", "stranger")
    code, out, err = mbp_run(tmp_path, *argv)
    assert (code, err) == (0, "")
    assert steps(out) == list(range(60))
    head = out[: out.index("\n0/59")]
    assert head.startswith("Mandala aa8c3190  Anna - Bernd, as a stranger sees it\n  match    aa8c")
    for text in ("options  deck_end last_mandala", "A  Anna  0200 6b73", "B  Bernd  bf70 2fec"):
        assert head.count(text) == out.count(text) == 1


def test_of_a_file_that_does_not_hold_it_shows_what_stands_before(tmp_path: Path) -> None:
    shutil.copy(DISCLOSED, tmp_path / "bad")
    text = (tmp_path / "bad").read_text(encoding="utf-8")
    note = re.search(r"seq: \"20\"", text)
    assert note is not None
    place = text.index("act: ", note.end())
    (tmp_path / "bad").write_text(f"{text[:place]}act: resign #{text[place:]}", encoding="utf-8")
    for argv in (("--to", "text"), ()):
        code, out, err = mbp_run(tmp_path, "replay", "bad", *argv, typed="l\n")
        assert code == 4
        assert steps(out)[-1] == 19
        reason = "what follows does not hold: entry 20 by "
        assert reason in out
        assert err.startswith(f"mbp: {reason}")


def test_of_a_file_of_which_nothing_holds_nothing_is_shown(tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("mbp: no\n", encoding="utf-8")
    assert mbp_run(tmp_path, "replay", "bad")[:2] == (3, "")


def test_of_an_evidence_file_it_shows_the_first_history_and_says_so(tmp_path: Path) -> None:
    duel = Duel("evidence")
    match = duel.at_play(duel.begun())
    one, two = (duel.play(match, act) for act in duel.texts(match)[:2])
    data = gamefile.dump_evidence(one.record, two.record)
    (tmp_path / "e.mbp-fork.yaml").write_bytes(data)
    code, out, err = mbp_run(tmp_path, "replay", "e.mbp-fork.yaml", "--to", "text")
    assert code == 0
    assert steps(out)[-1] == len(one.log) - 1
    assert "two histories (fork)" in " ".join(err.split())
    assert "this is the first of them" in " ".join(err.split())
