"""Colour needs care for white balance (issue 'The eye'): white is what the markers' paper is in the pieces' light."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.trays import drawn, shadowed, tray_of
from vision.ground.felt import Felt, look_at_felt
from vision.ground.white import Papers
from vision.tray.rectify import Tray, rectify

PICTURE = drawn()
TRAY = tray_of(PICTURE)
QUADS_MM = TRAY.to_mm(np.array([tile["quad"] for tile in PICTURE.truth["tiles"]]))
DIM = 0.4


def ground_of(picture: np.ndarray) -> Felt:
    papers = list(TRAY.to_mm(np.array([corners for _, corners in TRAY.markers])))
    return look_at_felt(rectify(picture, TRAY, px_per_mm=2.0), [*QUADS_MM, *papers], px_per_mm=2.0)


def white(picture: np.ndarray, pieces_mm: np.ndarray | None, *, lightest: float = 0.0) -> float:
    found = Papers.of(picture, TRAY).white(ground=ground_of(picture), pieces_mm=pieces_mm, lightest=lightest)
    assert found is not None
    return float(found.mean())


LIT = white(PICTURE.picture_bgr, QUADS_MM)


def middle_px() -> int:
    return round(float(np.mean(TRAY.corners, axis=0)[0]))


def test_with_two_of_four_markers_in_a_shadow_white_is_that_of_the_pieces_light() -> None:
    """The middle of all four was neither, and colours had other names."""
    picture, x = shadowed(PICTURE.picture_bgr, middle_px(), DIM), QUADS_MM.mean(axis=1)[:, 0]
    assert white(picture, QUADS_MM[x < 120]) == pytest.approx(LIT, rel=0.03)
    assert white(picture, QUADS_MM[x > 240]) == pytest.approx(DIM * LIT, rel=0.05)


def test_white_is_no_darker_than_what_is_lightest_on_the_pieces() -> None:
    picture, x = shadowed(PICTURE.picture_bgr, middle_px(), DIM), QUADS_MM.mean(axis=1)[:, 0]
    assert white(picture, QUADS_MM[x > 240], lightest=0.7 * LIT) == pytest.approx(LIT, rel=0.03)


def test_where_nobody_knows_the_pieces_light_the_lightest_papers_count() -> None:
    picture = shadowed(PICTURE.picture_bgr, middle_px(), DIM)
    for pieces in (None, np.zeros((0, 4, 2))):
        assert white(picture, pieces) == pytest.approx(LIT, rel=0.03)
    found = Papers.of(picture, TRAY).white()
    assert found is not None
    assert float(found.mean()) == pytest.approx(LIT, rel=0.03)


def test_without_a_marker_there_is_no_white() -> None:
    bare = drawn(markers=False)
    tray = tray_of(bare)
    assert isinstance(tray, Tray)
    assert Papers.of(bare.picture_bgr, tray).white() is None
