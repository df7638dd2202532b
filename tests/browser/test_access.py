"""WCAG 2.2 AA by axe in Chromium on every page, dark and light; tile colours for eyes that see fewer of them."""

from __future__ import annotations

import re
from itertools import combinations

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


# Machado, Oliveira, Fernandes 2009, severity 1: what is left of linear red, green, blue.
BLIND = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour: str) -> list[float]:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def seen(colour: str, eyes: str) -> list[float]:
    return [min(1.0, max(0.0, sum(m * p for m, p in zip(row, linear(colour), strict=True)))) for row in BLIND[eyes]]


def lightness(rgb: list[float]) -> float:
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


CSS = (ROOT / "web" / "static" / "feltside.css").read_text()


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


@pytest.mark.parametrize("eyes", BLIND)
def test_every_runs_line_stands_out_from_felt_for_every_eye(eyes):
    felt = lightness(seen("#101a16", eyes))  # each line lies on a dark edge of its own
    for tone in re.findall(r"--tone-\d: (#\w{6})", CSS):
        assert (lightness(seen(tone, eyes)) + 0.05) / (felt + 0.05) >= 3, "WCAG 1.4.11: non-text contrast"


@pytest.mark.parametrize("eyes", BLIND)
def test_right_and_wrong_do_not_rest_on_red_and_green(eyes):
    good, bad = (re.search(rf"--{name}: (#\w{{6}})", CSS)[1] for name in ("good", "bad"))
    for one, other in combinations((good, bad, "#f6f1e3"), 2):
        assert seen(one, eyes) != seen(other, eyes)
