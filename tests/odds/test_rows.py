"""The runs of a row, counted without laying one, against the literature and against brute force."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import factorial

import numpy as np
import pytest

from pi.odds.chances import Chances
from pi.odds.errors import BadQuestion
from pi.odds.perms import orders
from pi.odds.rows import board_chances, one_given_run_orders, row_chances, row_counts, runless_orders

A078628 = (
    1, 1, 0, 4, 12, 76, 494, 3662, 30574, 284398, 2918924, 32791604, 400400062, 5281683678, 74866857910,
    1135063409918, 18330526475060, 314169905117860, 5695984717957246, 108921059813769710,
    2190998123920252622, 46250325111346491694,
)  # fmt: skip
"""OEIS A078628, n = 1 ... 22, as published in the entry itself."""
A235938 = (
    0, 0, 0, 0, 2, 4, 22, 124, 816, 6112, 51642, 485604, 5034606, 57080204, 702766384, 9339630016,
    133281949954, 2033044422948, 33014191980502, 568686463073484, 10357838456504880,
)  # fmt: skip
"""OEIS A235938, n = 1 ... 21."""
A165963 = (0, 16, 80, 516, 3794, 31456, 290970, 2974380, 33311520, 405773448, 5342413414, 75612301688)
"""OEIS A165963, n = 3 ... 14: rows that do not wrap, without a run."""


def brute(n: int, *, wrap: bool = True) -> list[int]:
    """Count all n! rows; by adding a constant only those that begin with 0 need be laid."""
    rest = orders(n - 1) + 1
    row = np.vstack([np.zeros((1, rest.shape[1]), dtype=np.uint8), rest]).astype(np.int16)
    steps = [(row[(i + 1) % n] - row[i]) % n for i in range(n)]
    runs = np.zeros(row.shape[1], dtype=np.int64)
    for i in range(n if wrap else n - 2):
        a, b = steps[i], steps[(i + 1) % n]
        runs += (a == b) & ((a == 1) | (a == n - 1))
    return [int(c) * n for c in np.bincount(runs, minlength=n + 1)]


def test_numbers_worth_showing_all_counts_of_the_row_of_ten():
    # RULES.md: "all counts 0…10 are 2843980, 611200, 135600, 29200, 6900, 1200, 700, 0, 0, 0, 20"
    assert row_counts(10) == (2843980, 611200, 135600, 29200, 6900, 1200, 700, 0, 0, 0, 20)


def test_some_run_appears_in_21_6_percent_of_rows_and_62_3_percent_of_boards():
    assert round(float(1 - row_chances().attainable(0)), 3) == 0.216
    assert round(float(1 - board_chances().attainable(0)), 3) == 0.623


def test_a_board_is_four_rows_convolved():
    row = row_chances()
    by_hand: Counter[int] = Counter({0: 1})
    for _ in range(4):
        by_hand = _convolve(by_hand, row)
    assert board_chances() == Chances.of(by_hand)
    assert board_chances().mean() == Fraction(10, 9)  # 40 triples, each a run with 2*10/720


def _convolve(left: Counter[int], row: Chances) -> Counter[int]:
    found: Counter[int] = Counter()
    for a, x in left.items():
        for (b,), y in row.weights.items():
            found[a + b] += x * y
    return found


@pytest.mark.parametrize("n", range(3, 23))
def test_rows_without_a_run_by_n_are_oeis_a078628(n: int):
    assert runless_orders(n) == A078628[n - 1]


@pytest.mark.parametrize("n", range(3, 22))
def test_exactly_one_given_run_is_oeis_a235938(n: int):
    assert one_given_run_orders(n) == A235938[n - 1]


@pytest.mark.parametrize("n", range(3, 15))
def test_rows_that_do_not_wrap_are_oeis_a165963(n: int):
    assert row_counts(n, wrap=False)[0] == A165963[n - 3]


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize("n", range(3, 10))
def test_brute_force_agrees(n: int, wrap: bool):
    assert list(row_counts(n, wrap=wrap)) == brute(n, wrap=wrap)


def test_brute_force_agrees_for_ten():
    assert list(row_counts(10)) == brute(10)
    assert list(row_counts(10, wrap=False)) == brute(10, wrap=False)


def by_shared_edges(n: int) -> int:
    """Return A078628(n) a second way: inclusion and exclusion over the *edges* two rings share.

    A circular order has no run when the edges it shares with the ring of numbers do not touch. Sum, over all
    sets S of edges, orders with S times the sum over T in S without touching edges of (-1)^(|S|-|T|).
    """

    def path(m: int) -> int:  # over sets T of a path of m edges without touching edges
        last_out, last_in = 1, 0
        for _ in range(m):
            last_out, last_in = -(last_out + last_in), last_out
        return last_out + last_in

    def ring(m: int) -> int:
        # edge 0 out: a path of m-1 others; edge 0 in: its two neighbours are out
        return -path(m - 1) + path(m - 3)

    block = [0, 1] + [2 * path(size - 1) for size in range(2, n + 1)]
    power, total = [1] + [0] * n, 0
    for k in range(1, n + 1):
        power = [sum(power[s] * block[z - s] for s in range(z)) for z in range(n + 1)]
        total += n * power[n] * factorial(k - 1) // k
    return total + 2 * ring(n)


@pytest.mark.parametrize("n", range(4, 51))
def test_a_second_derivation_agrees_to_fifty(n: int):
    assert runless_orders(n) == by_shared_edges(n)


@pytest.mark.parametrize("n", range(4, 51))
def test_all_rows_are_counted_and_the_mean_is_that_of_its_triples(n: int):
    counts = row_counts(n)
    assert sum(counts) == factorial(n)
    assert min(counts) >= 0
    # n triples of places; 2n of the n (n-1) (n-2) number triples are runs
    assert Fraction(sum(k * c for k, c in enumerate(counts)), factorial(n)) == Fraction(2 * n, (n - 1) * (n - 2))


@pytest.mark.parametrize("n", [0, 2, 51])
def test_other_lengths_are_refused(n: int):
    with pytest.raises(BadQuestion, match="expected 3 to 50"):
        row_counts(n)


@lru_cache(maxsize=64)
def lines(n: int) -> int:
    """A095816: rows of 1 ... n without three in order, up or down, where neither places nor numbers wrap."""
    inner = [0, -1]  # -1 for each marked run, by inner numbers of a straight; no two neighbours unmarked
    while len(inner) < n:
        inner.append(-inner[-1] - inner[-2])
    block = [0, 1, 0, *(2 * inner[size - 2] for size in range(3, n + 1))][: n + 1]
    power, total = [1] + [0] * n, 0
    for k in range(1, n + 1):
        power = [sum(power[s] * block[z - s] for s in range(z)) for z in range(n + 1)]
        total += factorial(k) * power[n]
    return total if n else 1


@lru_cache(maxsize=64)
def rings(n: int) -> int:
    """A165964: places wrap, numbers do not; the paper's formula."""
    thirds = range(1, n // 3 + 1)
    return lines(n - 1) - 2 * sum(lines(n - 3 * i) - (lines(n - 3 * i - 1) if n > 3 * i else 0) for i in thirds)


@lru_cache(maxsize=256)
def begun(n: int, column: int) -> int:
    """The paper's table 2: rows that begin with 0 1 and end with n-2 n-1 (column 1), or with 0 and n-1 in two ways."""
    if column == 3:
        return rings(n - 1) + begun(n - 2, 1) if n >= 5 else 0
    if n <= 6 - column:
        return 0
    return begun(n - 1, column + 1) - begun(n - 1, column) if n > 7 - column else 1


@pytest.mark.parametrize("n", range(3, 51))
def test_the_recurrences_of_dymacek_and_lambert_agree_as_far_as_the_b_file_reaches(n: int):
    # J. Integer Sequences 14 (2011), 11.1.6. Lambert made the b-file of A078628 (n = 1 ... 50) with them. A235938 is
    # twice their first help sequence; its own table was withdrawn as obsolete in 2019, its entry ends at n = 21.
    assert runless_orders(n) == rings(n) - 2 * begun(n, 1) - 4 * begun(n + 1, 1)
    assert one_given_run_orders(n) == 2 * begun(n + 1, 1)


def test_the_help_sequences_are_the_published_ones():
    assert [lines(n) for n in range(1, 9)] == [1, 2, 4, 18, 92, 570, 4082, 33292]  # OEIS A095816
    assert [rings(n) for n in range(3, 12)] == [0, 4, 16, 86, 542, 3932, 32330, 297438, 3028320]  # OEIS A165964
    assert rings(23) == 1030533208360458081232
