"""The upkeep and doctor pages: for those who know the PIN, never during a match, and told in words."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime, timedelta

import pytest

from pi import archive
from pi.rules import commands as ask
from pi.upkeep import BUNDLE, Result, State, Task, remember, taken, tell
from tests.builders import lock, start
from tests.web.builders import house, post, token

PIN = "1234"
PAGES = ("/upkeep", "/doctor", "/doctor/bundle.zip")


@pytest.fixture
def home(tmp_path):
    return house(tmp_path / "state", pin=PIN)


@pytest.fixture
def steward(home, tmp_path):
    """The installed steward's folder."""
    folder = tmp_path / "run"
    folder.mkdir()
    home.app.view_functions["upkeep"].__self__._steward.installed = folder
    return folder


def known(home):
    browser = home.browser()
    assert post(browser, "/pin", pin=PIN).status_code == 303
    return browser


def press(browser, what):
    return browser.post(f"/upkeep/{what}", data={"csrf": token(browser, "/upkeep")})


def test_without_the_pin_there_is_nothing_to_see_and_nothing_to_press(home, steward):
    stranger = home.browser()
    csrf = token(stranger)
    assert [stranger.get(page).status_code for page in PAGES] == [403] * 3
    asked = [stranger.post(f"/upkeep/{what}", data={"csrf": csrf}) for what in ("update", "doctor", "backup")]
    assert [answer.status_code for answer in asked] == [403] * 3
    assert taken(home.state) is None
    assert known(home).post("/upkeep/update").status_code == 403, "nor without the page's token"


def test_the_button_leaves_one_word_and_the_page_tells_how_it_goes(home, steward):
    browser = known(home)
    assert press(browser, "update").headers["Location"] == "/upkeep"
    assert taken(home.state) is Task.UPDATE
    tell(steward, Result(Task.UPDATE, State.RUNNING, "installing version abc", "2026-11-21T19:00:00Z", ("looking",)))
    page = browser.get("/upkeep").text
    assert "installing version abc" in page
    assert 'http-equiv="refresh"' in page
    assert press(browser, "update").status_code == 409, "one thing at a time"
    tell(steward, Result(Task.UPDATE, State.FAILED, "The new release did not come up.", "2026-11-21T19:05:00Z"))
    page = browser.get("/upkeep").text
    assert "The new release did not come up." in page
    assert 'http-equiv="refresh"' not in page


def test_the_page_says_when_the_last_update_was_or_that_it_failed_with_its_log(home, steward, tmp_path):
    """Also long after: the steward's own answers are gone after a boot, and updates come by command, too."""
    home.app.view_functions["upkeep"].__self__._steward.prefix = tmp_path
    (tmp_path / "current").mkdir()
    (tmp_path / "current" / "COMMIT").write_text("0123456789abcdef0123\n")
    browser = known(home)
    page = browser.get("/upkeep").text
    assert "No update has been tried yet." in page
    assert "(0123456789ab)" in page
    then = (datetime.now(UTC) - timedelta(days=3, hours=1)).isoformat()
    remember(tmp_path, Result(Task.UPDATE, State.FAILED, "No room left.", then, ("looking", "no room left")))
    page = browser.get("/upkeep").text
    assert "No room left." in page
    assert "3 days ago" in page
    assert "<details open>" in page, "a failed one shows its log"
    assert "<li>no room left</li>" in page
    tell(steward, Result(Task.UPDATE, State.DONE, "Now at version 2.", datetime.now(UTC).isoformat()))
    page = browser.get("/upkeep").text
    assert "Now at version 2." in page
    assert ", today</time>" in page
    tell(steward, Result(Task.DOCTOR, State.RUNNING, "looking", "2026"))
    assert "No room left." in browser.get("/upkeep").text, "the doctor's answer takes the place of the button's alone"


def test_nothing_of_it_during_a_match(home, steward, monkeypatch):
    home.play(start("Ann", "Bob"), ask.Next(0), lock(1, 3))
    began = datetime.fromisoformat("2026-11-21T19:31:00+00:00")
    monkeypatch.setattr("web.upkeep.datetime", type("Clock", (), {"now": staticmethod(lambda tz: began)}))
    browser = known(home)
    for what in ("update", "backup"):
        answer = press(browser, what)
        assert answer.status_code == 409
        assert "end it first" in answer.text
    assert taken(home.state) is None
    assert "A match is being played" in browser.get("/upkeep").text


def test_a_match_that_was_left_lying_keeps_its_secrets(home, steward, monkeypatch):
    """After six hours the table may be brought up to date; what nobody has revealed yet still goes nowhere."""
    home.play(start("Ann", "Bob"), ask.Next(0), lock(1, 3))
    later = datetime.fromisoformat("2026-11-22T19:31:00+00:00")
    monkeypatch.setattr("web.upkeep.datetime", type("Clock", (), {"now": staticmethod(lambda tz: later)}))
    browser = known(home)
    assert press(browser, "backup").status_code == 409
    assert press(browser, "update").status_code == 303


def test_a_backup_is_sent_whole_and_leaves_nothing_behind(home, tmp_path):
    home.play(start("Ann", "Bob"), ask.EndMatch("late"))
    browser = known(home)
    with press(browser, "backup") as answer:
        assert answer.status_code == 200
        assert ".feltside" in answer.headers["Content-Disposition"]
        (tmp_path / "b").write_bytes(answer.data)
    assert archive.JOURNAL in archive.read_head(tmp_path / "b").files
    assert [path for path in home.state.iterdir() if path.name.startswith(".backup")] == []


def test_where_nothing_is_installed_there_is_no_update_and_the_doctor_is_our_own(home):
    started = []
    upkeep = home.app.view_functions["upkeep"].__self__._steward
    upkeep.start = started.append
    browser = known(home)
    assert press(browser, "update").status_code == 409
    assert "Only an installed table" in browser.get("/upkeep").text
    assert press(browser, "doctor").headers["Location"] == "/doctor"
    assert started[0][1:3] == ["-m", "pi.doors.steward"]


def test_the_doctor_s_page_holds_all_of_the_bundle_to_be_read(home, steward):
    lines = ("ok    camera: 10 pictures a second", "bad   disk: 3 MB free")
    tell(steward, Result(Task.DOCTOR, State.DONE, "Trouble in one place.", "2026-11-21T19:00:00Z", lines))
    with zipfile.ZipFile(steward / BUNDLE, "w") as zipped:
        zipped.writestr("log.txt", "a line of the log <b>")
    browser = known(home)
    page = browser.get("/doctor").text
    for words in ("Trouble in one place.", "10 pictures a second", "3 MB free", "a line of the log &lt;b&gt;"):
        assert words in page
    with browser.get("/doctor/bundle.zip") as answer, zipfile.ZipFile(io.BytesIO(answer.data)) as zipped:
        assert zipped.namelist() == ["log.txt"]
