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
        board.wait_for_function("window.plays > 0")
        assert board.evaluate("window.calls.length") == 1, "one step: called once, and shown"
        home.play(ask.AdjustPoints(Seat(1), 3, "cake"))
        seen(board, home.table.seq)
        board.wait_for_function("window.shown.includes('won-now flying')")  # what was won flies to the score
        home.play(ask.EndMatch("Supper."))
        seen(board, home.table.seq)
        board.wait_for_function("window.shown.includes('laurel')")  # who leads is crowned
        assert board.evaluate("window.calls.at(-1)") == "over: Supper."
