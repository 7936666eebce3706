"""One player at work: opens matches, takes in what arrives, plays, and writes what is due.

The only writer of game files. Nothing is signed but a continuation of the newest state that the
home remembers (protocol 4.3). The memory is written first, then the game file, then anything is
sent: a command killed in between has lost nothing, the next one finds the newer state in memory.
"""

from __future__ import annotations

from mbp.desk.desk import Desk
from mbp.desk.looking import Opened, Status, World
from mbp.desk.writing import NOTHING, Receipt

__all__ = ["NOTHING", "Desk", "Opened", "Receipt", "Status", "World"]
