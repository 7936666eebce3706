"""`mbp receive --imap`: how far a folder was read, whatever the server does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mbp.cli.fetching import Fetching
from tests.post.game import Posted, Said, mbp, posted
from tests.post.mangled import attached, bounce, message, raw
from tests.post.servers import ImapServer, running

UNRELATED = message("See you on Sunday.\n").as_bytes()


@pytest.fixture
def folder() -> Iterator[ImapServer]:
    with running(ImapServer()) as found:
        yield found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Posted:
    return posted(tmp_path_factory.mktemp("posted"))


@pytest.fixture
def anna(made: Posted, tmp_path: Path, folder: ImapServer) -> Path:
    """Anna's folder, as it was before Bert's move came."""
    anna = Path(shutil.copytree(made.folder, tmp_path / "anna"))
    port = folder.server_address[1]
    text = f'[imap]\nhost = "localhost"\nport = {port}\nsecurity = "none"\nuser = "anna"\n'
    (anna / "home" / "mail.toml").write_text(text, encoding="utf-8")
    return anna


def fetch(anna: Path, *more: str) -> Said:
    return mbp(anna, "receive", "--imap", *more, environ={"MBP_MAIL_PASSWORD": "x"})


def mark(anna: Path) -> tuple[int, int] | None:
    """The validity and uid that are remembered."""
    path = anna / "home" / "imap.json"
    if not path.exists():
        return None
    (found,) = json.loads(path.read_text(encoding="utf-8")).values()
    return found["validity"], found["uid"]


def test_new_mails_are_fetched_once(anna: Path, made: Posted, folder: ImapServer) -> None:
    folder.mails = {4: UNRELATED, 9: attached(made.file)}
    said = fetch(anna)
    assert (said.code, len(said.log), mark(anna)) == (0, 4, (7, 9)), said
    assert "letter without" not in said.stderr  # an inbox is full of those
    again = fetch(anna)
    assert (again.code, again.stdout, again.stderr) == (0, "", "nothing new\n")
    assert folder.fetched == [4, 9]
    assert fetch(anna, "--again").code == 0
    assert folder.fetched == [4, 9, 4, 9]


def test_known_mails_say_nothing_new(anna: Path, made: Posted, folder: ImapServer) -> None:
    folder.mails = {1: attached(made.file)}
    fetch(anna)
    folder.mails[2] = attached(made.file)
    folder.mails[3] = attached(made.old)
    again = fetch(anna)
    assert (again.code, again.stdout, again.stderr) == (0, "", "nothing new\n")


def test_a_folder_that_was_made_anew_is_read_from_its_beginning(
    anna: Path, made: Posted, folder: ImapServer
) -> None:
    folder.mails = {500: UNRELATED}
    fetch(anna)
    folder.validity, folder.mails = 8, {}
    fetch(anna)
    assert mark(anna) == (8, 0)
    folder.mails = {1: attached(made.file)}
    assert len(fetch(anna).log) == 4


def test_what_came_before_a_server_broke_is_taken_in(
    anna: Path, made: Posted, folder: ImapServer
) -> None:
    folder.mails = {1: attached(made.file), 2: UNRELATED, 3: UNRELATED}
    folder.answers = {2: b""}
    said = fetch(anna)
    assert (said.code, len(said.log), mark(anna)) == (7, 4, (7, 1)), said
    assert "mail 2 of INBOX:" in said.stderr
    folder.answers = {}
    assert fetch(anna).code == 0
    assert (folder.fetched, mark(anna)) == ([1, 2, 2, 3], (7, 3))


def test_killed_before_the_mark_is_kept_it_loses_and_doubles_nothing(
    anna: Path, made: Posted, folder: ImapServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mails = {1: attached(made.file)}
    with monkeypatch.context() as patch:
        patch.setattr(Fetching, "keep_mark", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert len(fetch(anna).log) == 4
    assert mark(anna) is None
    again = fetch(anna)
    assert (again.code, len(again.log), mark(anna)) == (0, 4, (7, 1))


def test_what_needs_an_answer_is_fetched_again(
    anna: Path, made: Posted, folder: ImapServer
) -> None:
    shutil.rmtree(anna / "home" / "matches")  # a restored backup: is this the newest state?
    folder.mails = {1: attached(made.file)}
    said = fetch(anna)
    assert said.code == 6, said
    assert mark(anna) is None
    assert fetch(anna, "--newest").code == 0
    assert mark(anna) == (7, 1)


def test_two_histories_are_kept_and_not_fetched_again(
    anna: Path, made: Posted, folder: ImapServer
) -> None:
    folder.mails = {1: attached(made.file), 2: attached(made.fork)}
    assert fetch(anna).code == 8
    assert mark(anna) == (7, 2)
    assert (fetch(anna).stderr, folder.fetched) == ("nothing new\n", [1, 2])


def test_what_programs_answer_to_other_mails_is_not_told(
    anna: Path, made: Posted, folder: ImapServer
) -> None:
    other = raw("Message-ID: <photos@example.org>\n", "my holiday photos\n")
    ours = raw("Message-ID: <abc.A@mbp.invalid>\n", "a move\n")
    vacation = raw("Auto-Submitted: auto-replied\n", "I am away\n")
    folder.mails = {1: bounce(other), 2: vacation}
    assert fetch(anna).stderr == "nothing new\n"
    folder.mails[3] = bounce(ours)
    assert "your mail has not arrived: it came back (5.1.1)" in fetch(anna).stderr
