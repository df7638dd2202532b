"""The page for teaching: what it shows at each step, what it sends, and who may."""

from __future__ import annotations

import re

import pytest

from pi.rules import commands as ask
from tests.builders import start
from tests.web.builders import house, post
from web.forms import BadInput
from web.speech import echo, speaking
from web.teaching import taught, wish


@pytest.fixture
def home(tmp_path):
    return house(tmp_path)


def page(home, **said) -> str:
    """The page while the watcher says this of teaching."""
    home.table.status = {**home.table.status, "taught": said}
    home.told()
    return home.browser().get("/teach").text


def test_without_a_camera_there_is_nothing_to_teach_with(home):
    assert "The camera is away" in home.browser().get("/teach").text


def test_each_step_offers_what_can_be_done_next(home):
    first = page(home, set="", lesson={}, done="a")
    assert "no set of yours is taught" in first
    assert 'value="begin"' in first
    assert 'value="take"' not in first
    begun = page(home, set="", lesson={"state": "begun"}, done="b")
    assert 'value="take"' in begun
    assert "/live.jpg" in begun
    learning = page(home, lesson={"state": "learning", "progress": 0.4}, done="c")
    assert 'value="40"' in learning
    assert 'value="take"' not in learning
    numbers = {"pieces": 40, "certain": 40, "before": 12, "pictures": 1}
    ready = page(home, lesson={"state": "ready", **numbers, "words": []}, done="d")
    assert "40 of 40 pieces are read for certain; before they were 12." in ready
    assert 'value="use"' in ready
    assert "/teach/1.jpg?d" in ready
    in_force = page(home, set="2026-11-21", aside=True, lesson={}, words="The taught set is in force.", done="e")
    assert "Taught set of 2026-11-21 in force." in in_force
    assert 'value="forget"' in in_force
    assert 'value="recall"' in in_force


def test_what_is_wrong_is_said_and_cannot_be_used(home):
    sentence = "The 3 in row 1, place 4 reads as a 5."
    wrong = page(home, lesson={"state": "wrong", "words": [sentence], "pictures": 1}, done="a")
    assert sentence in wrong
    assert 'value="use"' not in wrong
    refused = page(home, lesson={"state": "refused", "words": ["Nothing lies on the tray in picture 1."]}, done="b")
    assert "Nothing lies on the tray" in refused
    damaged = page(home, set="", trouble="The taught set is not used: damaged.", lesson={}, done="c")
    assert "damaged: it is not used" in damaged
    german = home.browser().get("/teach?lang=de").text
    assert "beschädigt" in german


def test_what_the_pictures_before_a_refused_one_taught_can_be_used(home):
    refused = page(home, lesson={"state": "refused", "words": ["No."], "earlier": True}, done="a")
    assert 'value="use"' in refused
    assert "Use the pictures before it" in refused
    assert "Die Bilder davor übernehmen" in home.browser().get("/teach?lang=de").text


