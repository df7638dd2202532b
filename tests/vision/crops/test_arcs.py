"""RULES 1: a tile's top and bottom edges are arcs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.trays import drawn, with_tiles
from vision.crops.arcs import SAGS, TILE_WH, edges_seen
from vision.drawing import Drawn, Look


def tray(sag_mm: float) -> Drawn:
    return drawn(seed=2, look=with_tiles(sag_mm=sag_mm))


@pytest.mark.parametrize("sag_mm", [0.0, 1.5, 2.6, 3.5])
def test_an_edge_is_seen_as_it_is_curved(sag_mm: float) -> None:
    picture = tray(sag_mm)
    quads = np.array([tile["quad"] for tile in picture.truth["tiles"]])
    is_px = sag_mm / Look.plain().tile.size_mm[1] * TILE_WH[1]
    for turned, side in ((False, 1), (True, -1)):
        seen = edges_seen(picture.picture_bgr, np.roll(quads, 2, axis=1) if turned else quads)
        assert seen.shape == (40, 2, len(SAGS))
        assert abs(SAGS[seen.sum(axis=(0, 1)).argmax()] - side * is_px) <= 1.0
        # Of one set: a digit near an edge, or a body of the felt's lightness, may hide that of a single tile.
        likelier = seen[:, :, SAGS * side > 1].max(axis=2) > seen[:, :, SAGS * side < -1].max(axis=2)
        assert sag_mm == 0.0 or likelier.mean() > 0.9


def test_no_tile_has_no_edges() -> None:
    assert edges_seen(tray(2.0).picture_bgr, np.zeros((0, 4, 2))).shape == (0, 2, len(SAGS))


def test_bare_felt_has_no_edge_that_stands_out() -> None:
    rng = np.random.default_rng(7)
    felt = np.clip(np.array([60.0, 90.0, 40.0]) + rng.normal(0, 5, (200, 200, 3)), 0, 255).astype(np.uint8)
    place = np.array([[[70.0, 70.0], [118.0, 70.0], [118.0, 126.0], [70.0, 126.0]]])
    seen, tiles = edges_seen(felt, place), tray(2.6)
    quads = np.array([tile["quad"] for tile in tiles.truth["tiles"]])
    edges = edges_seen(tiles.picture_bgr, quads).sum(axis=1)
    assert np.ptp(seen.sum(axis=1)) < 0.5 * np.median(np.ptp(edges, axis=1))


@pytest.mark.parametrize("quad", [[[50.0, 50.0]] * 4, [[-90.0, -90.0], [-42.0, -90.0], [-42.0, -34.0], [-90.0, -34.0]]])
def test_what_is_no_place_or_none_in_the_picture_has_finite_edges(quad: list[list[float]]) -> None:
    assert np.isfinite(edges_seen(np.full((200, 200, 3), 90, np.uint8), np.array([quad]))).all()
