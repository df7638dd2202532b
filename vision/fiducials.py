"""The tray's four printed markers in a picture: ArUco, DICT_4X4_50, ids 0 to 3."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, area, sides

CELLS = 6
"""A marker is so many cells wide: four, and a black border."""
LEAST_MARKER_PX = 8.0
"""A smaller marker cannot be told from a pattern in the cloth."""
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
    long ones on checked cloths). thorough: False for the first of the three alone.
    """
    grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found: dict[int, Floats] = {}
    if min(grey.shape) >= 2 * LEAST_HALVED_PX:
        size = (grey.shape[1] // 2, grey.shape[0] // 2)
        half = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        for quick in (True, False) if thorough else (True,):
            for number, corners in detect(half, quick=quick).items():
                found.setdefault(number, _subpixel(grey, 2.0 * corners + 0.5))
            if len(found) == 4:
                return found
        if not thorough:
            return found
    return {**detect(grey, quick=False), **found}


def detect(grey: NDArray[np.uint8], *, quick: bool) -> dict[int, Floats]:
    """Return the markers in a grey picture, as `find_markers` does. quick: with one threshold instead of three."""
    corners, ids, _ = _detector(quick).detectMarkers(grey)
    found: dict[int, Floats] = {}
    for corner, number in zip(corners, () if ids is None else np.ravel(ids), strict=True):
        points = np.asarray(corner, dtype=np.float64).reshape(4, 2)
        if int(number) > 3 or sides(points).min() < LEAST_MARKER_PX:
            continue
        if int(number) not in found or area(points) > area(found[int(number)]):
            found[int(number)] = points
    return found


def _subpixel(grey: NDArray[np.uint8], corners: Floats) -> Floats:
    """Return corners moved to where the edges meet, within a few pixels."""
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.03)
    start = corners.astype(np.float32).reshape(-1, 1, 2)
    fine = np.asarray(cv2.cornerSubPix(grey, start.copy(), (3, 3), (-1, -1), until), dtype=np.float64)
    moved_px = np.linalg.norm(fine.reshape(4, 2) - corners, axis=1).max()
    return fine.reshape(4, 2) if moved_px < 3.5 else corners
