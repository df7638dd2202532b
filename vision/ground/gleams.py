"""A gleam on the felt, and the dark beyond it: too steep for the felt's own smooth light, but without an edge.

The felt's light is one smooth surface over the whole tray (`vision.ground.felt`). A lamp's gleam, or a corner in the
dark, departs from it, and what departs so far is taken for something that lies there. Pieces end; light fades.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, nearest, scaled
from vision.ground.felt_light import LIFT
from vision.ground.papers import papers_on
from vision.ground.smooth import least_squares, smooth_terms
from vision.tray.places import all_over, on_felt
from vision.tray.rectify import Image, Tray, seen_at

STEP_MM, GRAIN = 0.8, 1.6
"""How fine is looked, and so many steps of it wide is the blur that the felt's grain is taken out with."""
BEYOND, LEAST_WIDE = 0.4, 0.85
"""A place is looked at with so much around it, and so far from its middle at least, over a piece's side."""
ON_PIECES, ON_PAPERS, RIM_MM = 1.25, 1.2, 2.5
"""What lies within these of the outlines of pieces and papers, and nearer than this to the rim, is not the felt's."""
LEAST_SEEN = 0.25
"""Of less of a place than this nothing can be said."""
FADES = 1.3
"""A place that varies no more than so many times as bare felt does, but for a smooth change of its light, is bare. Of
1,347 pieces on 485 trays, traced and by a browser, of half of the tiles only one half each, all vary 1.60 times as much
at least; of five places where nothing but light was, on trays that were asked about for it, four vary 1.04 times at
most, one at the edge of a gleam 1.67 times."""
ENOUGH, MOST_BARE = 3, 12
"""With fewer bare places nothing can be compared, and more tell no more: each takes a millisecond."""
MOST = 4
"""Where more than this is left over it is no gleam: a reading takes no longer for a heap of things."""


def without_gleams(
    outlines_mm: Sequence[Floats],
    picture_bgr: Image,
    tray: Tray,
    *,
    pieces_mm: Floats,
    side_mm: float,
) -> list[Floats]:
    """Return of some outlines (4, 2) on the felt, in millimetres, those that show more than light, or touch a piece.

    pieces_mm: (n, 4, 2) what is known to lie there, beside markers; side_mm: of a piece.
    """
    if not 0 < len(outlines_mm) <= MOST:
        return [*outlines_mm]
    pieces = [*scaled(pieces_mm.reshape(-1, 4, 2), ON_PIECES)]
    known = [*pieces, *scaled(np.array(papers_on(tray)).reshape(-1, 4, 2), ON_PAPERS)]
    return [
        outline
        for outline in outlines_mm
        if _touches(outline, pieces) or not _fades(picture_bgr, tray, outline, known, side_mm)
    ]


def _touches(outline_mm: Floats, pieces_mm: Sequence[Floats]) -> bool:
    """Return whether a place may show what lies half under one of some pieces: of that too little is seen to tell."""
    place = outline_mm.astype(np.float32)
    return any(cv2.intersectConvexConvex(place, piece.astype(np.float32))[0] > 0 for piece in pieces_mm)


def _fades(picture_bgr: Image, tray: Tray, outline_mm: Floats, known_mm: Sequence[Floats], side_mm: float) -> bool:
    """Return whether a place has no edges: it varies as bare felt does, once its smooth light is taken out."""
    low, high = outline_mm.min(axis=0), outline_mm.max(axis=0)
    middle, half = (low + high) / 2, np.maximum((high - low) / 2 + BEYOND * side_mm, LEAST_WIDE * side_mm)
    here = _uneven(picture_bgr, tray, middle, half, known_mm)
    if here is None:
        return False
    bare = _bare_middles(tray, middle, float(half.max()), known_mm, side_mm)
    usual = [seen for at in bare if (seen := _uneven(picture_bgr, tray, at, half, known_mm)) is not None]
    return len(usual) >= ENOUGH and here < FADES * float(np.median(usual))


def _bare_middles(tray: Tray, middle_mm: Floats, reach_mm: float, known_mm: Sequence[Floats], side_mm: float) -> Floats:
    """Return (n, 2) the middles of some places as large, all over the felt, away from this one and from all pieces."""
    grid = all_over(tray, 8, 6)
    free = np.linalg.norm(grid - middle_mm, axis=1) > 1.5 * reach_mm
    if known_mm:
        free &= nearest(grid, np.mean(np.array(known_mm), axis=1)) > reach_mm + 0.7 * side_mm
    bare = grid[free]
    return np.asarray(bare[:: -(-len(bare) // MOST_BARE)] if len(bare) else bare)


def _uneven(
    picture_bgr: Image, tray: Tray, middle_mm: Floats, half_mm: Floats, known_mm: Sequence[Floats]
) -> float | None:
    """Return how much a place varies that reaches `half_mm` each way, without grain, in natural logarithms.

    A quadratic over it, its light, is taken out; of the three colours the one that varies most. None where too little
    of it is felt.
    """
    steps = np.ceil(half_mm / STEP_MM).astype(int)
    offsets = np.meshgrid(*(np.arange(-n, n + 1) * STEP_MM for n in steps.tolist()))
    at = middle_mm + np.stack(offsets, axis=-1)
    felt = felt_at(at, tray, known_mm, step_mm=STEP_MM)
    if felt.mean() < LEAST_SEEN:
        return None
    seen = np.log(seen_at(picture_bgr, tray, at).astype(np.float32) + LIFT)
    share = cv2.GaussianBlur(felt.astype(np.float32), (0, 0), GRAIN)[..., None]
    smooth = cv2.GaussianBlur(seen * felt[..., None], (0, 0), GRAIN) / np.maximum(share, 1e-3)
    light, rest = smooth_terms(felt.shape)[:, felt.ravel()], smooth[felt].T
    return float((rest - least_squares(light, rest) @ light).std(axis=1).max())


def felt_at(at_mm: Floats, tray: Tray, known_mm: Sequence[Floats], *, step_mm: float) -> NDArray[np.bool_]:
    """Return (h, w) which of (h, w, 2) places, step_mm apart, are felt: on nothing known, and away from the rim."""
    return np.asarray(on_felt(at_mm, tray, inset_mm=RIM_MM) & ~within(at_mm, known_mm, step_mm=step_mm))


def within(at_mm: Floats, outlines_mm: Sequence[Floats], *, step_mm: float) -> NDArray[np.bool_]:
    """Return (h, w) which of (h, w, 2) places, step_mm apart, lie in one of some outlines (4, 2)."""
    out = np.zeros(at_mm.shape[:2], np.uint8)
    for outline in outlines_mm:
        cv2.fillConvexPoly(out, np.round((outline - at_mm[0, 0]) / step_mm).astype(np.int32), 1)
    return out > 0
