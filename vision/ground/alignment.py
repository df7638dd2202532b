"""Where exactly a print lies in a later picture: a tray is found to a millimetre or, by its edge, to some."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, rectangle, transform

Picture = NDArray[np.float32]
Way = Floats
"""(3, 3) from pixels of the earlier picture to those of the later one."""
SIGMAS_PX, STEPS, STILL_PX = (3.0, 1.2), 20, 0.02
"""Pictures are smoothed so much, one after the other; after so many steps, or where one moves nothing by more, it is
enough."""
LEAST_POINTS, MOST_POINTS = 200, 1500
"""Of so many places with an edge a way is followed; of fewer than the first none is."""
HELD = (1e-3,) * 6 + (1e-1,) * 2
"""What nothing in the picture tells, tilt above all, stays as it is."""
BRIGHT_EDGES = 95
"""Edges with more contrast than this share of them, in percent, count no more."""


def alignment(before: Picture, now: Picture, near: NDArray[np.uint8], *, furthest_px: int, turned: bool = False) -> Way:
    """Return where a later picture shows each pixel of an earlier one, as far as both show the same.

    before, now: (h, w) float32 logarithms of brightness. near: (h, w) 1 where there is something to be known by, and
    nothing lies on it. furthest_px: how far it lies elsewhere at most. turned: whether the later one may stand on its
    head. From as it is, and from the shift in which edges meet best, a way is followed step by step (Lucas and Kanade,
    IJCAI 1981, with all of a homography), and the best of all is taken.
    """
    h, w = near.shape
    heads = [np.eye(3)]
    if turned:
        heads.append(np.array([[-1, 0, w - 1], [0, -1, h - 1], [0, 0, 1]], np.float64))
    starts = [start for head in heads for start in _starts(before, now, near, head, furthest_px)]
    ways = [way for start in starts for way in _followed(before, now, near, start, 2.0 * furthest_px)]
    return max(ways, key=lambda way: _alike(before, aligned(now, way), near))


def aligned(picture: NDArray[Any], way: Way) -> NDArray[Any]:
    """Return a later picture as it would be, if each pixel lay where the earlier one has it."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = picture.shape[1::-1]
    return np.asarray(cv2.warpPerspective(picture, way, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _starts(before: Picture, now: Picture, near: NDArray[np.uint8], head: Way, furthest_px: int) -> list[Way]:
    """Return a way, and that by the shift in which edges meet best, if there is one."""
    shift = _shift(before, aligned(now, head), near, furthest_px)
    return [head] if np.array_equal(shift, np.eye(3)) else [head, head @ shift]


def _shift(before: Picture, now: Picture, near: NDArray[np.uint8], most: int) -> Way:
    """Return the way by as many whole pixels to the right and down as edges lie elsewhere."""
    old, new = (_edges(picture, near) for picture in (before, now))
    room = cv2.copyMakeBorder(new, most, most, most, most, cv2.BORDER_CONSTANT, value=0)
    fits = cv2.matchTemplate(room, old * near, cv2.TM_CCORR)
    row, column = np.unravel_index(int(fits.argmax()), fits.shape)
    return np.array([[1, 0, column - most], [0, 1, row - most], [0, 0, 1]], np.float64)


def _slopes(picture: Picture) -> tuple[Picture, Picture]:
    """Return how a picture (h, w) changes to the right and down, as Scharr's kernel has it: 32 times a pixel's step."""
    right, down = (cv2.Scharr(picture, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
    return np.asarray(right, np.float32), np.asarray(down, np.float32)


def _smooth(picture: Picture, sigma_px: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.float32)


def _edges(picture: NDArray[Any], near: NDArray[np.uint8]) -> NDArray[np.float32]:
    steep = cv2.magnitude(*_slopes(picture))
    return np.asarray(np.minimum(steep, np.percentile(steep[near > 0], BRIGHT_EDGES)), np.float32)


def _followed(before: Picture, now: Picture, near: NDArray[np.uint8], way: Way, far_px: float) -> list[Way]:
    """Return a way, and what it becomes step by step, as long as no corner of the picture goes too far."""
    found, corners = [way], rectangle((near.shape[1], near.shape[0]))
    begun = transform(corners, way)
    for sigma_px in SIGMAS_PX:
        old, new = (_smooth(picture, sigma_px) for picture in (before, now))
        at, new_and_slopes = _edge_points(old, near), np.dstack([new, *_slopes(new)])
        if len(at) < LEAST_POINTS:
            break
        due, size = _at(old, at)[0], float(max(near.shape))
        for _ in range(STEPS):
            way, moved = _step(due, new_and_slopes, at, way, size)
            if moved < STILL_PX:
                break
        if np.hypot(*(transform(corners, way) - begun).T).max() > far_px:
            break
        found.append(way)
    return found


def _edge_points(picture: Picture, near: NDArray[np.uint8]) -> Floats:
    """Return (n, 2) places x, y with the most contrast where `near` is 1, evenly thinned to at most MOST_POINTS."""
    steep = cv2.magnitude(*_slopes(picture))
    if not near.any():
        return np.zeros((0, 2))
    row, column = np.nonzero((near > 0) & (steep > np.percentile(steep[near > 0], 50)))
    step = max(1, len(row) // MOST_POINTS)
    return np.stack([column, row], axis=1)[::step].astype(np.float64)


def _step(due: Floats, new: Picture, at: Floats, way: Way, size: float) -> tuple[Way, float]:
    """Return a better way, and how far the farthest of places (n, 2) moved: one step of Gauss and Newton.

    due: (n,) what the earlier picture shows there. new: (h, w, 3) the later one and its slopes. size: of either, px, so
    that all is of one order. What differs more than most does, as where a piece lies, says little (Huber 1964).
    """
    to = transform(at, way)
    seen, right, down = _at(new, to)
    off = seen - seen.mean() - np.cov(due, seen)[0, 1] / max(1e-9, due.var(ddof=1)) * (due - due.mean())
    weight = 1.0 / np.maximum(1.0, np.abs(off) / (1.5 * np.median(np.abs(off)) + 1e-6))
    x, y = to.T / size
    gx, gy = right * size / 32.0, down * size / 32.0
    turn = -(gx * x + gy * y)
    slopes = np.stack([gx * x, gx * y, gx, gy * x, gy * y, gy, turn * x, turn * y], axis=1)
    inner = (slopes * weight[:, None]).T @ slopes + np.diag(HELD)
    a, b, c, d, e, f, g, h = np.linalg.solve(inner, -(slopes * weight[:, None]).T @ off)
    more = np.array([[1 + a, b, c * size], [d, 1 + e, f * size], [g / size, h / size, 1.0]])
    better = np.asarray(more @ way)
    return better, float(np.hypot(*(transform(at, better) - to).T).max())


def _at(picture: Picture, places: Floats) -> Floats:
    """Return (c, n) what a picture (h, w) or (h, w, c) shows at places (n, 2), between pixels."""
    x, y = (np.ascontiguousarray(v, np.float32).reshape(1, -1) for v in places.T)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float64).reshape(len(places), -1).T


def _alike(before: Picture, now: Picture, near: NDArray[np.uint8]) -> float:
    """Return the correlation of two pictures where `near` is 1; -1 where one of them is of one brightness."""
    old, new = before[near > 0], now[near > 0]
    spread = float(old.std() * new.std())
    return float(((old - old.mean()) * (new - new.mean())).mean()) / spread if spread > 0 else -1.0


__all__ = ["alignment", "aligned"]
