"""`mbp export`: which form, which files, what is written over, and the site of an archive."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from tests.cli.test_audit import mbp_run
from tests.report.stories import PATTERNS, ROOT, SHORT
from tests.report.test_page import seen

PAGE = re.compile(r"[0-9a-f]{16}-[0-9a-f]{16}\.html")
AROUND = {"index.html", "standings.html", "stats.html"}
STARTS = {
    "html": "<!doctype html>",
    "svg": "<svg ",
    "txt": "Patterns: ",
    "json": "{",
    "csv": "seq,",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an archive `games` of two matches."""
    (tmp_path / "games").mkdir()
    for path in (PATTERNS, SHORT):
        shutil.copy(path, tmp_path / "games" / path.name)
    return tmp_path


def pages_of(folder: Path, site: str = "site") -> set[str]:
    """The names of the pages of matches in a site."""
    return {path.name for path in (folder / site).iterdir()} - AROUND


@pytest.mark.parametrize("form", STARTS)
def test_the_ending_of_the_file_says_what_is_made(folder: Path, form: str) -> None:
    name = f"match.{form}"
    assert mbp_run(folder, "export", str(PATTERNS), "-o", name) == (0, f"{name}\n", "")
    assert (folder / name).read_text(encoding="utf-8").startswith(STARTS[form])
    code, _, err = mbp_run(folder, "export", str(PATTERNS), "-o", "match", "--to", form)
    assert (code, err) == (0, "")
    assert (folder / "match").read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize("argv", [
    ("match", "--to", "svg", "-o", "a.html"), ("match", "--to", "html", "-o", "a.SVG"),
    ("match", "--at", "3"), ("match", "--at", "3", "--to", "json"), ("match", "--jobs", "2"),
    ("games", "-o", "site", "--at", "3"), ("games", "-o", "site.svg"), ("games", "--to", "html"),
    ("games", "--to", "html", "-o", "-"), ("games/*", "--to", "txt"), ("match", "--to", "pdf"),
])  # fmt: skip
def test_what_cannot_be_meant_is_refused(folder: Path, argv: tuple[str, ...]) -> None:
    named = [str(PATTERNS) if word == "match" else word for word in argv]
    code, out, err = mbp_run(folder, "export", *named)
    assert (code, out) == (2, "")
    assert err.startswith("mbp: invalid value for ")
    assert sorted(path.name for path in folder.iterdir()) == ["games"]


def test_no_game_is_written_over_whatever_stands_in_it(folder: Path) -> None:
    marks = '# <meta name="generator" content="mbp"> <svg class="board">\n'
    game = folder / "games" / SHORT.name
    game.write_text(marks + SHORT.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "odd").write_bytes(game.read_bytes())
    for form in ("html", "svg"):
        for target in (f"games/{SHORT.name}", "odd"):
            code, out, _ = mbp_run(folder, "export", str(PATTERNS), "--to", form, "-o", target)
            assert (code, out) == (1, "")
        assert mbp_run(folder, "export", str(PATTERNS), "-o", "new.mbp.yaml")[0] == 1
        assert mbp_run(folder, "export", str(PATTERNS), "-o", "e.mbp-fork.yaml")[0] == 1
    assert (folder / "odd").read_bytes() == game.read_bytes()
    assert game.read_text(encoding="utf-8").startswith(marks)


def test_pages_and_pictures_of_mbp_are_written_anew_and_others_stay(folder: Path) -> None:
    for name in ("a.html", "a.svg"):
        for _ in range(2):
            assert mbp_run(folder, "export", str(PATTERNS), "-o", name)[0] == 0
        own = f'<div class="board">my own {name}</div>'
        (folder / name).write_text(own, encoding="utf-8")
        code, _, err = mbp_run(folder, "export", str(PATTERNS), "-o", name)
        assert (code, "is there already" in err) == (1, True)
        assert (folder / name).read_text(encoding="utf-8") == own


def test_a_site_has_a_page_for_each_match_and_the_index_leads_to_it(folder: Path) -> None:
    assert mbp_run(folder, "export", "games", "-o", "site")[0] == 0
    index = seen((folder / "site" / "index.html").read_text(encoding="utf-8"))
    links = {at["href"] for tag, at in index.elements if tag == "a"}
    pages = pages_of(folder)
    assert len(pages) == 2
    assert all(PAGE.fullmatch(name) for name in pages)
    assert links == pages | {"standings.html", "stats.html"}
    for name in pages:
        text = (folder / "site" / name).read_text(encoding="utf-8")
        assert "Verified: all" in seen(text).text
        assert '<a href="index.html">All matches</a>' in text


