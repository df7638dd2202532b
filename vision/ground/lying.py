"""What may lie on a felt that is known: all that is unlike it, and what that encloses."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools, Floats, scaled

PER_MM = 1.0
"""Pixels per millimetre in which felts are kept and compared."""
JOINED_MM, AROUND_MM, HOLE_MM2, GRAIN_MM2 = 6.0, 1.0, 1600.0, 6.0
"""What is unlike is one thing across the first, reaches the second further, and encloses holes no larger than the
third, as the edges of a tile do. What is smaller than the last is the weave, in other light."""
WIDE_MM, ACROSS_MM, SPECK_MM2 = 16.0, 26.0, 14.0
"""Where a print is as wide as the first all over, a piece of its colour may lie within: there what is unlike is one
thing across the second, as wide as a tile. What is smaller than the third is no number and no edge, but the weave."""
INNER, OUTER = (0.9, 0.75), (1.3, 0.9)
"""A print is seen within a piece's outline, times the first, where at least the second share of that is free: in the
middle of it, or all around it."""
TOLD, SAME = 0.06, 0.8
"""A print is told that differs by the first, as a natural logarithm and one sigma; it is seen again where both pictures
correlate by the second."""


def things_in(unlike: Bools, printed: Bools) -> Bools:
    """Return (h, w) where something may lie: what is unlike the bare felt, what that encloses, and close around it.

    printed: (h, w) where something is printed.
    """
    seen, wide = _opened(unlike, np.ones((2, 2), np.uint8)), _opened(printed, disc(WIDE_MM / 2))
    mask = _joined(_without_specks(seen, GRAIN_MM2), JOINED_MM)
    if wide.any() and (seen & wide).any():
        mask |= _joined(_without_specks(seen, SPECK_MM2), ACROSS_MM) & wide
    edges, levels = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for edge, level in zip(edges, levels[0] if edges else (), strict=True):
        if level[3] >= 0 and cv2.contourArea(edge) < HOLE_MM2 * PER_MM**2:
            cv2.drawContours(mask, [edge], 0, 1, cv2.FILLED)
    return np.asarray(cv2.dilate(mask, disc(AROUND_MM)) > 0)


def _opened(mask: Bools, by: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, by), np.uint8)


def _without_specks(mask: NDArray[np.uint8], least_mm2: float) -> NDArray[np.uint8]:
    """Return a mask (h, w) without what is smaller than that."""
    _, labels = cv2.connectedComponents(mask, connectivity=8)
    large = np.bincount(labels.ravel()) >= least_mm2 * PER_MM**2
    large[0] = False
    return np.asarray(large.astype(np.uint8)[labels])


def _joined(mask: NDArray[np.uint8], across_mm: float) -> NDArray[np.uint8]:
    """Return a mask (h, w) with gaps filled that are no wider than that."""
    px = round(across_mm * PER_MM)
    closed = cv2.morphologyEx(np.pad(mask, px), cv2.MORPH_CLOSE, disc(across_mm / 2))
    return np.ascontiguousarray(closed[px:-px, px:-px])


def shows_the_same(before: NDArray[np.float32], now: NDArray[np.float32], where: Bools, outline_mm: Floats) -> bool:
    """Return whether a later picture shows what an earlier one does within an outline (4, 2), and that is something.

    where: (h, w) the pixels that count.
    """
    return any(_alike(before, now, where, outline_mm, by, least) for by, least in (INNER, OUTER))


def _alike(
    before: NDArray[np.float32],
    now: NDArray[np.float32],
    where: Bools,
    outline_mm: Floats,
    by: float,
    least: float,
) -> bool:
    """Return the same for an outline so many times as large, of which at least a share must count."""
    within = np.zeros(before.shape, np.uint8)
    cv2.fillConvexPoly(within, np.round(scaled(outline_mm[None], by)[0] * PER_MM - 0.5).astype(np.int32), 1)
    counts = (within > 0) & where
    old, new = before[counts], now[counts]
    if len(old) <= least * np.count_nonzero(within) or old.std() < TOLD or new.std() == 0.0:
        return False
    return float(np.corrcoef(old, new)[0, 1]) > SAME


def disc(radius_mm: float) -> NDArray[np.uint8]:
    """Return a disc of a radius, 1 within, for morphology at PER_MM."""
    side = 2 * round(radius_mm * PER_MM) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


__all__ = ["AROUND_MM", "PER_MM", "disc", "shows_the_same", "things_in"]
