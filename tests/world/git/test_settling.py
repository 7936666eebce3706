"""What was only settled with does not become the place of the match."""

from __future__ import annotations

from pathlib import Path

from mbp.rules.contract import other
from tests.world.git.clones import Clone
from tests.world.git.conftest import States


def test_a_file_that_came_and_was_settled_for_is_left_alone(tmp_path: Path, states: States) -> None:
    rival = states.middle.pen or "A"
    mine, theirs = (states.middle.players[one].name for one in (other(rival), rival))
    name = f"games/anna-open-{states.middle.id[:8]}.mbp.yaml"
    player = Clone(tmp_path, "player", mine).init()
    player.write(name, states.at[11])
    player.mbp("receive", name, "--newest")
    player.mbp("commit", name)
    came = player.write("theirs.mbp.yaml", states.fork)
    player.mbp("receive", "theirs.mbp.yaml", code=8)
    assert player.mbp("settle", "theirs.mbp.yaml", name).out.strip() == name
    assert came.read_bytes() == states.fork
    assert player.match(name).log == player.match("theirs.mbp.yaml").log
    assert player.mbp("status", "--json").out.count(name) == 1
    player.mbp("commit", theirs)
    assert player.git("show", "--name-only", "--format=", "HEAD").split() == [name]
    came.unlink()
    player.mbp("show", theirs)
    player.mbp("receive", name)
    assert not came.exists()
    assert player.git("status", "--porcelain") == ""
