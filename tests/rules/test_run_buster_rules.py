"""RULES.md 2, Run Buster by Mark Steere: straights, complements, busts, extensions."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.rules.games.run_buster_rules import (
    FULL,
    busts,
    choice_problem,
    complement,
    hand_problem,
    options,
    roll_problem,
    straights,
)

ROLLS = st.lists(st.integers(1, 6), min_size=1, max_size=6)
HANDS = st.sampled_from([(), *straights(range(1, 7))])


def test_sheet_if_red_rolls_2_2_4_5_5_6_his_options_are_these():
    expected = ((2,), (4,), (4, 5), (4, 5, 6), (5,), (5, 6), (6,))
    assert options([2, 2, 4, 5, 5, 6], ()) == expected


def test_sheet_the_complement_of_2_3_4_is_1_5_6():
    assert complement((2, 3, 4)) == (1, 5, 6)


def test_sheet_blues_1_3_3_5_6_6_holds_the_complement_of_1_2_3_4():
    assert busts([1, 3, 3, 5, 6, 6], (1, 2, 3, 4))
    assert options([1, 3, 3, 5, 6, 6], ()) == ((1,), (3,), (5,), (5, 6), (6,))


def test_sheet_hand_4_5_and_roll_3_4_4_6():
    assert options([3, 4, 4, 6], (4, 5)) == ((3, 4, 5), (3, 4, 5, 6), (4, 5, 6))


def test_sheet_there_is_no_way_to_extend_4_5_with_1_2_4_5():
    assert options([1, 2, 4, 5], (4, 5)) == ()


def test_sheet_the_chance_to_win_on_the_first_turn_is_720_in_46656():
    assert sum(FULL in options(roll, ()) for roll in product(range(1, 7), repeat=6)) == 720


def test_nothing_is_busted_where_no_hand_lies_or_the_full_straight_has_won():
    assert not busts([1, 2, 3, 4, 5, 6], ())
    assert not busts([1, 2, 3, 4, 5, 6], FULL)


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        ((2, 4), "2 4 is not a hand: its numbers are not consecutive."),
        ((3, 3), "3 3 is not a hand: a straight holds no number twice."),
        ((6, 7), "6 7 is not a hand: a die shows 1 to 6."),
    ],
)
def test_a_hand_is_exactly_one_straight(hand: tuple[int, ...], why: str):
    assert hand_problem(hand) == why


def test_hand_and_cup_together_are_always_six_dice():
    assert roll_problem([3, 4, 4, 6], (4, 5)) is None
    assert "always 6 dice (there are 5 rolled and 2 in the hand)" in str(roll_problem([1] * 5, (4, 5)))
    assert "7" in str(roll_problem([7] * 6, ()))
    assert "has won" in str(roll_problem([], FULL))


@pytest.mark.parametrize(
    ("old", "roll", "new", "why"),
    [
        ((4, 5), (3, 4, 4, 6), (4, 5), "The hand must be extended: 3 4 5, or 3 4 5 6, or 4 5 6."),
        ((), (2, 2, 2, 2, 2, 2), (), "A hand must be formed: 2."),
        ((4, 5), (3, 4, 4, 6), (3, 4), "A hand only grows: 5 must stay."),
        ((4, 5), (1, 2, 4, 5), (3, 4, 5), "3 was not rolled. The hand stays as it is."),
        ((4,), (6, 6, 6, 6, 5), (3, 4, 5), "3 was not rolled. Lawful: 4 5, or 4 5 6."),
        ((4, 5), (3, 1, 4, 6), (1, 3, 4, 5), "1 3 4 5 is not a hand: its numbers are not consecutive."),
    ],
)
def test_an_unlawful_choice_is_refused_with_its_reason(old, roll, new, why: str):
    assert choice_problem(roll, old, new) == why


@given(ROLLS, HANDS)
def test_law_what_can_be_done_must_be_done_and_nothing_else_may(roll, hand):
    lawful = options(roll, hand)
    accepted = {new for new in ((), *straights(range(1, 7))) if choice_problem(roll, hand, new) is None}
    assert accepted == (set(lawful) or {hand})


@given(ROLLS, HANDS)
def test_law_every_option_is_a_longer_straight_made_of_hand_and_roll(roll, hand):
    for new in options(roll, hand):
        assert hand_problem(new) is None
        assert set(hand) < set(new) <= set(hand) | set(roll)


@given(ROLLS, HANDS.filter(lambda hand: hand and hand != FULL))
def test_law_a_roll_that_busts_a_hand_would_have_completed_it(roll, hand):
    assert busts(roll, hand) == (FULL in options(roll, hand))


@given(ROLLS, HANDS)
def test_law_turning_every_die_over_turns_the_options_over(roll, hand):
    turned = options([7 - die for die in roll], tuple(sorted(7 - die for die in hand)))
    assert set(turned) == {tuple(sorted(7 - die for die in new)) for new in options(roll, hand)}


@given(st.permutations([1, 2, 2, 4, 5, 6]))
def test_law_the_order_of_the_dice_does_not_matter(roll):
    assert options(roll, ()) == options(sorted(roll), ())


def test_the_worked_cases_agree_exactly(vectors):
    for case in vectors("run_buster"):
        assert roll_problem(case["roll"], tuple(case["hand"])) is None
        assert [busts(case["roll"], tuple(hand)) for hand in case["opponents"]] == case["busted"]
        assert [list(new) for new in options(case["roll"], tuple(case["hand"]))] == case["options"]
