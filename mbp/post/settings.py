"""`mail.toml` in the home: which servers carry the mail. It never holds a password.

from = "alice@example.org"        # else the address of the profile
way = "smtp"                      # smtp, eml: what `mbp send` does when it is not told

[smtp]
host = "mail.example.org"
port = 587                        # 465 for tls
security = "starttls"             # tls, starttls; none on this machine only
user = "alice"
password-command = ["pass", "show", "mail"]
keyring = true                    # ask the system's keyring
ca = "/etc/ssl/own-ca.pem"        # certificates that are trusted besides the system's

[imap]                            # the same fields, and:
folder = "INBOX"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from mbp.errors import PostError

SECURITIES = ("tls", "starttls", "none")
WAYS = ("smtp", "eml")
PORTS = {("smtp", "tls"): 465, ("smtp", "starttls"): 587, ("smtp", "none"): 25}
PORTS |= {("imap", "tls"): 993, ("imap", "starttls"): 143, ("imap", "none"): 143}
LOCAL = ("localhost", "127.0.0.1", "::1")
FIELDS: Mapping[str, type] = {
    "host": str,
    "port": int,
    "security": str,
    "user": str,
    "password-command": list,
    "keyring": bool,
    "ca": str,
}
KINDS = {str: "a text", int: "a number", list: "a list", bool: "true or false", dict: "a table"}
HINT = (
    "it may have from and way; under [smtp] and [imap] host, port, security, user, "
    "password-command, keyring, ca; under [imap] folder too"
)


@dataclass(frozen=True)
class Server:
    """A server, and how its password is found; `user` empty: none is asked for."""

    host: str
    port: int
    security: str
    user: str = ""
    command: tuple[str, ...] = ()
    keyring: bool = False
    ca: str = ""
    folder: str = "INBOX"


@dataclass(frozen=True)
class Settings:
    """What mail.toml says; all of it may be missing."""

    sender: str = ""
    way: str = ""
    smtp: Server | None = None
    imap: Server | None = None


def parse_settings(data: bytes) -> Settings:
    """Reads mail.toml. Raises PostError, with the field."""
    try:
        tree = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        _refuse(f"not TOML: {error}")
    _check(tree, {"from": str, "way": str, "smtp": dict, "imap": dict}, "")
    way = str(tree.get("way", ""))
    if way and way not in WAYS:
        _refuse(f"way is not {' or '.join(WAYS)}: {way!r}")
    smtp, imap = (_server(name, tree[name]) if name in tree else None for name in ("smtp", "imap"))
    return Settings(str(tree.get("from", "")), way, smtp, imap)


def _check(tree: Mapping[str, Any], fields: Mapping[str, type], where: str) -> None:
    for name, value in tree.items():
        if name == "password":
            _refuse(f"{where}password: a password has no place in a file")
        if name not in fields:
            _refuse(f"{where}{name}: unknown field")
        if type(value) is not fields[name]:
            _refuse(f"{where}{name}: not {KINDS[fields[name]]}")


def _server(name: str, tree: Mapping[str, Any]) -> Server:
    _check(tree, {**FIELDS, **({"folder": str} if name == "imap" else {})}, f"{name}.")
    host, security = str(tree.get("host", "")), str(tree.get("security", "tls"))
    if not host:
        _refuse(f"{name}.host: missing")
    if security not in SECURITIES:
        _refuse(f"{name}.security is not {', '.join(SECURITIES)}: {security!r}")
    if security == "none" and host not in LOCAL:
        _refuse(f"{name}.security: none is for servers on this machine only")
    command = tree.get("password-command", [])
    if not all(isinstance(word, str) for word in command):
        _refuse(f"{name}.password-command: not a list of words")
    return Server(
        host=host,
        port=int(tree.get("port", PORTS[name, security])),
        security=security,
        user=str(tree.get("user", "")),
        command=tuple(command),
        keyring=bool(tree.get("keyring", False)),
        ca=str(tree.get("ca", "")),
        folder=str(tree.get("folder", "INBOX")),
    )


def _refuse(reason: str) -> NoReturn:
    raise PostError(reason, hint=HINT)
