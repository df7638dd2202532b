"""Light on a plane: what bodies keep from it of each lamp and of the room, and what is left.

A body's shadow from one point of a lamp is the hull of its foot and of its top as they fall on the plane; the mean over
many points of the lamp has the soft edge of a real one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.drawing.marched.bodies import Body
from vision.drawing.marched.lamps import GOLDEN, Light
from vision.drawing.marched.texture import Array, F

SMALL_LAMP = 30.0
"""A lamp of so many mm casts an edge so sharp that few of its points do."""
_SLICE_MM = 0.9
"""How far apart the slices of a hollow body's shadow fall."""
_FINE = 4
"""Bits of a texel that polygons are given in."""


@dataclass(frozen=True)
class Plane:
    """A level piece of ground, divided in texels; the tray's middle is its own."""

    z: float
    size_mm: tuple[float, float]
    texel_mm: float

    @property
    def shape(self) -> tuple[int, int]:
        """Return how many texels it is high and wide."""
        w, h = self.size_mm
        return round(h / self.texel_mm), round(w / self.texel_mm)

    def texels(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Return where points of the tray lie on it, in texels right and down from the middle of the first."""
        u = (x + F(self.size_mm[0] / 2)) / F(self.texel_mm) - F(0.5)
        return u, (F(self.size_mm[1] / 2) - y) / F(self.texel_mm) - F(0.5)

    def places(self) -> tuple[Array, Array]:
        """Return x (1, w) and y (h, 1) of its texels."""
        h, w = self.shape
        x = (np.arange(w, dtype=F) + F(0.5)) * F(self.texel_mm) - F(self.size_mm[0] / 2)
        y = F(self.size_mm[1] / 2) - (np.arange(h, dtype=F) + F(0.5)) * F(self.texel_mm)
        return x[None], y[:, None]


@dataclass(frozen=True)
class Bump:
    """The normals of a rough plane: three pictures (h, w) of their x, y and z."""

    x: Array
    y: Array
    z: Array


def sky(count: int) -> Array:
    """Return unit ways up, (count, 3), as likely as a level plane gets light from them (Malley's method)."""
    k = np.arange(count) + 0.5
    r = np.sqrt(k / count) * 0.985
    return np.stack([r * np.cos(k * GOLDEN), r * np.sin(k * GOLDEN), np.sqrt(1 - r * r)], 1)


def _fallen(foot: Array, source: Array, high: float, *, parallel: bool) -> Array:
    """Return where a foot (m, 2), lifted by `high`, throws its shadow. source: a point, or a way if `parallel`."""
    if parallel:
        return np.asarray(foot - source[:2] / max(source[2], 0.05) * high)
    return np.asarray(foot + (foot - source[:2]) * high / (source[2] - high))


def _cast(mask: Array, body: Body, foot: Array, source: Array, plane: Plane, *, parallel: bool) -> None:
    """Draw the shadow of one body into a mask, which changes."""

    def fixed(points: Array) -> Array:
        texels = np.stack(plane.texels(points[:, 0], points[:, 1]), 1)
        return np.asarray(np.round(texels * (1 << _FINE)).astype(np.int32))

    low, high = max(body.z - plane.z, 0.0), body.top - plane.z
    near, far = (_fallen(foot, source, h, parallel=parallel) for h in (low, high))
    if body.convex:
        hull = cv2.convexHull(np.vstack([near, far]).astype(F))[:, 0]
        cv2.fillConvexPoly(mask, fixed(hull), (1,), shift=_FINE)
        return
    longest = float(np.hypot(*(far - near).T).max())
    for share in np.linspace(0, 1, max(2, int(longest / _SLICE_MM) + 1)):
        cv2.fillPoly(mask, [fixed(near + (far - near) * share)], (1,), shift=_FINE)


def _seen(bodies: Sequence[Body], sources: Array, plane: Plane, *, parallel: bool) -> Array:
    """Return the share of sources, (n, 3), that each texel sees, (h, w) float32. They are points unless `parallel`."""
    feet = [(b, b.on_tray(b.outline())[:, :2]) for b in bodies if b.top > plane.z]
    # Bytes, which are added faster than floats: there are never 255 sources.
    hidden, mask = np.zeros(plane.shape, np.uint8), np.empty(plane.shape, np.uint8)
    for source in sources if parallel else sources - (0, 0, plane.z):
        mask[:] = 0
        for body, foot in feet:
            _cast(mask, body, foot, source, plane, parallel=parallel)
        hidden += mask
    return 1 - hidden.astype(F) / F(len(sources))


def light_on(
    light: Light, bodies: Sequence[Body], plane: Plane, *, bump: Bump | None = None, lamp_points: int, ways: int
) -> tuple[Array, Array]:
    """Return the light on a plane, (h, w, 3) float32: as it is if level, and on its own rough surface.

    bump: None where it has none. lamp_points, ways: of each lamp and of the room that are tried for shadows.
    """
    blur = 0.8 / plane.texel_mm
    open_sky = cv2.GaussianBlur(_seen(bodies, sky(ways), plane, parallel=True), (0, 0), max(0.6, blur))
    level: Array = open_sky[..., None] * light.ambient
    rough = level.copy() if bump is None else level * (F(0.55) + F(0.45) * bump.z)[..., None]
    x, y = plane.places()
    for lamp in light.lamps:
        points = lamp.points(lamp_points if lamp.size > SMALL_LAMP else 10)
        seen = cv2.GaussianBlur(_seen(bodies, points, plane, parallel=False), (0, 0), max(0.6, blur / 2))
        dx, dy, dz = F(lamp.at[0]) - x, F(lamp.at[1]) - y, F(lamp.at[2] - plane.z)
        away2 = dx * dx + dy * dy + dz * dz
        arriving = seen * F(lamp.away**2) / (away2 * np.sqrt(away2))
        level += (arriving * dz)[..., None] * lamp.light
        if bump is not None:
            facing = np.maximum(bump.x * dx + bump.y * dy + bump.z * dz, 0)
            rough += (arriving * facing)[..., None] * lamp.light
    return level, rough if bump is not None else level
