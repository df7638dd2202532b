"""RULES.md 3, Runaround: the loop, landing, bumps, swaps and runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.rules.games.runaround_rules import (
    PAWNS,
    Landed,
    Loop,
    Pawn,
    Side,
    across,
    enter,
    enters,
    go_on,
    move,
    spaces_problem,
    start_of,
)


def side(*spaces: int, runs: int = 0) -> Side:
    return Side(PAWNS - len(spaces), tuple(Pawn(s) for s in spaces), runs)


def on(loop: Loop, player: int) -> set[int]:
    return {pawn.space for pawn in loop.sides[player].pawns}


def test_each_space_has_its_partner_across_the_wall_but_the_starts_and_the_two_beside_each():
    assert [s for s in range(20) if across(s, spaces=20) is None] == [0, 1, 9, 10, 11, 19]
    assert across(2, spaces=20) == 18
    assert across(8, spaces=20) == 12


def test_a_roll_at_most_the_number_of_pawns_at_home_brings_one_in():
    assert enters(Loop(), 0, 4)
    assert not enters(Loop(), 0, 5)
    loop = enter(Loop(), 1).loop
    assert on(loop, 1) == {10}
    assert loop.sides[1].home == 3


def test_the_players_run_in_opposite_directions():
    loop = Loop(20, (side(5), side(5 + 10)))
    assert on(move(loop, 0, 5, 4).loop, 0) == {9}
    assert on(move(loop, 1, 15, 4).loop, 1) == {11}


def test_landing_on_an_opponent_with_a_wall_bumps_his_pawn_across_it():
    landing = move(Loop(20, (side(2), side(5))), 0, 2, 3)
    assert landing.what is Landed.BUMPED
    assert on(landing.loop, 0) == {5}
    assert on(landing.loop, 1) == {15}


def test_if_something_stands_across_the_wall_that_one_goes_home():
    landing = move(Loop(20, (side(2), side(5, 15))), 0, 2, 3)
    assert on(landing.loop, 1) == {15}
    assert landing.loop.sides[1].home == 3
    landing = move(Loop(20, (side(2, 15), side(5))), 0, 2, 3)
    assert on(landing.loop, 0) == {5}
    assert on(landing.loop, 1) == {15}
    assert landing.loop.sides[0].home == 3


@pytest.mark.parametrize("space", [9, 10, 11])
def test_without_a_wall_your_own_pawn_goes_home(space: int):
    landing = move(Loop(20, (side(7), side(space))), 0, 7, space - 7)
    assert landing.what is Landed.SENT_HOME
    assert on(landing.loop, 0) == set()
    assert landing.loop.sides[0].home == 4
    assert on(landing.loop, 1) == {space}


def test_landing_across_the_wall_from_an_opponent_swaps_places():
    landing = move(Loop(20, (side(2), side(15))), 0, 2, 3)
    assert landing.what is Landed.SWAPPED
    assert on(landing.loop, 0) == {15}
    assert on(landing.loop, 1) == {5}


def test_landing_on_your_own_pawn_you_roll_again_and_move_that_piece_again():
    landing = move(Loop(20, (side(2, 5), side(15))), 0, 2, 3)
    assert landing.what is Landed.AGAIN
    assert landing.carried == Pawn(5)
    on_it_goes = go_on(landing.loop, 0, Pawn(5), 1)
    assert on(on_it_goes.loop, 0) == {5, 6}


def test_entering_obeys_the_same_landing_rules():
    assert enter(Loop(20, (side(), side(0))), 0).what is Landed.SENT_HOME
    landing = enter(Loop(20, (side(0), side())), 0)
    assert landing.what is Landed.AGAIN
    assert landing.loop.sides[0].home == 2


def test_passing_over_your_starting_space_moves_your_marker_one_up():
    assert move(Loop(20, (side(18), side())), 0, 18, 4).loop.sides[0].runs == 1
    assert move(Loop(20, (side(), side(12))), 1, 12, 4).loop.sides[1].runs == 1
    assert move(Loop(20, (side(8), side())), 0, 8, 4).loop.sides[0].runs == 0  # the other's start


def test_reaching_it_exactly_counts_when_the_pawn_leaves_it_again():
    loop = move(Loop(20, (side(18), side())), 0, 18, 2).loop
    assert loop.sides[0].runs == 0
    assert move(loop, 0, 0, 3).loop.sides[0].runs == 1


def test_score_on_reaching_counts_it_at_once_and_only_once():
    loop = move(Loop(20, (side(18), side())), 0, 18, 2, score_on_reaching=True).loop
    assert loop.sides[0].runs == 1
    assert move(loop, 0, 0, 3, score_on_reaching=True).loop.sides[0].runs == 1


def test_a_pawn_that_has_just_entered_does_not_count_when_it_leaves():
    loop = enter(Loop(), 0).loop
    assert move(loop, 0, 0, 4).loop.sides[0].runs == 0


def test_a_pawn_that_reaches_its_start_where_another_stands_still_has_its_run_coming():
    landing = move(Loop(20, (side(18, 0), side())), 0, 18, 2)
    assert landing.what is Landed.AGAIN
    assert landing.carried is not None
    assert go_on(landing.loop, 0, landing.carried, 2).loop.sides[0].runs == 1


def test_no_pawn_on_that_space_is_an_error():
    with pytest.raises(KeyError):
        move(Loop(), 0, 3, 1)


def test_spaces_are_even_12_to_40():
    assert [n for n in range(50) if spaces_problem(n) is None] == list(range(12, 41, 2))


LOOPS = st.integers(6, 20).flatmap(
    lambda half: st.lists(st.integers(0, 2 * half - 1), max_size=8, unique=True).map(
        lambda spaces: Loop(2 * half, (side(*spaces[::2][:4]), side(*spaces[1::2][:4])))
    )
)


@given(LOOPS, st.sampled_from([0, 1]), st.integers(1, 6), st.data())
def test_law_no_pawn_is_lost_and_no_two_rest_on_one_space(loop: Loop, player: int, roll: int, data):
    own = sorted(on(loop, player))
    if not own:
        return
    landing = move(loop, player, data.draw(st.sampled_from(own)), roll)
    carried = 1 if landing.carried else 0
    for number, each in enumerate(landing.loop.sides):
        assert each.home + len(each.pawns) + (carried if number == player else 0) == PAWNS
    assert (landing.carried is not None) == (landing.what is Landed.AGAIN)
    resting = [p.space for each in landing.loop.sides for p in each.pawns]
    assert len(set(resting)) == len(resting)
    assert all(0 <= space < loop.spaces for space in resting)


@given(LOOPS, st.integers(1, 6), st.data())
def test_law_the_loop_seen_from_the_other_end_plays_the_same(loop: Loop, roll: int, data):
    def turned(space: int) -> int:
        return (loop.spaces // 2 - space) % loop.spaces

    own = sorted(on(loop, 0))
    if not own:
        return
    space = data.draw(st.sampled_from(own))
    other = Loop(
        loop.spaces,
        (side(*(turned(s) for s in on(loop, 1))), side(*(turned(s) for s in on(loop, 0)))),
    )
    here, there = move(loop, 0, space, roll), move(other, 1, turned(space), roll)
    assert here.what is there.what
    assert {turned(s) for s in on(here.loop, 0)} == on(there.loop, 1)
    assert {turned(s) for s in on(here.loop, 1)} == on(there.loop, 0)
    assert here.loop.sides[0].runs == there.loop.sides[1].runs
    assert start_of(1, spaces=loop.spaces) == turned(start_of(0, spaces=loop.spaces))
