"""A tap on "It lies as I said" asks for a second look and changes nothing; the next tap learns that one picture so."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi.lesson import doubted_path
from tests.browser.conftest import PATIENCE_MS
from tests.web.builders import house, served

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]

SAYS = "Row 2, place 7, of picture 1 was said to be a 6, but looks like an 8."


def told(home, lesson, **more):
    """Let the page hear what the watcher says of the lesson."""
    home.table.status = {**home.table.status, "taught": {"lesson": lesson, **more}}
    home.told()


def test_it_lies_as_i_said(tmp_path, chromium):
    home = house(tmp_path)
    refused = {"state": "refused", "words": ["Row 2, place 7."], "pictures": 1, "doubts": [SAYS], "doubted": [1]}
    doubted_path(tmp_path / "teach", 1).parent.mkdir()
    cv2.imwrite(str(doubted_path(tmp_path / "teach", 1)), np.full((300, 900, 3), 90, np.uint8))
    told(home, {**refused, "of": "a1"})
    with served(home.app) as port:
        page = chromium.open(f"http://127.0.0.1:{port}/teach", "landscape")
        chromium.shoot(page, "insist-1-refused")
        second = page.get_by_role("button", name="I looked again")
        expect(second).to_be_hidden()
        picture = page.get_by_alt_text("Picture 1 with what the eye doubts")
        expect(picture).to_have_js_property("naturalWidth", 900)
        expect(page.locator("#result figure li").get_by_text(SAYS)).to_be_visible()
        page.get_by_text("It lies as I said").click()
        expect(second).to_be_visible()
        assert home.table.asked == [], "the first tap only asks to look again"
        chromium.shoot(page, "insist-2-second-look")
        # Another picture was refused meanwhile: it is looked at anew, however far one was with the last.
        told(home, {**refused, "of": "b2"})
        expect(page.locator("#insist-b2")).to_have_count(1, timeout=PATIENCE_MS)
        expect(second).to_be_hidden()
        page.get_by_text("It lies as I said").click()
        with page.expect_response("**/act/teach"):
            second.click()
        told(home, {"state": "ready", "words": [], "doubts": [SAYS], "pieces": 40, "certain": 40, "before": 3})
        expect(picture).to_have_count(0, timeout=PATIENCE_MS)
        expect(page.locator("#result")).to_contain_text("against the eye's doubt", timeout=PATIENCE_MS)
        chromium.shoot(page, "insist-3-learnt")
    sent = [asked["status"]["teach"] for asked in home.table.asked]
    assert [(wish["do"], wish["of"]) for wish in sent] == [("insist", "b2")]
