"""`examples/walkthrough.txt` goes as it tells; `python -m tests.test_walkthrough` writes it anew.

It is a session as in `tests/cli/sessions`: lines of comment, commands, and what they print.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.cli.sessions import PROMPT, replayed

WALKTHROUGH = Path(__file__).resolve().parent.parent / "examples" / "walkthrough.txt"


def test_the_walkthrough_goes_as_it_tells(tmp_path: Path) -> None:
    told = WALKTHROUGH.read_text(encoding="utf-8")
    assert replayed(told, tmp_path) == told


def test_the_walkthrough_shows_what_a_match_needs() -> None:
    prompts = map(PROMPT.match, WALKTHROUGH.read_text(encoding="utf-8").splitlines())
    lines = [found["line"] for found in prompts if found is not None]
    typed = {line.split()[1] for line in lines if line.startswith("mbp ")}
    wanted = "key contacts new join receive show moves move status log resign disclose audit"
    assert typed >= set(wanted.split())


def main() -> None:
    """Writes what the commands print now; whoever runs it reads the difference."""
    with tempfile.TemporaryDirectory() as folder:
        text = replayed(WALKTHROUGH.read_text(encoding="utf-8"), Path(folder))
    WALKTHROUGH.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
