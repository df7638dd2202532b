"""The tray's four printed markers in a picture: ArUco, DICT_4X4_50, ids 0 to 3."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, area, sides
from vision.marker_print import dictionary
from vision.shaded_markers import half_shaded

LEAST_MARKER_PX = 8.0
"""A smaller marker cannot be told from a pattern in the cloth."""
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
    return cv2.aruco.ArucoDetector(dictionary(), parameters)


def find_markers(picture_bgr: NDArray[np.uint8], *, thorough: bool = True) -> dict[int, Floats]:
    """Return the tray's markers (ids 0..3): each (4, 2) corners TL TR BR BL of its black square.

    Sought in the halved picture with one threshold first, then with several, then in the full picture: the
    next only while markers are missing (2 to 8 ms, 5 to 45 ms, 10 to 100 ms on one core for 1280 x 960; the
    long ones on checked cloths). Those that no threshold shows may lie half in a shadow (see `half_shaded`).
    thorough: False for the first of the three alone.
    """
    grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found: dict[int, Floats] = {}
    shaded: dict[int, Floats] = {}
    if min(grey.shape) >= 2 * LEAST_HALVED_PX:
        size = (grey.shape[1] // 2, grey.shape[0] // 2)
        half = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        for quick in (True, False) if thorough else (True,):
            decoded, parted = _detected(half, quick=quick)
            for number, corners in decoded.items():
                found.setdefault(number, _subpixel(grey, 2.0 * corners + 0.5))
            shaded |= {number: _subpixel(grey, 2.0 * corners + 0.5) for number, corners in parted.items()}
            if len(found) == 4:
                return found
        if not thorough:
            return found
    decoded, parted = _detected(grey, quick=False)
    return {**shaded, **parted, **decoded, **found}


def detect(grey: NDArray[np.uint8], *, quick: bool) -> dict[int, Floats]:
    """Return the markers in a grey picture, as `find_markers` does. quick: with one threshold instead of three."""
    decoded, parted = _detected(grey, quick=quick)
    return {**parted, **decoded}


def _detected(grey: NDArray[np.uint8], *, quick: bool) -> tuple[dict[int, Floats], dict[int, Floats]]:
    """Return the markers that can be decoded in a grey picture, and of the others those that a shadow parts."""
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
    shaded = half_shaded(grey, _like_markers(others, min(grey.shape)))
    return found, {number: corners for number, corners in shaded.items() if number not in found}


def _like_markers(quads: Sequence[Any], shorter_px: int) -> Floats:
    """Return (n, 4, 2) the quads whose size and shape may be a marker's. shorter_px: the picture's shorter side."""
    corners = np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2)
    length = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    short, long = length.min(axis=1), length.max(axis=1)
    fit = (short >= LEAST_MARKER_PX) & (long <= LARGEST * shorter_px) & (long < UNEVEN * short)
    return np.asarray(corners[fit], dtype=np.float64)


def _subpixel(grey: NDArray[np.uint8], corners: Floats) -> Floats:
    """Return corners moved to where the edges meet, within a few pixels."""
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.03)
    start = corners.astype(np.float32).reshape(-1, 1, 2)
    fine = np.asarray(cv2.cornerSubPix(grey, start.copy(), (3, 3), (-1, -1), until), dtype=np.float64)
    moved_px = np.linalg.norm(fine.reshape(4, 2) - corners, axis=1).max()
    return fine.reshape(4, 2) if moved_px < 3.5 else corners
