"""What a remote has for the branch at hand: asked for, and fetched only where it is new.

No branch of the clone is moved and no file written: what is fetched is looked at by its id. A
remote is a name, an address or a path, as for `git fetch`.
"""

from __future__ import annotations

import os
import re

from mbp.errors import PostError
from mbp.git.calls import Repository


def check_remote(repository: Repository, remote: str) -> None:
    """Raises PostError for a name that is no remote here, and no address or path either."""
    known = os.fsdecode(repository.run("remote")).splitlines()
    if not remote or (remote not in known and not re.search(r"[:/\\]", remote)):
        listed = ", ".join(known) or "none"
        raise PostError(f"{remote!r} is no remote of {repository.root}", hint=f"it has: {listed}")


def remote_head(repository: Repository, remote: str) -> str:
    """The id of the commit that a remote has for the branch at hand, fetched. Raises PostError."""
    ref = _ref_at(repository, remote)
    listed = os.fsdecode(repository.run("ls-remote", "--", remote, ref))
    found = [line.split("\t") for line in listed.splitlines()]
    ids = [commit for commit, name in found if name == ref]
    if not ids:
        name = ref.removeprefix("refs/heads/")
        raise PostError(f"{remote} has no branch {name}", hint="push it, or wait until it is there")
    if repository.ask("cat-file", "-e", f"{ids[0]}^{{commit}}").code:
        repository.run("fetch", "--quiet", "--no-tags", "--", remote, ref)
    return ids[0]


def _ref_at(repository: Repository, remote: str) -> str:
    """What the branch at hand is called there; without a branch, the one that is shown there."""
    answer = repository.ask("symbolic-ref", "--quiet", "HEAD")
    if answer.code:
        return "HEAD"
    branch = answer.text.removeprefix("refs/heads/")
    upstream = repository.ask("config", f"branch.{branch}.merge").text
    followed = repository.ask("config", f"branch.{branch}.remote").text == remote
    return upstream if followed and upstream else answer.text
