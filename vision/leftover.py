"""Something as large as a die on the felt that no die explains: better a question than a die too few."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt import RESIDUE_PX_PER_MM
from vision.geometry import Floats

AROUND = 1.35
"""A die explains what lies within its top face times this: its sides, seen aslant, and a soft shadow."""
CORE = 0.5
"""What is left counts where a disc of this diameter, over the die's side, fits into it."""
LEAST = 0.3
"""... and where its area is at least this, over that of a die's face."""


def left_over(strange: NDArray[np.bool_], quads_mm: Floats, *, side_mm: float, papers_mm: list[Floats]) -> bool:
    """Return whether a piece may lie where none was found.

    strange: (h, w) at RESIDUE_PX_PER_MM, what is neither felt nor shadow (`vision.felt.Felt`), right up to the rim:
    a die leaning against it is nearly always seen by this, even where the finder hesitates. quads_mm: (n, 4, 2) what
    was found; papers_mm: markers.
    """
    left = strange.astype(np.uint8)
    middle = quads_mm.mean(axis=1, keepdims=True)
    for points in [*(middle + AROUND * (quads_mm - middle)), *papers_mm]:
        cv2.fillConvexPoly(left, np.round(points * RESIDUE_PX_PER_MM - 0.5).astype(np.int32), 0)
    wide = max(2, round(CORE * side_mm * RESIDUE_PX_PER_MM))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    # Beyond the edge lies the rim, which is strange as well: a thin strip of it must not grow into a core.
    opened = cv2.morphologyEx(left, cv2.MORPH_OPEN, disc, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    count, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(opened, np.uint8), connectivity=8)
    least = LEAST * (side_mm * RESIDUE_PX_PER_MM) ** 2
    return any(int(stats[k, cv2.CC_STAT_AREA]) >= least for k in range(1, count))
