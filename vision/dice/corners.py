"""How square a piece is, by where the felt begins around it: dice have corners, and disks have none.

How far it reaches, direction by direction, is a wave around it. Being off its middle, or seen aslant with a flank,
gives waves of one and of two crests; only corners give one of four.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.dice.crescents import DIRECTIONS, RAYS, TURNS
from vision.geometry import Bools, Floats
from vision.ground.felt import Felt
from vision.tray.rectify import Image, Tray, seen_at

WITHIN, FAR, STEP = 0.6, 2.2, 0.03
"""From where to where one looks for the felt, and how far at a time, over half the piece's width."""
BARE = 4
"""So many steps of felt are felt, and no pip of its colour."""
OTHERS = 1.25
"""What ends within this of another piece, over half its width, may be that piece."""
ENOUGH = 30
"""So many directions must be free."""
SIZES, ROUGH = (0.85, 1.5), 0.035
"""How large the outline must be, over the find, and how far from the waves it may usually be, over its size: else it is
not the piece's."""
ROUNDS = 4
WAVES = np.column_stack([np.ones(RAYS), *(f(k * TURNS) for k in (1, 2, 3, 4) for f in (np.cos, np.sin))])
"""(RAYS, 9) the wave without crests, and those of one to four, each twice."""


def corners_of(
    soft_bgr: Image, tray: Tray, ground: Felt, middles_mm: Floats, half_mm: Floats, *, which: Bools
) -> Floats:
    """Return (m,) how high the wave of four crests is, over the piece's size: 0 for a disk, 0.1 for a square.

    NaN where no outline is seen. soft_bgr: the picture, smoothed; middles_mm, half_mm: (n, 2) and (n,) of all finds,
    their middles and half their widths; which: (n,) m of them, of whom it is asked.
    """
    asked = np.flatnonzero(which)
    out = np.full(len(asked), np.nan)
    if ground.shade is None:
        return out
    for k, n in enumerate(asked):
        ends = _ends(soft_bgr, tray, ground, middles_mm[n], float(half_mm[n]))
        others = np.arange(len(middles_mm)) != n
        at = middles_mm[n] + DIRECTIONS * np.nan_to_num(ends, nan=FAR * half_mm[n])[:, None]
        near = np.linalg.norm(at[:, None] - middles_mm[others], axis=2) < OTHERS * half_mm[others]
        ends[near.any(axis=1)] = np.nan
        out[k] = _fourth(ends, float(half_mm[n]))
    return out


def _ends(soft_bgr: Image, tray: Tray, ground: Felt, middle: Floats, half: float) -> Floats:
    """Return (RAYS,) how far from its middle, in mm, the felt begins around a piece; NaN where it does nowhere."""
    reach = half * np.arange(WITHIN, FAR, STEP)
    at_mm = middle + DIRECTIONS[:, None] * reach[None, :, None]
    seen = seen_at(soft_bgr, tray, at_mm)
    _, strange = ground.unlike_at(seen.reshape(-1, 3), at_mm.reshape(-1, 2))
    felt = ~strange.reshape(RAYS, -1)
    bare = np.all(sliding_window_view(felt, BARE, axis=1), axis=2)
    return np.where(bare.any(axis=1), reach[bare.argmax(axis=1)], np.nan)


def _fourth(ends: Floats, half: float) -> float:
    """Return how high the wave of four crests is that fits (RAYS,) ends best, most of them; NaN where none does."""
    free = ~np.isnan(ends)
    if free.sum() < ENOUGH:
        return float("nan")
    waves, seen, weight = WAVES[free], ends[free], np.ones(int(free.sum()))
    for _ in range(ROUNDS):
        fit = np.linalg.lstsq(waves * weight[:, None], seen * weight, rcond=None)[0]
        off = np.abs(seen - waves @ fit)
        weight = 1 / np.maximum(off / (np.median(off) + 0.05), 1)
    if not SIZES[0] < fit[0] / half < SIZES[1] or np.median(off) > ROUGH * fit[0]:
        return float("nan")
    return float(np.hypot(fit[7], fit[8]) / fit[0])
