"""The home folder: what one player keeps between two commands.

    identity.pem            the key (PKCS8, 0600), the only secret here
    profile.json            name, mail and public key of the player
    contacts.json           who a key belongs to
    matches/<id>.mbp.yaml   the newest bytes seen or signed of each game, wherever the file lies
    matches/<id>.json       small facts about it
    evidence/<id>/          both sides of a second history
    held/<id>.mbp.yaml      a file that goes on with an entry ahead of the clock
    aside/<id>/             entries that came before those they follow
    cache/<id>.json         how much of a game was verified; safe to delete
    lock                    held by the one process that writes

It stores and hands back; what a newer state is, and what may be signed, is decided above
(protocol 4.3). Reading makes no file and needs no lock. Whoever reads in order to write holds
`lock` from before the reading until after the writing.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from mbp.files import PATIENCE, lock_file, lock_folder
from mbp.home.aside import Aside
from mbp.home.cache import Cache
from mbp.home.contacts import Contact, Contacts
from mbp.home.folder import default_home
from mbp.home.memory import Facts, Memory
from mbp.home.owner import Owner, Profile

__all__ = ["Contact", "Facts", "Home", "Profile", "default_home", "lock_folder"]


class Home(Owner, Contacts, Memory, Cache, Aside):
    """All parts of one home folder, `Home(root)`; the first writing makes the folder (0700)."""

    def lock(self, patience: float = PATIENCE) -> AbstractContextManager[None]:
        """Keeps other processes from writing in this home; not re-entrant.

        Raises MbpError where another process holds it for longer than `patience` seconds.
        """
        self.make_root()
        return lock_file(self.root / "lock", patience)
