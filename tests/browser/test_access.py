"""WCAG 2.2 AA by axe in Chromium on every page, dark and light; colours themselves: tests/web/test_colours.py."""

from __future__ import annotations

import re

import pytest

from pi.rules import commands as ask
from tests.builders import THREE_RUNS, lock, start, tray
from tests.conftest import ROOT
from tests.web.builders import evidence, house, served

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

AXE = (ROOT / "tests" / "browser" / "axe" / "axe.min.js").read_text()
RUN = """() => axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).then((found) =>
  found.violations.map((one) => `${one.id}: ${one.nodes.map((n) => n.target + " " + n.failureSummary).join(" | ")}`))"""
PAGES = {
    "board": "/",
    "table": "/table",
    "round": "/round/1",
    "tile": "/round/1?tile=0-0",
    "history": "/history",
    "match": "/history/m1",
    "replay": "/history/m1/replay?step=5",
    "german": "/?lang=de",
    "luck": "/round/1/luck",
    "mathematics": "/mathematics",
    "quests": "/quests",
    "rules": "/rules/run-buster",
    "teach": "/teach",
    "setup": "/setup",
    "doctor": "/doctor",
    "upkeep": "/upkeep",
    "watch": "/watch",
}


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    state = tmp_path_factory.mktemp("house")
    home = house(state)
    evidence(state / "evidence", "f1", THREE_RUNS.splitlines())
    home.play(start(), ask.Next(0), ask.ReadTray(tray(THREE_RUNS, frame="f1")), lock(1, 3), lock(2, 2, at=2.0))
    home.play(ask.CorrectTile(1, 0, 2, "4", by="table"))
    with served(home.app) as port:
        yield port


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(port, chromium, name):
    page = chromium.open(f"http://127.0.0.1:{port}{PAGES[name]}", "landscape", bypass_csp=True, reduced_motion="reduce")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.evaluate(AXE)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(RUN) == [], scheme


def test_axe_finds_nothing_on_a_seat(tmp_path, chromium):
    home = house(tmp_path)
    home.play(start(), ask.Next(0))
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/seat", "phone", bypass_csp=True)
        page.evaluate(AXE)
        assert page.evaluate(RUN) == []
        page.goto(f"http://127.0.0.1:{port}/table")
        page.goto(f"http://127.0.0.1:{port}" + page.locator("a.secret").first.get_attribute("href"))
        page.locator(".phonepad").wait_for()
        page.evaluate(AXE)
        assert page.evaluate(RUN) == []
        for key in page.locator(".disk-box, .lock-key").all():
            box = key.bounding_box()
            assert box["width"] >= 88, "big enough for a thumb that is not looked at"
            assert box["height"] >= 88


def test_no_cue_is_colour_alone(port, chromium):
    """Each tile colour has a shape of its own and its name; each run a number; right and wrong a sign."""
    parts = (ROOT / "web" / "templates" / "parts.html").read_text()
    shapes = dict(re.findall(r'colour (?:==|in) \(?"(\w+)"[^%]*%\}(<[^>]+>)', parts))
    assert {"red", "blue", "green", "purple"} <= set(shapes)
    assert len(set(shapes.values())) == len(shapes)
    page = chromium.open(f"http://127.0.0.1:{port}/round/1", "landscape")
    assert page.locator(".run.badge text").all_text_contents() == ["1", "2"]
    assert page.locator(".claims .icon").count() == 2
    assert page.locator(".claims .hear").all_inner_texts() == ["wrong", "right"]
