"""The games folder: what match files are called, and how one of them is found."""

from __future__ import annotations

import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from mbp import gamefile
from mbp.chain import Record
from mbp.errors import FormatError, MbpError, NoSuchGameError
from mbp.files import IrregularError, is_file, open_regular, read_start

ENDING = ".mbp.yaml"
EVIDENCE_ENDING = ".mbp-fork.yaml"
LARGEST = 4 * 2**20 + 1  # one byte more than a game file may have (protocol 10)
LARGEST_EVIDENCE = 2 * LARGEST + 100  # two game files, and the lines around them


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
        with open_regular(path) as file:
            return file.read(LARGEST)
    except FileNotFoundError:
        raise NoSuchGameError(f"there is no file {path}") from None
    except IrregularError as failure:
        raise NoSuchGameError(str(failure)) from None
    except OSError as failure:
        raise MbpError(f"cannot read {path}: {failure.strerror}") from failure


@lru_cache(maxsize=8)
def load_game(data: bytes) -> Record:
    """`gamefile.load`, which keeps the last few files: one command meets the same ones often."""
    if gamefile.is_evidence(data):
        raise FormatError(
            "an evidence file: it holds two histories of a match",
            hint="mbp audit verifies it; mbp fork and mbp settle take it in the place of OTHER",
        )
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
    return tuple(sorted(path for path in found if path.name[0] != "." and _may_be_read(path)))


def _may_be_read(path: Path) -> bool:
    """Whether a path leads to a regular file, or to what nobody lets us see."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except PermissionError:
        return True  # `status` says so
    except OSError:
        return False  # a link to nothing, or to itself


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


def is_path(what: str) -> bool:
    """Whether FILE means a path, rather than a game id or a player."""
    return is_file(Path(what)) or "/" in what or what.endswith((".yaml", ".yml"))


def fitting_games(
    games: Iterable[tuple[Path, Record]], what: str, me: str, contacts: Mapping[str, str]
) -> dict[Path, Record]:
    """The games that `what` fits: first digits of the id, or the opponent's name.

    `me` is the own key as text: one's own name finds nothing. `contacts` are the names that keys
    have here; they count beside the names that players claim, and for whom an invitation names.
    """
    wanted = what.casefold()
    fits = {}
    for path, record in games:
        players = [entry.tree["player"] for entry in record.log[:2] if "player" in entry.tree]
        names = [player["name"] for player in players if player["key"] != me]
        keys = [*(player["key"] for player in players), record.log[0].tree.get("guest", me)]
        names += [contacts[key] for key in keys if key in contacts and key != me]
        by_id = bool(re.fullmatch(r"[0-9a-f]{1,64}", wanted)) and record.game_id.startswith(wanted)
        if by_id or wanted in [name.casefold() for name in names]:
            fits[path] = record
    return fits


def the_one(folder: Path, what: str, fits: Mapping[Path, Record]) -> Path:
    """The one game that fits. Raises NoSuchGameError for none, and for several, naming each."""
    if len(fits) == 1:
        return next(iter(fits))
    if not fits:
        hint = (
            "name a file, the first digits of a game id, or your opponent (mbp status lists them)"
        )
        raise NoSuchGameError(f"no game in {folder} fits {what!r}", hint=hint)
    ids = [record.game_id[:8] for record in fits.values()]
    listed = ", ".join(f"{one} ({path.name})" for one, path in zip(ids, fits, strict=True))
    raise NoSuchGameError(
        f"{what!r} fits {len(fits)} games: {listed}", hint=f"name one by its digits, as {ids[0]}"
    )


@contextmanager
def naming(name: object) -> Iterator[None]:
    """Puts the name of a file before what is wrong with its format."""
    try:
        yield
    except FormatError as failure:
        named = type(failure)(f"{name}: {failure}", seq=failure.seq, hint=failure.hint)
        named.path = failure.path
        raise named from failure


def check_game_file(path: Path, data: bytes) -> None:
    """Raises FormatError, naming the file, where its bytes are no game file.

    A letter may have a game in it: its owner is told how to take it in.
    """
    try:
        with naming(path):
            load_game(data)
    except FormatError as failure:
        from mbp.post.mail import name_of_letter

        if letter := name_of_letter(data):
            hint = "take it in: mbp receive FILE"
            raise FormatError(f"{path} is {letter}, not a game file", hint=hint) from failure
        raise


def fits_game(path: Path, game_id: str) -> bool:
    """Whether a path may be written for a game: nothing is there, or a file of that game."""
    data = read_start(path, LARGEST)
    if data is None:
        return not path.is_symlink()  # a link to nothing could lead anywhere
    try:
        return load_game(data).game_id == game_id
    except FormatError:
        return False
