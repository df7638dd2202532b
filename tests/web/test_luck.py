"""The page "how lucky was that?": only after the reveal, exact, and with the moments that the eye saw."""

from __future__ import annotations

import pytest

from pi.odds.rows import board_chances
from pi.rules import commands as ask
from tests.builders import NO_RUN, ONE_RUN, SECOND, lock, start, tray
from tests.web.builders import house

LINES = ONE_RUN.split("\n")
COVERED = "? ? ? ? ? ? ? ? ? ?"


def opened(rows: int) -> str:
    """Return the board with so many rows turned up, from the last."""
    return "\n".join([*[COVERED] * (4 - rows), *LINES[4 - rows :]])


@pytest.fixture
def home(tmp_path):
    return house(tmp_path)


def test_before_the_reveal_the_page_is_not_there(home):
    """DESIGN.md: before the reveal nothing that depends on what only the eye has counted leaves the server."""
    home.play(start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN, frame="f1")), lock(1, 1))
    answer = home.browser().get("/round/1/luck")
    assert answer.status_code == 404
    assert "is not revealed yet" in answer.text
    assert "lucky" not in home.browser().get("/round/1").text


def test_the_boards_luck_is_that_of_the_exact_distribution(home):
    home.play(start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN, frame="f1")), lock(1, 1), lock(2, 3, at=2.0))
    text = home.browser().get("/round/1/luck").text
    share = f"{float(100 * board_chances().at_least(1)):.2f}"
    assert f"so many or more in {share} %" in text
    assert "These figures are exact." in text
    assert "▶ 1" in text
    assert "saw this tray only as a whole" in text
    assert 'href="/round/1/luck"' in home.browser().get("/round/1").text


def test_a_board_without_a_run_is_said_as_people_would(home):
    home.play(start(), ask.Next(0), ask.ReadTray(tray(NO_RUN, frame="f1")), lock(1, 0), lock(2, 3, at=2.0))
    assert "No run lay there: so it is in 37.73 % of all cases" in home.browser().get("/round/1/luck").text


def test_readings_of_a_tray_that_is_turned_row_by_row_tell_nerve_and_the_best_moment(home):
    home.play(start(), ask.Next(0))
    for second, step in (
        (10, ask.ReadTray(tray(opened(1), frame="f1"))),
        (11, lock(1, 1, at=11.0)),
        (12, ask.ReadTray(tray(opened(3), frame="f2"))),
        (13, ask.ReadTray(tray(ONE_RUN, frame="f3"))),
        (14, lock(2, 2, at=14.0)),
    ):
        home.table.now_ns = second * SECOND
        home.play(step)
    text = home.browser().get("/round/1/luck").text
    assert "a perfect player would have said" in text
    assert "said 1 with 30 tiles face down" in text
    assert "It held." in text


def test_a_round_nobody_played_and_an_unknown_match_are_named(home):
    home.play(start(), ask.Next(0))
    assert "Round 7 of Random Scramble was not played" in home.browser().get("/round/7/luck").text
    assert home.browser().get("/history/nothing/round/1/luck").status_code == 404


def test_with_vertical_the_chances_are_drawn_and_the_page_says_so(home):
    home.play(start(vertical=True), ask.Next(0), ask.ReadTray(tray(ONE_RUN, frame="f1")))
    home.play(lock(1, 1), lock(2, 3, at=2.0))
    assert "400,000 shuffled ones were counted" in home.browser().get("/round/1/luck").text
