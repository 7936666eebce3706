"""The folder itself: where it is, and the JSON files in it.

Every part of the home is a class over one root folder; `Home` is all of them together.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbp.errors import MbpError
from mbp.files import make_folder, read_if_there, write_atomic

GAME_ID = re.compile(r"[0-9a-f]{64}")


def default_home(environ: Mapping[str, str], platform: str) -> Path:
    """The platform's place for the home; `platform` as `sys.platform` spells it.

    Raises MbpError where the environment does not tell it.
    """
    if platform == "win32":
        above, below = environ.get("APPDATA", ""), "mbp"
    elif platform == "darwin":
        above, below = environ.get("HOME", ""), "Library/Application Support/mbp"
    elif environ.get("XDG_DATA_HOME", "").startswith("/"):  # a relative one is to be ignored
        above, below = environ["XDG_DATA_HOME"], "mbp"
    else:
        above, below = environ.get("HOME", ""), ".local/share/mbp"
    if not above:
        raise MbpError("there is no place for the home folder", hint="name one with --home")
    return Path(above, below)


def check_game_id(game_id: str) -> str:
    """The game id, once it cannot be anything but the name of a file. Raises ValueError."""
    if not GAME_ID.fullmatch(game_id):
        raise ValueError(f"not a game id: {game_id!r}")
    return game_id


@dataclass(frozen=True)
class Folder:
    """One home folder, which need not be there yet."""

    root: Path

    def make_root(self) -> None:
        """Makes the home, closed to others, if it is not there. Raises MbpError."""
        make_folder(self.root, 0o700)

    def load(self, path: Path, remedy: str) -> dict[str, Any] | None:
        """The map in a JSON file, None if there is no such file.

        Raises MbpError for anything but a map, with `remedy` as its hint.
        """
        data = read_if_there(path)
        if data is None:
            return None
        try:
            tree = json.loads(data)
        except (ValueError, RecursionError) as failure:
            raise damaged(path, remedy) from failure
        if not isinstance(tree, dict):
            raise damaged(path, remedy)
        return tree

    def save(self, path: Path, tree: Mapping[str, Any], *, durable: bool = True) -> None:
        """Writes a map as a JSON file of the home, its folder made if need be. Raises MbpError."""
        text = json.dumps(tree, ensure_ascii=False, indent=2)
        # A name on a command line may hold bytes that are no text (lone surrogates).
        self.store(path, text.encode("utf-8", "backslashreplace") + b"\n", durable=durable)

    def store(self, path: Path, data: bytes, *, durable: bool = True) -> None:
        """Writes a file of the home, its folder made if need be. Raises MbpError."""
        self.make_root()
        make_folder(path.parent, 0o700)
        write_atomic(path, data, mode=0o600, durable=durable)


def damaged(path: Path, remedy: str) -> MbpError:
    """The error for a file of the home that is not as mbp wrote it."""
    return MbpError(f"{path} is damaged", hint=remedy)
