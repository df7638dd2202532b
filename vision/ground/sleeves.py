"""Sleeves of the felt's own hue: they pass for a shadow or a lamp's spot on felt, but go on over the rim as they are.

In a shadow the rim, or the table, is as much darker as the felt is, and stays the rim. Where the felt's colour goes on
beyond its edge, which is not that of the rim elsewhere along this side, in whatever light, and ends at once at either
side, as a lamp's spot does not, something lies over both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools, Floats, Ints, runs
from vision.ground.felt import RESIDUE_PX_PER_MM, Felt, free_surface
from vision.ground.felt_light import LIFT
from vision.ground.smooth import smooth_terms
from vision.tray.rectify import Image

IN_MM, BEYOND_MM = (4.0, 30.0), (3.0, 17.0)
"""Felt so far within its edge is compared with what lies so far beyond it."""
FIRST, LAST = (round(at * RESIDUE_PX_PER_MM) for at in IN_MM)
NEAR, FAR = (round(at * RESIDUE_PX_PER_MM) for at in BEYOND_MM)
OUTERMOST_MM = 2.0
"""Felt no further from its edge is that of the rim, in part."""
MOSTLY, OF_RIM, LEAST_FELT = 0.6, 0.3, 0.3
"""Share of a column's cells that has to look so; of what lies beyond the felt that has to be no rim: a sleeve may have
the colour of the table beyond a narrow one; and least share of its felt on which nothing else lies."""
AS_INSIDE = 0.25
"""A natural logarithm of grey values: what lies beyond the felt's edge, and at it, differs by less from what lies
within, in the colour that differs most."""
NO_RIM = 0.3
"""... and by more from the rim elsewhere along this side, both as it is and in the light of the felt here."""
WIDE_MM = 18.0
"""A sleeve is so wide at least."""
END_MM, SIDE_MM, AT_ONCE = 9.0, 8.0, 0.25
"""So far on, what lies beyond the felt, or within, differs by so much, over so wide a piece of it on either side: there
something ends. Of 130 sleeves it differs by 0.38 at least, but for one (0.25); of lamps' spots that make a rim look
like felt, on two of 1,620 trays, by 0.18 at most."""


@dataclass(frozen=True, slots=True)
class _Side:
    """What is seen along a side of the tray, turned so that its edge runs along the top."""

    light: NDArray[np.float32]
    """(3, h, w) logarithms of grey values, from beyond the felt's edge to within it, along the felt."""
    rim: NDArray[np.float32]
    """(3, h, 1) what lies beyond the felt as a rule."""

    @classmethod
    def of(cls, light: NDArray[np.float32]) -> _Side:
        """Return such a side. light: as there."""
        return cls(light, np.asarray(np.median(light[:, : FAR - NEAR], axis=2, keepdims=True)))

    @property
    def beyond(self) -> NDArray[np.float32]:
        return self.light[:, : FAR - NEAR]

    @property
    def edge(self) -> NDArray[np.float32]:
        return self.light[:, FAR - NEAR : FAR + FIRST]

    @property
    def inside(self) -> NDArray[np.float32]:
        return self.light[:, FAR + FIRST :]


def is_sleeve_over(flat_bgr: Image, ground: Felt, taken_mm: Sequence[Floats], *, margin_mm: float) -> bool:
    """Return whether something of one colour lies over felt and rim; 1 to 2 ms.

    flat_bgr: the tray rectified, with a margin around it, BEYOND_MM wide at least; taken_mm: (4, 2) each, pieces and
    markers. None is seen where too little felt is to compare with.
    """
    if ground.shade is None:
        return False
    high, wide = ground.strange.shape
    margin = round(margin_mm * RESIDUE_PX_PER_MM)
    small = cv2.resize(flat_bgr, (wide + 2 * margin, high + 2 * margin), interpolation=cv2.INTER_AREA)
    light = np.log(np.moveaxis(small, 2, 0) + np.float32(LIFT))
    sides = [_side(light, turns, margin) for turns in range(4)]
    # What crosses the rim in the felt's colour is seen at once, and seldom: the rest can wait for it.
    crossing = [_crosses(side) for side in sides]
    perhaps = [turns for turns, on in enumerate(crossing) if _wide(on)]
    if not perhaps:
        return False
    free = free_surface((high, wide), list(taken_mm), rim_mm=OUTERMOST_MM) > 0
    due = (ground.shade @ smooth_terms((high, wide))).reshape(3, high, wide)
    return any(
        _is_over(sides[turns], crossing[turns], *(_turned(values, turns)[..., FIRST:LAST, :] for values in (due, free)))
        for turns in perhaps
    )


