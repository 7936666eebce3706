"""The games folder: what match files are called, and how one of them is found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from mbp import gamefile
from mbp.chain import Record
from mbp.errors import FormatError, MbpError, NoSuchGameError
from mbp.files import read_if_there

ENDING = ".mbp.yaml"
LARGEST = 4 * 2**20 + 1  # one byte more than a game file may have (protocol 10)


def slug(name: str) -> str:
    """A name as it may stand in a file name: lower-case ASCII letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:30].strip("-") or "player"


def file_name(inviter: str, guest: str, game_id: str) -> str:
    """The name of a new match's file; an empty `guest` means that anybody may accept."""
    return f"{slug(inviter)}-{slug(guest) if guest else 'open'}-{game_id[:8]}{ENDING}"


def read_bytes(path: Path) -> bytes:
    """Reads a file, at most one byte more than a game file may have.

    Raises NoSuchGameError, MbpError.
    """
    try:
        with path.open("rb") as file:
            return file.read(LARGEST)
    except FileNotFoundError:
        raise NoSuchGameError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise NoSuchGameError(f"{path} is a folder") from None
    except OSError as failure:
        raise MbpError(f"cannot read {path}: {failure.strerror}") from failure


@lru_cache(maxsize=8)
def load_game(data: bytes) -> Record:
    """`gamefile.load`, which keeps the last few files: one command meets the same ones often."""
    return gamefile.load(data)


def read_game(path: Path) -> Record:
    """Loads a game file. Raises NoSuchGameError, FormatError, MbpError."""
    return load_game(read_bytes(path))


def game_files(folder: Path) -> tuple[Path, ...]:
    """The match files of a folder by name; none if there is no such folder."""
    try:
        found = [path for path in folder.iterdir() if path.name.endswith(ENDING)]
    except OSError:
        return ()
    return tuple(sorted(path for path in found if not path.name.startswith(".")))


def records(folder: Path) -> Iterator[tuple[Path, Record]]:
    """The match files of a folder that can be read as such."""
    for path in game_files(folder):
        try:
            yield path, read_game(path)
        except MbpError:
            continue  # whoever looks for a game passes over what is none; `status` names it


def find_by_id(folder: Path, game_id: str) -> Path | None:
    """The file of a game in a folder, None if it has none."""
    for path in game_files(folder):
        if game_id[:8] not in path.name:
            continue
        try:
            if read_game(path).game_id == game_id:
                return path
        except MbpError:
            continue
    return None


def find_game(
    folder: Path, what: str, me: str = "", contacts: Mapping[str, str] | None = None
) -> Path:
    """The file that the user means: a path, first digits of a game id, or the opponent's name.

    `me` is the own key as text: one's own name finds nothing. `contacts` are the names that keys
    have here; they count beside the names that players claim.
    Raises NoSuchGameError where nothing fits, or more than one game of the folder.
    """
    path = Path(what)
    if path.is_file() or "/" in what or what.endswith((".yaml", ".yml")):
        return path
    wanted = what.casefold()
    fits = []
    for candidate, record in records(folder):
        players = [entry.tree["player"] for entry in record.log[:2] if "player" in entry.tree]
        names = [player["name"] for player in players if player["key"] != me]
        names += [contacts[p["key"]] for p in players if contacts and p["key"] in contacts]
        by_id = bool(re.fullmatch(r"[0-9a-f]{1,64}", wanted)) and record.game_id.startswith(wanted)
        if by_id or wanted in [name.casefold() for name in names]:
            fits.append(candidate)
    if len(fits) == 1:
        return fits[0]
    if not fits:
        hint = (
            "name a file, the first digits of a game id, or your opponent (mbp status lists them)"
        )
        raise NoSuchGameError(f"no game in {folder} fits {what!r}", hint=hint)
    listed = ", ".join(path.name for path in fits)
    raise NoSuchGameError(f"{what!r} fits {len(fits)} games: {listed}", hint="name the file")


def fits_game(path: Path, game_id: str) -> bool:
    """Whether a path may be written for a game: nothing is there, or a file of that game."""
    data = read_if_there(path)
    if data is None:
        return True
    try:
        return load_game(data).game_id == game_id
    except FormatError:
        return False
