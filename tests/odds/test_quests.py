"""How many solutions the quests have, against drawing, and against the counting core."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

from pi.odds import quests
from pi.rules.quests import magic_sums, most_runs


def test_magic_sums_the_exact_count_agrees_with_shuffled_trays():
    share = quests.magic_sums_solutions() / quests.number_layouts()
    rng, boards, solved = np.random.default_rng(5), 20_000, 0
    tiles = np.repeat(np.arange(10), 4)
    for _ in range(20):
        sums = rng.permuted(np.tile(tiles, (boards, 1)), axis=1).reshape(boards, 5, 8).sum(axis=1)
        solved += int((np.sort(sums, axis=1) == np.array(magic_sums.SUMS)).all(axis=1).sum())
    assert abs(solved - 400_000 * share) < 4 * (400_000 * share) ** 0.5


def test_magic_sums_two_columns_by_hand():
    """The first product of the count, with nothing clever: all pairs of columns of sums 19 and 20."""
    found: Counter[tuple[int, ...]] = Counter()
    columns = [
        [c for c in product(range(10), repeat=5) if sum(c) == s and max(Counter(c).values()) <= 4] for s in (5, 4)
    ]
    for a, b in product(*columns):
        numbers = tuple(sorted((*a, *b)))
        if max(Counter(numbers).values()) <= 4:
            found[numbers] += 1
    keys, ways = quests._times(quests._column(5), quests._column(4))
    spread = {
        tuple(n for n in range(10) for _ in range(int(key) >> 4 * n & 15)): int(w)
        for key, w in zip(keys, ways, strict=True)
    }
    assert spread == dict(found)


def test_most_runs_every_deal_is_counted_once():
    row = quests.most_runs_row()
    assert row.whole * 10 == 3_628_800 // 2
    assert row.best()[10] * row.whole == 72
    assert round(float(row.mean()), 4) == 1.8566


def test_most_runs_the_share_of_each_best_agrees_with_the_counting_core():
    rng, deals = random.Random(3), 1500
    found: Counter[int] = Counter()
    for _ in range(deals):
        found[most_runs.best_row(tuple(rng.sample("0123456789", 8)))[0]] += 1
    for k, share in quests.most_runs_row().best().items():
        expected = deals * float(share)
        assert abs(found[k] - expected) <= 4 * (expected + 1) ** 0.5


def test_no_runs_the_drawn_mean_is_the_exact_one():
    # 80 triples in rows and columns; each is one of 20 runs with chance 4/40 4/39 4/38.
    exact = 80 * 20 * (4 / 40) * (4 / 39) * (4 / 38)
    drawn = quests.no_runs_share(60_000, rng=np.random.default_rng(2))
    assert float(drawn.mean()) == pytest.approx(exact, abs=0.03)
    assert abs(float(drawn.attainable(0)) - 0.2084) < 5 * drawn.error(0)
