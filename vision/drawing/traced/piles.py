"""Pieces that lie on others, as no game has them: somebody must be asked, or lay them straight."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.drawing.scene import DrawnDisk, DrawnTile, random_value
from vision.drawing.traced.pieces import TracedScene

OFF_TILE = 0.6
"""How far the middle of a tile is from the one it lies on, over its size, at most."""
OFF_DISK = (0.2, 0.65)
"""... and that of a disk from another, over its diameter: so far that a part of the lower one is seen, so near that its
print is not."""


def tile_on_others(scene: TracedScene, size_mm: tuple[float, float], rng: np.random.Generator) -> TracedScene:
    """Return the scene with one tile more, which lies on one of the others or on two to four of them."""
    under = scene.tiles[int(rng.integers(len(scene.tiles)))]
    x, y = rng.uniform(-OFF_TILE, OFF_TILE, 2) * size_mm
    laid = replace(
        under,
        x_mm=float(under.x_mm + x),
        y_mm=float(under.y_mm + y),
        angle_deg=float(under.angle_deg + rng.normal(0, 12)),
        symbol=str(rng.integers(10)),
    )
    return replace(scene, tiles=(*scene.tiles, laid), on_others=1)


def disks_on_others(scene: TracedScene, size_mm: float, rng: np.random.Generator) -> TracedScene:
    """Return the scene with one or two disks more, each of which lies on another."""
    free = [scene.disks[int(k)] for k in rng.permutation(len(scene.disks))[: int(rng.integers(1, 3))]]
    laid = tuple(_on(under, size_mm, rng) for under in free)
    return replace(scene, disks=(*scene.disks, *laid), on_others=len(laid))


def _on(under: DrawnDisk, size_mm: float, rng: np.random.Generator) -> DrawnDisk:
    off, towards = size_mm * rng.uniform(*OFF_DISK), rng.uniform(0, 2 * np.pi)
    queue = bool(rng.random() < 0.5)
    return DrawnDisk(
        float(under.x_mm + off * np.cos(towards)),
        float(under.y_mm + off * np.sin(towards)),
        float(rng.uniform(0, 360)),
        "queue" if queue else "prediction",
        random_value(queue, rng),
    )


def share_hidden(tile: DrawnTile, scene: TracedScene, size_mm: tuple[float, float]) -> float:
    """Return the share of a tile's face that tiles which lie on others hide, 0 for these themselves."""
    on_top = scene.tiles_on_others()
    if tile in on_top:
        return 0.0
    own = _quad(tile, size_mm)
    shared = [cv2.intersectConvexConvex(own, _quad(other, size_mm))[0] for other in on_top]
    return float(sum(shared)) / cv2.contourArea(own)


def _quad(tile: DrawnTile, size_mm: tuple[float, float]) -> np.ndarray:
    return np.asarray(cv2.boxPoints(((tile.x_mm, tile.y_mm), size_mm, tile.angle_deg)), np.float32)
