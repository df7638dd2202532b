"""The colours of tiles and paper as the picture shows them, and what they would be under white light."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, across_and_down
from vision.tray.rectify import Image

GAMMA = 2.2
"""Grey values are light to the power of 1 / 2.2, roughly, in every camera's pictures."""
LINEAR: Floats = (np.arange(256) / 255.0) ** GAMMA
"""(256,) linear light of each grey value. Not to be changed in place."""
LINEAR.flags.writeable = False
WHITE_PAPER = (232.0, 238.0, 240.0)
"""Blue green red of white paper in white light."""
CLIPS = 254
"""A pixel whose darkest colour is at least this may send back any more light than a camera counts."""
GRID = 24
"""Pixels across a tile's patch."""
LAMPS = (0.6, 1.0)
"""As much as the first two of a lamp's colours may differ, as natural logarithms of linear light: on 259 traced trays
whose paper shows the lamp they do by 0.49 and less. From the second on nobody believes it. Of 407 dice drawn by a
browser, read without their paper, 54 have another name than their paint then, 85 if anything passes for white."""

SPARSE, GREYS_DIFFER, COLOURED_SHARE = 8, 6, 1e-3
"""Every so many-th row and column; by how much blue, green and red differ at most where a picture is grey, but for a
share: a JPEG's rounding. Of 3,869 pictures, drawn, traced and taken, the least coloured is ten times
that."""


@dataclass(frozen=True, slots=True)
class Paint:
    """The two colours of each of n tiles."""

    body: Floats
    """(n, 3) blue green red, 0..255, as seen."""
    ink: Floats
    """(n, 3); that of the body where nothing is printed."""
    washed: Floats
    """(n,) share of the tile that is blown out by glare, 0..1."""

    def only(self, which: NDArray[Any]) -> Paint:
        """Return the paint of some tiles: a mask (n,) or indices."""
        return Paint(self.body[which], self.ink[which], self.washed[which])

    def in_more_light(self, gain: Floats) -> Paint:
        """Return the paint as it would look in so much more light. gain: (n, 1) or (n, 3) times the grey values."""
        return Paint(np.minimum(self.body * gain, 255.0), np.minimum(self.ink * gain, 255.0), self.washed)

    def contrast(self) -> Floats:
        """Return (n,) the CIE distance between ink and body; a few units where nothing is printed."""
        return np.asarray(np.linalg.norm(lab_of(self.ink) - lab_of(self.body), axis=1))


def measure(picture_bgr: Image, quads_px: Floats) -> Paint:
    """Return the paint of tiles. quads_px: (n, 4, 2) corners TL TR BR BL in the picture."""
    return paint_of(pixels_of(picture_bgr, quads_px))


def pixels_of(picture_bgr: Image, quads_px: Floats) -> Image:
    """Return (n, GRID^2, 3) the pixels of each patch."""
    return _cut(picture_bgr, quads_px, size=GRID).reshape(len(quads_px), GRID * GRID, 3)


def bodies_of(picture_bgr: Image, quads_px: Floats) -> Floats:
    """Return (n, m, 3) the pixels of each tile that show its body alone. quads_px: as of `measure`."""
    return pixels_of(picture_bgr, quads_px).compress(_zones()[0], axis=1).astype(np.float64)


def paint_of(pixels: Image) -> Paint:
    """Return the paint of patches. pixels: as of `pixels_of`."""
    n = len(pixels)
    if n == 0:
        none = np.zeros((0, 3))
        return Paint(none, none, np.zeros(0))
    ring, middle = _zones()
    # Colour by colour: numpy is some times quicker along rows of hundreds than along rows of three.
    planes = np.ascontiguousarray(pixels.transpose(2, 0, 1))
    body = middles(planes.compress(ring, axis=2)).T
    inner = pixels.compress(middle, axis=1)
    off = lab_of(inner) - lab_of(body[:, None, :])
    away = np.einsum("nkc,nkc->nk", off, off)
    take = max(4, round(0.07 * away.shape[1]))
    furthest = np.argsort(away, axis=1)[:, -take:]
    ink = middles(np.take_along_axis(inner, furthest[:, :, None], axis=1).transpose(0, 2, 1))
    washed = (planes.min(axis=0) > 248).mean(axis=1)
    return Paint(body, ink, washed)


def clips(pixels: Image) -> Floats:
    """Return (n, 2) the share of each tile that is as light as a camera counts: of its body around the symbol, and in
    the middle. pixels: as of `pixels_of`.
    """
    white = pixels.min(axis=2) >= CLIPS
    return np.stack([white.compress(zone, axis=1).mean(axis=1) for zone in _zones()], axis=1)


