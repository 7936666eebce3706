"""Private keys as files: PKCS8, OpenSSH, and the backup that `mbp key backup` writes.

bytes -> Identity and back; nothing here touches the disk. Whatever the bytes, only KeyringError
leaves this module.

A backup is a JSON map of strings:

    mbp-backup  "1"
    name, mail  the profile (mail may be left out)
    salt        32 hex digits
    key         PKCS8 in PEM, encrypted under a passphrase P

P is the base64 of 32 bytes of scrypt (N 2^15, r 8, p 1) of the owner's passphrase in UTF-8 and the
salt. PKCS8 as OpenSSL writes it stretches a passphrase by some thousand hashes only; that will do
beside a home folder that is closed to others, not for a file that is carried about.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    load_ssh_private_key,
)

from mbp.errors import KeyringError
from mbp.keys import Identity

Ask = Callable[[], str]

OPENSSH = b"-----BEGIN OPENSSH PRIVATE KEY-----"
SALT_BYTES = 16
# OpenSSL reads no passphrase beyond this many bytes.
LONGEST_PASSPHRASE = 1023


@dataclass(frozen=True)
class Backup:
    """What a backup gives back."""

    identity: Identity
    name: str
    mail: str


def dump_key(identity: Identity, passphrase: str = "") -> bytes:
    """The key as PKCS8 in PEM, encrypted unless the passphrase is empty."""
    protection: KeySerializationEncryption = NoEncryption()
    if passphrase:
        protection = BestAvailableEncryption(_passphrase_bytes(passphrase))
    key = Ed25519PrivateKey.from_private_bytes(identity.seed)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, protection)


def load_key(data: bytes, ask: Ask) -> Identity:
    """Reads an Ed25519 key in PKCS8 or OpenSSH form; `ask` is called once, if it is encrypted.

    Raises KeyringError for another kind of key, a wrong passphrase, anything else.
    """
    load = load_ssh_private_key if data.lstrip().startswith(OPENSSH) else load_pem_private_key
    try:
        try:
            key: object = load(data, None)
        except TypeError:  # how cryptography says that a passphrase is needed
            key = load(data, _passphrase_bytes(ask()))
    except UnsupportedAlgorithm as failure:
        raise _unsupported(failure) from failure
    except (ValueError, TypeError) as failure:
        raise _unreadable(failure) from failure
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyringError(
            "the key is not an Ed25519 key",
            hint="make one with ssh-keygen -t ed25519, or with mbp key new",
        )
    return Identity(key.private_bytes_raw())


def _passphrase_bytes(passphrase: str) -> bytes:
    data = passphrase.encode("utf-8", "surrogateescape")
    if len(data) > LONGEST_PASSPHRASE:
        raise KeyringError(
            f"the passphrase has {len(data)} bytes, {LONGEST_PASSPHRASE} are possible",
            hint="choose a shorter passphrase",
        )
    return data


def _unsupported(failure: UnsupportedAlgorithm) -> KeyringError:
    if "bcrypt" in str(failure):
        return KeyringError(
            "OpenSSH keys with a passphrase need the package bcrypt",
            hint="pip install bcrypt, or take the passphrase off a copy of the key with "
            "ssh-keygen -p -f COPY",
        )
    return KeyringError(
        "the key is of a kind, or encrypted in a way, that is not supported",
        hint="make one with ssh-keygen -t ed25519, or with mbp key new",
    )


def _unreadable(failure: Exception) -> KeyringError:
    reason = str(failure).lower()
    # OpenSSH forms do not tell a wrong passphrase from damage but by two equal check numbers.
    if any(word in reason for word in ("password", "decrypt", "checksum")):
        return KeyringError("the passphrase is wrong", hint="try again with the right passphrase")
    return KeyringError(
        "not a private key in PKCS8 or OpenSSH form",
        hint="name the file without .pub that ssh-keygen or mbp made",
    )


def dump_backup(backup: Backup, passphrase: str, salt: bytes) -> bytes:
    """The backup as bytes; `salt` are 16 fresh random bytes.

    Raises KeyringError for an empty passphrase: a backup is made to be put somewhere else.
    """
    if not passphrase:
        raise KeyringError("a backup needs a passphrase", hint="choose a passphrase of some words")
    tree = {"mbp-backup": "1", "name": backup.name, "mail": backup.mail, "salt": salt.hex()}
    tree["key"] = dump_key(backup.identity, _stretch(passphrase, salt)).decode("ascii")
    shown = {name: value for name, value in tree.items() if value}
    return json.dumps(shown, ensure_ascii=False, indent=2).encode("utf-8") + b"\n"


def load_backup(data: bytes, ask: Ask) -> Backup:
    """Reads a backup; `ask` is called for the passphrase once the form is seen to be right.

    Raises KeyringError for anything but a backup, and for a wrong passphrase.
    """
    try:
        tree: Any = json.loads(data)
        if not isinstance(tree, dict) or tree.get("mbp-backup") != "1":
            raise ValueError("no backup of version 1")
        name, mail = tree["name"], tree.get("mail", "")
        key, salt = tree["key"].encode("ascii"), bytes.fromhex(tree["salt"])
        if len(salt) != SALT_BYTES or not isinstance(name, str) or not isinstance(mail, str):
            raise ValueError("fields of a wrong kind")
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as failure:
        raise KeyringError(
            f"not a backup of an mbp key: {failure}", hint="name a file that mbp key backup wrote"
        ) from failure
    return Backup(load_key(key, lambda: _stretch(ask(), salt)), name, mail)


def _stretch(passphrase: str, salt: bytes) -> str:
    # scrypt costs whoever guesses 32 MiB and a tenth of a second for every guess.
    secret = Scrypt(salt, 32, 1 << 15, 8, 1).derive(_passphrase_bytes(passphrase))
    return b64encode(secret).decode("ascii")
