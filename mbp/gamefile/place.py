"""Places in the tree of a file, and how a refusal names them."""

from __future__ import annotations

from typing import NoReturn, TypeAlias

from mbp.errors import FormatError

# The keys and indices on the way from the root.
Path: TypeAlias = tuple[str | int, ...]

MAX_SHOWN = 60  # characters of a file's own text in a message


def shown(text: str) -> str:
    """A text of the file for a message: escaped, and cut where it is long."""
    return ascii(text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "...")


def format_path(path: Path) -> str:
    """The place as people write it: `log[3].cards.give.0:4`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            name = step if len(step) <= MAX_SHOWN else step[: MAX_SHOWN - 3] + "..."
            text += f".{name}" if text else name
    return text


def refuse(path: Path, message: str, kind: type[FormatError] = FormatError) -> NoReturn:
    """Raises a FormatError, or that kind of one, for this place.

    Its `seq` is the place in the log, since what the entry itself says is not checked yet.
    """
    seq = path[1] if len(path) > 1 and path[0] == "log" else None
    raise kind(message, path=format_path(path), seq=seq if isinstance(seq, int) else None)
