"""Smooth surfaces through values that change slowly over a picture, and what does not fit them."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

PLAIN_TERMS = 3
"""So many of `smooth_terms` make a level and its slopes."""


def medians(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (c, 1) the median of each of (c, n) rows."""
    return between(rows, 0.5 * (rows.shape[1] - 1))


def between(rows: NDArray[np.float32], place: float) -> NDArray[np.float32]:
    """Return (c, 1) what stands at a place, 0 to n - 1, of each of (c, n) rows in order: between two, their blend."""
    low = int(place)
    high = min(low + 1, rows.shape[1] - 1)
    ordered = np.partition(rows, (low, high), axis=1)
    share = np.float32(place - low)
    return np.asarray(ordered[:, low, None] * (1 - share) + ordered[:, high, None] * share)


@lru_cache(maxsize=4)
def smooth_terms(shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return (6, h w) the terms of a quadratic over the picture: how light changes over a tray."""
    h, w = shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float32).reshape(2, -1) / np.float32(max(h, w))
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y])


def robust_fit(a: NDArray[np.float32], b: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return (c, t) the least squares fit of (c, n) by (t, n), and which of n it was fitted to: outliers are out."""
    keep = np.ones(a.shape[1], dtype=bool)
    fit = np.zeros((len(b), len(a)), dtype=np.float32)
    least = 0.02 * np.ptp(b, axis=1)[:, None] + 1e-3
    for _ in range(5):
        if keep.sum() < 50:
            break
        x, y = a.compress(keep, axis=1), b.compress(keep, axis=1)
        fit = least_squares(x, y)
        off = np.abs(b - fit @ a)
        before, keep = keep, (off < np.maximum(3.7 * medians(off.compress(keep, axis=1)), least)).all(axis=0)
        if np.array_equal(before, keep):
            break
    return fit, keep


def least_squares(x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (c, t) the fit of (c, n) by (t, n) terms of order one."""
    # Normal equations: a call of LAPACK's lstsq costs more than all the rest.
    inner = x @ x.T + np.eye(len(x), dtype=np.float32) * np.float32(1e-3)
    return np.asarray(np.linalg.solve(inner, x @ y.T).T, dtype=np.float32)


def commonest(pairs: NDArray[np.float32], *, near: float) -> NDArray[np.bool_]:
    """Return (n,) which of (2, n) pairs of values lie no further than that from where most of them are."""
    cell = np.clip(np.round(pairs * (2 / near)).astype(np.int64) + 32, 0, 63)
    cells = np.bincount(64 * cell[0] + cell[1], minlength=64 * 64).reshape(64, 64).astype(np.float32)
    peak = np.unravel_index(int(cv2.GaussianBlur(cells, (0, 0), 1.0).argmax()), cells.shape)
    return np.asarray(np.hypot(*(pairs - (np.array(peak)[:, None] - 32) * (near / 2))) < near)


def parting(level: NDArray[np.float32]) -> float:
    """Return the value that parts (n,) values in two groups, each as much of one value as can be (Otsu 1979)."""
    ordered = np.sort(level)
    low = np.arange(1, len(ordered), dtype=np.float64)
    below = np.cumsum(ordered, dtype=np.float64)[:-1]
    gap = below / low - (float(ordered.sum()) - below) / (len(ordered) - low)
    return float(ordered[int((low * (len(ordered) - low) * gap**2).argmax())])
