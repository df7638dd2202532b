"""The issue: "clicking four corners the last". What a page sends of the tray's corners, and who may."""

from __future__ import annotations

import pytest

from tests.web.builders import house, post
from web.corners import wish
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


def test_only_the_table_may_and_only_the_table_is_offered_it(tmp_path):
    home = house(tmp_path, pin="2468")
    looking = home.browser()
    assert post(looking, "/act/corners", page="/table", do="show", at=AT).status_code == 403
    assert home.table.asked == []
    for path in ("/", "/table", "/setup", "/teach"):
        assert "data-corners" not in looking.get(path).text
