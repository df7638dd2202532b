"""Disks that lie partly under others: of these the finder sees the upper one alone, and a part of the lower.

A disk is round, and of a size that is known. What sticks out of it on one side, and is neither felt, nor a shadow, nor
a piece that was found, nor the disk's own edge seen aslant, is another one below; and so is a crescent beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.crescents import DIRECTIONS, RAYS, REACH, crescent
from vision.geometry import Bools, Floats, Ints, nearest, scaled, widths
from vision.ground.felt import Felt
from vision.ground.felt_light import LIFT
from vision.tray.aslant import Camera
from vision.tray.rectify import Image, Tray, seen_at

STEP_MM = 0.5
"""How far one looks at a time."""
NEAR, FAR = 0.8, 1.95
"""From where to where, over the disk's radius: further in it may show ink in the felt's colour."""
INSIDE, OFF = 0.95, 1.4
"""Up to the first, over its radius, a disk shows its own colour; beyond the second lies felt for the most part, as what
is under the disk lies on one side."""
MOSTLY = 0.8
"""Share of what is passed on the way outwards that must be more than felt: a shadow of the upper disk parts the two."""
ALIKE, APART = 0.5, 0.08
"""What differs from the disk by less than the first, over how much it differs from felt, and from felt by more than the
second, as natural logarithms, is of the disk's colour: a dark disk may look like felt in a shadow."""
ONE_SIDE, AS_FOUND = 24, 2.0
"""So many neighbouring rays, those that a circle fits best, say where the upper disk ends; and what weight, in rays, it
has that it ends where it was found."""
ENOUGH_RAYS = 20
"""... and of these where it ends must be known of so many: a circle fits a few whatever they say."""
LARGEST_ERROR = 0.25
"""... and how far from there at most, over the radius: where a camera smears colours, felt beside a red disk is red."""
ABOUT, LEAST_OF_THEM = 4, 0.2
"""What sticks out does so in so many neighbouring directions on either side, but for this share of them: a second
circle is a broad bump, and its ink may look like felt."""
STICKS_OUT = 0.22
"""What sticks out further than this, over the radius, is asked about. Of 1,461 disks on 265 trays of two programs,
all of them alone, two of one tray did (0.29, next 0.19); of 487 on 97 more one of a blurred tray (0.24, next 0.20)."""
SEVERAL, PLAIN, MOST_MORE = 4, 0.1, 0.1
"""Of so many disks and more three quarters hardly lie on others. Where the plainest quarter of them seem to stick out
by more than the second, the picture is not sharp: that much more must stick out, up to the third."""
SAME_WAY, TURN = 0.35, 2
"""... and what sticks out of half of so many disks the same way, give or take so many rays, is their shadow, as dark as
they are, up to the first. On two of 60 trays by a browser seven of eight and four of five did by 0.23 to 0.36, to
within 25 degrees of each other."""
CRESCENT = 0.59
"""From here on a crescent is asked about that nothing seems to link to its disk. Of the same disks one reaches 0.57 and
no other 0.5."""
SHADOWS, SAME_SIDE = 0.3, 0.7
"""... unless as many as SEVERAL disks have such crescents by the first on the same side, as the cosine between is more
than the second: shadows. Of 40 trays with piled disks none has more than two so; two of 150 without had four and
five."""
THICK_MM, OFTEN = 4.0, 0.6
"""How much of a disk's edge is seen aslant at most, and which share of that as a rule."""
GROWN_MM, GROWN = 2.0, 1.25
"""What is known is known to lie within so much around disks, and this times other pieces: tiles have arcs."""
TOO_NEAR = (0.3, 0.93)
"""So far from a disk, over its width, from middle to middle, lies nothing but what is under it, or on it. Nearer it is
the disk itself, found twice. Beside the disks of 99 usual traced trays nothing was found there."""
RIM_MM = 3.0
"""So near to the felt's edge a rim may hide it, or its shadow."""
MAP_PX_PER_MM = 2.0


