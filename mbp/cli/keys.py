"""`mbp key`: the identity of this home, its fingerprint, its backup (protocol 3.1)."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from mbp.cli.people import address_in
from mbp.cli.session import PASSPHRASE, Session, session_of
from mbp.cli.terminal import to_json, wrapped
from mbp.errors import KeyringError, MbpError
from mbp.files import read_if_there, write_atomic
from mbp.home import Profile
from mbp.keyfiles import SALT_BYTES, Backup, dump_backup, load_backup, load_key
from mbp.keys import Identity, fingerprint, parse_key

NAMES = {"help_option_names": ["-h", "--help"]}
key = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    context_settings=NAMES,
    help="Your key: who you are in every game.",
)


@key.command(context_settings=NAMES)
def new(
    ctx: typer.Context,
    name: Annotated[str, typer.Option(metavar="NAME", help="How opponents see you.")],
    mail: Annotated[str, typer.Option(metavar="ADDRESS", help="Where moves reach you.")] = "",
    take: Annotated[
        str | None,
        typer.Option("--import", metavar="PATH", help="An OpenSSH or PKCS8 Ed25519 key to use."),
    ] = None,
) -> None:
    """Make your key, or take one over.

    There is one for each home, and it is never overwritten. The passphrase is asked for, or is
    MBP_PASSPHRASE; empty, the key lies open in your folder.
    """
    session = session_of(ctx)
    home = session.home
    if home.has_identity:
        raise KeyringError(
            f"there is an identity already: {session.shown(home.identity_path)}",
            hint="use it (mbp key show), or name another home with --home",
        )
    mail = address_in(mail) if mail else ""
    if take is None:
        identity, passphrase = Identity(session.randomness(32)), _chosen_passphrase(session)
    else:
        identity, passphrase = _take_over(session, take)
    with home.lock():
        profile = home.create_identity(identity, name, mail, passphrase)
    if not passphrase:
        session.terminal.say("no passphrase: whoever can read your folder can play as you")
    session.terminal.say("keep a backup in another place: mbp key backup FILE")
    _show(session, profile)


def _chosen_passphrase(session: Session) -> str:
    """The passphrase for a new key; none on a pipe that does not name one, since nothing asks."""
    if PASSPHRASE not in session.terminal.environ and not session.terminal.interactive:
        return ""
    return session.new_passphrase("your key (empty for none)")


def _take_over(session: Session, path: str) -> tuple[Identity, str]:
    """Reads a private key; its passphrase, if it has one, stays the passphrase here."""
    data = read_if_there(session.path(path))
    if data is None:
        raise MbpError(f"there is no file {path}", hint="name the private key, without .pub")
    typed: list[str] = []

    def ask() -> str:
        typed.append(session.passphrase_of(path))
        return typed[-1]

    identity = load_key(data, ask)
    return identity, typed[0] if typed else _chosen_passphrase(session)


@key.command(context_settings=NAMES)
def show(
    ctx: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show your public key and its fingerprint."""
    session = session_of(ctx)
    profile = session.home.profile()
    if not as_json:
        _show(session, profile)
        return
    found = fingerprint(parse_key(profile.key))
    tree = {
        "name": profile.name,
        "mail": profile.mail or None,
        "key": profile.key,
        "fingerprint": found.hex,
        "words": list(found.words),
    }
    session.terminal.put(to_json(tree))


def _show(session: Session, profile: Profile) -> None:
    terminal = session.terminal
    mail = f" <{profile.mail}>" if profile.mail else ""
    found = fingerprint(parse_key(profile.key))
    terminal.put(f"name         {profile.name}{mail}")
    terminal.put(f"key          {profile.key}")
    terminal.put("\n".join(wrapped(found.hex, terminal.width, "fingerprint  ", " " * 13)))
    terminal.put(
        "\n".join(wrapped(" ".join(found.words), terminal.width, "in words     ", " " * 13))
    )


@key.command(context_settings=NAMES)
def mail(
    ctx: typer.Context,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Empty for none.")],
) -> None:
    """Change the address where moves reach you.

    Matches that you have begun or joined keep the one that stands in them.
    """
    session = session_of(ctx)
    found = address_in(address) if address else ""
    with session.home.lock():
        profile = session.home.set_mail(found)
    _show(session, profile)


@key.command(context_settings=NAMES)
def backup(
    ctx: typer.Context, file: Annotated[str, typer.Argument(metavar="FILE", help="A new file.")]
) -> None:
    """Write your key, encrypted, to a new file.

    Put it in another place: a lost key is lost.
    """
    session = session_of(ctx)
    profile = session.home.profile()
    path = session.path(file)
    if os.path.lexists(path):
        raise _not_overwritten(file)
    identity = session.home.identity(session.passphrase)
    passphrase = session.new_passphrase("the backup")
    saved = Backup(identity, profile.name, profile.mail)
    data = dump_backup(saved, passphrase, session.randomness(SALT_BYTES))
    try:
        write_atomic(path, data, mode=0o600, new=True)
    except FileExistsError:
        raise _not_overwritten(file) from None
    session.terminal.put(session.shown(path))


def _not_overwritten(file: str) -> MbpError:
    return MbpError(f"{file} is there already", hint="name a new file")


@key.command(context_settings=NAMES)
def restore(
    ctx: typer.Context, file: Annotated[str, typer.Argument(metavar="FILE", help="A backup.")]
) -> None:
    """Make the key of a backup the key here.

    It keeps the passphrase of the backup.
    """
    session = session_of(ctx)
    data = read_if_there(session.path(file))
    if data is None:
        raise MbpError(f"there is no file {file}", hint="name a file that mbp key backup wrote")
    typed: list[str] = []

    def ask() -> str:
        typed.append(session.passphrase_of("the backup"))
        return typed[-1]

    saved = load_backup(data, ask)
    home = session.home
    with home.lock():
        profile = home.create_identity(saved.identity, saved.name, saved.mail, typed[0])
    session.terminal.say(
        "the key is back; contacts and games are not in a backup: take the newest file of each "
        "game in (mbp receive FILE), and whom you play with is a contact again (mbp trust FILE)"
    )
    session.terminal.say("with two devices, play a turn on one only: two moves are a fork")
    _show(session, profile)
