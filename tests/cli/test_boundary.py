"""One boundary: every class of error has its exit code, and nobody sees a traceback."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mbp import cli
from mbp.cli import run
from mbp.cli.boundary import report
from mbp.cli.session import Session
from mbp.cli.terminal import Terminal
from mbp.errors import (
    ChainError,
    ForkError,
    FormatError,
    KeyringError,
    MbpError,
    NoSuchGameError,
    PostError,
    SignatureError,
    TurnError,
    UnsupportedVersionError,
)
from mbp.rules.contract import AmbiguousMoveError, IllegalMoveError, NotationError

NOW = datetime(2026, 11, 30, tzinfo=UTC)
GAME = Path(__file__).parents[2] / "games" / "ivar-open-e45fab44.mbp.yaml"


def session(stderr: io.StringIO, **environ: str) -> Session:
    """A session that nobody reads but these tests."""
    terminal = Terminal(io.StringIO(), io.StringIO(), stderr, environ)
    return Session(terminal, Path("/"), lambda: NOW, bytes)


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (MbpError("no"), 1),
        (OSError(28, "No space left on device", "x"), 1),
        (ZeroDivisionError("no"), 1),
        (FormatError("no", path="log[1]"), 3),
        (UnsupportedVersionError("no"), 3),
        (NoSuchGameError("no"), 3),
        (SignatureError("no", seq=3, author="A"), 4),
        (ChainError("no"), 4),
        (IllegalMoveError("no", "M3.2"), 5),
        (NotationError("no"), 5),
        (AmbiguousMoveError("m", ["mountain 1 red", "mountain 2 red"]), 5),
        (TurnError("no"), 5),
        (KeyringError("no", hint="make one"), 6),
        (PostError("no"), 7),
        (ForkError("no"), 8),
    ],
)
def test_exit_codes(failure: Exception, code: int) -> None:
    stderr = io.StringIO()
    assert report(failure, session(stderr)) == code
    assert stderr.getvalue().startswith("mbp: ")
    assert "Traceback" not in stderr.getvalue()


def test_hints_name_the_file_at_hand() -> None:
    stderr = io.StringIO()
    at_hand = session(stderr)
    at_hand.subject = r"my \1 game.yaml"
    report(TurnError("the pen is not yours"), at_hand)
    assert "mbp show 'my \\1 game.yaml'" in stderr.getvalue()


def test_a_traceback_only_for_who_wants_one() -> None:
    stderr = io.StringIO()
    try:
        raise ZeroDivisionError("no")
    except ZeroDivisionError as failure:
        report(failure, session(stderr, MBP_DEBUG="1"))
    assert "Traceback" in stderr.getvalue()


def outcome_of(
    monkeypatch: pytest.MonkeyPatch, failure: BaseException, tmp_path: Path
) -> tuple[int, str]:
    """Exit code and messages of a run in which something is raised."""

    def fail() -> None:
        raise failure

    monkeypatch.setattr(cli, "make_root", fail)
    stderr = io.StringIO()
    code = run(
        ["status"],
        environ={},
        cwd=tmp_path,
        stdin=io.StringIO(),
        stdout=io.StringIO(),
        stderr=stderr,
        now=lambda: NOW,
        randomness=bytes,
    )
    return code, stderr.getvalue()


def test_an_interrupt_and_a_closed_pipe_are_quiet(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert outcome_of(monkeypatch, KeyboardInterrupt(), tmp_path) == (130, "")
    assert outcome_of(monkeypatch, BrokenPipeError(), tmp_path) == (141, "")
    code, said = outcome_of(monkeypatch, RuntimeError("odd\nlines"), tmp_path)
    assert code == 1
    assert said.splitlines()[0] == "mbp: unexpected RuntimeError: odd"


class Closed(io.StringIO):
    """A pipe whose reader has gone."""

    def write(self, text: str) -> int:
        """Raises BrokenPipeError."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def test_a_pipe_that_is_closed_while_a_command_writes_is_quiet(tmp_path: Path) -> None:
    stderr = io.StringIO()
    code = run(
        ["audit", "nowhere"],
        environ={},
        cwd=tmp_path,
        stdin=io.StringIO(),
        stdout=Closed(),
        stderr=stderr,
        now=lambda: NOW,
        randomness=bytes,
    )
    assert (code, stderr.getvalue()) == (141, "")