@dataclass(frozen=True, slots=True)
class _Around:
    """The felt around the disks of one picture, and what else was found there."""

    soft_bgr: Image
    tray: Tray
    ground: Felt
    camera: Camera
    known: NDArray[np.int32]
    """(h, w) at MAP_PX_PER_MM which disk lies where, counted from 1, -1 for other pieces and the rim, 0 for none."""

    def lower(self, disks: Floats) -> list[Floats | None]:
        """Return for each disk (n, 4, 2) the vector (2,) mm to one that lies below it; None where none is seen."""
        outlines = np.array([self.outline(disk, k + 1) for k, disk in enumerate(disks)]).reshape(-1, RAYS)
        limit = STICKS_OUT
        if len(disks) >= SEVERAL:
            outlines = outlines - _of_half(outlines)
            plain = float(np.quantile(outlines.max(axis=1), 1 / SEVERAL))
            limit += float(np.clip(plain - PLAIN, 0.0, MOST_MORE))
        return [
            _bump(disk, outline) if outline.max() > limit else beside
            for disk, outline, beside in zip(disks, outlines, self._crescents(disks), strict=True)
        ]

    def _crescents(self, disks: Floats) -> list[Floats | None]:
        """Return for each disk the vector (2,) mm to the one whose crescent lies beside it; None where none does."""
        seen = [self.crescent(disk, k + 1) for k, disk in enumerate(disks)]
        sure, there = np.array([s for s, _ in seen]), np.array([way for _, way in seen]).reshape(-1, 2)
        way = there / np.maximum(np.linalg.norm(there, axis=1, keepdims=True), 1e-9)
        alike = (way @ way.T > SAME_SIDE) & (sure > SHADOWS)
        asked = (sure > CRESCENT) & (alike.sum(axis=1) < SEVERAL)
        return [beside if ask else None for beside, ask in zip(there, asked.tolist(), strict=True)]

    def outline(self, disk: Floats, number: int) -> Floats:
        """Return (RAYS,) how far something sticks out of a disk (4, 2) each way, over its radius."""
        middle, radius = disk.mean(axis=0), _radius(disk)
        edge_mm = np.clip(DIRECTIONS @ (self.camera.foot_of(middle, height_mm=THICK_MM) - middle), 0.0, None)
        ends = self._ends(middle, radius, number) - OFTEN * edge_mm
        out = np.nan_to_num(ends - _circle(ends, radius) - (1 - OFTEN) * edge_mm, nan=-radius)
        return np.asarray(np.quantile(_to_either_side(out, ABOUT), LEAST_OF_THEM, axis=0)) / radius

    def crescent(self, disk: Floats, number: int) -> tuple[float, Floats]:
        """Return how surely a crescent lies beside a disk (4, 2), as `crescents` has it, and the vector there, mm."""
        middle, radius = disk.mean(axis=0), _radius(disk)
        at_mm = middle + DIRECTIONS[:, None] * (radius * REACH)[None, :, None]
        free = self._free(at_mm, number)
        more = self._more_than_felt(at_mm, inside=REACH < INSIDE, felt=free & (REACH > OFF))
        sure, way = crescent(more, free)
        return sure, radius * way

    def _ends(self, middle: Floats, radius: float, number: int) -> Floats:
        """Return (RAYS,) how far from its edge, in mm, ends what is seen of a disk and of what sticks out of it.

        NaN where another piece may hide the disk's edge.
        """
        reach = np.arange(NEAR * radius, FAR * radius, STEP_MM)
        at_mm = middle + DIRECTIONS[:, None] * reach[None, :, None]
        free = self._free(at_mm, number)
        more = self._more_than_felt(at_mm, inside=reach < INSIDE * radius, felt=free & (reach > OFF * radius))
        share = np.cumsum(more & free, axis=1) / np.arange(1, len(reach) + 1)
        good = (share >= MOSTLY) & more & np.logical_and.accumulate(free, axis=1)
        last = len(reach) - 1 - good[:, ::-1].argmax(axis=1)
        ends = np.where(good.any(axis=1), reach[last] + STEP_MM / 2, NEAR * radius) - radius
        return np.asarray(np.where(free[:, reach < radius].all(axis=1), ends, np.nan))

    def _free(self, at_mm: Floats, number: int) -> Bools:
        """Return (...) at which of the points (..., 2) no piece lies but the disk of that number."""
        return _at((self.known == 0) | (self.known == number), at_mm)

    def _more_than_felt(self, at_mm: Floats, *, inside: Bools, felt: Bools) -> Bools:
        """Return (RAYS, m) where neither felt nor its shadow is seen, or the disk's colour, as `inside` (m,) has it.

        felt: (RAYS, m) where hardly anything but felt is seen.
        """
        seen = seen_at(self.soft_bgr, self.tray, at_mm)
        off, strange = self.ground.unlike_at(seen.reshape(-1, 3), at_mm.reshape(-1, 2), mostly_felt=felt.reshape(-1))
        light = np.log(seen + LIFT)
        own = np.median(light[:, inside].reshape(-1, 3), axis=0)
        off, alike = off.reshape(at_mm.shape[:2]), np.abs(light - own).max(axis=2)
        return np.asarray(strange.reshape(off.shape) | ((alike < ALIKE * off) & (off > APART)))


