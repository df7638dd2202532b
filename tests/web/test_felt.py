"""The table's own felt, shown empty under the live picture: what a page sends, who may, and what is said of it."""

from __future__ import annotations

from html import unescape

import pytest

from pi.bare_felt import MOVES, OTHER, PIECES, PLAIN, UNFIT, UNKEPT, UNSEEN
from tests.builders import start
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
def test_what_became_of_it_is_said_on_the_table_page(home, what):
    home.play(start())
    status = home.table.status
    home.table.status = {**status, "eye": {**status["eye"], "notices": [{"what": what}]}}
    home.told()
    assert OF_FELT[what] in unescape(home.browser().get("/table").text)
