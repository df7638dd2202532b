"""Several exposures in one picture: what a lamp blanks out in one is seen in the next."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.frames.merge import PLAIN, merged

SIDE = 24


def grey(level: int, *, patch: int | None = None) -> np.ndarray:
    """Return a picture of one grey value, in the middle another."""
    picture = np.full((SIDE, SIDE, 3), level, np.uint8)
    if patch is not None:
        picture[8:16, 8:16] = patch
    return picture


def test_where_nothing_is_blown_out_it_is_the_lightest_picture():
    usual = np.random.default_rng(1).integers(0, int(PLAIN), (SIDE, SIDE, 3), dtype=np.uint8)
    assert np.array_equal(merged([usual, grey(40), grey(10)]), usual)
    assert np.array_equal(merged([usual]), usual)


def test_what_is_blown_out_is_seen_in_the_next_exposure_and_what_is_there_too_in_the_one_after():
    usual, short = grey(100, patch=255), grey(60, patch=200)
    assert merged([usual, short])[12, 12].tolist() == [200, 200, 200]
    assert merged([usual, short])[1, 1].tolist() == [100, 100, 100]
    darkest = grey(35, patch=130)
    darkest[11:13, 11:13] = 90
    short[8:16, 8:16] = 255
    together = merged([usual, short, darkest])
    assert together[11, 11].tolist() == [90, 90, 90], "a digit in a lamp's image"
    assert together[9, 9].tolist() == [130, 130, 130]
    assert together[1, 1].tolist() == [100, 100, 100]


@pytest.mark.parametrize("colour", [0, 1, 2])
def test_paint_that_is_bright_in_one_colour_is_not_blown_out(colour: int):
    usual = grey(100)
    usual[..., colour] = 255
    assert np.array_equal(merged([usual, grey(60)]), usual)


@given(st.lists(st.integers(0, 255), min_size=3, max_size=3), st.integers(0, 255))
def test_law_no_place_is_lighter_or_darker_than_in_all_exposures(levels: list[int], patch: int):
    pictures = [grey(level, patch=min(255, patch + 10 * k)) for k, level in enumerate(levels)]
    together = merged(pictures)
    assert (together >= np.min(pictures, axis=0)).all()
    assert (together <= np.max(pictures, axis=0)).all()


def test_nothing_darkens_around_what_was_blown_out_but_what_is_right_beside():
    """There the light spills over. A dark rim would be one more edge of whatever lies there."""
    row = merged([grey(100, patch=255), grey(60, patch=240)])[12, :, 0].tolist()
    assert row == [100] * 7 + [60] + [240] * 8 + [60] + [100] * 7
