"""Merges with real git: one of two logs stands, or there is a conflict; never a third log."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mbp import gamefile
from mbp.chain import to_text
from mbp.curve import scalar_to_bytes
from mbp.errors import ForkError, MbpError
from mbp.git import merge_files
from mbp.match import replay, secret_of
from mbp.rules.contract import SEATS
from tests.duel import file_of, identity_of
from tests.world.git.clones import Clone, verifies
from tests.world.git.conftest import States
from tests.world.git.tiles import Tiles, files, many_settled, settled

NAME = "anna-bert.mbp.yaml"


def merged(tree: Clone, base: bytes, ours: bytes, theirs: bytes, *, fails: bool = False) -> bytes:
    """Commits three states, merges, and returns what lies in the working tree."""
    skip = "--no-verify"  # what is merged may have come into the repository in any way
    tree.commit(NAME, base, skip)
    tree.git("checkout", "--quiet", "-b", "theirs")
    tree.commit(NAME, theirs, skip)
    tree.git("checkout", "--quiet", "main")
    tree.commit(NAME, ours, skip)
    tree.git("merge", "--quiet", "--no-edit", "theirs", fails=fails)
    return (tree.tree / NAME).read_bytes()


@pytest.mark.parametrize("turned", [False, True])
def test_the_longer_of_two_states_stands(tree: Clone, states: States, turned: bool) -> None:
    sides = (states.at[11], states.at[12])
    ours, theirs = reversed(sides) if turned else sides
    assert merged(tree, states.at[8], ours, theirs) == states.at[12]


def test_what_stands_beside_the_log_is_joined(tree: Clone, states: States) -> None:
    over, sides = states.over, []
    for seat in SEATS:
        secret = secret_of(over.position, seat, identity_of(over.players[seat].name))
        sides.append(file_of(over.with_disclosed(seat, to_text(scalar_to_bytes(secret)))))
    data = merged(tree, file_of(over), *sides)
    assert sorted(gamefile.load(data).disclosed) == ["A", "B"]
    tree.mbp("audit", NAME)


def test_2_5_the_twin_that_is_continued_stands(tree: Clone, states: States) -> None:
    data = merged(tree, states.at[10], states.twin, states.twin_goes_on)
    assert data == states.twin_goes_on


def test_2_5_twins_that_nothing_continues_merge_alike_on_both_sides(
    tmp_path: Path, states: States
) -> None:
    results = set()
    for label, sides in (("one", (states.twin, states.other_twin)),
                         ("two", (states.other_twin, states.twin))):  # fmt: skip
        tree = Clone(tmp_path, label).init()
        tree.mbp("git", "setup")
        results.add(merged(tree, states.at[10], *sides))
    assert len(results) == 1
    assert results < {states.twin, states.other_twin}


def test_2_5_a_fork_is_a_conflict_and_both_versions_are_kept(tree: Clone, states: States) -> None:
    data = merged(tree, states.at[10], states.at[12], states.fork, fails=True)
    assert data == states.at[12]
    assert tree.git("ls-files", "--unmerged").count(NAME) == 3
    kept = {}
    for stage in (2, 3):
        name = f"stage-{stage}.mbp.yaml"
        kept[stage] = tree.write(name, tree.git("show", f":{stage}:{NAME}").encode())
    assert [kept[2].read_bytes(), kept[3].read_bytes()] == [states.at[12], states.fork]
    told = tree.mbp("fork", kept[2].name, kept[3].name)
    assert "signed two different entries" in told.err
    evidence = told.out.strip().splitlines()[-1]
    assert "evidence holds: two histories (fork)" in tree.mbp("audit", evidence).out


def test_a_side_that_does_not_hold_is_a_conflict(tree: Clone, states: States) -> None:
    bad = states.at[12].replace(b'act: "', b'act: "mountain 1 red" #', 1)
    text = states.at[12].decode().replace('time: "2020', 'time: "2021', 1)
    for number, broken in enumerate((bad, text.encode(), b"<html>")):
        tree.git("checkout", "--quiet", "--orphan", f"case-{number}")
        tree.commit(NAME, states.at[8], "--no-verify")
        tree.git("checkout", "--quiet", "-b", f"theirs-{number}")
        tree.commit(NAME, broken, "--no-verify")
        tree.git("checkout", "--quiet", f"case-{number}")
        tree.commit(NAME, states.at[11], "--no-verify")
        tree.git("merge", "--quiet", f"theirs-{number}", fails=True)
        assert (tree.tree / NAME).read_bytes() == states.at[11]
        tree.git("merge", "--abort")


def test_9_6_a_fork_that_both_have_settled_merges(tree: Clone, states: States) -> None:
    kept, dropped = (replay(gamefile.load(data)) for data in (states.at[12], states.fork))
    kept = settled(kept, dropped, *SEATS)
    data = merged(tree, states.at[10], states.fork, file_of(kept))
    assert data == file_of(kept)
    assert "settled: A and B dropped" in tree.mbp("audit", NAME).out


TILES = Tiles("merging")
START = TILES.first_by("B")
ONE, TWO = TILES.upto(START + 2), TILES.fork(START, more=1)


def of_two(ours: bytes, theirs: bytes) -> tuple[bytes, tuple[str, ...]]:
    """What the driver makes of two sides, without a home."""
    return merge_files(ours, theirs, None)


@pytest.mark.parametrize("seats", ["", "A", "B"])
def test_9_6_one_signature_is_not_enough_for_a_merge(seats: str) -> None:
    kept = settled(ONE, TWO, *(seat for seat in SEATS if seat in seats))
    for sides in ((kept, TWO), (TWO, kept)):
        with pytest.raises(ForkError):
            of_two(*files(*sides))


def test_9_6_signatures_of_both_that_came_on_two_ways_are_enough() -> None:
    one, two = settled(ONE, TWO, "A"), settled(ONE, TWO, "B")
    data, _ = of_two(*files(one, two))
    for sides in ((data, file_of(TWO)), (file_of(TWO), data)):
        merged_data, said = of_two(*sides)
        assert gamefile.load(merged_data).log == ONE.log
        assert said == ("two histories: both players have settled on the one that stands",)


def test_9_6_who_has_signed_for_both_histories_has_decided_nothing() -> None:
    """Nothing says which signature is the later one: each clone would keep its own side."""
    sides = settled(ONE, TWO, *SEATS), settled(TWO, ONE, *SEATS)
    for pair in (sides, (sides[1], sides[0])):
        with pytest.raises(ForkError, match="both have settled on both"):
            of_two(*files(*pair))


def test_9_6_settlements_of_other_histories_do_not_count() -> None:
    other = TILES.fork(START - 1)
    kept = settled(TILES.upto(START + 2), other, *SEATS)
    with pytest.raises(ForkError):
        of_two(*files(kept, TWO))


def test_10_what_stands_beside_two_logs_may_be_too_much_for_one_file(tree: Clone) -> None:
    """Each side is a game file; both together are none, and ours stays as it was."""
    sides = [many_settled(ONE, "B", label, 9000) for label in ("ours", "theirs")]
    assert all(len(side) <= gamefile.MAX_SIZE for side in sides)
    with pytest.raises(MbpError, match="too much for one file"):
        of_two(*sides)
    for name, data in zip(("ours", "theirs"), sides, strict=True):
        tree.write(name, data)
    said = tree.mbp("git", "merge", "--", "ours", "ours", "theirs", NAME, code=1).err
    assert "more than 4194304 bytes" in said
    assert (tree.tree / "ours").read_bytes() == sides[0]


def test_a_conflict_tells_how_to_get_theirs_whatever_its_name_is(tree: Clone) -> None:
    name = "x;touch PWNED;.mbp.yaml"
    skip = "--no-verify"
    tree.commit(name, file_of(TILES.upto(START)), skip)
    tree.git("checkout", "--quiet", "-b", "theirs")
    tree.commit(name, file_of(TWO), skip)
    tree.git("checkout", "--quiet", "main")
    tree.commit(name, file_of(ONE), skip)
    said = tree.git("merge", "theirs", fails=True)
    (line,) = [one for one in said.splitlines() if one.startswith("git show")]
    subprocess.run(line, shell=True, cwd=tree.tree, env=tree.environ, check=True)
    assert (tree.tree / "theirs.mbp.yaml").read_bytes() == file_of(TWO)
    assert not list(tree.tree.glob("PWNED*"))


def test_h2_a_rewound_file_does_not_come_in_by_a_merge(tree: Clone, states: States) -> None:
    """Ours has not changed, so git asks no driver and would take theirs: the hook refuses."""
    tree.commit(NAME, states.at[10])
    tree.git("checkout", "--quiet", "-b", "theirs")
    tree.commit(NAME, states.at[8], "--no-verify")
    tree.git("checkout", "--quiet", "main")
    tree.commit("other.txt", b"something else")
    said = tree.git("merge", "--no-edit", "theirs", fails=True)
    assert "entry 8 was there before and is gone" in said
    assert tree.git("show", f"HEAD:{NAME}").encode() == states.at[10]


def test_a_merge_needs_no_home(tmp_path: Path, states: States) -> None:
    tree = Clone(tmp_path, "tree").init()
    for side, count in (("ours", 11), ("theirs", 12)):
        tree.write(side, states.at[count])
    environ = {
        name: text for name, text in tree.environ.items() if name not in ("HOME", "MBP_HOME")
    }
    done = subprocess.run(
        [sys.executable, "-P", "-m", "mbp", "git", "merge", "--", "base", "ours", "theirs", NAME],
        cwd=tree.tree,
        env=environ,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tree.tree / "ours").read_bytes() == states.at[12]


OURS, THEIRS = ("-X", "ours"), ("-X", "theirs")


@pytest.mark.parametrize("sides", ["fork", "twins", "older", "fork and twin"])
@pytest.mark.parametrize(
    ("attribute", "options"),
    [("merge", ()), ("merge=union", ()), ("merge", OURS), ("merge", THEIRS),
     ("merge", (*OURS, "-X", "patience")), ("merge", (*THEIRS, "-X", "ignore-all-space"))],
)  # fmt: skip
def test_h2_a_merge_of_texts_makes_no_third_log(
    tmp_path: Path, states: States, attribute: str, options: tuple[str, ...], sides: str
) -> None:
    """Without mbp's driver: whatever git puts together does not verify, or is one of the two."""
    ours, theirs = {
        "fork": (states.at[12], states.fork),
        "twins": (states.twin, states.twin_goes_on),
        "older": (states.at[11], states.at[12]),
        "fork and twin": (states.fork, states.twin_goes_on),
    }[sides]
    logs = [gamefile.load(side).log for side in (ours, theirs)]
    tree = Clone(tmp_path, "tree").init()
    tree.commit(".gitattributes", f"*.mbp.yaml text eol=lf {attribute}\n".encode())
    tree.commit(NAME, states.at[10])
    tree.git("checkout", "--quiet", "-b", "theirs")
    tree.commit(NAME, theirs)
    tree.git("checkout", "--quiet", "main")
    tree.commit(NAME, ours)
    texts_clash = attribute == "merge" and not options
    tree.git("merge", "--quiet", "--no-edit", *options, "theirs", fails=texts_clash)
    data = (tree.tree / NAME).read_bytes()
    assert (b"<<<<<<<" in data) == texts_clash
    # With -X a merge takes one side wherever both differ, and they differ to the end.
    assert verifies(data) or not options
    assert not verifies(data) or gamefile.load(data).log in logs


def test_h2_autocrlf_changes_no_log(tmp_path: Path, states: States) -> None:
    """A clone with Windows line ends, and no attributes, still has the same match."""
    tree = Clone(tmp_path, "tree").init()
    tree.git("config", "core.autocrlf", "true")
    tree.commit(NAME, states.at[11])
    (tree.tree / NAME).unlink()
    tree.git("checkout", NAME)
    data = (tree.tree / NAME).read_bytes()
    assert b"\r\n" in data
    assert gamefile.load(data) == gamefile.load(states.at[11])
    tree.mbp("audit", NAME)
    assert not tree.git("status", "--porcelain")
    # With the attributes the working tree has what the repository has.
    tree.mbp("git", "setup")
    (tree.tree / NAME).unlink()
    tree.git("checkout", NAME)
    assert (tree.tree / NAME).read_bytes() == states.at[11]
