"""Light with hard edges on felt: a window or a lamp's tube mirrored in a sheet over the tray, or a spot of sunlight.

As large as an arm, and no felt by its colour, it would be waited for as long as it lasts. But felt and light are all
that is seen there: the felt's weave goes on, with as much nearly white light added everywhere, or in the felt's own
hue, so many times as bright everywhere. An arm has a surface of its own, is round, so that its middle is lighter than
its sides, and it comes in over the rim: beyond the felt it goes on as it is, where light on felt ends or changes.

What passes for light here is never read over, only asked about: an even sleeve may come near to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.paint import linear
from vision.geometry import Bools, Floats
from vision.ground.blobs import about
from vision.ground.felt import AROUND_MM, RESIDUE_PX_PER_MM, Felt, free_surface
from vision.ground.felt_light import LIFT, gain_of, weight_of
from vision.ground.smooth import smooth_terms
from vision.tray.rectify import Image

PALER = 0.004
"""Least light that counts as added, over that of full white."""
ADDED_EVENLY, GAINED_EVENLY = 0.22, 0.1
"""Natural logarithms: what lies in so narrow a range of light added, or of grey values over the felt's, is as light."""
ADDED_SHARE, GAINED_SHARE = 0.4, 0.8
"""... and so much of a place must be. Of 144 parts of mirrored windows and tubes on 33 traced trays 134 have the first
(their edges are soft, too), of ten spots of sunlight nine the second. Of 46 hands on traced trays 15 have the first,
none the second; of 197 sleeves laid over traced trays 92 and 19, most of them smooth ones in even light."""
WHITE = 1.4
"""Of that light the colour with most has at most so much more than the one with least. Lamps and windows have 1.0 to
1.3; of those 15 hands none has less than 1.6."""
HUE = 0.12
"""A natural logarithm of grey values: in sunlight felt's colours differ by no more from what they should be."""
ADDED_WEAVE, GAINED_WEAVE = (0.5, 2.1), (0.75, 1.6)
"""How much weave is seen over that of bare felt: of light where it is added, as a logarithm where felt is brighter. Of
mirrored windows it is 0.6 to 1.5 and of tubes 2.1 at most, of sunlight 0.8 to 1.3; of sleeves with a weave 2 to 40, but
of smooth ones as little as of felt."""
NEAR_MM, BEYOND_MM = 18.0, (2.0, 16.0)
"""What lies so near to the felt's edge is compared with what lies so far beyond it."""
AS_BEFORE, MOSTLY = 0.3, 0.4
"""Where so much of what lies beyond differs by less, as a natural logarithm of grey values, a thing goes on there."""
GOES_ON_MM = 6.0
"""A thing that goes on over so much of the edge reaches in. Of the 197 sleeves all do, over 8 mm at least, and 40 of
the 46 hands; of 154 parts of light 130 do not."""
AWAY_CELLS = 3
"""Felt so far from anything strange is bare."""
ENOUGH = 100
"""Cells of bare felt by which its weave is known."""


def is_only_light(
    flat_bgr: Image, ground: Felt, cells: Bools, taken_mm: Sequence[Floats], *, px_per_mm: float, margin_mm: float
) -> bool:
    """Return whether what is strange looks like felt in a light with hard edges. About 10 ms.

    flat_bgr: the tray rectified, with a margin around it; cells: (h, w) of `ground` that are strange; taken_mm: (4, 2)
    each, pieces and markers.
    """
    bare = _bare(ground, taken_mm)
    if ground.shade is None or np.count_nonzero(bare) < ENOUGH or not cells.any():
        return False
    edge = round(margin_mm * px_per_mm)
    felt = flat_bgr[edge:-edge, edge:-edge]
    seen = ground.bgr.reshape(-1, 3).T
    due = np.maximum(np.exp(ground.shade @ smooth_terms(cells.shape)) - LIFT, 0.0)
    alike = _added(felt, seen, due, cells, bare) or _gained(felt, seen, due, cells, bare)
    return alike and not _goes_on(flat_bgr, _with_taken(cells, taken_mm), margin_mm=margin_mm)


def _bare(ground: Felt, taken_mm: Sequence[Floats]) -> Bools:
    """Return (h, w) where bare felt lies."""
    shape = ground.strange.shape
    return (free_surface(shape, list(taken_mm)) > 0) & ~_grown(ground.strange, AWAY_CELLS)


def _added(felt: Image, seen: NDArray[np.uint8], due: NDArray[np.float32], cells: Bools, bare: Bools) -> bool:
    """Return whether the same nearly white light is added to felt everywhere. seen, due: (3, h w) grey values."""
    more = linear(seen[:, cells.ravel()]) - linear(due[:, cells.ravel()].astype(np.float64))
    light = np.log(np.maximum(more.mean(axis=0), 1e-9))
    even = _evenly(light, ADDED_EVENLY) & (light > np.log(PALER))
    if even.mean() < ADDED_SHARE:
        return False
    of_three = np.median(more[:, even], axis=1)
    white = of_three.max() < WHITE * of_three.min()
    return bool(white) and _woven(linear(felt).mean(axis=2), cells, even, bare, ADDED_WEAVE)


