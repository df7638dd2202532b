"""The felt: what bare felt looks like in this light and in its shadows, and what on the tray is not felt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools, Floats, scaled
from vision.ground.beside import as_beside
from vision.ground.blobs import about, blobs
from vision.ground.felt_light import LIFT, gain_of, only_light, weight_of
from vision.ground.half_shade import in_the_light
from vision.ground.lines import lines_among, off_pieces
from vision.ground.smooth import PLAIN_TERMS, between, least_squares, medians, robust_fit, smooth_terms
from vision.ground.veil import veiled
from vision.tray.rectify import Image

BARE = 0.2
"""A piece of which less than this share differs from the felt is no piece, unless a symbol is read on it."""
PLAINER = 0.85
"""What looks like bare felt and was found less certainly than this may be a fibre."""
UNLIKE = 0.12
"""`Felt.unlike` from which a place differs from lit felt. Of 4,359 bare places of a tile's size on traced trays none
reached 0.11, of 43 backs that pass for felt in a shadow all had 0.14 and more."""
MIDDLE = 0.65
"""Share of a piece's width that counts as its middle: at its edges lie neighbours."""
ENOUGH, ROUGH = 40, 2.5
"""From so many points on the felt around them is known; it differs from itself by so much more than half of it does."""
FELT_NOISE = 4.0
RESIDUE_PX_PER_MM = 0.5
RESIDUE_MM2 = 110.0
"""The smallest thing that can be a die or half a tile."""
AROUND_MM, APART_MM = 3.5, 4.5
"""So far around pieces nothing is taken for bare felt or a thing of its own; what reaches so far may go on there."""
RIM_MM = 14.0
"""What comes this near to the edge of the felt reaches it."""
FREE_MM, AT_RIM_MM = 12.0, 4.0
"""No nearer to the edge than the first is felt learned from, as the rim throws a shadow; a veil of light is looked for
up to the second."""


@dataclass(frozen=True, slots=True)
class Residue:
    """Something on the felt that no piece explains."""

    centre_mm: tuple[float, float]
    area_mm2: float
    at_rim: bool
    """It reaches the edge of the felt: a sleeve, a shadow, a tool."""
    line: bool
    """It is as thin as a cable, or as what is printed on felt."""
    outline_mm: Floats = field(compare=False)
    """(4, 2) of the upright rectangle around it."""
    cells: Bools = field(default_factory=lambda: np.zeros((0, 0), dtype=bool), compare=False, repr=False)
    """(h, w) at RESIDUE_PX_PER_MM: where it is seen."""


