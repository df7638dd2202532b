"""The stored distribution of a whole `rect`, against its exact moments and against boards laid at random."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import factorial, perm, prod

import numpy as np
import pytest

from pi.odds.batch import grid
from pi.odds.open import drawn, open_chances
from pi.odds.whole_rect import STORED, _decoded, _Multisets, _row_runs, whole_rect
from pi.rules.runs import Variant
from pi.rules.values import DOWN, SHAPES, Board, Layout

HIDDEN = Board(Layout.RECT, tuple((DOWN,) * n for n in SHAPES[Layout.RECT]))


def both_runs(places: tuple[int, ...]) -> Fraction:
    """Return the chance that triples of places are all runs, of 40 tiles with four of each number."""
    ways = 0
    for begin in product(product(range(10), (1, -1)), repeat=len(places) // 3):
        numbers = [(first + way * i) % 10 for first, way in begin for i in range(3)]
        held = set(zip(places, numbers, strict=True))
        if len(held) == len(set(places)):
            ways += prod(perm(4, times) for times in Counter(number for _, number in held).values())
    return Fraction(ways, perm(40, len(set(places))))


def test_mean_and_mean_square_are_the_exact_ones():
    triples = grid(Layout.RECT, variant=Variant()).triples
    chances = whole_rect()
    assert chances.mean() == sum(both_runs(triple) for triple in triples)
    alike: Counter[tuple[int, ...]] = Counter()
    for a, b in product(triples, repeat=2):
        number = {place: n for n, place in enumerate(dict.fromkeys((*a, *b)))}
        alike[tuple(number[place] for place in (*a, *b))] += 1
    square = sum(times * both_runs(places) for places, times in alike.items())
    assert sum(k * k * share for k, share in chances.best().items()) == square


def test_boards_laid_at_random_agree():
    exact = whole_rect()
    some = drawn(HIDDEN, variant=Variant(), wilds=False, rng=np.random.default_rng(40), draws=60_000)
    for total, share in exact.right().items():
        assert abs(float(some.attainable(total) - share)) < 5 * some.error(total)


@pytest.mark.parametrize("cell", [(0, 0), (2, 5), (4, 7)])
def test_one_open_tile_tells_nothing(cell: tuple[int, int]):
    assert open_chances(HIDDEN) == open_chances(HIDDEN.with_symbol(cell, "7")) == whole_rect()


def test_with_columns_or_without_wrap_the_stored_answer_is_not_given():
    for variant in (Variant(vertical=True), Variant(wrap=False)):
        assert not open_chances(HIDDEN, variant=variant, rng=np.random.default_rng(1), draws=200).exact


def test_rows_with_the_same_numbers_are_counted_by_runs():
    """1 2 and six of others: what `counted` begins with, on one row; and how many rows there are altogether."""
    assert _row_runs(_decoded(sum(5 ** (9 - n) for n in range(8)))).sum() == factorial(8)
    sets = _Multisets(3)
    assert sum(sets.times) == len(sets.codes) == 220  # 10 + 9 ways to choose 3 of 10 kinds, kinds may repeat
    assert STORED.name == "whole_rect.json"
