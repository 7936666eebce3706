"""Anna and Bert with mail addresses, at the command line."""

from __future__ import annotations

import io
import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mbp.cli import run
from tests.world.mail.servers import DOMAIN, PASSWORD, Servers


@dataclass(frozen=True)
class Said:
    """What came of a command."""

    code: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Player:
    """One of the two: a folder with home and games in it, and a mailbox."""

    folder: Path
    name: str

    @property
    def user(self) -> str:
        return self.name.lower()

    @property
    def address(self) -> str:
        return f"{self.user}@{DOMAIN}"

    @property
    def file(self) -> Path:
        """The one game file."""
        (path,) = (self.folder / "games").glob("*.mbp.yaml")
        return path

    def settle_in(self, servers: Servers) -> None:
        """Makes identity and mail.toml."""
        (self.folder / "games").mkdir(parents=True)
        self.mbp("key", "new", "--name", self.name, "--mail", self.address)
        (self.folder / "home" / "mail.toml").write_text(
            servers.mail_toml(self.user), encoding="utf-8"
        )

    def mbp(self, *argv: str, code: int = 0, given: bytes = b"") -> Said:
        """Runs a command, which ends with this code."""
        stdout, stderr = io.StringIO(), io.StringIO()
        found = run(
            [*argv],
            environ={
                "MBP_HOME": "home", "MBP_GAMES": "games", "MBP_MAIL_PASSWORD": PASSWORD,
                "COLUMNS": "120",
            },
            cwd=self.folder,
            stdin=io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"),
            stdout=stdout,
            stderr=stderr,
            now=lambda: datetime.now(UTC),
            randomness=os.urandom,
        )  # fmt: skip
        said = Said(found, stdout.getvalue(), stderr.getvalue())
        assert found == code, (argv, said)
        return said

    def game(self) -> dict[str, Any]:
        """The one match, as `status --json` tells it."""
        (game,) = json.loads(self.mbp("status", "--json").stdout)["mine"]
        return dict(game)
