"""Run Buster solved: the equation holds everywhere, simple positions by hand, and simulated rounds agree."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from pi.odds.buster import FULL, HANDS, PLACE, SUDDEN, Solution, rolls, solve
from pi.odds.errors import BadQuestion
from pi.rules.games.run_buster_rules import busts


@pytest.fixture(scope="module")
def solved() -> Solution:
    return solve()


def test_a_hand_is_exactly_one_straight_so_there_are_twenty_and_none():
    assert len(HANDS) == 21
    assert FULL not in PLACE


@pytest.mark.parametrize("dice", range(1, 7))
def test_rolls_add_up_to_all_dice(dice: int):
    assert sum(rolls(dice).values()) == 6**dice


def test_chance_to_win_on_the_first_turn_is_720_of_46656():
    assert rolls(6)[(1, 2, 3, 4, 5, 6)] == 720
    assert round(720 / 46656, 4) == 0.0154


def test_the_table_is_proved_right_to_a_millionth_of_a_millionth(solved: Solution):
    assert solved.gap < 1e-12
    # "the cup rolls exactly the complement" is the contraction the proof rests on
    least = min(rolls(6 - len(h))[tuple(f for f in range(1, 7) if f not in h)] / 6 ** (6 - len(h)) for h in HANDS)
    assert least == SUDDEN


def test_a_position_by_hand(solved: Solution):
    # 1-5 against 2-6: one die; a 6 wins, a 1 busts, anything else passes the turn.
    mine, theirs = (1, 2, 3, 4, 5), (2, 3, 4, 5, 6)
    by_hand = 1 / 6 + 1 / 6 * (1 - solved.win((), mine)) + 4 / 6 * (1 - solved.win(theirs, mine))
    assert solved.win(mine, theirs) == pytest.approx(by_hand, abs=1e-12)
    # And as the position is its own mirror image: V = 1/6 + (1 - B)/6 + 2/3 (1 - V).
    assert solved.win(mine, theirs) == pytest.approx((1 / 6 + (1 - solved.win((), mine)) / 6 + 2 / 3) / (5 / 3))


def test_equal_hands_with_one_number_missing_race_for_the_same_number(solved: Solution):
    # 1-5 against 1-5: a 6 wins (it would bust too).
    hand = (1, 2, 3, 4, 5)
    assert solved.win(hand, hand) == pytest.approx(6 / 11)  # V = 1/6 + 5/6 (1 - V)
    assert solved.length(hand, hand) == pytest.approx(6)


def test_law_every_position_is_worth_its_best_choices(solved: Solution):
    for mine, theirs in product(HANDS, repeat=2):
        ways = rolls(6 - len(mine))
        whole = sum(ways.values())
        mean = sum(n * solved.choices(roll, mine, theirs)[0].win for roll, n in ways.items()) / whole
        assert solved.win(mine, theirs) == pytest.approx(mean, abs=1e-11)


def test_law_mirroring_the_dice_changes_nothing(solved: Solution):
    mirror = {hand: tuple(7 - face for face in hand[::-1]) for hand in HANDS}
    for mine, theirs in product(HANDS, repeat=2):
        assert solved.win(mine, theirs) == pytest.approx(solved.win(mirror[mine], mirror[theirs]), abs=1e-12)


def test_published_figures(solved: Solution):
    assert round(solved.win((), ()), 4) == 0.5085
    assert round(solved.length((), ()), 3) == 17.453


def test_the_longest_straight_is_not_always_best(solved: Solution):
    # Without hands, 2 alone is better than 1 2: it can still grow at both ends.
    best = solved.choices((1, 1, 1, 1, 2, 2), (), ())
    assert [c.hand for c in best] == [(2,), (1, 2), (1,)]
    assert [c.best for c in best] == [True, False, False]


def test_alike_choices_are_all_best(solved: Solution):
    best = solved.choices((1, 1, 6, 6, 6, 6), (), ())
    assert [c.best for c in best] == [True, True]


def test_a_roll_that_extends_nothing_leaves_the_hand(solved: Solution):
    (only,) = solved.choices((1, 1, 5), (2, 3, 4), ())[:1]
    assert only.hand == (1, 2, 3, 4, 5)
    assert [c.hand for c in solved.choices((3, 3, 3), (2, 3, 4), ())] == [(2, 3, 4)]


def test_the_full_straight_wins(solved: Solution):
    assert solved.choices((1, 2, 3, 4, 5, 6), (), (2, 3))[0].win == 1.0


def play(solved: Solution, rng: random.Random) -> tuple[int, int]:
    """Play one round by best choices; return (winner, 0 or 1; turns)."""
    hands: list[tuple[int, ...]] = [(), ()]
    turns = 0
    while True:
        mover = turns % 2
        roll = tuple(sorted(rng.randint(1, 6) for _ in range(6 - len(hands[mover]))))
        choice = solved.choices(roll, hands[mover], hands[1 - mover])[0]
        if busts(roll, hands[1 - mover]):
            hands[1 - mover] = ()
        hands[mover] = choice.hand
        turns += 1
        if choice.hand == FULL:
            return mover, turns


def test_simulated_rounds_agree_with_the_figures(solved: Solution):
    rng = random.Random(2025)
    rounds = [play(solved, rng) for _ in range(1500)]
    won = Fraction(sum(winner == 0 for winner, _ in rounds), 1500)
    assert abs(float(won) - solved.win((), ())) < 4 * 0.5 / 1500**0.5
    turns = np.array([n for _, n in rounds])
    assert abs(turns.mean() - solved.length((), ())) < 4 * turns.std() / 1500**0.5


def test_what_is_no_position_is_said(solved: Solution):
    with pytest.raises(BadQuestion, match="expected a straight of up to 5, or none"):
        solved.win((1, 3), ())
    with pytest.raises(BadQuestion, match="expected 5 dice from 1 to 6"):
        solved.choices((1, 2), (3,), ())
