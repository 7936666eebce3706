"""Real child processes for tests of locks, crashes and permissions."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable

NOBODY = 65534


def spawn(act: Callable[[], object]) -> int:
    """Starts `act` in a forked child: its process id. It ends with 0, or with 1 if `act` fails."""
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        act()
        code = 0
    except BaseException:  # noqa: BLE001 - told here, or the child would go on as a second pytest
        traceback.print_exc()
    finally:
        os._exit(code)


def ended(process: int) -> int:
    """Waits for a child: its exit code, negative for the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def run(act: Callable[[], object]) -> int:
    """Runs `act` in a child to its end."""
    return ended(spawn(act))


def kill(process: int) -> None:
    """Ends a child that was started here, at once."""
    os.kill(process, signal.SIGKILL)
    ended(process)


def drop_rights() -> None:
    """Becomes nobody, where the tests run as root, whom no mode of a file stops."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
