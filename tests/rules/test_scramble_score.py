"""RULES.md 1, Random Scramble: the points of one round."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.rules.games.scramble_score import Terms, score_round
from pi.rules.values import Seat


def points(predictions: dict[int, int], queue: list[list[int]], totals: list[int], **terms: bool) -> dict[int, int]:
    claims = score_round(predictions, queue, totals, terms=Terms(**terms))  # type: ignore[arg-type]
    return {claim.seat: claim.award.points for claim in claims}


def test_right_is_one_point_for_each_run_plus_4_3_2_1_for_the_place():
    assert points({1: 3, 2: 3, 3: 3, 4: 3}, [[2], [1], [4], [3]], [3]) == {2: 7, 1: 6, 4: 5, 3: 4}


def test_a_right_zero_is_one_point_plus_the_bonus():
    assert points({1: 0, 2: 0}, [[1], [2]], [0]) == {1: 5, 2: 4}


def test_wrong_is_no_points_and_those_behind_move_up():
    assert points({1: 2, 2: 1, 3: 1}, [[1], [2], [3]], [1]) == {1: 0, 2: 5, 3: 4}


def test_tough_wrong_costs_one_point_for_each_run_miscounted():
    assert points({1: 7, 2: 0, 3: 3}, [[1], [2], [3]], [3], tough=True) == {1: -4, 2: -3, 3: 7}


def test_tough_with_wilds_counts_to_the_nearest_attainable_total():
    assert points({1: 5, 2: 0}, [[1], [2]], [2, 3], tough=True) == {1: -2, 2: -2}


def test_with_wilds_a_prediction_is_right_if_some_assignment_reaches_exactly_it():
    assert points({1: 2, 2: 3, 3: 4}, [[1], [2], [3]], [2, 3]) == {1: 6, 2: 6, 3: 0}


def test_wild_must_be_best_only_the_highest_attainable_total_is_right():
    assert points({1: 2, 2: 3}, [[1], [2]], [2, 3], wild_must_be_best=True) == {1: 0, 2: 7}


def test_more_than_7_runs_cannot_be_predicted_with_disks_so_nobody_is_right():
    assert points({1: 7, 2: 6}, [[1], [2]], [9]) == {1: 0, 2: 0}


def test_seven_or_more_makes_7_mean_at_least_7_one_point_for_each_run_that_lies_there():
    assert points({1: 6, 2: 7}, [[1], [2]], [9], seven_or_more=True) == {1: 0, 2: 13}
    assert points({1: 7}, [[1]], [7], seven_or_more=True) == {1: 11}
    assert points({1: 7}, [[1]], [6], seven_or_more=True) == {1: 0}


def test_a_tie_gives_both_the_better_places_bonus_and_the_next_place_is_skipped():
    assert points({1: 1, 2: 1, 3: 1}, [[1, 2], [3]], [1]) == {1: 5, 2: 5, 3: 3}


def test_a_tie_with_one_who_is_wrong_skips_nothing():
    assert points({1: 2, 2: 1, 3: 1}, [[1, 2], [3]], [1]) == {1: 0, 2: 5, 3: 4}


def test_every_award_says_why_and_names_its_paragraph():
    for claim in score_round({Seat(1): 1, Seat(2): 4}, [[Seat(1)], [Seat(2)]], [1]):
        assert claim.award.why.endswith(".")
        assert claim.award.source.startswith("RunnuRound, Random Scramble")


def test_the_worked_cases_agree_exactly(vectors):
    for case in vectors("scramble_rounds"):
        claims = score_round(
            case["predictions"],
            [[q] for q in case["queue"]],
            case["totals"],
            terms=Terms(tough=case["tough"]),
        )
        assert {c.seat: c.award.points for c in claims} == case["points"]
        assert [c.seat for c in claims] == list(case["points"])


@given(st.permutations([1, 2, 3, 4]), st.lists(st.integers(0, 7), min_size=4, max_size=4), st.integers(0, 12))
def test_law_the_right_ones_share_out_4_3_2_1_from_the_top(order: list[int], predicted: list[int], truth: int):
    predictions = dict(zip([1, 2, 3, 4], predicted, strict=True))
    won = points(predictions, [[seat] for seat in order], [truth])
    bonuses = [won[seat] - max(truth, 1) for seat in order if predictions[seat] == truth]
    assert bonuses == [4, 3, 2, 1][: len(bonuses)]


@given(st.lists(st.integers(0, 7), min_size=2, max_size=4), st.sets(st.integers(0, 9), min_size=1, max_size=3))
def test_law_tough_never_gives_more_than_mild(predicted: list[int], totals: set[int]):
    predictions = dict(enumerate(predicted, start=1))
    queue = [[seat] for seat in predictions]
    mild, tough = (
        points(predictions, queue, sorted(totals)),
        points(predictions, queue, sorted(totals), tough=True),
    )
    assert all(tough[seat] <= mild[seat] for seat in predictions)


@pytest.mark.parametrize("place", [1, 2, 3, 4])
def test_the_bonus_does_not_depend_on_how_many_play(place: int):
    seats = list(range(1, place + 1))
    assert points(dict.fromkeys(seats, 2), [[s] for s in seats], [2])[place] == 2 + 5 - place
