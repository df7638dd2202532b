"""Sums over marked runs against laying every arrangement, on boards that the table may show half open."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.odds import fill
from pi.odds.bench_open import main as bench
from pi.odds.bench_open import shuffled
from pi.odds.chances import Chances, mixed
from pi.odds.marked import MOST_HIDDEN, marked
from pi.odds.open import _cases, _counted, _drawn, open_chances
from pi.rules.runs import Variant
from pi.rules.values import DOWN, Board, Layout

VARIANTS = {
    Layout.ROWS: [Variant(elevator=True), Variant(vertical=True), Variant(elevator=True, vertical=True)],
    Layout.RECT: [Variant(), Variant(vertical=True), Variant(wrap=False)],
    Layout.DIAMOND: [Variant(), Variant(wrap=False)],
}


def half_open(layout: Layout, *, wilds: bool, hidden: int, seed: int) -> Board:
    rng = random.Random(seed)
    board = shuffled(layout, wilds=wilds, rng=rng)
    for cell in rng.sample(list(board.cells()), hidden):
        board = board.with_symbol(cell, DOWN)
    return board


def laid(board: Board, variant: Variant, wilds: bool) -> Chances:
    """Lay every arrangement of the hidden tiles."""
    cases = _cases(board, wilds)
    return mixed([(share, _counted(placed, variant, *fill.every(placed))) for share, placed in cases]).reduced()


@pytest.mark.parametrize("layout", list(Layout))
@given(st.integers(0, 10**6), st.integers(0, 4), st.booleans(), st.data())
@settings(deadline=None, max_examples=25)
def test_law_marks_find_what_laying_every_arrangement_finds(layout, seed, hidden, wilds, data):
    variant, wilds = data.draw(st.sampled_from(VARIANTS[layout])), wilds or layout is Layout.DIAMOND
    board = half_open(layout, wilds=wilds, hidden=hidden, seed=seed)
    found = marked(board, variant=variant, wilds=wilds, states=500_000)
    assert found is None or found == laid(board, variant, wilds)


@pytest.mark.parametrize("seed", range(3))
def test_neighbours_face_down_in_the_diamonds_middle(seed: int):
    board = half_open(Layout.DIAMOND, wilds=True, hidden=0, seed=seed)
    for cell in ((4, 3), (4, 4), (4, 5), (3, 4)):
        board = board.with_symbol(cell, DOWN)
    assert marked(board, variant=Variant(), wilds=True, states=500_000) == laid(board, Variant(), True)


@pytest.mark.parametrize(("layout", "variant", "hidden"), [
    (Layout.RECT, Variant(), 13), (Layout.DIAMOND, Variant(), 8), (Layout.ROWS, VARIANTS[Layout.ROWS][2], 13),
])  # fmt: skip
def test_where_laying_all_is_too_much_drawn_boards_agree(layout: Layout, variant: Variant, hidden: int):
    board = half_open(layout, wilds=layout is Layout.DIAMOND, hidden=hidden, seed=4)
    found = marked(board, variant=variant, wilds=layout is Layout.DIAMOND, states=500_000)
    assert found is not None
    assert found.exact
    cases = list(_cases(board, layout is Layout.DIAMOND))
    drawn = _drawn(cases, variant, np.random.default_rng(7), 60_000)
    for total, share in found.right().items():
        assert abs(float(drawn.attainable(total) - share)) < 5 * drawn.error(total)


def test_what_takes_too_many_states_is_left_to_others():
    board = half_open(Layout.RECT, wilds=False, hidden=14, seed=1)
    assert marked(board, variant=Variant(), wilds=False, states=10) is None
    assert (
        marked(half_open(Layout.RECT, wilds=False, hidden=MOST_HIDDEN + 1, seed=1), variant=Variant(), wilds=False)
        is None
    )


def test_a_board_that_lies_open_is_certain():
    board = Board.parse("1 2 3 9 9 5 6 7\n0 0 0 0 4 4 4 4", layout=Layout.RECT)
    assert open_chances(board).weights == {(2,): 1}
    assert sum(open_chances(board).right().values()) == Fraction(1)


def test_the_benchmark_prints_every_kind(capsys: pytest.CaptureFixture[str]):
    assert bench(["--boards", "1"]) == 0
    said = capsys.readouterr().out
    assert "diamond" in said
    assert "rows, wilds" in said
