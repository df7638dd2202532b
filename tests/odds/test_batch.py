"""The numpy form of counting against the counting core, on every board with every switch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.odds.batch import BLOCK, encode, grid, grid_of, members, totals, wild_totals
from pi.odds.errors import BadQuestion
from pi.odds.perms import orders
from pi.rules.runs import Variant, count
from pi.rules.values import SHAPES, Board, Layout


@st.composite
def boards(draw: st.DrawFn, symbols: str = "0123456789?.") -> tuple[Board, Variant]:
    layout = draw(st.sampled_from(Layout))
    cells = iter(draw(st.lists(st.sampled_from(symbols), min_size=41, max_size=41)))
    board = Board(layout, tuple(tuple(next(cells) for _ in range(n)) for n in SHAPES[layout]))
    elevator = layout is Layout.ROWS and draw(st.booleans())
    return board, Variant(elevator=elevator, vertical=draw(st.booleans()), wrap=draw(st.booleans()))


@given(st.lists(boards(), min_size=1, max_size=3))
@settings(deadline=None)
def test_law_the_batch_counts_as_the_counting_core(cases: list[tuple[Board, Variant]]):
    for board, variant in cases:
        on = grid_of(board, variant=variant)
        assert totals(encode([board, board]), on=on).tolist() == list(count(board, variant=variant).totals) * 2


@given(boards("01234567"), st.data())
@settings(deadline=None, max_examples=40)
def test_law_wilds_reach_the_same_totals(case: tuple[Board, Variant], data: st.DataObject):
    board, variant = case
    order = list(board.cells())
    places = data.draw(st.lists(st.integers(0, len(order) - 1), unique=True, min_size=1, max_size=2))
    for place in places:
        board = board.with_symbol(order[place], "#")
    fixed, more = wild_totals(encode([board]), on=grid_of(board, variant=variant), wilds=places)
    assert tuple(int(fixed[0]) + g for g in members(int(more[0]))) == count(board, variant=variant).totals


def test_blocks_meet_without_a_seam():
    rng = np.random.default_rng(3)
    on = grid(Layout.ROWS, variant=Variant(elevator=True, vertical=True))
    cells = rng.integers(0, 10, (40, 2 * BLOCK + 5), dtype=np.uint8)
    whole = totals(cells, on=on)
    assert [int(totals(cells[:, [i]], on=on)[0]) for i in (0, BLOCK - 1, BLOCK, 2 * BLOCK + 4)] == [
        int(whole[i]) for i in (0, BLOCK - 1, BLOCK, 2 * BLOCK + 4)
    ]


def test_the_orders_of_four_are_all_24_and_differ():
    assert len({tuple(column) for column in orders(4).T.tolist()}) == 24
    assert sorted(orders(4)[:, 7].tolist()) == [0, 1, 2, 3]
    assert orders(0).shape == (0, 1)


def test_what_cannot_be_counted_together_is_said():
    on = grid(Layout.ROWS, variant=Variant())
    with pytest.raises(BadQuestion, match=r"expected \(40, boards\), uint8"):
        totals(np.zeros((39, 2), dtype=np.uint8), on=on)
    with pytest.raises(BadQuestion, match="expected one shape"):
        encode([Board.parse("1 2 3"), Board.parse("1 2 3 4")])
    with pytest.raises(BadQuestion, match="expected at most 400000"):
        orders(10)
