"""The recipes of docs/mail.md, as they stand there: macro of mutt, s-nail, script for cron."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from mbp import gamefile
from mbp.post.armour import format_short
from tests.world.mail.players import Player
from tests.world.mail.servers import PASSWORD, Servers
from tests.world.mail.test_programs import PATIENCE, Desk

pytestmark = pytest.mark.world

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/mail.md").read_text(encoding="utf-8")
CRON = {"SHELL": "/bin/sh", "PATH": "/usr/bin:/bin", "LOGNAME": "anna"}  # beside HOME, all there is


def line_of_the_page(start: str) -> str:
    """The one line of a code block that starts so."""
    (found,) = re.findall(rf"^    ({re.escape(start)}.*)$", PAGE, re.MULTILINE)
    return str(found)


def install(folder: Path) -> None:
    """Puts `mbp` into a folder for programs; it leaves its exit code in `done` beside that."""
    folder.mkdir(parents=True)
    program = folder / "mbp"
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH={ROOT} {sys.executable} -m mbp "$@"\ncode=$?\n'
        f"echo $code > {folder.parent}/done\nexit $code\n"
    )
    program.chmod(0o755)


@dataclass(frozen=True)
class Reader(Desk):
    """Anna at her mail program, with `mbp` at hand: her home and games lie in `root`."""

    @property
    def environ(self) -> Mapping[str, str]:
        path = f"{self.root / 'bin'}:{super().environ['PATH']}"
        homes = {"MBP_HOME": str(self.root / "home"), "MBP_GAMES": str(self.root / "games")}
        return {**super().environ, **homes, "PATH": path}

    @property
    def sent(self) -> Path:
        """What tells that the program has ended."""
        return self.root / "done"

    @property
    def entries(self) -> int:
        """How many the game file holds."""
        (path,) = (self.root / "games").glob("*.mbp.yaml")
        return len(gamefile.load(path.read_bytes()).log)


@pytest.fixture
def anna(tmp_path: Path) -> Reader:
    """Anna, who has begun a match; Bert's first move is on its way."""
    anna, bert = Player(tmp_path / "anna", "Anna"), Player(tmp_path / "bert", "Bert")
    for player in (anna, bert):
        (player.folder / "games").mkdir(parents=True)
        player.mbp("key", "new", "--name", player.name)
    anna.mbp("new", "--game", "patterns", "--option", "start=inviter")
    bert.mbp("receive", str(anna.file))
    bert.mbp("join", str(bert.file))
    anna.mbp("receive", str(bert.file))
    bert.mbp("receive", str(anna.file))
    first = json.loads(bert.mbp("moves", "Anna", "--json").stdout)["moves"][0]
    bert.mbp("move", "Anna", first["short"])
    file = bert.file.read_bytes()
    reader = Reader(anna.folder, file, format_short(gamefile.load(file).log, 3))
    install(reader.root / "bin")
    assert reader.entries == 3
    return reader


@pytest.mark.parametrize("whole", [True, False])
def test_the_macro_of_mutt_takes_a_move_in(whole: bool, anna: Reader) -> None:
    anna.settle_in(whole=whole)
    assert anna.mutt(",r", line_of_the_page("macro index,pager ")) == b"0\n"
    assert anna.entries == 4


@pytest.mark.parametrize("settings", ["/etc/s-nail.rc", "/dev/null"])
@pytest.mark.parametrize("whole", [True, False])
def test_the_pipe_of_s_nail_takes_a_move_in(whole: bool, settings: str, anna: Reader) -> None:
    anna.settle_in(whole=whole)
    typed = line_of_the_page("? pipe 1 ").removeprefix("? ")
    subprocess.run(
        ["s-nail", "-#", "-f", str(anna.box)], input=f"{typed}\nxit\n".encode(),
        env={**anna.environ, "MAILRC": settings}, check=True, timeout=PATIENCE,
        capture_output=True,
    )  # fmt: skip
    assert anna.sent.read_bytes() == b"0\n"
    assert anna.entries == 4


def test_the_two_lines_for_s_nail_take_a_move_in(anna: Reader, tmp_path: Path) -> None:
    anna.settle_in(whole=True)
    lines = [line_of_the_page("? copy 1 "), line_of_the_page("? !mbp ")]
    typed = "\n".join(lines).replace("? ", "").replace("/tmp/", f"{tmp_path}/")
    subprocess.run(
        ["s-nail", "-n", "-#", "-f", str(anna.box)], input=f"{typed}\nxit\n".encode(),
        env={**anna.environ, "MAILRC": "/dev/null"}, check=True, timeout=PATIENCE,
        capture_output=True,
    )  # fmt: skip
    assert anna.sent.read_bytes() == b"0\n"
    assert anna.entries == 4


def test_the_script_for_cron_fetches_answers_and_is_silent_when_nothing_came(
    servers: Servers, two: tuple[Player, Player], tmp_path: Path
) -> None:
    anna, bert = two
    anna.mbp("new", "--game", "patterns")
    before = servers.log.count("status=sent")
    anna.mbp("send", str(anna.file), "--to", bert.address)
    servers.wait_for(before + 1)
    bert.mbp("receive", "--imap")
    bert.mbp("join", str(bert.file))
    bert.mbp("send", "Anna")
    servers.wait_for(before + 2)

    home = tmp_path / "home-of-anna"
    install(home / ".local/bin")
    data = home / ".local/share/mbp"
    shutil.copytree(anna.folder / "home", data)
    shutil.copytree(anna.folder / "games", data / "games")
    for facts in (data / "matches").glob("*.json"):
        facts.unlink()  # they name the game file of the original
    settings = data / "mail.toml"
    command = f'password-command = ["echo", "{PASSWORD}"]\n'
    text = settings.read_text(encoding="utf-8").replace("user = ", f"{command}user = ")
    settings.write_text(text, encoding="utf-8")

    (block,) = re.findall(r"^    #!/bin/sh\n(?:    .*\n)+", PAGE, re.MULTILINE)
    script = home / "bin/mbp-post"
    script.parent.mkdir()
    script.write_text(block.replace("\n    ", "\n").strip() + "\n", encoding="utf-8")
    script.chmod(0o755)
    (line,) = re.findall(r"# crontab: (?:\S+ ){5} *(.*)", PAGE)

    def run() -> str:
        done = subprocess.run(
            ["/bin/sh", "-c", line], env={**CRON, "HOME": str(home)}, cwd=home,
            capture_output=True, timeout=PATIENCE, text=True, check=False,
        )  # fmt: skip
        assert not done.stderr, done
        return done.stdout

    said = run()
    assert "sent to bert@game.test" in said, said
    servers.wait_for(before + 3)
    assert "Anna: shows the coin" in bert.mbp("receive", "--imap").stderr
    assert run() == ""
