"""`mbp trust` and `mbp contacts`: who a key belongs to."""

from __future__ import annotations

from typing import Annotated

import typer

from mbp.addresses import typed_address
from mbp.cli.session import session_of
from mbp.cli.terminal import to_json, wrapped
from mbp.errors import KeyringError
from mbp.keys import fingerprint, parse_key


def address_in(text: str) -> str:
    """The mail address in what was typed. Raises KeyringError."""
    address = typed_address(text)
    if address is None:
        raise KeyringError(f"not a mail address: {text!r}", hint="type it like bob@example.org")
    return address


def trust(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game with the other player.")],
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What to call the other player here.")
    ] = "",
    mail: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where your mails to this player go.")
    ] = "",
) -> None:
    """Remember who the other player's key belongs to, under a name of your choice."""
    session = session_of(ctx)
    address = address_in(mail) if mail else ""
    contact = session.desk.trust(session.find(file), name, address)
    found = fingerprint(parse_key(contact.key))
    session.terminal.say(f"remembered {contact.name}; compare the fingerprint by voice")
    session.terminal.put(f"{contact.name}  {found.hex}")


def contacts(
    ctx: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List the people whose keys you know."""
    session = session_of(ctx)
    known = session.home.contacts()
    found = {contact.key: fingerprint(parse_key(contact.key)) for contact in known}
    if as_json:
        tree = [
            {
                "name": contact.name,
                "mail": contact.mail or None,
                "key": contact.key,
                "fingerprint": found[contact.key].hex,
                "words": list(found[contact.key].words),
            }
            for contact in known
        ]
        session.terminal.put(to_json(tree))
        return
    if not known:
        session.terminal.say("nobody yet; whoever you play with is remembered")
    terminal = session.terminal
    for contact in known:
        mail = f" <{contact.mail}>" if contact.mail else ""
        terminal.put(f"{contact.name}{mail}")
        for text in (found[contact.key].hex, " ".join(found[contact.key].words)):
            terminal.put("\n".join(wrapped(text, terminal.width, "  ", "  ")))
