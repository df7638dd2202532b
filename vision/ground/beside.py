"""Felt that no light explains by itself, but looks as the felt beside it does: around a piece in a lamp's glare."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools
from vision.ground.felt_light import LIFT, weight_of

REACH_CELLS, ENOUGH = 15, 0.05
"""Felt beside a place is what lies in a square so wide around it, if it is this share of all that lies there."""
ALIKE = 0.1
"""By less than this, a natural logarithm, a place differs from it in the colour that differs most. Of 1,580 trays by
three programs seven more are read so, around whose pieces light lay; of 848 pictures with something strange beside
pieces none is read otherwise."""
LIGHT = np.log(np.arange(256, dtype=np.float32) + np.float32(LIFT))
"""Of each grey value, as colours are compared."""


def as_beside(bgr: NDArray[np.uint8], strange: Bools, free: Bools) -> Bools:
    """Return (h, w) which strange cells look as the felt beside them does, around pieces and at the rim.

    bgr: (h, w, 3) what is seen; strange: (h, w) cells that seem to be no felt; free: (h, w) where felt is expected, and
    no piece was found. What is strange there alone is left as it is: it may be a piece that nobody found, of which
    so little is seen that its edges count.
    """
    known = (free & ~strange).astype(np.float32)
    share = cv2.blur(known, (REACH_CELLS, REACH_CELLS))
    at = np.flatnonzero(_reaching(strange, ~free) & (share > ENOUGH))
    if len(at) == 0:
        return np.zeros(strange.shape, dtype=bool)
    light = cv2.LUT(bgr, LIGHT)
    beside = cv2.blur(light * known[..., None], (REACH_CELLS, REACH_CELLS)).reshape(-1, 3).take(at, axis=0)
    due = np.asarray(beside / share.reshape(-1, 1).take(at, axis=0), dtype=np.float32).T
    off = np.abs(light.reshape(-1, 3).take(at, axis=0).T - due) * weight_of(due)
    out = np.zeros(strange.size, dtype=bool)
    out[at[off.max(axis=0) < ALIKE]] = True
    return out.reshape(strange.shape)


def _reaching(strange: Bools, there: Bools) -> Bools:
    """Return the strange cells (h, w) of things that reach into a mask (h, w)."""
    count, label = cv2.connectedComponents(strange.astype(np.uint8), connectivity=8)
    reaches = np.zeros(count, dtype=bool)
    reaches[label[strange & there]] = True
    return np.asarray(reaches[label])
