"""Mails that real programs make of a move: answers, forwards, attachments, pipes."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.post.game import Posted, mbp, posted
from tests.post.mangled import message
from tests.world.mail.servers import DOMAIN, PASSWORD, Servers

pytestmark = pytest.mark.world

PATIENCE = 20.0  # seconds for a program

MUTTRC = """
set sendmail="{sendmail}"
set from="carl@example.org"
set editor="true"
set include=yes
set fast_reply=yes
set record=""
set spoolfile="{box}"
set folder="{root}/Mail"
set postponed="{root}/Mail/postponed"
set abort_unmodified=no
set sendmail_wait=0
set move=no
set delete=no
"""


@dataclass(frozen=True)
class Desk:
    """Carl, who has Bert's mail in an mbox; what his programs send is caught in `sent`.

    `file` is the game file that Bert sent, `block` the short form.
    """

    root: Path
    file: bytes
    block: str

    @property
    def box(self) -> Path:
        return self.root / "box"

    @property
    def sent(self) -> Path:
        return self.root / "sent"

    @property
    def environ(self) -> Mapping[str, str]:
        return {**os.environ, "HOME": str(self.root), "TERM": "xterm", "LC_ALL": "C.UTF-8"}

    def settle_in(self, *, whole: bool) -> None:
        """Puts Bert's mail into the mbox: with the file attached, or with the short form alone."""
        mail = message(f"My move.\n\n{self.block}")
        if whole:
            mail = message("My move.\n")
            name = "patterns-1a2b3c4d.mbp.yaml"  # like those of our mails
            mail.add_attachment(self.file, maintype="application", subtype="yaml", filename=name)
        (self.root / "Mail").mkdir(parents=True)
        data = mail.as_bytes().replace(b"\r\n", b"\n")
        self.box.write_bytes(b"From bert@example.org Mon Nov 30 12:00:00 2026\n" + data + b"\n")
        sendmail = self.root / "sendmail"
        sendmail.write_text(f"#!/bin/sh\ncat > {self.sent}.part\nmv {self.sent}.part {self.sent}\n")
        sendmail.chmod(0o755)

    def mutt(self, keys: str, more: str = "") -> bytes:
        """What mutt sends, or pipes, once these keys are typed before the mailbox."""
        rc = self.root / "muttrc"
        words = MUTTRC.format(sendmail=self.root / "sendmail", box=self.box, root=self.root)
        rc.write_text(f"{words}{more}\nfolder-hook . 'push \"{keys}\"'\n")
        command = f"mutt -n -F {rc} -f {self.box}"
        with subprocess.Popen(  # script lends a terminal
            ["script", "-qfec", command, str(self.root / "screen")],
            env=self.environ, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        ) as process:  # fmt: skip
            end = time.monotonic() + PATIENCE
            while not self.sent.exists() and time.monotonic() < end:
                time.sleep(0.05)
            process.kill()
        assert self.sent.exists(), (self.root / "screen").read_text(errors="replace")
        return self.sent.read_bytes()

    def s_nail(self, typed: str, *settings: str) -> bytes:
        """What s-nail sends, once this is typed at the mailbox."""
        chosen = [word for one in settings for word in ("-S", one)]
        subprocess.run(
            ["s-nail", "-n", "-#", "-~", "-S", f"mta={self.root / 'sendmail'}", "-S", "v15-compat",
             "-S", "from=carl@example.org", *chosen, "-f", str(self.box)],
            input=f"{typed}\n~.\nxit\n".encode(), env={**self.environ, "MAILRC": os.devnull},
            capture_output=True, check=True, timeout=PATIENCE,
        )  # fmt: skip
        end = time.monotonic() + PATIENCE
        while not self.sent.exists() and time.monotonic() < end:
            time.sleep(0.05)
        return self.sent.read_bytes()


TO = "anna@example.org"
SEND = "<send-message><exit>"