WRONG = {
    "The 4 in row 3, place 5, of picture 2 reads as a 9.": "Die 4 in Reihe 3, Platz 5 von Bild 2 liest sich als 9.",
    "The 4 in row 3, place 5 reads as face down.": "Die 4 in Reihe 3, Platz 5 liest sich als verdeckt.",
    "The 4 in row 3, place 5, of picture 2 is taken for red, not green.": "von Bild 2 gilt als rot, nicht grün.",
    "The colour of the 4 in row 3, place 5 is not to be seen: it was said to be green.": "Angegeben war grün.",
    "Nothing is found in row 3, place 5, of picture 2, where a 4 was said to lie.": "In Reihe 3, Platz 5 von Bild 2",
    "Nothing is found in row 3, place 5, of picture 2, where an 8 was said to lie.": "wo eine 8 liegen sollte",
    "Row 3, place 5, of picture 2 should be an 8, but an 8 lies there, as the other rows show it: lay them in order and"
    " take it again.": "Reihe 3, Platz 5 von Bild 2",
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_is_wrong_with_a_piece_is_told_in_german(sentence):
    with speaking("de"):
        assert WRONG[sentence] in echo(sentence)


ORDER = "0 1 2 3 4 5 6 7 8 9"
REFUSED = {
    "Row 1, place 1, of picture 1 should be a 0, but looks like a 1, and the whole lesson lies in another order: lay "
    f"each row as you said (here {ORDER}, left to right), or say what does lie there, and take it again.": "wirklich",
    "Row 1, place 2, of picture 1 should be a 1, but looks like a 7, and others are exchanged with it: lay each row as "
    f"you said (here {ORDER}, left to right), and take it again.": "sind damit vertauscht",
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_a_refused_lesson_is_told_in_german(home, sentence):
    assert sentence in page(home, lesson={"state": "refused", "words": [sentence]}, done="a")
    german = home.browser().get("/teach?lang=de").text
    assert REFUSED[sentence] in german
    assert sentence not in german


DOUBTS = {
    "Row 2, place 7, of picture 1 was said to be a 6, but looks like an 8.": "soll eine 6 sein, sieht aber aus wie",
    "Row 3, place 5, of picture 1 was said to be a 4, but looks face down, hidden or askew.": "sieht aber verdeckt",
    "Row 1, place 2, of picture 1 was said to be a 1, but looks like a 7, and others are exchanged with it.": "damit",
    "Row 1, place 1, of picture 1 was said to be a 0, but looks like a 9, and the whole lesson lies in another "
    "order.": "sieht aber aus wie eine 9, und alles liegt in anderer Ordnung.",
    "Row 4 of picture 1 does not look as the other rows do.": "Reihe 4 von Bild 1 sieht nicht aus wie die anderen",
}


DOUBTED = {"state": "refused", "words": ["No."], "pictures": 1, "doubts": list(DOUBTS), "doubted": [1]}
"""What the watcher says of a lesson that was refused for what its pieces look like."""


def test_a_doubted_lesson_can_be_insisted_on_after_a_second_look(home):
    """The owner looks again at the rows and places that are named, and one more tap learns it as they said."""
    shown = page(home, lesson={**DOUBTED, "of": "5e"}, done="5e")
    assert "It lies as I said" in shown
    assert 'value="take"' in shown, "and it can be taken again"
    marked = shown.split("<figure")[1].split("</figure>")[0]
    assert all(f"<li>{sentence}</li>" in marked for sentence in DOUBTS)
    assert "<ol>" in marked, "numbered as in the picture"
    asked = shown.split("<details")[1].split("</details>")[0]
    assert 'name="do" value="insist"' in asked
    assert 'name="of" value="5e"' in asked
    german = home.browser().get("/teach?lang=de").text
    assert all(said in german for said in DOUBTS.values())
    assert not any(sentence in german for sentence in DOUBTS)


def test_only_the_pictures_in_which_something_is_doubted_are_shown(home):
    lesson = {**DOUBTED, "pictures": 3, "doubted": [3, "2", 99, True, 1]}
    shown = page(home, lesson={**lesson, "of": "5e"}, done="7c")
    assert re.findall(r'src="(/teach/[^"]*)"', shown) == ["/teach/doubted-3.jpg?5e", "/teach/doubted-1.jpg?5e"]
    assert "Picture 3 with what the eye doubts" in shown
    assert "Bild 3 mit dem, was das Auge bezweifelt" in home.browser().get("/teach?lang=de").text


@pytest.mark.parametrize(
    "lesson",
    [
        {"state": "refused", "words": ["No tray is found in picture 1: check the markers and take it again."]},
        {"state": "refused", "words": ["No."], "doubts": list(DOUBTS)},
        {"state": "wrong", "words": ["The 3 in row 1, place 4 reads as a 5."], "doubts": list(DOUBTS)},
        {"state": "ready", "words": [], "doubts": list(DOUBTS)},
        {"state": "begun"},
    ],
)
def test_what_is_no_doubt_cannot_be_insisted_on(home, lesson):
    shown = page(home, lesson=lesson, done="a")
    assert "It lies as I said" not in shown
    assert "/teach/doubted" not in shown
    assert 'value="insist"' not in shown


@pytest.mark.parametrize("state", ["ready", "wrong"])
def test_what_was_insisted_on_is_told_with_the_result_and_with_the_set(home, state):
    """Never silently wrong: it reads back right also where the owner erred."""
    first, second, third, *_ = DOUBTS
    shown = page(home, set="2026-11-30", doubts=[third], lesson={"state": state, "doubts": [first, second]}, done="a")
    in_force, result = shown.split('id="result"')
    assert "Learnt as you said, against the eye&#39;s doubt:" in in_force
    assert third in in_force
    assert "Learnt as you said, against the eye&#39;s doubt:" in result
    assert first in result
    assert second in result
    assert "Gelernt wie angegeben, gegen den Zweifel des Auges:" in home.browser().get("/teach?lang=de").text


def test_insisting_goes_to_the_watcher_with_the_refusal_it_answers(home):
    assert post(home.browser(), "/act/teach", do="insist", of="5e").status_code == 200
    sent = home.table.asked[-1]["status"]["teach"]
    assert (sent.keys(), sent["do"], sent["of"]) == ({"do", "id", "of"}, "insist", "5e")


def test_while_a_round_is_open_nothing_is_taught(home):
    home.play(start(), ask.Next(0))
    shown = page(home, set="", lesson={"state": "begun"}, done="a")
    assert "A round is open: teach between rounds." in shown
    assert 'value="take"' not in shown


def test_the_form_goes_to_the_watcher_as_a_wish(home):
    browser = home.browser()
    answer = post(browser, "/act/teach", do="take", layout="rows", rows="2", colours="red, light blue")
    assert answer.status_code == 200, answer.text
    sent = home.table.asked[-1]["status"]["teach"]
    assert {k: sent[k] for k in ("do", "layout", "colours")} == {
        "do": "take",
        "layout": "rows",
        "colours": ["red", "light blue"],
    }
    assert len(sent["id"]) == 8
    assert post(browser, "/act/teach", do="dance").status_code == 400


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"do": "take", "layout": "stairs"},
        {"do": "take", "rows": "9"},
        {"do": "take", "rows": "x"},
        {"do": "take", "rows": "2", "colours": "red"},
        {"do": "take", "rows": "2", "colours": "red, red"},
        {"do": "take", "rows": "2", "colours": "red, "},
    ],
)
def test_forms_that_make_no_sense_are_refused(form):
    with pytest.raises(BadInput):
        wish(form)


