"""Sets with small digits, as no training had them, are looked at from closer by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tests.vision.trays import ROWS, cells, drawn, shown
from vision.crops.print_size import both_looks, closer_look, print_of
from vision.crops.symbols import cut_crops
from vision.drawing import Drawn, Look, draw, scene_for_layout
from vision.eyes import shipped_eyes
from vision.reader import read
from vision.reading import SYMBOLS, Status


def printed(height: float, *, up_mm: float = 0.0, rows: list[list[str | None]] | None = None) -> Drawn:
    """Return a tray whose digits have a height, over the tile's."""
    plain = Look.plain()
    look = replace(plain, tile=replace(plain.tile, digit_height=height, digit_shift_mm=(0.0, up_mm)))
    scene = scene_for_layout(rows or cells(), layout="rows", seed=1)
    return draw(scene, look, size_wh_px=(1280, 960), rng=np.random.default_rng(1))


def quads_of(tray: Drawn) -> np.ndarray:
    return np.array([tile["quad"] for tile in tray.truth["tiles"]], float)


@pytest.mark.parametrize("height", [0.25, 0.35, 0.45, 0.6, 0.7])
def test_the_height_of_digits_is_measured(height: float) -> None:
    tray = printed(height)
    seen = print_of(cut_crops(tray.picture_bgr, quads_of(tray)))
    assert seen is not None
    assert seen.height == pytest.approx(height, abs=0.05)


def test_where_they_are_on_their_tiles_is_measured() -> None:
    low, high = (
        print_of(cut_crops(t.picture_bgr, quads_of(t))) for t in (printed(0.3, up_mm=-3.0), printed(0.3, up_mm=3.0))
    )
    assert low is not None
    assert high is not None
    assert low.low - high.low == pytest.approx(6.0 / 28.0, abs=0.04)


def test_backs_have_no_digits() -> None:
    tray = printed(0.3, rows=[["down"] * 10 for _ in range(4)])
    assert print_of(cut_crops(tray.picture_bgr, quads_of(tray))) is None


@pytest.mark.parametrize(("height", "up_mm"), [(0.25, 0.0), (0.25, 3.0), (0.3, -3.0)])
def test_small_digits_are_read_without_a_question(height: float, up_mm: float) -> None:
    tray = printed(height, up_mm=up_mm)
    reading = read(tray.picture_bgr, expect="rows")
    assert reading.status is Status.READ
    assert shown(reading) == [symbols for _, symbols in ROWS]


def test_backs_among_small_digits_are_backs() -> None:
    rows = cells((("red", "08d6572914"), ("blue", "54d9270136"), ("purple", "91d0dd3856"), ("orange", "42d7591830")))
    reading = read(printed(0.28, rows=rows).picture_bgr, expect="rows")
    assert [symbols.count("d") for symbols in shown(reading)] == [1, 1, 3, 1]
    assert reading.status is Status.READ


def test_usual_digits_are_looked_at_as_ever() -> None:
    look = shipped_eyes().look
    tray = drawn()
    assert closer_look(tray.picture_bgr, quads_of(tray), look) is None
    assert closer_look(tray.picture_bgr, np.zeros((0, 4, 2)), look) is None


LOGITS = arrays.arrays(np.float32, (5, len(SYMBOLS)), elements=st.floats(-30, 0, width=32))


def log_probs(logits: np.ndarray) -> np.ndarray:
    return np.asarray(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))


@given(LOGITS, LOGITS)
def test_two_looks_are_probabilities_and_neither_comes_first(a: np.ndarray, b: np.ndarray) -> None:
    whole, near = log_probs(a), log_probs(b)
    both = both_looks(whole, near)
    assert np.exp(both).sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    assert (both.max(axis=1) <= np.maximum(whole.max(axis=1), near.max(axis=1)) + 1e-5).all()
    tied = np.isclose(whole.max(axis=1), near.max(axis=1))
    assert np.allclose(both[~tied], both_looks(near, whole)[~tied], atol=1e-5)


def test_looks_that_are_sure_of_different_things_leave_a_doubt() -> None:
    logits = np.full((2, 1, len(SYMBOLS)), -9.0)
    logits[0, 0, SYMBOLS.index("6")] = logits[1, 0, SYMBOLS.index("8")] = 0.0
    assert np.exp(both_looks(log_probs(logits[0]), log_probs(logits[1]))).max() < 0.51
