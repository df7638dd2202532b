"""What has four sides, as a tray has: quadrilaterals that outlines nearly are."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, area, line_through, sides, turns, where_sides_meet

ASPECT_SLACK = 0.22
"""Relative; perspective at 18 degrees of tilt changes the proportions by about a tenth."""
MOST_SKEW = 0.4
"""Of the longer of two opposite sides over the other, less one."""
MUCH = 2.0
"""A shape so many times further from a tray's is none once its sides are fitted, either."""


def four_sided(mask: NDArray[np.uint8], aspect: float) -> Floats | None:
    """Return (4, 2) TL TR BR BL of the quadrilateral that the mask's hull nearly is; None for other shapes.

    And for those much too long or too skew for a tray; aspect: of `find_felt`.
    """
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hull = cv2.convexHull(np.concatenate(contours))
    rough = _longest_sides(hull)
    if rough is None:
        return None
    rough = _clockwise_from_top_left(rough)
    if max(beside_shape(rough, aspect)) > MUCH:
        return None
    corners = _fit_sides(rough, hull.reshape(-1, 2).astype(np.float64))
    if (turns(corners) <= 0).any():
        return None
    overlap = cv2.contourArea(hull) / max(area(corners), 1.0)
    return corners if 0.85 < overlap < 1.12 else None


def beside_shape(corners: Floats, aspect: float) -> tuple[float, float]:
    """Return how far from a tray's aspect a quadrilateral is, and how unlike its opposite sides are: 1 is the most."""
    length = np.maximum(sides(corners), 1e-9)
    wide = (length[0] + length[2]) / (length[1] + length[3])
    skew = max(length[0] / length[2], length[2] / length[0], length[1] / length[3], length[3] / length[1])
    return abs(float(np.log(wide / aspect))) / ASPECT_SLACK, float(skew - 1.0) / MOST_SKEW


def _longest_sides(hull: NDArray[Any]) -> Floats | None:
    """Return where the four longest sides of a hull meet: a corner cut off by glare or a sleeve does not count."""
    length = cv2.arcLength(hull, True)
    points = cv2.approxPolyDP(hull, 0.012 * length, True).reshape(-1, 2).astype(np.float64)
    if len(points) < 4:
        return None
    chosen = np.sort(np.argsort(-sides(points), kind="stable")[:4])
    along = np.roll(points, -1, axis=0) - points
    lines = [(points[k], along[k]) for k in chosen]
    corners = where_sides_meet(lines)
    slack = 0.15 * length
    low, high = points.min(axis=0) - slack, points.max(axis=0) + slack
    inside = bool((corners > low).all() and (corners < high).all())
    return corners if inside and np.isfinite(corners).all() else None


def _fit_sides(corners: Floats, hull: Floats) -> Floats:
    """Return corners after each side was laid through the middle of the hull's edge along it."""
    lines, dense = [], _densify(hull)
    for k in range(4):
        a, b = corners[k], corners[(k + 1) % 4]
        direction = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
        normal = np.array([-direction[1], direction[0]])
        t, off = (dense - a) @ direction, (dense - a) @ normal
        near = (np.abs(off) < 4.0) & (t > 0.1 * np.linalg.norm(b - a)) & (t < 0.9 * np.linalg.norm(b - a))
        lines.append(line_through(dense[near]) if near.sum() >= 6 else (a, direction))
    return where_sides_meet(lines)


def _densify(hull: Floats) -> Floats:
    """Return points along a polygon (n, 2), a pixel apart, with both ends of each side."""
    along = np.roll(hull, -1, 0) - hull
    count = np.maximum(2, np.hypot(along[:, 0], along[:, 1]).astype(np.int64))
    first = np.repeat(np.cumsum(count) - count, count)
    t = (np.arange(len(first)) - first) * np.repeat(1.0 / (count - 1), count)
    t[np.cumsum(count) - 1] = 1.0
    return np.asarray(np.repeat(hull, count, 0) + np.repeat(along, count, 0) * t[:, None])


def _clockwise_from_top_left(corners: Floats) -> Floats:
    """Return corners TL TR BR BL, for a tray that lies upright within 45 degrees."""
    centre = corners.mean(axis=0)
    angle = np.arctan2(corners[:, 1] - centre[1], corners[:, 0] - centre[0])
    ordered = corners[np.argsort(angle)]
    start = int(np.argmin(ordered.sum(axis=1)))
    return np.asarray(np.roll(ordered, -start, axis=0))


__all__ = ["MOST_SKEW", "beside_shape", "four_sided"]
