"""The page's texts and figures: what RULES.md calls worth showing, and pictures that can be read aloud."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from pi.odds import mathematics
from pi.odds.errors import BadQuestion
from pi.odds.mathematics import TITLES, against, chapter, chapters
from pi.odds.rows import board_chances

SVG = "{http://www.w3.org/2000/svg}"


def whole(key: str) -> str:
    found = chapter(key)
    return " ".join([*found.paragraphs, *(f"{f.label}: {f.value}." for f in found.figures)])


@pytest.mark.parametrize("key", TITLES)
def test_every_chapter_has_words_figures_and_a_picture_with_a_title(key: str):
    found = chapter(key)
    assert found.key == key
    assert found.paragraphs
    assert found.figures
    picture = ElementTree.fromstring(found.svg)
    assert picture.tag == f"{SVG}svg"
    assert picture.findtext(f"{SVG}title")
    assert picture.findtext(f"{SVG}desc")


def test_chapters_come_in_the_order_of_their_keys():
    assert tuple(c.key for c in chapters()) == tuple(TITLES)


def test_numbers_worth_showing_of_a_row():
    said = whole("row")
    assert "3,628,800 orders" in said
    assert "611,200 of them hold exactly one run" in said
    assert "2,843,980 hold none" in said
    assert "21.63 % of all rows. The rule book says close to 20 %" in said
    assert (
        "16.84 % with exactly one run, which is right, and about 3.2 % with several. Those are really 4.785 %." in said
    )
    assert "284,398" in said


def test_numbers_worth_showing_of_a_board():
    said = whole("board")
    assert "Some run lies on 62.27 % of boards" in said
    assert "59 %" in said
    assert pytest.approx(mathematics.BOOK_BOARD, abs=0.001) == 1 - (1 - mathematics.BOOK_ROW) ** 4


def test_numbers_worth_showing_of_run_buster():
    said = whole("buster")
    assert "1.543 %" in said  # 720/46656
    assert "441 positions" in said
    assert "1 2 3 4 5 and 2 3 4 5 6 the most, 1 and 6 the least." in said


def test_long_labels_have_room_left_of_their_bars():
    picture = ElementTree.fromstring(chapter("buster").svg)
    label = next(text for text in picture.iter(f"{SVG}text") if text.text == "1 2 3 4 5")
    assert float(label.attrib["x"]) >= 70


def test_the_quests_say_what_is_proved_and_what_is_not():
    said = whole("quests")
    assert "26 is the most possible" in said
    assert "is not proved" in said
    assert "1 in 5,752 ways" in said


def test_a_tables_history_stands_beside_the_chances():
    found = against([0, 1, 0, 2, 1, 1, 0, 3], board_chances())
    assert found.paragraphs[0].startswith("In 8 rounds some run lay there 5 times; 5.0 ± 1.4 were to be expected.")
    assert "as shuffling would have it" in found.paragraphs[0]
    assert found.figures[0].value == "1.000"
    assert "0 here" in found.svg


def test_a_history_far_from_the_chances_is_said():
    assert "shuffle well" in against([4] * 40, board_chances()).paragraphs[0]
    assert "1 round " in against([0], board_chances()).paragraphs[0]


def test_questions_without_an_answer_are_refused():
    with pytest.raises(BadQuestion, match="no history"):
        against([], board_chances())
    with pytest.raises(BadQuestion, match="no chapter"):
        chapter("luck")
