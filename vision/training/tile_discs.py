"""Tiles whose digit stands in a disc: pale on a round spot of ink, or within a ring. To a net that saw only digits on

bare bodies, such a tile is half a disk. Painted over pictures that are there already.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.training.samples import quad_of

Array = np.ndarray[Any, np.dtype[Any]]

INK_SHARE = 0.08
"""So much of a tile's middle, of what differs most from its body, is ink at least."""
LEAST_PX = 30
"""A tile of which less is seen stays as it is."""
LEAST_INK = 40.0
"""Grey values, all colours together, by which ink differs from its body: else the tile shows nothing, or its back."""


def disced(tray_bgr: Array, rows: Array, rng: np.random.Generator) -> Array:
    """Return a tray (h, w, 3) uint8 with a disc of ink, or a ring of it, behind the digits of all its tiles.

    rows: (n, 7) the pieces on it, as of `samples.targets_of`.
    """
    out = tray_bgr.astype(np.float32)
    share, ring = float(rng.uniform(0.66, 1.0)), bool(rng.random() < 0.3)
    thick = float(rng.uniform(0.08, 0.24))
    for row in rows:
        if row[0] == 0 and row[6] > 0:
            _disc(out, row, share, thick if ring else None)
    return np.clip(out, 0, 255).astype(np.uint8)


def _disc(out: Array, row: Array, share: float, ring: float | None) -> None:
    """Exchange ink and body within a circle on a tile, or, ring wide over its radius, draw one of ink."""
    middle, size = row[1:3], row[3:5]
    far = int(np.hypot(*size) / 2) + 2
    left, top = max(0, int(middle[0]) - far), max(0, int(middle[1]) - far)
    part = out[top : top + 2 * far, left : left + 2 * far]
    tile, spot = np.zeros(part.shape[:2], np.uint8), np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(tile, np.round(quad_of(row) - (left, top)).astype(np.int32), 1)
    colours = part[tile > 0]
    if len(colours) < LEAST_PX:
        return
    body = np.median(colours, axis=0)
    away = np.abs(colours - body).sum(axis=1)
    ink = colours[away >= np.quantile(away, 1 - INK_SHARE)].mean(axis=0)
    if np.abs(ink - body).sum() < LEAST_INK:
        return
    radius = share * min(size) / 2
    x, y, r = (round(16 * float(v)) for v in (*(middle - (left, top)), radius))
    cv2.circle(spot, (x, y), r, 255, -1 if ring is None else max(1, round(ring * radius)), cv2.LINE_AA, 4)
    amount = (spot * tile).astype(np.float32)[..., None] / 255
    part += amount * (body + ink - 2 * part if ring is None else ink - part)


__all__ = ["disced"]
