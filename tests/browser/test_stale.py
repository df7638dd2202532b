"""The tablet shows the truth or says that it is stale, and catches up by itself."""

from __future__ import annotations

import pytest

from pi.rules import commands as ask
from tests.browser.conftest import PATIENCE_MS
from tests.builders import lock, start
from tests.web.builders import house, served
from web import words

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def home(tmp_path):
    found = house(tmp_path)
    found.play(start(), ask.Next(0))
    return found


def test_a_board_that_lost_the_server_says_so_and_catches_up(home, chromium):
    with served(home.app) as port:
        board = chromium.open(f"http://127.0.0.1:{port}/", "landscape")
        expect(board.locator("#lane-1")).to_contain_text("thinking")
        expect(board.locator("#stale")).to_be_hidden()
    banner = board.locator("#stale")
    expect(banner).to_contain_text("No word from the table", timeout=PATIENCE_MS)
    chromium.shoot(board, "stale-landscape")
    home.play(lock(1, 3))
    with served(home.app, port=port):
        expect(banner).to_be_hidden(timeout=PATIENCE_MS)
        expect(board.locator("#lane-1")).to_contain_text("1st, locked in")


def test_a_board_whose_table_is_away_says_so_and_goes_on(home, chromium):
    with served(home.app) as port:
        board = chromium.open(f"http://127.0.0.1:{port}/", "portrait")
        expect(board.locator("#stale")).to_be_hidden()
        home.room.desk._refresh(away=words.AWAY)
        expect(board.locator("#stale")).to_have_text(words.AWAY, timeout=PATIENCE_MS)
        expect(board.locator("#lane-2")).to_contain_text("thinking")
        home.play(lock(2, 0))
        expect(board.locator("#stale")).to_be_hidden(timeout=PATIENCE_MS)
        expect(board.locator("#lane-2")).to_contain_text("1st, locked in")


def test_what_is_being_typed_survives_news(home, chromium):
    with served(home.app) as port:
        table = chromium.open(f"http://127.0.0.1:{port}/table", "landscape")
        table.get_by_text("Adjust points").click()
        table.locator("#adjust input[name=why]").fill("a bonus for the cake")
        home.play(lock(1, 3))
        expect(table.locator("#headline")).to_contain_text("waiting for Bob")
        expect(table.locator("#adjust")).to_have_attribute("open", "")
        expect(table.locator("#adjust input[name=why]")).to_have_value("a bonus for the cake")


def test_without_script_the_pages_still_work(home, chromium):
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/table", "landscape", java_script_enabled=False)
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_text("On hold: Paused by the table.").first).to_be_visible()
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        page.goto(f"http://127.0.0.1:{port}/")
        expect(page.locator("#lane-1 .score")).to_have_text("0")


@pytest.mark.parametrize(("away_s", "plays"), [(1, True), (20, True), (60, False), (600, False)])
def test_after_any_time_without_wifi_the_board_catches_up_and_says_nothing_twice(home, chromium, away_s, plays):
    """From 1 s to 10 min: the tablet's own clock is turned on, the server is really gone meanwhile."""
    with served(home.app) as port:
        page = chromium.page("landscape")
        page.clock.install()
        page.add_init_script(
            "window.calls = []; document.addEventListener('call', (e) => window.calls.push(e.detail.kind));"
            "window.plays = 0; const play = Element.prototype.animate;"
            "Element.prototype.animate = function (...given) { window.plays += 1; return play.apply(this, given); };"
        )
        page.goto(f"http://127.0.0.1:{port}/")
        home.play(lock(1, 3))
        expect(page.locator("#lane-1")).to_contain_text("1st, locked in")
    page.clock.fast_forward(away_s * 1000)
    page.clock.run_for(3000)
    expect(page.locator("#stale")).to_contain_text("No word from the table")
    home.play(lock(2, 0, at=2.0), ask.RuleTotal(1, 3))
    with served(home.app, port=port):
        for _ in range(20):
            page.clock.run_for(1000)
            if page.locator(".truth").count():
                break
            page.wait_for_timeout(200)
        expect(page.locator("#stale")).to_be_hidden(timeout=PATIENCE_MS)
        expect(page.locator("#lane-1 .score")).to_have_text("7")
        calls, played = page.evaluate("[window.calls, window.plays > 0]")
        assert played == plays
        assert calls == ["lock", "result"], "after a silence only the last is called, and nothing twice"
        page.clock.run_for(5000)
        assert page.evaluate("window.calls") == calls
