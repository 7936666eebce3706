"""The hooks before a commit and before a merge: what they see, whatever git was told before."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbp.git.calls import find_repository
from mbp.git.staged import RECEIVE
from tests.duel import file_of
from tests.world.git.clones import Clone
from tests.world.git.tiles import Tiles, evidence, many_settled, settled

TILES = Tiles("hooks")
NAME = f"games/anna-bert-{TILES.whole.id[:8]}.mbp.yaml"


def split(tree: Clone, base: bytes, ours: bytes, theirs: bytes) -> None:
    """Two branches that have gone on from one state, each in its own way."""
    tree.commit(NAME, base, "--no-verify")
    tree.git("checkout", "--quiet", "-b", "theirs")
    tree.commit(NAME, theirs, "--no-verify")
    tree.git("checkout", "--quiet", "main")
    tree.commit(NAME, ours, "--no-verify")
    tree.commit("other.txt", b"so that there is something to merge")


def test_h2_a_merge_that_drops_the_other_side_is_refused(tree: Clone) -> None:
    split(tree, *map(file_of, (TILES.upto(5), TILES.upto(7), TILES.upto(9))))
    said = tree.git("merge", "--strategy=ours", "--no-edit", "theirs", fails=True)
    assert f"{NAME}: entry 7 was there before and is gone" in said
    assert "git merge --abort" in said
    tree.git("merge", "--abort")
    # A merge that takes all there is passes.
    tree.git("merge", "--no-edit", "theirs")
    assert tree.match(NAME).log == TILES.upto(9).log


def test_h2_a_conflict_cannot_be_ended_by_dropping_one_side(tree: Clone) -> None:
    start = TILES.first_by("B")
    ours, theirs = TILES.upto(start + 2), TILES.fork(start, more=2)
    split(tree, *map(file_of, (TILES.upto(start), ours, theirs)))
    tree.git("merge", "theirs", fails=True)
    # Losing theirs, losing ours, and each of them with the signature of who has signed twice.
    for kept, dropped, seats in (
        (ours, theirs, ""), (theirs, ours, ""), (ours, theirs, "B"),
    ):  # fmt: skip
        match = settled(kept, dropped, *(s for s in ("A", "B") if s in seats))
        tree.write(NAME, file_of(match))
        tree.git("add", NAME)
        said = " ".join(tree.git("commit", "-m", "merged", fails=True).split())
        assert "two histories (fork): Bert has signed two different" in said
        assert "mbp settle FILE OTHER" in said
    tree.write(NAME, file_of(settled(ours, theirs, "A")))
    tree.git("add", NAME)
    tree.git("commit", "-m", "merged")


def test_9_6_in_a_merge_the_own_side_may_be_given_up_for_theirs(tree: Clone) -> None:
    """Bert slipped on his second device and keeps what he published: nobody else loses a thing."""
    start = TILES.first_by("B")
    theirs, ours = TILES.upto(start + 2), TILES.fork(start)
    split(tree, *map(file_of, (TILES.upto(start), ours, theirs)))
    tree.git("merge", "theirs", fails=True)
    tree.write(NAME, file_of(settled(theirs, ours, "B")))
    tree.git("add", NAME)
    tree.git("commit", "-m", "merged")
    # Outside of a merge the same change is a loss.
    tree.git("reset", "--quiet", "--hard", "HEAD~1")
    said = tree.commit(NAME, file_of(settled(theirs, ours, "B")), fails=True)
    assert "two histories (fork)" in said


def test_h2_a_match_that_only_the_other_side_has_is_not_lost(tree: Clone) -> None:
    other = Tiles("hooks, another match")
    tree.commit(NAME, file_of(TILES.upto(5)))
    tree.git("checkout", "--quiet", "-b", "theirs")
    tree.commit("games/theirs.mbp.yaml", file_of(other.upto(5)))
    tree.git("checkout", "--quiet", "main")
    tree.commit("other.txt", b"so that there is something to merge")
    said = tree.git("merge", "--strategy=ours", "--no-edit", "theirs", fails=True)
    assert "games/theirs.mbp.yaml: the match" in said
    assert "is removed" in said


def test_4_3_what_was_refused_does_not_count_as_signed_here(annas: Clone) -> None:
    """`receive` keeps a second history as evidence; it is no less somebody else's for that."""
    own = TILES.first_by("A", 6)
    annas.write(NAME, file_of(TILES.upto(own + 1)))
    annas.mbp("receive", NAME, "--newest")
    annas.commit(NAME, file_of(TILES.upto(own)))
    data = file_of(TILES.fork(own))
    assert "this home did not sign it" in " ".join(annas.commit(NAME, data, fails=True).split())
    annas.mbp("receive", NAME, code=8)
    annas.write(NAME, data)
    annas.git("add", NAME)
    said = " ".join(annas.git("commit", "-m", "x", fails=True).split())
    assert f"entry {own} is signed with your key, and this home did not sign it" in said
    # Once the owner stands by it, both histories are his own.
    annas.mbp("receive", NAME, "--take")
    annas.git("commit", "-m", "x")
    annas.commit("games/first.mbp.yaml", file_of(TILES.upto(own + 1)))


