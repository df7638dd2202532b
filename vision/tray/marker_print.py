"""What is printed in the tray's corners: ArUco, DICT_4X4_50, ids 0 to 3."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

CELLS = 6
"""A marker is so many cells wide: four, and a black border."""


@cache
def dictionary() -> Any:
    """Return the markers that the detector knows."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def marker_cells(number: int) -> NDArray[np.uint8]:
    """Return a marker with its black border, (6, 6) uint8 of 0 and 255."""
    return np.asarray(cv2.aruco.generateImageMarker(dictionary(), number, CELLS), dtype=np.uint8)


__all__ = ["CELLS", "dictionary", "marker_cells"]
