"""Bert plays one turn on two devices: a conflict, two signatures, and the match goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbp.match import Match
from mbp.rules import GAMES
from tests.duel import Duel
from tests.world.git.clones import Clone

DUEL = Duel(game=GAMES["patterns"])  # to know the moves that are legal


@pytest.fixture
def three(tmp_path: Path) -> tuple[Clone, Clone, Clone, str]:
    """Anna, Bert and Bert's second device over one server, and a match in which it is his turn."""
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
    berts = [Clone(tmp_path, label, "Bert").clone(server.tree) for label in ("bert", "laptop")]
    for bert in berts:
        bert.mbp("git", "setup")
        bert.git("config", "pull.rebase", "false")
    name = anna.mbp("new", "--game", "patterns", "--option", "start=inviter").out.strip()
    publish(anna, name)
    berts[0].git("pull", "--quiet")
    berts[0].mbp("join", name)
    publish(berts[0], name)
    for player in (anna, berts[0], anna):
        play(player, name)
    berts[1].git("pull", "--quiet")
    berts[1].mbp("receive", name, "--newest")
    assert berts[1].match(name).pen == "B"
    return anna, berts[0], berts[1], name


def publish(player: Clone, name: str) -> None:
    player.mbp("commit", name)
    player.git("push", "--quiet")


def play(player: Clone, name: str) -> Match:
    """Pulls, takes in, moves until the pen is the other's, publishes."""
    player.git("pull", "--quiet", "--no-edit")
    player.mbp("receive", name)
    seat = "A" if player.name == "Anna" else "B"
    while player.match(name).pen == seat:
        player.mbp("bot", name)
    publish(player, name)
    return player.match(name)


def slip(laptop: Clone, name: str, act: str) -> Match:
    """Another move of a turn that was played on the other device, unseen here, and committed."""
    match = laptop.match(name)
    other = next(text for text in DUEL.texts(match) if text != act)
    laptop.mbp("move", name, other, "--commit")
    return laptop.match(name)


def test_a_slip_on_two_devices_does_not_end_the_match(
    three: tuple[Clone, Clone, Clone, str],
) -> None:
    """Step by step as docs/git.md tells it."""
    anna, bert, laptop, name = three
    published = play(bert, name)
    seq = len(published.log) - 1
    slipped = slip(laptop, name, published.log[-1].act)
    laptop.git("push", "--quiet", fails=True)
    said = " ".join(laptop.git("pull", "--no-edit", fails=True).split())
    assert f"signed two different entries {seq}" in said
    laptop.write("theirs.mbp.yaml", laptop.git("show", f":3:{name}").encode())
    laptop.mbp("fork", name, "theirs.mbp.yaml")
    (proof,) = (laptop.tree / "games").glob("*.mbp-fork.yaml")
    laptop.mbp("settle", "theirs.mbp.yaml", name)
    assert laptop.match(name).log == published.log
    laptop.git("add", name, f"games/{proof.name}")
    laptop.git("commit", "--no-edit")
    laptop.git("push", "--quiet")
    (laptop.tree / "theirs.mbp.yaml").unlink()
    # Anna has seen both, signs, and plays on.
    anna.git("pull", "--quiet", "--no-edit")
    anna.mbp("settle", name, f"games/{proof.name}")
    anna.mbp("commit", name)
    assert "settled by A" in anna.git("log", "-1", "--format=%s")
    anna.git("push", "--quiet")
    play(anna, name)
    # Either device of Bert's may go on.
    for device in (laptop, bert):
        assert play(device, name).log[-1].by == "B"
        match = play(anna, name)
    assert len(match.log) > seq + 4
    assert match.settled_over(slipped.log) == {"A", "B"}
    server = Clone(anna.root, "server")
    first = server.git("rev-list", "--max-parents=0", "main").strip()
    said = server.mbp("audit", "--since", f"{first}..main").out
    assert "settled: A and B dropped" in " ".join(said.split())
    assert server.mbp("audit", f"main:games/{proof.name}").out.startswith("ok")


def test_9_6_the_own_slip_takes_the_place_of_what_is_published_only_if_the_other_signs(
    three: tuple[Clone, Clone, Clone, str],
) -> None:
    anna, bert, laptop, name = three
    published = play(bert, name)
    slipped = slip(laptop, name, published.log[-1].act)
    laptop.git("pull", "--no-edit", fails=True)
    laptop.write("theirs.mbp.yaml", laptop.git("show", f":3:{name}").encode())
    laptop.mbp("settle", name, "theirs.mbp.yaml")
    laptop.git("add", name)
    said = " ".join(laptop.git("commit", "--no-edit", fails=True).split())
    assert "two histories (fork)" in said
    # He lays it beside; Anna looks at both, and signs for his slip.
    second = name.replace(".mbp.yaml", "-second.mbp.yaml")
    laptop.write(second, (laptop.tree / name).read_bytes())
    laptop.git("merge", "--abort")
    laptop.git("reset", "--quiet", "--hard", "origin/main")
    laptop.git("add", second)
    laptop.git("commit", "-m", "a second history, to be settled")
    laptop.git("push", "--quiet")
    anna.git("pull", "--quiet")
    anna.mbp("settle", second, name)
    assert anna.match(name).log == slipped.log
    publish(anna, name)
    server = Clone(anna.root, "server")
    told = server.mbp("audit", "--since", "main~1..main").out
    assert "settled: patterns" in told
    play(anna, name)
    assert play(laptop, name).log[-1].by == "B"
