"""The tray's four printed markers in a picture: ArUco, DICT_4X4_50, ids 0 to 3."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, area, homography4, inverse, sides, transform

CELLS = 6
"""A marker is so many cells wide: four, and a black border."""
LEAST_MARKER_PX = 8.0
"""A smaller marker cannot be told from a pattern in the cloth."""
CELL_PX = 12
"""To a side of a cell, where a marker is looked at cell by cell."""
PAPER_PX = (0, 5, 6, 7, 8, 9, 10)
"""So many of them may be the paper's edge: 0 to 14 % of its width on each side."""
AROUND_PX, PAPER = 8, 0.35
"""What is looked at around a square, and how far from a marker's sides its paper is asked, over a cell."""
FAINT = 8.0
"""Grey values below which nothing is told from nothing."""
LEAST_STEP = 0.2
"""Between white and the black beside it, in the logarithm of their grey values."""
STEEP = 0.6
"""Between cells of one colour only a shadow's edge is steeper than this."""
NEARLY_ALL = 0.95
"""Share of such neighbours of a marker that must be so; each that is the wrong way round counts twice."""
MOSTLY = 0.6
"""Share of its neighbours of one colour that are alike: the others lie on both sides of the shadow's edge."""
LARGEST, UNEVEN = 1 / 6, 1.6
"""Longest side of a shaded marker, over the picture's shorter side, and over its own shortest."""
LEAST_HALVED_PX = 400
"""Pictures whose shorter side is below twice this are searched whole at once."""


@cache
def _detector(quick: bool) -> Any:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    parameters.adaptiveThreshWinSizeMin = 13 if quick else 5
    parameters.adaptiveThreshWinSizeMax = 13 if quick else 29
    parameters.adaptiveThreshWinSizeStep = 12
    parameters.minMarkerPerimeterRate = 0.045
    # Cells are read in their middles: in a small marker the edges of its neighbours blur into each.
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.25
    # Half a bit may be wrong in a marker that glare touches; four ids in four corners are check enough.
    parameters.errorCorrectionRate = 0.6
    return cv2.aruco.ArucoDetector(_dictionary(), parameters)


def _dictionary() -> Any:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def marker_cells(number: int) -> NDArray[np.uint8]:
    """Return a marker with its black border, (6, 6) uint8 of 0 and 255."""
    return np.asarray(cv2.aruco.generateImageMarker(_dictionary(), number, CELLS), dtype=np.uint8)


