"""Two people play a whole match over a bare repository, both pushing; nothing else passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbp.match import Match
from tests.world.git.clones import Clone

CHECKED = 12  # entries of Mandala whose commits the hook checks, and those at the end


@pytest.fixture
def two(tmp_path: Path) -> tuple[Clone, Clone, Clone]:
    """Anna and Bert with a clone each, wired, and the server between them."""
    server = Clone(tmp_path, "server")
    server.tree.mkdir()
    server.git("init", "--quiet", "--bare", "--initial-branch=main")
    anna = Clone(tmp_path, "anna", "Anna").init()
    anna.git("remote", "add", "origin", str(server.tree))
    anna.mbp("git", "setup")
    anna.write("games/README", b"Our matches.\n")
    anna.git("add", ".")
    anna.git("commit", "--quiet", "-m", "a place for our matches")
    anna.git("push", "--quiet", "-u", "origin", "main")
    bert = Clone(tmp_path, "bert", "Bert").clone(server.tree)
    bert.mbp("git", "setup")
    return anna, bert, server


def unhook(*players: Clone) -> None:
    """Commits go on without the check, which is a process each and takes most of the time."""
    for player in players:
        (player.tree / ".git/hooks/pre-commit").unlink(missing_ok=True)


def turn(player: Clone, name: str) -> Match:
    """Pulls, takes in, plays until the pen is the other's, commits and pushes."""
    player.git("pull", "--quiet", "--ff-only")
    player.mbp("receive", name)
    seat = "A" if player.name == "Anna" else "B"
    while (match := player.glance(name)).pen == seat:
        player.mbp("bot", name)
    player.mbp("commit", name)
    player.git("push", "--quiet")
    return match


def invited(anna: Clone, bert: Clone, *options: str) -> str:
    """Anna invites, Bert accepts; the name of the file."""
    name = anna.mbp("new", "--option", "start=inviter", *options).out.strip()
    anna.mbp("commit", name)
    anna.git("push", "--quiet")
    bert.git("pull", "--quiet")
    bert.mbp("join", name)
    bert.mbp("commit", name)
    bert.git("push", "--quiet")
    return name


def test_a_whole_match_with_every_commit_checked(two: tuple[Clone, Clone, Clone]) -> None:
    anna, bert, server = two
    name = invited(anna, bert, "--game", "patterns")
    match = bert.match(name)
    while match.pen is not None:
        match = turn((anna, bert)["AB".index(match.pen)], name)
    assert match.outcome
    assert match.outcome.termination != "resign"
    for player in (anna, bert):
        assert "mbp_files" in (player.tree / ".git/hooks/pre-commit").read_text()
    first = server.git("rev-list", "--max-parents=0", "main").strip()
    assert "new: patterns" in server.mbp("audit", "--since", f"{first}..main").out


def test_a_whole_match_over_a_bare_repository(two: tuple[Clone, Clone, Clone]) -> None:
    anna, bert, server = two
    name = invited(anna, bert, "--option", "deck_end=immediate")
    players, match = (anna, bert), bert.match(name)
    while match.pen is not None:
        if len(match.log) > CHECKED:
            unhook(anna, bert)
        match = turn(players["AB".index(match.pen)], name)
    assert match.outcome
    for player in players:
        player.mbp("git", "setup")
    # Both disclose at once and push; the second one has to merge, and nothing is lost.
    bert.git("pull", "--quiet", "--ff-only")
    anna.git("pull", "--quiet", "--ff-only")
    for player in players:
        player.mbp("receive", name)
        player.mbp("disclose", name)
        player.mbp("commit", name)
    anna.git("push", "--quiet")
    bert.git("push", "--quiet", fails=True)
    bert.git("pull", "--quiet", "--no-rebase", "--no-edit")
    assert sorted(bert.match(name).disclosed) == ["A", "B"]
    bert.git("push", "--quiet")
    # A stranger who has nothing but the repository verifies all of it.
    stranger = Clone(server.root, "stranger").clone(server.tree)
    assert "cards disclosed by A and B" in " ".join(stranger.mbp("audit", name).out.split())
    first = stranger.git("rev-list", "--max-parents=0", "HEAD").strip()
    assert "new: mandala" in stranger.mbp("audit", "--since", first).out
    subjects = stranger.git("log", "--reverse", "--no-merges", "--format=%s").splitlines()
    label = f"mbp: anna-bert {match.id[:8]} #"
    assert subjects[1:3] == [f"mbp: anna-open {match.id[:8]} #0 invite", f"{label}1 accept"]
    assert all(subject.startswith(label) for subject in subjects[2:])
