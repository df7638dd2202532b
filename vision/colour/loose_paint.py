"""The colours that dice show: on top, at the edges, on their flanks and in their pips."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.colour.loose_colours import Shown
from vision.colour.paint import GRID, Paint, balance, lab_of, middles, paint_of, pixels_of
from vision.geometry import Bools, Floats, across_and_down, scaled
from vision.tray.rectify import Image

EDGE, DARKEST = 0.75, 0.3
"""Beyond this share of half its width lies a die's edge, of which this share, the darkest, shows its own colour: there
its face bends, and mirrors no lamp."""
RIM, CORNERS = (0.62, 0.92), 1.05
"""The rim of a top in shares of half its width, and how far from the middle its corners are none: felt, if rounded."""
GROWN = 1.06
"""What lies in the top of any die, made so much larger, is no flank."""
FOOT = 0.9
"""How wide a die's foot is taken to be, over its top: beside it lies its shadow."""
LEAST_SEEN = 0.05
"""A flank is seen if its outline has at least this share of the top's area."""
SIDE_PX = 9
"""Pixels across that are asked of each flank."""
FULLEST = (0.7, 0.97)
"""Of all pixels of rim and flanks, by how full their colour is, these shares show the die's own: more is noise."""
DARK = 10.0
"""CIE lightness added before colour is compared with it: what is nearly black has none that could be told."""


@dataclass(frozen=True, slots=True)
class LoosePaint:
    """The colours of n dice as the picture shows them, blue green red 0..255."""

    paint: Paint
    edge: Floats
    """(n, 3)."""
    shell: tuple[Floats, ...]
    """For each die (m, 3): the pixels of its top's rim and of what is seen of its flanks."""

    def in_more_light(self, gain: Floats) -> LoosePaint:
        """Return the colours as they would be in so much more light, (n, 3) times the grey values."""
        shell = tuple(np.minimum(pixels * g, 255.0) for pixels, g in zip(self.shell, gain, strict=True))
        return LoosePaint(self.paint.in_more_light(gain), np.minimum(self.edge * gain, 255.0), shell)

    def shown(self, white_bgr: Floats) -> Shown:
        """Return the colours in white light. white_bgr: (3,) what white paper looks like."""
        body, edge, ink = (lab_of(balance(c, white_bgr)) for c in (self.paint.body, self.edge, self.paint.ink))
        full = np.array([_fullest(lab_of(balance(pixels, white_bgr))) for pixels in self.shell]).reshape(-1, 3)
        return Shown(body, edge, full, ink)


def measure_loose(picture_bgr: Image, quads_px: Floats, feet_px: Floats | None = None) -> LoosePaint:
    """Return the colours of dice.

    quads_px: (n, 4, 2) their tops TL TR BR BL. feet_px: (n, 4, 2) where these stand, by which flanks are seen; None
    where nobody knows.
    """
    pixels = pixels_of(picture_bgr, quads_px)
    rims = np.asarray(pixels[:, _zones()[0]], dtype=np.float64)
    if feet_px is None or len(quads_px) == 0:
        return LoosePaint(paint_of(pixels), _edges(pixels), tuple(rims))
    flanks = _flanks(picture_bgr, quads_px, feet_px)
    shell = [np.concatenate([rim, _as_many(flank, len(rim))]) for rim, flank in zip(rims, flanks, strict=True)]
    return LoosePaint(paint_of(pixels), _edges(pixels), tuple(shell))


def _flanks(picture_bgr: Image, tops_px: Floats, feet_px: Floats) -> list[Floats]:
    """Return for each die (m, 3) the pixels of those flanks that the camera sees, without what other tops hide."""
    feet = scaled(feet_px, FOOT)
    # The side between two corners of the top and those of the foot below them, for each of four.
    sides = np.stack([tops_px, np.roll(tops_px, -1, axis=1), np.roll(feet, -1, axis=1), feet], axis=2)
    # A side that the camera sees goes round the other way than the top.
    seen = _area(sides) / _area(tops_px)[:, None] < -LEAST_SEEN
    hidden = np.zeros((picture_bgr.shape[0], picture_bgr.shape[1]), np.uint8)
    for top in np.round(scaled(tops_px, GROWN)).astype(np.int32):
        cv2.fillConvexPoly(hidden, top, 1)
    return [_bare(picture_bgr, hidden, own[there]) for own, there in zip(sides, seen, strict=True)]


def _bare(picture_bgr: Image, hidden: Image, sides_px: Floats) -> Floats:
    """Return (m, 3) the pixels within quadrilaterals (k, 4, 2) where a mask (h, w) is 0."""
    points = np.round((_inside() @ sides_px).reshape(-1, 2)).astype(int)
    x, y = np.clip(points[:, 0], 0, hidden.shape[1] - 1), np.clip(points[:, 1], 0, hidden.shape[0] - 1)
    free = hidden[y, x] == 0
    return np.asarray(picture_bgr[y[free], x[free]], dtype=np.float64)


@cache
def _inside() -> Floats:
    """Return (SIDE_PX^2, 4) the weights of a quadrilateral's corners in points evenly spread within it."""
    at = (np.arange(SIDE_PX) + 0.5) / SIDE_PX
    return across_and_down(*(a.ravel() for a in np.meshgrid(at, at)))


def _as_many(pixels: Floats, most: int) -> Floats:
    """Return no more than so many of the pixels, evenly picked."""
    return pixels[np.linspace(0, len(pixels) - 1, most).astype(int)] if len(pixels) > most else pixels


def _area(quads: Floats) -> Floats:
    """Return the signed areas of quadrilaterals (..., 4, 2)."""
    x, y = quads[..., 0], quads[..., 1]
    return np.asarray((x * np.roll(y, -1, axis=-1) - np.roll(x, -1, axis=-1) * y).sum(axis=-1) / 2)


def _fullest(lab: Floats) -> Floats:
    """Return the colour of those of a die's pixels, (m, 3) CIE, that have most of it."""
    order = np.argsort(np.hypot(lab[:, 1], lab[:, 2]) / (lab[:, 0] + DARK), kind="stable")
    low, high = (int(share * len(lab)) for share in FULLEST)
    return np.asarray(np.median(lab[order[low : max(high, low + 1)]], axis=0))


@cache
def _zones() -> tuple[Bools, Bools]:
    """Return (GRID^2,) which pixels of a top's patch are its rim, without the corners, and which its edge."""
    at = np.abs((np.arange(GRID) + 0.5) / GRID * 2 - 1)
    far = np.maximum(at[:, None], at)
    rim = (far > RIM[0]) & (far < RIM[1]) & (np.hypot(at[:, None], at) < CORNERS)
    return rim.ravel(), (far > EDGE).ravel()


def _edges(pixels: Image) -> Floats:
    """Return (n, 3) the colour of each top's edge where it is darkest. pixels: (n, GRID^2, 3)."""
    if len(pixels) == 0:
        return np.zeros((0, 3))
    pixels = pixels[:, _zones()[1]]
    most = round(DARKEST * pixels.shape[1])
    darkest = np.argsort(pixels.sum(axis=2, dtype=np.int64), axis=1, kind="stable")[:, :most]
    return middles(np.take_along_axis(pixels, darkest[:, :, None], axis=1).transpose(0, 2, 1))
