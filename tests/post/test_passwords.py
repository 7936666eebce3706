"""The password that reaches the server: environment, command, or the system's keyring."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import pytest

from tests.post.game import Said, mbp, posted
from tests.post.servers import SmtpServer, running

COMMAND = f'password-command = ["{sys.executable}", "-c", "print(\'by command\')"]\n'
RING = "keyring = true\n"


class Ring(keyring.backend.KeyringBackend):
    """A keyring in memory; a locked one answers with an error, as those of desktops do."""

    priority = 1.0

    def __init__(self, *, locked: bool = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.held: dict[tuple[str, str], str] = {}
        self.locked = locked

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise keyring.errors.KeyringLocked("it is locked")
        return self.held.get((service, username))


@pytest.fixture
def server() -> Iterator[SmtpServer]:
    with running(SmtpServer()) as found:
        yield found


@pytest.fixture
def ring() -> Iterator[Ring]:
    before, ring = keyring.get_keyring(), Ring()
    keyring.set_keyring(ring)
    yield ring
    keyring.set_keyring(before)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return posted(tmp_path_factory.mktemp("posted")).folder


def send(
    made: Path,
    folder: Path,
    server: SmtpServer,
    more: str,
    security: str = "none",
    **environ: str,
) -> Said:
    """Sends Anna's match over this server, with `more` about the password."""
    anna = Path(shutil.copytree(made, folder))
    address = f'host = "localhost"\nport = {server.server_address[1]}\nsecurity = "{security}"\n'
    text = f'from = "anna@example.org"\n[smtp]\n{address}user = "anna"\n{more}'
    (anna / "home" / "mail.toml").write_text(text, encoding="utf-8")
    return mbp(anna, "send", "bert", "--to", "bert@example.org", environ=environ)


def test_a_server_that_begins_without_tls_is_told_as_such(
    made: Path, tmp_path: Path, server: SmtpServer
) -> None:
    said = send(made, tmp_path / "a", server, COMMAND, security="tls")
    assert said.code == 7
    assert 'security = "starttls" may be right' in said.stderr
    assert server.passwords == []


def test_the_environment_comes_first(made: Path, tmp_path: Path, server: SmtpServer) -> None:
    one = send(made, tmp_path / "a", server, COMMAND, MBP_MAIL_PASSWORD="by mail")
    both = {"MBP_MAIL_PASSWORD": "by mail", "MBP_SMTP_PASSWORD": "by smtp"}
    two = send(made, tmp_path / "b", server, COMMAND, **both)
    assert (one.code, two.code) == (0, 0), (one, two)
    assert server.passwords == ["by mail", "by smtp"]


def test_then_the_command(made: Path, tmp_path: Path, server: SmtpServer, ring: Ring) -> None:
    ring.set_password("mbp localhost", "anna", "by keyring")
    assert send(made, tmp_path / "a", server, COMMAND + RING).code == 0
    assert server.passwords == ["by command"]


def test_then_the_keyring(made: Path, tmp_path: Path, server: SmtpServer, ring: Ring) -> None:
    keyring.set_password("mbp localhost", "anna", "by keyring")  # as docs/mail.md says
    keyring.set_password("mbp localhost", "bert", "another's")
    assert send(made, tmp_path / "a", server, RING).code == 0
    assert server.passwords == ["by keyring"]


def test_a_keyring_without_the_password_says_how_to_store_it(
    made: Path, tmp_path: Path, server: SmtpServer, ring: Ring
) -> None:
    said = send(made, tmp_path / "a", server, RING)
    assert said.code == 7
    assert "the keyring has no password of anna" in said.stderr
    assert "keyring set 'mbp localhost' anna" in said.stderr
    assert server.passwords == []


def test_a_locked_keyring_is_said_and_leaves_a_draft(
    made: Path, tmp_path: Path, server: SmtpServer, ring: Ring
) -> None:
    ring.locked = True
    said = send(made, tmp_path / "a", server, RING)
    assert said.code == 7
    assert "the keyring does not answer: it is locked" in said.stderr
    assert len(list((tmp_path / "a" / "home" / "drafts").iterdir())) == 1


def test_without_the_library_its_extra_is_named(
    made: Path, tmp_path: Path, server: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    said = send(made, tmp_path / "a", server, RING)
    assert said.code == 7
    assert "install mbp[keyring]" in said.stderr
