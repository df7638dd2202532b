"""What is printed lies elsewhere in a later picture, by some millimetres, and aslant: it is found again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry import homography4, rectangle, transform
from vision.ground.alignment import aligned, alignment

SIZE = (240, 180)
PRINT = np.full(SIZE[::-1], 60, np.uint8)
cv2.ellipse(PRINT, (120, 90), (90, 60), 0, 0, 360, 180, 3, cv2.LINE_AA)
cv2.putText(PRINT, "CLUB", (70, 105), cv2.FONT_HERSHEY_DUPLEX, 1.2, 140, 3, cv2.LINE_AA)
FELT = np.log(PRINT.astype(np.float32))
NEAR = (cv2.dilate((PRINT > 80).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0).astype(np.uint8)
CORNERS = rectangle(SIZE)
shifts = st.floats(-4.0, 4.0)


@given(st.lists(st.tuples(shifts, shifts), min_size=4, max_size=4), st.booleans())
@settings(max_examples=25)
def test_it_is_found_to_a_third_of_a_pixel(off: list[tuple[float, float]], turned: bool) -> None:
    head = np.diag([-1.0, -1.0, 1.0]) + np.array([[0, 0, SIZE[0] - 1], [0, 0, SIZE[1] - 1], [0, 0, 0]])
    truth = homography4(CORNERS, CORNERS + off) @ (head if turned else np.eye(3))
    now = cv2.warpPerspective(FELT, truth, SIZE, borderMode=cv2.BORDER_REPLICATE) * 0.9 + 0.2
    found = alignment(FELT, now.astype(np.float32), NEAR, furthest_px=6, turned=turned)
    there = np.argwhere(NEAR)[::50, ::-1].astype(float)
    assert np.hypot(*(transform(there, found) - transform(there, truth)).T).max() < 0.35


def test_a_piece_across_the_print_hardly_moves_it() -> None:
    now = FELT.copy()
    cv2.rectangle(now, (60, 70), (110, 120), 5.3, cv2.FILLED)
    found = alignment(FELT, now, NEAR, furthest_px=6)
    assert np.hypot(*(transform(CORNERS, found) - CORNERS).T).max() < 0.6


@pytest.mark.parametrize("now", [FELT * 0, np.random.default_rng(1).normal(3, 1, FELT.shape)])
def test_where_nothing_is_seen_again_it_stays_near_where_it_was(now: np.ndarray) -> None:
    found = alignment(FELT, now.astype(np.float32), NEAR, furthest_px=6)
    assert np.isfinite(found).all()
    assert np.hypot(*(transform(CORNERS, found) - CORNERS).T).max() <= 6 * np.sqrt(2) + 2 * 6
    assert np.isfinite(aligned(now.astype(np.float32), found)).all()
