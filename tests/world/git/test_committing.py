"""`mbp commit` and `mbp move --commit`: what is committed is what is said, and nothing else."""

from __future__ import annotations

import pytest

from mbp.chain import to_text
from mbp.curve import scalar_to_bytes
from mbp.match import Match, secret_of
from tests.duel import file_of, identity_of
from tests.world.git.clones import Clone
from tests.world.git.conftest import States
from tests.world.git.tiles import Tiles, settled

TILES = Tiles("committing")
NAME = f"games/anna-bert-{TILES.whole.id[:8]}.mbp.yaml"
LABEL = f"mbp: anna-bert {TILES.whole.id[:8]} #"


def knows(player: Clone, match: Match, name: str = NAME) -> None:
    """Lets a player's home take a state in."""
    player.write(name, file_of(match))
    player.mbp("receive", name, "--newest")


def subject(tree: Clone) -> str:
    return tree.git("log", "-1", "--format=%s").strip()


def trailer(tree: Clone, name: str) -> str:
    return tree.git("log", "-1", f"--format=%(trailers:key={name},valueonly)").strip()


def index(tree: Clone) -> str:
    return tree.git("ls-files", "--stage")


def test_the_message_tells_what_the_file_holds(annas: Clone) -> None:
    knows(annas, TILES.upto(7))
    annas.mbp("commit", NAME)
    # The opponent's next entry has come by hand, and this home has not received it yet.
    annas.write(NAME, file_of(TILES.upto(8)))
    newest = TILES.whole.log[7]
    assert annas.mbp("commit", NAME).out.strip() == f"{LABEL}7 {newest.act}"
    assert subject(annas) == f"{LABEL}7 {newest.act}"
    assert trailer(annas, "Mbp-Head") == newest.id
    assert trailer(annas, "Mbp-Seq") == "7"
    assert annas.git("show", f"HEAD:{NAME}").encode() == file_of(TILES.upto(8))


def test_2_5_a_second_history_and_an_older_copy_are_not_committed(annas: Clone) -> None:
    knows(annas, TILES.upto(9))
    annas.mbp("commit", NAME)
    before = index(annas)
    annas.write(NAME, file_of(TILES.fork(7, more=1)))
    said = annas.mbp("commit", NAME, code=8).err
    assert "two histories (fork)" in said
    assert f"mbp fork {TILES.whole.id[:8]} {NAME}" in said
    annas.write(NAME, file_of(TILES.upto(7)))
    said = annas.mbp("commit", NAME, code=7).err
    assert "is an older copy: it ends at entry 6, and entry 8 is known here" in said
    assert f"mbp receive {NAME}" in said
    assert index(annas) == before
    assert annas.git("rev-list", "--count", "HEAD").strip() == "1"
    annas.mbp("receive", NAME)
    assert annas.match(NAME).log == TILES.upto(9).log


def test_the_path_that_is_named_is_committed_and_no_other(annas: Clone) -> None:
    """The newest state lies elsewhere: a copy is not taken for it."""
    knows(annas, TILES.upto(9))
    annas.write("copy.mbp.yaml", file_of(TILES.upto(9)))
    annas.mbp("commit", "copy.mbp.yaml")
    assert annas.git("show", "--name-only", "--format=").split() == ["copy.mbp.yaml"]
    annas.write("copy.mbp.yaml", file_of(TILES.upto(7)))
    said = annas.mbp("commit", "copy.mbp.yaml", code=7).err
    assert f"the newest is {NAME}" in said


def test_a_file_that_does_not_hold_is_not_committed(annas: Clone) -> None:
    annas.write(NAME, file_of(TILES.upto(7)).replace(b'time: "2020', b'time: "2021', 1))
    annas.mbp("commit", NAME, code=4)
    annas.write(NAME, b"<html>")
    annas.mbp("commit", NAME, code=3)
    annas.mbp("commit", "nothing.mbp.yaml", code=3)
    assert not index(annas)


@pytest.mark.parametrize("ended", ["", "git add", "git checkout --ours", "git checkout --theirs"])
def test_a_conflict_is_not_ended_by_a_commit_of_one_file(tree: Clone, ended: str) -> None:
    start = TILES.first_by("B")
    skip = "--no-verify"
    tree.commit(NAME, file_of(TILES.upto(start)), skip)
    tree.git("checkout", "--quiet", "-b", "theirs")
    theirs = file_of(TILES.fork(start))
    tree.commit(NAME, theirs, skip)
    tree.git("checkout", "--quiet", "main")
    tree.commit(NAME, file_of(TILES.upto(start + 1)), skip)
    tree.git("merge", "theirs", fails=True)
    if ended:
        tree.git(*ended.split()[1:], "--", NAME)
    before = index(tree)
    said = tree.mbp("commit", NAME, code=7).err
    assert ("a merge is going on" if ended == "git add" else "is in conflict") in said
    assert f"git add {NAME}" in said
    assert "git commit" in said
    assert index(tree) == before
    if ended != "git add":
        assert tree.git("show", f":3:{NAME}").encode() == theirs


