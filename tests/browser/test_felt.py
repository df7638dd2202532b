"""Under the live picture: the felt is shown empty, what is printed there is marked, and it is forgotten."""

from __future__ import annotations

import pytest

from pi.live import keep_live, thought_of, with_felt, with_outcomes
from pi.rules import commands as ask
from tests.browser.conftest import stop_clock
from tests.builders import start
from tests.vision.prints import INK, oval, printed
from tests.vision.trays import drawn
from tests.web.builders import house, served
from vision.drawing import TrayScene

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]

BARE = printed(drawn(scene=TrayScene(()), seed=5), oval((180.0, 214.0), (70.0, 22.0)), INK["white"], wide_mm=None)
PRINT = ((440.0, 700.0), (840.0, 700.0), (840.0, 830.0), (440.0, 830.0))


@pytest.fixture
def home(tmp_path):
    home = house(tmp_path)
    home.play(start(), ask.Next(0))
    thought = thought_of(None, width_px=BARE.shape[1])
    keep_live(
        home.room.live,
        BARE,
        number=1,
        thought=with_felt(thought, width_px=BARE.shape[1], printed=[PRINT], asked=[PRINT]),
    )
    return home


@pytest.mark.parametrize("size", ["landscape", "phone"])
def test_the_empty_tray_is_shown_by_two_taps_and_prints_are_marked(home, chromium, size):
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/table", size)
        own = page.locator("#live-now")
        expect(own.locator("polygon.printed")).to_have_count(1)
        expect(own.locator(".unread")).to_have_count(1)
        expect(own.locator(".eye-said")).to_contain_text("is known, and marked with dots: 1")
        key, form = page.get_by_role("button", name="The felt has prints"), own.locator(".felt-form")
        expect(form).to_be_hidden()
        key.click()
        expect(key).to_have_attribute("aria-expanded", "true")
        chromium.shoot(page, f"felt-{size}")
        form.get_by_role("button", name="Leave it").click()
        expect(form).to_be_hidden()
        for name in ("The tray is empty: know its felt", "It is empty, what is marked is printed", "Forget the felt"):
            key.click()
            form.get_by_role("button", name=name).click()
            expect(form).to_be_hidden()
    asked = [request["status"]["felt"]["do"] for request in home.table.asked if "status" in request]
    assert asked == ["keep", "printed", "forget"]
    assert chromium.complaints == []


@pytest.mark.parametrize("size", ["portrait", "phone"])
def test_before_a_match_the_felt_is_shown_under_a_picture_that_nobody_pays_for_while_it_is_folded(
    tmp_path, chromium, size
):
    """Before a match people set the tray up. A camera's pictures are asked for only while somebody sees them."""
    home, asked = house(tmp_path), []
    thought = with_outcomes(thought_of(None, width_px=BARE.shape[1]), ["felt-pieces"])
    keep_live(home.room.live, BARE, number=1, thought={**thought, "unread": [[0, 0, 9, 0, 9, 9, 0, 9]]})
    with served(home.app) as port:
        page = chromium.page(size)
        page.on("request", lambda request: asked.append(request.url) if "eye=1" in request.url else None)
        page.clock.install()
        page.goto(f"http://127.0.0.1:{port}/table")
        stop_clock(page)
        page.clock.run_for(5000)
        assert asked == [], "folded"
        chromium.shoot(page, f"felt-before-folded-{size}")
        page.locator("#live > summary").click()
        page.clock.run_for(1000)
        own = page.locator("#live-game")
        expect(own.locator(".eye-said")).to_contain_text("what is marked looks like a piece")
        expect(own.locator(".eye-said")).not_to_contain_text("is missing")
        page.get_by_role("button", name="The felt has prints").click()
        chromium.shoot(page, f"felt-before-{size}")
        own.get_by_role("button", name="It is empty, what is marked is printed").click()
        expect(own.locator(".felt-form")).to_be_hidden()
        page.locator("#live > summary").click()
        before = len(asked)
        page.clock.run_for(5000)
        assert len(asked) == before > 0, "folded again"
    assert [request["status"]["felt"]["do"] for request in home.table.asked] == ["printed"]