MAILS: dict[str, tuple[bool, Callable[[Desk], bytes]]] = {
    "mutt, an answer": (False, lambda desk: desk.mutt(f"<reply>{SEND}")),
    "mutt, a forward": (False, lambda desk: desk.mutt(f"<forward-message>{TO}<enter>{SEND}")),
    "mutt, a forward as attachment": (
        True,
        lambda desk: desk.mutt(f"<forward-message>{TO}<enter>{SEND}", "set mime_forward=yes"),
    ),
    "mutt, bounced on": (True, lambda desk: desk.mutt(f"<bounce-message>{TO}<enter>y<exit>")),
    "mutt, a pipe": (
        True,
        lambda desk: desk.mutt(f"<pipe-message>cat > {desk.sent}<enter><exit>"),
    ),
    "mutt, a pipe of text": (
        False,
        lambda desk: desk.mutt(
            f"<pipe-message>cat > {desk.sent}<enter><exit>", "set pipe_decode=yes"
        ),
    ),
    "s-nail, an answer": (
        False,
        lambda desk: desk.s_nail("reply 1\nI see.", "quote=noheading", "indentprefix=> > "),
    ),
    "s-nail, a forward": (False, lambda desk: desk.s_nail(f"forward 1 {TO}\nLook.")),
    "s-nail, a forward as attachment": (
        True,
        lambda desk: desk.s_nail(f"forward 1 {TO}\nLook.", "forward-as-attachment"),
    ),
    "s-nail, sent on": (True, lambda desk: desk.s_nail(f"resend 1 {TO}")),
}


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Posted:
    return posted(tmp_path_factory.mktemp("posted"))


def arrives(one: Posted, folder: Path, mail: bytes) -> str:
    """What Anna is told when she takes the mail in; it has to bring Bert's move."""
    shutil.copytree(one.folder, folder)
    said = mbp(folder, "receive", "-", given=mail)
    assert len(said.log) == 4, (said.stderr, mail.decode(errors="replace"))
    assert said.code == 0
    return said.stderr


@pytest.mark.parametrize("name", MAILS)
def test_a_move_comes_through_what_a_program_makes_of_it(
    name: str, one: Posted, tmp_path: Path
) -> None:
    whole, make = MAILS[name]
    desk = Desk(tmp_path / "carl", one.file, one.block)
    desk.settle_in(whole=whole)
    assert "Bert: bowl" in arrives(one, tmp_path / "anna", make(desk))


@pytest.mark.parametrize("what", ["block", "file"])
def test_a_move_comes_through_swaks_and_a_server(
    what: str, servers: Servers, one: Posted, tmp_path: Path
) -> None:
    for mail in servers.mails("anna"):
        mail.unlink()
    given = tmp_path / "given"
    given.write_bytes(one.block.encode() if what == "block" else one.file)
    part = ["--body", f"@{given}"] if what == "block" else ["--attach", f"@{given}"]
    before = servers.log.count("status=sent")
    subprocess.run(
        ["swaks", "--server", "127.0.0.1", "--port", str(servers.smtp), "-tls",
         "--auth-user", f"bert@{DOMAIN}", "--auth-password", PASSWORD,
         "--from", f"bert@{DOMAIN}", "--to", f"anna@{DOMAIN}", *part],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    servers.wait_for(before + 1)
    (mail,) = servers.mails("anna")
    assert "Bert: bowl" in arrives(one, tmp_path / "anna", mail.read_bytes())


def test_mutt_sends_a_draft_of_ours_as_it_is(one: Posted, tmp_path: Path) -> None:
    desk = Desk(tmp_path / "carl", one.file, one.block)
    desk.settle_in(whole=True)
    folder = tmp_path / "anna"
    shutil.copytree(one.folder, folder)
    written = mbp(folder, "send", "bert", "--to", "bert@example.org", "--eml")
    draft = folder / written.stdout.strip()
    rc = tmp_path / "muttrc"
    rc.write_text(MUTTRC.format(sendmail=desk.root / "sendmail", box=desk.box, root=desk.root))
    subprocess.run(
        ["mutt", "-n", "-F", str(rc), "-H", str(draft)],
        env=desk.environ, stdin=subprocess.DEVNULL, check=True, timeout=PATIENCE,
        capture_output=True,
    )  # fmt: skip
    sent = desk.sent.read_bytes()
    assert b"To: Bert <bert@example.org>" in sent
    assert b"[BEGIN MBP/1 " in sent
    back = mbp(folder, "receive", "-", given=sent)
    assert back.code == 0, back.stderr
    assert "nothing new" in back.stderr, back.stderr