def test_rows_may_stay_without_names():
    assert wish({"do": "take", "rows": "3"})["colours"] == ["", "", ""]
    assert wish({"do": "forget"}).keys() == {"do", "id"}


@pytest.mark.parametrize(
    "said",
    [
        None,
        7,
        {"lesson": 3},
        {"lesson": {"words": 7, "pictures": "many", "progress": "x"}},
        {"doubts": 3, "lesson": {"doubts": {"a": 1}, "of": [7]}},
    ],
)
def test_whatever_the_status_holds_the_page_can_be_made(home, said):
    assert taught({"taught": said})["state"] == ""
    assert home.browser().get("/teach").status_code == 200


def test_pictures_of_a_lesson_are_for_the_table_only(home, tmp_path):
    folder = tmp_path / "teach"
    folder.mkdir()
    for name, path in (("read", "/teach/{}.jpg"), ("doubted", "/teach/doubted-{}.jpg")):
        (folder / f"{name}-1.jpg").write_bytes(b"jpeg")
        answer = home.browser().get(path.format(1))
        assert answer.data == b"jpeg"
        answer.close()
        assert home.browser().get(path.format(2)).status_code == 404


def test_without_the_pin_nobody_teaches(tmp_path):
    home = house(tmp_path, pin="4711")
    browser = home.browser()
    (tmp_path / "teach").mkdir()
    for name, path in (("read", "/teach/1.jpg"), ("doubted", "/teach/doubted-1.jpg")):
        (tmp_path / "teach" / f"{name}-1.jpg").write_bytes(b"jpeg")
        assert browser.get(path).status_code == 403
    assert 'value="begin"' not in browser.get("/teach").text
    assert post(browser, "/act/teach", do="forget").status_code == 403
    assert home.table.asked == []
