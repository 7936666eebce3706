"""Contacts: who a key belongs to. One name for each key, one key for each name.

A name is only what its owner's home calls a key; what holds is the key. So a known name with
another key stops everything: it is a new key, or somebody else.
"""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass
from pathlib import Path

from mbp.errors import FormatError, KeyringError
from mbp.home.folder import Folder, damaged
from mbp.home.owner import clean_mail, clean_name
from mbp.keys import fingerprint, parse_key

REMEDY = "repair it, or move it away to start without contacts"


@dataclass(frozen=True)
class Contact:
    """A key (text of 80 characters) with the name it has here; `mail` may be empty."""

    name: str
    key: str
    mail: str = ""


def _same(name: str) -> str:
    """What two spellings of one name have in common."""
    return unicodedata.normalize("NFC", name).casefold()


class Contacts(Folder):
    """The contacts of this home."""

    @property
    def contacts_path(self) -> Path:
        return self.root / "contacts.json"

    def contacts(self) -> tuple[Contact, ...]:
        """All contacts by name. Raises MbpError for a damaged file."""
        tree = self.load(self.contacts_path, REMEDY)
        if tree is None:
            return ()
        try:
            found = [
                Contact(clean_name(item["name"]), item["key"], clean_mail(item["mail"]))
                for item in tree["contacts"]
            ]
            for contact in found:
                parse_key(contact.key)
        except (KeyError, TypeError, FormatError, KeyringError) as failure:
            raise damaged(self.contacts_path, REMEDY) from failure
        names, keys = {_same(item.name) for item in found}, {item.key for item in found}
        if len(names) < len(found) or len(keys) < len(found):
            raise damaged(self.contacts_path, REMEDY)
        return tuple(sorted(found, key=lambda contact: (_same(contact.name), contact.name)))

    def contact(self, name: str) -> Contact | None:
        """The contact of this name, upper and lower case alike, None if there is none."""
        same = _same(name)
        return next((item for item in self.contacts() if _same(item.name) == same), None)

    def contact_of(self, key: str) -> Contact | None:
        """The contact with this key (text of 80 characters), None if there is none."""
        return next((item for item in self.contacts() if item.key == key), None)

    def remember_contact(
        self, name: str, key: str, mail: str = "", *, rename: bool = False
    ) -> Contact:
        """Remembers whose key it is; the caller holds the lock.

        A known key keeps its name unless `rename`: what a player calls himself must not rename
        him here. An empty `mail` leaves a known one. Raises KeyringError, naming both
        fingerprints, where the name is known with another key; FormatError for what is no key.
        """
        parse_key(key)
        name, mail = clean_name(name), clean_mail(mail)
        contacts = self.contacts()
        known = next((item for item in contacts if item.key == key), None)
        if known:
            name, mail = name if rename else known.name, mail or known.mail
        for item in contacts:
            if _same(item.name) == _same(name) and item.key != key:
                raise _other_key(item, key)
        contact = Contact(name, key, mail)
        if contact != known:
            others = [item for item in contacts if item.key != key]
            tree = [asdict(item) for item in (*others, contact)]
            self.save(self.contacts_path, {"contacts": tree})
        return contact


def _other_key(known: Contact, key: str) -> KeyringError:
    here, there = fingerprint(parse_key(known.key)), fingerprint(parse_key(key))
    return KeyringError(
        f"{known.name} is known with another key: known {here.hex}, now {there.hex}",
        hint=f"compare the fingerprints with {known.name} by voice; "
        "if both are right, give this one another name: mbp trust FILE --name NAME",
    )