def program(*argv: str, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """The program as a process of its own, in a folder."""
    root = Path(__file__).parent.parent.parent
    base = {"PATH": os.environ["PATH"], "PYTHONPATH": str(root), "HOME": str(folder)}
    return subprocess.run(
        [sys.executable, "-m", "mbp", *argv],
        cwd=folder,
        env={**base, **environ},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_home_and_games_come_from_options_then_environment_then_places(tmp_path: Path) -> None:
    made = program("key", "new", "--name", "Alice", folder=tmp_path, XDG_DATA_HOME="")
    assert made.returncode == 0
    assert list(tmp_path.rglob("identity.pem"))
    for argv in (["--home", "one", "new"], ["new", "--home", "one"]):
        assert program(*argv, folder=tmp_path).returncode == 6  # nobody lives there
    assert program("new", folder=tmp_path, MBP_HOME="one").returncode == 6
    for argv in (["--games", "two", "new"], ["new", "--games=two"]):
        assert program(*argv, folder=tmp_path).stdout.startswith("two/alice-open-")
    assert program("new", folder=tmp_path, MBP_GAMES="three").stdout.startswith("three/alice-open-")
    (tmp_path / "games").mkdir()
    assert program("new", folder=tmp_path).stdout.startswith("games/alice-open-")


def test_show_loads_no_library_that_it_does_not_need(tmp_path: Path) -> None:
    lines = program("show", "nothing", folder=tmp_path, PYTHONPROFILEIMPORTTIME="1").stderr
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines.splitlines()}
    assert "mbp" in loaded
    assert not loaded & {"rich", "pydantic", "click", "asyncio", "email", "http"}


def test_a_reader_that_goes_away_hears_no_complaint(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent.parent
    found = subprocess.run(
        f"{sys.executable} -m mbp audit {root}/tests/data/matches --json | true",
        shell=True,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(root), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")


@pytest.mark.parametrize(
    ("streams", "code"), [("status >&-", 0), ("receive - <&-", 3), ("show nofile 2>&-", 3)]
)
def test_closed_streams_are_no_error(tmp_path: Path, streams: str, code: int) -> None:
    command = f'"{sys.executable}" -m mbp --home "{tmp_path}/home" {streams}'
    found = subprocess.run(
        ["sh", "-c", command], check=False, capture_output=True, text=True, timeout=60
    )
    assert found.returncode == code
    assert "Error" not in found.stderr


def test_a_folder_that_is_gone_is_no_error(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    command = f'cd "{gone}" && rmdir "{gone}" && "{sys.executable}" -m mbp'
    for arguments, code in (("--version", 0), ("show x.mbp.yaml", 3), ("audit x.mbp.yaml", 3)):
        gone.mkdir()
        found = subprocess.run(
            ["sh", "-c", f"{command} {arguments}"],
            check=False, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert (found.returncode, "Traceback" in found.stderr) == (code, False)


@pytest.mark.parametrize("name", ["~nobody-of-this-name/x", "界" * 100, "a" * 5000 + ".mbp.yaml"])
def test_a_name_that_no_file_has_is_said_plainly(tmp_path: Path, name: str) -> None:
    for command in ("show", "audit", "join"):
        found = program("--home", str(tmp_path / "home"), command, name, folder=tmp_path)
        assert found.returncode in (1, 3, 6)
        assert "unexpected" not in found.stderr


def test_a_pipe_is_received_where_the_machine_makes_pipes_only(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, code in (("pipe", 3), ("/dev/stdin", 0)):
        found = subprocess.run(
            [sys.executable, "-m", "mbp", "--home", "home", "--games", "games", "receive", name],
            check=False, capture_output=True, cwd=tmp_path, input=GAME.read_bytes(), timeout=60,
        )  # fmt: skip
        assert found.returncode == code
