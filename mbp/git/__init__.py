"""Game files in a git repository: readable diffs, merges, hooks, commits, what changed since when.

Not the desk: nothing here signs, and no game file is written but the one that git hands to its
merge driver. A merge never makes a third log: one of the two stands, whole, or there is a
conflict. What `git` itself does is asked of the program `git`, in `calls` alone.
"""

from __future__ import annotations

from mbp.git.calls import Repository, find_repository
from mbp.git.commits import commit_file, committed, message, refuse_unfinished
from mbp.git.growth import Change, growth
from mbp.git.merge import merge_files
from mbp.git.revisions import Changed, changes_between
from mbp.git.staged import Refusal, refusals
from mbp.git.text import diff_text
from mbp.git.wiring import Wiring, remove, set_up

__all__ = [
    "Change",
    "Changed",
    "Refusal",
    "Repository",
    "Wiring",
    "changes_between",
    "commit_file",
    "committed",
    "diff_text",
    "find_repository",
    "growth",
    "merge_files",
    "message",
    "refusals",
    "refuse_unfinished",
    "remove",
    "set_up",
]
