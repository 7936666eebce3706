"""Mail at the command line: what fails, what is kept, what comes early, what wins."""

from __future__ import annotations

import io
import os
import shutil
import socket
import sys
from email import message_from_bytes, message_from_string, policy
from pathlib import Path

import pytest

from mbp.chain import seal
from mbp.cli import arrivals, taking
from mbp.desk.joining import Early, join
from mbp.home import Home
from mbp.post.armour import Short, find_shorts
from tests.correspondents import Clock, Correspondent, pair
from tests.duel import HOUR, START, identity_of
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
    mail = message_from_string(out.stdout, policy=policy.default)
    body = mail.get_body()
    assert body is not None
    rows = [row.split() for row in body.get_content().splitlines()]
    hands = [row for row in rows if row[:1] == ["hand"]]
    cups = [row[row.index("cup") + 1 :] for row in rows if "cup" in row]
    assert [row[2:] for row in hands] == [["cards"], ["cards"]]
    assert all(row[1].isdigit() for row in hands)
    assert cups == [["??"], ["??"]]
    assert any(card is not None for card in cards[mover.match.game.hands[mover.memory.log[-1].by]])
    assert "your new cards" not in out.stdout


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


def test_own_mail_that_comes_back_changes_nothing(anna: Path, made: Posted) -> None:
    first = mbp(anna, "send", "bert", *TO, "--stdout").stdout
    back = mbp(anna, "receive", "-", given=first.encode())
    assert (back.code, len(back.log)) == (0, 3)
    assert "nothing new" in back.stderr
    again = mbp(anna, "resend", "bert", *TO, "--stdout").stdout
    assert message_from_string(again)["Message-ID"] == message_from_string(first)["Message-ID"]


def test_a_mistake_in_the_settings_leaves_a_draft(anna: Path, made: Posted) -> None:
    (anna / "home" / "mail.toml").write_text('way = "smpt"\n', encoding="utf-8")
    for way in ([], ["--stdout"], ["--smtp"]):
        said = mbp(anna, "send", "bert", *TO, *way)
        assert said.code == 7
        assert "home/mail.toml: way is not smtp or eml: 'smpt'" in said.stderr
        (draft,) = (anna / "home" / "drafts").iterdir()
        assert f"send the draft home/drafts/{draft.name}" in said.stderr
        assert b"To: bert@example.org" in draft.read_bytes() or b"<bert@example.org>" in (
            draft.read_bytes()
        )
        draft.unlink()


def test_without_an_address_there_is_a_draft_without_one(anna: Path) -> None:
    said = mbp(anna, "send", "bert", "--stdout")
    assert (said.code, said.stdout) == (7, "")
    assert "not sent: no mail address is known" in said.stderr
    (draft,) = (anna / "home" / "drafts").iterdir()
    assert message_from_bytes(draft.read_bytes())["To"] is None


def test_13_5_early_entries_that_do_not_hold_stop_no_good_file(anna: Path, made: Posted) -> None:
    (short,) = find_shorts(made.early)
    assert isinstance(short, Short)
    tree = {key: text for key, text in short.trees[0].items() if key != "sig"}
    elsewhere = seal({**tree, "prev": "ab" * 32}, identity_of("Bert"))
    poison = Short(short.game, short.first, (elsewhere.tree,)).text
    assert "kept aside" in mbp(anna, "receive", "-", given=poison.encode()).stderr
    said = mbp(anna, "receive", "-", given=made.all_but_last)
    assert (said.code, len(said.log)) == (0, 5)
    assert "entries 5-5 had come before, and are left out" in said.stderr
    assert not list((anna / "home" / "aside").glob("*/*"))
    assert mbp(anna, "receive", "-", given=made.all_but_last).code == 0


def test_13_5_nothing_is_kept_aside_where_nobody_has_accepted(tmp_path: Path) -> None:
    """Anybody could have signed it: a stranger could fill the place."""
    anna = pair(tmp_path)[0]
    anna.desk.new("patterns", {})
    log = anna.memory.log
    tree = {"seq": "5", "by": "B", "prev": "ab" * 32, "time": log[0].tree["time"], "act": "f2"}
    short = Short(log[0].id[:32], 5, (seal(tree, identity_of("Mallory")).tree,))
    said = mbp(anna.root, "receive", "-", given=short.text.encode())
    assert said.code == 3
    assert "which nobody has accepted here yet" in said.stderr
    assert not (anna.root / "home" / "aside").exists()


