"""Servers that are not who they say, and passwords that are none: nothing is sent, all is kept."""

from __future__ import annotations

import pytest

from tests.world.mail.players import Player
from tests.world.mail.servers import Servers

pytestmark = pytest.mark.world


def change(player: Player, old: str, new: str) -> None:
    """Changes a text in mail.toml, wherever it stands."""
    path = player.folder / "home" / "mail.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_server_without_a_trusted_certificate_gets_neither_password_nor_mail(
    servers: Servers, two: tuple[Player, Player]
) -> None:
    anna, bert = two
    anna.mbp("new", "--game", "patterns")
    change(anna, f'ca = "{servers.ca}"', 'ca = ""')
    before = servers.log.count("sasl_username")
    sent = anna.mbp("send", str(anna.file), "--to", bert.address, code=7)
    assert "certificate verify failed" in sent.stderr.lower()
    fetched = anna.mbp("receive", "--imap", code=7)
    assert "certificate verify failed" in fetched.stderr.lower()
    assert servers.log.count("sasl_username") == before
    assert len(list((anna.folder / "home" / "drafts").iterdir())) == 1


def test_a_server_under_another_name_is_not_trusted(
    servers: Servers, two: tuple[Player, Player]
) -> None:
    anna, bert = two
    anna.mbp("new", "--game", "patterns")
    change(anna, 'host = "localhost"', 'host = "127.1"')  # another spelling of 127.0.0.1
    sent = anna.mbp("send", str(anna.file), "--to", bert.address, code=7)
    assert "certificate verify failed" in sent.stderr.lower()


def test_a_mailbox_that_is_not_there_is_said(two: tuple[Player, Player]) -> None:
    anna, _ = two
    change(anna, "[imap]", '[imap]\nfolder = "Nowhere"')
    assert "no folder 'Nowhere'" in anna.mbp("receive", "--imap", code=7).stderr


def test_a_mail_to_nobody_comes_back_and_is_told(
    servers: Servers, two: tuple[Player, Player]
) -> None:
    anna, _ = two
    anna.mbp("new", "--game", "patterns")
    before = servers.log.count("status=sent")
    sent = anna.mbp("send", str(anna.file), "--to", "nobody@localhost.invalid")
    assert "sent to nobody@localhost.invalid" in sent.stderr
    servers.wait_for(before + 1)  # the report, to Anna
    said = anna.mbp("receive", "--imap")
    assert "has not arrived: it came back (5." in said.stderr
    assert "mbp resend" in said.stderr


def test_an_address_that_the_server_refuses_is_named(
    servers: Servers, two: tuple[Player, Player]
) -> None:
    anna, _ = two
    anna.mbp("new", "--game", "patterns")
    sent = anna.mbp("send", str(anna.file), "--to", "nobody@game.test", code=7)
    assert "refuses the address nobody@game.test: 550" in sent.stderr
