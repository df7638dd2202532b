"""Least and most of a picture's colours, pixel by pixel.

Along a last axis of three numpy's own take ten to forty times as long: 50 ms instead of 2.5 for 1440 x 1040 pixels.
"""

from __future__ import annotations

from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.number)


def most(colours: NDArray[Number]) -> NDArray[Number]:
    """Return (...) the largest of three values each, (..., 3)."""
    return np.asarray(np.maximum(np.maximum(colours[..., 0], colours[..., 1]), colours[..., 2]))


def least(colours: NDArray[Number]) -> NDArray[Number]:
    """Return (...) the smallest of three values each, (..., 3)."""
    return np.asarray(np.minimum(np.minimum(colours[..., 0], colours[..., 1]), colours[..., 2]))


def threefold(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (h, w, 3) a grey picture (h, w) with three colours."""
    return np.asarray(cv2.merge((grey, grey, grey)), dtype=np.float32)
