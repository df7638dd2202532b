"""What the tray is lined with: felt, velvet, a weave, neoprene or leather, with lint, hairs and crumbs on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.drawing.marched.shadows import Bump, Plane
from vision.drawing.marched.texture import Array, F, Rgb, chosen, clouds, linear

COLOURS: Mapping[str, tuple[Rgb, float]] = {
    "green": ((18, 88, 48), 0.17), "blue": ((24, 52, 120), 0.13), "red": ((146, 30, 34), 0.11),
    "black": ((26, 26, 28), 0.10), "grey": ((104, 106, 108), 0.10), "brown": ((84, 58, 40), 0.10),
    "burgundy": ((92, 20, 36), 0.10), "purple": ((70, 36, 96), 0.09), "navy": ((22, 30, 62), 0.03),
    "olive": ((84, 88, 44), 0.02), "teal": ((20, 84, 90), 0.03), "beige": ((168, 150, 124), 0.02),
}  # fmt: skip
"""A felt's colour and how often it is bought."""
STUFFS: Mapping[str, float] = {"felt": 0.55, "velvet": 0.15, "weave": 0.12, "neoprene": 0.12, "leather": 0.06}
LINT: tuple[Rgb, ...] = ((0.6, 0.6, 0.58), (0.75, 0.74, 0.7), (0.1, 0.09, 0.08))
"""As light, linear."""


@dataclass(frozen=True)
class Felt:
    """The ground of the tray."""

    name: str
    stuff: str
    rgb: Array
    """Its mean colour, (3,) sRGB 0..255."""
    plane: Plane
    albedo: Array
    """(h, w, 3) float32, linear."""
    bump: Bump
    hairs: int
    crumbs: int


def random_felt(plane: Plane, rng: np.random.Generator) -> Felt:
    """Return any ground for a tray."""
    name = chosen(rng, list(COLOURS), [share for _, share in COLOURS.values()])
    rgb = np.clip(np.array(COLOURS[name][0]) * rng.uniform(0.8, 1.2) + rng.uniform(-8, 8, 3), 8, 235)
    stuff = chosen(rng, list(STUFFS), list(STUFFS.values()))
    height, deep, shade = _surface(stuff, plane.shape, rng)
    albedo = linear(rgb) * np.clip(shade, 0.3, 2)[..., None]
    hairs, crumbs = int(rng.integers(0, 16)), int(rng.integers(0, 5))
    for _ in range(hairs):
        _strew(albedo, _hair(plane.shape, rng), rng)
    for _ in range(crumbs):
        _strew(albedo, list(rng.uniform((0, 0), plane.shape[::-1]) + rng.normal(0, 1.2, (6, 2))), rng)
    if rng.random() < 0.12:
        row = int(rng.uniform(0.1, 0.9) * plane.shape[0])
        albedo[max(0, row - 1) : row + 2] *= F(0.8)
    return Felt(name, stuff, rgb, plane, albedo.astype(F), _bump(height, deep), hairs, crumbs)


def _surface(stuff: str, shape: tuple[int, int], rng: np.random.Generator) -> tuple[Array, float, Array]:
    """Return heights, how deep they are, and how light each texel is, about 1."""
    if stuff in ("felt", "velvet"):
        return _fibres(stuff, shape, rng)
    if stuff == "weave":
        height = _woven(shape, rng)
        return height, rng.uniform(0.15, 0.3), 1 + F(0.07) * height + F(0.05) * clouds(rng, shape, 120, octaves=3)
    if stuff == "neoprene":
        height = clouds(rng, shape, 6, octaves=3)
        shade = 1 + F(0.015) * clouds(rng, shape, 200, octaves=3) + F(0.03) * height
        return height, rng.uniform(0.06, 0.16), shade
    height = np.abs(clouds(rng, shape, 9, octaves=2))
    height = (height - height.mean()) / height.std()
    return height, rng.uniform(0.15, 0.3), 1 + F(0.06) * height + F(0.04) * clouds(rng, shape, 200, octaves=2)


def _fibres(stuff: str, shape: tuple[int, int], rng: np.random.Generator) -> tuple[Array, float, Array]:
    """Return felt: short straight fibres in five layers, each its own way."""
    height = np.full(shape, -np.inf, F)
    for _ in range(5):
        way, long = rng.uniform(0, np.pi), int(rng.integers(7, 15))
        kernel, middle = np.zeros((long, long), F), long / 2 - 0.5
        ends = [[round(middle + s * np.cos(way) * middle), round(middle + s * np.sin(way) * middle)] for s in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], (1.0,), 1)
        layer = cv2.filter2D(rng.standard_normal(shape, F), -1, kernel / kernel.sum())
        height = np.maximum(height, layer / layer.std())
    height = (height - height.mean()) / height.std()
    deep = rng.uniform(0.22, 0.5)
    shade = 1 + F(rng.uniform(0.012, 0.035)) * clouds(rng, shape, 60) + F(rng.uniform(0.04, 0.1)) * height
    if stuff == "velvet":
        shade += F(rng.uniform(0.03, 0.08)) * clouds(rng, shape, 320, octaves=2)
    return height, deep, shade


def _woven(shape: tuple[int, int], rng: np.random.Generator) -> Array:
    x = np.arange(shape[1], dtype=F)[None] + F(1.2) * clouds(rng, shape, 80, octaves=2)
    y = np.arange(shape[0], dtype=F)[:, None] + F(1.2) * clouds(rng, shape, 80, octaves=2)
    thread = F(2 * np.pi / rng.uniform(3.2, 6))
    return np.asarray(np.sin(x * thread) * np.sin(y * thread) + F(0.4) * clouds(rng, shape, 4, octaves=2))


def _bump(height: Array, deep: float) -> Bump:
    x = -cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3) * F(deep / 4)
    y = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3) * F(deep / 4)
    z = 1 / np.sqrt(x * x + y * y + 1)
    return Bump(x * z, y * z, z)


def _hair(shape: tuple[int, int], rng: np.random.Generator) -> list[Array]:
    """Return the points of a hair that curls, in texels."""
    way, curl = rng.uniform(0, 2 * np.pi), rng.uniform(-0.25, 0.25)
    points = [rng.uniform((0, 0), shape[::-1])]
    for _ in range(int(rng.integers(6, 22))):
        way += curl + rng.normal(0, 0.1)
        points.append(points[-1] + 2.2 * np.array([np.cos(way), np.sin(way)]))
    return points


def _strew(albedo: Array, points: list[Array], rng: np.random.Generator) -> None:
    """Lay a thread along points, in texels, on the ground, which changes."""
    layer = np.zeros(albedo.shape[:2], np.uint8)
    fixed = np.round(np.array(points) * 8).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(layer, [fixed], False, (255,), 1, cv2.LINE_AA, 3)
    on = np.nonzero(layer)
    cover = layer[on].astype(F)[:, None] * F(0.6 / 255)
    albedo[on] += (np.array(chosen(rng, LINT), F) - albedo[on]) * cover
