"""`mbp audit --since`: which files it looks at, whatever those who push have made of them."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from mbp.cli import run
from tests.duel import file_of
from tests.world.git.clones import START, Clone
from tests.world.git.tiles import Tiles, evidence, settled

NAME = "games/anna-bert.mbp.yaml"
TILES, OTHER = Tiles("since"), Tiles("since, another match")
M5, M7, M9 = (file_of(TILES.upto(count)) for count in (5, 7, 9))
LONG_FORK = TILES.fork(7, more=2)
FORK = file_of(LONG_FORK.at(8))


@pytest.fixture
def plain(tmp_path: Path) -> Clone:
    """A repository in which nothing of mbp is set up."""
    return Clone(tmp_path, "plain").init()


def changes(tree: Clone, since: str, *paths: str, code: int = 0) -> dict[str, Any]:
    """The reports of an audit since a commit, by path."""
    said = tree.mbp("audit", "--since", since, *paths, "--json", code=code)
    return {report["file"]: report for report in json.loads(said.out)}


def words(tree: Clone, since: str, *paths: str, code: int = 0) -> dict[str, str]:
    return {file: one["change"] for file, one in changes(tree, since, *paths, code=code).items()}


def test_h4_a_second_copy_does_not_excuse_that_the_longer_one_is_gone(plain: Clone) -> None:
    plain.commit("games/a.mbp.yaml", M9)
    plain.commit("games/z.mbp.yaml", M5)
    plain.git("rm", "--quiet", "games/a.mbp.yaml")
    plain.commit("games/z.mbp.yaml", M7)
    expected = {"games/z.mbp.yaml": "grown", "games/a.mbp.yaml": "removed"}
    assert words(plain, "HEAD~1", code=4) == expected


def test_h4_a_second_history_is_named_and_does_not_take_the_place_of_the_first(
    plain: Clone,
) -> None:
    """In two pushes: first beside the match, then in its place."""
    plain.commit("games/a.mbp.yaml", M9)
    plain.commit("games/other.mbp.yaml", file_of(OTHER.upto(9)))
    plain.commit("games/z.mbp.yaml", FORK)
    (report,) = changes(plain, "HEAD~1").values()
    assert (report["change"], report["second_history_of"]) == ("new", "games/a.mbp.yaml")
    assert "second history of games/a.mbp.yaml" in " ".join(
        plain.mbp("audit", "--since", "HEAD~1").out.split()
    )
    plain.git("rm", "--quiet", "games/a.mbp.yaml")
    plain.commit("games/z.mbp.yaml", file_of(LONG_FORK))
    expected = {"games/z.mbp.yaml": "grown", "games/a.mbp.yaml": "removed"}
    assert words(plain, "HEAD~1", code=4) == expected
    # A copy of the same history is no second one.
    plain.commit("games/copy.mbp.yaml", FORK)
    (report,) = changes(plain, "HEAD~1").values()
    assert "second_history_of" not in report


def test_two_matches_may_swap_their_names(plain: Clone) -> None:
    plain.commit("a.mbp.yaml", M7)
    plain.commit("b.mbp.yaml", file_of(OTHER.upto(7)))
    plain.write("b.mbp.yaml", M9)
    plain.commit("a.mbp.yaml", file_of(OTHER.upto(7)))
    plain.git("commit", "--quiet", "-a", "-m", "b")
    found = words(plain, "HEAD~2")
    assert found == {"a.mbp.yaml": "renamed", "b.mbp.yaml": "renamed, grown"}


def test_h4_evidence_does_not_stand_in_place_of_a_match(plain: Clone) -> None:
    plain.commit(NAME, M9)
    plain.commit(NAME, evidence(TILES.upto(9), TILES.fork(7)))
    assert words(plain, "HEAD~1", code=4) == {NAME: "rewritten"}
    plain.commit(NAME, FORK)
    assert words(plain, "HEAD~1", code=4) == {NAME: "rewritten"}


def test_h4_twins_do_not_take_a_settlement_out(plain: Clone) -> None:
    before = settled(TILES.upto(9), TILES.fork(7), "A")
    plain.commit(NAME, file_of(before))
    plain.commit(NAME, file_of(TILES.twin(8, "again")))
    assert words(plain, "HEAD~1", code=4) == {NAME: "rewritten"}


def test_h4_refs_that_replace_objects_hide_nothing(plain: Clone) -> None:
    """Whoever can push may push refs/replace as well."""
    plain.commit(NAME, M9)
    old = plain.git("rev-parse", "HEAD").strip()
    plain.commit(NAME, FORK, "--amend")
    new = plain.git("rev-parse", "HEAD").strip()
    blobs = [plain.git("rev-parse", f"{one}:{NAME}").strip() for one in (old, new)]
    for pair in ((old, new), blobs, reversed(blobs)):
        replaced, by = pair
        plain.git("update-ref", f"refs/replace/{replaced}", by)
        assert words(plain, f"{old}..{new}", code=4) == {NAME: "rewritten"}
        plain.git("update-ref", "-d", f"refs/replace/{replaced}")
    # `REV:folder` is read from the store as well.
    plain.commit(NAME, M5)
    short = plain.git("rev-parse", f"HEAD:{NAME}").strip()
    plain.git("update-ref", f"refs/replace/{short}", blobs[0])
    (report,) = json.loads(plain.mbp("audit", "HEAD:games", "--json").out)
    assert report["entries"] == 5


def test_what_the_environment_says_about_paths_hides_nothing(plain: Clone) -> None:
    plain.commit(NAME, M9)
    plain.commit(NAME, M7)
    for name in ("LITERAL", "NOGLOB", "GLOB", "ICASE"):
        out = io.StringIO()
        code = run(
            ["audit", "--since", "HEAD~1"],
            environ=plain.environ | {f"GIT_{name}_PATHSPECS": "1"},
            cwd=plain.tree,
            stdin=io.StringIO(),
            stdout=out,
            stderr=io.StringIO(),
            now=lambda: START,
            randomness=os.urandom,
            zone=UTC,
        )
        assert code == 4
        assert "rewritten" in out.getvalue()


def test_h4_a_path_is_that_of_the_old_state_wherever_a_link_leads_now(
    plain: Clone, tmp_path: Path
) -> None:
    plain.commit(NAME, M9)
    plain.commit("g2/b.mbp.yaml", M5)
    plain.git("rm", "-r", "--quiet", "games")
    (plain.tree / "games").symlink_to("g2")
    plain.git("add", "games")
    plain.git("commit", "--quiet", "-m", "link")
    for path in ("games", NAME, str(plain.tree / "games")):
        assert words(plain, "HEAD~1", path, code=4) == {NAME: "removed"}
    # Nor does a link lead to another repository.
    other = Clone(tmp_path, "elsewhere").init()
    other.commit("x.txt", b"x")
    other.commit("x.txt", b"y")
    (plain.tree / "games").unlink()
    (plain.tree / "games").symlink_to(other.tree)
    assert words(plain, "HEAD~1", "games", code=4) == {NAME: "removed"}
    # A link of the user's own, outside of any repository, does.
    outside = Clone(tmp_path, "outside")
    outside.tree.mkdir()
    (outside.tree / "link").symlink_to(plain.tree)
    for path in ("link", "link/games"):
        assert words(outside, "HEAD~1", path, code=4) == {NAME: "removed"}


def test_a_path_that_is_nowhere_is_no_success(plain: Clone) -> None:
    plain.commit(NAME, M9)
    plain.commit(NAME, M7)
    for path in ("gmaes", "gmaes/deeper", "games/nothing", "../plain/gmaes"):
        assert "there is no" in plain.mbp("audit", "--since", "HEAD~1", path, code=7).err
    # A folder that is only in one of the two states is there; nothing else is looked at.
    plain.git("rm", "-r", "--quiet", "games")
    plain.commit("new/c.mbp.yaml", M9)
    assert words(plain, "HEAD~1") == {"new/c.mbp.yaml": "renamed, grown"}
    assert words(plain, "HEAD~1", "games", code=4) == {NAME: "removed"}
    assert words(plain, "HEAD~1", "new") == {"new/c.mbp.yaml": "new"}


def test_a_bare_repository_has_no_folders_to_stand_in(tmp_path: Path, plain: Clone) -> None:
    plain.commit(NAME, M9)
    plain.commit(NAME, M7)
    bare = Clone(tmp_path, "bare.git")
    plain.git("clone", "--quiet", "--bare", str(plain.tree), str(bare.tree))
    for folder in ("bare.git", "bare.git/hooks"):
        inside = Clone(tmp_path, folder)
        for paths in ((), ("games",), (NAME,)):
            assert words(inside, "main~1..main", *paths, code=4) == {NAME: "rewritten"}
        assert "there is no" in inside.mbp("audit", "--since", "main~1", "gmaes", code=7).err
    assert words(plain, "main~1", str(bare.tree), code=4) == {NAME: "rewritten"}


def test_a_tree_may_stand_for_a_state_in_which_there_was_nothing(plain: Clone) -> None:
    plain.commit(NAME, M9)
    empty = plain.git("hash-object", "-t", "tree", os.devnull).strip()
    assert words(plain, f"{empty}..HEAD") == {NAME: "new"}


def test_a_damaged_object_is_one_trouble_and_the_others_are_told(plain: Clone) -> None:
    for name, data in (("a", M5), ("b", M7), ("c", file_of(OTHER.upto(7)))):
        plain.commit(f"games/{name}.mbp.yaml", data)
    first = plain.git("rev-list", "--max-parents=0", "HEAD").strip()
    broken = damage(plain, "HEAD:games/b.mbp.yaml")
    found = changes(plain, first, code=3)
    assert {file: one["change"] for file, one in found.items()} == {
        "games/b.mbp.yaml": "damaged",
        "games/c.mbp.yaml": "new",
    }
    assert "cannot read" in found["games/b.mbp.yaml"]["findings"][0]["reason"]
    # So it is where a revision is audited, as often as one likes.
    for _ in range(2):
        said = plain.mbp("audit", "HEAD:games", "--json", code=3)
        assert [one["ok"] for one in json.loads(said.out)] == [True, False, True]
    broken.unlink()
    assert [one["ok"] for one in json.loads(plain.mbp("audit", "HEAD:", "--json", code=3).out)] == [
        True, False, True,
    ]  # fmt: skip


def test_a_folder_that_git_cannot_list_is_a_trouble(plain: Clone) -> None:
    plain.commit("games/a.mbp.yaml", M9)
    plain.commit("games/deeper/b.mbp.yaml", M7)
    tree = plain.git("rev-parse", "HEAD:games/deeper").strip()
    (plain.tree / ".git/objects" / tree[:2] / tree[2:]).unlink()
    said = plain.mbp("audit", "HEAD:games", code=3)
    assert "git cannot list all of this folder" in said.out
    assert "1 of 2 hold" in said.out


def damage(tree: Clone, name: str) -> Path:
    """Spoils an object of a repository; where it lies."""
    blob = tree.git("rev-parse", name).strip()
    path = tree.tree / ".git/objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)
    return path


def test_a_folder_that_is_called_like_a_revision_is_no_decoy(plain: Clone) -> None:
    plain.commit("games/a.mbp.yaml", M7)
    plain.commit("main:games/a.mbp.yaml", M9)
    (report,) = json.loads(plain.mbp("audit", "main:games", "--json").out)
    assert report["entries"] == 7
    (report,) = json.loads(plain.mbp("audit", "./main:games", "--json").out)
    assert report["entries"] == 9


FLOOD = 25  # files of 4 MiB each, of which a push takes a hundredth
SPENT = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


def test_h4_large_files_are_never_held_at_once(plain: Clone) -> None:
    plain.commit("a.txt", b"a")
    for number in range(FLOOD):
        plain.write(f"{number}.mbp.yaml", b"%d" % number + b"\n" * (4 * 2**20 - 10))
    plain.write("one.mbp.yaml", b"\n" * (90 * 2**20))
    plain.git("add", ".")
    plain.git("commit", "--quiet", "-m", "flood")
    done = subprocess.run(
        [sys.executable, "-c", SPENT, sys.executable, "-m", "mbp", "audit", "--since", "HEAD~1"],
        cwd=plain.tree, env=plain.environ, capture_output=True, text=True, check=True,
    )  # fmt: skip
    code, peak = map(int, done.stdout.split())
    assert code == 3
    assert peak < 80  # MiB; the files are 100 together, and one by itself is 90


class Stopping(io.StringIO):
    """A stream at which somebody presses Ctrl-C once a text was written."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def write(self, text: str) -> int:
        """Writes, and stops."""
        count = super().write(text)
        if self.text in text:
            self.text = "\0"
            raise KeyboardInterrupt
        return count


def test_reports_come_one_by_one_so_that_a_stop_leaves_those_that_were_made(
    plain: Clone,
) -> None:
    for number in range(25):
        plain.write(f"{number:02}.mbp.yaml", b"# %d\n" % number + M7)
    plain.git("add", ".")
    plain.git("commit", "--quiet", "-m", "many")
    for number in range(25):
        data = M5 if number in (3, 20) else M9
        plain.write(f"{number:02}.mbp.yaml", b"# %d\n" % number + data)
    plain.git("commit", "--quiet", "-a", "-m", "change")
    out, err = Stopping("FAILED "), io.StringIO()
    code = run(
        ["audit", "--since", "HEAD~1"],
        environ=plain.environ, cwd=plain.tree, stdin=io.StringIO(), stdout=out, stderr=err,
        now=lambda: START, randomness=os.urandom, zone=UTC,
    )  # fmt: skip
    assert code == 130
    assert "stopped: 3 of 25 files are audited" in err.getvalue()
    assert "FAILED 03.mbp.yaml" in out.getvalue()
    assert "3 of 3 hold" in out.getvalue()
