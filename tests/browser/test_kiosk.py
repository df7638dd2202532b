"""A tablet that stands at the table: awake on plain http, on the whole screen, and from the home screen."""

from __future__ import annotations

import json

import pytest

from pi.rules import commands as ask
from tests.builders import start
from tests.web.builders import house, served

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLAIN_HTTP = "delete Navigator.prototype.wakeLock;"
"""What a page on plain http finds: only https and this very machine may hold the screen by the proper way."""


@pytest.fixture
def port(tmp_path):
    home = house(tmp_path)
    home.play(start(), ask.Next(0))
    with served(home.app) as port:
        yield port


def test_on_plain_http_a_silent_film_keeps_the_screen_awake_after_the_first_touch(port, chromium):
    board = chromium.page("landscape")
    board.add_init_script(PLAIN_HTTP)
    board.goto(f"http://127.0.0.1:{port}/")
    assert board.evaluate("'wakeLock' in navigator") is False
    expect(board.locator("#awake")).to_have_count(0)
    board.mouse.click(640, 400)
    board.wait_for_function("() => document.getElementById('awake')?.currentTime > 0")
    film = board.evaluate("(({ muted, loop, paused }) => [muted, loop, paused])(document.getElementById('awake'))")
    assert film == [True, True, False]
    assert board.locator("#awake").get_attribute("aria-hidden") == "true"


def test_the_whole_screen_is_one_tap_there_and_one_back(port, chromium):
    board = chromium.open(f"http://127.0.0.1:{port}/", "landscape")
    key = board.get_by_role("button", name="Whole screen")
    key.click()
    expect(key).to_have_attribute("aria-pressed", "true")
    key.click()
    expect(key).to_have_attribute("aria-pressed", "false")


def test_the_home_screen_finds_its_name_its_icons_and_a_whole_screen(port, chromium):
    page = chromium.open(f"http://127.0.0.1:{port}/", "phone")
    address = page.evaluate("document.querySelector('link[rel=manifest]').href")
    told = json.loads(page.request.get(address).text())
    assert (told["name"], told["start_url"], told["display"]) == ("Feltside", "/", "fullscreen")
    for icon in told["icons"]:
        answer = page.request.get(f"http://127.0.0.1:{port}{icon['src']}")
        assert answer.ok
        width = int.from_bytes(answer.body()[16:20], "big")
        assert f"{width}x{width}" == icon["sizes"]
