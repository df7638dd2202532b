"""The mean of several frames of one still picture: what noise hides from each of them, it hides from none together."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray.rectify import Image


@dataclass(slots=True)
class Blend:
    """Frames of a fixed camera, added up.

    >>> blend = Blend()
    >>> for level in (10, 20, 60):
    ...     blend.add(np.full((2, 2, 3), level, np.uint8))
    >>> int(blend.mean()[0, 0, 0]), blend.frames
    (30, 3)
    """

    frames: int = 0
    _total: NDArray[np.float32] | None = None

    def add(self, picture_bgr: Image, *, anew: bool = False) -> None:
        """Add a frame, (h, w, 3) uint8; 0.5 ms for 1280 x 960. One of another size begins anew, as does one said to."""
        if self._total is None or self._total.shape != picture_bgr.shape:
            self._total, anew = np.empty(picture_bgr.shape, np.float32), True
        if anew:
            self._total[...], self.frames = picture_bgr, 1
        else:
            cv2.accumulate(picture_bgr, self._total)
            self.frames += 1

    def mean(self) -> Image:
        """Return the mean of all frames so far, (h, w, 3) uint8; raise ValueError while there is none."""
        if self._total is None:
            raise ValueError("there is no frame to take the mean of yet")
        return np.asarray(cv2.convertScaleAbs(self._total, alpha=1.0 / self.frames), dtype=np.uint8)


__all__ = ["Blend"]
