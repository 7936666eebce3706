"""`mbp git setup` and `mbp git remove`: what they put into a repository, and nothing else."""

from __future__ import annotations

from pathlib import Path

from tests.world.git.clones import Clone
from tests.world.git.conftest import States

NAME = "anna-bert.mbp.yaml"


def state_of(tree: Clone) -> dict[str, bytes]:
    """What set-up may touch, and the whole working tree."""
    paths = [path for path in tree.tree.rglob("*") if ".git" not in path.parts and path.is_file()]
    hooks = [p for p in (tree.tree / ".git/hooks").iterdir() if p.suffix != ".sample"]
    config = tree.tree / ".git/config"
    return {str(path): path.read_bytes() for path in [*paths, *hooks, config]}


def test_setup_twice_changes_nothing_and_remove_undoes_it(tmp_path: Path) -> None:
    tree = Clone(tmp_path, "tree").init()
    before = state_of(tree)
    tree.mbp("git", "setup")
    wired = state_of(tree)
    assert set(wired) - set(before) == {
        str(tree.tree / name)
        for name in (".gitattributes", ".git/hooks/pre-commit", ".git/hooks/pre-merge-commit")
    }
    tree.mbp("git", "setup")
    assert state_of(tree) == wired
    tree.mbp("git", "remove")
    assert state_of(tree) == before
    tree.mbp("git", "remove")
    assert state_of(tree) == before


def test_what_was_there_stays(tmp_path: Path) -> None:
    tree = Clone(tmp_path, "tree").init()
    tree.write(".gitattributes", b"*.png binary")
    hook = tree.write(".git/hooks/pre-commit", b"#!/usr/bin/env bash\necho mine\nexit 3\n")
    hook.chmod(0o755)
    tree.git("config", "diff.word.xfuncname", "x")
    before = state_of(tree)
    tree.mbp("git", "setup")
    attributes = (tree.tree / ".gitattributes").read_text()
    assert attributes.startswith("*.png binary\n# mbp: begin\n")
    lines = hook.read_text().splitlines()
    assert lines[0] == "#!/usr/bin/env bash"
    assert lines[-2:] == ["echo mine", "exit 3"]
    tree.mbp("git", "remove")
    after = state_of(tree)
    # One line end is more than there was: what follows the mark must not stick to it.
    assert after.pop(str(tree.tree / ".gitattributes")).rstrip() == b"*.png binary"
    before.pop(str(tree.tree / ".gitattributes"))
    assert after == before


def test_foreign_hooks_are_left_alone_and_said(tmp_path: Path) -> None:
    tree = Clone(tmp_path, "tree").init()
    hook = tree.write(".git/hooks/pre-commit", b"#!/usr/bin/env python3\n")
    said = tree.mbp("git", "setup").err
    assert "is no shell script" in said
    assert hook.read_bytes() == b"#!/usr/bin/env python3\n"
    tree.git("config", "core.hooksPath", "elsewhere")
    assert "core.hooksPath" in tree.mbp("git", "setup").err
    assert not (tree.tree / "elsewhere").exists()


def test_outside_a_repository_and_in_a_bare_one(tmp_path: Path) -> None:
    lost = Clone(tmp_path, "lost")
    lost.tree.mkdir()
    assert "in no git repository" in lost.mbp("git", "setup", code=7).err
    lost.git("init", "--quiet", "--bare")
    assert "bare repository" in lost.mbp("git", "setup", code=7).err


def test_a_folder_mbp_in_the_repository_is_not_taken_for_the_program(
    tree: Clone, states: States
) -> None:
    """Whoever can put files into a repository must not run code by way of `git diff`."""
    tree.write("mbp/__init__.py", b"raise SystemExit('taken over')\n")
    tree.write("mbp/__main__.py", b"raise SystemExit('taken over')\n")
    tree.commit(NAME, states.at[8])
    tree.commit(NAME, states.at[10])
    assert "taken over" not in tree.git("log", "-p")


def test_diff_and_log_tell_moves_as_sentences(tree: Clone, states: States) -> None:
    tree.commit(NAME, states.at[8])
    tree.write(NAME, states.at[11])
    added = [line for line in tree.git("diff").splitlines() if line.startswith("+ ")]
    new = states.over.log[8:11]
    assert len([line for line in added if line[1:4].strip().isdigit()]) == len(new)
    for entry in new:
        name = states.over.players[entry.by].name
        assert any(f"{entry.seq:>3} {name}: " in line for line in added)
    assert "sig" not in tree.git("log", "-p")
    # What does not hold is said, and what is no game file is shown as it is.
    text = states.at[10].decode()
    tree.write(NAME, text.replace(str(new[1].tree["time"]), "2020-12-30T12:00:00Z").encode())
    assert "+DOES NOT HOLD: entry 9 by " in tree.git("diff")
    tree.write(NAME, b"<<<<<<< ours\n" + states.at[10])
    assert "+not a game file: " in tree.git("diff")


def test_the_sentences_are_cleaned_for_a_terminal(tree: Clone) -> None:
    tree.write(NAME, b"\x1b[2J not a game\n")
    tree.git("add", "-N", NAME)
    assert "\x1b" not in tree.git("diff")


def test_commit_names_the_newest_entry_and_has_trailers(annas: Clone) -> None:
    (annas.tree / "games").mkdir()
    annas.mbp("new", "-o", "games/one.mbp.yaml")
    annas.write("other.txt", b"staged, and none of mbp's business\n")
    annas.git("add", "other.txt")
    subject = annas.mbp("commit", "games/one.mbp.yaml").out.strip()
    match = annas.match("games/one.mbp.yaml")
    assert subject == f"mbp: anna-open {match.id[:8]} #0 invite"
    body = annas.git("log", "-1", "--format=%B")
    assert body.split("\n")[0] == subject
    trailers = annas.git("log", "-1", "--format=%(trailers)").split("\n")
    assert trailers[:3] == [
        f"Mbp-Game: {match.id}",
        "Mbp-Seq: 0",
        f"Mbp-Head: {match.log[-1].id}",
    ]
    assert annas.git("show", "--name-only", "--format=").split() == ["games/one.mbp.yaml"]
    assert annas.git("diff", "--cached", "--name-only").split() == ["other.txt"]
    again = annas.mbp("commit", "games/one.mbp.yaml")
    assert "has it already" in again.err


def test_a_commit_that_git_refuses_keeps_the_file(annas: Clone) -> None:
    annas.mbp("new", "-o", "one.mbp.yaml")
    hook = annas.write(".git/hooks/pre-commit", b"#!/bin/sh\necho no today >&2\nexit 1\n")
    hook.chmod(0o755)
    before = (annas.tree / "one.mbp.yaml").read_bytes()
    said = annas.mbp("commit", "one.mbp.yaml", code=7).err
    assert "no today" in said
    assert "mbp commit one.mbp.yaml" in said
    assert (annas.tree / "one.mbp.yaml").read_bytes() == before