def _side(light: NDArray[np.float32], turns: int, margin: int) -> _Side:
    """Return what is seen along the edge that is the upper one after so many quarter turns.

    light: (3, h, w) logarithms of grey values, of the felt and so much around it.
    """
    return _Side.of(_turned(light, turns)[:, margin - FAR : margin + LAST, margin:-margin])


def _turned(values: NDArray[Any], turns: int) -> NDArray[Any]:
    """Return (..., h, w) values turned by so many quarters, anticlockwise."""
    return np.rot90(values, turns, axes=(-2, -1))


def _is_over(side: _Side, crosses: Bools, due: NDArray[np.float32], free: Bools) -> bool:
    """Return whether something of one colour lies over the edge.

    crosses: (w,) of `_crosses`; due: (3, h, w) logarithms of grey values of bare felt inside; free: (h, w) where no
    piece lies.
    """
    on = crosses & (free.mean(axis=0) >= LEAST_FELT)
    at = np.flatnonzero(on)
    seen, gain = (_medians(values[..., at], free[:, at]) for values in (side.inside, side.inside - due))
    on[at] = _goes_on(side, seen, at) & _differs(side.beyond[..., at], side.rim + gain)
    return any(_ends_at_once(side, run) for run in _wide(on))


def _crosses(side: _Side) -> Bools:
    """Return (w,) where beyond the felt is no rim, but what most of the felt within shows, pieces or not."""
    on = _differs(side.beyond, side.rim)
    at = np.flatnonzero(on)
    if len(at):
        on[at] = _goes_on(side, np.median(side.inside[..., at], axis=1, keepdims=True), at)
    return on


def _goes_on(side: _Side, seen: NDArray[np.float32], at: Ints) -> Bools:
    """Return (n,) in which of some columns (n,) a colour (3, 1, n) goes on to the felt's edge and beyond it."""
    edge, beyond = (np.abs(values[..., at] - seen).max(axis=0) < AS_INSIDE for values in (side.edge, side.beyond))
    return _mostly(edge) & _mostly(beyond)


def _differs(beyond: NDArray[np.float32], rim: NDArray[np.float32]) -> Bools:
    """Return (w,) in which columns enough of (3, h, w) is no rim, (3, h, 1 or w)."""
    return np.asarray((np.abs(beyond - rim).max(axis=0) > NO_RIM).mean(axis=0) >= OF_RIM)


def _mostly(holds: Bools) -> Bools:
    """Return (w,) in which columns of (h, w) it holds for most."""
    return np.asarray(holds.mean(axis=0) >= MOSTLY)


def _medians(values: NDArray[np.float32], there: Bools) -> NDArray[np.float32]:
    """Return (3, 1, w) the medians along columns of (3, h, w) values, of those that are there, in each column some."""
    # numpy's nanmedian takes ten times as long.
    ordered = np.sort(np.where(there, values, np.float32(np.inf)), axis=1)
    return np.asarray(np.take_along_axis(ordered, there.sum(axis=0)[None, None] // 2, axis=1))


def _ends_at_once(side: _Side, run: tuple[int, int]) -> bool:
    """Return whether what lies over the edge in a run of columns ends at once, wherever it does."""
    colour = np.median(side.beyond[..., slice(*run)], axis=(1, 2), keepdims=True)
    alike = _mostly(np.abs(side.beyond - colour).max(axis=0) < AS_INSIDE)
    return all(
        max(_step_after(values[..., ::way], alike[::way], start) for values in (side.beyond, side.inside)) > AT_ONCE
        for way, start in ((1, run[1]), (-1, len(alike) - run[0]))
    )


def _step_after(values: NDArray[Any], alike: Bools, start: int) -> float:
    """Return by how much values (3, h, w) differ where columns are first not alike (w,), from one on.

    Infinite where they are alike to the end of the side.
    """
    end, piece = (round(at * RESIDUE_PX_PER_MM) for at in (END_MM, SIDE_MM))
    at = start + int(np.argmin(alike[start:])) if not alike[start:].all() else len(alike)
    before, after = values[..., max(0, at - piece) : at], values[..., at + end : at + end + piece]
    if after.shape[2] == 0:
        return float("inf")
    return float(np.abs(np.median(before, axis=(1, 2)) - np.median(after, axis=(1, 2))).max())


def _wide(on: Bools) -> list[tuple[int, int]]:
    """Return the first column of each run that is wide enough, and the one after its last."""
    return [(first, end) for first, end in runs(on).tolist() if end - first >= round(WIDE_MM * RESIDUE_PX_PER_MM)]
