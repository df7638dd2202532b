"""Pictures that lie on felt and table: fibres, planks, checks, carpet, linen. All repeat without a seam."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from vision.drawing.look import Bgr
from vision.tray.marker_print import marker_cells

Array = np.ndarray[Any, np.dtype[Any]]


@lru_cache(maxsize=24)
def _waves(seed: int, along_px: float, across_px: float, size: int = 1024) -> Array:
    """Return (size, size) float32 noise of the given grain, mean 0, deviation 1, that repeats without a seam."""
    rng = np.random.default_rng([seed, 77])
    fx, fy = np.fft.rfftfreq(size), np.fft.fftfreq(size)
    shape = np.exp(-0.5 * ((fx[None] * along_px * 3) ** 2 + (fy[:, None] * across_px * 3) ** 2))
    out = np.fft.irfft2(np.fft.rfft2(rng.standard_normal((size, size))) * shape, (size, size))
    return np.asarray((out - out.mean()) / out.std(), np.float32)


def _rolled(noise: Array, rng: np.random.Generator) -> Array:
    return np.roll(noise, tuple(int(v) for v in rng.integers(1024, size=2)), (0, 1))


def _shaded(colour: Bgr, shade: Array) -> Array:
    return np.clip(np.array(colour, np.float32) * shade[..., None], 0, 255).astype(np.uint8)


def felt_picture(colour: Bgr, pile: float, rng: np.random.Generator) -> Array:
    """Return (1024, 1024, 3) uint8 for 400 mm of felt; pile: 0 smooth .. 1 hairy."""
    k = int(rng.integers(3))
    shade = 1 + pile * (0.055 * _rolled(_waves(k, 0.6, 0.6), rng) + 0.06 * _rolled(_waves(k + 3, 2.5, 0.7), rng))
    shade += pile * 0.05 * _rolled(_waves(k + 6, 0.7, 2.2), rng) + 0.03 * _rolled(_waves(9, 40, 40), rng)
    picture = _shaded(colour, shade)
    for _ in range(int(rng.integers(0, 14))):
        at, grey = rng.uniform(0, 1024, 2), float(rng.uniform(60, 210))
        points = at + np.cumsum(rng.normal(0, 4.0, (4, 2)), 0)
        cv2.polylines(picture, [points.astype(np.int32).reshape(-1, 1, 2)], False, (grey, grey, grey), 1, cv2.LINE_AA)
    return picture


def table_picture(kind: str, colour: Bgr, rng: np.random.Generator) -> Array:
    """Return (1024, 1024, 3) uint8 of a table top or cloth; 1024 px are 700 mm or more."""
    if kind == "wood":
        return _planks(colour, rng)
    if kind == "checks":
        return _checks(colour, rng)
    if kind == "carpet":
        cloud = _rolled(_waves(1, 5, 5), rng) + 0.6 * _rolled(_waves(2, 2, 2), rng)
        return _shaded(colour, 1 + rng.uniform(0.08, 0.22) * cloud)
    if kind == "linen":
        weave = _rolled(_waves(3, 14, 0.5), rng) + _rolled(_waves(4, 0.5, 14), rng)
        return _shaded(colour, 1 + 0.05 * weave)
    return _shaded(colour, 1 + 0.012 * _rolled(_waves(5, 0.5, 0.5), rng))


def _planks(colour: Bgr, rng: np.random.Generator) -> Array:
    rows = int(rng.integers(3, 8))
    shade = np.ones((1024, 1024), np.float32)
    contrast = rng.uniform(0.04, 0.13)
    edges = np.linspace(0, 1024, rows + 1).astype(int)
    for top, bottom in zip(edges, edges[1:], strict=False):
        grain = _rolled(_waves(int(rng.integers(3)), 90, 2.0), rng) + 0.7 * _rolled(_waves(6, 220, 9), rng)
        shade[top:bottom] = 1 + contrast * grain[top:bottom] + rng.normal(0, 0.05)
        shade[top : top + 2] *= 0.6
        at = int(rng.integers(1020))
        shade[top:bottom, at : at + 2] *= 0.65
    return _shaded(colour, shade)


def _checks(colour: Bgr, rng: np.random.Generator) -> Array:
    n = int(rng.choice([16, 20, 26, 32]))
    cell = np.add.outer(np.arange(1024) * n // 1024 // 1, np.arange(1024) * n // 1024) % 2
    pale = np.array([200.0, 206, 208], np.float32)
    picture = np.where(cell[..., None] == 1, np.array(colour, np.float32), pale)
    weave = 1 + 0.06 * (_rolled(_waves(3, 6, 0.5), rng) + _rolled(_waves(4, 0.5, 6), rng))
    return np.asarray(np.clip(picture * weave[..., None], 0, 255).astype(np.uint8))


def marker_picture(number: int) -> Array:
    """Return a printed marker with its white edge, (480, 480) uint8: 30 mm of paper, 24 mm of marker."""
    paper = np.full((480, 480), 228, np.uint8)
    paper[48:432, 48:432] = np.where(
        cv2.resize(marker_cells(number), (384, 384), interpolation=cv2.INTER_NEAREST), 228, 24
    )
    return paper
