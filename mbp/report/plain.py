"""A match as text, JSON or CSV: what people read without a browser, and programs."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from typing import Any

from mbp.report.escape import cell, plain
from mbp.report.story import Step, Story, verdict
from mbp.report.trees import finding_tree, outcome_tree

COLUMNS = ("seq", "by", "name", "time", "act", "text", "note", "score_a", "score_b")
WIDTH = 80


def text(story: Story) -> str:
    """The match as lines of text: who, how it ended, the moves, the last board."""
    found = verdict(story.report)
    word = found.word.lower() if found.ok else found.word.upper()
    lines = [
        f"{story.title}  ({story.match.id[:8]})", story.stands, f"{word}: {found.said}", ""
    ]  # fmt: skip
    for step in story.steps:
        lines += step_lines(step)
    lines += ["", *board_lines(story, story.steps[-1])]
    return "\n".join(lines).rstrip("\n") + "\n"


def step_lines(step: Step) -> list[str]:
    """An entry: seq, time, author, what happened, and the note below."""
    head = f"{step.seq:>4}  {step.time}  {step.by} {step.name}: {step.text}"
    return [head, *([f"      “{step.note}”"] if step.note else [])]


def board_lines(story: Story, step: Step) -> list[str]:
    """The board as the terminal has it, without colours; nothing before play begins."""
    if step.state is None:
        return []
    game = story.match.game
    board = game.board(step.state, step.sight, None, story.names, WIDTH)
    return [plain("".join(span.text for span in line)).rstrip() for line in board]


def tree(story: Story) -> dict[str, Any]:
    """The match for programs, with the board behind each entry; docs/json.md."""
    match = story.match
    return {
        "game": match.game.name,
        "id": match.id,
        "ok": story.report.ok,
        "findings": [
            {**finding_tree(one), "reason": plain(one.reason)} for one in story.report.findings
        ],
        "options": dict(match.position.options),
        "players": {
            seat: {"name": plain(player.name), "key": player.key_text}
            for seat, player in match.players.items()
        },
        "disclosed": list(match.disclosed_secrets()),
        "evidence": plain(story.report.evidence) or None,
        "outcome": outcome_tree(story.outcome),
        "entries": [_step_tree(story, step) for step in story.steps],
    }


def _step_tree(story: Story, step: Step) -> dict[str, Any]:
    board = None if step.state is None else story.match.game.json(step.state, step.sight)
    return {
        "seq": step.seq,
        "by": step.by,
        "time": step.time,
        "act": step.act,
        "text": step.text,
        "note": step.note or None,
        "scores": list(step.scores),
        "board": board,
    }


def json_text(story: Story) -> str:
    """The tree as a JSON document."""
    return json.dumps(tree(story), ensure_ascii=False, indent=2) + "\n"


def csv_text(story: Story) -> str:
    """A line an entry, for spreadsheets: RFC 4180, and no text is a formula."""
    rows = [
        (step.seq, step.by, cell(step.name), step.time, cell(step.act), cell(step.text),
         cell(step.note), *step.scores)
        for step in story.steps
    ]  # fmt: skip
    return csv_lines(COLUMNS, rows)


def csv_lines(head: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> str:
    """A table as CSV."""
    lines = _Lines()
    csv.writer(lines, lineterminator="\r\n").writerows([head, *rows])
    return "".join(lines.written)


class _Lines:
    """Takes what a CSV writer writes."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, text: str) -> int:
        """Takes one more line."""
        self.written.append(text)
        return len(text)
