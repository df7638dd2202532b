"""Digits as they are printed on a piece: a mask in millimetres, laid where it belongs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.drawing.glyphs import GlyphSet, underlined
from vision.drawing.look import TileLook
from vision.drawing.marched.texture import Array, F, at_points

INK_MM = 0.1
"""Side of a texel of ink."""
_AROUND = 14
"""Texels without ink around a digit, so that what is looked up outside is none."""
DISK_DIGIT, DISK_MOST = 0.56, 0.6
"""Height of a queue disk's digit and how wide it may be, over the disk's width."""
TILE_MOST = 0.8
"""How wide a digit may be over the tile's width: wider ones are set narrower."""


@dataclass(frozen=True, eq=False)
class Print:
    """One digit."""

    ink: Array
    """(h, w) float32 0..1, INK_MM a texel."""
    middle: tuple[float, float]
    """Where in it the middle of the digit lies, right and down in texels, a bar below not counted."""

    def at(self, x: Array, y: Array) -> Array:
        """Return how much ink there is at points (n,), mm to the right of its middle and above it."""
        u, v = self.middle
        return at_points(self.ink, x / F(INK_MM) + F(u - 0.5), F(v - 0.5) - y / F(INK_MM))


def printed(glyphs: GlyphSet, symbol: str, *, height: float, most: float, bar: bool = False) -> Print:
    """Return a digit of a set, its 8 so many mm high. most: width in mm. bar: a six or nine is underlined."""
    mask = glyphs[symbol]
    scale = height / INK_MM / glyphs["8"].shape[0]
    tall, wide = max(3, int(mask.shape[0] * scale)), max(3, int(min(mask.shape[1] * scale, most / INK_MM)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    digit = cv2.resize(mask, (wide, tall), interpolation=how)
    whole = underlined(digit) if bar and symbol in "69" else digit
    ink = np.pad(whole.astype(F) / F(255), _AROUND)
    return Print(ink, (ink.shape[1] / 2, _AROUND + tall / 2))


def tile_prints(glyphs: GlyphSet, shape: TileLook) -> Mapping[str, Print]:
    """Return the ten digits and the wild sign as a set of tiles has them."""
    height, most = shape.digit_height * shape.size_mm[1], TILE_MOST * shape.size_mm[0]
    return {s: printed(glyphs, s, height=height, most=most, bar=shape.underline) for s in "0123456789#"}


def disk_prints(glyphs: GlyphSet, width: float) -> Mapping[int, Print]:
    """Return the numbers of queue disks of a width in mm."""
    height, most = DISK_DIGIT * width, DISK_MOST * width
    return {value: printed(glyphs, str(value), height=height, most=most) for value in (1, 2, 3, 4)}


def shift_mm(shape: TileLook, symbol: str) -> tuple[float, float]:
    """Return how far the middle of a digit lies right of the middle of a tile's corners and above it."""
    x, y = shape.digit_shift_mm
    # With a bar below it a digit is set higher, so that both are in the middle.
    lift = 0.07 * shape.digit_height * shape.size_mm[1] if shape.underline and symbol in "69" else 0.0
    return x, y + lift
