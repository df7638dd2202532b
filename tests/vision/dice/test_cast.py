"""Few questions, never silently wrong: which squares of felt are as dark as shadows, and where dice cast them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice.cast import CAST, dark_felt, in_reach
from vision.ground.felt import RESIDUE_PX_PER_MM, Felt
from vision.ground.felt_light import LIFT

SIDE = 16.0
SQUARE = np.array([[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]])


def felt_with(square_mm: np.ndarray, *, left: float) -> Felt:
    """Return even felt with a square on it that has so much of its light."""
    lit = np.array([60.0, 120.0, 70.0])
    seen = np.full((100, 200, 3), lit, np.uint8)
    cv2.fillConvexPoly(seen, np.round(square_mm * RESIDUE_PX_PER_MM - 0.5).astype(np.int32), (lit * left).tolist())
    shade = np.zeros((3, 6), np.float32)
    shade[:, 0] = np.log(lit + LIFT)
    return Felt(np.zeros(seen.shape[:2], dtype=bool), seen, shade)


@pytest.mark.parametrize(("left", "dark"), [(1.0, False), (0.9, False), (0.6, True), (0.4, True), (0.2, False)])
def test_felt_is_as_dark_as_a_shadow_with_less_light_but_not_next_to_none(left: float, dark: bool) -> None:
    there = SQUARE + (60.0, 40.0)
    ground = felt_with(there, left=left)
    squares = np.array([there, SQUARE + (120.0, 60.0)])
    assert dark_felt(ground, squares, np.array([True, True])).tolist() == [dark, False]
    assert dark_felt(ground, squares, np.array([False, True])).tolist() == [False, False], "nobody asked"


@pytest.mark.parametrize(("away", "reached"), [(1.0, True), (0.99 * CAST, True), (1.01 * CAST, False)])
def test_a_shadow_lies_no_further_from_its_die_than_that(away: float, reached: bool) -> None:
    quads = np.array([SQUARE, SQUARE + (SIDE * away, 0.0)])
    asked, dice = np.array([False, True]), np.array([True, False])
    assert in_reach(quads, asked, dice).tolist() == [False, reached]
    assert in_reach(quads, asked, ~dice).tolist() == [False, False], "no die is its own shadow"
