"""`mbp receive --imap`: what is new on the server, and how far it was read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mbp.cli.arrivals import Arrival
from mbp.cli.outbox import no_server, settings_of
from mbp.cli.passwords import password_of
from mbp.cli.session import Session
from mbp.errors import FormatError, MbpError, VerificationError
from mbp.post.imap import Folder, Mark, open_folder
from mbp.post.settings import Server

REMEDY = "move it away; the mails of the last 30 days are looked at again then"
FINAL = (FormatError, VerificationError)  # what no second look would change


@dataclass
class Fetching:
    """One look into the folder of mail.toml; `again` looks at known mails too."""

    session: Session
    again: bool = False
    mark: Mark = field(default_factory=Mark)

    def fetch(self) -> Iterator[Arrival]:
        """All new mails, as they come. Raises PostError."""
        server = settings_of(self.session).imap
        if server is None:
            raise no_server(self.session, "imap")
        password = password_of(self.session, server, "imap") if server.user else ""
        known = Mark() if self.again else self._known(server)
        with open_folder(server, password, known, self.session.now()) as folder:
            yield from self._mails(folder, server)
            newest = max(folder.uids, default=known.uid)
            self.mark = Mark(folder.validity, newest)

    def _mails(self, folder: Folder, server: Server) -> Iterator[Arrival]:
        with self.session.terminal.progress("fetching mails", len(folder.uids)) as step:
            for uid in folder.uids:
                data = folder.fetch(uid)
                step()
                if data:
                    yield Arrival(f"mail {uid} of {server.folder}", data, "--imap", named=False)

    def keep_mark(self, failures: list[tuple[str, MbpError]], held: bool) -> None:
        """Remembers how far the folder was read, unless something is to be looked at again."""
        if held or any(not isinstance(failure, FINAL) for _, failure in failures):
            return
        server = settings_of(self.session).imap
        if server is not None and self.mark.validity:
            home = self.session.home
            tree = home.load(home.root / "imap.json", REMEDY) or {}
            key = _key(server)
            home.save(
                home.root / "imap.json",
                {**tree, key: {"validity": self.mark.validity, "uid": self.mark.uid}},
            )

    def _known(self, server: Server) -> Mark:
        tree = self.session.home.load(self.session.home.root / "imap.json", REMEDY) or {}
        found = tree.get(_key(server))
        if not isinstance(found, dict):
            return Mark()
        validity, uid = found.get("validity"), found.get("uid")
        return Mark(validity, uid) if type(validity) is int and type(uid) is int else Mark()


def _key(server: Server) -> str:
    return f"{server.user}@{server.host}:{server.port}/{server.folder}"
