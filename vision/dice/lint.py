"""Fibres and crumbs on the felt that pass for the pip of a die of the felt's own colour."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.paint import patches
from vision.geometry import SQUARE, Floats, nearest
from vision.tray.places import all_over, on_felt
from vision.tray.rectify import Image, Tray

WINDOW_PX = 36
REACH = 0.68
"""Half the window, over the piece's width: a piece with its edges."""
MIDDLE = 0.4
"""Within this share of the window's half, contrast says nothing: a fibre has some as well."""
OUTLINED = 2.0
"""Contrast over that of bare felt from which a thing has edges. On traced trays pieces of the felt's own colour have
2.5 and more, fibres 1.7 and less (16 of them)."""
FAR = 2.2
"""Felt this far from all pieces, over their width, is bare."""
SAME = 0.3
"""What was found this near, over the width, is the same thing."""
BESIDE = 0.8
"""So far from its middle, over its width, a piece reaches at its corners, blur and its shadow's beginning included."""
RIM_MM = 1.5
"""So near to the felt's edge its rim, and the line of shadow beside it, have edges."""
LEAST_FELT = 5
"""With fewer patches of bare felt nothing can be said."""


def outlined(picture_bgr: Image, at_mm: Floats, others_mm: Floats, *, width_mm: float, tray: Tray) -> NDArray[np.bool_]:
    """Return (n,) whether what lies at a place has edges of its own, where its colour is the felt's.

    at_mm: (n, 2) middles; others_mm: (m, 2) of everything that was found; width_mm: of the pieces. True where there
    is too little bare felt to compare with.
    """
    if len(at_mm) == 0:
        return np.zeros(0, dtype=bool)
    felt = _bare_places(others_mm, width_mm, tray)
    if len(felt) < LEAST_FELT:
        return np.ones(len(at_mm), dtype=bool)
    contrast = _contrast(picture_bgr, np.concatenate([at_mm, felt]), others_mm, width_mm, tray)
    usual = float(np.median(contrast[len(at_mm) :]))
    return np.asarray(contrast[: len(at_mm)] > OUTLINED * usual)


def _bare_places(others_mm: Floats, width_mm: float, tray: Tray) -> Floats:
    grid = all_over(tray, 9, 7)
    away = nearest(grid, others_mm)
    return np.asarray(grid[away > FAR * width_mm])


def _contrast(picture_bgr: Image, middle_mm: Floats, others_mm: Floats, width_mm: float, tray: Tray) -> Floats:
    """Return (n,) how much the colour varies around each place, without its middle and without grain.

    Nor with its neighbours or the rim: the edge of a die beside a crumb is not the crumb's.
    """
    t = ((np.arange(WINDOW_PX) + 0.5) / WINDOW_PX * 2 - 1) * REACH * width_mm
    offset = np.stack(np.meshgrid(t, t), axis=-1)
    far = np.linalg.norm(offset, axis=2) / (REACH * width_mm)
    box = REACH * width_mm * SQUARE
    windows = patches(picture_bgr, tray.to_px(middle_mm[:, None] + box), size=WINDOW_PX)
    out = []
    for middle, pixels in zip(middle_mm, windows, strict=True):
        places = middle + offset
        ring = (far > MIDDLE) & (far < 1.0) & ~_on_others(places, middle, others_mm, width_mm)
        ring &= on_felt(places, tray, inset_mm=RIM_MM)
        seen = cv2.GaussianBlur(np.asarray(pixels, dtype=np.float32), (0, 0), 1.5)[ring]
        out.append(float(np.sqrt(((seen - seen.mean(axis=0)) ** 2).sum(axis=1).mean())) if len(seen) else 0.0)
    return np.array(out)


def _on_others(places_mm: Floats, middle_mm: Floats, others_mm: Floats, width_mm: float) -> NDArray[np.bool_]:
    """Return (h, w) which of (h, w, 2) places lie on another piece than the one at `middle_mm`, turned as it may be."""
    away = np.linalg.norm(others_mm - middle_mm, axis=1)
    near = others_mm[(away > SAME * width_mm) & (away < 2.0 * width_mm)]
    out = np.zeros(places_mm.shape[:2], dtype=bool)
    for other in near:
        out |= np.linalg.norm(places_mm - other, axis=2) < BESIDE * width_mm
    return out
