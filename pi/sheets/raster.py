"""A sheet as pixels: what the eye holds against the picture, and what the simulated printer prints."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from pi.pdf import Shape, Sheet, Words, width_of
from pi.sheets.boards import BOARDS
from pi.sheets.mats import MATS

Grey = np.ndarray[Any, np.dtype[np.uint8]]

PX_PER_MM = 4.0
_SUB = 4
"""Bits of the fraction of a pixel that OpenCV's drawing takes."""
_CAP = 21.0
"""Height in pixels of OpenCV's plain capitals at scale 1; Helvetica's are 0.72 of its size."""


def raster(sheet: Sheet, *, words: bool = True) -> Grey:
    """Return (h, w) uint8 at PX_PER_MM: 255 bare paper, 0 black ink.

    words: False leaves the letters out, whose shapes are the printer's own.
    """
    size = round(sheet.height * PX_PER_MM), round(sheet.width * PX_PER_MM)
    picture = np.full(size, 255, np.uint8)
    for thing in sheet.things:
        if isinstance(thing, Shape):
            _draw_shape(picture, thing)
        elif words:
            _draw_words(picture, thing)
    return picture


def _draw_shape(picture: Grey, shape: Shape) -> None:
    points = _fixed(_outline(shape))
    if shape.fill is not None:
        cv2.fillPoly(picture, [points], [255.0 * shape.fill], cv2.LINE_AA, _SUB)
    if shape.stroke is None:
        return
    thick = max(1, round(shape.width * PX_PER_MM))
    closed = shape.closed or shape.radius > 0
    for part in _dashes(shape) if shape.dash else [points]:
        cv2.polylines(picture, [part], closed and not shape.dash, [255.0 * shape.stroke], thick, cv2.LINE_AA, _SUB)


def _outline(shape: Shape) -> np.ndarray[Any, Any]:
    points = np.array(shape.points, dtype=np.float64)
    if not shape.radius:
        return points
    turn = np.linspace(0, 2 * np.pi, 49)[:-1]
    return points + shape.radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)


def _fixed(points_mm: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(np.round((points_mm * PX_PER_MM - 0.5) * 2**_SUB), dtype=np.int32).reshape(-1, 1, 2)


def _dashes(shape: Shape) -> list[np.ndarray[Any, Any]]:
    outline = _outline(shape)
    ends = np.vstack([outline, outline[:1]]) if shape.closed else outline
    on, off = shape.dash[0], shape.dash[-1]
    parts = []
    for a, b in zip(ends, ends[1:], strict=False):
        length = float(np.linalg.norm(b - a))
        for start in np.arange(0.0, length, on + off):
            stop = min(start + on, length)
            parts.append(_fixed(np.array([a + (b - a) * start / length, a + (b - a) * stop / length])))
    return parts


def _draw_words(picture: Grey, words: Words) -> None:
    wide = width_of(words.text, size=words.size)
    x = words.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor] * wide
    scale = 0.72 * words.size * PX_PER_MM / _CAP
    (drawn, _), _ = cv2.getTextSize(words.text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    scale *= min(1.0, wide * PX_PER_MM / max(1, drawn))
    at = round(x * PX_PER_MM), round(words.y * PX_PER_MM)
    thick = max(1, round(0.09 * words.size * PX_PER_MM))
    cv2.putText(picture, words.text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, [255.0 * words.grey], thick, cv2.LINE_AA)


SHEETS: dict[str, Callable[[int], Sheet]] = {**{game: draw for game, (draw, _) in MATS.items()}, **BOARDS}
"""Game -> its mat, given its size."""


@lru_cache(maxsize=8)
def printed(expects: str, *, words: bool = True) -> Grey:
    """Return the mat that a ruleset's `expects` names ('blob:8') as pixels; KeyError for another."""
    game, _, size = expects.partition(":")
    return raster(SHEETS[game](int(size or 0)), words=words)
