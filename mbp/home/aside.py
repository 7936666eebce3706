"""Entries that came before those they follow: kept aside until the gap is filled (protocol 13.5).

Their bytes are those of a short form that this program wrote anew; names are made here.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from mbp.files import read_if_there
from mbp.home.folder import Folder, check_game_id
from mbp.home.memory import names_in

ENDING = ".txt"
MOST = 50  # short forms kept for one game; players' programs leave no gaps
NAME = re.compile(r"[0-9]{1,4}-[0-9]{1,4}-[0-9a-f]{8}")


class Aside(Folder):
    """What is kept aside, by game id."""

    def aside_folder(self, game_id: str) -> Path:
        """Where the early entries of a game lie."""
        return self.root / "aside" / check_game_id(game_id)

    def keep_aside(self, game_id: str, name: str, text: str) -> bool:
        """Keeps a short form under a name of the program's own (ValueError for another).

        Returns False where there are too many already. Raises MbpError.
        """
        if not NAME.fullmatch(name):
            raise ValueError(f"not a name for early entries: {name!r}")
        path = self.aside_folder(game_id) / f"{name}{ENDING}"
        if not path.exists() and len(self.aside(game_id)) >= MOST:
            return False
        self.store(path, text.encode("ascii"))
        return True

    def aside(self, game_id: str) -> list[tuple[str, str]]:
        """Name and text of each short form kept for a game. Raises MbpError."""
        folder = self.aside_folder(game_id)
        kept = [
            (name.removesuffix(ENDING), read_if_there(folder / name))
            for name in names_in(folder, ENDING)
        ]
        return [
            (name, data.decode("ascii", "replace"))
            for name, data in kept
            if data is not None and NAME.fullmatch(name)
        ]

    def drop_aside(self, game_id: str, name: str) -> None:
        """Forgets one of them, once it is joined or of no use."""
        with suppress(OSError):
            (self.aside_folder(game_id) / f"{name}{ENDING}").unlink()
