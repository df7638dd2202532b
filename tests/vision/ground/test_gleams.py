"""Few questions: a lamp's gleam on bare felt is nothing that lies there. Never silently wrong: what ends is."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest

from vision.geometry import SQUARE
from vision.ground.gleams import without_gleams
from vision.tray.rectify import Image, tray_from_clicks

TRAY = tray_from_clicks([(200, 200), (920, 200), (920, 720), (200, 720)])  # 2 px a millimetre
FELT = np.array((70.0, 90.0, 40.0))
SIDE_MM = 20.0
KNOWN = np.array([(80.0, 130.0) + 10.0 * SQUARE])
"""A tile that was read."""
PLACE = (260.0, 130.0) + 8.0 * SQUARE


@lru_cache(maxsize=12)
def felt(seed: int, gleam: float = 0.0, at_px: tuple[float, float] = (760.0, 400.0), wide_px: float = 90.0) -> Image:
    """Return felt with its grain, and a gleam that much lighter than felt, fading as a normal distribution does."""
    y, x = np.mgrid[:960, :1280].astype(np.float32)
    light = 1.0 + gleam * np.exp(-((x - at_px[0]) ** 2 + (y - at_px[1]) ** 2) / (2 * wide_px**2))
    grain = np.random.default_rng(seed).normal(0, 4, (960, 1280, 1))
    picture = np.clip(FELT * light[..., None] + grain, 0, 255).astype(np.uint8)
    cv2.fillConvexPoly(picture, TRAY.to_px(KNOWN[0]).round().astype(np.int32), (210, 220, 225))
    picture.flags.writeable = False  # many tests look at the same one
    return picture


def left(picture: Image, place: np.ndarray = PLACE, pieces: np.ndarray = KNOWN) -> int:
    return len(without_gleams([place], picture, TRAY, pieces_mm=pieces, side_mm=SIDE_MM))


def with_a_square(picture: Image, bgr: np.ndarray, side_mm: float) -> Image:
    corners = TRAY.to_px((260.0, 130.0) + side_mm / 2 * SQUARE).round().astype(np.int32)
    return cv2.fillConvexPoly(picture.copy(), corners, bgr.tolist())


@pytest.mark.parametrize("gleam", [0.0, 0.4, 0.8])
def test_a_gleam_fades_and_is_nothing(gleam: float) -> None:
    assert sum(left(felt(seed, gleam)) for seed in range(6)) == 0


@pytest.mark.parametrize("lighter", [0.7, 0.85, 1.2, 1.6])
@pytest.mark.parametrize("gleam", [0.0, 0.5])
def test_what_has_edges_remains_in_a_gleam_too(lighter: float, gleam: float) -> None:
    """A tile of nearly the felt's colour, or half a one, is asked about."""
    for seed in range(4):
        for side_mm in (SIDE_MM, 0.7 * SIDE_MM):
            assert left(with_a_square(felt(seed, gleam), lighter * FELT, side_mm)) == 1


def test_what_touches_a_piece_may_lie_under_it() -> None:
    """Of a tile half under another too little may be seen to tell."""
    assert left(felt(1), (95.0, 130.0) + 8.0 * SQUARE) == 1
    assert left(felt(1), (125.0, 130.0) + 8.0 * SQUARE) == 0


def test_where_no_felt_is_bare_nothing_is_put_away() -> None:
    x, y = np.meshgrid(np.arange(15.0, 350.0, 24.0), np.arange(15.0, 250.0, 24.0))
    everywhere = np.stack([x.ravel(), y.ravel()], axis=1)[:, None] + 10.0 * SQUARE
    away = np.linalg.norm(everywhere.mean(axis=1) - PLACE.mean(axis=0), axis=1) > 24.0
    assert left(felt(1), pieces=everywhere[away]) == 1


def test_nothing_left_is_nothing() -> None:
    assert without_gleams([], felt(1), TRAY, pieces_mm=KNOWN, side_mm=SIDE_MM) == []


def test_of_a_heap_nothing_is_put_away_and_no_time_is_taken() -> None:
    heap = [PLACE + (dx, 0.0) for dx in (-60.0, -40.0, -20.0, 0.0, 20.0)]
    picture = felt(1, 0.5)
    kept = without_gleams(heap, picture, TRAY, pieces_mm=KNOWN, side_mm=SIDE_MM)
    assert len(kept) == len(heap)
    assert without_gleams(heap[:4], picture, TRAY, pieces_mm=KNOWN, side_mm=SIDE_MM) == []
