"""Whether the mark in the middle of a one is no round pip: a digit, on dice that have digits instead of pips.

The net of faces has learnt pips alone, and a small digit in the middle of a face is one pip to it, surely. A pip is
round: what is seen at one distance from its middle is the same all around.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.geometry import Floats, pixel_grid, pixels_away
from vision.tray.rectify import Image

SOFT_PX = 0.7
"""Less noise, and a pip of three pixels keeps its shape."""
MIDDLE, BODY, FACE = 0.16, (0.24, 0.4), 0.36
"""The mark's ink is sought within the first of the middle, over the face's side; from and to the second there is mostly
body, and beyond the third other things than the mark."""
FAINTEST, INKED = 10.0, 0.3
"""Least contrast of the ink, in grey values over three colours, and least share of it that is the mark."""
MOTLEY = 0.07
"""On a body that differs by more than this, over the ink's contrast (three quarters of it by less), no shape is told:
marbled, glass, pearl."""
UNEVEN, LONG = 0.045, 1.27
"""No pip is less even around its middle than the first (of its ink's square), or so many times as long as it is wide.
Of 1,254 ones on 1,155 traced trays and a browser's two are, of 105 digits that were sure ones 83; most of the others
are small sixes and nines, which are round."""
LARGER = 0.02
"""How much nearer to the middle a mark counts for each pixel of its area, in pixels: a fibre's end is none."""
REACH, RINGS = 2.6, 0.35
"""So far out the mark is looked at, and in rings so wide, in standard deviations of its ink."""


def is_no_pip(crop_bgr: Image, *, margin: float) -> bool:
    """Return whether the mark in the middle of a face is plainly none; False where there is none, or nobody can tell.

    crop_bgr: (s, s, 3) uint8 as `vision.crops.faces.cut_faces` returns them, with `margin` around the face over the
    crop's side.
    """
    soft = np.asarray(cv2.GaussianBlur(crop_bgr.astype(np.float32), (0, 0), SOFT_PX), dtype=np.float64)
    far = _far(len(soft), margin)
    around = (far > BODY[0]) & (far < BODY[1])
    away = soft - np.median(soft[around], axis=0)
    deep = np.linalg.norm(away, axis=2) * (far < MIDDLE)
    contrast = float(deep.max())
    if contrast < FAINTEST:
        return False
    ink = away @ away.reshape(-1, 3)[int(deep.argmax())] / contrast**2
    if float(np.quantile(np.abs(ink[around]), 0.75)) > MOTLEY:
        return False
    ink = np.where(far < FACE, np.clip(ink, 0.0, 1.2), 0.0)
    at, spread = _mark(ink)
    across, along = np.sqrt(np.linalg.eigvalsh(spread)).tolist()
    return bool(along > LONG * across or _unevenness(ink, at, spread) > UNEVEN)


def _mark(ink: Floats) -> tuple[Floats, Floats]:
    """Return (2,) x and y of the middle of the mark in the middle of some ink (s, s), and (2, 2) its second moments."""
    count, label, stats, middles = cv2.connectedComponentsWithStats((ink > INKED).astype(np.uint8), connectivity=8)
    middle = (len(ink) - 1) / 2
    near = [np.hypot(*(middles[k] - middle)) - LARGER * stats[k, cv2.CC_STAT_AREA] for k in range(1, count)]
    mark = (label == 1 + int(np.argmin(near))).astype(np.uint8)
    weight = ink * (cv2.dilate(mark, np.ones((3, 3), np.uint8)) > 0)
    x, y = pixel_grid(len(ink))
    points = np.stack([x, y], axis=-1).reshape(-1, 2)
    at = np.average(points, axis=0, weights=weight.reshape(-1))
    # A pixel is as wide as its neighbour is away: else a mark of one has no size.
    return at, np.cov(points, rowvar=False, bias=True, aweights=weight.reshape(-1)) + np.eye(2) / 12


def _unevenness(ink: Floats, at: Floats, spread: Floats) -> float:
    """Return how much ink differs at one distance from its middle, over all of it, in squares; aslant a pip is oval."""
    x, y = pixel_grid(len(ink))
    values, ways = np.linalg.eigh(spread)
    off = np.stack([x - at[0], y - at[1]], axis=-1) @ ways / np.sqrt(values)
    far = np.hypot(off[..., 0], off[..., 1])
    inside = far < REACH
    ring = (far[inside] / RINGS).astype(np.int64)
    seen = ink[inside]
    mean = np.bincount(ring, seen) / np.maximum(np.bincount(ring), 1)
    return float(np.square(seen - mean[ring]).sum() / max(float(np.square(seen).sum()), 1e-6))


@cache
def _far(size: int, margin: float) -> Floats:
    """Return (size, size) how far each pixel is from the middle, over the face's side."""
    return np.asarray(pixels_away(size, np.full(2, (size - 1) / 2)) / (size * (1 - 2 * margin)))
