"""Digits without any font file: strokes of our own, as masks.

A glyph is a (h, w) uint8 mask, 255 where the ink is, cropped to the ink; all digits of a set have one
height. Training passes masks rendered from real fonts instead (`GlyphSet` is all the tile painter asks for).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
GlyphSet = Mapping[str, Array]
"""Symbol ("0" to "9", "#") to mask."""

HEIGHT = 128
"""Height of a built-in digit's skeleton box in mask pixels."""


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, stop: float) -> list[tuple[float, float]]:
    """Return points of an elliptic arc; degrees clockwise from the right (y runs down)."""
    t = np.radians(np.linspace(start, stop, max(3, int(abs(stop - start) / 7))))
    return list(zip(cx + rx * np.cos(t), cy + ry * np.sin(t), strict=True))


def strokes() -> dict[str, list[list[tuple[float, float]]]]:
    """Return the skeletons of the digits and of "#", lines in a box 0.62 wide and 1 high, y running down."""
    six = [*_arc(0.33, 0.62, 0.31, 0.62, -62, -180), *_arc(0.31, 0.69, 0.29, 0.31, 180, 540)]
    three = [*_arc(0.29, 0.26, 0.25, 0.26, -160, 90), *_arc(0.29, 0.74, 0.29, 0.26, -90, 160)]
    five = [(0.55, 0.0), (0.12, 0.0), (0.07, 0.46), *_arc(0.29, 0.68, 0.3, 0.32, -140, 150)]
    return {
        "0": [_arc(0.31, 0.5, 0.31, 0.5, 0, 360)],
        "1": [[(0.08, 0.2), (0.36, 0.0), (0.36, 1.0)]],
        "2": [[*_arc(0.3, 0.28, 0.28, 0.28, -170, 40), (0.02, 1.0), (0.62, 1.0)]],
        "3": [three],
        "4": [[(0.47, 1.0), (0.47, 0.0), (0.0, 0.7), (0.64, 0.7)]],
        "5": [five],
        "6": [six],
        "7": [[(0.0, 0.0), (0.6, 0.0), (0.2, 1.0)]],
        "8": [_arc(0.31, 0.25, 0.25, 0.25, 0, 360), _arc(0.31, 0.74, 0.31, 0.26, 0, 360)],
        "9": [[(0.62 - x, 1 - y) for x, y in six]],
        "#": [
            [(0.24, 0.12), (0.14, 0.88)],
            [(0.56, 0.12), (0.46, 0.88)],
            [(0.02, 0.36), (0.68, 0.36)],
            [(0.0, 0.66), (0.66, 0.66)],
        ],
    }


def stroke_mask(lines: list[list[tuple[float, float]]], weight: float, slant: float) -> Array:
    """Return lines as in `strokes` drawn with a round pen; its width and the shift of the top are over the height."""
    pad = int(HEIGHT * 0.3)
    image = np.zeros((HEIGHT + 2 * pad, int(HEIGHT * 1.1) + 2 * pad), np.uint8)
    for line in lines:
        points = np.array(line)
        points[:, 0] += slant * (0.5 - points[:, 1]) + 0.1
        fixed = np.round((points * HEIGHT + pad) * 16).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(image, [fixed], False, (255,), int(weight * HEIGHT), cv2.LINE_AA, 4)
    return crop(image)


def crop(mask: Array) -> Array:
    """Return the mask cut down to its ink (a one-pixel empty mask when there is none)."""
    x, y, w, h = cv2.boundingRect((mask > 20).astype(np.uint8))
    return np.ascontiguousarray(mask[y : y + h, x : x + w]) if w else np.zeros((1, 1), np.uint8)


@lru_cache(maxsize=32)
def built_in(weight: float = 0.15, slant: float = 0.0) -> GlyphSet:
    """Return the built-in glyphs. weight: stroke over height; slant: shift of the top over height."""
    return {symbol: stroke_mask(lines, weight, slant) for symbol, lines in strokes().items()}


def underlined(mask: Array, *, gap: float = 0.1, weight: float = 0.09) -> Array:
    """Return the mask with a bar below, as 6 and 9 carry it in many sets; gap and weight over the height."""
    h, w = mask.shape
    bar = np.zeros((round(h * (gap + weight)), w), np.uint8)
    bar[round(h * gap) :] = 255
    return np.vstack([mask, bar])
