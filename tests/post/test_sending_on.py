"""`mbp receive --send`: every match is mailed, whatever goes wrong with another, or with a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mbp.cli import outbox
from mbp.home import Home
from tests.correspondents import Correspondent, pair
from tests.post.game import Said, mbp
from tests.post.servers import SmtpServer, running


@pytest.fixture
def server() -> Iterator[SmtpServer]:
    with running(SmtpServer()) as found:
        yield found


@pytest.fixture
def anna(tmp_path: Path, server: SmtpServer) -> Correspondent:
    """Anna, whose two invitations Bert has accepted; both answers lie in the folder `box`."""
    anna, bert = pair(tmp_path)
    (anna.root / "box").mkdir(parents=True)
    bert.games.mkdir(parents=True)
    for pace in ("5", "7"):
        receipt = anna.desk.new("patterns", {"pace": pace})
        path = bert.games / receipt.path.name
        path.write_bytes(receipt.path.read_bytes())
        bert.desk.join(path)
        (anna.root / "box" / f"{pace}.mbp.yaml").write_bytes(path.read_bytes())
    text = f"""from = "anna@example.org"
[smtp]
host = "localhost"
port = {server.server_address[1]}
security = "none"
"""
    (anna.root / "home" / "mail.toml").write_text(text, encoding="utf-8")
    return anna


def receive(anna: Correspondent, *more: str) -> Said:
    return mbp(anna.root, "receive", "box", "--send", *more)


def name_bert(anna: Correspondent, address: str = "bert@example.org") -> None:
    home = Home(anna.root / "home")
    for game_id in home.all_remembered():
        anna.desk.note_mail(game_id, to=address)


def test_what_the_program_wrote_is_sent_and_marked_as_automatic(
    anna: Correspondent, server: SmtpServer
) -> None:
    name_bert(anna)
    said = receive(anna)
    assert (said.code, said.stderr.count("sent to bert@example.org")) == (0, 2), said
    assert [mail.count(b"Auto-Submitted: auto-generated") for mail in server.mails] == [1, 1]
    assert receive(anna).code == 0
    assert len(server.mails) == 2


def test_a_match_that_cannot_be_sent_stops_no_other(
    anna: Correspondent, server: SmtpServer
) -> None:
    first, second = anna.home.all_remembered()
    anna.desk.note_mail(second, to="bert@example.org")
    (anna.root / "box" / "bad.mbp.yaml").write_bytes(b"mbp: '1'\nlog: []\n")
    said = receive(anna)
    assert said.code == 7, said
    assert "not sent: no mail address is known" in said.stderr
    assert f"mbp resend {first[:8]} --to ADDRESS" in said.stderr
    assert "sent to bert@example.org" in said.stderr
    assert "box/bad.mbp.yaml:" in said.stderr
    assert len(server.mails) == 1
    name_bert(anna)
    assert "sent to bert@example.org" in receive(anna).stderr
    assert len(server.mails) == 2


def test_killed_between_writing_and_sending_the_next_run_sends(
    anna: Correspondent, server: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_bert(anna)
    with monkeypatch.context() as patch:
        patch.setattr(outbox, "post_match", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert receive(anna).code == 130
    assert server.mails == []
    for file in (anna.root / "box").iterdir():
        file.unlink()
    assert receive(anna).stderr.count("sent to bert@example.org") == 2
    assert len(server.mails) == 2
    assert receive(anna).stderr == "nothing new\n"


def test_what_its_owner_has_sent_is_not_sent_again(anna: Correspondent, server: SmtpServer) -> None:
    name_bert(anna)
    assert mbp(anna.root, "receive", "box").code == 0
    for game_id in anna.home.all_remembered():
        assert mbp(anna.root, "send", game_id[:8], "--eml").code == 0
    assert receive(anna).code == 0
    assert server.mails == []
