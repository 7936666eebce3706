"""The replay page: what stands in it, and that no text of a peer becomes part of it."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from mbp import gamefile
from mbp.audit import examine
from mbp.report.page import page
from mbp.report.story import tell
from mbp.report.svg import alone
from tests.report.stories import CLOSED, DISCLOSED, EVIL, PATTERNS, ROOT, hostile, story

LARGEST = 300_000  # bytes, the aim for a page


class Seen(HTMLParser):
    """The elements of a page, and the text outside of scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside = tag

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside not in ("script", "style"):
            self.text += data


def seen(text: str) -> Seen:
    """A page as a browser takes it apart."""
    found = Seen()
    found.feed(text)
    return found


def data_of(text: str) -> Any:
    """The page's data block."""
    block = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert block is not None
    return json.loads(block[1])


@pytest.mark.parametrize("path", [DISCLOSED, CLOSED, PATTERNS], ids=lambda path: path.stem)
def test_a_page_is_whole_and_small(path: Path) -> None:
    text = page(story(path))
    assert len(text.encode()) < LARGEST
    found = seen(text)
    assert {tag for tag, _ in found.elements} >= {"h1", "svg", "input", "button", "ol", "dl"}
    assert "Verified" in found.text
    for step in story(path).steps:
        assert step.text in found.text
    assert len(data_of(text)["steps"]) == len(story(path).steps)


@pytest.mark.parametrize("path", [DISCLOSED, PATTERNS], ids=lambda path: path.stem)
def test_nothing_leads_out_of_a_page_and_its_policy_allows_nothing_else(path: Path) -> None:
    text = page(story(path))
    for tag, attributes in seen(text).elements:
        assert tag not in ("iframe", "object", "embed", "base", "form", "img", "use", "image")
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        for name in ("src", "href", "action", "srcset", "xlink:href"):
            assert attributes.get(name, "data:,") == "data:,"
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; ")
    assert "unsafe" not in policy[1]
    style = re.search(r"<style>(.*?)</style>", text, re.S)
    code = re.search(r"<script>(.*?)</script>", text, re.S)
    assert style is not None
    assert code is not None
    for part in (style[1], code[1]):
        digest = base64.b64encode(sha256(part.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy[1]
    assert "url(" not in style[1]
    assert "://" not in text


def test_a_hostile_text_is_text() -> None:
    plain_page, evil_page = page(story(PATTERNS)), page(hostile())
    kinds = {tag for tag, _ in seen(plain_page).elements}
    found = seen(evil_page)
    assert {tag for tag, _ in found.elements} <= kinds
    assert EVIL in found.text
    assert len(re.findall("</script", evil_page)) == len(re.findall("</script", plain_page))
    steps = data_of(evil_page)["steps"]
    assert [step["n"] for step in steps if "n" in step].count(EVIL) == 3
    for shape in data_of(evil_page)["shapes"]:
        assert "<img" not in shape
        assert "</script" not in shape


def test_a_hostile_name_is_text_in_a_picture() -> None:
    tale = hostile()
    picture = tale.picture(tale.steps[-1])
    assert picture is not None
    found = seen(alone(picture, tale.title))
    assert {tag for tag, _ in found.elements} == {
        "svg",
        "title",
        "desc",
        "style",
        "rect",
        "text",
        "g",
    }
    assert EVIL in found.text


def test_hidden_cards_stay_hidden_and_disclosed_ones_are_open() -> None:
    closed, opened = (data_of(page(story(path))) for path in (CLOSED, DISCLOSED))
    hands = [line for line in closed["words"] if "hand" in line]
    assert hands
    assert all(re.fullmatch(r"[AB]'s hand: (\d+ face down|none)", line) for line in hands)
    assert not any("face down" in line for line in opened["words"] if "hand" in line)


def test_what_does_not_hold_is_said_and_shown_as_far_as_it_holds() -> None:
    record = story(DISCLOSED).match.record
    tree = {**record.log[20].tree, "act": "field 1 red 1"}
    entry = type(record.log[20])(tree)
    log = (*record.log[:20], entry, *record.log[21:])
    forged = gamefile.dump(type(record)(log, {}, (), record.summary))
    tale = tell(examine("forged", forged))
    text = seen(page(tale)).text
    assert len(tale.steps) == 20
    assert "Does not hold: entry 20 by" in text
    assert "the signature does not hold" in text


def test_every_shape_of_a_step_is_in_the_table() -> None:
    for path in (DISCLOSED, PATTERNS):
        found = data_of(page(story(path)))
        used = {number for step in found["steps"] for number in step.get("s", [])}
        assert used == set(range(len(found["shapes"])))


@pytest.mark.parametrize("path", [DISCLOSED, PATTERNS], ids=lambda path: path.stem)
def test_the_same_match_gives_the_same_page_in_another_process(path: Path) -> None:
    for seed in ("1", "2"):
        environ = {"PYTHONPATH": str(ROOT), "MBP_HOME": "nobody", "PYTHONHASHSEED": seed}
        found = subprocess.run(
            [sys.executable, "-m", "mbp", "export", str(path)],
            env=environ, capture_output=True, check=True,
        )  # fmt: skip
        assert found.stdout.decode("utf-8") == page(story(path))


def test_an_invitation_alone_has_a_page_without_a_board() -> None:
    tale = tell(examine("alone", gamefile.dump(story(CLOSED).match.at(0).record)))
    text = page(tale)
    assert "nobody yet" in seen(text).text
    assert [step.get("s") for step in data_of(text)["steps"]] == [None]
