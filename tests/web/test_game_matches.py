"""Whole matches of every game, from the first tap to the winner, through the pages as a browser sends them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.web.builders import House, house, post
from tests.web.tapping import Form, forms_of, tap
from web.views import VIEWS

OURS = {name: set(module.ASKS) | {"next"} for name, module in VIEWS.items()}
MANY_TAPS = 900
SIZE = {"draw-bridge": {}, "runaround": {"spaces": "12"}, "palindromes": {"squares": "10"}, "blob": {"size": "6"}}


@pytest.fixture
def home(tmp_path: Path) -> House:
    return house(tmp_path)


def begin(home: House, game: str, *names: str, **rules: str) -> Any:
    browser = home.browser()
    fields = {f"name__{n}": name for n, name in enumerate(names, start=1)}
    answer = post(browser, "/act/start-match", game=game, **fields, **{f"house__{k}": v for k, v in rules.items()})
    assert answer.status_code == 200, answer.json
    home.told()
    return browser


def offered(browser: Any, game: str, *, page: str = "/table") -> list[Form]:
    """Return what the page offers to tap; what is to be typed is left out."""
    found = [f for f in forms_of(browser.get(page).text) if f.ask in OURS[game] and f.buttons]
    return [f for f in found if not f.typed and all(f.choices.values())]


def sit(phone: Any, table: Any) -> None:
    """Take seat 1 by its link on the table page; its secret stands behind the #, and is handed in by a form."""
    code = next(line for line in table.get("/table").text.split('"') if line.startswith("/seat#1-")).partition("#")[2]
    assert post(phone, "/seat/enter", page="/seat", code=code).status_code == 303


@pytest.mark.parametrize("game", sorted(set(VIEWS) - {"sums-grid", "quest"}))
def test_whatever_is_offered_is_lawful_and_leads_to_a_winner(home: House, game: str):
    chance = random.Random(game)
    browser = begin(home, game, "Ann", "Bob", **SIZE.get(game, {}))
    for _ in range(MANY_TAPS):
        if home.table.match.outcome().over:
            break
        home.told()
        answer = tap(browser, chance.choice(offered(browser, game)), chance)
        assert answer.status_code == 200, answer.json
    over = home.table.match.outcome()
    assert over.over
    assert over.winners
    home.told()
    board = browser.get("/").text
    assert over.why in board
    assert not offered(browser, game)


def test_sums_are_hidden_until_both_have_handed_in_their_last_grid(home: House):
    """RULES.md 4: the grid 2 9 8 / 3 1 10 / 7 6 15 scores 19."""
    browser = begin(home, "sums-grid", "Ann", "Bob")
    grid = {f"n.{n}": str(number) for n, number in enumerate((2, 9, 8, 3, 1, 10, 7, 6, 15))}
    for seat in ("1", "2"):
        home.told()
        (form,) = [f for f in forms_of(browser.get("/table").text) if f.ask == "sums-hand-in"]
        assert "<td>15</td>" not in browser.get("/").text + browser.get("/api/state").text
        answer = tap(browser, form, random.Random(1), seat=seat, final="on", **grid)
        assert answer.status_code == 200, answer.json
    home.told()
    page = browser.get("/").text
    assert "<td>15</td>" in page
    assert "from 1 to 19" in page
    assert "share the win, 19 to 19" in page


def test_a_phone_taps_for_its_own_seat_whatever_its_form_says(home: House):
    browser = begin(home, "blob", "Ann", "Bob")
    phone = home.browser()
    sit(phone, browser)
    (form,) = [f for f in forms_of(phone.get("/seat").text) if f.ask == "blob-fill"]
    assert form.action == "/seat/act/blob-fill"
    answer = tap(phone, form, random.Random(2), seat="2")
    assert answer.status_code == 200
    (filled,) = [e for e in home.table.match.history if type(e).__name__ == "Filled"]
    assert (filled.seat, filled.by) == (1, "seat 1")
    home.told()
    assert not [f for f in forms_of(phone.get("/seat").text) if f.ask == "blob-fill"]  # it is Bob's turn
    again = tap(phone, form, random.Random(3))
    assert again.status_code == 409
    assert again.json["sentence"] == "It is not Ann's turn but Bob's."


def test_a_phone_cannot_lay_tiles_or_do_what_the_table_does(home: House):
    browser = begin(home, "draw-bridge", "Ann", "Bob")
    phone = home.browser()
    sit(phone, browser)
    fields = {"place": "0-0", "symbol": "4"}
    assert post(phone, "/seat/act/bridge-lay", page="/table", **fields).status_code in (400, 403)
    assert post(phone, "/seat/act/undo", page="/table").status_code in (400, 404)


def test_a_refusal_is_said_in_the_games_words(home: House):
    browser = begin(home, "runaround", "Ann", "Bob")
    answer = post(browser, "/act/runaround-move", seat=1, space=3)
    assert answer.status_code == 409
    assert answer.json["sentence"] == "First the die is rolled."


@pytest.mark.parametrize("game", ["scramble", *sorted(VIEWS)])
def test_a_rules_card_shows_the_house_rules_in_force(home: House, game: str):
    page = home.browser().get(f"/rules/{game}")
    assert page.status_code == 200
    assert "of this game" in page.text


def test_a_card_names_what_the_table_has_changed(home: House):
    browser = begin(home, "blob", "Ann", "Bob", size="6")
    assert "size: 6</b> (changed by this table)" in browser.get("/rules/blob").text


@pytest.mark.parametrize(
    ("ask", "fields", "sentence"),
    [
        ("blob-fill", {"seat": "1", "cell": "x"}, "row-column"),
        ("divisors-walk", {"seat": "1", "picks": "two"}, "list of whole numbers"),
        ("buster-roll", {"seat": "1", "dice": ""}, "list of whole numbers"),
        ("bridge-lay", {"place": "0-0", "before": "1-2"}, "row-place-symbol"),
        ("palindromes-write", {"seat": "1", "cell": "3-7"}, "0 or 1"),
        ("sums-hand-in", {"seat": "1", "size": "3"}, "not a whole number"),
    ],
)
def test_bad_fields_are_named(home: House, ask: str, fields: dict[str, str], sentence: str):
    browser = begin(home, next(name for name, asks in OURS.items() if ask in asks), "Ann", "Bob")
    answer = post(browser, f"/act/{ask}", **fields)
    assert answer.status_code == 400
    assert sentence in answer.json["error"]