def _gained(felt: Image, seen: NDArray[np.uint8], due: NDArray[np.float32], cells: Bools, bare: Bools) -> bool:
    """Return whether felt is as many times brighter everywhere, in its own hue. seen, due: as for `_added`."""
    light, lit = (np.log(x[:, cells.ravel()].astype(np.float32) + np.float32(LIFT)) for x in (seen, due))
    gain = gain_of(light, lit)
    even = _evenly(gain, GAINED_EVENLY) & (gain > 0.0)
    if even.mean() < GAINED_SHARE:
        return False
    tint = (np.abs(light - lit - gain) * weight_of(lit)).max(axis=0)
    of_hue = np.median(tint[even]) < HUE
    return bool(of_hue) and _woven(np.log(felt.mean(axis=2) + LIFT), cells, even, bare, GAINED_WEAVE)


def _evenly(values: NDArray[Any], wide: float) -> Bools:
    """Return (n,) which values lie in the range, so wide, in which most of them do."""
    ordered = np.sort(values)
    ends = np.searchsorted(ordered, ordered + wide)
    start = int((ends - np.arange(len(ordered))).argmax())
    return np.asarray((values >= ordered[start]) & (values < ordered[start] + wide))


def _woven(light: NDArray[Any], cells: Bools, even: Bools, bare: Bools, within: tuple[float, float]) -> bool:
    """Return whether as much weave is seen as on bare felt. light: (H, W) the felt; even: which of the cells count."""
    over = np.median(_weave(light, bare)[cells][even])
    return bool(within[0] < over < within[1])


def _weave(light: NDArray[Any], bare: Bools) -> NDArray[np.float32]:
    """Return (h, w) how much finer than two pixels is seen along the direction with least, over that of bare felt.

    Along the edge of a light, however soft, nothing changes but the felt.
    """
    high, wide = bare.shape
    picture, least = light.astype(np.float32), np.full(bare.shape, np.inf, np.float32)
    for down, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
        kernel = np.zeros((3, 3), np.float32)
        kernel[1, 1], kernel[1 + down, 1 + across], kernel[1 - down, 1 - across] = 1.0, -0.5, -0.5
        fine = np.abs(cv2.filter2D(picture, -1, kernel)).astype(np.float32)
        around = cv2.blur(cv2.resize(fine, (wide, high), interpolation=cv2.INTER_AREA), (5, 5))
        least = np.minimum(least, around / max(1e-9, float(np.median(around[bare]))))
    return least


def _with_taken(cells: Bools, taken_mm: Sequence[Floats]) -> Bools:
    """Return the cells with those of pieces and markers beside them: what was found there may be a part of an arm."""
    taken = about(cells.shape, taken_mm, px_per_mm=RESIDUE_PX_PER_MM, around_mm=AROUND_MM)
    _, label = cv2.connectedComponents(taken.astype(np.uint8), connectivity=8)
    beside = np.unique(label[_grown(cells, 1) & taken])
    return cells | np.isin(label, beside[beside > 0])


def _goes_on(flat_bgr: Image, cells: Bools, *, margin_mm: float) -> bool:
    """Return whether a thing (h, w) that comes near to the felt's edge goes on beyond it.

    A picture that ends there is repeated beyond its edge: then nobody knows, and it does.
    """
    margin = round(margin_mm * RESIDUE_PX_PER_MM)
    size = (cells.shape[1] + 2 * margin, cells.shape[0] + 2 * margin)
    small = np.log(cv2.resize(flat_bgr, size, interpolation=cv2.INTER_AREA) + np.float32(LIFT))
    longest = round(GOES_ON_MM * RESIDUE_PX_PER_MM)
    for turns in range(4):
        on = _as_before(np.rot90(small, turns), np.rot90(cells, turns), margin)
        if cv2.erode(on[None].astype(np.uint8), np.ones((1, longest), np.uint8), borderValue=0).any():
            return True
    return False


def _as_before(light: NDArray[Any], cells: Bools, margin: int) -> Bools:
    """Return (w,) along which columns what lies beyond the upper edge looks like the cells (h, w) near to it.

    light: (h, w, 3) logarithms of grey values, with so many rows and columns beyond the edges of the cells.
    """
    far, near = (round(BEYOND_MM[k] * RESIDUE_PX_PER_MM) for k in (1, 0))
    deep, wide = round(NEAR_MM * RESIDUE_PX_PER_MM), cells.shape[1]
    columns = light[:, margin : margin + wide]
    there, beyond = cells[:deep], columns[margin - far : margin - near]
    out: Bools = np.asarray(there.any(axis=0))
    for k in np.flatnonzero(out):
        usual = np.median(columns[margin : margin + deep, k][there[:, k]], axis=0)
        out[k] = (np.abs(beyond[:, k] - usual).max(axis=1) < AS_BEFORE).mean() >= MOSTLY
    return out


def _grown(cells: Bools, by: int) -> Bools:
    size = 2 * by + 1
    return np.asarray(cv2.dilate(cells.astype(np.uint8), np.ones((size, size), np.uint8)) > 0)