@dataclass(frozen=True, slots=True)
class Felt:
    """The felt seen from above, and what on it is not felt."""

    strange: NDArray[np.bool_]
    """(h, w) at RESIDUE_PX_PER_MM: neither felt in the light nor felt in a shadow."""
    bgr: NDArray[np.uint8]
    """(h, w, 3) what is seen there."""
    shade: NDArray[np.float32] | None = None
    """(3, 6) the logarithm of lit felt's colours plus LIFT, by `smooth_terms`; None where too little felt is seen."""

    def unlike(self, quads_mm: Floats) -> Floats:
        """Return (n,) how far the middle of each quadrilateral (n, 4, 2) is from lit felt, as a natural logarithm.

        The colour that differs most, as most of the place shows it. Felt in a shadow is unlike lit felt, too. 0 where
        too little felt is seen to compare with.
        """
        return np.abs(self.over_lit(quads_mm))

    def over_lit(self, quads_mm: Floats) -> Floats:
        """Return the same with its sign: (n,) negative where that colour is darker than that of lit felt."""
        off = self.off_lit(quads_mm)
        return np.asarray(off[np.arange(len(off)), np.abs(off).argmax(axis=1)])

    def off_lit(self, quads_mm: Floats) -> Floats:
        """Return (n, 3) the same for each colour: blue, green, red; what felt hardly has counts less."""
        out = np.zeros((len(quads_mm), 3))
        if self.shade is None:
            return out
        terms = smooth_terms((self.strange.shape[0], self.strange.shape[1])).reshape(-1, *self.strange.shape)
        for k, (rows, columns, inside) in enumerate(self._middles(quads_mm)):
            if inside.any():
                seen = medians(np.log(self.bgr[rows, columns][inside].T + np.float32(LIFT)))
                due = medians(self.shade @ terms[:, rows, columns][:, inside])
                out[k] = ((seen - due) * weight_of(due))[:, 0]
        return out

    def depth(self, cells: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return (n,) by how much the cells of a mask (h, w) have less light than lit felt, as natural logarithms.

        All three colours taken together; 0 where too little felt is seen to compare with.
        """
        at = np.flatnonzero(cells)
        if self.shade is None:
            return np.zeros(len(at), np.float32)
        due = self.shade @ smooth_terms((cells.shape[0], cells.shape[1])).take(at, axis=1)
        return -gain_of(np.log(self.bgr.reshape(-1, 3)[at].T + np.float32(LIFT)), due)

    def unlike_at(
        self, bgr: NDArray[np.uint8], points_mm: Floats, *, mostly_felt: Bools | None = None
    ) -> tuple[Floats, Bools]:
        """Return (n,) how far colours (n, 3), seen at points (n, 2), are from lit felt, and which are strange to it.

        The first as `unlike` has it; strange is what differs, and is no felt in a shadow or under a lamp. For what the
        cells of `strange` are too coarse for. mostly_felt: (n,) which points show felt, but for less than half of them:
        then all are compared with felt as it looks just there, in the spot of a lamp, say, or with a coarse weave; None
        where nobody knows. Nothing differs where too little felt is seen to compare with.
        """
        if self.shade is None:
            return np.zeros(len(bgr)), np.zeros(len(bgr), dtype=bool)
        h, w = self.strange.shape
        column, row = np.clip(np.round(points_mm.T * RESIDUE_PX_PER_MM - 0.5).astype(np.int64), 0, [[w - 1], [h - 1]])
        due = self.shade @ smooth_terms((h, w)).take(row * w + column, axis=1)
        light, limit = np.log(bgr.T + np.float32(LIFT)), UNLIKE
        if mostly_felt is not None and np.count_nonzero(mostly_felt) >= ENOUGH:
            # Where it is darker it lies in a shadow, of which `only_light` knows.
            due = due + np.maximum(medians((light - due)[:, mostly_felt]), 0.0)
        off = (np.abs(light - due) * weight_of(due)).max(axis=0)
        if mostly_felt is not None and mostly_felt.any():
            limit = max(UNLIKE, ROUGH * float(np.median(off[mostly_felt])))
        return off.astype(np.float64), np.asarray((off > limit) & ~only_light(light, due))

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
        corners = np.round(scaled(quads_mm, MIDDLE) * RESIDUE_PX_PER_MM - 0.5).astype(np.int32)
        h, w = self.strange.shape
        low = np.clip(corners.min(axis=1), 0, (w, h))
        high = np.clip(corners.max(axis=1) + 1, 0, (w, h))
        for points, (x0, y0), (x1, y1) in zip(corners, low.tolist(), high.tolist(), strict=True):
            inside = np.zeros((max(0, y1 - y0), max(0, x1 - x0)), np.uint8)
            if inside.size:
                cv2.fillConvexPoly(inside, points - (x0, y0), 1)
            yield slice(y0, y1), slice(x0, x1), inside.view(np.bool_)

    def residue(self, quads_mm: list[Floats], *, papers_mm: Sequence[Floats] = ()) -> list[Residue]:
        """Return what lies on the felt beside pieces and markers, (4, 2) each, but for lines that keep off all pieces.

        quads_mm: the pieces. papers_mm: the markers.
        """
        free = free_surface(self.strange.shape, [*quads_mm, *papers_mm])
        loose = self.strange.view(np.uint8) & free
        if np.count_nonzero(loose) < RESIDUE_MM2 * RESIDUE_PX_PER_MM**2:
            return []
        opened = cv2.morphologyEx(loose, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        found, labels = blobs(opened, px_per_mm=RESIDUE_PX_PER_MM, least_mm2=RESIDUE_MM2, edge_mm=RIM_MM)
        lines = lines_among(found, labels, RESIDUE_PX_PER_MM)
        gone = off_pieces(lines, labels, quads_mm, apart_mm=APART_MM, px_per_mm=RESIDUE_PX_PER_MM)
        return [
            Residue(b.middle_mm, b.area_mm2, b.at_rim, b.number in lines, b.outline_mm, labels == b.number)
            for b in found
            if b.number not in gone
        ]


def look_at_felt(
    rectified_bgr: Image, quads_mm: list[Floats], *, px_per_mm: float, perhaps_mm: Sequence[Floats] = ()
) -> Felt:
    """Return what is felt and what is not, learned from the surface beside the given quadrilaterals.

    rectified_bgr: the tray alone, without margin. perhaps_mm: where markers lie, if there are any. The felt is what
    most of the free surface looks like; its brightness may change over the tray, its hue hardly. About 4 ms.
    """
    scale = RESIDUE_PX_PER_MM / px_per_mm
    whole = cv2.resize(rectified_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small: NDArray[np.uint8] = np.asarray(cv2.blur(whole, (3, 3)), dtype=np.uint8)
    free = free_surface(small.shape[:2], [*quads_mm, *perhaps_mm])
    if free.sum() < 0.05 * free.size:
        return Felt(np.zeros(small.shape[:2], dtype=bool), small)
    return _felt(small, free > 0, free_surface(small.shape[:2], quads_mm, rim_mm=AT_RIM_MM) > 0)


def free_surface(shape: tuple[int, ...], quads_mm: list[Floats], *, rim_mm: float = FREE_MM) -> NDArray[np.uint8]:
    """Return 1 where bare felt is expected: away from pieces and from the rim with its shadow."""
    free = np.ones(shape[:2], np.uint8)
    rim = round(rim_mm * RESIDUE_PX_PER_MM)
    free[:rim], free[-rim:], free[:, :rim], free[:, -rim:] = 0, 0, 0, 0
    free[about(shape, quads_mm, px_per_mm=RESIDUE_PX_PER_MM, around_mm=AROUND_MM)] = 0
    return free


def _felt(bgr: NDArray[np.uint8], free: NDArray[np.bool_], at_rim: NDArray[np.bool_]) -> Felt:
    """Return the felt as its free surface shows it, and which pixels are neither felt in the light nor in a shadow.

    at_rim: (h, w) the free surface up to the rim, where light may lie on it.
    """
    # Colour by colour, and by take(), which keeps rows together: numpy is some times quicker along rows of
    # thousands than along rows of three.
    lab, terms = _planes(cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)), smooth_terms((free.shape[0], free.shape[1]))
    at = _samples(free)
    # The felt's hue first: the commonest one. A hand may cover a third of what is free, but of many hues.
    of_hue = _commonest_hue(lab[1:].take(at, axis=1))
    if np.count_nonzero(of_hue) < 50:
        return Felt(np.zeros(free.shape, dtype=bool), bgr)
    light = _planes(bgr)
    stepped = in_the_light(at, of_hue, light, terms)
    at = at[of_hue] if stepped is None else stepped.at
    fit, keep = robust_fit(terms.take(at, axis=1), lab.take(at, axis=1))
    at = at[keep]
    a = terms.take(at, axis=1)
    off = fit @ terms
    off -= lab
    off /= _limit(lab.take(at, axis=1), fit @ a)
    away = np.einsum("cn,cn->n", off, off) > 1.0
    shade = robust_fit(a, np.log(light.take(at, axis=1) + LIFT))[0] if stepped is None else stepped.shade
    # Its light is asked only where a pixel is unlike felt at all.
    unlike = np.flatnonzero(away)
    away[unlike] = ~only_light(np.log(light.take(unlike, axis=1) + LIFT), shade @ terms.take(unlike, axis=1))
    strange: NDArray[np.bool_] = np.asarray(away.reshape(free.shape))
    due = partial(_plainly, a, light.take(at, axis=1), terms)
    veil = veiled(bgr, strange, free, at_rim, felt=lambda: due().reshape(*free.shape, 3))
    strange &= ~veil
    return Felt(strange & ~as_beside(bgr, strange, at_rim), bgr, shade)


def _plainly(a: NDArray[np.float32], light: NDArray[np.float32], terms: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (h w, 3) the grey values of bare felt by nothing but slopes, which go on where no felt was seen.

    a, light: (t, n) terms and (3, n) grey values of samples of it. Behind a veil there are none, and what fits the
    rest of a tray best, curves and all, may be anything there.
    """
    slopes = least_squares(a[:PLAIN_TERMS], np.log(light + LIFT))
    return np.asarray((np.exp(slopes @ terms[:PLAIN_TERMS]) - LIFT).T)


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
    spread = np.maximum(medians(off) * 1.48, np.array([[5.0], [2.0], [2.0]], np.float32)) * FELT_NOISE
    # Felt with spots of its own (worn, mottled) is felt: what a fiftieth of it does is no thing.
    return np.asarray(np.maximum(spread, 1.3 * between(off, 0.98 * (off.shape[1] - 1))))


def _commonest_hue(ab: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return (n,) which of (2, n) samples lie near the densest place of the (a, b) plane."""
    cell = np.clip(ab / 4.0, 0, 63).astype(np.int64)
    cells = np.bincount(64 * cell[0] + cell[1], minlength=64 * 64).reshape(64, 64).astype(np.float32)
    peak = np.unravel_index(int(cv2.GaussianBlur(cells, (0, 0), 1.0).argmax()), cells.shape)
    centre = (np.array(peak, dtype=np.float32)[:, None] + 0.5) * 4.0
    for reach in (14.0, 12.0):
        near = ((ab - centre) ** 2).sum(axis=0) < reach**2
        if near.any():
            centre = medians(ab.compress(near, axis=1))
    return np.asarray(((ab - centre) ** 2).sum(axis=0) < 12.0**2)
