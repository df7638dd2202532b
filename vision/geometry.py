"""Plane geometry that several stages share: homographies, quadrilaterals, turns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.reading import Point

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Quad = tuple[Point, Point, Point, Point]
Line = tuple[Floats, Floats]
"""A point of it and its way, (2,) each."""
SQUARE: Floats = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
"""(4, 2) TL TR BR BL of the square from -1 to 1, y down. Not to be changed in place."""
SQUARE.flags.writeable = False


@cache
def pixel_grid(size: int) -> Floats:
    """Return (2, size, size) x and y of each pixel of a square crop. Not to be changed in place."""
    y, x = np.mgrid[0:size, 0:size]
    out = np.array([x, y], dtype=np.float64)
    out.flags.writeable = False
    return out


def pixels_away(size: int, at: Floats) -> Floats:
    """Return (size, size) how far each pixel of a square crop is from a place (2,), x and y, in pixels."""
    return np.asarray(np.hypot(*(pixel_grid(size) - at[:, None, None])))


def runs(on: Bools) -> Ints:
    """Return (k, 2) where each run of True in (n,) begins, and the place after its end."""
    steps = np.diff(np.concatenate([[False], on, [False]]).astype(np.int8))
    return np.asarray(np.flatnonzero(steps).reshape(-1, 2))


def transform(points: ArrayLike, matrix: Floats) -> Floats:
    """Return points carried through a (3, 3) homography, in the shape they came in: (..., 2); one alone as (1, 2)."""
    given = np.atleast_2d(np.asarray(points, dtype=np.float64))
    p = given.reshape(-1, 2)
    q = np.column_stack([p, np.ones(len(p))]) @ matrix.T
    w = np.where(np.abs(q[:, 2:]) < 1e-12, 1e-12, q[:, 2:])
    return np.asarray((q[:, :2] / w).reshape(given.shape if given.shape[-1] == 2 else (-1, 2)), dtype=np.float64)


def inverse(matrix: Floats) -> Floats:
    """Return the inverse of a (3, 3) homography; raise numpy.linalg.LinAlgError where there is none."""
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def homography(source: Floats, target: Floats) -> Floats | None:
    """Return the (3, 3) least squares homography of (n >= 4, 2) onto (n, 2); None where it is degenerate."""
    h, _ = cv2.findHomography(source, target, 0)
    if h is None or not np.isfinite(h).all() or abs(h[2, 2]) < 1e-12:
        return None
    return np.asarray(h / h[2, 2], dtype=np.float64)


def homography4(source: Floats, target: Floats) -> Floats:
    """Return the (3, 3) homography of four points onto four points."""
    h = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    return np.asarray(h, dtype=np.float64)


def turns(corners: Floats) -> Floats:
    """Return (n,) cross products of following sides: all positive where corners go clockwise and convex."""
    a = np.roll(corners, -1, 0) - corners
    b = np.roll(corners, -2, 0) - np.roll(corners, -1, 0)
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def sides(corners: Floats) -> Floats:
    """Return (n,) lengths of the sides, the first from corner 0 to corner 1."""
    return np.asarray(np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1))


def widths(quads: Floats) -> Floats:
    """Return (n,) lengths of the upper edges of quadrilaterals (n, 4, 2), TL TR BR BL."""
    return np.asarray(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1))


def nearest(points: NDArray[Any], others: NDArray[Any]) -> Floats:
    """Return (n,) how far each of points (n, 2) lies from the nearest of others (k, 2), of which there must be one."""
    return np.asarray(np.linalg.norm(points[:, None] - others, axis=2).min(axis=1), dtype=np.float64)


def area(corners: Floats) -> float:
    """Return the area of a polygon."""
    return abs(float(cv2.contourArea(corners.astype(np.float32))))


def overlap(first: Floats, second: Floats) -> float:
    """Return the area that two convex polygons share, over that of the smaller one."""
    a, b = first.astype(np.float32), second.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(a, b)
    return float(shared) / max(min(cv2.contourArea(a), cv2.contourArea(b)), 1e-6)


def scaled(quads: Floats, by: float) -> Floats:
    """Return quadrilaterals (..., 4, 2) so many times as large, around their middles."""
    middle = quads.mean(axis=-2, keepdims=True)
    return np.asarray(middle + by * (quads - middle))


def across_and_down(u: Floats, v: Floats) -> Floats:
    """Return (..., 4) the weights of a quadrilateral's corners TL TR BR BL in points so far across and down it, 0..1.

    As for a flat one: what perspective does to so small a piece as a marker or a die is less than a tenth of a pixel.
    """
    return np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=-1)


def quad(points: Floats) -> Quad:
    """Return (4, 2) points as four pairs of plain numbers."""
    a, b, c, d = np.asarray(points, dtype=np.float64).reshape(4, 2).tolist()
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])


def rectangle(size: tuple[float, float]) -> Floats:
    """Return (4, 2) TL TR BR BL of a rectangle of (width, height) with its top left corner at the origin."""
    w, h = size
    return np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]])


def upright_around(points: ArrayLike) -> Floats:
    """Return (4, 2) TL TR BR BL of the upright rectangle around points (n, 2)."""
    given = np.asarray(points, dtype=np.float64)
    (left, top), (right, bottom) = given.min(axis=0), given.max(axis=0)
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def median(values: NDArray[Any]) -> NDArray[Any]:
    """Return the median along the first axis, of at least one row: as numpy's, at a fraction of its overhead."""
    ordered, n = np.sort(values, axis=0), len(values)
    return np.asarray(ordered[n // 2] if n % 2 else (ordered[n // 2 - 1] + ordered[n // 2]) / 2)


def line_through(points: Floats) -> Line:
    """Return the line that lies nearest to points (n, 2), n >= 2; those far from most of them count for less."""
    vx, vy, x, y = (float(v) for v in np.ravel(cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)))
    return np.array([x, y]), np.array([vx, vy])


def where_sides_meet(lines: Sequence[Line]) -> Floats:
    """Return (n, 2) the corners of a shape by the lines of its n sides: corner k is where side k begins."""
    return np.array([_cross(lines[k - 1], lines[k]) for k in range(len(lines))])


def _cross(one: Line, other: Line) -> Floats:
    """Return where two lines cross; of parallel ones the middle between their points."""
    (p, d), (q, e) = one, other
    bottom = d[0] * e[1] - d[1] * e[0]
    if abs(bottom) < 1e-6:
        return np.asarray((p + q) / 2)
    t = ((q[0] - p[0]) * e[1] - (q[1] - p[1]) * e[0]) / bottom
    return np.asarray(p + t * d)
