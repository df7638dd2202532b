"""The spectators' screen: a link of its own, closed until the table opens it, and then the seats are warned."""

from __future__ import annotations

import re

import pytest

from pi.rules import commands as ask
from tests.builders import ONE_RUN, lock, start, tray
from tests.web.builders import house

WARNING = "shows the chances of this round."
HALF = "\n".join(["? ? ? ? ? ? ? ? ? ?"] * 2 + ONE_RUN.split("\n")[2:])


@pytest.fixture
def home(tmp_path):
    found = house(tmp_path)
    found.play(start(), ask.Next(0), ask.ReadTray(tray(HALF, frame="f1")))
    return found


def token(text: str) -> str:
    found = re.search(r'name="csrf" value="(\w+)"', text)
    assert found is not None
    return found[1]


def opened(home) -> str:
    """Open the screen at the table; returns its code."""
    table = home.browser()
    table.post("/watch/switch", data={"csrf": token(table.get("/table").text)})
    found = re.search(r'href="/watch#(\w+)"', table.get("/table").text)
    assert found is not None
    return found[1]


def test_it_is_closed_until_the_table_opens_it_and_needs_its_own_code(home):
    looker = home.browser()
    page = looker.get("/watch").text
    assert "This screen is closed." in page
    assert "<svg" not in page
    code = opened(home)
    page = looker.get("/watch").text
    assert "<svg" not in page
    assert looker.post("/watch/enter", data={"csrf": token(page), "code": "0" * 16}).status_code == 403
    assert looker.post("/watch/enter", data={"csrf": token(page), "code": code}).status_code == 303
    text = looker.get("/watch").text
    assert "20 tiles lie face down." in text
    assert "<svg" in text


def test_while_it_is_open_scoreboard_table_and_seats_say_so(home):
    assert WARNING not in home.browser().get("/").text
    opened(home)
    assert WARNING in home.browser().get("/").text
    assert WARNING in home.browser().get("/table").text
    table = home.browser()
    table.post("/watch/switch", data={"csrf": token(table.get("/table").text)})
    assert WARNING not in home.browser().get("/").text


def test_it_closes_with_its_match_and_tells_nothing_of_predictions(home):
    code = opened(home)
    looker = home.browser()
    looker.post("/watch/enter", data={"csrf": token(looker.get("/watch").text), "code": code})
    home.play(lock(1, 2))
    one = looker.get("/watch").text
    assert "from place 2 of the queue" in one
    home.play(ask.EndMatch("late"), start(match="m2"))
    assert "This screen is closed." in looker.get("/watch").text
