"""Noise, pictures that are looked up at points, products of ways, and colours as light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import cv2
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Rgb = tuple[float, float, float]
"""Red, green, blue of a stuff in sRGB, 0 to 255."""
F = np.float32
TEXTURE = 1024
"""Side of a texture that repeats, in texels."""
_ROW = 16384
"""Points that OpenCV looks up in one row: it takes fewer than 32,767 each way."""
_Item = TypeVar("_Item")


def chosen(rng: np.random.Generator, items: Sequence[_Item], shares: Sequence[float] | None = None) -> _Item:
    """Return one of the items. shares: how likely each is, together 1; None for all alike."""
    return items[int(rng.choice(len(items), p=shares))]


def dot(a: Array, b: Array) -> Array:
    """Return the products of ways (3, n), (n,); either may be one way (3,)."""
    return np.asarray(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def linear(rgb: Sequence[float] | Array) -> Array:
    """Return the light that sRGB colours 0..255 stand for, float32 0..1 in the same shape (IEC 61966-2-1)."""
    c = np.asarray(rgb, np.float64) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4).astype(F)


def levels(light: Array) -> Array:
    """Return sRGB levels 0..1 of light in the same shape; below 0 counts as 0. The inverse of `linear`, over 255."""
    c = np.maximum(light, 0)
    return np.where(c <= 0.0031308, 12.92 * c, 1.055 * np.power(np.maximum(c, 1e-8), 1 / 2.4) - 0.055).astype(F)


def clouds(
    rng: np.random.Generator,
    shape: tuple[int, int],
    cell: float,
    *,
    octaves: int = 4,
    gain: float = 0.5,
    stretch: tuple[float, float] = (1.0, 1.0),
) -> Array:
    """Return fractal value noise of the shape (h, w), float32, mean 0, deviation 1.

    cell: side of the largest patches in texels. gain: strength of each octave over the one before. stretch: of the
    patches, down and across.
    """
    h, w = shape
    out, weight = np.zeros(shape, F), 1.0
    for _ in range(octaves):
        grid = [max(2, int(side / (cell * s)) + 3) for side, s in zip(shape, stretch, strict=True)]
        out += F(weight) * cv2.resize(rng.standard_normal(grid, F), (w, h), interpolation=cv2.INTER_CUBIC)
        weight, cell = weight * gain, cell / 2
        if cell * min(stretch) < 1:
            break
    return np.asarray((out - out.mean()) / (out.std() + 1e-9), F)


def at_points(picture: Array, u: Array, v: Array) -> Array:
    """Return what a picture (h, w) or (h, w, 3) holds at points (n,) each, (n,) or (3, n); 0 outside of it.

    u: texels to the right of the middle of the first; v: down.
    """
    count = len(u)
    folded = np.full((2, max(1, -(-count // _ROW)), min(_ROW, max(1, count))), -1e4, F)
    flat = folded.reshape(2, -1)
    flat[0, :count], flat[1, :count] = u, v
    seen = cv2.remap(picture, folded[0], folded[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    return np.ascontiguousarray(seen.reshape(flat.shape[1], *picture.shape[2:])[:count].T)


def repeated(texture: Array, u: Array, v: Array) -> Array:
    """Return what a square texture of TEXTURE texels, laid again and again, holds at points (n,) each, (n,)."""
    return at_points(texture, np.abs(u) % (TEXTURE - 1), np.abs(v) % (TEXTURE - 1))
