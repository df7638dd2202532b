"""The issue: "clicking four corners the last". On the live picture, by finger, by keys, and with the real watcher."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from pi.journal import JournalReader
from pi.live import keep_live, thought_of
from pi.rules import commands as ask
from pi.stand_ins.launch import Household, free_port, write_settings
from pi.stand_ins.lookout import Lookout
from tests.browser.conftest import PATIENCE_MS
from tests.builders import start
from tests.conftest import PATIENCE_S
from tests.vision.trays import drawn, on_a_table_of_felt
from tests.web.builders import house, served

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]

TRAY = drawn(seed=6, markers=False)
CORNERS = np.array(TRAY.truth["tray"]["corners"], dtype=np.float64)
LOST = on_a_table_of_felt(TRAY)
START = {
    "command": "start-match",
    "game": "scramble",
    "players": [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Bob"}],
    "house": [["target", 99]],
}
ON_SCREEN = """([x, y]) => {
  const layer = document.querySelector("svg.rings");
  const at = new DOMPoint(x, y).matrixTransform(layer.getScreenCTM());
  return [at.x, at.y];
}"""
"""Where a point of the live picture is on the screen."""


def drag(page, number: int, to: tuple[float, float]) -> None:
    """Drag a ring, numbered from 0, to a point of the live picture."""
    box = page.locator(f"svg.rings g >> nth={number}").locator("circle >> nth=1").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(*page.evaluate(ON_SCREEN, list(to)), steps=4)
    page.mouse.up()


def in_live(corner: int) -> tuple[float, float]:
    """Return where a corner of the felt is in the live picture, half as large as the frame."""
    x, y = (CORNERS[corner] + 0.5) / 2
    return float(x), float(y)


@pytest.fixture
def home(tmp_path):
    home = house(tmp_path)
    home.play(start(), ask.Next(0))
    keep_live(home.room.live, LOST, number=1, thought=thought_of(None, width_px=LOST.shape[1]))
    return home


@pytest.mark.parametrize("size", ["landscape", "phone"])
def test_rings_are_dragged_tapped_and_moved_by_keys_and_sent_as_shares_of_the_picture(home, chromium, size):
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/table", size)
        page.get_by_role("button", name="Show the tray's corners").click()
        rings = page.locator("#live-now svg.rings g")
        expect(rings).to_have_count(4)
        expect(rings.first).to_have_attribute("aria-label", "1: top left")
        for corner in range(3):
            drag(page, corner, in_live(corner))
        page.mouse.click(*page.evaluate(ON_SCREEN, list(in_live(3))))  # a tap moves the nearest ring there
        rings.nth(0).focus()
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
            page.keyboard.press(key)
        chromium.shoot(page, f"corners-{size}")
        page.get_by_role("button", name="The tray lies there").click()
        expect(page.locator("svg.rings")).to_have_count(0)
        expect(page.locator("#live-now .corners-form")).to_be_hidden()
    (wish,) = (request["status"]["corners"] for request in home.table.asked if "status" in request)
    shares = (CORNERS + 0.5) / LOST.shape[1::-1]
    assert wish["do"] == "show"
    assert np.abs(np.array(wish["at"]) - shares).max() < 0.005
    assert chromium.complaints == []


def test_rings_that_are_being_put_survive_a_notice_that_comes_and_goes(home, chromium):
    """Met when tried: the notice that asks for the corners tore away what it asked for."""
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/table", "landscape")
        page.get_by_role("button", name="Show the tray's corners").click()
        drag(page, 0, in_live(0))
        at = page.locator("#live-now input[name=at]").input_value()
        for notices in ([{"what": "corners-lost"}], []):
            home.table.status = {**home.table.status, "eye": {**home.table.status["eye"], "notices": notices}}
            home.told()
            expect(page.locator("#noticed")).to_have_count(len(notices))
            expect(page.locator("#live-now svg.rings g")).to_have_count(4)
            assert page.locator("#live-now input[name=at]").input_value() == at
        page.keyboard.press("Escape")
        expect(page.locator("svg.rings")).to_have_count(0)
        expect(page.get_by_role("button", name="Show the tray's corners")).to_be_focused()
    assert chromium.complaints == []


def test_the_glass_shows_what_the_finger_hides_and_goes_with_it(home, chromium):
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/table", "phone")
        page.get_by_role("button", name="Show the tray's corners").click()
        glass = page.locator("#live-now .glass")
        expect(glass).to_be_hidden()
        page.mouse.move(*page.evaluate(ON_SCREEN, list(in_live(0))))
        page.mouse.down()
        expect(glass).to_be_visible()
        chromium.shoot(page, "corners-glass")
        page.mouse.up()
        expect(glass).to_be_hidden()
        page.get_by_role("button", name="Leave it").click()
        expect(page.locator("svg.rings")).to_have_count(0)
    assert [request for request in home.table.asked if "status" in request] == []


def test_a_round_that_no_tray_was_found_for_is_read_once_people_show_its_corners(tmp_path: Path, chromium):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    assert cv2.imwrite(str(pictures / "0.png"), LOST)
    camera = {"kind": "folder", "folder": str(pictures)}
    web = {"host": "127.0.0.1", "port": free_port(0), "pin": "open"}
    settings = write_settings(tmp_path / "state", {"camera": camera, "web": web})
    with Household(settings, web=True) as household:
        assert household.client.ask(START)["ok"]
        lookout = Lookout(household.client, JournalReader(settings.journal))
        lookout.start()
        assert household.client.ask({"command": "next"})["ok"]
        page = chromium.open(f"http://127.0.0.1:{web['port']}/table", "landscape")
        said = page.locator("#live-now .eye-said")
        expect(said).to_contain_text("does not find the tray", timeout=PATIENCE_MS)
        page.get_by_role("button", name="Show the tray's corners").click()
        for corner in range(4):
            drag(page, corner, in_live(corner))
        page.get_by_role("button", name="The tray lies there").click()
        assert lookout.until(lambda: bool(lookout.rounds) and lookout.rounds[0].tray is not None, patience_s=PATIENCE_S)
        tiles = lookout.rounds[0].tray.tiles
        assert ["".join(t.symbol for t in tiles[k : k + 10]) for k in range(0, 40, 10)][0] == "0836572914"
        assert all(tile.sure for tile in tiles)
        chromium.shoot(page, "corners-read")
