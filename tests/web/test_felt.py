"""The table's own felt, shown empty under the live picture: what a page sends, who may, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest

from pi.bare_felt import MOVES, OTHER, PIECES, PLAIN, UNFIT, UNKEPT, UNSEEN
from pi.rules import commands as ask
from tests.builders import ONE_RUN, start, tray
from tests.web.builders import house, post
from web.eye import OF_FELT
from web.felt import wish
from web.forms import BadInput


@pytest.fixture
def home(tmp_path):
    return house(tmp_path)


@pytest.mark.parametrize("do", ["keep", "printed", "forget"])
def test_a_wish_goes_to_the_watcher_each_with_a_number_of_its_own(home, do):
    """The watcher carries each out once."""
    browser = home.browser()
    assert all(post(browser, "/act/felt", do=do).status_code == 200 for _ in range(2))
    asked = [request["status"]["felt"] for request in home.table.asked if "status" in request]
    assert [one["do"] for one in asked] == [do, do]
    assert len({one["id"] for one in asked}) == 2


def test_an_unknown_step_is_refused_and_changes_nothing(home):
    answer = post(home.browser(), "/act/felt", do="guess")
    assert (answer.status_code, home.table.asked) == (400, [])
    assert "expected keep, printed or forget" in answer.json["error"]
    with pytest.raises(BadInput, match="'do'"):
        wish({})


def test_only_the_table_may_and_only_the_table_is_offered_it(tmp_path):
    home = house(tmp_path, pin="2468")
    looking = home.browser()
    assert post(looking, "/act/felt", page="/table", do="keep").status_code == 403
    assert home.table.asked == []
    for path in ("/", "/table", "/setup", "/teach"):
        assert "data-felt" not in looking.get(path).text


def test_all_that_the_watcher_says_of_it_has_a_sentence():
    assert set(OF_FELT) == {MOVES, OTHER, PIECES, PLAIN, UNFIT, UNKEPT, UNSEEN}


@pytest.mark.parametrize("what", sorted(OF_FELT))
@pytest.mark.parametrize("match", [False, True], ids=["before a match", "between rounds"])
def test_what_became_of_it_is_said_on_the_table_page(home, what, match):
    if match:
        home.play(start())
    status = home.table.status
    home.table.status = {**status, "eye": {**status["eye"], "notices": [{"what": what}]}}
    home.told()
    shown = unescape(home.browser().get("/table").text)
    assert shown.count(f"<p>{OF_FELT[what]}</p>") == 1


def folded(page: str) -> bool:
    """Tell whether the live picture with what the eye thinks is folded away."""
    before = page[: page.index('data-live="/live.jpg?eye=1"')]
    return before.count("<details") > before.count("</details>")


STEPS = [start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN)), ask.Reveal(), ask.EndMatch("late")]
"""A match of Random Scramble from its beginning to its end."""


@pytest.mark.parametrize("steps", range(len(STEPS) + 1))
def test_the_live_picture_with_its_forms_is_there_in_every_phase(home, steps):
    """Before a match and between rounds are when people set the tray up; where they look at a tray it is folded."""
    home.play(*STEPS[:steps])
    shown = home.browser().get("/table").text
    assert (shown.count("data-felt"), shown.count("data-corners")) == (1, 1)
    assert folded(shown) == (steps not in (1, 2)), "open while a tray is awaited"


def test_in_a_game_of_turns_it_is_folded_away_too(home):
    home.play(replace(start(), game="blob"))
    shown = home.browser().get("/table").text
    assert shown.count("data-felt") == 1
    assert folded(shown)


def test_before_a_match_too_only_the_table_is_offered_it(tmp_path):
    looking = house(tmp_path, pin="2468").browser().get("/table").text
    assert "data-live" not in looking
