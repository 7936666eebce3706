"""`mbp audit` on many files: the sums, JUnit, JSON, and Ctrl-C."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import mbp
from mbp.audit import Report, examine, unread
from mbp.chain import Entry, settle, to_text
from mbp.cli import run, verdict
from mbp.cli.sources import Source
from mbp.curve import scalar_to_bytes
from mbp.match import Match, secret_of
from tests.duel import DAY, Duel, file_of, with_log

SHORT = Path(__file__).parents[2] / "games" / "ivar-open-e45fab44.mbp.yaml"


def mbp_run(folder: Path, *argv: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of one command."""
    out, err = io.StringIO(), io.StringIO()
    code = run(
        argv,
        environ={"MBP_HOME": "nobody"},
        cwd=folder,
        stdin=io.StringIO(),
        stdout=out,
        stderr=err,
        now=lambda: datetime(2026, 11, 30, tzinfo=UTC),
        randomness=bytes,
        zone=UTC,
    )
    return code, out.getvalue(), err.getvalue()


def archive(folder: Path, count: int) -> None:
    """Some files that hold, or do not: every second is no game file."""
    for number in range(count):
        if number % 2:
            (folder / f"{number:03}.mbp.yaml").write_text("mbp: no\n", encoding="utf-8")
        else:
            shutil.copy(SHORT, folder / f"{number:03}.mbp.yaml")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports without verification, for tests of what is made of reports."""
    text = "says \x1b[2J & \"'<x>\uffff"

    def instead(source: Source) -> Report:
        good = b"mbp: no" not in source.read()
        finding = unread("", text).findings
        return Report(source.name, good, "mandala" if good else None, "ab" * 32 if good else None,
                      17, None, () if good else finding)  # fmt: skip

    monkeypatch.setattr(verdict, "audit_source", instead)


@pytest.mark.usefixtures("quick")
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
        ["mandala", "12", "12", "0", "0", "12", "204"],
        ["unreadable", "12", "0", "12", "0", "0", "204"],
        ["all", "24", "12", "12", "0", "12", "408"],
        ["12", "of", "24", "hold"],
    ]
    assert "\x1b" not in out


@pytest.mark.usefixtures("quick")
def test_junit_has_a_case_a_file_and_cannot_be_broken_by_a_text(tmp_path: Path) -> None:
    archive(tmp_path, 4)
    for _ in range(2):  # an earlier report is replaced
        code, _, _ = mbp_run(tmp_path, "audit", ".", "--jobs", "1", "--junit", "report.xml")
        assert code == 3
    suites = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert (suites.get("tests"), suites.get("failures")) == ("4", "2")
    cases = suites.findall("testsuite/testcase")
    assert [case.get("name") for case in cases] == [f"{n:03}.mbp.yaml" for n in range(4)]
    failure = cases[1].find("failure")
    assert failure is not None
    assert failure.get("message") == "says \ufffd[2J & \"'<x>\ufffd (check 1)"


def test_junit_overwrites_no_other_file(tmp_path: Path) -> None:
    archive(tmp_path, 1)
    (tmp_path / "mine.xml").write_text("<mine/>", encoding="utf-8")
    code, _, err = mbp_run(tmp_path, "audit", ".", "--junit", "mine.xml")
    assert (code, "no report of mbp" in err) == (1, True)
    assert (tmp_path / "mine.xml").read_text(encoding="utf-8") == "<mine/>"


@pytest.mark.usefixtures("quick")
def test_json_is_one_document_however_many_files(tmp_path: Path) -> None:
    archive(tmp_path, 24)
    _, out, _ = mbp_run(tmp_path, "audit", ".", "--json", "--jobs", "1")
    found = json.loads(out)
    assert out == json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    assert [one["ok"] for one in found] == [True, False] * 12


def test_ctrl_c_ends_with_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive(tmp_path, 6)
    real, done = verdict.audit_source, 0

    def interrupted(source: Source) -> Report:
        nonlocal done
        done += 1
        if done == 4:
            raise KeyboardInterrupt
        return real(source)

    monkeypatch.setattr(verdict, "audit_source", interrupted)
    arguments = ("audit", ".", "--json", "--jobs", "1", "--junit", "j.xml")
    code, out, err = mbp_run(tmp_path, *arguments)
    assert (code, err) == (130, "mbp: stopped: 3 of 6 files are audited\n")
    assert [one["file"] for one in json.loads(out)] == [f"{n:03}.mbp.yaml" for n in range(3)]
    assert 'tests="3"' in (tmp_path / "j.xml").read_text(encoding="utf-8")


def test_ctrl_c_on_several_processes_leaves_none_behind(tmp_path: Path) -> None:
    archive(tmp_path, 200)
    command = [sys.executable, "-m", "mbp", "audit", ".", "--jobs", "2"]
    root = str(Path(mbp.__file__).parents[1])
    process = subprocess.Popen(
        command, cwd=tmp_path, env={"PYTHONPATH": root}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline().startswith("FAILED 001")
    # A terminal sends it to the whole group; the workers leave the decision to their parent.
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.startswith("mbp: stopped: ")
    assert "Traceback" not in err
    assert out.splitlines()[-1].endswith("hold")
    assert _ends(process.pid)


def _ends(group: int) -> bool:
    """Whether nothing of a process group is left, soon."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


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
