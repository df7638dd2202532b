"""README, "what the eye is not sure of, it asks": a tray in doubt as a whole is asked about on the table page."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pi.rules import commands as ask
from pi.rules.events import SeenTile, Tray
from pi.rules.games.quest import Quests
from pi.rules.quests.catalogue import DOORS
from pi.rules.vouching import COUNT, UNSEEN
from tests.builders import ONE_RUN, lock, players, start, tray
from tests.web.builders import House, evidence, house, post
from web.evidence import BadEvidence, load

ASKED = "Does the tray lie as it was read?"
WORD = "Nothing else lies there: it lies as it was read"
MARK = [[100, 100], [140, 100], [140, 140], [100, 140]]


def marked(home: House, *outlines: object) -> None:
    """Leave the picture of a reading in which something was not read."""
    evidence(home.state / "evidence", "f1", ONE_RUN.splitlines())
    path = home.state / "evidence" / "f1.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "unread": list(outlines)}))


@pytest.fixture
def home(tmp_path):
    found = house(tmp_path)
    found.play(start(), ask.Next(0), ask.ReadTray(replace(tray(ONE_RUN), doubt=(COUNT, UNSEEN))))
    marked(found, MARK)
    return found


def test_the_question_shows_the_picture_with_its_marks_what_was_read_and_one_tap(home):
    page = home.browser().get("/table").text
    assert ASKED in page
    assert "Something lies there that was not read" in page
    assert "in a glare, or in the dark" in page
    assert page.count('class="unread-mark"') == 1
    assert '"100.0,100.0 140.0,100.0 140.0,140.0 100.0,140.0"' in page
    assert page.count('class="face-read"') == 40
    assert "Look at the place that is marked." in page
    assert WORD in page


def test_one_tap_answers_it_and_the_round_goes_on(home):
    browser = home.browser()
    assert post(browser, "/act/confirm-tray", round="1", frame="f1").status_code == 200
    assert ASKED not in browser.get("/table").text
    home.play(lock(1, 1), lock(2, 0, at=2.0))
    assert "Round 1: 1 run" in browser.get("/").text
    assert "the table said that it lies as it was read" in browser.get("/round/1").text


def test_an_answer_to_an_older_picture_is_declined(home):
    browser = home.browser()
    post(browser, "/act/confirm-tray", round="1", frame="f0")
    assert ASKED in browser.get("/table").text


def test_everybody_hears_that_the_table_is_asked_but_only_the_table_may_answer(home):
    home.play(lock(1, 1), lock(2, 0, at=2.0))
    board = home.browser().get("/").text
    assert "Not sure of the tray as a whole: answer on the table page." in board
    assert "The eye asks the table about the tray." in board
    assert WORD not in board
    state = home.browser().get("/api/state").json
    assert state["round"]["tray"]["state"] == "questioned"
    assert state["round"]["revealed"] is False


def test_nobody_is_asked_while_tiles_still_lie_face_down(tmp_path):
    found = house(tmp_path)
    down = tuple(replace(t, symbol="?") if t.row == 0 else t for t in tray(ONE_RUN).tiles)
    found.play(start(), ask.Next(0), ask.ReadTray(replace(tray(ONE_RUN), tiles=down, doubt=(COUNT,))))
    assert ASKED not in found.browser().get("/table").text


def test_without_a_picture_the_question_is_still_asked(tmp_path):
    found = house(tmp_path)
    found.play(start(), ask.Next(0), ask.ReadTray(replace(tray(ONE_RUN), doubt=(COUNT,))))
    page = found.browser().get("/table").text
    assert WORD in page
    assert "unread-mark" not in page


def test_a_looker_who_may_not_act_is_not_asked(tmp_path):
    found = house(tmp_path, pin="1234")
    found.play(start(), ask.Next(0), ask.ReadTray(replace(tray(ONE_RUN), doubt=(COUNT,))))
    assert WORD not in found.browser().get("/table").text


def test_draw_bridge_names_the_new_tiles_it_asks_about(tmp_path):
    found = house(tmp_path)
    tiles = (SeenTile(0, 0, "1", "red"), SeenTile(1, 0, "5", "blue"))
    seen = ask.ReadTray(Tray(tiles, frame="f1", doubt=(COUNT,)))
    found.play(ask.StartMatch("m1", "draw-bridge", players("Ann", "Bob")), ask.Next(0), seen)
    browser = found.browser()
    page = browser.get("/table").text
    assert ASKED in page
    assert "1 in row 1 place 1" in page
    post(browser, "/act/confirm-tray", round="1", frame="f1")
    assert "Bob lays 2 tiles." in browser.get("/table").text


def test_a_quest_in_doubt_asks_before_its_clock_may_be_stopped(tmp_path):
    found = house(tmp_path)
    laying = DOORS["no-runs"].solve(seed=7)
    assert laying is not None
    tiles = tuple(SeenTile(r, c, t.symbol, t.colour) for (r, c), t in laying.cells().items())
    quest = ask.StartMatch("m1", "quest", players("Ann"), (("quest", Quests("no-runs").quest),))
    found.play(quest, ask.Next(0), ask.ReadTray(Tray(tiles, "f1", doubt=(COUNT,))))
    browser = found.browser()
    page = browser.get("/table").text
    assert ASKED in page
    assert "Stop the clock" not in page
    post(browser, "/act/confirm-tray", round="1", frame="f1")
    assert "Stop the clock" in browser.get("/table").text


@pytest.mark.parametrize("outline", ["here", [[1]], [["a", "b"]], 7])
def test_marks_that_do_not_hold_are_named(tmp_path, outline):
    found = house(tmp_path)
    marked(found, outline)
    with pytest.raises(BadEvidence, match=r"in f1\.json"):
        load(found.state / "evidence", "f1")
