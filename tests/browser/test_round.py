"""The round page is the evidence: tap a run, keep it as a picture, print it, see what was corrected and by whom."""

from __future__ import annotations

import struct

import pytest

from pi.rules import commands as ask
from tests.builders import THREE_RUNS, lock, start, tray
from tests.web.builders import evidence, house, served

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def port(tmp_path):
    home = house(tmp_path)
    evidence(tmp_path / "evidence", "f1", THREE_RUNS.splitlines())
    home.play(start(), ask.Next(0), ask.ReadTray(tray(THREE_RUNS, frame="f1")), lock(1, 3), lock(2, 2, at=2.0))
    home.play(ask.CorrectTile(1, 0, 2, "4", by="table"))
    with served(home.app) as port:
        yield port


def test_a_run_that_is_tapped_stands_out(port, chromium):
    page = chromium.open(f"http://127.0.0.1:{port}/round/1", "landscape")
    page.locator('.run-key[data-run="1"]').click()
    expect(page.locator('.run-key[data-run="1"]')).to_have_attribute("aria-pressed", "true")
    assert page.locator(".drawn .run.rest").count() == page.locator(".drawn .run").count() - 2
    assert page.locator(".tile.lit").count() == 3
    page.locator('.run-key[data-run="1"]').click()
    assert page.locator(".drawn .run.rest").count() == 0
    chromium.shoot(page, "round-landscape")


def test_a_correction_shows_before_and_after_and_who(port, chromium):
    page = chromium.open(f"http://127.0.0.1:{port}/round/1", "phone", scheme="light")
    fixed = page.locator("#corrections")
    expect(fixed).to_contain_text("Row 1 place 3: 8 → 4")
    expect(fixed).to_contain_text("said by table")
    rows = fixed.locator("tbody tr").all_inner_texts()
    assert [row.split("\t") for row in rows] == [
        ["As the eye read it", "3", "+7", "0"],
        ["As it counts", "2", "0", "+6"],
    ]
    chromium.shoot(page, "round-phone")


def test_the_round_is_kept_as_a_picture(port, chromium):
    page = chromium.open(f"http://127.0.0.1:{port}/round/1", "landscape")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as picture").click()
    path = chromium.folder / "round-shared.png"
    download.value.save_as(path)
    assert download.value.suggested_filename == "feltside-m1-1.png"
    kept = path.read_bytes()
    width, height = struct.unpack(">II", kept[16:24])
    assert kept[:8] == b"\x89PNG\r\n\x1a\n"
    assert (width, height > 900) == (1600, True)


def test_the_round_prints_on_paper(port, chromium):
    page = chromium.open(f"http://127.0.0.1:{port}/round/1", "landscape")
    page.emulate_media(media="print")
    expect(page.locator("nav").first).to_be_hidden()
    expect(page.get_by_text("Predictions", exact=True)).to_be_visible()
    printed = page.pdf(format="A4", path=chromium.folder / "round.pdf")
    assert 1 <= printed.count(b"/Type /Page\n") <= 3, "one round needs no pile of paper"
