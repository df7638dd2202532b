"""The numpy form of counting against the counting core, on every board with every switch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.odds.batch import BLOCK, encode, grid, grid_of, members, totals
from pi.odds.errors import BadQuestion
from pi.odds.perms import orders
from pi.odds.wild_batch import wild_totals
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


@given(boards("01234567"), st.lists(st.sets(st.integers(0, 39), max_size=4), min_size=1, max_size=4))
@settings(deadline=None, max_examples=60)
def test_law_wilds_reach_the_same_totals_wherever_they_lie(case: tuple[Board, Variant], places: list[set[int]]):
    board, variant = case
    order, tried = list(board.cells()), []
    for some in places:
        placed = board
        for place in some:
            placed = placed.with_symbol(order[place], "#")
        tried.append(placed)
    fixed, more = wild_totals(encode(tried), on=grid_of(board, variant=variant))
    found = [tuple(a + g for g in members(b)) for a, b in zip(fixed.tolist(), more.tolist(), strict=True)]
    # The counting core tries up to three linked wilds (10^3 ways); four may take it long, so they are rare above.
    assert found == [count(placed, variant=variant).totals for placed in tried]


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