def under_others(
    picture_bgr: Image, tray: Tray, ground: Felt, camera: Camera, *, disks_mm: Floats, others_mm: Sequence[Floats]
) -> list[Floats]:
    """Return the outlines (4, 2) of what lies under disks, in millimetres.

    disks_mm: (n, 4, 2) squares around the disks that were found; others_mm: (4, 2) each, tiles and markers. Nothing
    where too little felt is seen to compare with. A disk of the felt's own colour is not seen, nor one that sticks out
    by less than STICKS_OUT.
    """
    if ground.shade is None:
        return []
    soft = np.asarray(cv2.blur(picture_bgr, (3, 3)), dtype=np.uint8)
    around = _Around(soft, tray, ground, camera, _known(tray, disks_mm, others_mm))
    return [disk + there for disk, there in zip(disks_mm, around.lower(disks_mm), strict=True) if there is not None]


def half_under(disks_mm: Floats, others_mm: Floats) -> list[Floats]:
    """Return which of the finds (m, 4, 2) that are not read lie half under disks (n, 4, 2), outlines (4, 2) of each.

    A disk of the felt's own colour shows neither an edge that is strange to felt nor a whole face; but the finder sees
    that something is there, and two disks cannot lie so near to each other on the felt.
    """
    if len(disks_mm) == 0:
        return []
    wide = float(np.median(widths(disks_mm)))
    away = nearest(others_mm.mean(axis=1), disks_mm.mean(axis=1)) / wide
    return list(others_mm[(away > TOO_NEAR[0]) & (away < TOO_NEAR[1])])


def _radius(disk: Floats) -> float:
    """Return that of a disk in the square (4, 2) around it."""
    return float(widths(disk[None])[0]) / 2


def _to_either_side(around: Floats, rays: int) -> Floats:
    """Return (2 rays + 1, ..., RAYS) what is said all around, (..., RAYS), turned by up to so many rays."""
    return np.stack([np.roll(around, step, axis=-1) for step in range(-rays, rays + 1)])


def _of_half(outlines: Floats) -> Floats:
    """Return (RAYS,) what half of n disks have in common, as the shadow of a lamp. outlines: (n, RAYS)."""
    common = np.median(_to_either_side(outlines, TURN).max(axis=0), axis=0)
    return np.asarray(np.clip(common, 0.0, SAME_WAY))


def _bump(disk: Floats, outline: Floats) -> Floats:
    """Return the vector (2,) to what sticks furthest out of a disk (4, 2). outline: (RAYS,) as `_Around.outline`."""
    return np.asarray(_radius(disk) * outline.max() * DIRECTIONS[outline.argmax()])


def _circle(ends: Floats, radius: float) -> Floats:
    """Return (RAYS,) where the upper disk ends by those of its rays that one circle fits best.

    ends: (RAYS,), NaN where nobody knows.
    """
    terms = np.column_stack([np.ones(RAYS), DIRECTIONS])
    rays = (np.arange(0, RAYS, 2)[:, None] + np.arange(ONE_SIDE)) % RAYS
    known = ~np.isnan(ends)[rays]
    a, end = terms[rays] * known[..., None], np.nan_to_num(ends)[rays][..., None]
    across = a.transpose(0, 2, 1)
    fits = np.linalg.solve(across @ a + AS_FOUND * np.eye(3), across @ end)
    count = known.sum(axis=1)
    # What is not known is 0 on either side.
    off = np.abs(end - a @ fits).sum(axis=(1, 2)) / np.maximum(count, 1)
    off[count < min(ENOUGH_RAYS, count.max())] = np.inf
    best = fits[off.argmin(), :, 0]
    return np.asarray(terms @ np.clip(best, -LARGEST_ERROR * radius, LARGEST_ERROR * radius))


def _known(tray: Tray, disks_mm: Floats, others_mm: Sequence[Floats]) -> NDArray[np.int32]:
    wide, high = tray.size_mm
    out = np.full((round(high * MAP_PX_PER_MM), round(wide * MAP_PX_PER_MM)), -1, np.int32)
    rim = round(RIM_MM * MAP_PX_PER_MM)
    out[rim:-rim, rim:-rim] = 0
    for k, disk in enumerate(disks_mm):
        radius = _radius(disk) + GROWN_MM
        x, y = _cells(disk.mean(axis=0)).tolist()
        cv2.circle(out, (x, y), round(radius * MAP_PX_PER_MM), k + 1, -1)
    for piece in others_mm:
        cv2.fillConvexPoly(out, _cells(scaled(piece, GROWN)).astype(np.int32), -1)
    return out


def _at(mask: Bools, points_mm: Floats) -> Bools:
    """Return what a mask (h, w) at MAP_PX_PER_MM says at points (..., 2), and False beyond it."""
    column, row = np.moveaxis(_cells(points_mm), -1, 0)
    h, w = mask.shape
    within = (column >= 0) & (column < w) & (row >= 0) & (row < h)
    return np.asarray(within & mask[np.clip(row, 0, h - 1), np.clip(column, 0, w - 1)])


def _cells(points_mm: Floats) -> Ints:
    return np.asarray(np.round(points_mm * MAP_PX_PER_MM - 0.5), dtype=np.int64)
