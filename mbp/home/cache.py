"""How much of each game was verified already, so that a command costs what is new.

The digest is the caller's, over everything that the verification has read; whoever uses the cache
compares it with the bytes at hand. It lies in the player's own folder: who can write there has the
identity too. Deleted, damaged or of another version it is no cache; it is never an error.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from mbp import __version__
from mbp.errors import MbpError
from mbp.home.folder import Folder, check_game_id

DIGEST = re.compile(r"[0-9a-f]{64}")


class Cache(Folder):
    """The verified prefixes of this home, by game id."""

    def cache_path(self, game_id: str) -> Path:
        """Where the cache of a game lies."""
        return self.root / "cache" / f"{check_game_id(game_id)}.json"

    def verified(self, game_id: str) -> tuple[int, str] | None:
        """How many entries were verified by this version, and the digest of them (hex)."""
        try:
            tree = self.load(self.cache_path(game_id), "")
        except MbpError:
            return None
        if tree is None or tree.get("version") != __version__:
            return None
        count, digest = tree.get("count"), tree.get("digest")
        if type(count) is not int or count < 1:
            return None
        if type(digest) is not str or not DIGEST.fullmatch(digest):
            return None
        return count, digest

    def set_verified(self, game_id: str, count: int, digest: str) -> None:
        """Notes that this version has verified the first `count` entries."""
        tree = {"version": __version__, "count": count, "digest": digest}
        # A home that cannot be written must still show its games: they are verified anew then.
        with suppress(MbpError):
            self.save(self.cache_path(game_id), tree, durable=False)
