"""What this home remembers of each game: the newest state, small facts, evidence (protocol 4.3).

The bytes are kept as they came or were written, so that asking again gets the same answer.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from mbp.errors import MbpError
from mbp.files import make_folder, read_if_there, write_atomic
from mbp.home.folder import GAME_ID, Folder, check_game_id, damaged

ENDING = ".mbp.yaml"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
MOST_HELD = 50  # games of strangers that are dated ahead of the clock
REMEDY = "move it away; what it says of this one game is then forgotten"


@dataclass(frozen=True)
class Facts:
    """What is not in the bytes of a game.

    `looked`  the last seq that `show` has shown, -1 before the first look
    `forked`  whether the opponent has a second history here, and the owner has not decided yet:
              nothing is signed until then
    `path`    where the game file lies, None where nobody told
    `to`      the mail address that the owner has named for it, empty where he has not
    `unsent`  the seq of the newest entry that was written without the owner and is not mailed yet,
              -1 where there is none
    """

    looked: int = -1
    forked: bool = False
    path: str | None = None
    to: str = ""
    unsent: int = -1


KINDS = {"looked": int, "forked": bool, "path": str, "to": str, "unsent": int}


class Memory(Folder):
    """The games this home has seen, by game id (64 hex digits, lower case)."""

    def match_path(self, game_id: str) -> Path:
        """Where the remembered bytes of a game lie."""
        return self.root / "matches" / f"{check_game_id(game_id)}{ENDING}"

    def facts_path(self, game_id: str) -> Path:
        """Where the facts about a game lie."""
        return self.root / "matches" / f"{check_game_id(game_id)}.json"

    def evidence_folder(self, game_id: str) -> Path:
        """Where the evidence of a game lies."""
        return self.root / "evidence" / check_game_id(game_id)

    def remembered(self, game_id: str) -> bytes | None:
        """The newest state as bytes, None for a game never seen. Raises MbpError."""
        return read_if_there(self.match_path(game_id))

    def remember(self, game_id: str, data: bytes) -> None:
        """Makes these bytes the newest state; the caller knows that they are. Raises MbpError."""
        self.store(self.match_path(game_id), data)

    def held_path(self, game_id: str) -> Path:
        """Where a file lies of which an entry is held back."""
        return self.root / "held" / f"{check_game_id(game_id)}{ENDING}"

    def held(self, game_id: str) -> bytes | None:
        """The newest file of which an entry was held back (protocol 2.4). Raises MbpError."""
        return read_if_there(self.held_path(game_id))

    def keep_held(self, game_id: str, data: bytes) -> bool:
        """Keeps a file of which an entry is held back, in place of an earlier one.

        Returns False where too many games wait that this home does not know otherwise.
        """
        waiting = self.held_invitations()
        if (
            self.remembered(game_id) is None
            and game_id not in waiting
            and len(waiting) >= MOST_HELD
        ):
            return False
        self.store(self.held_path(game_id), data)
        return True

    def held_invitations(self) -> tuple[str, ...]:
        """The ids of the games of which nothing but a held file is here, in order."""
        ids = (name.removesuffix(ENDING) for name in names_in(self.root / "held", ENDING))
        return tuple(
            game_id
            for game_id in ids
            if GAME_ID.fullmatch(game_id) and self.remembered(game_id) is None
        )

    def drop_held(self, game_id: str) -> None:
        """Forgets the file of which an entry was held back, once its time has come."""
        with suppress(OSError):
            self.held_path(game_id).unlink()

    def all_remembered(self) -> tuple[str, ...]:
        """The ids of all games ever seen, in order. Raises MbpError."""
        ids = (name.removesuffix(ENDING) for name in names_in(self.root / "matches", ENDING))
        return tuple(game_id for game_id in ids if GAME_ID.fullmatch(game_id))

    def facts(self, game_id: str) -> Facts:
        """The facts about a game, those of a new one if there are none. Raises MbpError."""
        path = self.facts_path(game_id)
        tree = self.load(path, REMEDY)
        if tree is None:
            return Facts()
        known = {name: value for name, value in tree.items() if name in KINDS and value is not None}
        if any(type(value) is not KINDS[name] for name, value in known.items()):
            raise damaged(path, REMEDY)
        return Facts(**known)

    def set_facts(self, game_id: str, facts: Facts) -> None:
        """Writes the facts about a game. Raises MbpError."""
        self.save(self.facts_path(game_id), asdict(facts))

    def keep_evidence(self, game_id: str, name: str, data: bytes) -> Path:
        """Keeps bytes for ever under this name, or a numbered one where it is taken.

        Bytes that are kept already are not kept twice. `name` is the program's own, never one
        that came in a file (ValueError). Raises MbpError.
        """
        if not NAME.fullmatch(name):
            raise ValueError(f"not a name for evidence: {name!r}")
        for path in self.evidence(game_id):
            if read_if_there(path) == data:
                return path
        folder = self.evidence_folder(game_id)
        self.make_root()
        make_folder(folder.parent, 0o700)
        make_folder(folder, 0o700)
        stem, dot, ending = name.partition(".")
        number = 1
        while True:
            path = folder / (name if number == 1 else f"{stem}-{number}{dot}{ending}")
            try:
                write_atomic(path, data, mode=0o600, new=True)
            except FileExistsError:
                number += 1
            else:
                return path

    def keeps(self, path: Path) -> bool:
        """Whether a path leads to what is kept here: no game file of the owner's."""
        place, root = path.resolve(), self.root.resolve()
        return any(place.is_relative_to(root / name) for name in ("matches", "evidence", "held"))

    def evidence(self, game_id: str) -> list[Path]:
        """The game files kept as evidence for a game, by name. Raises MbpError."""
        folder = self.evidence_folder(game_id)
        return [folder / name for name in names_in(folder, ENDING)]


def names_in(folder: Path, ending: str = "") -> list[str]:
    """The names in a folder that no temporary file has, sorted; none if there is no folder."""
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return []
    except OSError as failure:
        raise MbpError(f"cannot read {folder}", hint=f"check who may use {folder}") from failure
    return sorted(name for name in names if not name.startswith(".") and name.endswith(ending))
