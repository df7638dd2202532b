"""How much light falls on each die: the felt around it tells, as its colour is known from the rest of the tray.

A person's shadow, or the sun's edge, makes dice of one colour as different as dice of two; so do a lamp on one side and
a window on the other, or the bands of a lamp on the mains. What the felt around them lacks of each colour of light they
lack, too: it is given back before their colours are compared. How much that is nobody knows exactly: a die's top lies
higher than the felt. So other amounts are told as well, and what is said of colours has to hold with each of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools, Floats, Ints
from vision.ground.felt import AT_RIM_MM, RESIDUE_PX_PER_MM, Felt, free_surface
from vision.ground.felt_light import LIFT, weight_of

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
USUAL, HALF = 0.4, 0.5
"""... and what the first share has of each colour is what dice are compared by, as far as is known; what is said of
colours has to hold with what the second share has, and with what LIGHTEST has."""
UNEVEN, TINTED = 0.2, 0.07
"""Natural logarithms of grey values: where the felt at the dice differs by no more in its light, and in what it has of
each colour beside that, light is even, and nothing is given back as a rule."""
LEAST = 1.0
"""Grey values: less of a colour tells nothing."""
AN_EDGE = 0.45
"""By so much more light than at LIGHTEST the felt lacks at DARKER where a shadow's edge goes through a die's
surroundings: what light its top has nobody knows. Of 4,966 dice on 798 trays as they are eight."""
DARKENED = 0.3
"""A natural logarithm of grey values: where felt beside pieces and papers differs by less, all have one light."""


@dataclass(frozen=True, slots=True)
class LocalLight:
    """How much light n dice have."""

    lacks: Floats
    """(n,) by how much less than the one in most, as a natural logarithm of grey values; all 0 where light is even."""
    unknown: Bools
    """(n,) which lie at the edge of a shadow, or where light is uneven and no felt beside them tells how much they
    have."""
    gains: tuple[Floats, ...]
    """(n, 3) each, blue green red: by how much their grey values are to be multiplied before they are compared. The
    first is the likeliest."""

    @classmethod
    def even(cls, n: int) -> LocalLight:
        """Return the same light for n dice."""
        return cls(np.zeros(n), np.zeros(n, dtype=bool), (np.ones((n, 3)),))

    def only(self, which: Ints) -> LocalLight:
        """Return that of some of the dice."""
        return LocalLight(self.lacks[which], self.unknown[which], tuple(gain[which] for gain in self.gains))


def light_around(ground: Felt, quads_mm: Floats) -> LocalLight:
    """Return the light of dice at quadrilaterals (n, 4, 2) on the tray, as the felt around them tells."""
    felt, told = _felt_around(ground, quads_mm)
    if not told.any():
        return LocalLight.even(len(quads_mm))
    weight = weight_of(np.log(np.exp(felt[2, told].mean(axis=0)) + LIFT)[:, None])[:, 0]
    half, usual, lighter = (_lacking(felt[k], told, weight) for k in range(1, 4))
    unknown = told & (((felt[3] - felt[0]) * weight).max(axis=1) > AN_EDGE)
    light = usual @ weight / weight.sum()
    tint = (usual - light[:, None]) * weight
    if np.ptp(light) <= UNEVEN and np.ptp(tint, axis=0).max() <= TINTED:
        return LocalLight(np.zeros(len(told)), unknown, (np.ones_like(usual), np.exp(usual)))
    gains = tuple(np.exp(lacks) for lacks in (usual, half, lighter))
    return LocalLight(light - light.min(), unknown | ~told, gains)


def _lacking(felt: Floats, told: Bools, weight: NDArray[np.floating]) -> Floats:
    """Return (n, 3) how much less light dice have than where there is most, colour by colour.

    felt: (n, 3) logarithms of the felt's grey values beside them, where told (n,); elsewhere as much as those have on
    the average. weight: (3,) how much each colour of the felt says: what it hardly has is told by the others.
    """
    seen = np.where(told[:, None], felt, felt[told].mean(axis=0))
    lacks = seen.max(axis=0) - seen
    light = (lacks @ weight / weight.sum())[:, None]
    lacks = light + (lacks - light) * weight
    return np.asarray(lacks - lacks.min(axis=0), np.float64)


def _felt_around(ground: Felt, quads_mm: Floats) -> tuple[Floats, Bools]:
    """Return (4, n, 3) the logarithms of the grey values of the felt around quadrilaterals (n, 4, 2), and which tell.

    At DARKER, HALF, USUAL and LIGHTEST. 0 where no felt tells.
    """
    n = len(quads_mm)
    felt, told = np.zeros((4, n, 3)), np.zeros(n, dtype=bool)
    if ground.shade is None:
        return felt, told
    shares = 1 - np.array([DARKER, HALF, USUAL, LIGHTEST])
    for k, ring in enumerate(_rings(ground, quads_mm)):
        seen = ground.bgr[ring]
        told[k] = len(seen) >= LEAST_CELLS
        if told[k]:
            felt[:, k] = np.log(np.maximum(np.quantile(seen, shares, axis=0), LEAST))
    return felt, told


def felt_beside(ground: Felt, quads_mm: Floats) -> tuple[Floats, Floats, Bools]:
    """Return how much light the felt around quadrilaterals (n, 4, 2) lacks, (n,) LIGHTEST and DARKER, and which tell.

    As natural logarithms of grey values, 0 or more, and 0 where no felt tells.
    """
    n = len(quads_mm)
    lacks, dark, told = np.zeros(n), np.zeros(n), np.zeros(n, dtype=bool)
    if ground.shade is None or n == 0:
        return lacks, dark, told
    rings = _rings(ground, quads_mm)
    depth = np.zeros(ground.strange.shape, np.float32)
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


def _rings(ground: Felt, quads_mm: Floats) -> list[Bools]:
    """Return (h, w) the bare felt around each quadrilateral (n, 4, 2)."""
    free = _bare_felt(ground, quads_mm)
    return [_ring(quad, free) for quad in np.round(quads_mm * RESIDUE_PX_PER_MM - 0.5).astype(np.int32)]


def _ring(outline_px: NDArray[np.int32], free: Bools) -> Bools:
    """Return (h, w) the free cells around an outline, (4, 2) whole numbers."""
    ring = np.zeros(free.shape, np.uint8)
    cv2.polylines(ring, [outline_px], True, 1, round(2 * AROUND_MM * RESIDUE_PX_PER_MM))
    return np.asarray((ring > 0) & free)
