"""The first visit sets the PIN; it is kept as a hash; wrong ones tire the door."""

from __future__ import annotations

from io import BytesIO

import pytest

from pi.errors import BadSettings
from pi.journal import Journal
from pi.rules import commands as ask
from pi.rules.match import NEW
from pi.settings import Settings, WebSettings
from tests.builders import play, start
from tests.web.builders import house, post, token
from web.app import create_app
from web.pin import FIGURES, MOST_TRIES, REST_S, KeptPin, PinGuard, guard_of, load_pin, pin_problem, save_pin


def test_the_first_visit_sets_the_pin_and_nobody_acts_before(tmp_path):
    home = house(tmp_path, pin="")
    first, other = home.browser(), home.browser()
    assert "Set the PIN" in first.get("/table").text
    fields = {"game": "scramble", "name.1": "Ann", "name.2": "Bob", "house.wrap": "on"}
    assert post(first, "/act/start-match", **fields).status_code == 403
    assert post(first, "/pin", pin="1234").status_code == 409
    assert post(first, "/pin/set", pin="2468", again="2469").status_code == 400
    assert post(first, "/pin/set", pin="2468", again="2468").status_code == 303
    assert post(first, "/act/start-match", **fields).status_code == 200
    assert post(other, "/act/next").status_code == 403
    assert post(other, "/pin/set", pin="1111", again="1111").status_code == 409
    assert post(other, "/pin", pin="1111").status_code == 403
    assert post(other, "/pin", pin="2468").status_code == 303
    assert post(other, "/act/next").status_code == 200


def test_the_pin_is_kept_as_a_hash_for_its_owner_only_and_outlives_a_restart(tmp_path):
    home = house(tmp_path, pin="")
    post(home.browser(), "/pin/set", pin="2468", again="2468")
    kept = tmp_path / "web-pin"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert not [p for p in tmp_path.rglob("*") if p.is_file() and b"2468" in p.read_bytes()]
    again = guard_of("", kept)
    assert not again.unclaimed
    assert again.right("2468")
    assert not again.right("2469")


def test_a_forgotten_pin_is_set_anew_when_its_file_is_taken_away_at_the_table(tmp_path):
    home = house(tmp_path, pin="")
    first, other = home.browser(), home.browser()
    post(first, "/pin/set", pin="2468", again="2468")
    assert home.room.access.guard.right("2468")
    (tmp_path / "web-pin").unlink()
    assert "Set the PIN" in other.get("/table").text
    assert post(first, "/act/next").status_code == 403, "who knew the old one acts no more"
    assert post(other, "/pin/set", pin="1357", again="1357").status_code == 303
    assert post(first, "/act/next").status_code == 403
    assert post(first, "/pin", pin="2468").status_code == 403


def test_the_web_writes_into_its_own_folder_only(tmp_path):
    """Installed, the table's folder is read-only for the web (systemd/feltside-web.service)."""
    state, own = tmp_path / "table", tmp_path / "web"
    settings = Settings(state=state, web=WebSettings(pin="", folder=str(own)))
    journal = Journal(settings.journal)
    match = play(NEW, start(), ask.EndMatch())
    journal.append("m1", match.history, at_ns=1, utc="2026-11-21T19:30:45Z", words=None)
    before = sorted(path.name for path in state.rglob("*"))
    app = create_app(settings)
    browser = app.test_client()
    assert post(browser, "/pin/set", pin="2468", again="2468").status_code == 303
    text = browser.get("/history/m1.jsonl").text.replace("m1", "m7").encode()
    file = {"csrf": token(browser), "file": (BytesIO(text), "m7.jsonl")}
    assert browser.post("/history/import", data=file).status_code == 303
    assert sorted(path.name for path in state.rglob("*")) == before
    assert sorted(p.name for p in own.rglob("*")) == ["imported", "m7.jsonl", "web-pin", "web-secret"]


def test_two_first_visitors_at_once_leave_one_pin(tmp_path):
    path = tmp_path / "web-pin"
    slow = guard_of("", path)
    assert save_pin(path, KeptPin.of("1111"))
    assert not slow.claim("2222", path)
    assert slow.right("1111")
    assert not save_pin(path, KeptPin.of("3333"))
    assert load_pin(path).right("1111")


def test_a_damaged_pin_file_is_said_and_opens_nothing(tmp_path):
    (tmp_path / "web-pin").write_text("{}")
    with pytest.raises(BadSettings, match="remove it to set a new one"):
        guard_of("", tmp_path / "web-pin")


def test_each_rest_is_twice_as_long(tmp_path):
    now = [0.0]
    guard = PinGuard("2468", clock=lambda: now[0])
    for rest_s in (REST_S, 2 * REST_S, 4 * REST_S):
        for _ in range(MOST_TRIES):
            assert not guard.right("0000")
        assert guard.resting_s() == rest_s
        now[0] += rest_s
    assert guard.right("2468")
    for _ in range(MOST_TRIES):
        guard.right("0000")
    assert guard.resting_s() == REST_S, "the right PIN forgives"


@pytest.mark.parametrize("pin", ["", "123", "1" * 13, "12a4", "12 34", "１２３４"])
def test_a_pin_is_four_to_twelve_figures(pin):
    assert pin_problem(pin, pin) == f"A PIN is {FIGURES[0]} to {FIGURES[-1]} figures."


def test_too_large_a_form_is_refused(tmp_path):
    browser = house(tmp_path).browser()
    assert post(browser, "/act/hold", why="x" * 70_000).status_code == 413
