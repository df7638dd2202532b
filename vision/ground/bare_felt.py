"""A table's own felt, seen once with nothing on it: what is printed there is taken out of later pictures.

A racetrack, a word or an emblem is no piece and no hand, but no single picture says so. Where a later picture shows the
print as it was, in whatever light, nothing lies on it: there it is painted over with the plain felt around it. Where
anything is unlike it, or enclosed by what is, the picture stays as it is: a piece is never painted over for being as
white as what it lies on, since its edges, its shadow and what it shows are not.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import BadBareFelt
from vision.geometry import Bools, Floats, inverse, transform
from vision.ground.alignment import Way, aligned, alignment
from vision.ground.blobs import Blob, about, blobs
from vision.ground.felt import UNLIKE, look_at_felt
from vision.ground.felt_light import BLOWN_OUT, LIFT, gain_of, only_light, weight_of
from vision.ground.lying import AROUND_MM, PER_MM, disc, shows_the_same, things_in
from vision.ground.painting import painted, plain_felt
from vision.ground.papers import papers_on
from vision.ground.smooth import commonest, medians, robust_fit, smooth_terms
from vision.layout import TRAY_MM
from vision.tray.rectify import Image, Tray, rectified_from_mm, rectify

PAPER_MM = 2.0
"""So much further than it should, the markers' paper may reach."""
LEAST_MM2, GRAIN = 12.0, 4.0
"""What is smaller is lint, and what differs by less than so many times what half of the felt does is its weave."""
TOLD_MM2 = 60.0
"""What is larger is told to people as a print; where nothing is, the felt is plain."""
FAINT, BESIDE_MM = 0.1, 45.0
"""A thin print may be as faint as this, as a natural logarithm, over the felt so far around it."""
EDGE_PX, RIM_MM, SHADOW_SHARE = 2, 4.0, 0.5
"""Outermost the rim itself is seen; what comes so near to it and may, over so much of it, be felt in another light is
its shadow."""
GROWN_MM = 1.0
"""So far around a print its soft edge is seen."""
NEAR_MM, ENOUGH_MM2 = 4.0, 400.0
"""Where a print lies exactly is told by what is so near to it, if so much of that is free."""
FURTHEST_MM, BY_MARKERS_MM, MARKERS = 6.0, 1.0, 3
"""It is nowhere further away, by about twice that, from where the tray is found: by its edge, or by so many markers."""
UNLIKE_PRINT, ROUGH_PRINT = 0.16, 0.35
"""From so much on, as a natural logarithm, a place is unlike what was printed there; light is taken out before. On felt
that looks rough in other light more, up to the second."""
LIGHT_MM, DARKER, LIGHTER = 41.0, -0.35, 0.12
"""Light that is no smooth change over the tray is one thing over the first, which is wider than a piece, and makes the
felt darker and lighter by no more than the others, as natural logarithms: a black tile is no shadow, a white one no
lamp's spot."""
SAMPLES, ENOUGH_SAMPLES = 3000, 200
"""Of so many pixels what the light has become is learned; of fewer than the second it is not."""
TINTS = 0.15
"""Of light that has become another the ratios of two colours differ over the felt by this at most, as logarithms."""
THERE = 0.5
"""Of what is printed and not covered so much at least is seen again, or it is another felt."""
FULL, LIGHTEST = np.float32(np.log(BLOWN_OUT + LIFT)), np.float32(0.4)
"""The logarithm of what is as light as a picture can be, and how much lighter that may be at most."""
_Planes = NDArray[np.float32]
"""(3, h w) the logarithms of a picture's blue, green and red, LIFT added before."""


@dataclass(frozen=True, slots=True)
class Unprinted:
    """A picture without what is printed on its felt."""

    picture_bgr: Image
    """(h, w, 3) uint8; the very picture that was given where nothing was painted over."""
    other: bool
    """What is seen is not the felt that was kept."""
    unlike: Bools | None = None
    """(h, w) at PER_MM, as the felt was kept: where the picture is unlike that; None where nothing was compared."""
    to_felt: Floats | None = None
    """(3, 3) from the picture's pixels to those of `unlike`."""

    def unlike_within(self, outline_px: Floats) -> float:
        """Return the share of an outline (n, 2) in the picture that is unlike the bare felt; 1 where nobody knows."""
        if self.unlike is None or self.to_felt is None:
            return 1.0
        within = np.zeros(self.unlike.shape, np.uint8)
        cv2.fillConvexPoly(within, np.round(transform(outline_px, self.to_felt)).astype(np.int32), 1)
        return float(self.unlike[within > 0].mean()) if within.any() else 1.0


