"""The setup walk: after the first PIN, ends in a real look, and shows no press that could be a prediction."""

from __future__ import annotations

import pytest

from pi.rules import commands as ask
from tests.builders import start
from tests.web.builders import STATUS, house, post
from web.present import BOARD, SPECTATOR, TABLE, present

WIRED = STATUS | {"panel": {"state": "ok", "words": "The pads answer.", "mode": "keys", "seats": [1, 2]}}


def tell(home, **status):
    home.table.status = WIRED | status
    home.told()


def test_the_first_pin_leads_to_the_walk_and_the_walk_to_a_match(tmp_path):
    home = house(tmp_path, pin="")
    browser = home.browser()
    answer = post(browser, "/pin/set", pin="2468", again="2468")
    assert answer.headers["Location"] == "/setup"
    page = browser.get("/setup").text
    for step in ("1. Does the camera", "2. Does every button", "3. Does the eye", "4. Play"):
        assert step in page
    assert 'href="/table">New match' in page
    assert 'href="/setup"' in browser.get("/table").text


@pytest.mark.parametrize(("tray", "state"), [("seen", "ok"), ("sought", "note"), ("unseen", "bad"), (None, "note")])
def test_the_first_step_is_ticked_only_where_the_camera_sees_the_tray(tmp_path, tray, state):
    home = house(tmp_path)
    words = "The camera gives pictures, but no tray is seen in them."
    tell(home, camera={"state": "ok", "words": words, "tray": tray})
    page = home.browser().get("/setup").text
    (line,) = (line for line in page.split("<li ") if words in line)
    assert line.startswith(f'class="sign-{state}"')


def test_without_the_pin_nothing_is_shown_and_nothing_can_be_asked(tmp_path):
    home = house(tmp_path, pin="2468")
    tell(home, tryout={"seen": ["1/4"], "read": False})
    stranger = home.browser()
    assert "tried-1-4" not in stranger.get("/setup").text
    assert post(stranger, "/act/tryout", do="lamps").status_code == 403


def test_buttons_are_ticked_as_they_are_seen(tmp_path):
    home = house(tmp_path)
    browser = home.browser()
    tell(home, tryout={"seen": ["1/4", "next"], "read": False})
    page = browser.get("/setup").text
    assert 'class="sign-ok" id="tried-1-4"' in page
    assert 'class="quiet" id="tried-2-lock"' in page
    assert "Every pad answers." not in page
    tell(home, tryout={"seen": [f"{s}/{k}" for s in (1, 2) for k in ("1", "2", "4", "lock")], "read": True})
    page = browser.get("/setup").text
    assert "Every pad answers." in page
    assert "what the eye reads is drawn" in page


@pytest.mark.parametrize("do", ["lamps", "read"])
def test_the_table_is_asked_for_what_it_knows_and_for_nothing_else(tmp_path, do):
    home = house(tmp_path)
    assert post(home.browser(), "/act/tryout", do=do).json["ok"]
    assert home.table.asked[-1] == {"status": {"tryout": {"do": do}}}
    assert post(home.browser(), "/act/tryout", do="reveal").status_code == 400


def test_in_a_match_no_press_is_on_any_page_whatever_the_table_says(tmp_path):
    home = house(tmp_path)
    home.play(start(), ask.Next(0))
    tell(home, tryout={"seen": ["1/4"], "read": True})
    page = home.browser().get("/setup").text
    assert "buttons are tried before one" in page
    assert "tried-1-4" not in page
    for audience in (BOARD, SPECTATOR, TABLE):
        assert "tried" not in present(home.table.match, audience, status=home.table.status)


def test_programs_and_spectators_never_see_presses(tmp_path):
    home = house(tmp_path)
    tell(home, tryout={"seen": ["1/4"], "read": True})
    assert "1/4" not in home.browser().get("/api/state").text
