"""What the table declines of a reading reaches the people who wait for it, in their language, and nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from pi.rules import commands as ask
from tests.builders import ONE_RUN, players, start, tray
from tests.web.builders import House, house
from web.eye import STATUSES

FEW = "The tray shows 39 tiles, or in other places than the 40 of a rows board."
SAME = "The tiles of the last round still lie there."
THREE = "3 tiles are new (row 1 place 1, row 1 place 2, row 2 place 1), but Ann has 2 tiles to lay."
LOUD = 'id="declined"'


def tells(home: House, words: Any) -> None:
    home.table.status = home.table.status | {"eye": {"status": "unsure", "problems": [], "tiles": 39, "words": words}}
    home.told()


@pytest.fixture
def home(tmp_path):
    found = house(tmp_path)
    found.play(start(), ask.Next(0))
    return found


@pytest.mark.parametrize("path", ["/", "/table"])
@pytest.mark.parametrize("words", [FEW, SAME])
def test_it_stands_on_the_score_and_on_the_table_page_and_goes_at_once(home, path, words):
    assert LOUD not in home.browser().get(path).text
    tells(home, words)
    page = home.browser().get(path).text
    assert f"The eye has read the tray, but: {words}" in page
    assert "The eye is reading the tray." not in page
    tells(home, "")
    assert LOUD not in home.browser().get(path).text


@pytest.mark.parametrize("path", ["/", "/table"])
def test_it_is_said_in_german(home, path):
    tells(home, SAME)
    browser = home.browser()
    page = browser.get(path, headers={"Accept-Language": "de"}).text
    assert "Da liegen noch die Steine der letzten Runde." in page
    assert SAME not in page


@pytest.mark.parametrize("path", ["/", "/table"])
def test_games_of_turns_say_it_too(tmp_path, path):
    found = house(tmp_path)
    found.play(ask.StartMatch("m1", "draw-bridge", players("Ann", "Bob")), ask.Next(0))
    tells(found, THREE)
    assert THREE in found.browser().get(path).text


def test_programs_hear_it(home):
    """API.md: each part of the status has `state` and `words`."""
    tells(home, FEW)
    assert home.browser().get("/api/state").json["status"]["eye"]["words"] == FEW


@pytest.mark.parametrize("story", [[ask.RuleTotal(1, 1)], [ask.Hold()]], ids=["counted by hand", "on hold"])
def test_where_nobody_waits_for_the_eye_it_is_not_said(home, story):
    home.play(*story)
    tells(home, FEW)
    assert LOUD not in home.browser().get("/").text
    assert LOUD not in home.browser().get("/table").text


def test_nor_between_rounds(home):
    home.play(ask.ReadTray(tray(ONE_RUN)), ask.Reveal())
    tells(home, SAME)
    assert LOUD not in home.browser().get("/").text


@pytest.mark.parametrize("words", [None, 7, ["x"], {"a": 1}])
def test_words_that_are_none_are_not_shown(home, words):
    tells(home, words)
    assert home.browser().get("/api/state").json["status"]["eye"]["words"] == ""
    assert LOUD not in home.browser().get("/table").text


def test_words_are_text_and_no_page(home):
    tells(home, "<script>alert(1)</script>")
    assert "<script>alert" not in home.browser().get("/table").text


@pytest.mark.parametrize("path", ["/seat", "/watch", "/history"])
def test_pads_and_spectators_are_spared(home, path):
    tells(home, FEW)
    assert FEW not in home.browser().get(path).text


def test_the_live_line_promises_no_question_that_nobody_asks():
    assert not [text for text in STATUSES.values() if "asks" in text]
