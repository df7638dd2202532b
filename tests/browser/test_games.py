"""Every game of turns in Chromium: tapped on the table's page, seen on the scoreboard, nothing cut off on a phone."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace

import pytest

from pi.rules import commands as ask
from pi.rules.values import Seat
from tests.browser.conftest import seen
from tests.browser.test_reveal import LISTEN
from tests.web.builders import house, served
from tests.web.tapping import tap
from tests.web.test_game_matches import begin, offered

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TAPS = {"draw-bridge": 15, "run-buster": 8, "runaround": 20, "palindromes": 8, "blob": 12, "divisors": 5}
"""Steps tapped at random before we look."""
BUTTON = {
    "run-buster": ".card.play form.act:not(:has(input[required])) button",
    "draw-bridge": ".card.play .layrow button",
}
"""What is tapped; elsewhere any square."""


@pytest.mark.parametrize("game", TAPS)
def test_a_tap_is_taken_and_seen_on_the_scoreboard(chromium, game: str, tmp_path: Path, monkeypatch):
    home, chance = house(tmp_path), random.Random(game)
    # The server's own dice fall the same way every time, so that the step looked at is always the same one.
    monkeypatch.setattr("web.playing.secrets", SimpleNamespace(randbelow=random.Random(game).randrange))
    browser = begin(home, game, "Ann", "Bob")
    for _ in range(TAPS[game]):
        home.told()
        tap(browser, chance.choice(offered(browser, game)), chance)
    home.told()
    before = home.table.seq
    with served(home.app) as port:
        board = chromium.page("landscape")
        board.add_init_script(LISTEN)
        board.goto(f"http://127.0.0.1:{port}/")
        table = chromium.open(f"http://127.0.0.1:{port}/table", "phone", scheme="light")
        chromium.shoot(board, f"game-{game}-board")
        chromium.shoot(table, f"game-{game}-phone")
        table.set_viewport_size({"width": 800, "height": 1280})
        chromium.shoot(table, f"game-{game}-table")
        if game == "draw-bridge":
            table.locator("#by-tapping").evaluate("node => node.open = true")
            table.locator(".layrow .pick span").first.click()
        selector = BUTTON.get(game, ".card.play .tap, .card.play form.act button")
        with table.expect_response(lambda answer: "/act/" in answer.url) as answer:
            table.locator(selector).first.click()
        assert answer.value.status == 200
        assert home.table.seq > before
        home.told()
        seen(board, home.table.seq)
        board.wait_for_function("() => window.plays > 0")
        assert board.evaluate("window.calls.length") == 1, "one step: called once, and shown"
        home.play(ask.AdjustPoints(Seat(1), 3, "cake"))
        seen(board, home.table.seq)
        board.wait_for_function("() => window.shown.includes('won-now flying')")  # what was won flies to the score
        home.play(ask.EndMatch("Supper."))
        seen(board, home.table.seq)
        board.wait_for_function("() => window.shown.includes('laurel')")  # who leads is crowned
        assert board.evaluate("window.calls.at(-1)") == "over: Supper."


def test_a_grid_is_handed_in_hidden_and_shown_when_all_are_in(chromium, tmp_path: Path):
    home = house(tmp_path)
    begin(home, "sums-grid", "Ann", "Bob")
    home.told()
    grids = {"Ann": "2 9 8 3 1 10 7 6 15", "Bob": "8 2 1 5 4 15 12 14 7"}
    with served(home.app) as port:
        board = chromium.page("landscape")
        board.add_init_script(LISTEN)
        board.goto(f"http://127.0.0.1:{port}/")
        board.locator("#view[data-seen]").wait_for()
        table = chromium.open(f"http://127.0.0.1:{port}/table", "phone", scheme="light")
        for name, grid in grids.items():
            form = table.locator(".card.play form.act").first
            form.get_by_label("Player").select_option(label=name)
            for place, number in enumerate(grid.split()):
                form.locator(f'input[name="n.{place}"]').fill(number)
            form.get_by_label("my last grid").check()
            if name == "Ann":
                chromium.shoot(table, "game-sums-grid-phone")
            with table.expect_response(lambda answer: "/act/" in answer.url) as answer:
                form.get_by_role("button", name="Hand in").click()
            assert answer.value.status == 200
            home.told()
            seen(board, home.table.seq)
            seen(table, home.table.seq)
            open_grids = board.locator("table.sums.open").count()
            assert open_grids == (2 if name == "Bob" else 0), "grids stay hidden until the last is in"
        assert board.locator("#lane-1 .score").inner_text() == "19"
        assert board.locator("#lane-2 .score").inner_text() == "26"
        board.wait_for_function("() => window.shown.includes('laurel')")  # 26 wins, and is crowned
        assert board.evaluate("window.plays") > 0
        assert board.evaluate("window.calls.length") == 3, "two grids and the end, each called once"
        board.locator("details summary", has_text="Every sum").first.click()
        chromium.shoot(board, "game-sums-grid-board")