def test_two_files_of_one_match_have_a_page_each(folder: Path) -> None:
    text = PATTERNS.read_text(encoding="utf-8")
    wrong = text.replace('score: "31:39"', 'score: "39:31"')
    assert wrong != text
    (folder / "games" / "0.mbp.yaml").write_text(wrong, encoding="utf-8")
    assert mbp_run(folder, "export", "games", "-o", "site")[0] == 4
    index = (folder / "site" / "index.html").read_text(encoding="utf-8")
    rows = re.findall(r'<tr><td class="n"><a href="([^"]*)".*?</td><td class="n">(.*?)</td>', index)
    assert len(rows) == len(pages_of(folder)) == 3
    for name, audit in rows:
        page = seen((folder / "site" / name).read_text(encoding="utf-8")).text
        assert ("Verified" in page) == (audit == "holds")
        assert ("Does not hold" in page) == ("does not hold" in audit)


def test_pages_of_matches_that_are_gone_are_removed_and_nothing_else(folder: Path) -> None:
    assert mbp_run(folder, "export", "games", "-o", "site")[0] == 0
    old, site = pages_of(folder), folder / "site"
    for name in ("mine.html", "0123456789abcdef-0123456789abcdef.html", "style.css"):
        (site / name).write_text("<!doctype html>mine", encoding="utf-8")
    (folder / "games" / SHORT.name).unlink()
    assert mbp_run(folder, "export", "games", "-o", "site")[0] == 0
    kept = pages_of(folder)
    assert len(kept & old) == 1
    assert kept - old == {"mine.html", "0123456789abcdef-0123456789abcdef.html", "style.css"}


def test_a_site_that_was_interrupted_can_be_made_again(folder: Path) -> None:
    for number in range(40):
        shutil.copy(SHORT, folder / "games" / f"{number}.mbp.yaml")
    argv = ["export", "games", "-o", "site", "--jobs", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "mbp", *argv], cwd=folder, stderr=subprocess.DEVNULL,
        env={"PYTHONPATH": str(ROOT), "MBP_HOME": "nobody"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    site = folder / "site"
    end = time.monotonic() + 60
    while not (site.is_dir() and any(PAGE.fullmatch(path.name) for path in site.iterdir())):
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert "not complete" in (site / "index.html").read_text(encoding="utf-8")
    assert mbp_run(folder, "export", "games", "-o", "site") == (0, "site/index.html\n", "")
    assert "42 of 42 files hold" in (site / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["stats.html", "index.html", "page"])
def test_a_site_is_never_written_through_a_link(folder: Path, name: str) -> None:
    assert mbp_run(folder, "export", "games", "-o", "site")[0] == 0
    path = folder / "site" / (min(pages_of(folder)) if name == "page" else name)
    victim = folder / "victim"
    path.rename(victim)  # even a page of ours: the link is somebody else's
    path.symlink_to(victim)
    before = victim.read_bytes()
    shutil.copy(SHORT, folder / "games" / "more.mbp.yaml")
    assert mbp_run(folder, "export", "games", "-o", "site")[0] == 1
    assert victim.read_bytes() == before
    assert path.is_symlink()


def test_a_page_of_somebody_else_in_a_site_stays(folder: Path) -> None:
    assert mbp_run(folder, "export", "games", "-o", "site")[0] == 0
    (folder / "site" / "stats.html").write_text("mine", encoding="utf-8")
    code, _, err = mbp_run(folder, "export", "games", "-o", "site")
    assert (code, "stats.html is there already" in err) == (1, True)
    assert (folder / "site" / "stats.html").read_text(encoding="utf-8") == "mine"


def test_archives_globs_and_revisions_become_sites_too(folder: Path) -> None:
    with zipfile.ZipFile(folder / "g.zip", "w") as packed:
        for path in (folder / "games").iterdir():
            packed.write(path, f"games/{path.name}")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for argv in (["init", "-q"], ["add", "games"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *argv], cwd=folder, check=True)
    made = []
    for place, text in enumerate(("games", "g.zip", "games/*", "HEAD:games/", "HEAD:games")):
        code, _, err = mbp_run(folder, "export", text, "-o", f"site{place}")
        assert (code, err) == (0, "")
        made.append(pages_of(folder, f"site{place}"))
    assert made == [made[0]] * 5
    code, out, _ = mbp_run(folder, "export", f"HEAD:games/{SHORT.name}", "--to", "csv")
    assert (code, out) == (0, mbp_run(folder, "export", str(SHORT), "--to", "csv")[1])


def test_what_goes_into_a_pipe_is_utf_8_whatever_the_locale(folder: Path) -> None:
    environ = {"PYTHONPATH": str(ROOT), "MBP_HOME": "nobody", "PYTHONIOENCODING": "latin-1"}
    for argv in (("export", str(PATTERNS)), ("standings", "games", "--json")):
        found = subprocess.run(
            [sys.executable, "-m", "mbp", *argv], cwd=folder, env=environ, capture_output=True,
            check=True,
        )  # fmt: skip
        assert "Bó" in found.stdout.decode("utf-8")
        assert found.stdout.decode("utf-8") == mbp_run(folder, *argv)[1]
