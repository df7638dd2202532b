"""What may be one more die, and is nothing: bare felt with a fibre on it, or a shadow as dark as a dark die.

By its light alone nobody can say; a net that has seen dice of the felt's own colour, and shadows, can.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.crops import standing
from vision.dice.cast import DEEP
from vision.geometry import SQUARE, Bools, Floats, nearest, scaled, widths
from vision.tray.rectify import Image, Tray

STEP = 0.28
"""What is left over is looked at in steps no longer than this, over a die's side, from edge to edge: a die may have its
middle anywhere in it, and a fifth of a side off it is still seen."""
APART = 0.6
"""What lies nearer to the middle of a die that was read than this, over its side, is that die."""
SURELY = -2.5
"""What is left over differs from felt: that no die lies anywhere in it must be plainer than of what looks like felt."""
LIGHTER, DARKER, ALIKE = 0.05, 0.15, 0.5
"""A shadow is no darker than one may be (`vision.dice.cast.DEEP`) in any colour, lighter by the first in none and
darker by the second in one at least, natural logarithms; its colours do not differ more than by the third in how much
darker they are: what light it has comes from elsewhere. Four that were left over on 150 trays drawn in a browser
differed by up to 0.25, a dark red die on green felt by 1.4."""
INSIDE, WITHIN, AROUND, BESIDE = 0.5, 1.3, 2.6, 1.5
"""What is left over is seen within the first of its outline, the felt around from the second to the third of it, and
not within the fourth of a die."""


def are_nothing(picture_bgr: Image, tray: Tray, quads_mm: Floats, there: standing.Look | None) -> Bools:
    """Return (n,) in which squares (n, 4, 2) no piece lies. there: None for nobody who could say."""
    if there is None or len(quads_mm) == 0:
        return np.zeros(len(quads_mm), dtype=bool)
    return np.asarray(there(picture_bgr, tray.to_px(quads_mm)) < standing.NO_PIECE)


def without_shadows(
    outlines_mm: Sequence[Floats], picture_bgr: Image, tray: Tray, dice_mm: Floats, there: standing.Look | None
) -> list[Floats]:
    """Return what is left over (4, 2) and is not just felt in a shadow, without a die anywhere in it.

    dice_mm: (n, 4, 2) those that were read, n >= 1; a die of another size may lie there. Nobody has learnt what is
    neither felt nor a piece: it is asked about where it fades otherwise than felt. there: None for nobody to say.
    """
    if there is None:
        return [*outlines_mm]
    wide, taken = widths(dice_mm), dice_mm.mean(axis=1)
    sizes = np.unique(np.quantile(wide, (0.0, 0.5, 1.0)).round(1)).tolist()
    out = []
    for outline in outlines_mm:
        squares = np.concatenate([_squares_in(outline, size) for size in sizes])
        squares = squares[nearest(squares.mean(axis=1), taken) > APART * float(np.median(wide))]
        shade = len(squares) > 0 and _darker_alike(picture_bgr, tray, outline, dice_mm)
        if not shade or there(picture_bgr, tray.to_px(squares)).max() > SURELY:
            out.append(outline)
    return out


def _squares_in(outline_mm: Floats, wide: float) -> Floats:
    """Return (n, 4, 2) upright squares so wide, all over an outline (4, 2)."""
    low, high = outline_mm.min(axis=0), outline_mm.max(axis=0)
    counts = np.ceil((high - low) / (STEP * wide)).astype(int) + 1
    across, down = (np.linspace(a, b, n) for a, b, n in zip(low, high, counts.tolist(), strict=True))
    middles = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 1, 2)
    return np.asarray(middles + wide / 2 * SQUARE)


def _darker_alike(picture_bgr: Image, tray: Tray, outline_mm: Floats, dice_mm: Floats) -> bool:
    """Return whether an outline (4, 2) shows what the felt around it shows, with as much less light as in a shadow."""

    def cells(quads_mm: Sequence[Floats]) -> Bools:
        out = np.zeros(picture_bgr.shape[:2], np.uint8)
        for quad in quads_mm:
            cv2.fillConvexPoly(out, np.round(tray.to_px(quad)).astype(np.int32), 1)
        return np.asarray(out > 0)

    inside = cells([scaled(outline_mm, INSIDE)])
    around = cells([scaled(outline_mm, AROUND)]) & ~cells([scaled(outline_mm, WITHIN), *scaled(dice_mm, BESIDE)])
    if not inside.any() or not around.any():
        return False
    seen, felt = (np.median(picture_bgr[which], axis=0) for which in (inside, around))
    lighter = np.log((seen + 1.0) / (felt + 1.0))
    return bool(-DEEP < lighter.min() < -DARKER and lighter.max() < LIGHTER and np.ptp(lighter) < ALIKE)
