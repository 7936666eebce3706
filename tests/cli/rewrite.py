"""Writes what the sessions print now into their files: `python -m tests.cli.rewrite [NAME...]`.

Whoever runs it reads the difference before it is committed: a session is a claim about the product.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.cli.sessions import replayed

FOLDER = Path(__file__).parent / "sessions"


def main() -> None:
    """Rewrites the sessions whose names were given, all without names."""
    for path in sorted(FOLDER.glob("*.txt")):
        if sys.argv[1:] and path.stem not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            text = replayed(path.read_text(encoding="utf-8"), Path(folder))
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
