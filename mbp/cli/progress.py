"""The progress bar of long work: how far it is, how fast it goes, how long it will take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from mbp.cli.terminal import Steps


class Rate(ProgressColumn):
    """How many a second, as measured lately; a dash until it is known."""

    def render(self, task: Task) -> Text:
        """The rate in a few columns."""
        speed = task.finished_speed or task.speed
        return Text("–/s" if speed is None else f"{speed:.1f}/s")


@contextmanager
def bar(title: str, total: int, stream: TextIO, width: int, coloured: bool) -> Iterator[Steps]:
    """Draws the bar while the block runs, and takes it away in the end."""
    console = Console(file=stream, width=width, no_color=not coloured)
    parts = (
        TextColumn("{task.description}"),
        *([BarColumn(None)] if width >= 60 else []),  # else the numbers need the room
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*parts, console=console, transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda count=1: progress.advance(task, count)
