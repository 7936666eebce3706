"""Contacts: one name for each key, and a known name with another key stops everything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mbp.errors import FormatError, KeyringError, MbpError
from mbp.home import Contact, Home
from mbp.keys import Identity, fingerprint

ALICE = Identity(bytes(range(32)))
BOB = Identity(bytes(range(1, 33)))
CAROL = Identity(bytes(range(2, 34)))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def files_of(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_contacts_come_back_by_name_and_key(home: Home) -> None:
    home.remember_contact("carol", CAROL.text, "carol@example.org")
    bob = home.remember_contact("Bob", BOB.text)
    again = Home(home.root)
    assert again.contacts() == (bob, Contact("carol", CAROL.text, "carol@example.org"))
    assert again.contact("bob") == again.contact("BOB") == again.contact_of(BOB.text) == bob
    assert again.contact("Bo") is None
    assert again.contact("Alice") is None
    assert again.contact_of(ALICE.text) is None


def test_a_known_name_with_another_key_names_both_fingerprints(home: Home) -> None:
    home.remember_contact("Bob", BOB.text)
    before = files_of(home.root)
    for name in ("Bob", "BOB"):
        with pytest.raises(KeyringError) as failure:
            home.remember_contact(name, CAROL.text)
        assert fingerprint(BOB.public).hex in str(failure.value)
        assert fingerprint(CAROL.public).hex in str(failure.value)
        assert "--name" in failure.value.hint
    assert files_of(home.root) == before


def test_a_known_key_keeps_its_name_unless_its_owner_here_renames_it(home: Home) -> None:
    home.remember_contact("Bob", BOB.text, "bob@example.org")
    assert home.remember_contact("Robert", BOB.text).name == "Bob"
    renamed = home.remember_contact("Robert", BOB.text, rename=True)
    assert renamed == Contact("Robert", BOB.text, "bob@example.org")
    assert home.contacts() == (renamed,)
    home.remember_contact("Carol", CAROL.text)
    with pytest.raises(KeyringError, match="another key"):
        home.remember_contact("Carol", BOB.text, rename=True)
    assert home.remember_contact("bob", BOB.text, "new@example.org").mail == "new@example.org"


def test_the_same_again_writes_nothing(home: Home) -> None:
    home.remember_contact("Bob", BOB.text)
    before = home.contacts_path.stat().st_ino
    home.remember_contact("Bob", BOB.text)
    assert home.contacts_path.stat().st_ino == before


def test_3_1_what_is_no_key_is_not_remembered(home: Home) -> None:
    with pytest.raises(FormatError):
        home.remember_contact("Bob", BOB.text + " bob@example.org")
    assert not home.root.exists()


@pytest.mark.parametrize(
    "contacts",
    [
        3,
        ["Bob"],
        [{"name": "Bob"}],
        [{"name": "Bob", "key": BOB.text[:-1], "mail": ""}],
        [{"name": "Bob", "key": BOB.text, "mail": 0.5}],
        [{"name": "Bob", "key": key.text, "mail": ""} for key in (BOB, CAROL)],
        [{"name": name, "key": BOB.text, "mail": ""} for name in ("Bob", "Carol")],
    ],
)
def test_damaged_contacts_are_named(home: Home, contacts: object) -> None:
    home.make_root()
    home.contacts_path.write_text(json.dumps({"contacts": contacts}))
    with pytest.raises(MbpError, match="damaged") as failure:
        home.contacts()
    assert str(home.contacts_path) in str(failure.value)
    assert failure.value.hint
    with pytest.raises(MbpError, match="damaged"):
        home.remember_contact("Alice", ALICE.text)


ALIKE = (
    "Alice ",
    " alice",
    "Alice\u3164",
    "\uff21lice",
    "Al\u200bice",
    "ALICE\u00a0",
    "Ali\u00adce\u2800",
)


@pytest.mark.parametrize("name", ALIKE)
def test_a_name_that_looks_like_a_contacts_is_its_name(home: Home, name: str) -> None:
    alice = home.remember_contact("Alice", ALICE.text)
    assert home.contact(name) == alice
    for rename in (False, True):
        with pytest.raises(KeyringError, match="Alice is known with another key"):
            home.remember_contact(name, BOB.text, rename=rename)
    assert home.contacts() == (alice,)


def test_spaces_inside_a_name_count_once(home: Home) -> None:
    home.remember_contact("Alice  B", ALICE.text)
    with pytest.raises(KeyringError):
        home.remember_contact("alice\u2003b", BOB.text)
    assert home.remember_contact("AliceB", BOB.text).name == "AliceB"


def test_contacts_remembered_before_they_looked_alike_are_kept(home: Home) -> None:
    home.make_root()
    tree = [
        {"name": name, "key": key.text, "mail": ""}
        for name, key in (("Alice", ALICE), ("Alice ", BOB))
    ]
    home.contacts_path.write_text(json.dumps({"contacts": tree}))
    assert home.contact("Alice ") == Contact("Alice ", BOB.text)
    assert home.remember_contact("Alice", BOB.text, "b@example.org").name == "Alice "


@pytest.mark.parametrize("name", [" ", "\u0958" * 100, "\u3164", "\u200b\u00a0", ""])
def test_1_2_a_player_without_a_name_that_can_be_used_gets_one(home: Home, name: str) -> None:
    made = home.remember_contact(name, BOB.text, " ")
    assert made.name == f"player {fingerprint(BOB.public).hex.replace(' ', '')[:8]}"
    assert made.mail == ""
    assert Home(home.root).contacts() == (made,)
    with pytest.raises(KeyringError):
        home.remember_contact(" ", BOB.text, rename=True)
