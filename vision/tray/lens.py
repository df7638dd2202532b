"""How much a lens bends the picture, by its markers: equal squares, which a bent picture shows as none.

Over half the picture's longer side, from its middle, what a straight picture shows r away lies at s of the bent one,
with r = s / (1 - k s^2). So has it the division model (Fitzgibbon, "Simultaneous linear estimation of multiple view
geometry and lens distortion", 2001): one number, which is turned round without a loop. k > 0: a barrel, as wide lenses
have it; k < 0: a pincushion.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Quad
from vision.tray.bending import FEWEST, bend_of, farthest, middle_of

LEAST_PULL = 0.03
"""A lens matters that pulls the farthest corner of a marker in, or out, by this share of its way from the middle. Of
222 drawn trays the highest are 0.020, 0.016 and 0.016: their lenses, of 0.5 % or so, and corners that are badly seen.
By their felts' sides 59 without markers have 0.016 at most, and these with k = 0.05 at least 0.047. Of 64 trays that
fill the picture eight are asked about for a lens of 0.05, two without."""
LEAST_ERRORS = 5.0
"""And that is so many standard errors away from none: corners of one marker are wrong in the same way together."""
MOST_BEND = 0.4
"""With more, of either kind, it is no lens for this: a fisheye, or markers that are none of ours."""
STEP = 0.01
"""Bends are rounded to this: pictures of one camera then share their maps. Half of it moves a corner of a tray that
fills the picture by 3 pixels of 640, and all that lies near it as well."""
LARGEST_PX = 2560
"""The straight picture's longer side, at most, where the given one's is no longer: else all of it is made smaller."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens that bends pictures of one size."""

    bend: float
    """k, over half the picture's longer side."""
    picture_wh: tuple[int, int]
    """Width and height of the pictures it takes, in pixels."""

    @property
    def straight_wh(self) -> tuple[int, int]:
        """Return width and height of the straight picture, which holds all that the bent one shows."""
        w, h = self.picture_wh
        times = self._reach() * self._scale()
        return round(w * times), round(h * times)

    def straight(self, points_px: Floats) -> Floats:
        """Return where points (..., 2) of the bent picture lie in the straight one."""
        away = (points_px - middle_of(self.picture_wh)) * (2.0 / max(self.picture_wh))
        away = away / (1.0 - self.bend * (away**2).sum(axis=-1, keepdims=True))
        return np.asarray(away * self._half_px() + middle_of(self.straight_wh))

    def bent(self, points_px: Floats) -> Floats:
        """Return where points (..., 2) of the straight picture lie in the bent one."""
        away = points_px - middle_of(self.straight_wh)
        share = self._pulled((away**2).sum(axis=-1, keepdims=True) / self._half_px() ** 2)
        return np.asarray(away * (share / self._scale()) + middle_of(self.picture_wh))

    def straightened(self, picture_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the straight picture of a bent one (h, w, 3), `straight_wh`; beyond it the colours of its edge."""
        out = cv2.remap(picture_bgr, *_maps(self), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(out, dtype=np.uint8)

    def _pulled(self, far2: Any) -> Any:
        """Return what share of its way from the middle a point of the bent picture has left. far2: that way, squared.

        Beyond what a pincushion shows of the world there is nothing: as at its very edge.
        """
        return 2.0 / (1.0 + np.sqrt(np.maximum(1.0 + 4.0 * self.bend * far2, 0.0)))

    def _reach(self) -> float:
        """Return how much farther from the middle the farthest lies when it is straight."""
        other2 = (min(self.picture_wh) / max(self.picture_wh)) ** 2
        return max(1.0 / (1.0 - self.bend * far2) for far2 in (1.0, other2, 1.0 + other2))

    def _scale(self) -> float:
        """Return pixels of the straight picture in one of the bent one's middle."""
        return min(1.0, max(LARGEST_PX, *self.picture_wh) / (self._reach() * max(self.picture_wh)))

    def _half_px(self) -> float:
        """Return pixels of the straight picture in half the bent one's longer side, in its middle."""
        return self._scale() * max(self.picture_wh) / 2


@lru_cache(maxsize=2)
def _maps(lens: Lens) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return what `cv2.remap` takes to straighten a picture: 6 bytes for each pixel of the straight one."""
    (w, h), (middle_x, middle_y) = lens.straight_wh, middle_of(lens.straight_wh)
    x = np.arange(w, dtype=np.float32) - np.float32(middle_x)
    y = np.arange(h, dtype=np.float32)[:, None] - np.float32(middle_y)
    share = lens._pulled((x**2 + y**2) * np.float32(1 / lens._half_px() ** 2)) / np.float32(lens._scale())
    to_x, to_y = (
        np.float32(middle) + share * away for middle, away in zip(middle_of(lens.picture_wh), (x, y), strict=True)
    )
    near, between = cv2.convertMaps(to_x, to_y, cv2.CV_16SC2)
    return np.asarray(near, dtype=np.int16), np.asarray(between, dtype=np.uint16)


@lru_cache(maxsize=8)
def lens_of(markers: tuple[Quad, ...], picture_wh: tuple[int, int]) -> Lens | None:
    """Return the lens that a picture was taken with; None where it bends too little to matter, or nobody can tell.

    markers: the corners TL TR BR BL of each, in the picture's pixels, wherever on the felt they lie.
    """
    if len(markers) < FEWEST:
        return None
    return lens_that_bends(*bend_of(markers, picture_wh), farthest(markers, picture_wh), picture_wh)


def lens_that_bends(bend: float, error: float, far: float, picture_wh: tuple[int, int]) -> Lens | None:
    """Return the lens with a measured bend, None where it is too little to matter or too unsure. far: of `farthest`."""
    little = abs(bend) * far**2 < LEAST_PULL
    if little or abs(bend) < LEAST_ERRORS * error or abs(bend) > MOST_BEND:
        return None
    return Lens(round(round(bend / STEP) * STEP, 6), picture_wh)


__all__ = ["Lens", "lens_of", "lens_that_bends"]
