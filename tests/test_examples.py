"""The recipes in `examples/` do what they say; the walkthrough has a test of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import yaml

from mbp import __version__

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"


def audited(folder: Path, program: Path) -> subprocess.CompletedProcess[str]:
    """Runs the script on a folder, with this checkout as `mbp`."""
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mbp "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environ = {**os.environ, "MBP": str(program), "PYTHONPATH": str(ROOT)}
    script = ["sh", str(EXAMPLES / "audit.sh"), str(folder)]
    return subprocess.run(script, env=environ, capture_output=True, text=True, check=False)


def test_the_script_accepts_what_holds_and_names_what_does_not(tmp_path: Path) -> None:
    folder = tmp_path / "matches"
    folder.mkdir()
    good = next((ROOT / "games").glob("ivar-*.mbp.yaml")).read_text(encoding="utf-8")
    (folder / "good.mbp.yaml").write_text(good, encoding="utf-8")
    assert audited(folder, tmp_path / "mbp").returncode == 0

    forged = good.replace('act: "field 1 ', 'act: "field 2 ', 1)
    assert forged != good
    (folder / "forged.mbp.yaml").write_text(forged, encoding="utf-8")
    answer = audited(folder, tmp_path / "mbp")
    assert answer.returncode == 4
    assert "does not hold" in answer.stderr

    (folder / "forged.mbp.yaml").write_text("no game\n", encoding="utf-8")
    assert audited(folder, tmp_path / "mbp").returncode == 3


def test_the_workflow_is_yaml_and_names_this_version() -> None:
    text = (EXAMPLES / "audit.workflow.yaml").read_text(encoding="utf-8")
    steps = yaml.safe_load(text)["jobs"]["audit"]["steps"]
    assert steps[-1]["run"].startswith("mbp audit ")
    assert f"@v{__version__}\n" in text
