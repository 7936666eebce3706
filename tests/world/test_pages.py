"""The exported pages in a real browser: they open, step, ask nobody, and are accessible."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mbp.report.facts import Facts, facts_of
from mbp.report.index import index_page
from mbp.report.page import page
from mbp.report.svg import alone
from tests.cli.test_audit import mbp_run
from tests.report.stories import CLOSED, DISCLOSED, PATTERNS, ROOT, examined, hostile, story
from tests.world.browser import Browser

pytestmark = pytest.mark.world

SIZES = (360, 1280)
GRAVE = ("serious", "critical")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One Chromium for all tests here."""
    with Browser(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each kind, and the site of the archive."""
    folder = tmp_path_factory.mktemp("pages")
    stories = {"mandala": story(DISCLOSED), "hidden": story(CLOSED), "patterns": story(PATTERNS),
               "hostile": hostile()}  # fmt: skip
    found = {}
    for name, tale in stories.items():
        found[name] = folder / f"{name}.html"
        found[name].write_text(page(tale), encoding="utf-8")
    code, _, err = mbp_run(folder, "export", str(ROOT / "games"), "-o", "site")
    assert (code, err) == (0, "")
    for path in (folder / "site").glob("[is]*.html"):
        found[path.stem] = path
    return found


KINDS = ("mandala", "hidden", "patterns", "hostile", "index", "standings", "stats")
MATCHES = KINDS[:4]


def opened(browser: Browser, path: Path) -> None:
    """Opens a page and makes sure that it kept quiet and asked for nothing."""
    browser.open(path)
    assert browser.page.console == []
    assert browser.page.requests == [path.as_uri()]


@pytest.mark.parametrize("kind", MATCHES)
def test_a_page_opens_and_steps(browser: Browser, pages: dict[str, Path], kind: str) -> None:
    browser.look(1280)
    opened(browser, pages[kind])
    last = browser.evaluate("Number(document.getElementById('slider').max)")
    assert last > 3
    assert text_of(browser, "who").startswith(f"Entry {last},")
    drawn = browser.evaluate("document.getElementById('board').innerHTML")
    browser.press("ArrowLeft")
    assert text_of(browser, "who").startswith(f"Entry {last - 1},")
    browser.press("ArrowRight")
    assert browser.evaluate("document.getElementById('board').innerHTML") == drawn
    browser.evaluate("document.querySelectorAll('.moves button')[3].click()")
    assert browser.evaluate("document.getElementById('board').innerHTML") != drawn
    browser.press("Home")
    assert text_of(browser, "what").startswith("invites to")
    browser.press("ArrowLeft")
    assert text_of(browser, "who").startswith("Entry 0,")
    browser.evaluate("document.querySelectorAll('.moves button')[3].click()")
    assert text_of(browser, "who").startswith("Entry 3,")
    assert browser.evaluate("document.querySelector('[aria-current=step] .q').textContent") == "3"
    slider = "document.getElementById('slider')"
    browser.evaluate(f"{slider}.value = 2; {slider}.dispatchEvent(new Event('input'))")
    assert text_of(browser, "who").startswith("Entry 2,")
    assert browser.page.console == []
    assert browser.page.requests == [pages[kind].as_uri()]


def text_of(browser: Browser, name: str) -> str:
    """The text of an element by its id."""
    found = browser.evaluate(f"document.getElementById('{name}').textContent")
    assert isinstance(found, str)
    return found


def test_n_goes_to_the_next_great_event(browser: Browser, pages: dict[str, Path]) -> None:
    browser.look(1280)
    opened(browser, pages["mandala"])
    browser.press("Home")
    browser.press("n")  # WCAG 2.1, 2.1.4: a letter alone does nothing but where the focus is
    assert text_of(browser, "who").startswith("Entry 0,")
    browser.evaluate("document.getElementById('slider').focus()")
    browser.press("n")
    assert "is complete" in text_of(browser, "what")
    first = text_of(browser, "who")
    browser.press("n")
    browser.press("p")
    assert text_of(browser, "who") == first
    browser.evaluate("document.getElementById('nextgreat').click()")
    assert text_of(browser, "who") != first
    browser.evaluate("document.getElementById('lastgreat').click()")
    assert text_of(browser, "who") == first


def test_one_move_of_the_list_takes_the_focus(browser: Browser, pages: dict[str, Path]) -> None:
    browser.look(1280)
    opened(browser, pages["mandala"])
    last = browser.evaluate("Number(document.getElementById('slider').max)")
    stops = "[...document.querySelectorAll('.moves button')].map(one => one.tabIndex)"
    assert browser.evaluate(stops) == [-1] * last + [0]
    browser.evaluate("document.querySelector('.moves button[tabindex=\"0\"]').focus()")
    browser.press("ArrowUp")
    browser.press("ArrowUp")
    browser.press("ArrowDown")
    browser.press("ArrowLeft")
    assert text_of(browser, "who").startswith(f"Entry {last - 2},")
    assert browser.evaluate("document.activeElement.firstChild.textContent") == str(last - 2)
    assert browser.evaluate(stops) == [-1] * (last - 2) + [0, -1, -1]
    browser.evaluate("document.activeElement.blur()")
    browser.press("ArrowUp")
    assert text_of(browser, "who").startswith(f"Entry {last - 2},")


def test_a_held_key_does_not_trouble_the_browser(browser: Browser, pages: dict[str, Path]) -> None:
    browser.look(1280)
    opened(browser, pages["mandala"])
    for _ in range(6):  # more steps than a browser lets a page set its address
        browser.evaluate(
            "for (const key of [...Array(59).fill('ArrowLeft'), ...Array(59).fill('ArrowRight')])"
            " document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))"
        )
    browser.press("ArrowLeft")
    browser.wait_for("location.hash === '#58'")
    assert browser.page.console == []


def test_the_address_leads_to_an_entry(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["mandala"])
    browser.evaluate("location.hash = '#9'; location.reload()")
    browser.wait_for("document.getElementById('who')?.textContent.startsWith('Entry 9,')")


def test_a_hostile_text_does_nothing_but_stand_there(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.look(360)
    opened(browser, pages["hostile"])
    for _ in range(6):
        browser.press("ArrowLeft")
    assert browser.evaluate("document.images.length") == 0
    assert browser.evaluate("document.scripts.length") == 2
    assert browser.page.console == []


def test_the_policy_stops_what_an_injection_would_do(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.open(pages["mandala"])
    browser.evaluate(
        "window.ran = 0; document.body.insertAdjacentHTML('beforeend', "
        '\'<img src="https://example.org/x.png" onerror="window.ran = 1">\')'
    )
    browser.wait_for("document.images[0].complete")
    assert browser.evaluate("window.ran") == 0
    assert browser.page.barred == ["csp"]


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_page_is_wider_than_its_window(
    browser: Browser, pages: dict[str, Path], kind: str, width: int
) -> None:
    browser.look(width)
    opened(browser, pages[kind])
    assert browser.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("kind", [*MATCHES, "stats"])
def test_no_text_of_a_drawing_is_too_small_on_a_phone(
    browser: Browser, pages: dict[str, Path], kind: str
) -> None:
    browser.look(360)
    opened(browser, pages[kind])
    sizes = browser.evaluate(
        "[...document.querySelectorAll('svg text')].map(text => "
        "parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"
    )
    assert len(sizes) > 8
    assert min(sizes) >= 11


@pytest.mark.parametrize("kind", MATCHES)
@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
def test_the_slider_is_in_sight_from_the_beginning(
    browser: Browser, pages: dict[str, Path], kind: str, size: tuple[int, int]
) -> None:
    browser.look(*size)
    opened(browser, pages[kind])
    for name in ("slider", "next"):
        found = browser.evaluate(
            f"(({{top, bottom}}) => [top, bottom])"
            f"(document.getElementById('{name}').getBoundingClientRect())"
        )
        assert 0 <= found[0] < found[1] <= size[1]
    board = browser.evaluate("document.getElementById('board').getBoundingClientRect().height")
    assert board > 300


@pytest.mark.parametrize("kind", MATCHES)
def test_the_letters_of_the_chart_do_not_cover_each_other(
    browser: Browser, pages: dict[str, Path], kind: str
) -> None:
    browser.look(360)
    opened(browser, pages[kind])
    boxes = browser.evaluate(
        "[...document.querySelectorAll('.chart text')].map(text => text.getBoundingClientRect())"
        ".map(box => [box.left, box.right, box.top, box.bottom])"
    )
    for place, one in enumerate(boxes):
        for two in boxes[:place]:
            beside = one[0] >= two[1] or two[0] >= one[1]
            assert beside or one[2] >= two[3] - 3 or two[2] >= one[3] - 3  # room below a letter


def test_a_phone_shows_what_matters_of_the_standings(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.look(360)
    opened(browser, pages["standings"])
    seen = browser.evaluate(
        "[...document.querySelectorAll('th')].filter(cell => cell.offsetWidth)"
        ".map(cell => [cell.textContent, cell.getBoundingClientRect().right])"
    )
    assert [name for name, _ in seen] == ["#", "Player", "Rating", "Wins", "Losses", "Points"]
    assert max(right for _, right in seen) <= 360


def test_a_line_of_the_index_is_readable_on_a_phone(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.look(360)
    opened(browser, pages["index"])
    narrow = browser.evaluate(
        "Math.min(...[...document.querySelectorAll('td:first-child')].map(one => one.offsetWidth))"
    )
    assert narrow >= 230
    lines = browser.evaluate(
        "[...document.querySelectorAll('td:last-child')].map(one => one.getClientRects().length && "
        "(range => (range.selectNodeContents(one), range.getClientRects().length))"
        "(document.createRange()))"
    )
    assert set(lines) == {1}  # `holds` in one line


def test_what_an_audit_says_leaves_room_for_the_match(browser: Browser, tmp_path: Path) -> None:
    said = f"two histories (fork): somebody has signed two different entries 4 {'x' * 60}"
    found = facts_of(examined(DISCLOSED))
    bad = replace(found, ok=False, said=said)
    rows = [(found, said), (bad, ""), (Facts("x.yaml", False, said), "")]
    path = tmp_path / "index.html"
    path.write_text(index_page("Matches", rows), encoding="utf-8")
    browser.look(360)
    opened(browser, path)
    assert browser.evaluate("document.querySelector('td').offsetWidth") >= 170
    assert browser.evaluate("document.documentElement.scrollWidth") <= 360


def test_every_page_of_a_site_is_reached_opens_and_leads_back(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.look(1280)
    opened(browser, pages["index"])
    links = browser.evaluate("[...document.querySelectorAll('td a')].map(link => link.href)")
    files = list((ROOT / "games").glob("*.mbp.yaml"))
    assert len(set(links)) == len(files)
    for link in links:
        browser.follow(f"td a[href='{link.rpartition('/')[2]}']")
        browser.press("ArrowLeft")
        last = browser.evaluate("Number(document.getElementById('slider').max)")
        assert text_of(browser, "who").startswith(f"Entry {last - 1},")
        browser.follow("header a")
    assert browser.page.console == []
    assert set(browser.page.requests) == {pages["index"].as_uri(), *links}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_serious(
    browser: Browser, pages: dict[str, Path], kind: str, dark: bool
) -> None:
    axe = Path(os.environ["AXE"]).read_text(encoding="utf-8")
    for width in SIZES:
        browser.look(width, dark=dark)
        opened(browser, pages[kind])
        browser.evaluate(f"{axe}; 0")
        found: list[dict[str, Any]] = browser.evaluate(
            "axe.run().then(result => result.violations.map(one => "
            "({id: one.id, impact: one.impact, at: one.nodes.map(node => node.html)})))"
        )
        assert [one for one in found if one["impact"] in GRAVE] == []


def test_a_picture_alone_is_drawn(browser: Browser, tmp_path: Path) -> None:
    for path in (DISCLOSED, PATTERNS):
        tale = story(path)
        picture = tale.picture(tale.steps[-1])
        assert picture is not None
        file = tmp_path / f"{path.stem}.svg"
        file.write_text(alone(picture, tale.title), encoding="utf-8")
        opened(browser, file)
        assert browser.evaluate("document.documentElement.nodeName") == "svg"
        assert browser.evaluate("document.querySelectorAll('.c').length") > 10


def test_every_letter_of_a_card_has_contrast(browser: Browser, pages: dict[str, Path]) -> None:
    """WCAG 2.1, 1.4.3: 4.5 to 1 for text of this size; computed from the colours as drawn."""
    for dark in (False, True):
        browser.look(1280, dark=dark)
        opened(browser, pages["patterns"])
        ratios = browser.evaluate(CONTRASTS)
        assert len(ratios) > 50
        assert min(ratios) >= 4.5


CONTRASTS = """
[...document.querySelectorAll('#board .c')].filter(card => !card.matches('.e')).map(card => {
  const light = colour => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map(value => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const pair = ['rect', 'text'].map(name => light(getComputedStyle(card.querySelector(name)).fill));
  return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
})
"""
