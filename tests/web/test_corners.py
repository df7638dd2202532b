"""The issue: "clicking four corners the last". What a page sends of the tray's corners, and who may."""

from __future__ import annotations

from html import unescape

import pytest

from tests.builders import start
from tests.web.builders import house, post
from web.corners import wish
from web.eye import OF_CORNERS
from web.forms import BadInput

AT = "0.1,0.2 0.9,0.2 0.95,0.9 0.05,0.9"


@pytest.fixture
def home(tmp_path):
    return house(tmp_path)


def test_four_corners_go_to_the_watcher_as_shares_of_the_picture(home):
    assert post(home.browser(), "/act/corners", do="show", at=AT).status_code == 200
    (asked,) = (request["status"]["corners"] for request in home.table.asked if "status" in request)
    assert (asked["do"], asked["at"]) == ("show", [[0.1, 0.2], [0.9, 0.2], [0.95, 0.9], [0.05, 0.9]])


def test_each_wish_is_a_new_one_for_the_watcher_carries_each_out_once(home):
    assert len({wish({"do": "show", "at": AT})["id"] for _ in range(9)}) == 9
    assert set(wish({"do": "forget", "at": AT})) == {"id", "do"}


@pytest.mark.parametrize(
    "at", ["", "0.1,0.2", f"{AT} 0.1,0.1", "a,b c,d e,f g,h", AT.replace("0.95", "1.95"), AT.replace("0.95", "nan")]
)
def test_what_is_no_four_points_of_the_picture_is_refused_in_one_sentence(home, at):
    answer = post(home.browser(), "/act/corners", do="show", at=at)
    assert answer.status_code == 400
    assert "four corners" in answer.json["error"]
    assert home.table.asked == []


def test_an_unknown_step_is_refused():
    with pytest.raises(BadInput, match="'do'"):
        wish({"do": "guess", "at": AT})


@pytest.mark.parametrize("what", ["corners-wrong", "corners-turned", "corners-lost"])
@pytest.mark.parametrize("path", ["/table", "/teach", "/setup"])
def test_what_became_of_them_is_said_wherever_they_can_be_shown(home, path, what):
    """Who has put four rings and hears nothing takes them to count."""
    home.play(start())
    status = home.table.status
    notices = [{"what": what}]
    lesson = {"taught": {"set": "", "lesson": {"state": "begun"}}}
    home.table.status = {**status, "eye": {**status["eye"], "notices": notices}, **lesson}
    home.told()
    home.room.live.write_bytes(b"")
    page = unescape(home.browser().get(path).text)
    assert "data-corners" in page
    assert OF_CORNERS[what] in page


def test_only_the_table_may_and_only_the_table_is_offered_it(tmp_path):
    home = house(tmp_path, pin="2468")
    looking = home.browser()
    assert post(looking, "/act/corners", page="/table", do="show", at=AT).status_code == 403
    assert home.table.asked == []
    for path in ("/", "/table", "/setup", "/teach"):
        assert "data-corners" not in looking.get(path).text
