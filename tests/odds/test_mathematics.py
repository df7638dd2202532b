"""The page's texts and figures: what RULES.md calls worth showing, and pictures that can be read aloud."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from pi.odds.errors import BadQuestion
from pi.odds.mathematics import TITLES, against, chapter, chapters, english
from pi.odds.mathematics_numbers import BOOK_BOARD, BOOK_ROW, kept, work_out

SVG = "{http://www.w3.org/2000/svg}"


def whole(key: str) -> str:
    found = chapter(key)
    return " ".join([*map(str, found.paragraphs), *(f"{f.label}: {english(f.value)}." for f in found.figures)])


@pytest.mark.parametrize("key", TITLES)
def test_every_chapter_has_words_figures_and_a_picture_with_a_title(key: str):
    found = chapter(key)
    assert found.key == key
    assert found.paragraphs
    assert found.figures
    picture = ElementTree.fromstring(found.svg())
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
    assert pytest.approx(BOOK_BOARD, abs=0.001) == 1 - (1 - BOOK_ROW) ** 4


def test_numbers_worth_showing_of_run_buster():
    said = whole("buster")
    assert "1.543 %" in said  # 720/46656
    assert "441 positions" in said
    assert "1 2 3 4 5 and 2 3 4 5 6 the most, 1 and 6 the least." in said


def test_long_labels_have_room_left_of_their_bars():
    picture = ElementTree.fromstring(chapter("buster").svg())
    label = next(text for text in picture.iter(f"{SVG}text") if text.text == "1 2 3 4 5")
    assert float(label.attrib["x"]) >= 70


def test_the_quests_say_what_is_proved_and_what_is_not():
    said = whole("quests")
    assert "26 is the most possible" in said
    assert "is not proved" in said
    assert "1 in 5,752 ways" in said


@pytest.mark.parametrize("key", TITLES)
def test_what_is_kept_is_what_the_code_finds(key: str):
    """Never typed in: `python -m pi.odds.mathematics_numbers` writes the file again."""
    found, stored = work_out(key), kept()[key]
    bars, stored_bars = found.pop("bars"), dict(stored)
    assert [label for label, _ in bars] == [label for label, _ in stored_bars["bars"]]
    assert [share for _, share in bars] == pytest.approx([share for _, share in stored_bars.pop("bars")], rel=1e-9)
    for name, value in found.items():
        numbers = isinstance(value, float) or name == "best" and isinstance(value[0], float)
        assert stored_bars.pop(name) == (pytest.approx(value, rel=1e-9) if numbers else value), name
    assert stored_bars == {}


def test_a_tables_history_stands_beside_the_chances():
    found = against([0, 1, 0, 2, 1, 1, 0, 3])
    assert str(found.paragraphs[0]) == "In 5 of 8 rounds some run lay there; 5.0 ± 1.4 were to be expected."
    assert "as shuffling would have it" in str(found.paragraphs[1])
    assert english(found.figures[0].value) == "1.000"
    assert "0 here" in found.svg()


def test_a_history_far_from_the_chances_is_said():
    assert "shuffle well" in str(against([4] * 40).paragraphs[1])
    assert "0 of 1 round some" in str(against([0]).paragraphs[0])


def test_questions_without_an_answer_are_refused():
    with pytest.raises(BadQuestion, match="no history"):
        against([])
    with pytest.raises(BadQuestion, match="no chapter"):
        chapter("luck")
    with pytest.raises(BadQuestion, match="no chapter"):
        work_out("luck")
