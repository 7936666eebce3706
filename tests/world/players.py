"""Anna and Ben at their desks, on a real disk, for tests of crashes, disks and processes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha512
from pathlib import Path

from mbp import gamefile
from mbp.chain import Entry
from mbp.desk import Desk, Receipt, World
from mbp.desk.shelf import ENDING
from mbp.home import Home
from mbp.keys import Identity

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
NAMES = {"A": "Anna", "B": "Ben"}

# Every folder (None) and file (its bytes) below a root, by relative path.
Disk = Mapping[str, bytes | None]


def seed_of(name: str) -> bytes:
    """The seed of a player's identity key, 32 bytes."""
    return sha512(b"tests of the world " + name.encode()).digest()[:32]


def no_passphrase() -> str:
    raise AssertionError("a passphrase was asked for")


def steady_world() -> World:
    """A clock that stands still, and the system's randomness."""
    return World(now=lambda: NOON, randomness=os.urandom)


@dataclass(frozen=True)
class Players:
    """Anna, who invites, and Ben: a home each, and a games folder each or a shared one."""

    root: Path
    shared: bool = False

    def home(self, seat: str) -> Home:
        return Home(self.root / NAMES[seat].lower())

    def games(self, seat: str) -> Path:
        return self.root / "games" / ("shared" if self.shared else NAMES[seat].lower())

    def desk(self, seat: str) -> Desk:
        """A new desk, as each command has one."""
        return Desk(self.home(seat), self.games(seat), steady_world(), no_passphrase)

    def settle_in(self) -> None:
        """Makes both identities."""
        for seat, name in NAMES.items():
            self.home(seat).create_identity(Identity(seed_of(name)), name)

    def files(self, seat: str) -> list[Path]:
        """The game files of a seat."""
        return [path for path in self.games(seat).iterdir() if is_match_file(path.name)]

    def file(self, seat: str) -> Path:
        """The one game file of a seat."""
        (path,) = self.files(seat)
        return path

    def hand_over(self, seat: str) -> Path:
        """Puts a copy of the opponent's file into a seat's games folder, as it came by mail."""
        source = self.file("B" if seat == "A" else "A")
        self.games(seat).mkdir(parents=True, exist_ok=True)
        target = self.games(seat) / source.name
        if target != source:
            shutil.copyfile(source, target)
        return target

    def receive(self, seat: str) -> Receipt:
        """A seat takes in what the opponent's file has."""
        source = self.file("B" if seat == "A" else "A")
        return self.desk(seat).receive(source.read_bytes())

    def open(self, options: Mapping[str, str] | None = None) -> Receipt:
        """From nothing to the first move, which is Anna's."""
        self.settle_in()
        self.desk("A").new("mandala", {"start": "inviter", **(options or {})})
        self.desk("B").join(self.hand_over("B"))
        return self.receive("A")


def disk_of(root: Path) -> Disk:
    """All that lies below a folder now."""
    return {
        str(path.relative_to(root)): None if path.is_dir() else path.read_bytes()
        for path in sorted(root.rglob("*"))
    }


def restore(root: Path, disk: Disk) -> None:
    """Makes all that lies below a folder what it was."""
    for path in root.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    for name, data in disk.items():
        if data is None:
            (root / name).mkdir(mode=0o700)
        else:
            (root / name).write_bytes(data)


def match_files(disk: Disk) -> dict[str, bytes]:
    """The game files and memories of a disk, without the temporary files of the killed."""
    return {name: data for name, data in disk.items() if data and is_match_file(name)}


def is_match_file(name: str) -> bool:
    return name.endswith(ENDING) and not Path(name).name.startswith(".")


def is_temporary(name: str) -> bool:
    return Path(name).name.startswith(".") and name.endswith(".tmp")


def entries_of(disk: Disk) -> Iterator[Entry]:
    """Every entry in a file or memory of a disk; each of these must be whole."""
    for data in match_files(disk).values():
        yield from gamefile.load(data).log


class Signatures:
    """All entries of these seats that were ever on a disk: none has two behind one `prev`."""

    def __init__(self, seats: str = "AB") -> None:
        self._seats = seats
        self._signed: dict[tuple[str, str], str] = {}

    def take(self, disk: Disk) -> None:
        """Adds all entries of a disk; fails for two of one author behind one `prev`."""
        for entry in entries_of(disk):
            if entry.by not in self._seats:
                continue
            place = (entry.tree.get("prev", entry.id), entry.by)
            known = self._signed.setdefault(place, entry.id)
            assert known == entry.id, f"two entries {entry.seq} by {entry.by}"

    def __len__(self) -> int:
        return len(self._signed)
