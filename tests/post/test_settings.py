"""mail.toml: what it may have; never a password."""

from __future__ import annotations

import re

import pytest

from mbp.errors import PostError
from mbp.post.settings import Server, Settings, parse_settings

GOOD = b"""
from = "alice@example.org"
way = "eml"
[smtp]
host = "mail.example.org"
security = "starttls"
user = "alice"
password-command = ["pass", "show", "mail"]
ca = "own.pem"
[imap]
host = "127.0.0.1"
security = "none"
keyring = true
folder = "Games"
"""


def test_settings_are_read() -> None:
    smtp = Server("mail.example.org", 587, "starttls", "alice", ("pass", "show", "mail"),
                  ca="own.pem")  # fmt: skip
    imap = Server("127.0.0.1", 143, "none", keyring=True, folder="Games")
    assert parse_settings(GOOD) == Settings("alice@example.org", "eml", smtp, imap)
    assert parse_settings(b"") == Settings()
    assert parse_settings(b'[smtp]\nhost = "x"').smtp == Server("x", 465, "tls")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[smtp]\nhost = 'x'\npassword = 'secret'", "smtp.password: a password has no place"),
        ("password = 'secret'", "password: a password has no place"),
        ("[smtp]\nuser = 'x'", "smtp.host: missing"),
        ("[smtp]\nhost = 'x'\nport = '25'", "smtp.port: not a number"),
        ("[smtp]\nhost = 'x'\nsecurity = 'none'", "servers on this machine only"),
        ("[smtp]\nhost = 'x'\nsecurity = 'ssl'", "smtp.security is not"),
        ("[smtp]\nhost = 'x'\nfolder = 'y'", "smtp.folder: unknown field"),
        ("[smtp]\nhost = 'x'\npassword-command = [1]", "not a list of words"),
        ("way = 'pigeon'", "way is not smtp or eml"),
        ("smtp = 'x'", "smtp: not a table"),
        ("frm = 'x'", "frm: unknown field"),
        ("from = ", "not TOML"),
        ("\udcff", "not TOML"),
    ],
)
def test_bad_settings_are_refused_with_their_place(text: str, reason: str) -> None:
    with pytest.raises(PostError, match=re.escape(reason)):
        parse_settings(text.encode("utf-8", "surrogateescape"))
