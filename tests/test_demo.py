"""The demo: a whole match, told in lines, the same for the same seed, and nothing left behind."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mbp.audit import audit
from mbp.cli import run
from mbp.cli.pair import Pair, SeededWorld
from mbp.cli.ticker import BAR

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class Screen(io.StringIO):
    """A terminal, or a pipe."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def shown(
    folder: Path, *argv: str, terminal: bool = False, width: int = 80
) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `mbp demo`."""
    stdout, stderr = Screen(terminal), Screen(terminal)
    code = run(
        ["demo", *argv],
        environ={"TERM": "xterm", "COLUMNS": str(width), "NO_COLOR": "1", "MBP_HOME": "nowhere"},
        cwd=folder,
        stdin=io.StringIO(),
        stdout=stdout,
        stderr=stderr,
        now=lambda: NOW,
        randomness=bytes,  # zeros: a match that nobody asked for has number 0
    )
    return code, stdout.getvalue(), stderr.getvalue()


def test_a_demo_goes_from_the_invitation_to_the_audit_and_keeps_two_homes(tmp_path: Path) -> None:
    code, told, said = shown(tmp_path, "--seed", "1", "--dir", "kept")
    assert code == 0
    lines = told.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in told + said
    assert lines[0].startswith("Alice and Bob play Mandala by post.")
    assert any("accepts the invitation" in line for line in lines)
    assert "Everything holds." in told
    assert "The same again:  mbp demo --seed 1" in lines
    assert "real match" in said

    files = [next((tmp_path / "kept" / who / "games").iterdir()) for who in ("alice", "bob")]
    data = [path.read_bytes() for path in files]
    assert data[0] == data[1]
    mails = sorted((tmp_path / "kept").glob("*/Maildir/cur/*"))
    assert f" in {len(mails)} letters " in told
    assert all(b"[BEGIN MBP/1 " in mail.read_bytes() for mail in mails[:20])
    report = audit(files[0].name, data[0])
    assert report.ok
    assert report.disclosed == ("A", "B")
    assert f"The file:        kept/alice/games/{files[0].name}" in lines


def test_the_temporary_folder_is_removed_and_a_terminal_has_a_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    code, told, said = shown(tmp_path, terminal=True, width=40)
    assert code == 0
    assert not list(temporary.iterdir())
    assert f"  {'░' * BAR}" in said
    assert said.endswith("\r\x1b[K")
    assert "The same again:  mbp demo --seed 0" in told.splitlines()


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    def first_entries(name: str, seed: str) -> bytes:
        pair = Pair.meet(tmp_path / name, SeededWorld(seed), ("Alice", "Bob"))
        pair.invite("mandala", {}, named=True)
        pair.accept("Hello.")
        for _ in pair.play_on(8):
            pass
        return max((path.read_bytes() for path in pair.files.values()), key=len)

    assert first_entries("one", "7") == first_entries("two", "7")
    assert first_entries("three", "8") != first_entries("four", "7")


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (("--home", "mine"), 2, "homes of its own"),
        (("--game", "chess"), 3, "no game 'chess'"),
        (("--dir", "full"), 1, "not empty"),
        (("--seed", "-1"), 2, "-1"),
    ],
)
def test_a_demo_takes_no_home_and_no_full_folder(
    tmp_path: Path, argv: tuple[str, ...], code: int, words: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine", encoding="utf-8")
    answer = shown(tmp_path, *argv)
    assert answer[0] == code
    assert words in answer[2]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full"]
