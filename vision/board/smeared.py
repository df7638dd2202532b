"""Backs that may be no backs: behind a drop on the lens, a finger's print on it, a digit is smeared until none is seen.

The net reads such a tile as one that lies face down, and surely. But a back has seams, as sharp as those of all other
tiles in the same picture; what is smeared has none, and what is left of its ink makes its middle differ from its rim.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.colour.paint import lab_of, middles
from vision.crops.symbols import CROP_WH, cut_crops
from vision.geometry import Bools, Floats
from vision.tray.rectify import Image

RING, HOLE = (slice(3, 46), slice(1, 39)), (slice(12, 38), slice(9, 31))
"""Rows and columns of a crop around a tile's seams; and in the middle of these, its print."""
FACE, RIM_PX, MIDDLE = (slice(12, 39), slice(7, 33)), 2, (slice(16, 35), slice(13, 27))
"""... of its face without the seams, how wide the rim of that is, and its middle."""
FINE_PX = 1.2
"""Standard deviation of the blur that leaves out what is fine, in pixels of a crop."""
DARK = 12.0
"""Added to grey values before their logarithm is taken: what is darker is noise."""
BLUNT = 0.4
"""A tile whose seams are less sharp than this, over those of the others, is smeared."""
CLEAN = 0.02
"""... unless its middle differs from its rim by no more than this, over what the ink of the open tiles makes it differ
there: a dark back beside dark felt has hardly any seams. Of 62 digits behind drops that are told none has less than
0.036; of 2,286 backs on 97 boards by four programs seven were called smeared, three of them with 0.013 and less."""
DULL, STAIN = 0.6, 0.08
"""... and one with less than the first whose middle differs from its rim by more than the second, over what the ink of
the open tiles makes it differ there. Of 6,132 backs, drawn and traced, 27 are called smeared, on 6 of 232 trays with
backs that are read without it; of 77 digits behind drops on the lens that passed for backs 61."""
LEAST = 4
"""So many backs show how sharp a back's seams are: dark ones side by side have little to show."""
ODD = 0.9
"""... and what backs look like. Where fewer lie, this takes the place of DULL: a drop may be smaller than a tile, and
leave its seams. Of the 6,132 backs 2 in 100 would be called smeared by it."""


def smeared(picture_bgr: Image, quads_px: Floats, down: Bools) -> Bools:
    """Return (n,) which of the tiles that look face down, a mask (n,), may be smeared only. quads_px: (n, 4, 2)."""
    none = np.zeros(len(down), dtype=bool)
    if not down.any() or (down.all() and len(down) < LEAST):
        return none
    crops, backs_known = cut_crops(picture_bgr, quads_px), np.count_nonzero(down) >= LEAST
    sharp = _sharpness(crops)
    kinds = [sharp[~down]] if not down.all() else []
    if backs_known:
        kinds.append(sharp[down])
    over = sharp / max(min(float(np.median(kind)) for kind in kinds), 1e-9)
    out = over < BLUNT
    if not down.all():
        stain, dull = _stain(crops), DULL if backs_known else ODD
        inked = stain / max(float(np.median(stain[~down])), 1e-9)
        out = (out & (inked > CLEAN)) | ((over < dull) & (inked > STAIN))
    return np.asarray(out & down)


def _sharpness(crops: Image) -> Floats:
    """Return (n,) how much there is of what is fine around the seams of each tile, over its light.

    crops: (n, 48, 40, 3) as of `cut_crops`.
    """
    # One below the other: the blur reaches into the next one no further than the ring is from the crop's edge.
    rows = crops.reshape(-1, *crops.shape[2:]).astype(np.float32)
    # OpenCV's mean over three colours, as numpy's takes ten times as long.
    light = np.log(cv2.transform(rows, np.full((1, 3), 1 / 3, np.float32)) + np.float32(DARK))
    fine = np.abs(light - cv2.GaussianBlur(light, (0, 0), FINE_PX)).reshape(len(crops), CROP_WH[1], CROP_WH[0])
    ring = np.zeros(fine.shape[1:], dtype=bool)
    ring[RING] = True
    ring[HOLE] = False
    return np.asarray(fine[:, ring].mean(axis=1), dtype=np.float64)


def _stain(crops: Image) -> Floats:
    """Return (n,) how far the middle of each tile is from the rim of its face, as a CIE distance."""
    face = crops[(slice(None), *FACE)]
    rim = np.ones(face.shape[1:3], dtype=bool)
    rim[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX] = False
    middle = crops[(slice(None), *MIDDLE)].mean(axis=(1, 2))
    return np.asarray(np.linalg.norm(lab_of(middle) - lab_of(middles(face[:, rim].transpose(0, 2, 1))), axis=1))
