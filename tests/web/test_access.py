"""Who may act: tokens, PIN, names of the host, headers, the secret's file."""

from __future__ import annotations

import stat
from contextlib import closing

import pytest

from pi.errors import BadSettings
from pi.rules import commands as ask
from tests.builders import start
from tests.web.builders import house, post, token
from web.access import host_allowed, load_secret
from web.pin import MOST_TRIES, REST_S, PinGuard


def test_without_a_token_nothing_is_done(tmp_path):
    home = house(tmp_path)
    home.play(start())
    browser = home.browser()
    right = token(browser)
    for given in ("", "0" * 32, right[:-1]):
        answer = browser.post("/act/next", data={"csrf": given}, headers={"Accept": "application/json"})
        assert answer.status_code == 403
    assert home.browser().post("/act/next", data={"csrf": right}).status_code == 403
    assert home.table.asked == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_on_another_page_cannot_act(tmp_path, headers):
    home = house(tmp_path)
    home.play(start())
    browser = home.browser()
    answer = browser.post("/act/next", data={"csrf": token(browser)}, headers=headers)
    assert answer.status_code == 403
    assert home.table.asked == []


@pytest.mark.parametrize(
    "host", ["192.168.1.7:8080", "[fe80::1]:8080", "localhost", "feltside", "feltside.local:80", "127.0.0.1"]
)
def test_names_that_cannot_be_bought_are_ours(host):
    assert host_allowed(host)


@pytest.mark.parametrize(
    "host", ["evil.example", "feltside.local.evil.example", "", "a b", "127.0.0.1.nip.io", "x..local"]
)
def test_other_names_are_refused(host):
    assert not host_allowed(host)


def test_a_page_that_rebinds_its_name_to_us_reads_nothing(tmp_path):
    answer = house(tmp_path).browser().get("/api/state", headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert "match" not in answer.json


def test_listed_names_are_ours():
    assert host_allowed("games.example.org:8080", also=("games.example.org",))


def test_with_a_pin_looking_is_free_and_acting_is_not(tmp_path):
    home = house(tmp_path, pin="2468")
    home.play(start())
    browser = home.browser()
    assert browser.get("/").status_code == 200
    assert "Looking only" in browser.get("/table").text
    assert post(browser, "/act/next").status_code == 403
    assert post(browser, "/pin", pin="1357").status_code == 403
    assert post(browser, "/pin", pin="2468").status_code == 303
    assert post(browser, "/act/next").status_code == 200


def test_a_changed_pin_ends_the_sessions_made_with_the_old_one(tmp_path):
    home = house(tmp_path, pin="2468")
    home.play(start(), ask.Next(0))
    browser = home.browser()
    post(browser, "/pin", pin="2468")
    home.room.access.guard.pin = "9999"
    assert post(browser, "/act/hold").status_code == 403


def test_after_some_wrong_pins_the_door_rests():
    now = [100.0]
    guard = PinGuard("2468", clock=lambda: now[0])
    for _ in range(MOST_TRIES):
        assert guard.resting_s() == 0
        assert not guard.right("0000")
    assert guard.resting_s() == REST_S
    now[0] += REST_S
    assert guard.resting_s() == 0
    assert guard.right("2468")


def test_a_resting_door_says_for_how_long(tmp_path):
    browser = house(tmp_path, pin="2468").browser()
    for _ in range(MOST_TRIES):
        post(browser, "/pin", pin="1")
    answer = post(browser, "/pin", pin="2468")
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


def test_pages_allow_no_script_but_our_files(tmp_path):
    browser = house(tmp_path).browser()
    for path in ("/", "/table", "/history", "/api/state", "/static/stream.js", "/round/9"):
        with closing(browser.get(path)) as answer:
            headers = answer.headers
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
    page = browser.get("/table").text
    assert " style=" not in page
    assert " onclick=" not in page
    assert "https://" not in page


def test_session_cookies_are_kept_from_scripts_and_other_sites(tmp_path):
    cookie = house(tmp_path).browser().get("/table").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_too_large_a_body_is_refused(tmp_path):
    home = house(tmp_path)
    browser = home.browser()
    answer = browser.post("/act/next", data={"csrf": token(browser), "x": "y" * 100_000})
    assert answer.status_code == 413


def test_the_secret_is_made_once_for_its_owner_only(tmp_path):
    path = tmp_path / "new" / "web-secret"
    secret = load_secret(path)
    assert len(secret) == 32
    assert load_secret(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == ["web-secret"]


def test_a_secret_of_another_length_is_named(tmp_path):
    (tmp_path / "web-secret").write_bytes(b"short")
    with pytest.raises(BadSettings, match="5 bytes"):
        load_secret(tmp_path / "web-secret")
