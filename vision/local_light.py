"""How much light falls on each die: the felt around it tells, as its colour is known from the rest of the tray.

A person's shadow, or the sun's edge, makes dice of one colour as different as dice of two. What the felt around them
lacks of light they lack, too: it is given back before their colours are compared.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.felt import AT_RIM_MM, RESIDUE_PX_PER_MM, Felt, free_surface
from vision.geometry import Bools, Floats

AROUND_MM = 14.0
"""Felt no further from a die's outline than this tells of its light."""
LEAST_CELLS = 12
"""... if there is so much of it."""
LIGHTEST, DARKER = 0.3, 0.7
"""What this share of that felt lacks, its die does: a die's own shadow lies on one side. What the second share lacks
says whether there is more of a shadow than that."""
UNEVEN = 0.3
"""A natural logarithm of grey values: where dice differ by less, light is even, and nothing is given back. Of 798 trays
by three programs that changes two. With a deep shadow's edge drawn through 139 of them 97 of 719 colours that were told
were wrong, of 728 with it 27; of 621 that lie at no edge 17."""
AN_EDGE = 0.45
"""By so much more light than at LIGHTEST the felt lacks at DARKER where a shadow's edge goes through a die's
surroundings: what light its top has nobody knows. Of 4,966 dice on these trays as they are eight."""


def light_around(ground: Felt, quads_mm: Floats) -> tuple[Floats, Bools]:
    """Return (n,) how much less light dice have than that in most, and (n,) which lie at the edge of a shadow.

    quads_mm: (n, 4, 2) on the tray. The first as a natural logarithm of grey values, all 0 where light is even.
    """
    lacks, edge = np.zeros(len(quads_mm)), np.zeros(len(quads_mm), dtype=bool)
    if ground.shade is None or len(quads_mm) == 0:
        return lacks, edge
    free = (free_surface(ground.strange.shape, list(quads_mm), rim_mm=AT_RIM_MM) > 0) & ~ground.strange
    rings = [_ring(quad, free) for quad in np.round(quads_mm * RESIDUE_PX_PER_MM - 0.5).astype(np.int32)]
    depth = np.zeros(free.shape, np.float32)
    around = np.logical_or.reduce(rings)
    depth[around] = ground.depth(around)
    for k, ring in enumerate(rings):
        if np.count_nonzero(ring) >= LEAST_CELLS:
            light, dark = np.quantile(depth[ring], (LIGHTEST, DARKER))
            lacks[k], edge[k] = max(0.0, light), dark - light > AN_EDGE
    lacks -= lacks.min()
    return lacks if lacks.max() > UNEVEN else np.zeros_like(lacks), edge


def _ring(outline_px: Floats, free: Bools) -> Bools:
    """Return (h, w) the free cells around an outline, (4, 2) whole numbers."""
    ring = np.zeros(free.shape, np.uint8)
    cv2.polylines(ring, [outline_px], True, 1, round(2 * AROUND_MM * RESIDUE_PX_PER_MM))
    return np.asarray((ring > 0) & free)
