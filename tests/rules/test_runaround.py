"""A match of Runaround from first roll to the fifth run (RULES.md 3)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.rules import commands as ask
from pi.rules.commands import decode, encode
from pi.rules.games.runaround import MovePawn, Roll, seat_of
from pi.rules.games.runaround_rules import PAWNS, RUNS_TO_WIN
from pi.rules.match import Match, apply, decide
from pi.rules.ruleset import Reason, Refused
from pi.rules.values import Seat
from tests.builders import match, play, players, refusal
from tests.rules.games import check_laws, undone_to_the_start


def opened(**house: Any) -> Match:
    return match(ask.StartMatch("m1", "runaround", players("Ann", "Bob"), tuple(house.items())))


def roll(seat: int, die: int) -> Roll:
    return Roll(Seat(seat), die)


def move(seat: int, space: int) -> MovePawn:
    return MovePawn(Seat(seat), space)


def spaces(state: Match, player: int) -> set[int]:
    return {pawn.space for pawn in state.state.loop.sides[player].pawns}


def test_a_roll_of_at_most_the_pawns_at_home_brings_one_in_and_then_one_moves_the_full_roll():
    state = play(opened(), roll(1, 4))
    assert spaces(state, 0) == {0}
    assert state.state.movable() == (0,)
    state = play(state, move(1, 0))
    assert spaces(state, 0) == {4}
    assert seat_of(state.context, state.state) == 2


def test_no_pawn_on_the_board_and_the_turn_is_over():
    state = play(opened(), roll(1, 5))
    assert seat_of(state.context, state.state) == 2
    assert state.state.roll is None


def test_entering_upon_a_pawn_of_your_own_you_roll_again_move_that_piece_and_then_have_your_move():
    state = play(opened(), roll(1, 6), roll(2, 6))
    # A second pawn waits on the starting space while the first one runs on.
    state = play(state, roll(1, 1), move(1, 0), roll(2, 6), roll(1, 2))
    assert spaces(state, 0) == {0, 1}
    state = play(state, move(1, 1), roll(2, 6), roll(1, 1))
    assert state.state.carried is not None
    assert state.state.pending == 1
    assert refusal(state, move(1, 0)).reason is Reason.WRONG_PHASE
    state = play(state, roll(1, 5))
    assert spaces(state, 0) == {0, 3, 5}
    assert state.state.roll == 1
    state = play(state, move(1, 5))
    assert spaces(state, 0) == {0, 3, 6}
    assert seat_of(state.context, state.state) == 2


def test_out_of_turn_and_what_is_no_move_is_refused():
    state = opened()
    assert refusal(state, roll(2, 3)).reason is Reason.NOT_YOUR_TURN
    assert refusal(state, roll(3, 3)).reason is Reason.UNKNOWN_SEAT
    assert refusal(state, roll(1, 7)).reason is Reason.BAD_SYMBOL
    assert refusal(state, move(1, 0)).reason is Reason.WRONG_PHASE
    state = play(state, roll(1, 4))
    assert refusal(state, roll(1, 4)).sentence == "First a pawn moves 4 spaces."
    assert refusal(state, move(1, 7)).sentence == "No pawn of yours stands on space 7 (expected 0)."
    assert refusal(state, ask.Reveal()).reason is Reason.WRONG_GAME
    assert refusal(state, ask.Next(0)).sentence == "It is Ann's turn."


@pytest.mark.parametrize("bad", [13, 11, 41])
def test_the_loop_has_an_even_number_of_spaces_12_to_40(bad: int):
    start = ask.StartMatch("m1", "runaround", players("Ann", "Bob"), (("spaces", bad),))
    assert refusal(Match(), start).reason is Reason.BAD_HOUSE_RULE


def test_the_second_seat_may_go_first():
    assert seat_of(opened(first=2).context, opened(first=2).state) == 2


def test_commands_go_over_the_wire_unchanged():
    for command in (roll(1, 2), move(2, 3)):
        assert decode(encode(command)) == command


def played(seed: int, *, steps: int, **house: Any) -> Match:
    chance, state = random.Random(seed), opened(**house)
    for _ in range(steps):
        if state.outcome().over:
            break
        seat = seat_of(state.context, state.state)
        ways = state.state.movable()
        state = play(state, move(seat, chance.choice(ways)) if ways else roll(seat, chance.randint(1, 6)))
    return state


@pytest.mark.parametrize("house", [{}, {"score_on_reaching": True}, {"spaces": 12, "first": 2}])
def test_whole_matches_end_with_five_runs(house: dict[str, Any]):
    state = played(11, steps=2000, **house)
    assert state.outcome().over
    assert max(state.standing().values()) >= RUNS_TO_WIN
    assert state.outcome().winners == (max(state.standing(), key=lambda s: state.standing()[s]),)
    seat = seat_of(state.context, state.state)
    assert refusal(state, roll(seat, 1)).reason is Reason.MATCH_OVER
    check_laws(state)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([12, 14, 20, 40]), st.booleans())
def test_law_no_pawn_is_ever_lost_and_every_step_can_be_undone(seed: int, loop: int, at_once: bool):
    state = played(seed, steps=40, spaces=loop, score_on_reaching=at_once)
    check_laws(state)
    for player, side in enumerate(state.state.loop.sides):
        carried = state.state.carried is not None and state.state.player == player
        assert side.home + len(side.pawns) + carried == PAWNS
    assert len(undone_to_the_start(state).history) == 1


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 3), st.integers(-2, 45))
def test_law_no_command_makes_decide_raise(seed: int, seat: int, number: int):
    state = played(seed, steps=seed % 20)
    for command in (roll(seat, number), move(seat, number)):
        events = decide(state, command)
        if isinstance(events, Refused):
            assert events.sentence.endswith(".")
            continue
        after = state
        for event in events:
            after = apply(after, event)
        check_laws(after)
