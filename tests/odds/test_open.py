"""What the table makes likely while tiles lie face down, against plain enumeration by the counting core."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.odds.chances import Chances
from pi.odds.elevator import elevator_chances
from pi.odds.errors import BadQuestion
from pi.odds.open import drawn, open_chances, row_open
from pi.odds.pools import mixed_pool
from pi.odds.rows import board_chances, row_chances
from pi.rules.runs import Variant, count
from pi.rules.values import Board, Layout

CODES = "0123456789#"


def plainly(board: Board, variant: Variant, wilds: bool) -> dict[tuple[int, ...], Fraction]:
    """Lay every arrangement of labelled tiles of each colour, one by one."""
    pools = []
    for row in board.rows:
        left = [s for s in (CODES if wilds else CODES[:-1]) if s not in row]
        pools.append(list(permutations(left, row.count("?"))))
    found: Counter[tuple[int, ...]] = Counter()
    for choice in product(*pools):
        rows = []
        for row, tiles in zip(board.rows, choice, strict=True):
            it = iter(tiles)
            rows.append(tuple(next(it) if s == "?" else s for s in row))
        found[count(Board(board.layout, tuple(rows)), variant=variant).totals] += 1
    return {totals: Fraction(n, found.total()) for totals, n in found.items()}


def shares(chances: Chances) -> dict[tuple[int, ...], Fraction]:
    return {totals: Fraction(w, chances.whole) for totals, w in chances.weights.items()}


@st.composite
def rows(draw: st.DrawFn, hidden: int, length: int = 10, wild: bool = False) -> tuple[str, ...]:
    tiles = draw(st.permutations(CODES if wild else CODES[:-1]))[:length]
    down = draw(st.sets(st.integers(0, length - 1), max_size=hidden))
    gone = draw(st.sets(st.integers(0, length - 1), max_size=1))
    return tuple("?" if i in down else "." if i in gone else s for i, s in enumerate(tiles))


@given(rows(4), st.booleans())
@settings(deadline=None, max_examples=30)
def test_law_a_row_of_numbers_is_exactly_what_enumeration_finds(row: tuple[str, ...], wrap: bool):
    board = Board(Layout.ROWS, (row,))
    assert shares(open_chances(board, variant=Variant(wrap=wrap))) == plainly(board, Variant(wrap=wrap), False)


@given(rows(3, wild=True), st.booleans())
@settings(deadline=None, max_examples=30)
def test_law_a_row_whose_wild_may_be_hidden_is_exactly_what_enumeration_finds(row: tuple[str, ...], wrap: bool):
    board = Board(Layout.ROWS, (row,))
    found = shares(open_chances(board, variant=Variant(wrap=wrap), wilds=True))
    assert found == plainly(board, Variant(wrap=wrap), True)


@given(st.integers(1, 5).flatmap(lambda n: rows(3, length=n, wild=True)), st.booleans())
@settings(deadline=None, max_examples=40)
def test_law_short_rows_meet_themselves_exactly_as_the_counting_core_has_it(row: tuple[str, ...], wrap: bool):
    board = Board(Layout.ROWS, (row,))
    found = shares(open_chances(board, variant=Variant(wrap=wrap), wilds=True))
    assert found == plainly(board, Variant(wrap=wrap), True)


@given(rows(2), rows(2), rows(1), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=20)
def test_law_rows_with_elevator_and_vertical(a, b, c, elevator: bool, vertical: bool):
    board, variant = Board(Layout.ROWS, (a, b, c)), Variant(elevator=elevator, vertical=vertical)
    assert shares(open_chances(board, variant=variant)) == plainly(board, variant, False)


@given(st.integers(1, 5).flatmap(lambda n: st.tuples(rows(2, length=n), rows(1, length=n), rows(1, length=n))))
@settings(deadline=None, max_examples=30)
def test_law_the_elevator_of_short_rows(three):
    board, variant = Board(Layout.ROWS, three), Variant(elevator=True)
    lengths = {len(row) for row in three}
    assert len(lengths) == 1
    assert shares(open_chances(board, variant=variant)) == plainly(board, variant, False)


def test_the_elevator_with_many_tiles_down_agrees_with_drawn_boards():
    board = Board.parse("1 ? ? ? 4 ? ? ? 8 9\n0 1 ? ? ? ? ? ? ? 2\n3 ? ? ? ? ? 5 ? 6 7\n? 9 8 ? ? ? ? 1 2 3")
    variant = Variant(elevator=True)
    exact = open_chances(board, variant=variant)
    assert exact.exact
    some = drawn(board, variant=variant, wilds=False, rng=np.random.default_rng(6), draws=200_000)
    for total, share in exact.right().items():
        assert abs(float(some.attainable(total) - share)) < 5 * some.error(total)


def test_the_elevator_with_all_tiles_down_is_the_published_distribution():
    board = Board(Layout.ROWS, (("?",) * 10,) * 4)
    assert open_chances(board, variant=Variant(elevator=True)) == elevator_chances()


def test_a_wild_hidden_on_a_board_with_vertical():
    board = Board.parse("1 2 # 4\n? 3 ? 5\n7 8 9 0")
    variant = Variant(vertical=True, elevator=True)
    assert shares(open_chances(board, variant=variant)) == plainly(board, variant, True)


DIAMOND = "1\n2 ? 3\n4 5 ? 7 8\n9 0 2\n?"


def test_the_diamond_holds_one_wild_and_four_of_each_number():
    board = Board.parse(DIAMOND, layout=Layout.DIAMOND)
    labelled = [n for n, times in mixed_pool(board, wilds=True).items() for _ in range(times)]
    assert len(labelled) == 41 - 10
    found: Counter[tuple[int, ...]] = Counter()
    for tiles in permutations(labelled, 3):
        if sum(t == "#" for t in tiles) < 2:
            found[tiles] += 1
    by: Counter[tuple[int, ...]] = Counter()
    for tiles, ways in found.items():
        it = iter(tiles)
        filled = Board(board.layout, tuple(tuple(next(it) if s == "?" else s for s in r) for r in board.rows))
        by[count(filled).totals] += ways
    assert shares(open_chances(board)) == {t: Fraction(n, by.total()) for t, n in by.items()}


def test_with_all_tiles_down_the_answer_is_that_of_the_shuffled_board():
    board = Board(Layout.ROWS, (("?",) * 10,) * 4)
    assert shares(open_chances(board)) == shares(board_chances())


@pytest.mark.parametrize("shown", [0, 1])
def test_a_hidden_row_with_its_wild_agrees_with_rows_laid_at_random(shown: int):
    row = ("3",) * shown + ("?",) * (10 - shown)
    exact = row_open(row, wilds=True)
    rng, seen = random.Random(40 + shown), Counter()
    left = [s for s in CODES if s not in row]
    for _ in range(4000):
        tiles = rng.sample(left, 10 - shown)
        seen[count(Board(Layout.ROWS, (("3",) * shown + tuple(tiles),))).totals] += 1
    for totals, share in shares(exact).items():
        assert abs(seen[totals] / 4000 - float(share)) < 5 * (float(share) / 4000) ** 0.5 + 1e-3


def test_one_open_number_tells_nothing():
    assert shares(row_open("??????7???")) == shares(row_chances())


def test_a_full_row_is_certain():
    assert row_open("1287635490").weights == {(3,): 1}


def test_right_and_best_are_different_questions_with_wilds():
    # 0 1 # 5 4 9 9 8 1 2 of the counting core's tests, with its twins face down.
    chances = row_open("01#549?8?2", wilds=True)
    assert sum(chances.best().values()) == 1
    assert sum(chances.right().values()) > 1


def test_rect_draws_where_there_are_too_many_and_says_so():
    board = Board(Layout.RECT, (("?",) * 8,) * 5)
    chances = open_chances(board, variant=Variant(vertical=True), rng=np.random.default_rng(8), draws=40_000)
    assert not chances.exact
    assert chances.whole == 40_000
    # 40 triples in rows, 40 in columns; three tiles of 40 are a run with 20 * 4^3 / (40 * 39 * 38)
    mean = 80 * 20 * 64 / (40 * 39 * 38)
    assert abs(float(chances.mean()) - mean) < 5 * (2.4 / 40_000) ** 0.5
    assert 0 < chances.error(0) < 0.003


def test_law_the_seed_decides_what_is_drawn():
    board = Board(Layout.RECT, (("?",) * 8,) * 5)
    columns = Variant(vertical=True)
    first, again = (open_chances(board, variant=columns, rng=np.random.default_rng(5), draws=500) for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    ("layout", "text", "said"),
    [
        ("rows", "1 2 1 ?", "row 1 holds 1 twice"),
        ("rows", "? ? ? ? ? ? ? ? ? ? ?", "row 1 has 11 cells (expected at most 10, one colour's)"),
        ("rect", "1 1 1 1 1", "1 lies 5 times on the board (expected at most 4)"),
        ("diamond", "#\n# 1 2\n3", "# lies 2 times on the board (expected at most 1)"),
    ],
)
def test_what_the_set_cannot_make_is_said(layout: str, text: str, said: str):
    with pytest.raises(BadQuestion) as no:
        open_chances(Board.parse(text, layout=Layout(layout)))
    assert said in str(no.value)


@pytest.mark.parametrize("elevator", [False, True])
def test_the_row_at_fault_is_named(elevator: bool):
    with pytest.raises(BadQuestion, match="row 2 holds 3 twice"):
        open_chances(Board.parse("1 2 ?\n3 ? 3"), variant=Variant(elevator=elevator))


def test_drawing_needs_a_generator():
    with pytest.raises(BadQuestion, match="expected a random generator"):
        open_chances(Board(Layout.RECT, (("?",) * 8,) * 5), variant=Variant(vertical=True))
