"""What each game says of itself: its card, whose turn it is, and its events in words without a secret."""

from __future__ import annotations

import pytest

from pi.rules import commands as ask
from pi.rules.games import RULESETS, sums_grid
from pi.rules.games.blob import Fill
from pi.rules.games.run_buster import Roll
from pi.rules.transcript import transcript
from tests.builders import match, players
from tests.rules.games import begun

SCREEN = 1400
"""Letters that fit a tablet's screen at reading size; two screens at most."""


@pytest.mark.parametrize("game", RULESETS)
def test_every_game_has_a_card_of_two_screens_at_most_that_names_its_author(game: str):
    card = RULESETS[game].card
    assert sum(len(heading) + len(text) for heading, text in card) <= 2 * SCREEN
    assert all(heading and text.endswith(".") for heading, text in card)
    heading, author = card[-1]
    name = RULESETS[game].source.rpartition(" by ")[2] if " by " in RULESETS[game].source else "Joe Marasco"
    assert heading == "Author"
    assert name in author


def test_run_busters_card_keeps_name_and_rules_as_its_author_asks():
    assert "Mark Steere" in RULESETS["run-buster"].card[-1][1]
    assert "unchanged" in RULESETS["run-buster"].card[-1][1]


def test_a_game_of_turns_says_whose_turn_it_is_and_tells_its_steps():
    state = match(ask.StartMatch("m1", "blob", players("Ann", "Bob")), Fill(1, 3, 4))
    assert state.ruleset.movers(state.context, state.state) == (2,)
    assert "Ann fills row 4 column 5" in transcript(state.history)


def test_run_buster_awaits_nobody_between_rounds():
    state = match(ask.StartMatch("m1", "run-buster", players("Ann", "Bob")))
    assert state.ruleset.movers(state.context, state.state) == ()
    state = begun("run-buster")
    assert state.ruleset.movers(state.context, state.state) == (1,)


def test_rolls_are_told_as_they_fell():
    state = begun("run-buster")
    state = match(*_again(state), Roll(1, (6, 1, 4, 4, 2, 2)))
    assert "Ann rolls 1 2 2 4 4 6" in transcript(state.history)


def _again(state):
    return ask.StartMatch("m1", "run-buster", players("Ann", "Bob")), ask.Next(0)


def test_sums_grids_are_hidden_until_everybody_has_handed_in_the_last():
    grid = ((2, 9, 8), (3, 1, 10), (7, 6, 15))
    start = ask.StartMatch("m1", "sums-grid", players("Ann", "Bob"))
    state = match(start, sums_grid.HandIn(1, grid, final=True))
    assert all(entry.grid == () for entry in state.ruleset.veiled(state.state).entries)
    assert "15" not in transcript(state.history)
    assert state.ruleset.movers(state.context, state.state) == (2,)
    state = match(start, sums_grid.HandIn(1, grid, final=True), sums_grid.HandIn(2, grid, final=True))
    assert [entry.grid for entry in state.ruleset.veiled(state.state).entries] == [grid, grid]
