"""How much light falls on each die: the felt around it tells, as its colour is known from the rest of the tray.

A person's shadow, or the sun's edge, makes dice of one colour as different as dice of two; so do a lamp on one side and
a window on the other. What the felt around them lacks of light they lack, too, and of each colour of light: it is given
back before their colours are compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools, Floats, Ints
from vision.ground.felt import AT_RIM_MM, RESIDUE_PX_PER_MM, Felt, free_surface
from vision.ground.felt_light import LIFT, weight_of
from vision.ground.smooth import smooth_terms

MOST_OF_FELT, SHADOWED = (0.05, 0.95), 0.7
"""Between these shares of bare felt, in the order of how much light it lacks, lies no more than the second, a natural
logarithm of grey values, unless a shadow lies over part of the tray."""
AROUND_MM = 14.0
"""Felt no further from a die's outline than this tells of its light."""
LEAST_CELLS = 12
"""... if there is so much of it."""
LIGHTEST, DARKER = 0.3, 0.7
"""What this share of that felt lacks, its die does: a die's own shadow lies on one side. What the second share lacks
says whether there is more of a shadow than that."""
TINTED = 0.07
"""A natural logarithm of grey values: where the felt at the dice differs by less in how much it has of each colour,
lamps are of one colour, and nothing is given back. Of 66 trays by two programs one has 0.034, the others less; with a
lamp's light on one side and a window's on the other dice of one colour were told to be of two from 0.11 on."""
UNEVEN = 0.3
"""A natural logarithm of grey values: where dice differ by less, light is even, and nothing is given back. Of 798 trays
by three programs that changes two. With a deep shadow's edge drawn through 139 of them 97 of 719 colours that were told
were wrong, of 728 with it 27; of 611 whose light is known 17."""
AN_EDGE = 0.45
"""By so much more light than at LIGHTEST the felt lacks at DARKER where a shadow's edge goes through a die's
surroundings: what light its top has nobody knows. Of 4,966 dice on these trays as they are eight."""


@dataclass(frozen=True, slots=True)
class LocalLight:
    """How much light n dice have."""

    lacks: Floats
    """(n,) by how much less than the one in most, as a natural logarithm of grey values; all 0 where light is even."""
    unknown: Bools
    """(n,) which lie at the edge of a shadow, or where light is uneven and no felt beside them tells how much they
    have."""
    tint: Floats
    """(n, 3) how much less of each colour, blue green red, it has than that of all together, likewise: all 0 where it
    is of one colour."""

    @property
    def gain(self) -> Floats:
        """Return (n, 3) by how much their grey values are to be multiplied before they are compared."""
        return np.asarray(np.exp(self.lacks[:, None] + self.tint))

    @classmethod
    def even(cls, n: int) -> LocalLight:
        """Return the same light for n dice."""
        return cls(np.zeros(n), np.zeros(n, dtype=bool), np.zeros((n, 3)))

    def only(self, which: Ints) -> LocalLight:
        """Return that of some of the dice."""
        return LocalLight(self.lacks[which], self.unknown[which], self.tint[which])


def light_around(ground: Felt, quads_mm: Floats) -> LocalLight:
    """Return the light of dice at quadrilaterals (n, 4, 2) on the tray, as the felt around them tells."""
    lacks, dark, told = felt_beside(ground, quads_mm)
    n, unknown, tint = len(quads_mm), dark - lacks > AN_EDGE, _tint(ground, quads_mm)
    if not told.any() or np.ptp(lacks[told]) <= UNEVEN:
        return LocalLight(np.zeros(n), unknown, tint)
    return LocalLight(np.where(told, lacks - lacks[told].min(), 0.0), unknown | ~told, tint)


def _tint(ground: Felt, quads_mm: Floats) -> Floats:
    """Return (n, 3) how much less light of each colour falls on each place than on all of them.

    A window's light has more blue than a lamp's; felt of one dye shows which of them falls where.
    """
    n = len(quads_mm)
    if ground.shade is None or n == 0:
        return np.zeros((n, 3))
    high, wide = ground.strange.shape
    x, y = np.round(quads_mm.mean(axis=1).T * RESIDUE_PX_PER_MM - 0.5).astype(int)
    cells = np.clip(y, 0, high - 1) * wide + np.clip(x, 0, wide - 1)
    due = ground.shade @ smooth_terms((high, wide)).take(cells, axis=1)
    weight, seen = weight_of(due), np.log(np.maximum(np.exp(due) - LIFT, 1.0))
    off = (seen - (seen * weight).sum(axis=0) / weight.sum(axis=0)) * weight
    off -= off.mean(axis=1, keepdims=True)
    return np.asarray(-off.T, np.float64) if np.ptp(off, axis=1).max() > TINTED else np.zeros((n, 3))


def felt_beside(ground: Felt, quads_mm: Floats) -> tuple[Floats, Floats, Bools]:
    """Return how much light the felt around quadrilaterals (n, 4, 2) lacks, (n,) LIGHTEST and DARKER, and which tell.

    As natural logarithms of grey values, 0 or more, and 0 where no felt tells.
    """
    n = len(quads_mm)
    lacks, dark, told = np.zeros(n), np.zeros(n), np.zeros(n, dtype=bool)
    if ground.shade is None or n == 0:
        return lacks, dark, told
    free = _bare_felt(ground, quads_mm)
    rings = [_ring(quad, free) for quad in np.round(quads_mm * RESIDUE_PX_PER_MM - 0.5).astype(np.int32)]
    depth = np.zeros(free.shape, np.float32)
    around = np.logical_or.reduce(rings)
    depth[around] = ground.depth(around)
    for k, ring in enumerate(rings):
        told[k] = np.count_nonzero(ring) >= LEAST_CELLS
        if told[k]:
            lacks[k], dark[k] = np.quantile(depth[ring], (LIGHTEST, DARKER))
    return np.maximum(lacks, 0.0), np.maximum(dark, 0.0), told


def is_even(ground: Felt, quads_mm: Floats) -> bool:
    """Return whether light is so even that colours on the tray can be compared. quads_mm: (n, 4, 2) what lies there."""
    if ground.shade is None:
        return True
    free = _bare_felt(ground, quads_mm)
    free[1::2], free[:, 1::2] = False, False  # every fourth cell tells as much
    if np.count_nonzero(free) < LEAST_CELLS:
        return True
    light, dark = np.quantile(ground.depth(free), MOST_OF_FELT)
    return bool(dark - light <= SHADOWED)


def _bare_felt(ground: Felt, quads_mm: Floats) -> Bools:
    """Return (h, w) the cells of felt beside the quadrilaterals."""
    beside = free_surface(ground.strange.shape, list(quads_mm), rim_mm=AT_RIM_MM) > 0
    return np.asarray(beside & ~ground.strange)


def _ring(outline_px: NDArray[np.int32], free: Bools) -> Bools:
    """Return (h, w) the free cells around an outline, (4, 2) whole numbers."""
    ring = np.zeros(free.shape, np.uint8)
    cv2.polylines(ring, [outline_px], True, 1, round(2 * AROUND_MM * RESIDUE_PX_PER_MM))
    return np.asarray((ring > 0) & free)
