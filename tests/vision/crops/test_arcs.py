"""RULES 1: a tile's top and bottom edges are arcs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.trays import cells
from vision.crops.arcs import SAGS, TILE_WH, edges_seen
from vision.drawing import Drawn, Look, draw, scene_for_layout


def tray(sag_mm: float) -> Drawn:
    look = Look.plain()
    look = replace(look, tile=replace(look.tile, sag_mm=sag_mm))
    return draw(
        scene_for_layout(cells(), layout="rows", seed=2), look, size_wh_px=(1280, 960), rng=np.random.default_rng(2)
    )


@pytest.mark.parametrize("sag_mm", [0.0, 1.5, 2.6, 3.5])
def test_an_edge_is_seen_as_it_is_curved(sag_mm: float) -> None:
    drawn = tray(sag_mm)
    quads = np.array([tile["quad"] for tile in drawn.truth["tiles"]])
    is_px = sag_mm / Look.plain().tile.size_mm[1] * TILE_WH[1]
    for turned, side in ((False, 1), (True, -1)):
        seen = edges_seen(drawn.picture_bgr, np.roll(quads, 2, axis=1) if turned else quads)
        assert seen.shape == (40, 2, len(SAGS))
        assert abs(SAGS[seen.sum(axis=(0, 1)).argmax()] - side * is_px) <= 1.0
        # Of one set: a digit near an edge, or a body of the felt's lightness, may hide that of a single tile.
        likelier = seen[:, :, SAGS * side > 1].max(axis=2) > seen[:, :, SAGS * side < -1].max(axis=2)
        assert sag_mm == 0.0 or likelier.mean() > 0.9


def test_no_tile_has_no_edges() -> None:
    assert edges_seen(tray(2.0).picture_bgr, np.zeros((0, 4, 2))).shape == (0, 2, len(SAGS))


def test_bare_felt_has_no_edges_of_any_way() -> None:
    felt = np.full((200, 200, 3), (60, 90, 40), np.uint8)
    seen = edges_seen(felt, np.array([[[70.0, 70.0], [118.0, 70.0], [118.0, 126.0], [70.0, 126.0]]]))
    assert np.allclose(seen, seen[0, 0, 0])