def test_4_3_damaged_evidence_names_its_file(annas: Clone) -> None:
    annas.write(NAME, file_of(TILES.upto(7)))
    annas.mbp("receive", NAME, "--newest")
    with annas.home.lock():
        path = annas.home.keep_evidence(TILES.whole.id, "fork-5-known.mbp.yaml", b"damaged")
    annas.commit(NAME, file_of(TILES.upto(7)))  # the newest state tells enough
    said = annas.commit(NAME, file_of(TILES.fork(TILES.first_by("A", 7))), fails=True)
    assert str(path).replace(" ", "") in "".join(said.split())


def test_a_merging_pull_on_a_second_device_goes_on_as_the_hint_says(annas: Clone) -> None:
    """The other device has moved, and the match came by a merge: no hook has seen it before."""
    own = TILES.first_by("A", 6)
    annas.write(NAME, file_of(TILES.upto(own)))
    annas.mbp("receive", NAME, "--newest")
    split(annas, *map(file_of, (TILES.upto(own - 1), TILES.upto(own), TILES.upto(own + 1))))
    said = " ".join(annas.git("merge", "--no-edit", "theirs", fails=True).split())
    assert f"entry {own} is signed with your key" in said
    assert RECEIVE.format(name=NAME) in said
    assert "restore --staged" not in said
    annas.mbp("receive", NAME)
    annas.git("add", NAME)
    annas.git("commit", "--no-edit")
    assert annas.git("show", f"HEAD:{NAME}").encode() == file_of(TILES.upto(own + 1))


def test_a_home_may_keep_twenty_settlements_of_a_flood(annas: Clone) -> None:
    """Bert signs for thousands of branches; what Anna's desk leaves out is not the past."""
    data = many_settled(TILES.upto(8), "B", "flood", 25)
    annas.commit(NAME, data, "--no-verify")
    annas.mbp("receive", NAME, "--newest")
    assert len(annas.match(NAME).settled) == 20
    annas.mbp("commit", NAME)
    (report,) = [line for line in annas.mbp("audit", "--since", "HEAD~1").out.splitlines()
                 if "grown" in line]  # fmt: skip
    assert TILES.whole.id[:8] in report


@pytest.mark.parametrize(
    "option", ["--literal-pathspecs", "--glob-pathspecs", "--noglob-pathspecs", "--icase-pathspecs"]
)
def test_what_git_was_told_about_paths_hides_nothing(tree: Clone, option: str) -> None:
    tree.commit(NAME, file_of(TILES.upto(9)))
    tree.write(NAME, file_of(TILES.upto(7)))
    tree.git("add", NAME)
    assert "is gone" in tree.git(option, "commit", "-m", "cut", fails=True)


@pytest.mark.parametrize("staged", ["nothing", "grown", "removed", "renamed", "in a merge"])
def test_a_commit_without_a_game_file_starts_no_program(tree: Clone, staged: str) -> None:
    tree.commit(NAME, file_of(TILES.upto(7)))
    other = "b.txt" if staged == "nothing" else "b/c.mbp.yaml"
    hook = tree.tree / ".git/hooks/pre-commit"
    (line,) = [one for one in hook.read_text().splitlines() if "git staged" in one]
    hook.write_text(
        hook.read_text().replace(line, "case $mbp_files in *.mbp.yaml*) exit 9 ;; esac")
    )
    if staged == "removed":
        tree.git("rm", "--quiet", NAME)
    elif staged == "renamed":
        (tree.tree / "b").mkdir()
        tree.git("mv", NAME, other)
    elif staged == "in a merge":
        tree.git("checkout", "--quiet", "-b", "theirs")
        tree.commit("theirs.txt", b"theirs")
        tree.git("checkout", "--quiet", "main")
        tree.git("merge", "--no-ff", "--no-commit", "theirs")
    else:
        tree.write(other, b"whatever")
        tree.git("add", other)
    tree.git("commit", "-m", "x", fails=staged != "nothing")


@pytest.mark.parametrize("how", ["revert", "cherry-pick", "fast-forward"])
def test_h4_what_runs_no_hook_is_found_by_the_audit(tree: Clone, how: str) -> None:
    """As the page says: git runs no hook there, so that the server's audit is the guard."""
    tree.commit(NAME, file_of(TILES.upto(7)))
    tree.commit(NAME, file_of(TILES.upto(9)))
    if how == "revert":
        tree.git("revert", "--no-edit", "HEAD")
    else:
        tree.git("checkout", "--quiet", "-b", "theirs")
        tree.commit(NAME, file_of(TILES.upto(7)), "--no-verify")
        tree.git("checkout", "--quiet", "main")
        tree.git(*(["cherry-pick"] if how == "cherry-pick" else ["merge", "--ff-only"]), "theirs")
    assert (
        "entry 7 was there before and is gone" in tree.mbp("audit", "--since", "HEAD~1", code=4).out
    )


def test_h4_evidence_does_not_stand_in_for_a_match(tree: Clone) -> None:
    tree.commit(NAME, file_of(TILES.upto(9)))
    tree.commit(NAME, evidence(TILES.upto(9), TILES.fork(7)), fails=True)


def test_a_linked_worktree_has_the_same_hooks(tree: Clone, tmp_path: Path) -> None:
    tree.commit(NAME, file_of(TILES.upto(9)))
    tree.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = Clone(tmp_path, "linked")
    assert find_repository(linked.tree, linked.environ).root == linked.tree
    assert "is gone" in linked.commit(NAME, file_of(TILES.upto(7)), fails=True)
    linked.git("reset", "--quiet", "--hard")
    linked.commit(NAME, file_of(TILES.upto(10)))
    linked.mbp("git", "remove")
    assert not (tree.tree / ".git/hooks/pre-commit").exists()
