"""The tablet shows the truth or says that it is stale, and catches up by itself."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from pi.rules import commands as ask
from tests.browser.conftest import PATIENCE_MS, stop_clock
from tests.builders import lock, start, tray
from tests.web.builders import house, reserved, served
from web import words

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def home(tmp_path):
    found = house(tmp_path)
    found.play(start(), ask.Next(0))
    return found


def test_a_board_that_lost_the_server_says_so_and_catches_up(home, chromium, port):
    with served(home.app, port=port):
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


LISTEN = """window.calls = []; document.addEventListener("call", (e) => window.calls.push(e.detail.kind));
window.plays = 0; const play = Element.prototype.animate;
Element.prototype.animate = function (...given) { window.plays += 1; return play.apply(this, given); };"""


@pytest.fixture
def port():
    with reserved() as port:
        yield port


def watched(home, chromium, port):
    """Open a scoreboard that has called one lock-in, and stop its clock."""
    page = chromium.page("landscape")
    page.clock.install()
    page.add_init_script(LISTEN)
    page.goto(f"http://127.0.0.1:{port}/")
    page.locator("#view[data-seen]").wait_for()
    stop_clock(page)
    home.play(lock(1, 3))
    expect(page.locator("#lane-1")).to_contain_text("1st, locked in")
    return page


@pytest.mark.parametrize(("away_s", "plays"), [(0, True), (1, True), (20, True), (60, False), (600, False)])
def test_after_any_time_without_wifi_the_board_catches_up_and_says_nothing_twice(home, chromium, port, away_s, plays):
    """From nothing to 10 min: the tablet's own clock is turned on, the server is really gone meanwhile."""
    with served(home.app, port=port):
        page = watched(home, chromium, port)
    page.clock.fast_forward(away_s * 1000)
    page.clock.run_for(3000)
    assert page.locator("#stale").inner_text().startswith("No word from the table"), "said within 3 s"
    home.play(lock(2, 0, at=2.0), ask.RuleTotal(1, 3))
    with served(home.app, port=port):
        expect(page.locator(".truth")).to_be_attached()
        expect(page.locator("#stale")).to_be_hidden()
        expect(page.locator("#lane-1 .score")).to_have_text("7")
        calls, played = page.evaluate("[window.calls, window.plays > 0]")
        assert played == plays
        said_all = 3 + away_s <= 5
        assert calls == (["lock", "lock", "result"] if said_all else ["lock", "result"]), (
            "after a silence only the last"
        )
        page.clock.run_for(5000)
        assert page.evaluate("window.calls") == calls, "and nothing twice"


@pytest.mark.parametrize("restarted", [False, True])
def test_a_tablet_that_slept_wakes_to_the_truth(home, chromium, port, restarted):
    """Chromium freezes the page as it does on a tablet that sleeps; the service may have been restarted meanwhile."""
    with ExitStack() as stack:
        stack.enter_context(served(home.app, port=port))
        page = watched(home, chromium, port)
        cdp = page.context.new_cdp_session(page)
        cdp.send("Page.setWebLifecycleState", {"state": "frozen"})
        if restarted:
            stack.close()
            stack.enter_context(served(home.app, port=port))
        home.play(lock(2, 0, at=2.0), ask.RuleTotal(1, 3))
        cdp.send("Page.setWebLifecycleState", {"state": "active"})
        page.clock.fast_forward(600_000)
        expect(page.locator(".truth")).to_be_attached()
        expect(page.locator("#stale")).to_be_hidden()
        expect(page.locator("#lane-1 .score")).to_have_text("7")
        calls = page.evaluate("window.calls")
        assert calls[0] == "lock"
        assert calls[-1] == "result"
        assert calls.count("result") == 1
        assert calls.count("lock") <= 2, "two locked in, and none is called twice"


def test_twenty_tablets_lose_the_server_and_all_catch_up(home, chromium, port):
    with served(home.app, port=port):
        tablets = [chromium.open(f"http://127.0.0.1:{port}/", "phone") for _ in range(20)]
        home.play(lock(1, 3))
        for tablet in tablets:
            expect(tablet.locator("#lane-1")).to_contain_text("1st, locked in")
    for tablet in tablets:
        expect(tablet.locator("#stale")).to_contain_text("No word from the table")
    home.play(lock(2, 0, at=2.0), ask.RuleTotal(1, 3))
    with served(home.app, port=port):
        for tablet in tablets:
            expect(tablet.locator("#lane-1 .score")).to_have_text("7")
            expect(tablet.locator("#stale")).to_be_hidden()


def test_the_spectators_screen_goes_on_by_itself_and_says_when_it_is_old(home, chromium, port):
    home.play(ask.ReadTray(tray("\n".join(["? ? ? ? ? ? ? ? ? ?"] * 4), frame="f1")))
    with served(home.app, port=port):
        address = f"http://127.0.0.1:{port}"
        table = chromium.open(f"{address}/table", "landscape")
        table.get_by_role("button", name="Open the screen").click()
        table.goto(f"{address}/table")
        screen = chromium.open(address + table.locator("a.secret[href^='/watch']").get_attribute("href"), "landscape")
        expect(screen.locator("svg").first).to_be_visible()
        expect(screen.get_by_text("from place 1 of the queue")).to_be_visible()
        home.play(lock(1, 3))
        expect(screen.get_by_text("from place 2 of the queue")).to_be_visible()
        expect(screen.locator("#stale")).to_be_hidden()
    expect(screen.locator("#stale")).to_contain_text("No word from the table")
    expect(screen.get_by_text("from place 2 of the queue")).to_be_visible()
    with served(home.app, port=port):
        expect(screen.locator("#stale")).to_be_hidden()