@dataclass(frozen=True)
class BareFelt:
    """A tray's felt as it was with nothing on it."""

    bgr: Image
    """(h, w, 3) uint8, from straight above at PER_MM."""
    papers_mm: tuple[Floats, ...]
    """(4, 2) each: the paper of markers on it."""
    lit: NDArray[np.float32] = field(repr=False)
    """(3, 6) plain felt in its light, as of `Felt.shade`."""

    @classmethod
    def of(cls, picture_bgr: Image, tray: Tray) -> BareFelt:
        """Return the felt of an empty tray; raises BadBareFelt where too little of it is of one colour."""
        flat, papers = rectify(picture_bgr, tray, px_per_mm=PER_MM), tuple(papers_on(tray))
        return cls(flat, papers, _lit(flat, papers))

    @property
    def prints_mm(self) -> list[Floats]:
        """What is printed, lint apart: upright rectangles (4, 2) around it in tray millimetres, largest first."""
        return [blob.outline_mm for blob in self._prints[0] if blob.area_mm2 >= TOLD_MM2]

    @cached_property
    def printed(self) -> Bools:
        """(h, w) at PER_MM where something is printed."""
        found, labels = self._prints
        return np.asarray(np.isin(labels, [blob.number for blob in found]))

    def without_print(self, picture_bgr: Image, tray: Tray, pieces_mm: Sequence[Floats] = ()) -> Unprinted:
        """Return a picture of a tray with its felt's print painted over, where nothing lies on that.

        tray: where it lies in this picture. pieces_mm: (4, 2) each, where pieces may lie: there the light on the felt,
        and where its print lies, are not learned. 40 to 100 ms.
        """
        if not self.printed.any():
            return Unprinted(picture_bgr, other=False)
        flat = rectify(picture_bgr, tray, px_per_mm=PER_MM)
        way = self._way_to(flat, self._free(pieces_mm), tray)
        # From here on all lies as it does on the bare felt.
        found, flat = self._from_here(pieces_mm, way), np.asarray(aligned(flat, way), np.uint8)
        free = self._free([*found, *self.papers_mm])
        light = self._light_since(flat, free)
        unlike, gain = self._unlike(flat, light, free)
        things = things_in(unlike, self.printed)
        things |= ~self._free(self._laid(flat, found, things))
        over = (cv2.dilate(self.printed.astype(np.uint8), disc(GROWN_MM)) > 0) & ~things
        open_, there = (np.count_nonzero(self.printed & mask) for mask in (free, free & ~things))
        other = bool(open_ > ENOUGH_MM2 * PER_MM**2 and there < THERE * open_)
        to_px = inverse(rectified_from_mm(px_per_mm=PER_MM) @ tray.matrix) @ way
        if over.any():
            picture_bgr = painted(picture_bgr, to_px, over, plain_felt(self.lit + light, gain), self._grain)
        return Unprinted(picture_bgr, other, unlike, inverse(to_px))

    def to_bytes(self) -> bytes:
        """Return what `from_bytes` takes."""
        kept = io.BytesIO()
        np.savez_compressed(kept, bgr=self.bgr, papers=np.array(self.papers_mm).reshape(-1, 4, 2))
        return kept.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> BareFelt:
        """Return a felt that was kept; raises BadBareFelt for anything else."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as kept:
                bgr, papers = np.asarray(kept["bgr"]), np.asarray(kept["papers"], np.float64)
        except Exception as no:  # a damaged archive raises whatever zipfile and numpy think of
            raise BadBareFelt(f"the kept felt cannot be read ({no}; expected what was kept of an empty tray)") from no
        due = (round(TRAY_MM[1] * PER_MM), round(TRAY_MM[0] * PER_MM), 3)
        if bgr.dtype != np.uint8 or bgr.shape != due or papers.shape[1:] != (4, 2):
            raise BadBareFelt(f"the kept felt is {bgr.dtype} of {bgr.shape} (expected uint8 of {due})")
        return cls(bgr, tuple(papers), _lit(bgr, [*papers]))

    def _free(self, pieces_mm: Sequence[Floats]) -> Bools:
        """Return (h, w) what lies beside all pieces."""
        return ~about(self.bgr.shape, pieces_mm, px_per_mm=PER_MM, around_mm=AROUND_MM)

    def _from_here(self, pieces_mm: Sequence[Floats], way: Way) -> list[Floats]:
        """Return pieces (4, 2) as they lie on the bare felt. way: from its pixels to those of the tray as found."""
        to_px = rectified_from_mm(px_per_mm=PER_MM)
        back = inverse(to_px) @ inverse(way) @ to_px
        return [transform(quad, back) for quad in pieces_mm]

    def _laid(self, flat: Image, pieces_mm: Sequence[Floats], things: Bools) -> list[Floats]:
        """Return the pieces that were found, but for prints that look like some.

        flat: a later picture, aligned. things: (h, w) where something lies for certain. Where a print is seen within
        the rest of a piece's outline, no piece lies; where nothing is printed, or all of it is, only the finder says
        whether there is one.
        """
        grey = [cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in (self.bgr, flat)]
        before, now = (np.log(picture.astype(np.float32) + np.float32(LIFT)) for picture in grey)
        return [piece for piece in pieces_mm if not shows_the_same(before, now, ~things, piece)]

    @cached_property
    def _light(self) -> _Planes:
        return _planes(self.bgr)

    @cached_property
    def _span(self) -> tuple[_Planes, _Planes]:
        """The darkest and the lightest around each pixel: edges come to lie between other pixels."""
        box = np.ones((3, 3), np.uint8)
        return _planes(cv2.erode(self.bgr, box)), _planes(cv2.dilate(self.bgr, box))

    @cached_property
    def _prints(self) -> tuple[list[Blob], NDArray[np.int32]]:
        shape = self.bgr.shape[:2]
        due = self.lit @ smooth_terms((shape[0], shape[1]))
        off = np.abs(self._light - due) * weight_of(due)
        mask = (off > np.maximum(UNLIKE, GRAIN * medians(off))).any(axis=0).reshape(shape) | self._faint(due)
        mask &= ~about(shape, self.papers_mm, px_per_mm=PER_MM, around_mm=PAPER_MM)
        mask[:EDGE_PX] = mask[-EDGE_PX:] = mask[:, :EDGE_PX] = mask[:, -EDGE_PX:] = False
        found, labels = blobs(mask.astype(np.uint8), px_per_mm=PER_MM, least_mm2=LEAST_MM2, edge_mm=RIM_MM)
        light = only_light(self._light, due).reshape(shape)
        shadows = {b.number for b in found if b.at_rim and light[labels == b.number].mean() > SHADOW_SHARE}
        prints = [b for b in found if b.number not in shadows]
        return prints if any(b.area_mm2 >= TOLD_MM2 for b in prints) else [], labels

    def _faint(self, due: _Planes) -> Bools:
        """Return (h, w) what is thin and differs from the felt beside it, but for what reaches the rim.

        due: what lit felt would be there.
        """
        h, w = self.bgr.shape[:2]
        steps = np.clip(np.round(100 * (self._light - due) + 128), 0, 255).astype(np.uint8).reshape(3, h, w)
        beside = np.array([cv2.medianBlur(plane, round(BESIDE_MM * PER_MM) | 1) for plane in steps], np.float32)
        off = np.abs(steps - beside).reshape(3, -1) * weight_of(due) / np.float32(100)
        mask = (off > np.maximum(FAINT, GRAIN * medians(off))).any(axis=0).reshape(h, w)
        things, labels = blobs(mask.view(np.uint8), px_per_mm=PER_MM, least_mm2=LEAST_MM2, edge_mm=RIM_MM)
        return np.asarray(np.isin(labels, [thing.number for thing in things if not thing.at_rim]))

    @cached_property
    def _grain(self) -> NDArray[np.float32]:
        """(3,) by how many grey values plain felt differs from that around it, one sigma."""
        seen = self.bgr.astype(np.float32)
        rough = (seen - cv2.blur(seen, (7, 7)))[~self.printed]
        return np.asarray(1.48 * np.median(np.abs(rough), axis=0), np.float32)

    def _way_to(self, flat: Image, free: Bools, tray: Tray) -> Way:
        """Return where a picture from above shows each of this one's pixels. free: (h, w) where no piece was found.

        tray: as it was found. Without markers nothing says which side of it is up.
        """
        near = (free & (cv2.dilate(self.printed.view(np.uint8), disc(NEAR_MM)) > 0)).view(np.uint8)
        if np.count_nonzero(near) < ENOUGH_MM2 * PER_MM**2:
            return np.eye(3, dtype=np.float32)
        furthest_mm = BY_MARKERS_MM if len(tray.markers) >= MARKERS else FURTHEST_MM
        grey = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32) for picture in (self.bgr, flat))
        before, now = (np.log(picture + np.float32(LIFT)) for picture in grey)
        return alignment(before, now, near, furthest_px=round(furthest_mm * PER_MM), turned=not tray.markers)

    def _light_since(self, flat: Image, free: Bools) -> NDArray[np.float32]:
        """Return (3, 6) what the light has become since, over what it was, as logarithms by `smooth_terms`.

        flat: a later picture, aligned. free: (h, w) where nothing was found on the felt.
        """
        at = np.flatnonzero(free)[:: max(1, np.count_nonzero(free) // SAMPLES)]
        if len(at) < ENOUGH_SAMPLES:
            return np.zeros((3, 6), np.float32)
        since = _planes(flat).take(at, axis=1) - self._light.take(at, axis=1)
        # Other light has one tint all over the felt; what has another is a piece, and there may be many of these.
        felt = commonest(since[1:] - since[:-1], near=TINTS)
        terms = smooth_terms((flat.shape[0], flat.shape[1])).take(at, axis=1)
        return robust_fit(terms.compress(felt, axis=1), since.compress(felt, axis=1))[0]

    def _unlike(self, flat: Image, light: NDArray[np.float32], free: Bools) -> tuple[Bools, NDArray[np.float32]]:
        """Return (h, w) where a picture is unlike the bare felt, and by how much the felt is lighter than lit felt is.

        light: as of `_light_since`. free: (h, w) where no piece was found. The second as a natural logarithm, (h, w):
        shadows and lamps.
        """
        shape, (low, high), now = flat.shape[:2], self._span, _planes(flat)
        more = light @ smooth_terms((shape[0], shape[1]))
        # What is as light as a picture can be may be lighter, then as now.
        low, high = np.minimum(low, FULL - more), np.where(self._light >= FULL, high + LIGHTEST, high)
        seen = now - more
        gain = gain_of(self._light + seen - np.clip(seen, low, high), self._light)
        steps = np.round((np.clip(gain, DARKER, LIGHTER) + 2.0) * 64).astype(np.uint8).reshape(shape)
        even = np.float32(1 / 64) * cv2.medianBlur(steps, round(LIGHT_MM * PER_MM) | 1).astype(np.float32) - 2.0
        seen -= even.reshape(-1)
        off = np.abs(seen - np.clip(seen, low, high)) * weight_of(self._light)
        most = off.max(axis=0)
        usual = float(np.median(most[free.reshape(-1)])) if free.any() else 0.0
        return (most > np.clip(GRAIN * usual, UNLIKE_PRINT, ROUGH_PRINT)).reshape(shape), even


def _lit(bgr: Image, papers_mm: Sequence[Floats]) -> NDArray[np.float32]:
    """Return (3, 6) `BareFelt.lit` of a felt from above; raises BadBareFelt where too little of it is of one colour."""
    shade = look_at_felt(bgr, list(papers_mm), px_per_mm=PER_MM).shade
    if shade is None:
        raise BadBareFelt("too little plain felt is seen (expected an empty tray, its felt mostly of one colour)")
    return shade


def _planes(picture_bgr: NDArray[Any]) -> _Planes:
    return np.asarray(np.log(np.array(cv2.split(picture_bgr), np.float32).reshape(3, -1) + np.float32(LIFT)))


__all__ = ["BareFelt", "Unprinted"]
