"""The hook before a commit, and `mbp audit --since`: a match only grows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mbp.rules.contract import SEATS, Seat
from tests.duel import file_of
from tests.world.git.clones import Clone
from tests.world.git.conftest import States
from tests.world.git.tiles import Tiles, settled

NAME, TILED = "anna-bert.mbp.yaml", "tiles.mbp.yaml"
TILES = Tiles("growing")


def changes(tree: Clone, since: str, *paths: str, code: int = 0) -> dict[str, Any]:
    """The reports of an audit since a commit, by path."""
    said = tree.mbp("audit", "--since", since, *paths, "--json", code=code)
    return {report["file"]: report for report in json.loads(said.out)}


def test_the_hook_lets_a_match_grow_and_nothing_else(tree: Clone, states: States) -> None:
    tree.commit(NAME, states.at[8])
    tree.commit(NAME, states.at[10])
    for data, reason in (
        (states.at[8], "entry 8 was there before and is gone"),
        (states.at[10].replace(b"log:", b"log: #", 1) + b"more: x\n", "unknown key"),
        (states.at[10].replace(b'time: "2020', b'time: "2021', 1), "check"),
    ):
        said = tree.commit(NAME, data, fails=True)
        assert f"mbp: {NAME}: " in said
        assert reason in said
    tree.commit(NAME, states.at[12])
    assert "two histories (fork)" in tree.commit(NAME, states.fork, fails=True)
    tree.git("rm", "--quiet", "-f", NAME)
    assert "is removed" in tree.git("commit", "-m", "x", fails=True)
    tree.git("reset", "--quiet", "--hard")
    tree.git("mv", NAME, "renamed.mbp.yaml")
    tree.git("commit", "--quiet", "-m", "renamed")
    assert tree.git("log", "--format=%s").split() == ["renamed", NAME, NAME, NAME]


def test_the_hook_sees_what_is_staged_not_what_lies_there(tree: Clone, states: States) -> None:
    tree.write(NAME, states.at[10])
    tree.git("add", NAME)
    tree.write(NAME, b"not staged, not looked at")
    tree.git("commit", "--quiet", "-m", "staged")
    assert tree.git("show", f"HEAD:{NAME}").encode() == states.at[10]


def test_4_3_the_hook_refuses_an_entry_of_mine_that_this_home_did_not_sign(
    annas: Clone, states: States
) -> None:
    said = annas.commit(NAME, states.at[10], fails=True)
    words = " ".join(said.split())
    assert "entry 0 is signed with your key, and this home did not sign it" in words
    assert f"mbp receive {NAME}, git add {NAME}, git commit" in words
    annas.git("reset", "--quiet")
    # Once the home has taken the state in, it may be committed, and grow by the opponent's entry.
    annas.mbp("receive", NAME, "--newest")
    annas.git("add", NAME)
    annas.git("commit", "--quiet", "-m", "mine")
    grown = TILES.first_by("B", 10)
    for count in (grown, grown + 1, grown + 2):
        data = file_of(TILES.upto(count))
        if count == grown:
            annas.write(TILED, data)
            annas.mbp("receive", TILED, "--newest")
        said = annas.commit(TILED, data, fails=count == grown + 2)
    assert f"entry {grown + 1} is signed with your key" in " ".join(said.split())


def test_since_names_what_is_new_grown_renamed_removed_and_rewritten(
    tree: Clone, states: States
) -> None:
    matches = Path(__file__).parents[3] / "games"
    others = sorted(matches.glob("*.mbp.yaml"))[:3]
    skip = "--no-verify"
    tree.commit("same.mbp.yaml", others[0].read_bytes(), skip)
    tree.commit("a/gone.mbp.yaml", others[1].read_bytes(), skip)
    tree.commit("a/moved.mbp.yaml", others[2].read_bytes(), skip)
    tree.commit(NAME, states.at[10])
    assert not changes(tree, "HEAD")
    tree.commit(NAME, states.at[12])
    assert changes(tree, "HEAD~1")[NAME]["change"] == "grown"
    tree.git("mv", "a/moved.mbp.yaml", "b.mbp.yaml")
    tree.git("rm", "--quiet", "a/gone.mbp.yaml")
    tree.git("commit", "--quiet", skip, "-m", "x")
    found = changes(tree, "HEAD~1", code=4)
    assert {name: report["change"] for name, report in found.items()} == {
        "a/gone.mbp.yaml": "removed",
        "b.mbp.yaml": "renamed",
    }
    tree.commit(NAME, states.fork, skip)
    tree.commit("new.mbp.yaml", others[1].read_bytes(), skip)
    found = changes(tree, "HEAD~3..HEAD", code=4)
    assert {name: report["change"] for name, report in found.items()} == {
        "b.mbp.yaml": "renamed",
        "new.mbp.yaml": "renamed",
        NAME: "rewritten",
    }
    (finding,) = found[NAME]["findings"]
    assert finding["check"] == 2
    assert finding["seq"] == 10
    assert "two histories (fork)" in finding["reason"]
    assert set(changes(tree, "HEAD~3", "new.mbp.yaml")) == {"new.mbp.yaml"}
    assert changes(tree, "HEAD~1")["new.mbp.yaml"]["change"] == "new"


def test_since_in_words_and_its_refusals(tree: Clone, states: States) -> None:
    tree.commit(NAME, states.at[10])
    tree.commit(NAME, states.at[11])
    assert "grown: mandala" in tree.mbp("audit", "--since", "HEAD~1").out
    assert "no match has changed" in tree.mbp("audit", "--since", "HEAD").err
    assert "no commit" in tree.mbp("audit", "--since", "nowhere", code=7).err
    assert "no commit" in tree.mbp("audit", "--since", "--output=x", code=7).err
    assert not (tree.tree / "x").exists()
    assert tree.mbp("audit", code=2).err


def test_h2_a_rewritten_history_is_named_on_the_server(tmp_path: Path, states: States) -> None:
    """Bert pushes by force what is older, then another move; the bare repository is audited."""
    server = Clone(tmp_path, "server")
    server.tree.mkdir()
    server.git("init", "--quiet", "--bare", "--initial-branch=main")
    bert = Clone(tmp_path, "bert").clone(server.tree)
    bert.commit(NAME, states.at[8])
    bert.commit(NAME, states.at[12])
    bert.git("push", "--quiet", "origin", "HEAD")
    seen = server.git("rev-parse", "main").strip()
    bert.git("reset", "--quiet", "--hard", "HEAD~1")
    bert.git("push", "--quiet", "--force", "origin", "HEAD")
    assert changes(server, f"{seen}..main", code=4)[NAME]["change"] == "rewritten"
    bert.commit(NAME, states.fork)
    bert.git("push", "--quiet", "origin", "HEAD")
    found = changes(server, f"{seen}..main", code=4)[NAME]
    assert "two histories (fork)" in found["findings"][0]["reason"]


@pytest.mark.parametrize("forker", SEATS)
def test_9_6_a_settled_history_may_take_the_place_of_the_other(tree: Clone, forker: Seat) -> None:
    """Who has signed twice cannot put his second entry in place of the first by himself."""
    other: Seat = "B" if forker == "A" else "A"
    start = TILES.first_by(forker)
    dropped, kept = TILES.upto(start + 3), TILES.fork(start, more=1)
    tree.commit(NAME, file_of(dropped))
    for signed in (kept, settled(kept, dropped, forker)):
        assert "two histories (fork)" in tree.commit(NAME, file_of(signed), fails=True)
        tree.commit(NAME, file_of(signed), "--no-verify")
        assert changes(tree, "HEAD~1", code=4)[NAME]["change"] == "rewritten"
        tree.git("reset", "--quiet", "--hard", "HEAD~1")
    tree.commit(NAME, file_of(settled(kept, dropped, other)))
    assert changes(tree, "HEAD~1")[NAME]["change"] == "settled"
    # To take the signature out again is to change the past.
    said = tree.commit(NAME, file_of(kept), fails=True)
    assert "a settlement or a disclosed secret was taken out" in said


def test_2_5_a_twin_that_is_continued_may_take_the_place_of_the_other(
    tree: Clone, states: States
) -> None:
    tree.commit(NAME, states.twin)
    tree.commit(NAME, states.twin_goes_on)
    assert changes(tree, "HEAD~1")[NAME]["change"] == "twins"
    assert "is gone" in tree.commit(NAME, states.twin, fails=True)


def test_what_did_not_hold_may_be_mended(tree: Clone, states: States) -> None:
    tree.commit(NAME, b"<html>", "--no-verify")
    tree.commit(NAME, states.at[10])
    assert changes(tree, "HEAD~1")[NAME]["change"] == "mended"
    lines = states.at[12].decode().split("\n")
    place = max(number for number, line in enumerate(lines) if line.startswith("  time: "))
    lines[place] = '  time: "2020-12-30T12:00:00Z"'
    tree.commit(NAME, "\n".join(lines).encode(), "--no-verify")
    assert changes(tree, "HEAD~1", code=4)[NAME]["change"] == "damaged"
    tree.commit(NAME, states.at[10])
    assert changes(tree, "HEAD~1")[NAME]["change"] == "mended"


def test_names_and_sizes_that_others_push_do_no_harm(tree: Clone, states: States) -> None:
    """A file called like an option, one beyond every limit, a link in place of a match."""
    for name in ("--home=evil.mbp.yaml", "-h.mbp.yaml", "a\nb.mbp.yaml"):
        tree.commit(name, states.at[8], "--no-verify")
        tree.commit(name, states.at[10], "--no-verify")
        assert "9 " in tree.git("log", "-1", "-p")
        assert changes(tree, "HEAD~1")[name]["change"] == "grown"
    tree.commit("large.mbp.yaml", b"#" * (5 * 2**20), "--no-verify")
    (finding,) = changes(tree, "HEAD~1", code=3)["large.mbp.yaml"]["findings"]
    assert finding["check"] == 1
    (tree.tree / "-h.mbp.yaml").unlink()
    (tree.tree / "-h.mbp.yaml").symlink_to("large.mbp.yaml")
    tree.git("add", "--", "-h.mbp.yaml")
    tree.git("commit", "--quiet", "--no-verify", "-m", "link")
    assert changes(tree, "HEAD~1", code=4)["-h.mbp.yaml"]["change"] == "removed"
