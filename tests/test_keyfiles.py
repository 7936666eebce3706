"""Private keys as files: PKCS8, OpenSSH, backups."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed448 import Ed448PrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given
from hypothesis import strategies as st

from mbp import keyfiles
from mbp.errors import KeyringError
from mbp.keys import Identity

ALICE = Identity(bytes(range(32)))


def never() -> str:
    raise AssertionError("a passphrase was asked for")


PASSPHRASE = "passwört"
ENCRYPTED_OPENSSH = b"""
-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABAr
M/jzK/HanP2fPRm/kruCAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIAOh
B7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4AAAAkAafGBa0KHB+Q9b/5e79
0S9wzK4cVFGbZr6rHxS6GcOnlT8KF1zB9eAvzCvCh6SSVv5HcBnWcElJPx131QDK
k7KvgnPtz0wz5hT3habXMrzgE/EHL1pY0yLbwe765AUg9133/wvZ9hz1UqivflUp
UdHdnY1J1+VISp5zIwXEftK8g9zPU0BuhObRItmdl+9fkw==
-----END OPENSSH PRIVATE KEY-----
"""


def pem(key: Any, form: PrivateFormat) -> bytes:
    data: bytes = key.private_bytes(Encoding.PEM, form, NoEncryption())
    return data


def test_pkcs8_without_passphrase_asks_nothing() -> None:
    data = keyfiles.dump_key(ALICE)
    assert data.startswith(b"-----BEGIN PRIVATE KEY-----\n")
    assert keyfiles.load_key(data, never) == ALICE


def test_pkcs8_with_passphrase() -> None:
    data = keyfiles.dump_key(ALICE, PASSPHRASE)
    assert data.startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
    assert keyfiles.load_key(data, lambda: PASSPHRASE) == ALICE


@pytest.mark.parametrize("wrong", ["", "passwort", PASSPHRASE + " "])
def test_pkcs8_with_a_wrong_passphrase(wrong: str) -> None:
    data = keyfiles.dump_key(ALICE, PASSPHRASE)
    with pytest.raises(KeyringError, match="passphrase is wrong") as failure:
        keyfiles.load_key(data, lambda: wrong)
    assert failure.value.hint


def test_passphrase_too_long_is_named() -> None:
    with pytest.raises(KeyringError, match="1024 bytes"):
        keyfiles.dump_key(ALICE, "x" * 1024)
    data = keyfiles.dump_key(ALICE, "x" * 1023)
    assert keyfiles.load_key(data, lambda: "x" * 1023) == ALICE


def test_openssh_key_without_passphrase() -> None:
    key = Ed25519PrivateKey.from_private_bytes(ALICE.seed)
    assert keyfiles.load_key(pem(key, PrivateFormat.OpenSSH), never) == ALICE


def test_openssh_key_with_passphrase_or_the_way_to_go_on() -> None:
    if importlib.util.find_spec("bcrypt"):
        assert keyfiles.load_key(ENCRYPTED_OPENSSH, lambda: PASSPHRASE) == ALICE
        with pytest.raises(KeyringError, match="passphrase is wrong"):
            keyfiles.load_key(ENCRYPTED_OPENSSH, lambda: "other")
    else:
        with pytest.raises(KeyringError, match="bcrypt"):
            keyfiles.load_key(ENCRYPTED_OPENSSH, lambda: PASSPHRASE)


def test_openssh_key_with_passphrase_without_bcrypt_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "id_ed25519"
    path.write_bytes(ENCRYPTED_OPENSSH)
    script = """
import sys
sys.modules["bcrypt"] = None
from pathlib import Path
from mbp.errors import KeyringError
from mbp.keyfiles import load_key
try:
    load_key(Path(sys.argv[1]).read_bytes(), lambda: "x")
except KeyringError as failure:
    sys.stdout.write(failure.hint)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    assert "pip install bcrypt" in done.stdout
    assert "ssh-keygen -p" in done.stdout


def test_other_kinds_of_key_are_refused() -> None:
    others = [
        pem(generate_private_key(SECP256R1()), PrivateFormat.PKCS8),
        pem(generate_private_key(SECP256R1()), PrivateFormat.OpenSSH),
        pem(Ed448PrivateKey.generate(), PrivateFormat.PKCS8),
    ]
    for data in others:
        with pytest.raises(KeyringError, match="not an Ed25519 key") as failure:
            keyfiles.load_key(data, never)
        assert "ssh-keygen" in failure.value.hint


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        ALICE.text.encode(),
        keyfiles.dump_key(ALICE)[:60],
        ENCRYPTED_OPENSSH[:80],
        b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
    ],
)
def test_what_is_no_private_key_is_refused(data: bytes) -> None:
    with pytest.raises(KeyringError) as failure:
        keyfiles.load_key(data, never)
    assert failure.value.hint


@given(st.binary(max_size=200), st.integers(0, 118), st.integers(0, 255))
def test_whatever_the_bytes_only_keyring_errors(data: bytes, place: int, byte: int) -> None:
    good = bytearray(keyfiles.dump_key(ALICE))
    good[place % len(good)] = byte
    for candidate in (data, bytes(good), keyfiles.OPENSSH + data):
        try:
            assert keyfiles.load_key(candidate, lambda: "x")
        except KeyringError:
            continue


# --- backups --------------------------------------------------------------------------------------

BACKUP = keyfiles.Backup(ALICE, "Zoë", "zoe@example.org")
SALT = bytes(range(16))


def test_backup_comes_back() -> None:
    data = keyfiles.dump_backup(BACKUP, PASSPHRASE, SALT)
    assert keyfiles.load_backup(data, lambda: PASSPHRASE) == BACKUP
    no_mail = keyfiles.Backup(ALICE, "Zoë", "")
    assert (
        keyfiles.load_backup(keyfiles.dump_backup(no_mail, PASSPHRASE, SALT), lambda: PASSPHRASE)
        == no_mail
    )


def test_backup_shows_no_secret() -> None:
    data = keyfiles.dump_backup(BACKUP, PASSPHRASE, SALT)
    assert b"ENCRYPTED PRIVATE KEY" in data
    for spelling in (ALICE.seed, ALICE.seed.hex().encode(), b64encode(ALICE.seed)):
        assert spelling not in data
    assert PASSPHRASE.encode() not in data


def test_backup_with_wrong_passphrase() -> None:
    data = keyfiles.dump_backup(BACKUP, PASSPHRASE, SALT)
    with pytest.raises(KeyringError, match="passphrase is wrong"):
        keyfiles.load_backup(data, lambda: "other")


def test_backup_needs_a_passphrase() -> None:
    with pytest.raises(KeyringError, match="needs a passphrase"):
        keyfiles.dump_backup(BACKUP, "", SALT)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mbp-backup", "2"),
        ("name", None),
        ("name", ["x"]),
        ("mail", 3),
        ("salt", "00"),
        ("salt", "zz" * 16),
        ("salt", None),
        ("key", None),
        ("key", "é"),
        ("key", 1),
    ],
)
def test_what_is_no_backup_is_refused_before_asking(field: str, value: object) -> None:
    tree = json.loads(keyfiles.dump_backup(BACKUP, PASSPHRASE, SALT))
    tree[field] = value
    with pytest.raises(KeyringError, match="not a backup"):
        keyfiles.load_backup(json.dumps(tree).encode(), never)


@given(st.binary(max_size=60) | st.just(b"[" * 100_000))
def test_whatever_the_bytes_of_a_backup_only_keyring_errors(data: bytes) -> None:
    with pytest.raises(KeyringError):
        keyfiles.load_backup(data, never)
