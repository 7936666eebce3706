"""Mail at the command line: what fails, what is kept, what comes early, what wins."""

from __future__ import annotations

import shutil
import socket
import sys
from pathlib import Path

import pytest

from mbp.home import Home
from mbp.post.armour import Short, find_shorts
from tests.post.game import Posted, mbp, posted
from tests.post.mangled import attached, message

TO = ("--to", "bert@example.org")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Posted:
    return posted(tmp_path_factory.mktemp("posted"))


@pytest.fixture
def anna(made: Posted, tmp_path: Path) -> Path:
    """Anna's folder, as it was before Bert's move came."""
    return Path(shutil.copytree(made.folder, tmp_path / "anna"))


def set_up(folder: Path, more: str = "") -> int:
    """Writes a mail.toml that names a port on which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    server = f'host = "localhost"\nport = {port}\nsecurity = "none"\n{more}'
    text = f'from = "anna@example.org"\n[smtp]\n{server}\n[imap]\n{server}'
    (folder / "home" / "mail.toml").write_text(text, encoding="utf-8")
    return port


def test_what_cannot_be_sent_is_a_draft_and_the_match_is_kept(anna: Path, made: Posted) -> None:
    port = set_up(anna)
    before = [path.read_bytes() for path in (anna / "games").iterdir()]
    said = mbp(anna, "send", "bert", *TO)
    assert said.code == 7
    assert f"not sent: localhost:{port}: " in said.stderr
    assert "mbp resend" in said.stderr
    (draft,) = (anna / "home" / "drafts").iterdir()
    assert f"home/drafts/{draft.name}" in said.stderr
    assert [path.read_bytes() for path in (anna / "games").iterdir()] == before
    assert b"X-Unsent: 1" in draft.read_bytes()
    assert mbp(anna, "send", "bert", *TO).code == 7
    assert len(list((anna / "home" / "drafts").iterdir())) == 1


def test_a_move_is_written_before_it_is_sent(anna: Path, made: Posted) -> None:
    set_up(anna)
    mbp(anna, "receive", "-", given=made.file)
    bert = [line for line in mbp(anna, "moves", "bert").stdout.splitlines() if line.strip()]
    move = bert[1].split()[0]
    said = mbp(anna, "move", "bert", move, "--send")
    assert said.code == 7, (said, bert)
    assert len(said.log) == 5


def test_a_server_that_does_not_answer_is_exit_7_and_nothing_is_marked(anna: Path) -> None:
    set_up(anna)
    said = mbp(anna, "receive", "--imap")
    assert said.code == 7
    assert not (anna / "home" / "imap.json").exists()


def test_a_password_comes_from_the_environment_a_command_or_a_question(anna: Path) -> None:
    set_up(anna, 'user = "anna"\n')
    assert "a password is needed" in (said := mbp(anna, "send", "bert", *TO)).stderr or (
        "password of anna" in said.stderr
    )
    assert said.code == 7
    told = mbp(anna, "send", "bert", *TO, environ={"MBP_MAIL_PASSWORD": "geheim"})
    assert "password" not in told.stderr
    command = f'["{sys.executable}", "-c", "print(1)"]'
    set_up(anna, f'user = "anna"\npassword-command = {command}\n')
    assert "password" not in mbp(anna, "send", "bert", *TO).stderr
    set_up(anna, 'user = "anna"\npassword-command = ["/nowhere/at/all"]\n')
    assert "password command" in mbp(anna, "send", "bert", *TO).stderr
    for path in anna.rglob("*"):
        assert path.is_dir() or b"geheim" not in path.read_bytes()


def test_a_mail_shows_no_hand_of_its_sender(tmp_path: Path) -> None:
    from tests.correspondents import started

    anna, bert = started(tmp_path)
    mover = anna if anna.match.pen == "A" else bert
    cards = mover.match.seen(mover.desk.secrets(mover.match))[1]
    moves = mover.moves()
    mover.desk.play(mover.path, moves[0])
    out = mbp(tmp_path / mover.name, "send", str(mover.path), "--to", "x@example.org", "--stdout")
    assert out.code == 0, out.stderr
    text = out.stdout.partition("[BEGIN")[0]
    assert "hand   " in text
    assert "cards" in text
    assert any(card is not None for card in cards[mover.match.game.hands[mover.memory.log[-1].by]])
    assert "your new cards" not in text


def test_13_5_early_entries_wait_until_the_gap_is_filled(anna: Path, made: Posted) -> None:
    early = mbp(anna, "receive", "-", given=message(made.early).as_bytes())
    assert early.code == 0
    assert "entries 3-4 are missing; kept aside" in early.stderr
    (kept,) = (anna / "home" / "aside").glob("*/*")
    assert [one.first for one in find_shorts(kept.read_text()) if isinstance(one, Short)] == [5]
    mbp(anna, "receive", "-", given=made.file)
    assert kept.exists()
    said = mbp(anna, "receive", "-", given=made.all_but_last)
    assert "entries 5-5 had come before: joined" in said.stderr
    assert len(said.log) == 6
    assert not kept.exists()


def test_13_5_early_entries_that_no_player_signed_are_not_kept(anna: Path, made: Posted) -> None:
    (short,) = find_shorts(made.early)
    assert isinstance(short, Short)
    tree = {**short.trees[0], "time": "2026-11-30T13:59:59Z"}
    forged = Short(short.game, short.first, (tree,)).text
    said = mbp(anna, "receive", "-", given=forged.encode())
    assert said.code == 4
    assert "not signed" in said.stderr
    assert not (anna / "home" / "aside").exists()


def test_only_so_many_early_entries_are_kept(anna: Path) -> None:
    home = Home(anna / "home")
    (game_id,) = home.all_remembered()
    kept = [home.keep_aside(game_id, f"{seq}-{seq}-{seq:08x}", "x") for seq in range(60)]
    assert kept.count(True) == 50
    with pytest.raises(ValueError, match="not a name"):
        home.keep_aside(game_id, "../x", "x")


def test_the_newest_that_holds_wins_whatever_the_order(anna: Path, made: Posted) -> None:
    bad = made.all_but_last.replace(b'seq: "4"', b'seq: "5"', 1)
    assert bad != made.all_but_last
    box = anna / "box"
    box.mkdir()
    for number, data in enumerate((bad, made.older, made.file, made.old)):
        (box / f"{number}.eml").write_bytes(attached(data))
    (box / "notes.txt").write_text("nothing\n", encoding="utf-8")
    said = mbp(anna, "receive", "box")
    assert len(said.log) == 4, said
    assert said.code == 4
    assert "box/0.eml:" in said.stderr
    assert "1 letter without a game" in said.stderr
    (box / "0.eml").unlink()
    again = mbp(anna, "receive", "box", "box", "box/2.eml")
    assert (again.code, len(again.log)) == (0, 4)


def test_a_maildir_is_read_and_left_as_it_is(anna: Path, made: Posted) -> None:
    for part in ("tmp", "new", "cur"):
        (anna / "Maildir" / part).mkdir(parents=True)
    (anna / "Maildir" / "new" / "1.x").write_bytes(attached(made.file))
    (anna / "Maildir" / "cur" / "2.x:2,S").write_bytes(attached(made.old))
    (anna / "Maildir" / "tmp" / "3.x").write_bytes(attached(made.fork))
    before = sorted(path.name for path in (anna / "Maildir").rglob("*"))
    said = mbp(anna, "receive", "Maildir")
    assert (said.code, len(said.log)) == (0, 4)
    assert sorted(path.name for path in (anna / "Maildir").rglob("*")) == before


def test_what_peers_write_in_a_mail_reaches_neither_screen_nor_disk(
    anna: Path, made: Posted
) -> None:
    mail = message(f"\x1b[31mred\x07\n{made.block}", X_Evil="\x1b]0;owned\x07")
    mail.add_attachment(made.old, maintype="application", subtype="x", filename="../../evil.sh")
    names = {path.name for path in anna.rglob("*")}
    said = mbp(anna, "receive", "-", given=mail.as_bytes())
    assert said.code == 0
    assert len(said.log) == 4
    assert not any(sign in said.stdout + said.stderr for sign in ("\x1b", "\x07", "evil", "owned"))
    assert not any("evil" in path.name for path in anna.parent.rglob("*"))
    assert names <= {path.name for path in anna.rglob("*")}


def test_the_own_side_of_a_match_is_not_played_twice(anna: Path, made: Posted) -> None:
    """Whoever gets the same mail again sends the same bytes again."""
    first = mbp(anna, "send", "bert", *TO, "--stdout").stdout
    mbp(anna, "receive", "-", given=made.old)
    assert mbp(anna, "resend", "bert", *TO, "--stdout").stdout == first
