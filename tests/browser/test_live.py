"""The issue: "Live view: what the eye thinks, drawn over the live picture, on the table page." In Chromium."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

from pi.live import keep_live, thought_of
from pi.rules import commands as ask
from tests.builders import start
from tests.vision.trays import drawn
from tests.web.builders import house, served
from vision.reader import read
from vision.reading import Problem, Reading, Status

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]


SMALLEST = """() => Math.min(...[...document.querySelectorAll("#live-now svg text")]
  .map((text) => text.getBoundingClientRect().height))"""
"""Height of the smallest letter on the screen."""


@pytest.fixture(scope="module")
def looked():
    picture = np.asarray(drawn(seed=6).picture_bgr, dtype=np.uint8)
    reading = read(picture, expect="rows")
    first = replace(reading.tiles[3], sure=False, confidence=0.83, likely=(("6", 0.83), ("8", 0.162), ("0", 0.008)))
    tiles = (*reading.tiles[:3], first, *reading.tiles[4:])
    return picture, replace(reading, tiles=tiles, status=Status.UNSURE, problems=Problem.GLARE)


@pytest.fixture
def home(tmp_path):
    home = house(tmp_path)
    home.play(start(), ask.Next(0))
    return home


def show(home, picture: np.ndarray, reading: Reading | None, *, number: int = 1) -> None:
    keep_live(home.room.live, picture, number=number, thought=thought_of(reading, width_px=picture.shape[1]))


def test_what_was_not_read_is_marked_and_said(home, looked, chromium):
    """Never silently wrong: a question that no tile asks is of no use unless people see where to look."""
    picture, reading = looked
    where = ((600.0, 850.0), (650.0, 850.0), (650.0, 900.0), (600.0, 900.0))
    show(home, picture, replace(reading, problems=Problem.COUNT, unread=(where,)))
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/table", "landscape")
        mark = page.locator("#live-now svg g.unread")
        expect(mark).to_have_count(1)
        expect(mark).to_have_text("?")
        shown = page.evaluate("() => document.querySelector('#live-now svg g.unread polygon').getBBox().x")
        assert shown == pytest.approx(600 / 2, abs=1), "in the live picture's pixels"
        expect(page.locator("#live-now .eye-said")).to_contain_text("Look where the picture is marked")
        chromium.shoot(page, "live-unread")
    assert chromium.complaints == []


def test_in_the_dark_nobody_is_sent_to_look_for_the_tray(home, looked, chromium):
    """The issue: "a bumped camera or tray and a changed lamp are noticed within one turn and named"."""
    show(home, np.zeros_like(looked[0]), Reading(Status.NO_TRAY, problems=Problem.NO_TRAY | Problem.DARK))
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/table", "landscape")
        said = page.locator("#live-now .eye-said")
        expect(said).to_contain_text("Eye: sees no tray: it is too dark, give it light (dark, no-tray)")
        expect(said).not_to_contain_text("is it in the picture")
    assert chromium.complaints == []


@pytest.mark.parametrize("size", ["landscape", "phone"])
def test_what_the_eye_thinks_lies_over_the_picture_and_can_be_switched_off(home, looked, chromium, size):
    show(home, *looked)
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/table", size)
        marks = page.locator("#live-now svg g")
        expect(marks).to_have_count(40)
        assert page.locator("#live-now svg g.unsure").count() == 1
        assert page.locator("#live-now svg g.unsure text").first.text_content().endswith("?")
        said = page.locator("#live-now .eye-said")
        expect(said).to_contain_text("Eye: is not sure of all that lies there (glare)")
        expect(said).to_contain_text("Row 1 place 4: 6 83 %, 8 16.2 %, 0 0.8 %")
        chromium.shoot(page, f"live-{size}")
        page.get_by_role("button", name="Large").click()
        chromium.keep(page.locator("#live-now"), f"live-large-{size}")
        if size == "landscape":
            assert page.locator("#live-now svg text.percent").count() == 40
        page.get_by_label("Show what the eye thinks").uncheck()
        expect(page.locator("#live-now svg")).to_be_hidden()
        page.reload()
        expect(page.get_by_label("Show what the eye thinks")).not_to_be_checked()
        page.get_by_label("Show what the eye thinks").check()
        expect(marks).to_have_count(40)
    assert chromium.complaints == []


def test_marks_go_with_the_picture_and_letters_can_be_read(home, looked, chromium):
    show(home, *looked)
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/table", "phone")
        expect(page.locator("#live-now svg g")).to_have_count(40)
        assert page.evaluate(SMALLEST) >= 11
        show(home, looked[0], Reading(Status.BUSY, problems=Problem.HAND, tray=looked[1].tray), number=2)
        expect(page.locator("#live-now svg g")).to_have_count(0)
        expect(page.locator("#live-now .eye-said")).to_have_text("Eye: waits: something moves over the tray (hand)")
        home.told()
        expect(page.locator("#live-now .eye-said")).to_have_text("Eye: waits: something moves over the tray (hand)")


def test_a_picture_older_than_three_seconds_says_so_on_every_page(home, looked, chromium):
    show(home, *looked)
    with served(home.app) as port:
        pages = [chromium.open(f"http://127.0.0.1:{port}{path}", "landscape") for path in ("/table", "/")]
        for page in pages:
            expect(page.locator(".live img").first).to_have_js_property("complete", value=True)
        stat = home.room.live.stat()
        os.utime(home.room.live, (stat.st_atime - 60, stat.st_mtime - 60))
        for page in pages:
            expect(page.locator(".live .old").first).to_have_text("This picture is old: the camera has stopped.")
            expect(page.locator(".live .old").first).to_be_visible()
        show(home, *looked, number=3)
        # It stays a new one for an hour, however long this machine takes to look.
        stat = home.room.live.stat()
        os.utime(home.room.live, (stat.st_atime, stat.st_mtime + 3600))
        expect(pages[0].locator(".live .old").first).to_be_hidden()
