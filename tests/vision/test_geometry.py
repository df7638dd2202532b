"""Plane geometry that several stages share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import nearest, runs

PLACES = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=6)


@given(PLACES, PLACES)
def test_no_other_lies_nearer_than_the_nearest_and_one_lies_there(points, others):
    away = nearest(np.array(points, np.float32), np.array(others, np.float32))
    assert away.dtype == np.float64
    for (x, y), got in zip(points, away, strict=True):
        assert got == pytest.approx(min(((x - a) ** 2 + (y - b) ** 2) ** 0.5 for a, b in others), abs=1e-4)


def test_of_no_points_nobody_is_asked_and_to_no_others_nothing_is_near():
    assert nearest(np.zeros((0, 2)), np.zeros((3, 2))).shape == (0,)
    with pytest.raises(ValueError, match="zero-size"):
        nearest(np.zeros((2, 2)), np.zeros((0, 2)))


@given(st.lists(st.booleans(), max_size=30))
def test_law_runs_are_all_that_is_true(on: list[bool]) -> None:
    found = runs(np.array(on, dtype=bool))
    told = np.zeros(len(on), dtype=bool)
    for first, end in found:
        assert first < end
        told[first:end] = True
    assert told.tolist() == on
    assert (np.diff(found.ravel()) > 0).all(), "what touches is one run"
