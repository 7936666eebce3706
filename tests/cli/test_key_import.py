"""`mbp key new --import`: keys that OpenSSH made become the identity, with their passphrase."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from mbp.keys import Identity
from tests.cli.sessions import Stage

SEED = bytes(range(32))
KEY = Ed25519PrivateKey.from_private_bytes(SEED)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A folder with keys of several kinds."""
    plain, locked = NoEncryption(), BestAvailableEncryption(b"sesame")
    files = {
        "openssh": KEY.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, plain),
        "pkcs8": KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked),
        "other": generate_private_key(SECP256R1()).private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, plain
        ),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    return Stage(tmp_path)


def test_an_openssh_key_is_taken_over(stage: Stage) -> None:
    said = stage.execute("alice", "mbp key new --name Alice --import openssh")
    assert Identity(SEED).text in said
    assert (stage.folder / "alice" / "identity.pem").stat().st_mode & 0o777 == 0o600


def test_a_key_keeps_its_passphrase(stage: Stage) -> None:
    said = stage.execute("alice", "MBP_PASSPHRASE=sesame mbp key new --name A --import pkcs8")
    assert Identity(SEED).text in said
    assert b"ENCRYPTED" in (stage.folder / "alice" / "identity.pem").read_bytes()
    assert stage.execute("alice", "mbp new").endswith("hint: set MBP_PASSPHRASE\n[6]\n")
    assert stage.execute("alice", "MBP_PASSPHRASE=sesame mbp new").endswith(".mbp.yaml\n")


def test_a_passphrase_is_not_asked_for_on_a_pipe(stage: Stage) -> None:
    assert "[6]" in stage.execute("alice", "mbp key new --name Alice --import pkcs8")
    assert "[6]" in stage.execute("alice", "MBP_PASSPHRASE=x mbp key new --name A --import pkcs8")
    assert not (stage.folder / "alice").exists()


def test_other_keys_and_missing_files_are_refused(stage: Stage) -> None:
    assert "[6]" in stage.execute("alice", "mbp key new --name Alice --import other")
    assert "[1]" in stage.execute("alice", "mbp key new --name Alice --import nowhere")
