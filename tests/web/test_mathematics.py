"""The page "the mathematics": every chapter opens, and the table's own history stands beside the board's."""

from __future__ import annotations

import pytest

from pi.odds.mathematics import TITLES
from pi.rules import commands as ask
from tests.builders import ONE_RUN, lock, start, tray
from tests.web.builders import house


@pytest.fixture
def home(tmp_path):
    return house(tmp_path)


@pytest.mark.parametrize("key", TITLES)
def test_every_chapter_opens_with_its_picture_and_leads_to_the_others(home, key: str):
    text = home.browser().get(f"/mathematics/{key}").text
    assert f"<h2>{TITLES[key]}</h2>" in text
    assert "<svg" in text
    assert all(f'href="/mathematics/{other}"' in text for other in TITLES)


def test_the_page_opens_at_the_first_chapter(home):
    assert "21.63 % of all rows" in home.browser().get("/mathematics").text


def test_an_unknown_chapter_is_refused_with_a_sentence(home):
    answer = home.browser().get("/mathematics/luck")
    assert answer.status_code == 404
    assert "There is no such chapter." in answer.text


def test_the_tables_own_history_appears_once_there_is_some(home):
    assert "Your table" not in home.browser().get("/mathematics/board").text
    home.play(start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN, frame="f1")), lock(1, 1), lock(2, 3, at=2.0))
    text = home.browser().get("/mathematics/board").text
    assert "In 1 of 1 round some run lay there; 0.6 ± 0.5 were to be expected." in text


def test_a_round_that_is_not_revealed_changes_nothing_on_the_page(home):
    before = home.browser().get("/mathematics/board").text
    home.play(start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN, frame="f1")), lock(1, 1))
    assert home.browser().get("/mathematics/board").text == before


@pytest.mark.parametrize("key", TITLES)
def test_every_chapter_opens_in_german_without_working_anything_out(home, key: str, monkeypatch):
    def never(*_: object) -> None:
        raise AssertionError("worked out while somebody waits")

    monkeypatch.setattr("pi.odds.mathematics_numbers.work_out", never)
    text = home.browser().get(f"/mathematics/{key}?lang=de").text
    assert f"<h2>{TITLES[key]}</h2>" not in text
    assert 'lang="en"' not in text.partition("</main>")[0]


def test_numbers_are_written_as_people_do_there(home):
    text = home.browser().get("/mathematics/row?lang=de").text
    assert "3.628.800" in text
    assert "21,63 % aller Reihen" in text
    assert "21,63 %</text>" not in text, "some run is no bar"
    assert "16,84 %</text>" in text
