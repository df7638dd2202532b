"""Shadows that dice cast: squares of felt with less light, as wide as the die they belong to, and with edges as hard.

A low lamp lays one beside every die, and the finder takes them for dice. By its light a dark die on felt may be one:
whether it is, `vision.crops.standing.there` says, which has seen both.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools, Floats, scaled
from vision.ground.felt import MIDDLE, RESIDUE_PX_PER_MM, Felt

DIM, DEEP = 0.25, 1.0
"""A shadow is darker than felt in the light by more than the first and less than the second, a natural logarithm. Of 57
that the finder took for dice on 935 trays, drawn by two programs, the darkest was so by 0.84; the one die that neither
stood out from felt in a shadow nor could be read, by 1.19."""
SHADED = 0.35
"""Less of a shadow than this differs from felt for more than its light, by its die's flank that reaches into it."""
CAST = 2.0
"""No shadow is further from its die than this, from middle to middle, over its side: the furthest of those was 1.6."""
AROUND, OTHERS = 2.2, 1.15
"""Felt around a square is what lies within the square times the first, and in no find times the second."""
LIT = 0.75
"""So much of the felt around a square may lie in the shadows of others."""
NO_FACE = 0.7
"""What shows no face likelier than this looks like one die as well as another."""
LEAST_CELLS = 10
"""With less felt than this around it nobody knows how light it is there."""


def dark_felt(ground: Felt, quads_mm: Floats, which: Bools) -> Bools:
    """Return (n,) which squares (n, 4, 2) of those in a mask (n,) are felt with as much light as a shadow leaves.

    Less than the felt of this tray would have there, or than the felt around them has: under a lamp all is lighter.
    """
    out = np.zeros_like(which)
    if which.any() and ground.shade is not None:
        depth = -ground.over_lit(quads_mm[which])
        others = _cells(ground, [scaled(quad, OTHERS) for quad in quads_mm])
        below = (_below_around(ground, quad, others) > DIM for quad in quads_mm[which][depth <= DIM])
        dim = depth > DIM
        dim[~dim] = list(below)
        out[which] = dim & (depth < DEEP)
    return out


def in_reach(quads_mm: Floats, which: Bools, dice: Bools) -> Bools:
    """Return (n,) which squares (n, 4, 2) of those in a mask (n,) lie where one of the dice may cast its shadow."""
    out = np.zeros_like(which)
    out[which] = [len(_from_dice(k, quads_mm, dice)) > 0 for k in np.flatnonzero(which).tolist()]
    return out


def _from_dice(k: int, quads_mm: Floats, dice: Bools) -> Floats:
    """Return (m, 2) how square k lies from each of the dice whose shadow it may be, over its side."""
    middle, side = quads_mm.mean(axis=1), float(np.linalg.norm(quads_mm[k, 1] - quads_mm[k, 0]))
    steps = (middle[k] - middle[dice & (np.arange(len(dice)) != k)]) / side
    return np.asarray(steps[np.linalg.norm(steps, axis=1) < CAST])


def _below_around(ground: Felt, quad_mm: Floats, others: Bools) -> float:
    """Return how much darker the middle of a square is than the felt around it that lies in the light.

    others: (h, w) where anything was found. 0 where hardly any felt is seen.
    """
    inside = _cells(ground, [scaled(quad_mm, MIDDLE)])
    around = _cells(ground, [scaled(quad_mm, AROUND)]) & ~others & ~ground.strange
    if not inside.any() or np.count_nonzero(around) < LEAST_CELLS:
        return 0.0
    lit = float(np.quantile(ground.depth(around), 1.0 - LIT))
    return float(np.median(ground.depth(inside))) - lit


def _cells(ground: Felt, quads_mm: list[Floats]) -> Bools:
    """Return (h, w) which cells of the felt lie in any of some squares (4, 2)."""
    out: NDArray[np.uint8] = np.zeros(ground.strange.shape, np.uint8)
    for quad in quads_mm:
        cv2.fillConvexPoly(out, np.round(quad * RESIDUE_PX_PER_MM - 0.5).astype(np.int32), 1)
    return np.asarray(out > 0)
