"""A card that takes nothing more: the pages say so loudly, and show the match that goes on in memory."""

from __future__ import annotations

from pi.journal import Journal
from pi.settings import Settings
from tests import builders
from tests.web.builders import house
from web.app import create_app

WORDS = "The card takes nothing more (the disk is full): the match goes on in memory only."


def test_the_banner_is_on_scoreboard_and_table_page_while_the_match_is_in_memory_only(tmp_path):
    home = house(tmp_path)
    home.play(builders.start("Ann", "Bob"))
    browser = home.browser()
    assert WORDS not in browser.get("/").text
    home.table.status = {**home.table.status, "journal": {"state": "memory", "words": WORDS}}
    home.told()
    for page in ("/", "/table"):
        assert f'role="alert">{WORDS}' in browser.get(page).text
    assert browser.get("/api/state").get_json()["status"]["journal"] == {"state": "memory", "words": WORDS}
    home.table.status = {**home.table.status, "journal": {"state": "ok", "words": "Every step is on disk."}}
    home.told()
    assert "on disk" not in browser.get("/").text


def test_the_pages_show_the_match_that_is_in_memory(tmp_path):
    settings = Settings(state=tmp_path / "state", run=tmp_path / "run")
    (tmp_path / "run").mkdir()
    started = builders.decide(builders.NEW, builders.start("Ann", "Bob", match="m1"))
    assert settings.spare is not None
    for path, matches in ((settings.journal, ("m0",)), (settings.spare, ("m1",))):
        with Journal(path) as journal:
            for match in matches:
                journal.append(match, started, at_ns=1, utc="2026-11-21T19:30:45.000Z")
    app = create_app(settings)
    assert app.test_client().get("/api/state").get_json()["match"] == "m1"
    assert [kept.match for kept in app.extensions["feltside"].reader.matches()] == ["m0", "m1"]
