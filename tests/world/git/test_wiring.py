"""`mbp git setup` and `mbp git remove`: what they put into a repository, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.world.git.clones import Clone
from tests.world.git.conftest import States

NAME = "anna-bert.mbp.yaml"


def state_of(tree: Clone) -> dict[str, tuple[int, bytes]]:
    """What set-up may touch, and the whole working tree: modes and bytes."""
    paths = [path for path in tree.tree.rglob("*") if ".git" not in path.parts and path.is_file()]
    hooks = [p for p in (tree.tree / ".git/hooks").iterdir() if p.suffix != ".sample"]
    config = tree.tree / ".git/config"
    found = [*paths, *hooks, config]
    return {str(path): (path.stat().st_mode, path.read_bytes()) for path in found}


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
    hook.chmod(0o744)
    tree.git("config", "diff.word.xfuncname", "x")
    before = state_of(tree)
    tree.mbp("git", "setup")
    attributes = (tree.tree / ".gitattributes").read_text()
    assert attributes.startswith("*.png binary\n# mbp: begin")
    lines = hook.read_text().splitlines()
    assert lines[0] == "#!/usr/bin/env bash"
    assert lines[-2:] == ["echo mine", "exit 3"]
    assert hook.stat().st_mode & 0o777 == 0o744
    tree.mbp("git", "remove")
    assert state_of(tree) == before


def test_empty_files_of_the_user_are_there_again(tmp_path: Path) -> None:
    tree = Clone(tmp_path, "tree").init()
    tree.write(".gitattributes", b"")
    for name, text in (("pre-commit", b"#!/bin/sh\n"), ("pre-merge-commit", b"#!/bin/sh")):
        tree.write(f".git/hooks/{name}", text).chmod(0o755)
    before = state_of(tree)
    tree.mbp("git", "setup")
    assert len([one for one, (_, data) in state_of(tree).items() if b"mbp: begin" in data]) == 3
    tree.mbp("git", "remove")
    assert state_of(tree) == before


def test_removing_where_nothing_is_set_up_changes_nothing(tmp_path: Path) -> None:
    tree = Clone(tmp_path, "tree").init()
    tree.write(".git/hooks/pre-commit", b"#!/bin/sh\n").chmod(0o755)
    tree.write(".gitattributes", b"")
    before = state_of(tree)
    tree.mbp("git", "remove")
    assert state_of(tree) == before


def test_attributes_that_were_checked_out_with_other_line_ends_are_the_same(
    tmp_path: Path,
) -> None:
    tree = Clone(tmp_path, "tree").init()
    tree.mbp("git", "setup")
    tree.git("add", ".gitattributes")
    tree.git("commit", "--quiet", "-m", "attributes")
    tree.git("config", "core.autocrlf", "true")
    path = tree.tree / ".gitattributes"
    path.unlink()
    tree.git("checkout", "--quiet", "--", ".gitattributes")
    data = path.read_bytes()
    assert b"\r\n" in data
    tree.mbp("git", "setup")
    assert path.read_bytes() == data
    said = tree.mbp("git", "remove").err
    assert not path.exists()
    assert ".gitattributes had nothing else in it and is deleted: commit that" in said


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    """A peer can commit a link under the name of .gitattributes, or a hook that a link leads to."""
    tree = Clone(tmp_path, "tree").init()
    outside = tmp_path / "outside.txt"
    outside.write_bytes(b"precious")
    (tree.tree / ".gitattributes").symlink_to(outside)
    before = state_of(tree)
    said = tree.mbp("git", "setup", code=7).err
    assert ".gitattributes is a link, which git does not follow" in said
    assert state_of(tree) == before
    (tree.tree / ".gitattributes").unlink()
    tracked = tree.write("hooks/pre-commit", b"#!/bin/sh\necho tracked\n")
    tracked.chmod(0o755)
    link = tree.tree / ".git/hooks/pre-commit"
    link.symlink_to(tracked)
    said = tree.mbp("git", "setup").err
    assert "pre-commit is a link: it stays as it is" in said
    tree.mbp("git", "remove")
    assert tracked.read_bytes() == b"#!/bin/sh\necho tracked\n"
    assert link.is_symlink()
    assert outside.read_bytes() == b"precious"


def test_a_folder_of_hooks_behind_a_link_is_left_alone(tmp_path: Path) -> None:
    tree = Clone(tmp_path, "tree").init()
    hooks = tree.tree / ".git/hooks"
    for path in hooks.iterdir():
        path.unlink()
    hooks.rmdir()
    (tree.tree / "shared").mkdir()
    hooks.symlink_to(tree.tree / "shared")
    assert "kept elsewhere" in tree.mbp("git", "setup").err
    assert "take the line with mbp out" in tree.mbp("git", "remove").err
    assert not list((tree.tree / "shared").iterdir())


def test_a_hook_that_is_switched_off_stays_so(tmp_path: Path) -> None:
    tree = Clone(tmp_path, "tree").init()
    hook = tree.write(".git/hooks/pre-commit", b"#!/bin/sh\necho switched off; exit 1\n")
    hook.chmod(0o644)
    before = state_of(tree)[str(hook)]
    said = tree.mbp("git", "setup").err
    assert "pre-commit is not executable, so that git does not run it: it stays as it is" in said
    assert state_of(tree)[str(hook)] == before
    tree.commit("x.txt", b"x")
    tree.mbp("git", "remove")
    assert state_of(tree)[str(hook)] == before


def test_the_line_to_add_by_hand_is_whole_and_works(tmp_path: Path, states: States) -> None:
    """Wrapped at some width, it would be two commands, of which the shell refuses one."""
    tree = Clone(tmp_path, "tree").init()
    tree.git("config", "core.hooksPath", "own-hooks")
    lines = tree.said_lines("git", "setup")
    (line,) = [one for one in lines if one.endswith("git staged || exit 1")]
    assert line.startswith(sys.executable)
    hook = tree.write("own-hooks/pre-commit", f"#!/bin/sh\n{line}\n".encode())
    hook.chmod(0o755)
    tree.commit(NAME, states.at[10])
    assert "is gone" in tree.commit(NAME, states.at[8], fails=True)


def test_hooks_are_taken_out_where_they_were_put_in(tmp_path: Path) -> None:
    """core.hooksPath may be set later: git does not look at them then, but may again."""
    tree = Clone(tmp_path, "tree").init()
    before = state_of(tree)
    tree.mbp("git", "setup")
    tree.git("config", "core.hooksPath", ".husky")
    said = tree.mbp("git", "remove").err
    assert "kept elsewhere (core.hooksPath, or a link): take the line with mbp out" in said
    tree.git("config", "--unset", "core.hooksPath")
    after = state_of(tree)
    config = str(tree.tree / ".git/config")
    after.pop(config), before.pop(config)  # git itself leaves an empty section
    assert after == before


def test_a_shell_is_known_with_its_options(tmp_path: Path) -> None:
    tree = Clone(tmp_path, "tree").init()
    for first in ("#!/bin/sh -e", "#! /bin/bash", "#!/usr/bin/env -S bash -eu", "#!/bin/zsh"):
        hook = tree.write(".git/hooks/pre-commit", f"{first}\nexit 0\n".encode())
        hook.chmod(0o755)
        assert "no shell script" not in tree.mbp("git", "setup").err
    for first in ("#!/usr/bin/env python3", "#!/usr/bin/perl sh", "exit 0", "#!"):
        hook.write_bytes(f"{first}\nexit 0\n".encode())
        assert "no shell script" in tree.mbp("git", "setup").err


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
    said = lost.mbp("git", "setup", code=7).err
    assert "in no git repository" in said
    assert f"git init {lost.tree}" in said
    assert "there is no folder" in lost.mbp("git", "setup", "nowhere", code=3).err
    assert "git init" not in lost.mbp("git", "remove", "nowhere", code=3).err
    lost.git("init", "--quiet", "--bare")
    assert "bare repository" in lost.mbp("git", "setup", code=7).err


def test_why_git_does_not_work_is_said_in_its_own_words(tmp_path: Path) -> None:
    tree = Clone(tmp_path, "tree").init()
    with (tree.tree / ".git/config").open("a") as config:
        config.write("[extensions\n")
    said = tree.mbp("git", "setup", code=7).err
    assert "git does not work in" in said
    assert "bad config line" in said
    assert "git init" not in said


def test_what_git_keeps_of_the_sentences_goes_too(tmp_path: Path, states: States) -> None:
    tree = Clone(tmp_path, "tree").init()
    tree.mbp("git", "setup")
    tree.commit(NAME, states.at[8])
    tree.commit(NAME, states.at[10])
    assert "9 " in tree.git("log", "-p", "-1")
    cached = tree.git("notes", "--ref=textconv/mbp", "list").split()
    assert len(cached) >= 2
    # Now git tells the same without asking mbp, which could not even start.
    told = tree.git("log", "-p", "-1")
    broken = tree.environ | {"PYTHONHOME": "nowhere"}
    again = subprocess.run(
        ["git", "log", "-p", "-1"], cwd=tree.tree, env=broken, capture_output=True, check=True
    )
    assert again.stdout.decode() == told
    tree.mbp("git", "remove")
    assert not tree.git("for-each-ref", "refs/notes")
    assert not tree.git("config", "--get-regexp", "mbp", fails=True)
    assert "sig:" in tree.git("log", "-p", "-1")


def test_names_that_begin_with_a_tilde_are_names(tree: Clone, states: States) -> None:
    """git hands such a name over as it is; it is no way to somebody's home."""
    (tree.root / "x.mbp.yaml").write_bytes(states.at[11])  # what ~/x.mbp.yaml would be
    for name in ("~/x.mbp.yaml", "~x.mbp.yaml", "~nobody/x.mbp.yaml"):
        tree.commit(name, states.at[8])
        tree.write(name, states.at[10])
        added = [line for line in tree.git("diff", "--", name).splitlines() if line[:1] == "+"]
        assert any(line.startswith("+  9 ") for line in added)
        assert not any(line.startswith("+ 10 ") for line in added)
    base, theirs = tree.write("~base", states.at[8]), tree.write("~theirs", states.at[10])
    tree.write("~ours", states.at[8])
    tree.mbp("git", "merge", "--", base.name, "~ours", theirs.name, "~name.mbp.yaml")
    assert (tree.tree / "~ours").read_bytes() == states.at[10]


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
