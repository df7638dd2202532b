"""What is printed in the tray's corners: ArUco, DICT_4X4_50, ids 0 to 3; and its place in a picture beside it."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, homography4, inverse, rectangle

CELLS = 6
"""A marker is so many cells wide: four, and a black border."""


@cache
def dictionary() -> Any:
    """Return the markers that the detector knows."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def marker_cells(number: int) -> NDArray[np.uint8]:
    """Return a marker with its black border, (6, 6) uint8 of 0 and 255."""
    return np.asarray(cv2.aruco.generateImageMarker(dictionary(), number, CELLS), dtype=np.uint8)


def printed(number: int, *, cell_px: int, white_px: int) -> NDArray[np.uint8]:
    """Return a marker as it is printed, upright, with so much of the white around it."""
    whole = np.kron(marker_cells(number), np.ones((cell_px, cell_px), np.uint8))
    return np.pad(whole, white_px, constant_values=255)


def straightened(
    picture: NDArray[np.uint8], corners_px: Floats, *, cell_px: int, around_px: int
) -> tuple[NDArray[np.uint8], Floats]:
    """Return a marker's place upright, `cell_px` a cell, with so much around it; and (3, 3) how that maps back.

    picture: grey or in colours; corners_px: (4, 2) TL TR BR BL of the black square there.
    """
    wide = CELLS * cell_px
    warp = homography4(corners_px, rectangle((wide, wide)) + around_px - 0.5)
    size = (wide + 2 * around_px, wide + 2 * around_px)
    window = cv2.warpPerspective(picture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(window, dtype=np.uint8), inverse(warp)


def best_place(window: NDArray[Any], pattern: NDArray[Any]) -> tuple[float, tuple[int, int]]:
    """Return how much a window looks like a smaller pattern where it does so most, -1 to 1, and x and y of that."""
    _, score, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(window, pattern, cv2.TM_CCOEFF_NORMED))
    return float(score), (int(x), int(y))


__all__ = ["CELLS", "best_place", "dictionary", "marker_cells", "printed", "straightened"]
