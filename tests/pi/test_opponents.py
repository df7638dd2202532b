"""Computer players: lawful, blind to what their seat cannot see, and as strong as they say."""

from __future__ import annotations

import random

import pytest

from pi.odds.buster import solve
from pi.opponents import arena
from pi.opponents.draw_bridge import dealt, hand_of
from pi.opponents.registry import GAMES, opponent
from pi.rules.games import RULESETS
from pi.rules.games.run_buster import Roll, TakeHand
from pi.rules.values import NUMBERS
from tests.rules.games import begun

SMALL = {
    "draw-bridge": {},
    "runaround": {"spaces": 12},
    "palindromes": {"squares": 8},
    "blob": {"size": 4},
    "divisors": {"r": 8},
}


def test_every_game_of_turns_has_a_computer_player():
    assert set(GAMES) == set(RULESETS) - {"scramble", "quest"}
    assert opponent("scramble") is None


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"draw-bridge"}))
def test_a_match_between_two_of_them_comes_to_its_end_by_lawful_moves(game: str):
    found = opponent(game)
    match = arena.play(game, [found.choose] * 2, random.Random(1), key="k", house=SMALL.get(game))
    assert match.outcome().over
    assert found.game == game
    assert found.strength.endswith(".")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_draw_bridge_comes_to_its_end_for_any_number(players: int):
    """RULES.md 1: three players hold 13 tiles each, and the fortieth starts its row at the left end."""
    found = opponent("draw-bridge")
    match = arena.play("draw-bridge", [found.at_random] * players, random.Random(2), key="k")
    assert match.outcome().over
    assert len(match.state.rounds) == {2: 4, 3: 3, 4: 4}[players]


def test_a_bridge_player_lays_what_it_holds_and_gains_more_than_chance():
    found = opponent("draw-bridge")
    state, chance = begun("draw-bridge"), random.Random(3)
    held = hand_of(state.context, state.state.current, 1, "k")
    command = found.choose(state.context, state.state, 1, chance, "k")
    assert {(tile.row, tile.symbol) for tile in command.tiles} <= set(held)
    assert len(command.tiles) == 2
    assert found.choose(state.context, state.state, 2, chance, "k") is None  # not its turn


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_are_dealt_four_at_a_time_one_of_each_colour(players: int):
    hands = dealt(players, "a", wild=False)
    tiles = [tile for hand in hands for tile in hand]
    assert sorted(tiles) == [(row, symbol) for row in range(4) for symbol in NUMBERS]
    assert [len(hand) for hand in hands[:players]] == [40 // players] * players
    for hand in hands[:players]:
        for at in range(0, 10 // players * 4, 4):
            assert [row for row, _ in hand[at : at + 4]] == [0, 1, 2, 3]
    assert dealt(players, "a", wild=False) == hands
    assert dealt(players, "b", wild=False) != hands


def test_run_buster_is_played_as_it_was_solved():
    found = opponent("run-buster")
    state = arena.ruled(begun("run-buster"), Roll(1, (1, 2, 2, 4, 5, 6)))
    command = found.choose(state.context, state.state, 1, random.Random(4), "")
    best = solve().choices((1, 2, 2, 4, 5, 6), (), ())[0]
    assert command == TakeHand(1, best.hand, by="computer")


@pytest.mark.parametrize("game", ["palindromes", "divisors", "runaround"])
def test_it_beats_random_play_as_it_says(game: str):
    won, played = arena.measured(game, matches=6, seed=7)
    assert won >= played - 1


def test_a_player_who_asks_for_what_is_refused_is_found_out():
    with pytest.raises(arena.UnlawfulMove, match="Roll was refused"):
        arena.ruled(begun("run-buster"), Roll(2, (1,)))
