"""The reveal is a moment: played once, in order, never twice, and calls are said once each."""

from __future__ import annotations

import re

import pytest

from pi.rules import commands as ask
from tests.browser.conftest import PATIENCE_MS, stop_clock
from tests.builders import THREE_RUNS, lock, start, tray
from tests.web.builders import evidence, house, reserved, served

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]

LISTEN = """window.calls = [];
document.addEventListener("call", (e) => window.calls.push(e.detail.kind + ": " + e.detail.text));
window.plays = 0; window.flips = 0; window.delays = new Map(); const play = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  window.plays += 1;
  window.delays.set(this, Math.max(window.delays.get(this) ?? 0, given[1].delay ?? 0));
  window.flips += JSON.stringify(given[0]).includes("rotateX");
  return play.apply(this, given);
};
window.shown = []; const append = Element.prototype.append;
Element.prototype.append = function (...given) {
  window.shown.push(...given.map((one) => one.className ?? ""));
  return append.apply(this, given);
};"""
"""Keeps what is called and what moves: on a busy machine a moment is over before anybody looks."""
LATER = """() => [...document.querySelectorAll(".said, .truth p, .run:not(.badge), .deed .icon")].map((node) => [
  node.matches(".truth p") ? "truth" : node.getAttribute("class").split(" ")[0],
  window.delays.get(node) ?? 0])"""
"""Every part of the reveal with the moment at which it is seen, in ms; also when it is long over."""


@pytest.fixture
def home(tmp_path):
    found = house(tmp_path)
    evidence(tmp_path / "evidence", "f1", THREE_RUNS.splitlines())
    found.play(start(), ask.Next(0), ask.ReadTray(tray(THREE_RUNS, frame="f1")), lock(2, 0))
    return found


def opened(chromium, port, **context):
    """Open the scoreboard and stop its clock: a machine that is slow makes no silence between two calls."""
    page = chromium.page("landscape", **context)
    page.clock.install()
    page.add_init_script(LISTEN)
    page.goto(f"http://127.0.0.1:{port}/")
    expect(page.locator("#lane-2")).to_contain_text("1st, locked in")
    page.locator("#view[data-seen]").wait_for()
    stop_clock(page)
    return page


def test_predictions_turn_over_in_queue_order_then_truth_then_runs_then_points(home, chromium):
    with served(home.app) as port:
        board = opened(chromium, port)
        home.play(lock(1, 3, at=2.0))
        expect(board.locator(".truth")).to_be_attached(timeout=PATIENCE_MS)
        when = board.evaluate(LATER)
        said = [at for name, at in when if name == "said"]
        truth, runs = dict(when)["truth"], [at for name, at in when if name == "run"]
        lanes = board.evaluate("[...document.querySelectorAll('.lane')].map((l) => [l.id, l.dataset.order])")
        assert lanes == [["lane-1", "1"], ["lane-2", "0"]]
        assert said[1] < said[0], "Bob locked in first: his prediction turns over first"
        assert len(runs) == 3
        assert max(said) < min(runs), "the runs light up after the predictions"
        assert sorted(runs) == runs, "one by one"
        assert len(set(runs)) == 3
        verdict = [at for name, at in when if name == "icon"]
        assert max(runs) < min(verdict)
        assert max(said) < truth < min(runs)
        chromium.keep(board, "reveal-1-turning")
        # Not waited for: every part is put where it is at that moment.
        board.evaluate(
            "(at) => document.getAnimations().forEach((one) => { one.pause(); one.currentTime = at; })", runs[1] + 200
        )
        chromium.keep(board, "reveal-2-runs")
        expect(board.locator("#lane-1 .score")).to_have_text("7")


@pytest.fixture
def port():
    with reserved() as port:
        yield port


def test_nothing_is_played_or_said_twice(home, chromium, port):
    with served(home.app, port=port):
        board = opened(chromium, port)
        assert board.evaluate("window.calls") == [], "what was there before is not news"
        home.play(lock(1, 3, at=2.0))
        expect(board.locator(".truth")).to_be_attached(timeout=PATIENCE_MS)
        board.mouse.click(5, 400)  # a touch ends the show
        assert (
            board.evaluate(
                "document.getAnimations().filter((a) => a.playState === 'running' && a.effect.getTiming().delay).length"
            )
            == 0
        )
        plays, calls = board.evaluate("[window.plays, window.calls]")
        assert plays > 8
        assert calls == ["lock: Ann, 2nd.", "result: Round 1: 3 runs. Ann is right: 7 points."]
    board.clock.run_for(3000)
    expect(board.locator("#stale")).to_contain_text("No word from the table")
    with served(home.app, port=port):
        expect(board.locator("#stale")).to_be_hidden()
        assert board.evaluate("[window.plays, window.calls]") == [plays, calls]
        home.play(ask.CorrectTile(1, 0, 2, "4"))
        expect(board.locator("#lane-1 .score")).to_have_text("0", timeout=PATIENCE_MS)
        assert board.evaluate("window.calls").pop().startswith("result: Corrected. Round 1: 2 runs. Nobody is right.")
        assert board.evaluate("window.flips") == 2, "the score moves, the predictions do not turn over again"
        said = len(board.evaluate("window.calls"))
        board.reload()
        expect(board.locator("#lane-1 .score")).to_have_text("0")
        board.locator("#view[data-seen]").wait_for()
        assert board.evaluate("[window.plays, window.calls]") == [0, []]
        assert said == 3


def test_the_winner_is_not_named_before_the_points_have_arrived(home, chromium):
    with served(home.app) as port:
        home.play(ask.AdjustPoints(1, 5, "cake"))
        board = opened(chromium, port)
        home.play(lock(1, 3, at=2.0))
        expect(board.locator(".truth")).to_be_attached()
        delays = board.evaluate("""() => ["#headline", ".truth p", "#lane-1 .score", "#lane-1 .name .icon"].map(
          (one) => window.delays.get(document.querySelector(one)))""")
        headline, truth, score, crown = delays
        assert board.locator("#headline").inner_text() == "Ann wins with 12."
        assert truth < score < headline == crown


def test_who_wants_little_motion_gets_the_truth_at_once(home, chromium):
    with served(home.app) as port:
        board = opened(chromium, port, reduced_motion="reduce")
        home.play(lock(1, 3, at=2.0))
        expect(board.locator(".truth")).to_be_visible(timeout=PATIENCE_MS)
        assert board.evaluate("window.plays") == 0
        assert board.evaluate("window.calls.length") == 2


def test_the_clock_of_the_round_runs_by_the_servers_time(home, chromium):
    with served(home.app) as port:
        board = opened(chromium, port, timezone_id="Asia/Tokyo")
        board.clock.resume()  # here it is to run, as soon as the server's next beat has told the time
        clock = board.locator(".eye .clock")
        expect(clock).to_have_text(re.compile(r"^\d+:\d\d$"), timeout=PATIENCE_MS)
        assert clock.get_attribute("data-opened") == "2026-11-21T19:30:45.000Z"
