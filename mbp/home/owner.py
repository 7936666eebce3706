"""Whose home it is: the identity file and the profile beside it.

The public key stands in the profile too, so that commands which only look need no passphrase.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from mbp.errors import FormatError, KeyringError, MbpError
from mbp.files import read_if_there, write_atomic
from mbp.home.folder import Folder, damaged
from mbp.keyfiles import dump_key, load_key
from mbp.keys import Identity, parse_key

LONGEST_NAME = 100  # code points (protocol 1.2)
LONGEST_MAIL = 254
REFUSED = {"Cc", "Cs", "Zl", "Zp"}

REMEDY = "put it back from a copy, or restore a backup into another home with --home"


@dataclass(frozen=True)
class Profile:
    """How a player appears in games: `key` is the text of 80 characters, `mail` may be empty."""

    name: str
    mail: str
    key: str


def clean_name(name: str) -> str:
    """The name in NFC, as it may stand in a file (protocol 1.2). Raises KeyringError."""
    return _clean("name", name, LONGEST_NAME)


def clean_mail(mail: str) -> str:
    """The mail address in NFC, as it may stand in a file, or nothing. Raises KeyringError."""
    return _clean("mail address", mail, LONGEST_MAIL) if mail else ""


def _clean(what: str, text: str, longest: int) -> str:
    text = unicodedata.normalize("NFC", text)
    if not text.strip():
        raise KeyringError(f"the {what} is empty", hint=f"choose a {what}")
    if len(text) > longest:
        raise KeyringError(
            f"the {what} has {len(text)} characters, {longest} are possible",
            hint=f"choose a shorter {what}",
        )
    if any(unicodedata.category(character) in REFUSED for character in text):
        raise KeyringError(
            f"the {what} {text!r} has characters that cannot be printed",
            hint=f"choose a {what} of one line, without control characters",
        )
    return text


class Owner(Folder):
    """The identity of this home and its profile."""

    @property
    def identity_path(self) -> Path:
        return self.root / "identity.pem"

    @property
    def profile_path(self) -> Path:
        return self.root / "profile.json"

    @property
    def has_identity(self) -> bool:
        """Whether this home has an identity, readable or not."""
        return os.path.lexists(self.identity_path)

    def create_identity(
        self, identity: Identity, name: str, mail: str = "", passphrase: str = ""
    ) -> Profile:
        """Makes this key the identity of the home, encrypted unless the passphrase is empty.

        Never overwrites one: KeyringError. The caller holds the lock.
        """
        profile = Profile(clean_name(name), clean_mail(mail), identity.text)
        data = dump_key(identity, passphrase)
        if self.has_identity:
            raise self._taken()
        # The profile first: killed in between, there is no identity yet and all can begin again.
        self.save(self.profile_path, asdict(profile))
        try:
            write_atomic(self.identity_path, data, mode=0o600, new=True)
        except FileExistsError:
            raise self._taken() from None
        return profile

    def _taken(self) -> KeyringError:
        return KeyringError(
            f"there is an identity already: {self.identity_path}",
            hint="use it (mbp key show), or name another home with --home",
        )

    def identity(self, ask: Callable[[], str]) -> Identity:
        """The identity; `ask` is called once, and only if its file is encrypted.

        Raises KeyringError without one, and for a wrong passphrase; MbpError if it is not the key
        of the profile.
        """
        data = read_if_there(self.identity_path)
        if data is None:
            raise _missing()
        identity = load_key(data, ask)
        if identity.text != self.profile().key:
            raise MbpError(
                f"{self.profile_path} names another key than {self.identity_path}", hint=REMEDY
            )
        return identity

    def profile(self) -> Profile:
        """The profile. Raises KeyringError without an identity, MbpError for a damaged file."""
        if not self.has_identity:
            raise _missing()
        tree = self.load(self.profile_path, REMEDY)
        if tree is None:
            raise MbpError(f"{self.profile_path} is missing", hint=REMEDY)
        try:
            parse_key(tree["key"])
            return Profile(clean_name(tree["name"]), clean_mail(tree["mail"]), tree["key"])
        except (KeyError, TypeError, FormatError, KeyringError) as failure:
            raise damaged(self.profile_path, REMEDY) from failure

    def set_mail(self, mail: str) -> Profile:
        """Changes the mail address of the profile, empty for none; the caller holds the lock.

        Raises as `profile`.
        """
        profile = replace(self.profile(), mail=clean_mail(mail))
        self.save(self.profile_path, asdict(profile))
        return profile


def _missing() -> KeyringError:
    return KeyringError("there is no identity yet", hint="make one: mbp key new --name NAME")