def find_markers(picture_bgr: NDArray[np.uint8], *, thorough: bool = True) -> dict[int, Floats]:
    """Return the tray's markers (ids 0..3): each (4, 2) corners TL TR BR BL of its black square.

    Sought in the halved picture with one threshold first, then with several, then in the full picture: the
    next only while markers are missing (2 to 8 ms, 5 to 45 ms, 10 to 100 ms on one core for 1280 x 960; the
    long ones on checked cloths). What is missing then may be in a shadow for one half (see `half_shaded`). thorough:
    False for the first of the three alone.
    """
    grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found: dict[int, Floats] = {}
    shaded: dict[int, Floats] = {}
    if min(grey.shape) >= 2 * LEAST_HALVED_PX:
        size = (grey.shape[1] // 2, grey.shape[0] // 2)
        half = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        for quick in (True, False) if thorough else (True,):
            whole, doubtful = _detected(half, quick=quick)
            for number, corners in whole.items():
                found.setdefault(number, _subpixel(grey, 2.0 * corners + 0.5))
            shaded |= {number: _subpixel(grey, 2.0 * corners + 0.5) for number, corners in doubtful.items()}
            if len(found) == 4:
                return found
        if not thorough:
            return found
    whole, doubtful = _detected(grey, quick=False)
    return {**shaded, **doubtful, **whole, **found}


def detect(grey: NDArray[np.uint8], *, quick: bool) -> dict[int, Floats]:
    """Return the markers in a grey picture, as `find_markers` does. quick: with one threshold instead of three."""
    whole, shaded = _detected(grey, quick=quick)
    return {**shaded, **whole}


def _detected(grey: NDArray[np.uint8], *, quick: bool) -> tuple[dict[int, Floats], dict[int, Floats]]:
    """Return the markers in a grey picture, and of the missing ones those that a shadow parts."""
    corners, ids, others = _detector(quick).detectMarkers(grey)
    found: dict[int, Floats] = {}
    for corner, number in zip(corners, () if ids is None else np.ravel(ids), strict=True):
        points = np.asarray(corner, dtype=np.float64).reshape(4, 2)
        if int(number) > 3 or sides(points).min() < LEAST_MARKER_PX:
            continue
        if int(number) not in found or area(points) > area(found[int(number)]):
            found[int(number)] = points
    if len(found) == 4 or len(others) == 0:
        return found, {}
    quads = np.asarray(others, dtype=np.float64).reshape(-1, 4, 2)
    length = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    short, long = length.min(axis=1), length.max(axis=1)
    fit = (short >= LEAST_MARKER_PX) & (long <= LARGEST * min(grey.shape)) & (long < UNEVEN * short)
    told = (half_shaded(grey, quad) for quad in quads[fit])
    return found, {one[0]: one[1] for one in told if one is not None and one[0] not in found}


def half_shaded(grey: NDArray[np.uint8], quad: Floats) -> tuple[int, Floats] | None:
    """Return the number and corners of a marker across which a shadow falls, or that shines; None for anything else.

    quad: (4, 2) px clockwise, the marker's black square or the paper around it. White in a rim's hard shadow is darker
    than half the light on the rest, so no one threshold tells it from black; but white is brighter than the black
    beside it nearly everywhere.
    """
    to = homography4(quad, AROUND_PX + CELLS * CELL_PX * np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5)
    flat = cv2.blur(cv2.warpPerspective(grey, to, (CELLS * CELL_PX + 2 * AROUND_PX,) * 2), (5, 5))
    clear, which = _told(flat)
    best = int(clear.argmax())
    if clear[best] <= 0.0:
        return None
    low, high = AROUND_PX + PAPER_PX[best] - 0.5, AROUND_PX + CELLS * CELL_PX - PAPER_PX[best] - 0.5
    square = np.array([[low, low], [high, low], [high, high], [low, high]])
    return int(which[best]) // 4, np.roll(transform(square, inverse(to)), int(which[best]) % 4, 0)


def _told(flat: NDArray[Any]) -> tuple[Floats, NDArray[np.int64]]:
    """Return (m,) how clearly a marker lies within each of PAPER_PX pixels of a square's sides, 0 where none does, and

    (m,) which: four times its number, and how many quarters it is turned counter-clockwise.
    """
    edge = np.array(PAPER_PX, np.float64)[:, None]
    cells = np.array([-PAPER, *np.arange(0.5, CELLS), CELLS + PAPER])
    at = (AROUND_PX + edge + (CELL_PX - 2 * edge / CELLS) * cells - 0.5).astype(np.float32)
    x, y = (np.broadcast_to(v, (*at.shape, len(cells))).reshape(-1, 1) for v in (at[:, None, :], at[:, :, None]))
    light = cv2.remap(flat, x, y, cv2.INTER_LINEAR).astype(np.float64).reshape(len(at), -1) + FAINT
    first, second, expected = _neighbours()
    step = np.log(light[:, first] / light[:, second])
    seen = np.where(np.abs(step) > LEAST_STEP, np.sign(step), 0.0)
    agree = seen @ expected.T / np.abs(expected).sum(axis=1)
    which = agree.argmax(axis=1)
    one_colour = expected[which] == 0
    alike = ((np.abs(step) < STEEP) & one_colour).sum(axis=1) / one_colour.sum(axis=1)
    good = (agree.max(axis=1) >= NEARLY_ALL) & (alike >= MOSTLY)
    return np.where(good, (expected[which] * step).sum(axis=1), 0.0), which


@cache
def _neighbours() -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Return the pairs of cells side by side, and for markers 0 to 3, each as turned by 0 to 3 quarters, (16, n):

    1 where the first of a pair is white and the second black, -1 the other way, 0 where they are alike. The paper
    around a marker counts as cells of it.
    """
    at = np.arange((CELLS + 2) ** 2).reshape(CELLS + 2, CELLS + 2)
    first = np.concatenate([at[:, :-1].ravel(), at[:-1].ravel()])
    second = np.concatenate([at[:, 1:].ravel(), at[1:].ravel()])
    papers = [np.pad(marker_cells(number), 1, constant_values=255) / 255.0 for number in range(4)]
    turned = [np.rot90(paper, turn).ravel() for paper in papers for turn in range(4)]
    return first, second, np.array([cells[first] - cells[second] for cells in turned])


def _subpixel(grey: NDArray[np.uint8], corners: Floats) -> Floats:
    """Return corners moved to where the edges meet, within a few pixels."""
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.03)
    start = corners.astype(np.float32).reshape(-1, 1, 2)
    fine = np.asarray(cv2.cornerSubPix(grey, start.copy(), (3, 3), (-1, -1), until), dtype=np.float64)
    moved_px = np.linalg.norm(fine.reshape(4, 2) - corners, axis=1).max()
    return fine.reshape(4, 2) if moved_px < 3.5 else corners
