"""Sums over marked runs against laying every arrangement, on boards that the table may show half open."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.odds import bench_open, weigh
from pi.odds.bench_open import shuffled
from pi.odds.chances import mixed
from pi.odds.marked import MOST_HIDDEN, marked
from pi.odds.open import drawn, open_chances
from pi.odds.pools import mixed_pool, row_pool
from pi.odds.states import SAFE, States
from pi.odds.stock import Stock, Words
from pi.odds.wild_marks import TooMuch
from pi.rules.runs import Variant
from pi.rules.values import DOWN, Board, Layout
from tests.odds.laying import laid

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


@pytest.mark.parametrize("layout", list(Layout))
@given(st.integers(0, 10**6), st.integers(0, 4), st.booleans(), st.data())
@settings(deadline=None, max_examples=25)
def test_law_marks_find_what_laying_every_arrangement_finds(layout, seed, hidden, wilds, data):
    variant, wilds = data.draw(st.sampled_from(VARIANTS[layout])), wilds or layout is Layout.DIAMOND
    board = half_open(layout, wilds=wilds, hidden=hidden, seed=seed)
    assert marked(board, variant=variant, wilds=wilds, states=500_000) == laid(board, variant, wilds)


@pytest.mark.parametrize("seed", range(3))
def test_neighbours_face_down_in_the_diamonds_middle(seed: int):
    board = half_open(Layout.DIAMOND, wilds=True, hidden=0, seed=seed)
    for cell in ((4, 3), (4, 4), (4, 5), (3, 4)):
        board = board.with_symbol(cell, DOWN)
    assert marked(board, variant=Variant(), wilds=True, states=500_000) == laid(board, Variant(), True)


@pytest.mark.parametrize(
    ("layout", "variant", "wilds", "hidden"),
    [
        (Layout.RECT, Variant(), False, 15),
        (Layout.RECT, Variant(), True, 9),
        (Layout.RECT, Variant(vertical=True), False, 12),
        (Layout.RECT, Variant(vertical=True), True, 6),
        (Layout.DIAMOND, Variant(), True, 8),
        (Layout.ROWS, Variant(elevator=True), False, 15),
        (Layout.ROWS, Variant(elevator=True, vertical=True), False, 13),
        (Layout.ROWS, Variant(elevator=True, vertical=True), True, 6),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_law_what_the_next_tile_will_tell_is_known_on_average(layout, variant, wilds, hidden, seed):
    """Far more tiles than can be laid: turning one up, each as likely as the stock has it, must change nothing."""
    board = half_open(layout, wilds=wilds, hidden=hidden, seed=seed)
    cell = next(cell for cell, symbol in board.cells().items() if symbol == DOWN)
    one_row = layout is Layout.ROWS
    stock = Counter(row_pool(board.rows[cell[0]], wilds=wilds)) if one_row else mixed_pool(board, wilds=wilds)
    shown = [
        (Fraction(many, stock.total()), marked(board.with_symbol(cell, n), variant=variant, wilds=wilds, states=10**6))
        for n, many in stock.items()
    ]
    assert mixed(shown).reduced() == marked(board, variant=variant, wilds=wilds, states=10**6)


@given(st.integers(1, 2**61), st.integers(0, 10), st.integers(0, 4))
def test_law_a_tile_is_forgotten_exactly_or_not_at_all(ways: int, kinds: int, asked: int):
    """Ten kinds of four can be picked in up to 24^10 ways: with other ways too many for 64 bits, never cut off."""
    stock = Stock((0,), (Counter(dict.fromkeys(range(10), 4)),), (40,))
    tiles = [(0, kind) for kind in range(kinds)]
    words = Words.of(stock, tiles, runs=1)
    counts = sum(asked << words.shift[tile] for tile in tiles)
    states = States(np.zeros(1, np.uint64), np.array([counts], np.uint64), np.array([ways], np.int64))
    exact = ways * perm(4, asked) ** kinds
    try:
        assert states.forgotten(tiles, words).ways.tolist() == [exact]
    except TooMuch:
        assert exact > SAFE / 1.01


@given(st.lists(st.integers(1, 4), min_size=1, max_size=8), st.data())
def test_law_two_counts_agree_unless_they_ask_for_more_than_there_are(many: list[int], data: st.DataObject):
    stock = Stock((0,), (Counter(dict(enumerate(many))),), (sum(many),))
    words = Words.of(stock, [(0, kind) for kind in range(len(many))], runs=1)
    a, b = ([data.draw(st.integers(0, n)) for n in many] for _ in range(2))
    packed = [np.array([sum(k << words.shift[0, i] for i, k in enumerate(side))], np.uint64) for side in (a, b)]
    assert words.agree(*packed).tolist() == [all(x + y <= n for x, y, n in zip(a, b, many, strict=True))]


def test_law_adding_one_to_every_number_changes_nothing():
    board = half_open(Layout.RECT, wilds=False, hidden=16, seed=8)
    moved = Board(
        board.layout, tuple(tuple(str((int(s) + 1) % 10) if s != DOWN else s for s in row) for row in board.rows)
    )
    found = marked(board, variant=Variant(), wilds=False)
    assert found is not None
    assert found == marked(moved, variant=Variant(), wilds=False)


@pytest.mark.parametrize(("bits", "limbs"), [(40, 2), (36, 3)])
def test_weights_beyond_a_machine_word_are_cut_into_limbs(monkeypatch: pytest.MonkeyPatch, bits: int, limbs: int):
    """With narrow words the last product is cut, with wide ones it is not: both must say the same."""
    board = half_open(Layout.RECT, wilds=False, hidden=20, seed=3)
    whole, cut = marked(board, variant=Variant(), wilds=False), []
    real = weigh._limbs
    monkeypatch.setattr(weigh, "SAFE", 2.0**bits)
    monkeypatch.setattr(weigh, "_limbs", lambda *bounds: cut.append(real(*bounds)) or cut[-1])
    assert marked(board, variant=Variant(), wilds=False) == whole
    assert cut[0][1] == limbs


@pytest.mark.parametrize(("layout", "variant", "hidden"), [
    (Layout.RECT, Variant(), 13), (Layout.DIAMOND, Variant(), 8), (Layout.ROWS, VARIANTS[Layout.ROWS][2], 13),
])  # fmt: skip
def test_where_laying_all_is_too_much_drawn_boards_agree(layout: Layout, variant: Variant, hidden: int):
    board = half_open(layout, wilds=layout is Layout.DIAMOND, hidden=hidden, seed=4)
    found = marked(board, variant=variant, wilds=layout is Layout.DIAMOND, states=500_000)
    assert found is not None
    assert found.exact
    wilds, rng = layout is Layout.DIAMOND, np.random.default_rng(7)
    some = drawn(board, variant=variant, wilds=wilds, rng=rng, draws=60_000)
    for total, share in found.right().items():
        assert abs(float(some.attainable(total) - share)) < 5 * some.error(total)


def test_what_takes_too_many_states_is_left_to_others():
    board = half_open(Layout.RECT, wilds=False, hidden=20, seed=1)
    assert marked(board, variant=Variant(), wilds=False, states=10) is None
    assert (
        marked(half_open(Layout.RECT, wilds=False, hidden=MOST_HIDDEN + 1, seed=1), variant=Variant(), wilds=False)
        is None
    )


def test_a_board_that_lies_open_is_certain():
    board = Board.parse("1 2 3 9 9 5 6 7\n0 0 0 0 4 4 4 4", layout=Layout.RECT)
    assert open_chances(board).weights == {(2,): 1}
    assert sum(open_chances(board).right().values()) == Fraction(1)


def test_the_benchmark_prints_a_line_for_every_kind_and_where_the_goal_holds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(bench_open, "KINDS", [(*kind[:-1], kind[-1][:1]) for kind in bench_open.KINDS])
    assert bench_open.main(["--boards", "1"]) == 0
    said = capsys.readouterr().out
    assert said.count("rows, wilds") == 2
    assert "diamond: all exact in 20 ms up to" in said
