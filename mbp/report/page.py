"""A match as one HTML page that needs nothing else: no network, no other file, no server.

The content security policy allows exactly the style sheet and the script in it, by their SHA-256.
Everything that a peer wrote passes `escape`. Without a script the page shows the last position and
all moves.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from mbp.report.chart import score_chart, x_of
from mbp.report.escape import data, markup
from mbp.report.script import script
from mbp.report.story import Step, Story, verdict
from mbp.report.style import sheet
from mbp.report.svg import element
from mbp.rules.contract import SEATS
from mbp.rules.picture import WIDTH, Picture

START = '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
MARK = '<meta name="generator" content="mbp">'

# Buttons below the board: id, sign (as text, not as a picture of it), what it says aloud.
STEERING = (
    ("first", "|◀\ufe0e", "First entry"),
    ("lastgreat", "★◀\ufe0e", "Great event before"),
    ("back", "◀\ufe0e", "Back"),
    ("next", "▶\ufe0e", "Next"),
    ("nextgreat", "▶\ufe0e★", "Next great event"),
    ("end", "▶\ufe0e|", "Last entry"),
)
KEYS = (
    "Keys: ← and → one entry, Home and End. While the slider, a button or a move has the focus: "
    "n and p the next and the previous great event; in the list of moves ↑ and ↓ as well."
)


def is_page(data: bytes) -> bool:
    """Whether a file that begins like this is a page of mbp, and so may be written anew."""
    return data.startswith(START.encode("ascii")) and MARK.encode("ascii") in data


def document(title: str, body: str, code: str = "", *, extra: str = "") -> str:
    """A whole page around a body; `extra` goes behind the body: data for the script."""
    style = sheet()
    allowed = f"script-src '{_digest(code)}'; " if code else ""
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; {allowed}img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    run = f"{extra}<script>{code}</script>" if code else ""
    return (
        f'{START}<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'{MARK}<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="referrer" content="no-referrer"><link rel="icon" href="data:,">'
        f"<title>{markup(title)}</title><style>{style}</style></head>"
        f"<body>{body}{run}</body></html>\n"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}"


Shots = Sequence[Picture | None]  # the board at each step, None before play begins


def page(story: Story, *, home: str = "") -> str:
    """The replay page of a match; `home` is a relative link to the index of its site."""
    back = f'<p><a href="{markup(home)}">All matches</a></p>' if home else ""
    shots = [story.picture(step) for step in story.steps]
    header = f"<header>{back}<h1>{markup(story.title)}</h1>{verdict_box(story)}</header>"
    body = (
        f'{header}<main><div class="two" id="player"><section class="stage" aria-label="Board">'
        f'{_board(shots)}<div class="control">{_steering(story)}{_now(story)}</div>'
        f"{_words(shots[-1])}</section>"
        f'<section aria-label="Moves and score"><h2 id="list">Moves</h2>{_moves(story.steps)}'
        f"<h2>Score by entry</h2>{score_chart(story)}</section></div>{_facts(story)}</main>"
        f'<footer class="faint">{KEYS}</footer>'
    )
    block = f'<script type="application/json" id="data">{data(_data(story, shots))}</script>'
    return document(story.title, body, script(), extra=block)


def verdict_box(story: Story) -> str:
    """What the audit says, and how the match stands."""
    found, report = verdict(story.report), story.report
    held = ""
    if report.evidence:
        held = " Shown is the first of them."
    elif not found.ok and report.findings[0].seq is not None:
        held = " Shown is what stands before that entry."
    bad = " bad" if report.evidence or not found.ok else ""
    return (
        f'<div class="verdict{bad}"><p><strong>{found.word}</strong>: '
        f"{markup(found.said)}.{held}</p><p>{markup(story.stands)}</p></div>"
    )


def _board(shots: Shots) -> str:
    """The last position; a script puts others in its place."""
    height = max((shot.height for shot in shots if shot), default=200)
    last = shots[-1]
    drawn = "".join(map(element, last.shapes)) if last else ""
    return (
        f'<svg class="board" id="board" viewBox="-2 -2 {WIDTH + 4} {height + 4}" role="img" '
        f'aria-label="The board; it stands in words below">{drawn}</svg>'
    )


def _words(shot: Picture | None) -> str:
    """The same in words."""
    said = "".join(f"<li>{markup(line)}</li>" for line in (shot.words if shot else ()))
    return (
        "<details><summary>The board in words</summary>"
        f'<ul class="words" id="words">{said}</ul></details>'
    )


def _steering(story: Story) -> str:
    last = len(story.steps) - 1
    great = any(step.great for step in story.steps)
    buttons = [one for one in STEERING if great or not one[0].endswith("great")]
    made = "".join(
        f'<button type="button" id="{name}" aria-label="{label}" title="{label}">{sign}</button>'
        for name, sign, label in buttons
    )
    slider = (
        f'<input type="range" id="slider" min="0" max="{last}" value="{last}" '
        'aria-label="Entry of the match">'
    )
    return f'<div class="steer" id="steer" hidden>{slider}<div>{made}</div></div>'


def _now(story: Story) -> str:
    step = story.steps[-1]
    return (
        '<div class="now" aria-live="polite">'
        f'<p class="faint" id="who">Entry {step.seq}, {markup(_heading(step))}</p>'
        f'<p id="what">{markup(step.text)}</p><p class="note" id="note">{_quoted(step.note)}</p>'
        "</div>"
    )


def _heading(step: Step) -> str:
    return f"{step.by} {step.name}, {step.time.replace('T', ' ').removesuffix('Z')} UTC"


def _quoted(note: str) -> str:
    return f"“{markup(note)}”" if note else ""


def _moves(steps: Sequence[Step]) -> str:
    """All entries as a list of buttons, of which one takes the focus; readable without a script."""
    items = []
    for step in steps:
        note = f'<span class="note">{_quoted(step.note)}</span>' if step.note else ""
        score = f"{step.scores[0]}:{step.scores[1]}"
        text = f"{'★ ' if step.great else ''}{markup(f'{step.by} {step.text}')}"
        apart = "" if step is steps[-1] else ' tabindex="-1"'
        items.append(
            f'<li><button type="button"{apart}><span class="q">{step.seq}</span>'
            f'<span>{text}</span><span class="q">{score}</span>{note}</button></li>'
        )
    return f'<ol class="moves" id="moves" aria-labelledby="list">{"".join(items)}</ol>'


def _facts(story: Story) -> str:
    """Options, keys and times, as the file has them."""
    match = story.match
    chosen = ", ".join(f"{name} {value}" for name, value in match.position.options.items())
    shown = " and ".join(match.disclosed_secrets()) or "nobody"
    rows = [
        ("Match", match.id),
        ("Options", chosen),
        *((f"{seat}, {story.names[seat]}", match.players[seat].key_text)
          for seat in SEATS if seat in match.players),
        ("Begun", story.steps[0].time),
        ("Newest entry", story.steps[-1].time),
        *([("Cards disclosed by", shown)] if match.game.copies else []),
    ]  # fmt: skip
    return f"<h2>The match</h2>{pairs(rows)}"


def pairs(rows: Iterable[tuple[str, str]]) -> str:
    """Names and values as a description list."""
    inner = "".join(f"<dt>{markup(name)}</dt><dd>{markup(value)}</dd>" for name, value in rows)
    return f"<dl>{inner}</dl>"


def _data(story: Story, shots: Shots) -> dict[str, Any]:
    """What the script needs: each shape and each sentence once, and the steps by number."""
    shapes: dict[str, int] = {}
    words: dict[str, int] = {}
    steps = []
    for step, found in zip(story.steps, shots, strict=True):
        tree: dict[str, Any] = {"h": _heading(step), "t": step.text, "x": x_of(story, step.seq)}
        if step.note:
            tree["n"] = step.note
        if step.great:
            tree["g"] = 1
        if found is not None:
            tree["s"] = [shapes.setdefault(element(one), len(shapes)) for one in found.shapes]
            tree["w"] = [words.setdefault(line, len(words)) for line in found.words]
        steps.append(tree)
    return {"shapes": list(shapes), "words": list(words), "steps": steps}
