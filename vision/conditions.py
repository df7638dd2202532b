"""What the picture is like: hands, things nobody expected, darkness, blur, glare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.reading import Problem
from vision.rectify import Image, Tray

HAND_MM2 = 250.0
"""A smaller patch of hand is a smudge of the net, not a finger."""
HAND_CERTAIN = 0.5
HAND_CELL_MM = 8.0
"""Side of one value of the hand map."""
DARK_LEVEL = 28.0
"""Usual brightness of the tray (0..255) below which a picture is called dark."""
BLUR_SHARPNESS = 0.13
"""Ratio of fine to coarse contrast on the pieces below which a picture is called blurred."""
BLOWN_OUT = 250
"""Of 255: the weakest colour of what is as white as a picture can be."""
GLARE_SHARE = 0.06
"""Share of a tile that is blown out from which glare is reported."""
BARE = 0.2
"""A piece of which less than this share differs from the felt is no piece, unless a symbol is read on it."""
UNLIKE = 0.12
"""`Felt.unlike` from which a place differs from lit felt. Of 4,359 bare places of a tile's size on traced trays none
reached 0.11, of 43 backs that pass for felt in a shadow all had 0.14 and more."""
FELT_NOISE = 4.0
RESIDUE_PX_PER_MM = 0.5
SHADOW_TINT = 0.3
"""How differently the three colours may fade in a shadow, as a natural logarithm."""
LIFT = 4.0
"""Grey values added before logarithms are taken."""
HARDLY = 20.0
"""Grey value of a colour that felt hardly has."""
LAMP_GAIN, LAMP_TINT = 0.5, 0.08
"""How much brighter, and how little differently so in its three colours, felt is under the spot of a lamp."""
RESIDUE_MM2 = 110.0
"""The smallest thing that can be a die or half a tile."""
ARM_MM2 = 700.0
"""Something larger than this that reaches in over the edge is an arm."""
HEAP_MM2 = 2500.0
"""Something larger than this is no piece of ours, wherever it lies."""


@dataclass(frozen=True, slots=True)
class Residue:
    """Something on the felt that no piece explains."""

    centre_mm: tuple[float, float]
    area_mm2: float
    at_rim: bool
    """It reaches the edge of the felt: a sleeve, a shadow, a tool."""


def reaching_in(found: list[Residue]) -> bool:
    """Return whether something as large as an arm lies over the tray."""
    return any(r.area_mm2 > (ARM_MM2 if r.at_rim else HEAP_MM2) for r in found)


def hand_area(hand: NDArray[np.float32]) -> float:
    """Return the mm2 that a hand or another foreign body covers; `hand` as in `vision.pieces.Pieces`."""
    return float((hand > HAND_CERTAIN).sum()) * HAND_CELL_MM**2


@dataclass(frozen=True, slots=True)
class Felt:
    """The felt seen from above, and what on it is not felt."""

    strange: NDArray[np.bool_]
    """(h, w) at RESIDUE_PX_PER_MM: neither felt in the light nor felt in a shadow."""
    bgr: NDArray[np.uint8]
    """(h, w, 3) what is seen there."""
    shade: NDArray[np.float32] | None = None
    """(3, 6) the logarithm of lit felt's colours plus LIFT, by `_smooth_terms`; None where too little felt is seen."""

    def unlike(self, quads_mm: Floats) -> Floats:
        """Return (n,) how far the middle of each quadrilateral (n, 4, 2) is from lit felt, as a natural logarithm.

        The colour that differs most, as most of the place shows it. Felt in a shadow is unlike lit felt, too. 0 where
        too little felt is seen to compare with.
        """
        out = np.zeros(len(quads_mm))
        if self.shade is None:
            return out
        terms = _smooth_terms((self.strange.shape[0], self.strange.shape[1])).reshape(-1, *self.strange.shape)
        for k, (rows, columns, inside) in enumerate(self._middles(quads_mm)):
            if inside.any():
                seen = _medians(np.log(self.bgr[rows, columns][inside].T + np.float32(LIFT)))
                due = _medians(self.shade @ terms[:, rows, columns][:, inside])
                out[k] = (np.abs(seen - due) * _weight(due)).max()
        return out

    def covered(self, quads_mm: Floats) -> Floats:
        """Return (n,) the share of each quadrilateral (n, 4, 2), in tray millimetres, that is not bare felt.

        Its middle counts: at its edges lie neighbours.
        """
        out = np.zeros(len(quads_mm))
        for k, (rows, columns, inside) in enumerate(self._middles(quads_mm)):
            total = np.count_nonzero(inside)
            out[k] = np.count_nonzero(inside & self.strange[rows, columns]) / total if total else 0.0
        return out

    def _middles(self, quads_mm: Floats) -> Iterator[tuple[slice, slice, NDArray[np.bool_]]]:
        """Yield for each quadrilateral the rows and columns around its middle, and which of these pixels are in it."""
        middle = quads_mm.mean(axis=1, keepdims=True)
        corners = np.round((middle + 0.65 * (quads_mm - middle)) * RESIDUE_PX_PER_MM - 0.5).astype(np.int32)
        h, w = self.strange.shape
        low = np.clip(corners.min(axis=1), 0, (w, h))
        high = np.clip(corners.max(axis=1) + 1, 0, (w, h))
        for points, (x0, y0), (x1, y1) in zip(corners, low.tolist(), high.tolist(), strict=True):
            inside = np.zeros((max(0, y1 - y0), max(0, x1 - x0)), np.uint8)
            if inside.size:
                cv2.fillConvexPoly(inside, points - (x0, y0), 1)
            yield slice(y0, y1), slice(x0, x1), inside.view(np.bool_)

    def residue(self, quads_mm: list[Floats]) -> list[Residue]:
        """Return what lies on the felt beside the given quadrilaterals (pieces and markers)."""
        free = _free_surface(self.strange.shape, quads_mm)
        loose = (self.strange & (free > 0)).astype(np.uint8)
        opened = cv2.morphologyEx(loose, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        return _blobs(np.asarray(opened, dtype=np.uint8), RESIDUE_PX_PER_MM)


def look_at_felt(rectified_bgr: Image, quads_mm: list[Floats], *, px_per_mm: float) -> Felt:
    """Return what is felt and what is not, learned from the surface beside the given quadrilaterals.

    rectified_bgr: the tray alone, without margin. The felt is what most of the free surface looks like;
    its brightness may change over the tray, its hue hardly. About 4 ms.
    """
    scale = RESIDUE_PX_PER_MM / px_per_mm
    whole = cv2.resize(rectified_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small: NDArray[np.uint8] = np.asarray(cv2.blur(whole, (3, 3)), dtype=np.uint8)
    free = _free_surface(small.shape[:2], quads_mm)
    if free.sum() < 0.05 * free.size:
        return Felt(np.zeros(small.shape[:2], dtype=bool), small)
    return _felt(small, free > 0)


def _free_surface(shape: tuple[int, ...], quads_mm: list[Floats]) -> NDArray[np.uint8]:
    """Return 1 where bare felt is expected: away from pieces and from the rim with its shadow."""
    free = np.ones(shape[:2], np.uint8)
    rim = round(12 * RESIDUE_PX_PER_MM)
    free[:rim], free[-rim:], free[:, :rim], free[:, -rim:] = 0, 0, 0, 0
    if not quads_mm:
        return free
    outlines = np.round(np.stack(quads_mm) * RESIDUE_PX_PER_MM - 0.5).astype(np.int32)
    for corners in outlines:
        cv2.fillConvexPoly(free, corners, 0)
    cv2.polylines(free, list(outlines), True, 0, max(1, round(7.0 * RESIDUE_PX_PER_MM)))
    return free


def _felt(bgr: NDArray[np.uint8], free: NDArray[np.bool_]) -> Felt:
    """Return the felt as its free surface shows it, and which pixels are neither felt in the light nor in a shadow."""
    # Colour by colour, and by take(), which keeps rows together: numpy is some times quicker along rows of
    # thousands than along rows of three.
    lab, terms = _planes(cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)), _smooth_terms((free.shape[0], free.shape[1]))
    at = _samples(free)
    # The felt's hue first: the commonest one. A hand may cover a third of what is free, but of many hues.
    at = at[_commonest_hue(lab[1:].take(at, axis=1))]
    if len(at) < 50:
        return Felt(np.zeros(free.shape, dtype=bool), bgr)
    fit, keep = _robust_fit(terms.take(at, axis=1), lab.take(at, axis=1))
    at = at[keep]
    a = terms.take(at, axis=1)
    off = fit @ terms
    off -= lab
    off /= _limit(lab.take(at, axis=1), fit @ a)
    away = np.einsum("cn,cn->n", off, off) > 1.0
    light = _planes(bgr)
    shade, _ = _robust_fit(a, np.log(light.take(at, axis=1) + LIFT))
    # Its light is asked only where a pixel is unlike felt at all.
    unlike = np.flatnonzero(away)
    away[unlike] = ~_only_light(np.log(light.take(unlike, axis=1) + LIFT), shade @ terms.take(unlike, axis=1))
    return Felt(np.asarray(away.reshape(free.shape)), bgr, shade)


def _planes(picture: NDArray[Any]) -> NDArray[np.float32]:
    """Return (3, h w) the colours of a picture, one by one."""
    return np.array(cv2.split(picture), dtype=np.float32).reshape(3, -1)


def _samples(free: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return some two thousand of the free pixels, evenly, as numbers of pixels in rows."""
    step = max(1, round(float(np.sqrt(free.sum() / 1500))))
    row, column = np.nonzero(free[::step, ::step])
    return np.asarray((row * free.shape[1] + column) * step)


def _limit(seen: NDArray[np.float32], due: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (3, 1) how far felt strays from its fit. seen, due: (3, n) samples and what the fit makes of them."""
    off = np.abs(seen - due)
    spread = np.maximum(_medians(off) * 1.48, np.array([[5.0], [2.0], [2.0]], np.float32)) * FELT_NOISE
    # Felt with spots of its own (worn, mottled) is felt: what a fiftieth of it does is no thing.
    return np.asarray(np.maximum(spread, 1.3 * _between(off, 0.98 * (off.shape[1] - 1))))


def _only_light(light: NDArray[np.float32], felt: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return (n,) which pixels differ from felt by their light alone: in a shadow, in the spot of a lamp.

    light, felt: (3, n) logarithms of what is seen and of what bare felt would be there.
    """
    # In a shadow all three colours fade alike (the sky's or the second lamp's share apart); but of a colour
    # that the felt hardly has there is mostly noise.
    weight = _weight(felt)
    darker = light - felt
    depth = (darker * weight).sum(axis=0) / weight.sum(axis=0)
    tint = (np.abs(darker - depth) * weight).max(axis=0)
    lit = np.where(depth < 0.0, tint < SHADOW_TINT, (depth < LAMP_GAIN) & (tint < LAMP_TINT))
    full = np.float32(np.log(250.0 + LIFT))
    blown = np.flatnonzero(light.max(axis=0) >= full)
    lit[blown] |= _blown_out(light[:, blown], felt[:, blown], full)
    return np.asarray(lit)


def _weight(felt: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (3, n) how much each of the felt's colours says, up to 1. felt: (3, n) logarithms, LIFT added before."""
    level = np.maximum(np.exp(felt) - LIFT, 1e-3)  # a black frame has no colour at all
    weight = level / (level + HARDLY)
    return np.asarray(weight / weight.max(axis=0))


def _blown_out(light: NDArray[np.float32], felt: NDArray[np.float32], full: np.float32) -> NDArray[np.bool_]:
    """Return (n,) which pixels are felt so bright that a colour lags behind: the others say how bright it would be."""
    gain = np.where(light < full, light - felt, np.inf).min(axis=0)
    gain = np.where(np.isfinite(gain), gain, 0.99 * LAMP_GAIN)
    off = np.abs(np.minimum(light, full) - np.minimum(felt + gain, full)).max(axis=0)
    return np.asarray((gain >= 0.0) & (gain < LAMP_GAIN) & (off < LAMP_TINT))


def _commonest_hue(ab: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return (n,) which of (2, n) samples lie near the densest place of the (a, b) plane."""
    cell = np.clip(ab / 4.0, 0, 63).astype(np.int64)
    cells = np.bincount(64 * cell[0] + cell[1], minlength=64 * 64).reshape(64, 64).astype(np.float32)
    peak = np.unravel_index(int(cv2.GaussianBlur(cells, (0, 0), 1.0).argmax()), cells.shape)
    centre = (np.array(peak, dtype=np.float32)[:, None] + 0.5) * 4.0
    for reach in (14.0, 12.0):
        near = ((ab - centre) ** 2).sum(axis=0) < reach**2
        if near.any():
            centre = _medians(ab.compress(near, axis=1))
    return np.asarray(((ab - centre) ** 2).sum(axis=0) < 12.0**2)


def _medians(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (c, 1) the median of each of (c, n) rows."""
    return _between(rows, 0.5 * (rows.shape[1] - 1))


def _between(rows: NDArray[np.float32], place: float) -> NDArray[np.float32]:
    """Return (c, 1) what stands at a place, 0 to n - 1, of each of (c, n) rows in order: between two, their blend."""
    low = int(place)
    high = min(low + 1, rows.shape[1] - 1)
    ordered = np.partition(rows, (low, high), axis=1)
    share = np.float32(place - low)
    return np.asarray(ordered[:, low, None] * (1 - share) + ordered[:, high, None] * share)


@lru_cache(maxsize=4)
def _smooth_terms(shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return (6, h w) the terms of a quadratic over the picture: how light changes over a tray."""
    h, w = shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float32).reshape(2, -1) / np.float32(max(h, w))
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y])


def _robust_fit(a: NDArray[np.float32], b: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return (c, t) the least squares fit of (c, n) by (t, n), and which of n it was fitted to: outliers are out."""
    keep = np.ones(a.shape[1], dtype=bool)
    fit = np.zeros((len(b), len(a)), dtype=np.float32)
    least = 0.02 * np.ptp(b, axis=1)[:, None] + 1e-3
    for _ in range(5):
        if keep.sum() < 50:
            break
        x, y = a.compress(keep, axis=1), b.compress(keep, axis=1)
        # Normal equations: six smooth terms of order one, and a call of LAPACK's lstsq costs more than the rest.
        inner = x @ x.T + np.eye(len(a), dtype=np.float32) * np.float32(1e-3)
        fit = np.linalg.solve(inner, x @ y.T).T.astype(np.float32)
        off = np.abs(b - fit @ a)
        before, keep = keep, (off < np.maximum(3.7 * _medians(off.compress(keep, axis=1)), least)).all(axis=0)
        if np.array_equal(before, keep):
            break
    return fit, keep


def _blobs(strange: NDArray[np.uint8], px_per_mm: float) -> list[Residue]:
    count, _, stats, centres = cv2.connectedComponentsWithStats(strange, connectivity=8)
    h, w = strange.shape
    edge = 14 * px_per_mm
    out = []
    for k in range(1, count):
        area = float(stats[k, cv2.CC_STAT_AREA]) / px_per_mm**2
        if area < RESIDUE_MM2:
            continue
        x, y, bw, bh = (int(stats[k, i]) for i in range(4))
        rim = x < edge or y < edge or x + bw > w - edge or y + bh > h - edge
        cx, cy = (float(c + 0.5) / px_per_mm for c in centres[k])
        out.append(Residue((cx, cy), area, bool(rim)))
    return sorted(out, key=lambda r: -r.area_mm2)


def picture_problems(rectified_bgr: Image, tray: Tray, *, washed: Floats) -> Problem:
    """Return what is measured of light and sharpness: DARK, GLARE, BLUR, FIDUCIAL_MISSING.

    washed: (n,) share of each piece that is blown out.
    """
    found = Problem.NONE
    grey = np.asarray(cv2.cvtColor(rectified_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if _level(grey, 0.9) < 2 * DARK_LEVEL and _level(grey, 0.5) < DARK_LEVEL:
        found |= Problem.DARK
    if len(washed) and float(washed.max()) > GLARE_SHARE:
        found |= Problem.GLARE
    if _sharpness(grey) < BLUR_SHARPNESS:
        found |= Problem.BLUR
    if not tray.complete:
        found |= Problem.FIDUCIAL_MISSING
    return found


def hides_a_piece(rectified_bgr: Image, *, px_per_mm: float, side_mm: float) -> bool:
    """Return whether a patch as large as a piece is so bright that a white piece would not be seen on it.

    rectified_bgr: (h, w, 3) uint8, the felt alone.
    """
    white = (rectified_bgr.min(axis=2) >= BLOWN_OUT).astype(np.uint8)
    side = max(1, round(side_mm * px_per_mm))
    return bool(cv2.erode(white, np.ones((side, side), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0).any())


def _sharpness(grey: NDArray[np.uint8]) -> float:
    """Return the strongest fine contrast over the strongest coarse contrast: near 0 in a blurred picture."""
    h, w = grey.shape
    middle = grey[h // 5 : -h // 5, w // 6 : -w // 6]
    fine = cv2.absdiff(middle, cv2.blur(middle, (3, 3)))
    coarse = cv2.absdiff(middle, cv2.blur(middle, (25, 25)))
    return _level(fine, 0.995) / max(1.0, _level(coarse, 0.995))


def _level(values: NDArray[Any], share: float) -> float:
    """Return a quantile of uint8 values, by counting."""
    counts = cv2.calcHist([values], [0], None, [256], [0.0, 256.0]).ravel().cumsum()
    return float(np.searchsorted(counts, share * counts[-1]))