@cache
def _zones() -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return (GRID^2,) which pixels of a patch show the body alone, around the symbol, and which the symbol."""
    at = (np.arange(GRID) + 0.5) / GRID * 2 - 1
    x, y = (a.ravel() for a in np.meshgrid(np.abs(at), np.abs(at)))
    ring = ((x > 0.62) | (y > 0.76)) & (x < 0.86) & (y < 0.86)
    return ring, (x < 0.62) & (y < 0.74)


def middles(values: NDArray[np.uint8]) -> Floats:
    """Return the medians along the last axis."""
    n = values.shape[-1]
    pair = ((n - 1) // 2, n // 2)
    ordered = np.partition(values, pair, axis=-1)
    return np.asarray((ordered[..., pair[0]].astype(np.float64) + ordered[..., pair[1]]) / 2)


def patches(picture_bgr: Image, quads_px: Floats, *, size: int) -> Floats:
    """Return (n, size, size, 3) the inside of each quadrilateral, upright, bilinear."""
    return _cut(picture_bgr, quads_px, size=size).astype(np.float64)


def _cut(picture_bgr: Image, quads_px: Floats, *, size: int) -> Image:
    """As `patches`, in whole numbers."""
    t = (np.arange(size, dtype=np.float64) + 0.5) / size
    where = across_and_down(*np.meshgrid(t, t)).reshape(-1, 4) @ quads_px
    flat = where.astype(np.float32).reshape(-1, size, 2)
    out = np.empty((len(flat), size, 3), dtype=np.uint8)
    step = 32000 // size * size
    for lo in range(0, len(flat), step):
        part = flat[lo : lo + step]
        out[lo : lo + step] = cv2.remap(
            picture_bgr, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    return out.reshape(len(quads_px), size, size, 3)


def shows_colours(picture_bgr: Image) -> bool:
    """Return whether a picture shows any colours: that of a camera that sees grey has the same value in all three."""
    # Plane by plane: numpy is ten times as slow along an axis of three.
    b, g, r = (picture_bgr[::SPARSE, ::SPARSE, k] for k in range(3))
    spread = np.maximum(np.maximum(b, g), r) - np.minimum(np.minimum(b, g), r)
    return bool((spread > GREYS_DIFFER).mean() > COLOURED_SHARE)


def lab_of(bgr: Floats) -> Floats:
    """Return CIE L*a*b* (D65) of sRGB blue green red 0..255, any leading shape."""
    if np.size(bgr) == 0:
        return np.zeros(np.shape(bgr))
    flat = np.asarray(bgr, dtype=np.float32).reshape(1, -1, 3) / np.float32(255.0)
    return cv2.cvtColor(flat, cv2.COLOR_BGR2LAB).reshape(np.shape(bgr)).astype(np.float64)


def off_white(bgr: Floats | Image) -> Floats:
    """Return how far colours, (..., 3) blue green red 0..255, are from white, as a CIE distance."""
    white = lab_of(np.full(3, 255.0))
    return np.asarray(np.linalg.norm(lab_of(np.asarray(bgr, dtype=np.float64)) - white, axis=-1))


def balance(bgr: Floats, white_bgr: Floats) -> Floats:
    """Return colours as they would look if `white_bgr` were white paper (in linear light)."""
    gain = linear(np.array(WHITE_PAPER)) / np.maximum(linear(white_bgr), 1e-3)
    return as_seen(np.clip(linear(bgr) * gain, 0.0, 1.0))


def as_a_lamp(white_bgr: Floats) -> Floats:
    """Return what passes for white on a tray without paper, in the colour that a lamp may have.

    Cameras take most of a lamp's colour away: LAMPS. A "white" that is coloured more than that is a die or a tile of
    that colour, and what it says of the lamp counts less and less.
    """
    light = np.maximum(linear(white_bgr), 1e-4)
    b, g, r = np.log(light)
    tint = max(abs(b - g), abs(r - g), abs(b - r))
    least, most = LAMPS
    believed = np.clip((most - tint) / (most - least), 0.0, 1.0)
    return as_seen(light.max() * (light / light.max()) ** believed)


def linear(bgr: Floats | Image) -> Floats:
    """Return colours in linear light, 0..1."""
    given = np.asarray(bgr)
    # Of a picture's millions there are but 256.
    return np.asarray(LINEAR[given] if given.dtype == np.uint8 else (given.astype(np.float64) / 255.0) ** GAMMA)


def as_seen(light: Floats) -> Floats:
    """Return linear light, 0..1, as a camera's grey values, 0..255."""
    return np.asarray(255.0 * np.asarray(light) ** (1 / GAMMA))
