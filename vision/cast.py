"""Shadows that dice cast: squares of felt with less light, as wide as the die they belong to, and with edges as hard.

A low lamp lays one beside every die, and the finder takes them for dice. What tells is that it is felt, darker than
the felt around it, that a die lies beside it, and that it shows no face.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt import MIDDLE, RESIDUE_PX_PER_MM, Felt
from vision.geometry import Bools, Floats, scaled, widths

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
NO_FACE, HARDLY_A_FACE = 0.7, 0.97
"""What shows no face likelier than the first looks like one die as well as another; less than the second is still no
die that anybody can read. Of 334 dice on those trays that hardly differ from felt but for its light four had less than
0.97, none of them as dark as a shadow and no darker."""
OUTRIGHT = 0.85
"""No shadow is found so well: of 31 on 290 fresh trays, drawn by two programs, the best was found at 0.73. A grey die
between two others, as dark as felt in a shadow, with a lamp's image painted on it, was found at 0.90 and was to be one
by all else."""
SAME_WAY, AGREEING = 0.2, 2
"""Two shadows lie the same way from their dice if they differ by less than the first, over their side. Beside a die as
dark as a shadow one is told if so many others lie the same way, all from dice that are not: a second dark die that
touches it lies just as one of them once in twenty times."""
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


def shadows(
    quads_mm: Floats, dark: Bools, dice: Bools, likeliest: Floats, score: Floats, *, dark_dice: Bools | None = None
) -> Bools:
    """Return (n,) which squares (n, 4, 2) of dark felt are shadows: beside dice, and without a face.

    dark: as of `dark_felt`; dice: what may cast them; likeliest: (n,) how likely the likeliest face of each is; score:
    (n,) how well each was found. Where others lie the same way from their dice, by the same lamp, a pattern of the felt
    may look a little like a face. dark_dice: dice that are as dark as shadows (see AGREEING); None for none.
    """
    own = np.zeros_like(dark) if dark_dice is None else dark_dice
    dark = dark & (score < OUTRIGHT) & ~own
    steps = [_from_dice(k, quads_mm, dice) if dark[k] else np.zeros((0, 2)) for k in range(len(dark))]
    near = np.array([len(step) > 0 for step in steps], dtype=bool)
    out = near & (likeliest < NO_FACE)
    others = [steps[k] for k in np.flatnonzero(out)]
    for k in np.flatnonzero(dark & ~out & (likeliest < HARDLY_A_FACE)).tolist():
        step, needed = (steps[k], 1) if near[k] else (_from_dice(k, quads_mm, own), AGREEING)
        out[k] = _agreeing(step, others) >= needed
    return out


def _agreeing(steps: Floats, others: list[Floats]) -> int:
    """Return how many other shadows lie from a die of theirs as this one does from one of its own, whichever it is.

    steps: (m, 2) from its dice; others: (k, 2) of each other.
    """
    alike = [sum(bool((np.linalg.norm(other - step, axis=1) < SAME_WAY).any()) for other in others) for step in steps]
    return max(alike, default=0)


def as_told(ground: Felt, quads_mm: Floats, told_mm: Floats, dice_mm: Floats) -> Bools:
    """Return (n,) which squares of felt (n, 4, 2), as dark as shadows, lie as AGREEING told shadows (m, 4, 2) do.

    Each from one of the dice (k, 4, 2). What is one of those once more counts as one that lies so.
    """
    if min(len(quads_mm), len(told_mm), len(dice_mm)) == 0:
        return np.zeros(len(quads_mm), dtype=bool)
    side, dice = float(np.median(widths(dice_mm))), dice_mm.mean(axis=1)
    told = [_steps(square.mean(axis=0), dice, side) for square in told_mm]
    lies_so = [_agreeing(_steps(square.mean(axis=0), dice, side), told) >= AGREEING for square in quads_mm]
    # What lies on the felt around is no felt in the light.
    there = np.concatenate([quads_mm, dice_mm, told_mm])
    which = np.zeros(len(there), dtype=bool)
    which[: len(quads_mm)] = lies_so
    return dark_felt(ground, there, which)[: len(quads_mm)]


def in_reach(quads_mm: Floats, which: Bools, dice: Bools) -> Bools:
    """Return (n,) which squares (n, 4, 2) of those in a mask (n,) lie where one of the dice may cast its shadow."""
    out = np.zeros_like(which)
    out[which] = [len(_from_dice(k, quads_mm, dice)) > 0 for k in np.flatnonzero(which).tolist()]
    return out


def _from_dice(k: int, quads_mm: Floats, dice: Bools) -> Floats:
    """Return (m, 2) how square k lies from each of the dice whose shadow it may be, over its side."""
    middle, side = quads_mm.mean(axis=1), float(np.linalg.norm(quads_mm[k, 1] - quads_mm[k, 0]))
    return _steps(middle[k], middle[dice & (np.arange(len(dice)) != k)], side)


def _steps(middle_mm: Floats, dice_mm: Floats, side_mm: float) -> Floats:
    """Return (m, 2) how a middle (2,) lies from each of those dice (k, 2) whose shadow it may be, over the side."""
    steps = (middle_mm - dice_mm) / side_mm
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
