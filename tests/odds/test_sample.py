"""Random boards by tables, and the elevator exactly: each against the counting core and against the other."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import numpy as np
import pytest

from pi.odds.batch import grid, totals
from pi.odds.bench import main as bench
from pi.odds.elevator import elevator_chances, mean_total
from pi.odds.errors import BadQuestion
from pi.odds.marked import marked
from pi.odds.rows import board_chances, row_counts
from pi.odds.sample import BLOCK, board_of, draw_boards, draw_totals, generator, sample, table
from pi.odds.vertical import variance_total
from pi.rules.runs import Variant, count
from pi.rules.values import Board, Layout

SWITCHES = [(False, False), (True, False), (False, True), (True, True)]


@pytest.mark.parametrize(("elevator", "vertical"), SWITCHES[1:])
def test_law_the_tables_count_the_very_boards_they_draw(elevator: bool, vertical: bool):
    cells = draw_boards(BLOCK, rng=np.random.default_rng(4))
    drawn = draw_totals(BLOCK, rng=np.random.default_rng(4), elevator=elevator, vertical=vertical)
    variant = Variant(elevator=elevator, vertical=vertical)
    assert (totals(cells, on=grid(Layout.ROWS, variant=variant)) == drawn).all()
    for i in range(0, BLOCK, 997):
        assert count(board_of(cells[:, i]), variant=variant).totals == (int(drawn[i]),)


def test_drawn_rows_hold_each_number_once_and_each_number_lies_anywhere_as_often():
    cells = draw_boards(20_000, rng=np.random.default_rng(9))
    assert (np.sort(cells.reshape(4, 10, -1), axis=1) == np.arange(10)[None, :, None]).all()
    for cell in cells:
        often = np.bincount(cell, minlength=10)
        assert ((often - 2000) ** 2 / 2000).sum() < 36  # chi square, 9 degrees: beyond 36 once in 25,000


def chi_square(seen: dict[tuple[int, ...], int], exact: dict[int, float], draws: int) -> tuple[float, int]:
    """Return the statistic and its degrees of freedom; totals expected less than 25 times are put together."""
    common = {k for k, share in exact.items() if share * draws >= 25}
    rest_seen = draws - sum(seen.get((k,), 0) for k in common)
    rest = draws * (1 - sum(exact[k] for k in common))
    value = sum((seen.get((k,), 0) - exact[k] * draws) ** 2 / (exact[k] * draws) for k in common)
    return value + (rest_seen - rest) ** 2 / rest, len(common)


@pytest.mark.parametrize("elevator", [False, True])
def test_two_million_draws_fit_the_exact_distribution(elevator: bool):
    exact = elevator_chances() if elevator else board_chances()
    shares = {k: float(share) for k, share in exact.best().items()}
    drawn = sample(2_000_000, rng=np.random.default_rng(17), elevator=elevator)
    value, freedom = chi_square(dict(drawn.weights), shares, 2_000_000)
    assert value < freedom + 5 * (2 * freedom) ** 0.5
    for total in (0, 1, 5):
        assert abs(float(drawn.attainable(total)) - shares[total]) < 5 * drawn.error(total)


@pytest.mark.parametrize(("elevator", "vertical"), SWITCHES)
def test_the_mean_is_that_of_the_triples(elevator: bool, vertical: bool):
    drawn = draw_totals(400_000, rng=np.random.default_rng(23), elevator=elevator, vertical=vertical)
    mean = float(mean_total(Variant(elevator=elevator, vertical=vertical)))
    assert abs(drawn.mean() - mean) < 5 * drawn.std() / 400_000**0.5


def test_the_elevator_of_one_row_is_its_own_wrap():
    assert {k[0]: n for k, n in elevator_chances(1).weights.items()} == {k: n for k, n in enumerate(row_counts()) if n}


@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_all_boards_are_counted_and_the_exact_mean_agrees(rows: int):
    chances = elevator_chances(rows)
    assert chances.whole == factorial(10) ** rows
    assert chances.mean() == mean_total(Variant(elevator=True), rows=rows)


def test_the_most_with_the_elevator_is_64():
    # Four equal straights 0 ... 9: ten runs each, and two for each of the twelve ordered pairs.
    # (of equal straights only the 10 moved ones going up and the 10 going down)
    assert max(elevator_chances().weights) == (64,)
    assert sum(w for k, w in elevator_chances().weights.items() if k == (64,)) == 20


def test_no_boards_tell_nothing():
    with pytest.raises(BadQuestion, match="expected 1 or more"):
        sample(0, rng=np.random.default_rng(0))
    assert draw_totals(0, rng=np.random.default_rng(0)).size == 0


def test_the_benchmark_prints_rates_and_ratios(capsys: pytest.CaptureFixture[str]):
    assert bench(["--seconds", "0.002"]) == 0
    said = capsys.readouterr().out
    assert said.count("boards/s") == 8
    assert "elevator + vertical" in said


def test_the_table_is_made_once_and_a_seed_draws_the_same_boards_again():
    assert table() is table()
    first, again = (draw_totals(50, rng=generator(4), elevator=True) for _ in range(2))
    assert (first == again).all()


@pytest.mark.parametrize("elevator", [False, True])
def test_the_variance_is_that_of_the_exact_distribution(elevator: bool):
    chances = elevator_chances() if elevator else board_chances()
    mean = chances.mean()
    exact = sum(k * k * share for k, share in chances.best().items()) - mean * mean
    assert variance_total(Variant(elevator=elevator)) == exact


@pytest.mark.parametrize("elevator", [False, True])
def test_with_vertical_drawn_boards_have_the_exact_spread(elevator: bool):
    drawn = draw_totals(400_000, rng=np.random.default_rng(31), elevator=elevator, vertical=True).astype(float)
    exact = float(variance_total(Variant(elevator=elevator, vertical=True)))
    squares = (drawn - drawn.mean()) ** 2
    assert abs(squares.mean() - exact) < 5 * squares.std() / 400_000**0.5


def test_four_rows_of_two_with_vertical_are_exact_with_all_tiles_down():
    board = Board(Layout.ROWS, (("?", "?"),) * 4)
    chances = marked(board, variant=Variant(vertical=True), wilds=False, states=500_000)
    assert chances is not None
    assert chances.mean() == 8 * Fraction(20, 1000)  # two columns of four triples, each in three rows
