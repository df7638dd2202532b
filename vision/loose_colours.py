"""Which loose pieces (dice, disks) are of one colour, where nobody says how many colours there are.

Pieces of one colour differ by light and gloss: gloss and pearl take their colour away without changing its hue, light
and shadow change how light they are. So a step towards grey counts half where there is colour to lose, and one in
lightness counts less than half. How far apart two pieces of one colour may be shows in how far apart most neighbours
are: dice of pearl differ among themselves more than black ones from brown.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats

Ints = NDArray[np.int64]

LIGHT, TOWARDS_GREY = 0.45, 0.5
"""What a step in lightness, and one towards grey, count."""
COLOURED = 25.0
"""CIE chroma from which a colour has something to lose."""
STEPS = (12.0, 22.0)
"""The shortest and the longest step (CIE) within one colour."""
USUAL_STEPS = 3.0
"""A step so many times as long as the usual one between neighbours leads to another colour. With these numbers 4 of 566
dice on 147 traced trays fell in with the wrong ones, with one step for all 15; they were fitted on these."""


def groups_of(lab: Floats) -> Ints:
    """Return (n,) groups 0..: pieces that a chain of small steps links. lab: (n, 3) CIE colours in white light."""
    if len(lab) == 0:
        return np.zeros(0, dtype=np.int64)
    away = _away(lab)
    gaps = _gaps(away)
    usual = float(np.median(gaps)) if len(gaps) else 0.0
    return _linked(away, float(np.clip(USUAL_STEPS * usual, *STEPS)))


def _away(lab: Floats) -> Floats:
    """Return (n, n) how far colours are from each other."""
    step = lab[None] - lab[:, None]
    middle = (lab[None, :, 1:] + lab[:, None, 1:]) / 2
    chroma = np.linalg.norm(middle, axis=2)
    hue = middle / np.maximum(chroma, 1e-9)[..., None]
    along = (step[..., 1:] * hue).sum(axis=2)
    counts = 1.0 - (1.0 - TOWARDS_GREY) * np.minimum(1.0, chroma / COLOURED)
    # Only what lies along the hue counts less; greys have none, and lose nothing.
    whole = (LIGHT * step[..., 0]) ** 2 + (step[..., 1:] ** 2).sum(axis=2)
    return np.asarray(np.sqrt(whole - (1.0 - counts**2) * along**2))


def _gaps(away: Floats) -> Floats:
    """Return (n - 1,) the steps of the shortest tree that links all pieces."""
    linked, left = [0], set(range(1, len(away)))
    gaps = []
    while left:
        gap, piece = min((float(away[linked, k].min()), k) for k in left)
        linked.append(piece)
        gaps.append(gap)
        left.remove(piece)
    return np.array(gaps)


def _linked(away: Floats, step: float) -> Ints:
    """Return (n,) groups 0.. of pieces that are linked by steps no longer than `step`."""
    group = np.full(len(away), -1, dtype=np.int64)
    for start in range(len(away)):
        if group[start] >= 0:
            continue
        member = np.zeros(len(away), dtype=bool)
        member[start] = True
        while True:
            grown = np.asarray((away[member] <= step).any(axis=0))
            if np.array_equal(grown, member):
                break
            member = grown
        group[member] = int(group.max()) + 1
    return group
