"""Matches of the four pencil games from first move to winner (RULES.md 4)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.rules import commands as ask
from pi.rules.commands import decode, encode
from pi.rules.games import blob, divisors, palindromes, sums_grid
from pi.rules.games.blob_score import fill_problem
from pi.rules.games.divisors_score import lawful_steps
from pi.rules.games.taking_turns import mover
from pi.rules.match import Match, apply, decide
from pi.rules.ruleset import Reason, Refused
from pi.rules.values import Seat
from tests.builders import match, play, players, refusal
from tests.rules.games import check_laws, undone_to_the_start


def opened(game: str, *names: str, **house: Any) -> Match:
    return match(ask.StartMatch("m1", game, players(*(names or ("Ann", "Bob"))), tuple(house.items())))


def write(seat: int, square: int, digit: str) -> palindromes.Write:
    return palindromes.Write(Seat(seat), square, digit)


def fill(seat: int, row: int, column: int) -> blob.Fill:
    return blob.Fill(Seat(seat), row, column)


def walk(seat: int, *picks: int) -> divisors.Walk:
    return divisors.Walk(Seat(seat), picks)


def grid(seat: int, *rows: tuple[int, ...], final: bool = True) -> sums_grid.HandIn:
    return sums_grid.HandIn(Seat(seat), rows, final)


def test_sheet_the_row_1001001101000100_ends_24_to_46_and_player_2_wins():
    state = opened("palindromes")
    for square, digit in enumerate("1001001101000100"):
        state = play(state, write(1 + square % 2, square, digit))
    assert dict(state.standing()) == {1: 24, 2: 46}
    assert state.outcome().winners == (2,)
    assert state.outcome().why == "Bob wins, 24 to 46."
    assert refusal(state, write(1, 0, "1")).reason is Reason.MATCH_OVER
    check_laws(state)


def test_palindromes_refuses_what_is_no_move():
    state = play(opened("palindromes", squares=4), write(1, 2, "1"))
    assert refusal(state, write(2, 2, "0")).sentence == "Square 3 holds a 1 already."
    assert refusal(state, write(2, 4, "0")).reason is Reason.BAD_CELL
    assert refusal(state, write(2, -1, "0")).reason is Reason.BAD_CELL
    assert refusal(state, write(2, 0, "2")).reason is Reason.BAD_SYMBOL
    assert refusal(state, write(1, 0, "1")).sentence == "It is not Ann's turn but Bob's."
    assert refusal(state, write(3, 0, "1")).reason is Reason.UNKNOWN_SEAT


def test_equal_scores_share_the_win():
    state = play(opened("palindromes", squares=3), write(1, 0, "1"), write(2, 1, "1"), write(1, 2, "0"))
    assert dict(state.standing()) == {1: 2, 2: 2}
    assert state.outcome().winners == (1, 2)
    assert "share the win" in state.outcome().why


def test_blob_each_square_must_be_next_to_a_filled_one():
    state = play(opened("blob", size=3), fill(1, 1, 1))
    assert "not next to a filled one" in refusal(state, fill(2, 0, 0)).sentence
    assert "filled already" in refusal(state, fill(2, 1, 1)).sentence
    assert refusal(state, fill(1, 0, 1)).reason is Reason.NOT_YOUR_TURN
    state = play(state, fill(2, 0, 1), fill(1, 0, 0), fill(2, 1, 0))
    assert state.outcome().over
    # ** o / ** o / o o o: every line of either player scores.
    assert dict(state.standing()) == {1: 3, 2: 3}
    check_laws(state)


def test_divisors_the_lowest_score_wins_also_when_the_table_ends_the_match():
    state = play(opened("divisors", r=5), walk(1, 4), walk(2, 2))
    assert dict(state.standing()) == {1: 4, 2: 2}
    assert play(state, ask.EndMatch()).outcome().winners == (2,)
    state = play(state, walk(1, 1, 3), walk(2, 1, 5))
    assert dict(state.standing()) == {1: 11, 2: 13}
    assert state.outcome().winners == (1,)
    check_laws(state)


def test_divisors_refuses_what_is_no_turn():
    state = play(opened("divisors", r=5), walk(1, 4))
    assert refusal(state, walk(2, 3)).sentence == "3 is neither a divisor nor a multiple of 4."
    assert refusal(state, walk(2, 1)).sentence == "A turn must end on an unclaimed number, and 1 is claimed."
    assert refusal(state, walk(2)).reason is Reason.UNLAWFUL
    assert refusal(state, walk(1, 2)).reason is Reason.NOT_YOUR_TURN


def test_sums_the_best_grid_counts_until_everybody_has_handed_in_the_last_one():
    sheet, better = ((2, 9, 8), (3, 1, 10), (7, 6, 15)), ((8, 2, 1), (5, 4, 15), (12, 14, 7))
    state = play(opened("sums-grid"), grid(1, *better, final=False), grid(1, *sheet), grid(2, *sheet))
    assert dict(state.standing()) == {1: 26, 2: 19}
    assert state.outcome().winners == (1,)
    assert refusal(state, grid(1, *better)).reason is Reason.ALREADY_LOCKED
    check_laws(state)


def test_sums_hides_the_grids_from_the_others_but_not_the_scores():
    state = play(opened("sums-grid", size=2), grid(1, (1, 2), (3, 4)))
    seen = state.ruleset.veiled(state.state)
    assert all(entry.grid == () for entry in seen.entries)
    assert state.ruleset.standing(state.context, seen) == state.ruleset.standing(state.context, state.state)


def test_sums_may_be_played_alone_and_refuses_a_grid_of_another_size_or_with_a_number_twice():
    state = opened("sums-grid", "Ann", size=2)
    assert refusal(state, grid(1, (1, 2, 3), (4, 5, 6), (7, 8, 9))).reason is Reason.UNLAWFUL
    assert "already" in refusal(state, grid(1, (1, 2), (2, 3))).sentence
    state = play(state, grid(1, (1, 2), (3, 4)))
    assert dict(state.standing()) == {1: 4}
    assert state.outcome().over


def a_write(state: Match, chance: random.Random) -> Any:
    row = state.state.row
    empty = [n for n, digit in enumerate(row) if digit is None]
    return write(mover(state.context, state.state.turns), chance.choice(empty), chance.choice("01"))


def a_fill(state: Match, chance: random.Random) -> Any:
    size, filled = state.state.size, state.state.filled
    cells = [(r, c) for r in range(size) for c in range(size)]
    free = [cell for cell in cells if fill_problem(filled, cell, size=size) is None]
    return fill(mover(state.context, len(filled)), *chance.choice(free))


def a_walk(state: Match, chance: random.Random) -> Any:
    now, at, picks = state.state, state.state.at, []
    while not picks or picks[-1] in now.claimed:
        free = [n for n in range(1, now.most + 1) if n not in now.claimed]
        picks.append(chance.choice(free) if at == 1 else chance.choice(lawful_steps(at, most=now.most)))
        at = picks[-1]
    return walk(mover(state.context, len(now.turns)), *picks)


def a_grid(state: Match, chance: random.Random) -> Any:
    size = state.state.size
    seat = next(s for s in state.context.seats() if s not in state.state.done())
    flat = chance.sample(range(1, 30), size * size)
    rows = tuple(tuple(flat[i * size : (i + 1) * size]) for i in range(size))
    return grid(seat, *rows, final=chance.random() < 0.5)


MOVES: dict[str, Callable[[Match, random.Random], Any]] = {
    "palindromes": a_write,
    "blob": a_fill,
    "divisors": a_walk,
    "sums-grid": a_grid,
}


@pytest.mark.parametrize("game", MOVES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_law_whole_matches_end_replay_and_can_be_undone_to_their_start(game: str, seed: int):
    chance, state = random.Random(seed), opened(game)
    before = state.state
    while not state.outcome().over:
        command = MOVES[game](state, chance)
        assert decode(encode(command)) == command
        state = play(state, command)
    check_laws(state)
    assert state.outcome().winners
    assert refusal(state, ask.Next(1)).reason is Reason.MATCH_OVER
    assert undone_to_the_start(state).state == before


@pytest.mark.parametrize("game", MOVES)
def test_other_games_commands_are_refused_and_the_eye_looks_for_the_mat_if_there_is_one(game: str):
    state = opened(game)
    assert refusal(state, ask.Reveal()).reason is Reason.WRONG_GAME
    assert refusal(state, ask.Next(1)).reason is Reason.WRONG_PHASE
    assert state.expects() == {"palindromes": "palindromes:16", "blob": "blob:8"}.get(game)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(MOVES)), st.integers(0, 3), st.lists(st.integers(-2, 20), max_size=4), st.text(max_size=2)
)
def test_law_no_command_makes_decide_raise(game: str, seat: int, numbers: list[int], digit: str):
    first, second = [*numbers, 0, 0][:2]
    commands = [write(seat, first, digit), fill(seat, first, second), walk(seat, *numbers), grid(seat, tuple(numbers))]
    state = opened(game)
    for command in commands:
        events = decide(state, command)
        if isinstance(events, Refused):
            assert events.sentence.endswith(".")
            continue
        after = state
        for event in events:
            after = apply(after, event)
        check_laws(after)
