"""`mbp receive --imap`: what is new on the server, and how far it was read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from mbp.cli.arrivals import FETCHED, Arrival
from mbp.cli.outbox import no_server, settings_of
from mbp.cli.passwords import password_of
from mbp.cli.session import Session
from mbp.errors import ForkError, FormatError, MbpError, PostError, VerificationError
from mbp.post.imap import Folder, Mark, open_folder
from mbp.post.settings import Server

REMEDY = "move it away; the mails of the last 30 days are looked at again then"
FINAL = (FormatError, VerificationError, ForkError)  # told and kept: no second look changes it


@dataclass
class Fetching:
    """One look into the folder of mail.toml; `again` looks at known mails too.

    `mark` is how far it was read, up to the first mail that the server did not give; `broken` are
    its reasons.
    """

    session: Session
    again: bool = False
    mark: Mark = field(default_factory=Mark)
    broken: list[PostError] = field(default_factory=list)

    def fetch(self) -> Iterator[Arrival]:
        """All new mails, as they come; in place of those that it does not give, the reason.

        Raises PostError where nothing can be fetched at all.
        """
        server = settings_of(self.session).imap
        if server is None:
            raise no_server(self.session, "imap")
        password = password_of(self.session, server, "imap") if server.user else ""
        known = Mark() if self.again else self._known(server)
        with open_folder(server, password, known, self.session.now()) as folder:
            self.mark = folder.known
            yield from self._mails(folder, server)

    def _mails(self, folder: Folder, server: Server) -> Iterator[Arrival]:
        with self.session.terminal.progress("fetching mails", len(folder.uids)) as step:
            for uid in folder.uids:
                label = f"mail {uid} of {server.folder}"
                data, trouble = b"", None
                try:
                    data = folder.fetch(uid)
                except (PostError, FormatError) as failure:
                    trouble = failure
                if isinstance(trouble, PostError):
                    self.broken.append(trouble)
                if not self.broken:
                    self.mark = replace(self.mark, uid=uid)
                step()
                if data or trouble:
                    yield Arrival(label, data, FETCHED, named=False, trouble=trouble)
                if folder.lost:
                    return

    def keep_mark(self, failures: list[tuple[str, MbpError]]) -> None:
        """Remembers how far the folder was read, unless something is to be looked at again."""
        server = settings_of(self.session).imap
        if server is None or not self.mark.validity:
            return
        if any(not isinstance(one, FINAL) and one not in self.broken for _, one in failures):
            return
        home = self.session.home
        tree = home.load(home.root / "imap.json", REMEDY) or {}
        mark = {"validity": self.mark.validity, "uid": self.mark.uid}
        home.save(home.root / "imap.json", {**tree, _key(server): mark})

    def _known(self, server: Server) -> Mark:
        tree = self.session.home.load(self.session.home.root / "imap.json", REMEDY) or {}
        found = tree.get(_key(server))
        if not isinstance(found, dict):
            return Mark()
        validity, uid = found.get("validity"), found.get("uid")
        return Mark(validity, uid) if type(validity) is int and type(uid) is int else Mark()


def _key(server: Server) -> str:
    return f"{server.user}@{server.host}:{server.port}/{server.folder}"
