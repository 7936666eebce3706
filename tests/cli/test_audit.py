"""`mbp audit` on many files: the sums, JUnit, JSON, and Ctrl-C."""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from mbp.audit import examine
from mbp.chain import Entry, settle, to_text
from mbp.cli import run
from mbp.curve import scalar_to_bytes
from mbp.desk.shelf import EVIDENCE_ENDING
from mbp.gamefile import dump_evidence
from mbp.match import Match, secret_of
from mbp.rules import GAMES
from tests.duel import DAY, Duel, file_of, with_log

ROOT = Path(__file__).parents[2]
OPTIONS = {"start": "coin", "pace": "7"}


def mbp_run(
    folder: Path,
    *argv: str,
    out: io.StringIO | None = None,
    typed: str = "",
    columns: str = "80",
) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of one command."""
    out, err = io.StringIO() if out is None else out, io.StringIO()
    code = run(
        argv,
        environ={"MBP_HOME": "nobody", "COLUMNS": columns},
        cwd=folder,
        stdin=io.StringIO(typed),
        stdout=out,
        stderr=err,
        now=lambda: datetime(2026, 11, 30, tzinfo=UTC),
        randomness=bytes,
        zone=UTC,
    )
    return code, out.getvalue(), err.getvalue()


@cache
def short() -> bytes:
    """A match of three entries, which is verified in no time."""
    return file_of(Duel("short", game=GAMES["patterns"], options=OPTIONS).begun())


def archive(folder: Path, count: int) -> None:
    """Some files that hold, or do not: every second is no game file."""
    for number in range(count):
        data = b"mbp: no\n" if number % 2 else short()
        (folder / f"{number:03}.mbp.yaml").write_bytes(data)


def test_many_files_are_a_line_a_failure_and_a_table(tmp_path: Path) -> None:
    archive(tmp_path, 24)
    code, out, err = mbp_run(tmp_path, "audit", ".", "--jobs", "1")
    lines = out.splitlines()
    assert (code, err) == (3, "")
    assert [line[:19] for line in lines[:12]] == [
        f"FAILED {number:03}.mbp.yaml"[:19] for number in range(1, 24, 2)
    ]
    assert [line.split() for line in lines[12:]] == [
        ["game", "files", "hold", "failed", "over", "open", "entries"],
        ["patterns", "12", "12", "0", "0", "12", "36"],
        ["unreadable", "12", "0", "12", "0", "0", "0"],
        ["all", "24", "12", "12", "0", "12", "36"],
        ["12", "of", "24", "hold"],
    ]


def test_junit_has_a_case_a_file_and_cannot_be_broken_by_a_text(tmp_path: Path) -> None:
    evil = "\x1b[2J & \"'<x>\uffff]]>"
    (tmp_path / "1.mbp.yaml").write_bytes(short())
    lied = short().replace(b'outcome: "open"', f"outcome: {json.dumps(evil)}".encode())
    (tmp_path / f"2{evil}.mbp.yaml").write_bytes(lied)
    for _ in range(2):  # an earlier report is replaced
        code, out, _ = mbp_run(tmp_path, "audit", ".", "--jobs", "1", "--junit", "report.xml")
        assert code == 4
        assert "\x1b" not in out
    suites = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert (suites.get("tests"), suites.get("failures")) == ("2", "1")
    cases = suites.findall("testsuite/testcase")
    shown = "2\ufffd[2J & \"'<x>\ufffd]]>.mbp.yaml"
    assert [case.get("name") for case in cases] == ["1.mbp.yaml", shown]
    failure = cases[1].find("failure")
    assert failure is not None
    assert repr(evil)[1:-1] in (failure.get("message") or "")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mine.xml", "no report of mbp"),
        ("000.mbp.yaml", "no report of mbp"),
        ("gone/report.xml", "cannot write"),
        (".", "a folder"),
    ],
)
def test_a_report_that_cannot_be_written_is_said_before_the_first_file(
    tmp_path: Path, name: str, said: str
) -> None:
    mark = b'# <testsuites name="mbp audit"\n'  # in a file of somebody else's, too
    (tmp_path / "000.mbp.yaml").write_bytes(mark + short())
    (tmp_path / "mine.xml").write_bytes(b"<mine/>" + mark)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    code, out, err = mbp_run(tmp_path, "audit", "000.mbp.yaml", "--junit", name)
    assert (code, out, said in err) == (1, "", True)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(("count", "expected"), [(1, 1), (2, 3)])
def test_a_report_that_fails_in_the_end_does_not_hide_what_the_audit_found(
    tmp_path: Path, count: int, expected: int
) -> None:
    archive(tmp_path, count)
    ended = subprocess.run(
        [sys.executable, "-m", "mbp", "audit", ".", "--junit", "report.xml"],
        cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)),
    )  # fmt: skip
    assert ended.returncode == expected
    assert "000.mbp.yaml" in ended.stdout
    assert "cannot write" in ended.stderr


def test_json_is_one_document_however_many_files(tmp_path: Path) -> None:
    archive(tmp_path, 24)
    _, out, _ = mbp_run(tmp_path, "audit", ".", "--json", "--jobs", "1")
    found = json.loads(out)
    assert out == json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    assert [one["ok"] for one in found] == [True, False] * 12


@pytest.mark.parametrize("option", ["--jobs", "--cluster"])
def test_options_that_would_do_nothing_are_refused(tmp_path: Path, option: str) -> None:
    code, out, err = mbp_run(tmp_path, "audit", "--since", "HEAD", option, "2")
    assert (code, out) == (2, "")
    assert f"no {option}" in err


def test_a_path_that_names_no_game_fails_and_the_others_go_on(tmp_path: Path) -> None:
    archive(tmp_path, 1)
    (tmp_path / "empty").mkdir()
    code, out, _ = mbp_run(tmp_path, "audit", "*.mbp.yaml", "gamez/*.mbp.yaml", "empty")
    assert code == 3
    assert "FAILED gamez/*.mbp.yaml\n       no file *.mbp.yaml is there (check 1)\n" in out
    assert "FAILED empty\n" in out
    assert out.endswith("1 of 3 hold\n")
    code, out, err = mbp_run(tmp_path, "audit", "gamez/*", "empty")
    assert (code, out) == (3, "")
    assert err.startswith("mbp: no file *.mbp.yaml in gamez/*, empty\n")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty: "),
        (b" \n", "the file is empty: "),
        (b"\xfd7zXZ\0\0\x04", "this is packed by xz, unpack it first: "),
        (b"\x1f\x8b\x08", "this is packed by gzip, unpack it first: "),
        (b"\xff\xfe", "this is no game file: not UTF-8 at byte 0"),
        (b"<html>", "this is no game file: "),
        (b"mbp: no\n", "mbp: "),
    ],
)
def test_what_is_no_game_file_is_called_what_it_is(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "a.mbp.yaml").write_bytes(data)
    code, out, _ = mbp_run(tmp_path, "audit", "a.mbp.yaml", "--json")
    assert code == 3
    assert json.loads(out)[0]["findings"][0]["reason"].startswith(said)


def evidence() -> bytes:
    """An evidence file: one player has signed two entries."""
    duel = Duel("two histories", game=GAMES["patterns"], options=OPTIONS)
    start = duel.at_play(duel.begun())
    texts = duel.texts(start)
    return dump_evidence(duel.play(start, texts[0]).record, duel.play(start, texts[-1]).record)


@pytest.mark.parametrize("count", [2, 30])
def test_2_5_evidence_in_a_folder_is_audited_and_told(tmp_path: Path, count: int) -> None:
    for number in range(count):
        (tmp_path / f"{number:03}.mbp.yaml").write_bytes(short())
    (tmp_path / f"zz{EVIDENCE_ENDING}").write_bytes(evidence())
    code, out, err = mbp_run(tmp_path, "audit", ".", "--jobs", "1")
    assert (code, err) == (0, "")
    assert f"ok     zz{EVIDENCE_ENDING}" in out
    assert "evidence holds: two histories (fork):" in " ".join(out.split())
    assert out.endswith(f"{count + 1} of {count + 1} hold\n")
    table = [line.split() for line in out.splitlines() if line.startswith("evidence")]
    assert table == ([["evidence", "1", "1", "0", "0", "0", "4"]] if count > 20 else [])


class Impatient(io.StringIO):
    """Standard output in front of somebody who presses Ctrl-C at the fourth report."""

    def write(self, text: str) -> int:
        """Writes, until then."""
        if "003.mbp.yaml" in text:
            raise KeyboardInterrupt
        return super().write(text)


def test_ctrl_c_ends_with_what_is_known(tmp_path: Path) -> None:
    archive(tmp_path, 6)
    arguments = ("audit", ".", "--json", "--jobs", "1", "--junit", "j.xml")
    code, out, err = mbp_run(tmp_path, *arguments, out=Impatient())
    assert (code, err) == (130, "mbp: stopped: 3 of 6 files are audited\n")
    assert [one["file"] for one in json.loads(out)] == [f"{n:03}.mbp.yaml" for n in range(3)]
    assert 'tests="3"' in (tmp_path / "j.xml").read_text(encoding="utf-8")


def test_two_jobs_say_what_one_says(tmp_path: Path) -> None:
    archive(tmp_path, 5)
    assert mbp_run(tmp_path, "audit", ".", "--jobs", "2") == mbp_run(
        tmp_path, "audit", ".", "--jobs", "1"
    )


def told_of(folder: Path, match: Match) -> dict[str, Any]:
    """What an audit tells programs of a match; it holds."""
    (folder / "a.mbp.yaml").write_bytes(file_of(match))
    code, out, _ = mbp_run(folder, "audit", "--json", "a.mbp.yaml")
    assert code == 0
    told: dict[str, Any] = json.loads(out)[0]
    return {name: told[name] for name in ("claimed", "disclosed", "settled")}


def test_9_3_9_5_9_6_an_audit_tells_what_stands_beside_the_chain(tmp_path: Path) -> None:
    duel = Duel("beside")
    match = duel.begun()
    assert told_of(tmp_path, match) == {"claimed": False, "disclosed": [], "settled": []}
    late = match.played("B", "claim", duel.pen("B", match.position.time + 8 * DAY))
    secret = secret_of(late.position, "A", duel.identity("A"))
    late = late.with_disclosed("A", to_text(scalar_to_bytes(secret)))
    item = settle("B", late.log[3].id, 64 * "0", late.id, duel.identity("B"))
    settled = [{"by": "B", "keep": late.log[3].id, "drop": 64 * "0"}]
    told = told_of(tmp_path, late.with_settled(item))
    assert told == {"claimed": True, "disclosed": ["A"], "settled": settled}
    _, out, _ = mbp_run(tmp_path, "audit", "a.mbp.yaml")
    words = " ".join(out.split())
    assert "(as claimed)" in words
    assert "cards disclosed by A, settled: B dropped 00000000" in words


def test_11_a_bad_entry_leaves_the_match_before_it(tmp_path: Path) -> None:
    duel = Duel("as far")
    match = duel.begun()
    wrong = Entry({**duel.step(match).log[-1].tree, "sig": match.log[-1].tree["sig"]})
    found = examine("a", with_log(match, wrong))
    assert [finding.check for finding in found.report.findings] == [3]
    assert found.match is not None
    assert found.match.log == match.log
