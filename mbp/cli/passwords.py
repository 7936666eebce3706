"""Where the password of a mail server comes from: never from a file of ours."""

from __future__ import annotations

import subprocess

from mbp.cli.session import Session
from mbp.errors import KeyringError
from mbp.post.settings import Server

PATIENCE = 60  # seconds that a password command may take
VARIABLES = {"smtp": "MBP_SMTP_PASSWORD", "imap": "MBP_IMAP_PASSWORD"}


def password_of(session: Session, server: Server, kind: str) -> str:
    """The password: environment, command, keyring, a question. Raises KeyringError."""
    for name in (VARIABLES[kind], "MBP_MAIL_PASSWORD"):
        told = session.terminal.environ.get(name)
        if told is not None:
            return told
    if server.command:
        return _from_command(server.command)
    if server.keyring:
        return _from_keyring(server)
    hint = f"set {VARIABLES[kind]}, or password-command in mail.toml"
    return session.terminal.ask_secret(f"password of {server.user} at {server.host}", hint)


def _from_command(words: tuple[str, ...]) -> str:
    """The first line that a command of the owner prints; the command is run without a shell."""
    try:
        done = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=True)
    except (OSError, ValueError, subprocess.SubprocessError) as failure:
        raise KeyringError(
            f"the password command {words[0]!r} failed", hint="try it alone, then again"
        ) from failure
    return done.stdout.decode("utf-8", "replace").split("\n")[0]


def _from_keyring(server: Server) -> str:
    try:
        import keyring
    except ImportError:
        raise KeyringError(
            "the keyring needs the library keyring", hint="install mbp[keyring]"
        ) from None
    try:
        found = keyring.get_password(f"mbp {server.host}", server.user)
    except keyring.errors.KeyringError as failure:
        raise KeyringError(f"the keyring does not answer: {failure}") from failure
    if found is None:
        raise KeyringError(
            f"the keyring has no password of {server.user}",
            hint=f"store it: keyring set 'mbp {server.host}' {server.user}",
        )
    return str(found)
