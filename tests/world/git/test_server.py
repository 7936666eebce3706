"""The server's hook as the page writes it down, with real pushes into a bare repository."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.duel import file_of
from tests.world.git.clones import ROOT, Clone
from tests.world.git.tiles import Tiles, settled

NAME = "games/anna-bert.mbp.yaml"
TILES = Tiles("server")
M5, M7, M9 = (file_of(TILES.upto(count)) for count in (5, 7, 9))
FORK = file_of(TILES.fork(6, more=2))


@pytest.fixture
def server(tmp_path: Path) -> Clone:
    """An empty bare repository with the hook of the page."""
    page = (ROOT / "docs" / "git.md").read_text(encoding="utf-8")
    recipe = dedent("    #!/bin/sh\n" + page.partition("    #!/bin/sh\n")[2].partition("\n\n")[0])
    assert "audit --since" in recipe
    shebang, _, script = recipe.partition("\n")
    bare = Clone(tmp_path, "server")
    bare.tree.mkdir()
    bare.git("init", "--quiet", "--bare", "--initial-branch=main")
    program = f'mbp() {{ "{sys.executable}" -P -m mbp "$@"; }}'
    hook = bare.write("hooks/pre-receive", f"{shebang}\n{program}\n{script}\n".encode())
    hook.chmod(0o755)
    return bare


@pytest.fixture
def bert(tmp_path: Path, server: Clone) -> Clone:
    """Who can push there, and has nothing set up."""
    return Clone(tmp_path, "bert").clone(server.tree)


def push(tree: Clone, *what: str, fails: bool = False) -> str:
    return " ".join(tree.git("push", "--force", "origin", *what, fails=fails).split())


def test_a_match_grows_from_the_first_push_into_an_empty_server(server: Clone, bert: Clone) -> None:
    for data in (M5, M7, M9):
        bert.commit(NAME, data)
        push(bert, "HEAD")
    assert server.git("show", f"main:{NAME}").encode() == M9


def test_h4_the_first_push_has_to_hold(server: Clone, bert: Clone) -> None:
    bert.commit(NAME, M5.replace(b'time: "2020', b'time: "2021', 1))
    assert "damaged" in push(bert, "HEAD", fails=True) or "check" in push(bert, "HEAD", fails=True)
    assert not server.git("for-each-ref")


@pytest.mark.parametrize("crime", ["older", "fork", "fork settled alone", "removed", "junk"])
def test_h4_a_push_that_changes_the_past_is_refused(server: Clone, bert: Clone, crime: str) -> None:
    bert.commit(NAME, M9)
    push(bert, "HEAD")
    forker = TILES.author(6)
    alone = settled(TILES.fork(6, more=1), TILES.upto(9), forker)
    data = {"older": M7, "fork": FORK, "fork settled alone": file_of(alone), "junk": b"<html>"}
    if crime == "removed":
        bert.git("rm", "--quiet", NAME)
        bert.git("commit", "--quiet", "-m", "x")
    else:
        bert.commit(NAME, data[crime])
    push(bert, "HEAD", fails=True)
    bert.git("reset", "--quiet", "--soft", "HEAD~1")
    bert.git("commit", "--quiet", "--amend", "--allow-empty", "-m", "by force")
    push(bert, "HEAD", fails=True)
    assert server.git("show", f"main:{NAME}").encode() == M9


def test_h4_no_ref_helps_around_it(server: Clone, bert: Clone) -> None:
    """Deleting a branch and pushing it anew, refs that replace objects, a push of many at once."""
    bert.commit(NAME, M9)
    push(bert, "HEAD")
    old = bert.git("rev-parse", "HEAD").strip()
    assert "nothing is deleted here: refs/heads/main" in push(bert, ":main", fails=True)
    bert.commit(NAME, FORK, "--amend")
    said = push(bert, f"HEAD:refs/replace/{old}", fails=True)
    assert "not taken here: refs/replace/" in said
    server.git("fetch", "--quiet", str(bert.tree), f"HEAD:refs/replace/{old}")
    assert "two histories (fork)" in push(bert, "HEAD:main", fails=True)
    server.git("update-ref", "-d", f"refs/replace/{old}")
    push(bert, "HEAD:refs/heads/aside", "HEAD:refs/heads/main", fails=True)
    assert server.git("for-each-ref", "--format=%(refname)").split() == ["refs/heads/main"]
    assert server.git("rev-parse", "main").strip() == old


def test_new_branches_and_tags_are_new(server: Clone, bert: Clone) -> None:
    bert.commit(NAME, M7)
    push(bert, "HEAD")
    bert.git("tag", "-a", "played", "-m", "played")
    bert.git("checkout", "--quiet", "-b", "other")
    bert.commit(NAME, M9)
    push(bert, "other", "played")
    assert len(server.git("for-each-ref").splitlines()) == 3
    # A tag that names no commit, and a branch whose match does not hold, are not.
    blob = bert.git("rev-parse", f"HEAD:{NAME}").strip()
    bert.git("tag", "blob", blob)
    assert "is no commit" in push(bert, "blob", fails=True)
    bert.git("checkout", "--quiet", "-b", "bad")
    bert.commit("games/bad.mbp.yaml", b"<html>")
    push(bert, "bad", fails=True)
    assert len(server.git("for-each-ref").splitlines()) == 3
