"""RULES 1: 40 number tiles, 0-9 in four colours; 4 wild tiles, one a colour: no symbol twice in a colour."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.infer import BROKEN, DOWN, infer, soften, sure
from vision.layout import LAYOUTS, Expectation
from vision.reading import SYMBOLS

ROWS = LAYOUTS[Expectation.ROWS].mask()
WILD = LAYOUTS[Expectation.WILD].mask()
FEW = tuple(s in ("0", "1", "2", "#", "down") for s in SYMBOLS)


def random_log_probs(seed: int, n: int, sharpness: float = 1.0) -> np.ndarray:
    return np.log(np.random.default_rng(seed).dirichlet(np.full(len(SYMBOLS), sharpness), n) + 1e-9)


def brute(log_probs: np.ndarray, symbols: tuple[bool, ...], down: np.ndarray) -> np.ndarray:
    """Sum over every way to lay symbols on the tiles, one by one: the definition, too slow to ship."""
    p = soften(log_probs)
    n, opens = len(p), [i for i, s in enumerate(symbols) if s and i != DOWN]
    lawful, free = np.zeros_like(p), np.zeros_like(p)
    for way in product([*opens, DOWN], repeat=n):
        shown = [s for s in way if s != DOWN]
        prior = [down[k] if s == DOWN else 1 - down[k] for k, s in enumerate(way)]
        weight = np.prod([p[k, s] for k, s in enumerate(way)]) * np.prod(prior)
        chosen = (np.arange(n), list(way))
        free[chosen] += BROKEN * weight / len(opens) ** len(shown)
        if len(set(shown)) == len(shown):
            ways = np.prod([len(opens) - i for i in range(len(shown))])
            lawful[chosen] += (1 - BROKEN) * weight / ways
    total = free + lawful
    return total / total.sum(axis=1, keepdims=True)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 4), sharpness=st.sampled_from([0.1, 1.0]))
def test_the_posterior_is_the_sum_over_all_lawful_ways(seed: int, n: int, sharpness: float) -> None:
    log_probs = random_log_probs(seed, n, sharpness)
    got = infer(log_probs, [range(n)], symbols=FEW, down=0.3)
    assert np.allclose(got.marginals, brute(log_probs, FEW, np.full(n, 0.3)), atol=1e-9)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 4))
def test_each_tile_may_have_its_own_prior_of_lying_face_down(seed: int, n: int) -> None:
    log_probs, down = random_log_probs(seed, n + 2), np.random.default_rng(seed).uniform(0.01, 0.9, n + 2)
    one, other = list(range(0, n + 2, 2)), list(range(1, n + 2, 2))
    got = infer(log_probs, [one, other], symbols=FEW, down=down).marginals
    for group in (one, other):
        assert np.allclose(got[group], brute(log_probs[group], FEW, down[group]), atol=1e-9)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_likeliest_reading_of_a_full_row_is_a_permutation(seed: int) -> None:
    got = infer(random_log_probs(seed, 10), [range(10)], symbols=ROWS, down=0.0, broken=0.0)
    assert sorted(got.best.tolist()) == list(range(10))
    assert np.allclose(got.marginals[:, :10].sum(axis=0), 1.0)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), shift=st.permutations(range(10)))
def test_numbers_have_no_order_here(seed: int, shift: list[int]) -> None:
    log_probs = random_log_probs(seed, 10)
    renamed = log_probs.copy()
    renamed[:, shift] = log_probs[:, :10]
    a = infer(log_probs, [range(10)], symbols=ROWS).marginals
    b = infer(renamed, [range(10)], symbols=ROWS).marginals
    assert np.allclose(b[:, shift], a[:, :10])


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), order=st.permutations(range(8)))
def test_places_have_no_order_either(seed: int, order: list[int]) -> None:
    log_probs = random_log_probs(seed, 8)
    a = infer(log_probs, [range(8)], symbols=WILD)
    b = infer(log_probs[order], [range(8)], symbols=WILD)
    assert np.allclose(a.marginals[order], b.marginals)


def certain(symbols: str, doubt: float = 1e-6) -> np.ndarray:
    p = np.full((len(symbols), len(SYMBOLS)), doubt)
    for k, s in enumerate(symbols):
        p[k, SYMBOLS.index(s)] = 1.0
    return np.log(p)


def test_nine_known_tiles_give_away_the_tenth() -> None:
    log_probs = certain("7340158926")
    log_probs[4] = 0.0  # washed out by glare
    got = infer(log_probs, [range(10)], symbols=ROWS)
    assert SYMBOLS[got.best[4]] == "1"
    assert got.confidence[4] > 0.998


def test_with_wilds_nine_known_tiles_leave_two_for_the_tenth() -> None:
    log_probs = certain("734058926")
    log_probs = np.insert(log_probs, 4, 0.0, axis=0)
    got = infer(log_probs, [range(10)], symbols=WILD)
    assert got.confidence[4] < 0.6
    assert not sure(got.confidence)[4]


def test_a_number_twice_in_a_colour_is_not_explained_away() -> None:
    got = infer(certain("7340158927", 1e-12), [range(10)], symbols=ROWS)
    assert sure(got.confidence).tolist() == [False] + [True] * 8 + [False]
    assert got.broken[0] > 100 * infer(certain("7340158926"), [range(10)], symbols=ROWS).broken[0]


def test_groups_do_not_know_of_each_other() -> None:
    log_probs = random_log_probs(5, 16)
    both = infer(log_probs, [range(10), range(10, 16)], symbols=WILD)
    one = infer(log_probs[:10], [range(10)], symbols=WILD)
    assert np.allclose(both.marginals[:10], one.marginals)


def test_more_tiles_of_a_colour_than_the_set_holds_break_the_rule() -> None:
    got = infer(certain("01234567899"), [range(11)], symbols=ROWS, down=0.0)
    assert got.broken[0] == pytest.approx(1.0)


def test_sure_spends_a_budget_of_doubt() -> None:
    confidence = 1.0 - np.array([1e-6, 1e-4, 3e-4, 1e-4, 1e-4, 1e-4, 1e-4, 0.2])
    asked = ~sure(confidence, tile=2e-4, tray=3.5e-4)
    assert asked.tolist() == [False, False, True, False, False, True, True, True]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), symbols=st.sampled_from([ROWS, WILD, FEW]))
def test_a_clear_group_and_a_doubtful_one_are_read_as_each_is_alone(seed: int, symbols: tuple[bool, ...]) -> None:
    log_probs = np.concatenate([certain("012"), random_log_probs(seed, 2)])
    both = infer(log_probs, [[0, 1, 2], [3, 4]], symbols=symbols)
    for group in ([0, 1, 2], [3, 4]):
        alone = infer(log_probs[group], [range(len(group))], symbols=symbols)
        assert np.allclose(both.marginals[group], alone.marginals)
        assert both.best[group].tolist() == alone.best.tolist()


BANDS = (0.0, 0.5, 0.8, 0.95, 0.99, 0.999)
"""Borders of the confidences that are held against the truth together."""


def laid(rng: np.random.Generator, *, down: float, broken: float) -> np.ndarray:
    """Return what ten tiles of one colour show: each number once unless the rule is broken, some face down."""
    shown = rng.permutation(10)
    if rng.random() < broken:
        shown = rng.integers(0, 10, 10)
    return np.where(rng.random(10) < down, DOWN, shown)


@pytest.mark.parametrize("noise", [0.25, 0.4, 0.7])
def test_how_sure_is_a_real_probability(noise: float) -> None:
    """The issue: "infer jointly, exactly ..., so that "how sure" is a real probability, and test its calibration".

    Pixels whose likelihood is known: each symbol's score is normal about 1 where it lies and about 0 elsewhere. Then of
    all tiles that are given a probability p, that share must be right; less sure than right it may be, as `soften` is.
    """
    rng, down, broken = np.random.default_rng(5), 0.15, BROKEN
    said, right = [], []
    for _ in range(400):
        truth = laid(rng, down=down, broken=broken)
        seen = np.eye(len(SYMBOLS))[truth] + rng.normal(0, noise, (10, len(SYMBOLS)))
        post = infer(seen / noise**2, [range(10)], symbols=ROWS, down=down)
        said.append(post.confidence)
        right.append(post.best == truth)
    confidence, hit = np.concatenate(said), np.concatenate(right).astype(float)
    for low, high in pairwise((*BANDS, 1.01)):
        band = (confidence >= low) & (confidence < high)
        if band.sum() >= 30:
            spread = float(np.sqrt((confidence[band] * (1 - confidence[band])).sum())) / band.sum()
            assert hit[band].mean() >= confidence[band].mean() - 4 * spread - 0.002, (low, high)
    assert hit.sum() <= confidence.sum() + 0.03 * len(hit), "nor much less sure than right"
