"""Contacts: who a key belongs to. One name for each key, one key for each name.

A name is only what its owner's home calls a key; what holds is the key. So a known name with
another key stops everything: it is a new key, or somebody else. Names that look alike are one name.
"""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass
from pathlib import Path

from mbp.errors import FormatError, KeyringError
from mbp.home.folder import Folder, damaged
from mbp.home.owner import clean_mail, clean_name
from mbp.keys import fingerprint, parse_key
from mbp.names import alike

REMEDY = "repair it, or move it away to start without contacts"


@dataclass(frozen=True)
class Contact:
    """A key (text of 80 characters) with the name it has here; `mail` may be empty."""

    name: str
    key: str
    mail: str = ""


def _spelled(name: str) -> str:
    """What two spellings of one name have in common."""
    return unicodedata.normalize("NFC", name).casefold()


def _name_taken_over(name: str, key: str) -> str:
    """The name that a player chose, or one made of the key where it cannot be a name here.

    A file may name a player so that nobody sees it, or so that it is too long in NFC (1.2).
    """
    try:
        if alike(name):
            return clean_name(name)
    except KeyringError:
        pass
    return f"player {fingerprint(parse_key(key)).hex.replace(' ', '')[:8]}"


def _mail_taken_over(mail: str) -> str:
    """The mail address that a player gave, none where it cannot be one here."""
    try:
        return clean_mail(mail)
    except KeyringError:
        return ""


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
        names, keys = {_spelled(item.name) for item in found}, {item.key for item in found}
        if len(names) < len(found) or len(keys) < len(found):
            raise damaged(self.contacts_path, REMEDY)
        return tuple(sorted(found, key=lambda contact: (_spelled(contact.name), contact.name)))

    def contact(self, name: str) -> Contact | None:
        """The contact of this name, or of one that looks alike, None if there is none."""
        contacts = self.contacts()
        for spelling in (_spelled, alike):
            for item in contacts:
                if spelling(item.name) == spelling(name):
                    return item
        return None

    def contact_of(self, key: str) -> Contact | None:
        """The contact with this key (text of 80 characters), None if there is none."""
        return next((item for item in self.contacts() if item.key == key), None)

    def remember_contact(
        self, name: str, key: str, mail: str = "", *, rename: bool = False
    ) -> Contact:
        """Remembers whose key it is; the caller holds the lock.

        A known key keeps its name unless `rename`: what a player calls himself must not rename
        him here; where it cannot be a name here, one is made of the fingerprint. An empty `mail`
        leaves a known one. Raises KeyringError, naming both fingerprints, where a name that looks
        alike is known with another key; FormatError for what is no key.
        """
        parse_key(key)
        name = clean_name(name) if rename else _name_taken_over(name, key)
        mail = _mail_taken_over(mail)
        contacts = self.contacts()
        known = next((item for item in contacts if item.key == key), None)
        if known:
            name, mail = name if rename else known.name, mail or known.mail
        for item in contacts:
            if known is None or name != known.name:
                _refuse_other_key(item, name, key)
        contact = Contact(name, key, mail)
        if contact != known:
            others = [item for item in contacts if item.key != key]
            tree = [asdict(item) for item in (*others, contact)]
            self.save(self.contacts_path, {"contacts": tree})
        return contact


def _refuse_other_key(known: Contact, name: str, key: str) -> None:
    """Raises KeyringError where a name is a contact's, or looks like it, and the key is not."""
    if known.key == key or alike(known.name) != alike(name):
        return
    here, there = fingerprint(parse_key(known.key)), fingerprint(parse_key(key))
    raise KeyringError(
        f"{known.name} is known with another key: known {here.hex}, now {there.hex}",
        hint=f"compare the fingerprints with {known.name} by voice; "
        "if both are right, give this one another name: mbp trust FILE --name NAME",
    )