def test_2_4_an_invitation_from_a_fast_clock_comes_in_by_itself(tmp_path: Path) -> None:
    now = START + 24 * HOUR  # as the commands of these tests have it
    anna, bert = Correspondent(tmp_path, "Anna", Clock(now + 2 * HOUR)), pair(tmp_path)[1]
    anna.desk.new("patterns", {})
    said = mbp(bert.root, "receive", "-", given=attached(anna.file))
    assert (said.code, said.stdout, said.log) == (0, "", ())
    assert "held back, and taken in by itself once that time has come" in said.stderr
    bert.clock.time = now + 3 * HOUR
    nothing = bert.root / "nothing"
    nothing.mkdir()
    assert mbp(bert.root, "receive", "nothing").log == ()
    later = mbp(bert.root, "receive", "nothing", now=now + 3 * HOUR)
    assert (later.code, len(later.log)) == (0, 1), later
    assert "to accept the invitation" in later.stderr


def test_only_so_many_invitations_from_fast_clocks_are_kept(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    ids = [f"{number:064x}" for number in range(60)]
    assert [home.keep_held(game_id, b"x") for game_id in ids].count(True) == 50
    assert home.keep_held(ids[0], b"y")


def test_a_mail_that_is_moved_or_gone_while_a_maildir_is_read_stops_no_other(
    anna: Path, made: Posted, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, cur = (anna / "Maildir" / part for part in ("new", "cur"))
    new.mkdir(parents=True)
    cur.mkdir()
    (cur / "2.x:2,S").write_bytes(attached(made.file))
    listed = [new / "1.x", new / "2.x"]  # as they were listed; one is gone, one was read
    monkeypatch.setattr(arrivals, "_files_in", lambda folder: listed)
    said = mbp(anna, "receive", "Maildir")
    assert (said.code, len(said.log)) == (3, 4), said
    assert "Maildir/new/1.x:" in said.stderr


def test_what_can_be_read_once_only_is_not_counted_first(anna: Path, made: Posted) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(made.block.encode())
    said = mbp(anna, "receive", f"/dev/fd/{reading}", stderr=Screen())
    os.close(reading)
    assert (said.code, len(said.log)) == (0, 4), said


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("", "nothing came"),
        ("hello my friend\n", "there is no game in it"),
        ("{half}", "the short form: its first line is missing"),
    ],
)
def test_a_letter_without_a_game_says_so(given: str, reason: str, anna: Path, made: Posted) -> None:
    half = "\n".join(made.block.splitlines()[3:])
    said = mbp(anna, "receive", "-", given=given.replace("{half}", half).encode())
    assert said.code == 3
    assert f"standard input: {reason}" in said.stderr


def test_a_line_break_in_the_name_of_a_file_begins_no_line(anna: Path) -> None:
    box = anna / "box"
    box.mkdir()
    (box / "a\nmbp: all is well").write_bytes(b"mbp: '1'\nlog: []\n")
    (box / "b").write_bytes(b"mbp: '1'\nlog: []\n")
    said = mbp(anna, "receive", "box")
    assert said.code == 3
    assert "\nmbp: all is well" not in said.stderr


def test_4_3_what_is_behind_a_gap_is_kept_aside_before_anything_is_signed(
    anna: Path, made: Posted, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def noted(home: Home, short: Short) -> bytes | Early:
        tried.append(short.first)
        return join(home, short)

    monkeypatch.setattr(taking, "join", noted)
    both = mbp(anna, "receive", "-", given=f"{made.block}\n{made.early}".encode())
    assert (both.code, len(both.log), tried) == (0, 4, [5, 3]), both
    assert "came early" in both.stderr
    refused = mbp(anna, "bot", "bert")
    assert (refused.code, len(refused.log)) == (6, 4)
