"""RULES.md 4: the scores of the four pencil games."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi.rules.games import blob_score, divisors_score, palindromes_score, sums_grid_score
from pi.rules.games.blob_score import grid_problem, line_scores, neighbours, run_lengths, scoring_lines
from pi.rules.games.divisors_score import lawful_steps, step_cost, step_problem, steps, turn_problem
from pi.rules.games.palindromes_score import patterns, row_problem, spans

ROWS_OF_BITS = st.text("01", min_size=1, max_size=24)


# Palindromes


def test_sheet_1001001101000100_gives_24_to_46():
    assert patterns("1001001101000100").points == (24, 46)


def test_sheet_its_palindromes_are_six_of_length_2_and_three_of_length_4():
    row = "1001001101000100"
    texts = [row[a:b] for a, b in spans(patterns(row).palindromes)]
    assert sorted(t for t in texts if len(t) == 2) == ["00"] * 5 + ["11"]
    assert sorted(t for t in texts if len(t) == 4) == ["0110", "1001", "1001"]
    antis = [row[a:b] for a, b in spans(patterns(row).antipalindromes) if b - a > 2]
    assert sorted(antis) == ["0011", "01001101", "100110", "1010", "110100"]


def test_an_empty_square_is_part_of_no_pattern():
    assert patterns(["1", None, "1", "1", "0", None]).points == (2, 2)


def test_a_row_of_one_square_scores_nothing():
    assert patterns("1").points == (0, 0)


def test_a_row_that_is_none_is_refused():
    assert row_problem("") == "The row has no squares."
    assert row_problem("0120") == "'2' in square 3 is neither 0 nor 1."
    assert row_problem("01") is None


@given(ROWS_OF_BITS)
def test_law_a_mirrored_row_scores_the_same(row: str):
    assert patterns(row[::-1]).points == patterns(row).points


@given(ROWS_OF_BITS)
def test_law_complementing_every_digit_changes_nothing(row: str):
    assert patterns(row.translate({48: "1", 49: "0"})) == patterns(row)


@given(ROWS_OF_BITS)
def test_law_complementing_every_second_digit_swaps_the_players_at_odd_reach(row: str):
    # Around a gap, squares at reach k are 2k-1 apart: an odd distance, so every comparison turns over.
    flipped = "".join(str(int(d) ^ (i % 2)) for i, d in enumerate(row))
    assert patterns(flipped).points == patterns(row).points[::-1]


@given(ROWS_OF_BITS)
def test_law_points_are_the_lengths_of_all_even_pieces_that_read_so(row: str):
    pieces = [row[a:b] for b in range(len(row) + 1) for a in range(b) if (b - a) % 2 == 0]
    turned = str.maketrans("01", "10")
    first = sum(len(p) for p in pieces if p == p[::-1])
    second = sum(len(p) for p in pieces if p == p[::-1].translate(turned))
    assert patterns(row).points == (first, second)


# Blob

SHEET_BLOB = """
o o * o o o o o o o o o
o o * * o o * * o o o o
o o o * * o * * o * * *
o o o o * * * * * * o *
o o o * * * * o o * * *
o o o * o o * o * * * o
o * * * * * * * o o * o
o * o o * * o * * o * *
* * o o * * * * o o * *
* o o o * o o * * o * o
* * o * * * o o o * * *
o o o o o * * o * * * o
"""


def squares(text: str) -> set[tuple[int, int]]:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    return {(r, c) for r, line in enumerate(lines) for c, s in enumerate(line) if s == "*"}


def test_sheet_player_2_wins_5_to_3():
    lines = scoring_lines(squares(SHEET_BLOB), size=12)
    assert lines.rows == (1, 7, 8)
    assert lines.columns == (1, 6, 8, 9, 10)
    assert lines.points == (3, 5)


def test_sheet_run_lengths_of_its_first_rows():
    grid = squares(SHEET_BLOB)
    rows = [run_lengths([(r, c) in grid for c in range(12)]) for r in range(3)]
    assert rows == [(2, 1, 9), (2, 2, 2, 2, 4), (3, 2, 1, 2, 1, 3)]


def test_a_line_of_one_run_scores():
    assert line_scores([False] * 7)
    assert line_scores([True] * 7)
    assert not line_scores([True, True, False, False, False])


def test_sheet_its_example_is_a_grid_that_can_be_reached():
    assert grid_problem(squares(SHEET_BLOB), size=12) is None


def test_both_players_fill_floor_n_n_4_squares():
    assert blob_score.squares_each(9) == 20
    assert grid_problem({(0, 0), (0, 1)}, size=3) == "2 squares are filled (expected 4: 2 each)."


def test_each_square_filled_is_next_to_a_filled_one_so_all_hang_together():
    cut = {(0, 0), (0, 1), (1, 2), (2, 2)}
    assert grid_problem(cut, size=3) == "The filled squares do not hang together: row 2 column 3 is cut off."


def test_a_square_diagonally_next_is_not_next():
    problem = blob_score.fill_problem
    assert problem({(0, 0)}, (1, 1), size=3) == (
        "The square in row 2 column 2 is not next to a filled one (diagonally does not count)."
    )
    assert problem(set(), (1, 1), size=3) is None
    assert problem({(0, 0)}, (0, 1), size=3) is None
    assert "filled already" in str(problem({(0, 0)}, (0, 0), size=3))
    assert "no row 4" in str(problem({(2, 0)}, (3, 0), size=3))


def grown(seed: int, size: int) -> set[tuple[int, int]]:
    chance = random.Random(seed)
    filled = {(chance.randrange(size), chance.randrange(size))}
    while len(filled) < 2 * blob_score.squares_each(size):
        edge = sorted(
            {n for cell in filled for n in neighbours(cell) if blob_score.fill_problem(filled, n, size=size) is None}
        )
        filled.add(chance.choice(edge))
    return filled


@given(st.integers(0, 2**32), st.integers(2, 9))
def test_law_every_game_ends_with_a_lawful_grid_and_turning_it_swaps_the_players(seed: int, size: int):
    filled = grown(seed, size)
    assert grid_problem(filled, size=size) is None
    first, second = scoring_lines(filled, size=size).points
    assert scoring_lines({(c, r) for r, c in filled}, size=size).points == (second, first)


@given(st.integers(0, 2**32), st.integers(2, 9))
def test_law_filled_and_empty_may_be_exchanged(seed: int, size: int):
    filled = grown(seed, size)
    others = {(r, c) for r in range(size) for c in range(size)} - filled
    assert scoring_lines(others, size=size) == scoring_lines(filled, size=size)


# Sums


def test_sheet_2_9_8_3_1_10_7_6_15_scores_19():
    assert sums_grid_score.score([[2, 9, 8], [3, 1, 10], [7, 6, 15]]) == 19


def test_26_is_known_on_3x3():
    assert sums_grid_score.score([[8, 2, 1], [5, 4, 15], [12, 14, 7]]) == 26


def test_single_cells_count_and_no_1_is_no_score():
    assert sums_grid_score.score([[1]]) == 1
    assert sums_grid_score.score([[2]]) == 0


@pytest.mark.parametrize(
    ("grid", "why"),
    [
        ([], "The grid has no rows."),
        ([[1, 2]], "Row 1 holds 2 numbers (expected 1: the grid is square)."),
        ([[1, 2], [3]], "Row 2 holds 1 numbers (expected 2: the grid is square)."),
        ([[1, 0], [3, 4]], "0 in row 1 column 2 is not a positive number."),
        ([[1, 2], [3, 1]], "1 in row 2 column 2 lies in row 1 column 1 already."),
    ],
)
def test_a_grid_is_n_x_n_of_different_positive_integers(grid, why: str):
    assert sums_grid_score.grid_problem(grid) == why


GRIDS = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.integers(1, 30), min_size=n * n, max_size=n * n, unique=True).map(
        lambda flat: [flat[i * n : (i + 1) * n] for i in range(n)]
    )
)


@given(GRIDS)
def test_law_turning_and_mirroring_the_grid_keeps_the_score(grid):
    assert sums_grid_score.grid_problem(grid) is None
    turned = [list(column) for column in zip(*grid, strict=True)]
    assert sums_grid_score.score(turned) == sums_grid_score.score(grid)
    assert sums_grid_score.score([row[::-1] for row in grid]) == sums_grid_score.score(grid)


@given(GRIDS)
def test_law_every_sum_is_shown_by_neighbouring_cells_that_make_it(grid):
    for total, cells in sums_grid_score.sums(grid).items():
        assert sum(grid[r][c] for r, c in cells) == total
        assert len({r for r, _ in cells}) == 1 or len({c for _, c in cells}) == 1
    best = sums_grid_score.score(grid)
    assert set(range(1, best + 1)) <= set(sums_grid_score.sums(grid))
    assert best + 1 not in sums_grid_score.sums(grid)


# Divisors and multiples


def test_a_step_costs_larger_over_smaller_and_double_if_the_number_is_claimed():
    assert step_cost(3, 12, claimed=[1]) == 4
    assert step_cost(12, 3, claimed=[1, 3]) == 8


def test_a_number_is_claimed_only_when_the_turn_ends():
    assert [s.cost for s in steps(1, (3, 1, 3), claimed=[1])] == [3, 6, 3]


def test_a_step_to_the_same_number_is_not_a_step():
    assert step_problem(4, 4, most=9) == "A step from 4 to 4 is not a step."


@pytest.mark.parametrize(
    ("picks", "why"),
    [
        ((), "A turn takes at least one step."),
        ((4,), "4 is neither a divisor nor a multiple of 6."),
        ((12,), "12 is not in the game (expected 1 to 9)."),
        ((0,), "0 is not in the game (expected 1 to 9)."),
        ((1,), "A turn must end on an unclaimed number, and 1 is claimed."),
        ((1, 1), "A step from 1 to 1 is not a step."),
    ],
)
def test_an_unlawful_turn_is_refused_with_its_reason(picks, why: str):
    assert turn_problem(6, picks, claimed=[1, 6], most=9) == why


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 60))
def test_law_a_step_may_be_taken_back_at_the_same_price(one: int, other: int, most: int):
    there, back = step_problem(one, other, most=60), step_problem(other, one, most=60)
    assert (there is None) == (back is None)
    if there is None:
        assert step_cost(one, other, claimed=[]) == step_cost(other, one, claimed=[])
        assert other in lawful_steps(one, most=60)


@given(st.integers(2, 40))
def test_law_whoever_moves_can_always_reach_every_number(most: int):
    # By way of 1, which is claimed: a game never gets stuck.
    for number in range(2, most + 1):
        assert turn_problem(most, (1, number), claimed=[1, most], most=most) is None or number == most


def test_the_worked_cases_agree_exactly(vectors):
    for case in vectors("palindromes"):
        assert palindromes_score.patterns(case["row"]).points == (case["palindromes"], case["antipalindromes"])
    for case in vectors("blob"):
        filled = squares("\n".join(" ".join(row) for row in case["grid"]))
        size = len(case["grid"])
        assert grid_problem(filled, size=size) is None
        assert scoring_lines(filled, size=size).points == (case["rows"], case["columns"])
    for case in vectors("sums_grid"):
        assert sums_grid_score.score(case["grid"]) == case["score"]
    for case in vectors("divisors"):
        at, claimed = divisors_score.START, [divisors_score.START]
        for turn in case["turns"]:
            assert turn_problem(at, turn["picks"], claimed=claimed, most=case["r"]) is None
            assert sum(s.cost for s in steps(at, turn["picks"], claimed=claimed)) == turn["cost"]
            at = turn["picks"][-1]
            claimed.append(at)
        assert claimed == case["claimed"]
