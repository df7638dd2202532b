"""Open the demo, play a round by clicking, see the score: on a tablet, an upright tablet and a phone.

One evening with every process, told as one story: each chapter goes on where the one before ended.
"""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]


SHOWN = """() => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((node) => node.textContent.trim());
  return { scores: texts(".lane .score"), said: texts(".lane .said"),
    runs: document.querySelectorAll(".drawn .run:not(.badge)").length,
    pictures: document.querySelectorAll(".drawn image").length };
}"""
"""What the scoreboard shows, taken at one moment: the demo's table goes on by itself."""


def state(demo: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{demo}/api/state", timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def click(page: Any, seat: str, key: str) -> None:
    with page.expect_response(lambda answer: "/act/press" in answer.url) as answer:
        page.locator(f'.pad:has(input[name=seat][value="{seat}"]) button[value="{key}"]').click()
    assert answer.value.status == 200


def test_an_evening_in_the_demo(demo, chromium):
    a_round_is_played_by_clicking_and_the_score_is_seen(demo, chromium)
    show_me_and_that_tile_is_something_else(demo, chromium)
    a_phone_is_a_pad_by_its_seats_link(demo, chromium)


def a_round_is_played_by_clicking_and_the_score_is_seen(demo, chromium):
    board = chromium.open(f"{demo}/", "landscape")
    upright = chromium.open(f"{demo}/", "portrait", scheme="light")
    table = chromium.open(f"{demo}/table", "landscape", scheme="light")
    phone = chromium.open(f"{demo}/", "phone")
    if state(demo)["round"] is None:
        table.get_by_role("button", name="First round").click()
    board.locator(".lane .icon").first.wait_for()
    chromium.shoot(board, "1-open-landscape")

    click(table, "1", "1")
    click(table, "1", "2")
    click(table, "1", "lock")
    board.locator("#lane-1.locked").wait_for()
    chromium.shoot(board, "2-locked-landscape")
    chromium.shoot(upright, "2-locked-portrait")
    chromium.shoot(table, "2-locked-table")
    chromium.shoot(phone, "2-locked-phone")
    assert "3" not in board.locator("#lane-1 .deed").inner_text()

    click(table, "2", "lock")
    board.locator(".truth").wait_for()
    shown = board.evaluate(SHOWN)
    seen = state(demo)
    assert {p["seat"]: str(p["score"]) for p in seen["players"]} == {1: shown["scores"][0], 2: shown["scores"][1]}
    assert shown["said"] == ["3", "0"]
    assert shown["runs"] == seen["rounds"][0]["totals"][0]
    assert shown["pictures"] == 1, "the runs are drawn over the camera's picture"
    chromium.shoot(board, "3-reveal-landscape")
    chromium.shoot(upright, "3-reveal-portrait")
    chromium.shoot(phone, "3-reveal-phone")


def show_me_and_that_tile_is_something_else(demo, chromium):
    seen = state(demo)
    board = chromium.open(f"{demo}/", "landscape", scheme="light")
    board.get_by_role("link", name="Show me").click()
    board.wait_for_url("**/round/*")
    chromium.shoot(board, "4-round-landscape")
    board.locator(".tilelist a").first.click()
    board.wait_for_url("**tile=0-0**")
    chromium.shoot(board, "5-tile-landscape")
    read = seen_symbol(board)
    other = "1" if read == "0" else "0"
    board.locator(f'.choose button[value="{other}"]').click()
    board.locator(".tilelist .fixed").wait_for()
    assert f"was {read}, by table" in board.locator(".tilelist .fixed").inner_text()
    phone = chromium.open(f"{demo}/round/{seen['round']['number']}", "phone")
    chromium.shoot(phone, "6-corrected-phone")


def seen_symbol(page: Any) -> str:
    text: str = page.locator("#tile .doubt p").first.inner_text().split()[2]
    return text


def a_phone_is_a_pad_by_its_seats_link(demo, chromium):
    table = chromium.open(f"{demo}/table", "portrait")
    table.locator("main .now").wait_for()
    if state(demo)["phase"] == "over":
        pytest.fail("seed 7's first round has no winner by 10")
    if state(demo)["phase"] == "between":
        table.get_by_role("button", name="Next round").click()
    table.locator("#view .pad").first.wait_for()
    chromium.shoot(table, "7-table-portrait")
    link = table.locator("a.secret").nth(1).get_attribute("href")
    phone, asked = chromium.page("phone"), []
    phone.on("request", lambda request: asked.append(f"{request.url} {request.all_headers()}"))
    phone.goto(f"{demo}{link}")
    phone.wait_for_url(f"{demo}/seat")
    phone.locator(".phonepad").wait_for()
    code = link.partition("#")[2]
    assert phone.evaluate("location.hash + document.referrer").endswith("/seat"), "the secret has left the address"
    assert not [one for one in asked if code in one.partition(" ")[2]], "and stands in no header"
    phone.locator("label.disk-box").nth(2).click()
    phone.locator("label.disk-box").nth(0).click()
    assert phone.locator("#sum").inner_text() == "5 runs"
    chromium.shoot(phone, "8-seat-phone")
    phone.get_by_role("button", name="LOCK").click()
    phone.get_by_text("Locked in, 1st in the queue").wait_for()
    chromium.shoot(phone, "9-seat-locked-phone")
    assert [entry["via"] for entry in state(demo)["round"]["queue"]] == ["phone"]
