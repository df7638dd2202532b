"""Solitaire quests on the pages: what is wrong is named and marked, and the best times are kept."""

from __future__ import annotations

import pytest

from pi.rules import commands as ask
from pi.rules.games.quest import AskHint
from pi.rules.quests import most_runs
from tests.builders import SECOND, players
from tests.rules.test_quest_game import DEAL, solution, spoilt, tray, with_most
from tests.web.builders import house


@pytest.fixture
def home(tmp_path):
    return house(tmp_path)


def test_faults_are_named_and_hints_are_told(home):
    home.play(ask.StartMatch("m1", "quest", players("Ann")), ask.Next(0), AskHint())
    assert "Lay a " in home.browser().get("/table").text
    home.play(ask.ReadTray(tray(spoilt())))
    text = home.browser().get("/table").text
    assert "is a run in" in text
    assert 'class="mark"' in text


def test_best_times_are_kept_over_matches_fastest_first(home):
    assert "No quest has been solved here yet." in home.browser().get("/quests").text
    for number, took in enumerate((95, 61), start=1):
        home.play(
            ask.StartMatch(f"m{number}", "quest", players(f"Ann{number}")),
            ask.Next(0),
            ask.ReadTray(tray(solution("no-runs"))),
            ask.Next(took * SECOND),
            ask.EndMatch("enough"),
        )
    text = home.browser().get("/quests").text
    assert text.index("1:01.0") < text.index("1:35.0")
    assert "Ann2" in text


def test_most_runs_shows_what_is_possible_at_once_and_lists_the_fewest_missed_first(home):
    home.play(ask.StartMatch("m0", "quest", players("Ann"), (("quest", "most-runs"),)), ask.Next(0))
    assert "let the eye read them" in home.browser().get("/table").text
    best = most_runs.best(DEAL).runs
    home.play(ask.ReadTray(tray(DEAL)))
    assert f"{sum(most_runs.runs(DEAL))} of {best} runs" in home.browser().get("/table").text
    home.play(ask.Next(20 * SECOND), ask.Next(30 * SECOND), ask.ReadTray(tray(DEAL)))
    home.play(ask.ReadTray(tray(with_most())), ask.Next(90 * SECOND))
    text = home.browser().get("/quests").text
    assert text.index(f"1:00.0, {best} of {best} runs") < text.index(
        f"0:20.0, {sum(most_runs.runs(DEAL))} of {best} runs"
    )
