"""Pictures as SVG: one alone for a mail or a README, or the pieces that a page puts together.

A shape is one element that depends on nothing but the shape, so a page keeps each once and a
position as a list of them. No script, no reference to anything outside.
"""

from __future__ import annotations

from mbp.report.escape import markup
from mbp.report.style import BOARD, DARK, LIGHT
from mbp.rules.contract import LETTERS
from mbp.rules.picture import Card, Frame, Label, Picture, Shape

START = '<svg xmlns="http://www.w3.org/2000/svg" class="board"'


def element(shape: Shape) -> str:
    """A shape as one SVG element; the classes are those of `style`."""
    if isinstance(shape, Frame):
        size = f'width="{shape.width}" height="{shape.height}"'
        return f'<rect class="f" x="{shape.x}" y="{shape.y}" {size} rx="6"/>'
    if isinstance(shape, Label):
        kind = f"t {shape.style[:1]}{' r' if shape.right else ''}".rstrip()
        return f'<text class="{kind}" x="{shape.x}" y="{shape.y}">{markup(shape.text)}</text>'
    return _card(shape)


def _card(card: Card) -> str:
    middle = f"{card.width / 2:g}"
    kinds = {"up": f"k{card.colour}", "down": "d", "empty": "e"}
    letter = {"up": LETTERS[card.colour or 0], "down": "?", "empty": ""}[card.face]
    size = f'width="{card.width}" height="{card.height}"'
    parts = [f'<rect {size} rx="4"/>']
    lower = card.height - 4
    if letter:
        height = card.height / 2 + (-1 if card.note else 6)
        parts.append(f'<text x="{middle}" y="{height:g}">{letter}</text>')
    else:
        lower = card.height // 2 + 5
    if card.note:
        parts.append(f'<text class="n" x="{middle}" y="{lower}">{markup(card.note)}</text>')
    strong = " s" if card.strong else ""
    place = f'transform="translate({card.x} {card.y})"'
    return f'<g class="c {kinds[card.face]}{strong}" {place}>{"".join(parts)}</g>'


def is_picture(data: bytes) -> bool:
    """Whether a file that begins like this is a picture of mbp, and so may be written anew."""
    return data.startswith(START.encode("ascii"))


def alone(picture: Picture, title: str) -> str:
    """A picture as an SVG file, light or dark as its reader has it."""
    dark = f"@media(prefers-color-scheme:dark){{svg{{{DARK}}}}}"
    words = markup(". ".join(picture.words))
    size = f'viewBox="-8 -8 {picture.width + 16} {picture.height + 16}"'
    return (
        f'{START} {size} width="{picture.width + 16}" role="img" aria-labelledby="t w">'
        f'<title id="t">{markup(title)}</title><desc id="w">{words}</desc>'
        f"<style>svg{{{LIGHT}}}{dark}{BOARD}</style>"
        f'<rect class="ground" x="-8" y="-8" width="{picture.width + 16}" '
        f'height="{picture.height + 16}"/>'
        f"{''.join(map(element, picture.shapes))}</svg>\n"
    )
