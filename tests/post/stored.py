"""A stored match to send around: the first entries of one from the test data."""

from __future__ import annotations

from pathlib import Path

from mbp import gamefile
from mbp.chain import Record

MATCHES = Path(__file__).parent.parent / "data" / "matches"
WHOLE = gamefile.load((MATCHES / "mandala-random.mbp.yaml").read_bytes())

MATCH = Record(WHOLE.log[:14], summary=WHOLE.summary)
LOG = MATCH.log
FILE = gamefile.dump(MATCH)