def test_a_cherry_pick_is_not_ended_by_a_commit_of_one_file(tree: Clone) -> None:
    tree.commit(NAME, file_of(TILES.upto(5)))
    tree.git("checkout", "--quiet", "-b", "theirs")
    tree.commit("x.txt", b"theirs")
    tree.git("checkout", "--quiet", "main")
    tree.commit("x.txt", b"ours")
    tree.git("cherry-pick", "theirs", fails=True)
    tree.write(NAME, file_of(TILES.upto(6)))
    said = tree.mbp("commit", NAME, code=7).err
    assert "a cherry-pick is going on" in said
    assert "git cherry-pick --continue" in said


@pytest.mark.parametrize("known", [False, True])
def test_the_index_stays_as_it_was_where_nothing_is_committed(annas: Clone, known: bool) -> None:
    annas.write("other.txt", b"staged")
    annas.git("add", "other.txt")
    knows(annas, TILES.upto(7))
    if known:
        annas.mbp("commit", NAME)
        annas.write(NAME, file_of(TILES.upto(8)))
    before = index(annas)
    hook = annas.tree / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\nexit 1\n")
    said = annas.mbp("commit", NAME, code=7).err
    assert f"mbp commit {NAME}" in said
    assert index(annas) == before


def test_a_repository_without_a_commit_gets_its_first(annas: Clone) -> None:
    name = annas.mbp("new", "-o", "one.mbp.yaml").out.strip()
    annas.mbp("commit", name)
    assert annas.git("rev-list", "--count", "HEAD").strip() == "1"
    assert "has it already" in annas.mbp("commit", name).err


def test_names_are_quoted_for_the_shell(annas: Clone) -> None:
    name = "a b;c.mbp.yaml"
    knows(annas, TILES.upto(7), name)
    annas.git("config", "user.useConfigOnly", "true")
    hook = annas.tree / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\nexit 1\n")
    annas.write(name, file_of(TILES.upto(7)))
    assert "mbp commit 'a b;c.mbp.yaml'" in annas.mbp("commit", name, code=7).err


def test_9_5_what_comes_beside_the_log_has_its_own_words(annas: Clone, states: States) -> None:
    over = states.over
    name = f"games/anna-bert-{over.id[:8]}.mbp.yaml"
    knows(annas, over, name)
    annas.mbp("commit", name)
    label = f"mbp: anna-bert {over.id[:8]} #{len(over.log) - 1} "
    assert subject(annas) == label + over.log[-1].act
    annas.mbp("disclose", name)
    assert annas.mbp("commit", name).out.strip() == f"{label}cards disclosed by A"
    secret = secret_of(over.position, "B", identity_of("Bert"))
    both = annas.match(name).with_disclosed("B", to_text(scalar_to_bytes(secret)))
    annas.write(name, file_of(both))
    assert annas.mbp("commit", name).out.strip() == f"{label}cards disclosed by B"


def test_9_6_a_settlement_has_its_own_words_beside_a_move_too(annas: Clone) -> None:
    dropped = TILES.fork(TILES.first_by("B"))
    knows(annas, TILES.upto(9))
    annas.mbp("commit", NAME)
    annas.write(NAME, file_of(settled(TILES.upto(9), dropped, "B")))
    assert annas.mbp("commit", NAME).out.strip() == f"{LABEL}8 settled by B"
    annas.write(NAME, file_of(settled(TILES.upto(10), dropped, "A", "B")))
    newest = f"{LABEL}9 {TILES.whole.log[9].act}, settled by A"
    assert annas.mbp("commit", NAME).out.strip() == newest


def test_a_move_is_committed_in_one_go(annas: Clone) -> None:
    own = TILES.first_by("A", 6)
    knows(annas, TILES.upto(own))
    annas.mbp("commit", NAME)
    act = TILES.whole.log[own].act
    annas.write("other.txt", b"staged, and none of its business")
    annas.git("add", "other.txt")
    said = annas.mbp("move", NAME, act, "-m", "your turn", "--commit")
    assert f"{LABEL}{own} {act}" in said.err
    assert subject(annas) == f"{LABEL}{own} {act}"
    head = annas.match(NAME).log[-1]
    assert (head.act, trailer(annas, "Mbp-Head")) == (act, head.id)
    assert annas.git("show", "--name-only", "--format=").split() == [NAME]
    assert annas.git("show", f"HEAD:{NAME}").encode() == (annas.tree / NAME).read_bytes()
    assert annas.git("diff", "--cached", "--name-only").split() == ["other.txt"]


def test_a_move_that_cannot_be_committed_is_kept_all_the_same(annas: Clone) -> None:
    own = TILES.first_by("A", 6)
    knows(annas, TILES.upto(own))
    hook = annas.tree / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\nexit 1\n")
    said = annas.mbp("move", NAME, TILES.whole.log[own].act, "--commit", code=7)
    assert f"mbp commit {NAME}" in said.err
    assert len(annas.match(NAME).log) == own + 1
