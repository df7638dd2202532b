"""Pieces cut out of a frame as the nets want them: of one size, upright, seen from straight above."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Box = tuple[float, float, float, float]
"""Where a piece's four corners come to lie in its crop: left, top, right, bottom."""

COARSEST = 1.8
"""Pieces wider in the frame than this, over their width in the crop, are cut from a halved frame: else they alias."""


def cut(frame_bgr: Array, quads_px: Array, *, size_wh: tuple[int, int], box: Box) -> Array:
    """Return the pieces cut from the frame, (n, height, width, 3) uint8; about 15 us a crop.

    frame_bgr: (h, w, 3) uint8. quads_px: (n, 4, 2) corners TL TR BR BL in the frame. size_wh: of a crop in pixels.
    """
    quads = np.asarray(quads_px, np.float32).reshape(-1, 4, 2)
    out = np.empty((len(quads), size_wh[1], size_wh[0], 3), np.uint8)
    left, top, right, bottom = box
    target = np.asarray(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]) - 0.5, np.float32)
    level, scale = _halved(frame_bgr, quads, right - left)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for k, quad in enumerate(quads):
        matrix = cv2.getPerspectiveTransform(target, quad * np.float32(scale))
        out[k] = cv2.warpPerspective(level, matrix, size_wh, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return out


def _halved(frame_bgr: Array, quads: Array, wide_px: float) -> tuple[Array, float]:
    """Return the frame halved until its pieces are hardly wider than in their crops, and how large it is then."""
    level, scale = frame_bgr, 1.0
    if len(quads):
        wide = float(np.median(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)))
        while wide * scale > COARSEST * wide_px:
            level, scale = cv2.pyrDown(level), scale / 2
    return level, scale


__all__ = ["COARSEST", "cut"]
