"""Nothing jumps: not while the first page comes, and on the scoreboard not while a round is played."""

from __future__ import annotations

import pytest

from pi.rules import commands as ask
from tests.browser.conftest import SIZES, seen
from tests.builders import THREE_RUNS, lock, start, tray
from tests.web.builders import evidence, house, served

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHIFTS = """window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((one) => {
  window.shift += one.value; })).observe({type: "layout-shift", buffered: true});"""
PLACES = """() => [...document.querySelectorAll(".lane, .queue li, .pictured, #comfort, .bar nav")].map((node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return [node.localName, ...[x, y, width, height].map(Math.round)];
})"""
CUT = """() => [...document.querySelectorAll(".lane")].filter((lane) => {
  const comfort = document.getElementById("comfort").getBoundingClientRect(), box = lane.getBoundingClientRect();
  return box.bottom > innerHeight || (box.bottom > comfort.top && box.right > comfort.left);
}).map((lane) => lane.id)"""


def stays(page, places):
    """Wait until everything is where it was: a busy machine may lose the server for a moment, and says so above."""
    page.wait_for_function(f"(places) => JSON.stringify(({PLACES})()) === JSON.stringify(places)", arg=places)


@pytest.fixture
def home(tmp_path):
    found = house(tmp_path)
    evidence(tmp_path / "evidence", "f1", THREE_RUNS.splitlines())
    (tmp_path / "live.jpg").write_bytes((tmp_path / "evidence" / "f1.tray.jpg").read_bytes())
    found.play(start("Ann", "Bob", "Cleo", "Dan"), ask.Next(0), lock(2, 2))
    return found


def test_the_first_page_comes_without_a_jump(home, chromium):
    with served(home.app) as port:
        for size in SIZES:
            page = chromium.page(size)
            page.add_init_script(SHIFTS)
            for path in ("/", "/table"):
                page.goto(f"http://127.0.0.1:{port}{path}")
                seen(page, home.table.seq)
                assert page.evaluate("new Promise((done) => requestAnimationFrame(() => done(window.shift)))") == 0, (
                    path
                )
            page.context.close()


@pytest.mark.parametrize("size", ["landscape", "portrait"])
def test_the_scoreboard_stays_where_it_is_from_lock_in_to_reveal_and_all_of_it_is_seen(home, chromium, size):
    with served(home.app) as port:
        board = chromium.open(f"http://127.0.0.1:{port}/", size, reduced_motion="reduce")
        seen(board, home.table.seq)
        places = board.evaluate(PLACES)
        assert len(places) == 4 + 4 + 3
        home.play(lock(1, 3, at=2.0), ask.ReadTray(tray(THREE_RUNS, frame="f1")), lock(3, 1, at=3.0))
        seen(board, home.table.seq)
        stays(board, places)
        home.play(lock(4, 0, at=4.0))
        seen(board, home.table.seq)
        stays(board, places)
        assert board.evaluate(CUT) == []
        chromium.shoot(board, f"layout-{size}")
        home.play(ask.Next(9_000_000_000))
        seen(board, home.table.seq)
        stays(board, places)


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_is_wider_than_a_phone(home, chromium, language):
    home.play(lock(1, 3, at=2.0), lock(3, 1, at=3.0), lock(4, 0, at=4.0), ask.ReadTray(tray(THREE_RUNS, frame="f1")))
    home.play(ask.CorrectTile(1, 0, 2, "4", by="table"))
    with served(home.app) as port:
        page = chromium.page("phone")
        paths = ["/", "/setup", "/table", "/round/1", "/round/1?tile=0-0", "/round/1/luck", "/history", "/history/m1"]
        for path in [
            *paths,
            "/mathematics",
            "/doctor",
            "/upkeep",
            "/teach",
            "/quests",
            "/rules/scramble",
            "/seat",
            "/watch",
        ]:
            page.goto(f"http://127.0.0.1:{port}{path}{'&' if '?' in path else '?'}lang={language}")
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{path} is {wide} px too wide in {language}"
