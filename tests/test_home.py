"""The home folder: one secret in it, nothing overwritten, nothing written by reading."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import sys
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mbp.errors import KeyringError, MbpError
from mbp.home import Facts, Home, Profile, default_home
from mbp.home.owner import clean_mail, clean_name
from mbp.keys import Identity
from tests.children import drop_rights, ended, run, spawn

ALICE = Identity(bytes(range(32)))
BOB = Identity(bytes(range(1, 33)))
CAROL = Identity(bytes(range(2, 34)))
GAME = "19" * 32
OTHER_GAME = "2a" * 32
DIGEST = "c0" * 32


def never() -> str:
    raise AssertionError("a passphrase was asked for")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def tree_of(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def read_all(home: Home) -> None:
    """Everything that a command which only looks may do."""
    for look in (home.profile, lambda: home.identity(never)):
        if home.has_identity:
            look()
        else:
            with pytest.raises(KeyringError, match="no identity yet"):
                look()
    home.contacts()
    home.contact("Bob")
    home.contact_of(BOB.text)
    home.remembered(GAME)
    home.all_remembered()
    home.facts(GAME)
    home.evidence(GAME)
    home.verified(GAME)


def write_all(home: Home) -> None:
    """Everything that a command may write."""
    home.create_identity(ALICE, "Alice")
    home.remember_contact("Bob", BOB.text)
    home.remember(GAME, b"the bytes")
    home.set_facts(GAME, Facts(looked=7, path="game.mbp.yaml"))
    home.keep_evidence(GAME, "theirs.mbp.yaml", b"another history")
    home.set_verified(GAME, 8, DIGEST)


# --- where it is ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "environ", "path"),
    [
        ("linux", {"HOME": "/h"}, "/h/.local/share/mbp"),
        ("linux", {"HOME": "/h", "XDG_DATA_HOME": "/data"}, "/data/mbp"),
        ("linux", {"HOME": "/h", "XDG_DATA_HOME": "data"}, "/h/.local/share/mbp"),
        ("linux", {"HOME": "/h", "XDG_DATA_HOME": ""}, "/h/.local/share/mbp"),
        ("freebsd14", {"HOME": "/h"}, "/h/.local/share/mbp"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Application Support/mbp"),
        ("win32", {"APPDATA": "/a", "HOME": "/h"}, "/a/mbp"),
    ],
)
def test_default_home(platform: str, environ: dict[str, str], path: str) -> None:
    assert default_home(environ, platform) == Path(path)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_no_place_for_the_home_is_said(platform: str) -> None:
    with pytest.raises(MbpError) as failure:
        default_home({}, platform)
    assert "--home" in failure.value.hint


def test_the_home_is_closed_to_others(home: Home) -> None:
    before = os.umask(0)
    try:
        with home.lock():
            write_all(home)
    finally:
        os.umask(before)
    paths = [home.root, *home.root.rglob("*")]
    assert {mode_of(path) for path in paths if path.is_dir()} == {0o700}
    assert {mode_of(path) for path in paths if path.is_file()} == {0o600}
    assert not [path for path in paths if path.name.startswith(".")]


def test_reading_writes_nothing(home: Home) -> None:
    read_all(home)
    assert not home.root.exists()
    write_all(home)
    before = tree_of(home.root)
    read_all(home)
    assert tree_of(home.root) == before


def test_nothing_but_the_identity_file_is_secret(home: Home) -> None:
    write_all(home)
    for path, data in tree_of(home.root).items():
        for secret in (ALICE.seed, ALICE.seed.hex().encode(), b64encode(ALICE.seed)[:40]):
            assert secret not in data
        assert (b"PRIVATE KEY" in data) == (path == str(home.identity_path))


def test_a_read_only_home_can_be_read() -> None:
    root = Path(tempfile.mkdtemp(prefix="mbp-test-"))
    home = Home(root / "home")
    try:
        write_all(home)
        root.chmod(0o755)
        for path in root.rglob("*"):
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = tree_of(root)

        def look() -> None:
            drop_rights()
            read_all(home)
            home.set_verified(GAME, 9, DIGEST)
            assert home.verified(GAME) == (8, DIGEST)
            home.set_verified(OTHER_GAME, 1, DIGEST)
            with pytest.raises(MbpError, match=str(home.root)):
                home.remember(GAME, b"newer")

        assert run(look) == 0
        assert tree_of(root) == before
    finally:
        for path in [root, *root.rglob("*")]:
            path.chmod(0o755)
        shutil.rmtree(root)


# --- identity -------------------------------------------------------------------------------------


def test_identity_and_profile_come_back(home: Home) -> None:
    assert not home.has_identity
    profile = home.create_identity(ALICE, "Zoe\u0308", "zoe@example.org")
    assert profile == Profile("Zoë", "zoe@example.org", ALICE.text)
    again = Home(home.root)
    assert again.has_identity
    assert again.profile() == profile
    assert again.identity(never) == ALICE


def test_identity_with_passphrase_is_asked_for_once(home: Home) -> None:
    home.create_identity(ALICE, "Alice", passphrase="secret words")
    asked: list[str] = []

    def ask() -> str:
        asked.append("?")
        return "secret words"

    assert home.identity(ask) == ALICE
    assert asked == ["?"]
    assert home.profile().key == ALICE.text
    with pytest.raises(KeyringError, match="passphrase is wrong"):
        home.identity(lambda: "other words")


def test_identity_is_never_overwritten(home: Home) -> None:
    home.create_identity(ALICE, "Alice")
    before = tree_of(home.root)
    with pytest.raises(KeyringError, match="there is an identity already"):
        home.create_identity(BOB, "Bob")
    assert tree_of(home.root) == before


def test_a_damaged_identity_is_not_overwritten_either(home: Home) -> None:
    home.create_identity(ALICE, "Alice")
    home.identity_path.write_bytes(b"")
    with pytest.raises(KeyringError, match="there is an identity already"):
        home.create_identity(BOB, "Bob")
    with pytest.raises(KeyringError, match="not a private key"):
        home.identity(never)


def test_of_two_processes_that_make_an_identity_one_does(home: Home) -> None:
    def make(identity: Identity) -> None:
        with home.lock():
            home.create_identity(identity, f"Player {identity.seed[0]}")

    people = [ALICE, BOB, CAROL]
    children = [spawn(lambda who=who: make(who)) for who in people]  # type: ignore[misc]
    codes = [ended(child) for child in children]
    assert sorted(codes) == [0, 1, 1]
    winner = people[codes.index(0)]
    assert home.identity(never) == winner
    assert home.profile().name == f"Player {winner.seed[0]}"


def test_killed_while_the_identity_is_made_it_is_whole_or_can_be_made(tmp_path: Path) -> None:
    whole = []
    for line in range(1, 2000, 3):
        home = Home(tmp_path / str(line))
        killed = run(killed_after(line, home)) == -signal.SIGKILL
        whole.append(home.has_identity)
        if not home.has_identity:
            home.create_identity(ALICE, "Alice")
        assert home.identity(never) == ALICE
        assert home.profile().name == "Alice"
        if not killed:
            break
    assert whole == sorted(whole)
    assert True in whole
    assert False in whole


def killed_after(line: int, home: Home) -> Callable[[], None]:
    """Makes an identity and dies at the given line executed in mbp, if it comes."""

    def make() -> None:
        left = line

        def count(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal left
            if "/mbp/" not in frame.f_code.co_filename:
                return None
            left -= event == "line"
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return count

        sys.settrace(count)
        home.create_identity(ALICE, "Alice")

    return make


def test_identity_and_profile_must_fit(home: Home) -> None:
    home.create_identity(ALICE, "Alice")
    tree = json.loads(home.profile_path.read_bytes())
    home.profile_path.write_text(json.dumps(tree | {"key": BOB.text}))
    with pytest.raises(MbpError, match="names another key") as failure:
        home.identity(never)
    assert failure.value.hint


DAMAGED = [
    b"",
    b"{",
    b"[]",
    b"\xff",
    b"[" * 100_000,
    b'{"name": "Alice"}',
    json.dumps({"name": "", "mail": "", "key": ALICE.text}).encode(),
    json.dumps({"name": 1, "mail": "", "key": ALICE.text}).encode(),
    json.dumps({"name": "A", "mail": 1, "key": ALICE.text}).encode(),
    json.dumps({"name": "A", "mail": "", "key": "ssh-ed25519 A"}).encode(),
    json.dumps({"name": "A", "mail": "", "key": ["x"] * 80}).encode(),
    json.dumps({"name": "A", "mail": "", "key": None}).encode(),
]


@pytest.mark.parametrize("data", DAMAGED)
def test_a_damaged_profile_is_named(home: Home, data: bytes) -> None:
    home.create_identity(ALICE, "Alice")
    home.profile_path.write_bytes(data)
    with pytest.raises(MbpError, match="damaged") as failure:
        home.profile()
    assert str(home.profile_path) in str(failure.value)
    assert failure.value.hint


def test_a_missing_profile_is_named(home: Home) -> None:
    home.create_identity(ALICE, "Alice")
    home.profile_path.unlink()
    with pytest.raises(MbpError, match="missing") as failure:
        home.identity(never)
    assert failure.value.hint


@pytest.mark.parametrize("name", ["", " ", "x" * 101, "a\nb", "a\x1bb", "a\u2028b", "a\ud800b"])
def test_1_2_names_that_no_file_may_hold_are_refused(home: Home, name: str) -> None:
    with pytest.raises(KeyringError) as failure:
        home.create_identity(ALICE, name)
    assert failure.value.hint
    assert not home.root.exists()


def test_1_2_longest_name_and_mail() -> None:
    assert clean_name("x" * 100) == "x" * 100
    assert clean_mail("x" * 254) == "x" * 254
    assert clean_mail("") == ""
    with pytest.raises(KeyringError, match="255 characters"):
        clean_mail("x" * 255)


# --- any damage, many processes -------------------------------------------------------------------


@pytest.fixture(scope="module")
def damaged_home() -> Iterator[Home]:
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        write_all(home)
        yield home


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=80) | st.from_regex(rb'\{"(name|contacts|looked)": [0-9\[{"]{1,9}\]?\}'))
def test_whatever_the_bytes_only_our_own_errors(damaged_home: Home, data: bytes) -> None:
    home = damaged_home
    paths = (home.profile_path, home.contacts_path, home.facts_path(GAME), home.cache_path(GAME))
    for path in paths:
        path.write_bytes(data)
    for look in (home.profile, home.contacts, lambda: home.facts(GAME)):
        with suppress(MbpError):
            look()
    home.verified(GAME)


def test_under_the_lock_no_process_loses_what_another_wrote(home: Home) -> None:
    def work(first: int) -> None:
        for number in range(first, first + 5):
            with home.lock():
                home.remember_contact(f"Player {number}", Identity(bytes([number]) * 32).text)
                facts = home.facts(GAME)
                home.set_facts(GAME, Facts(looked=facts.looked + 1))

    children = [spawn(lambda first=first: work(first)) for first in (10, 20)]  # type: ignore[misc]
    assert [ended(child) for child in children] == [0, 0]
    assert len(home.contacts()) == 10
    assert home.facts(GAME).looked == 9


def test_the_lock_is_one_for_the_whole_home(home: Home) -> None:
    with home.lock():
        with pytest.raises(MbpError, match="another mbp is at work"), Home(home.root).lock(0.0):
            pass
        read_all(home)
    with home.lock(0.0):
        pass
