"""Solids that stand on the tray or beside it: where they are, the box around them, and their distance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.drawing.look import TileLook
from vision.drawing.marched.distances import (
    arc_radius,
    both_round,
    to_box,
    to_die,
    to_disk,
    to_mug,
    to_outline,
    to_slab,
)
from vision.drawing.marched.texture import Array, F
from vision.geometry import SQUARE

Sides = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
"""Least and most of x, y and z."""
_STEP = F(0.04)
"""How far apart the points are from which a normal is taken, mm."""
_CORNERS = np.array([(1, -1, -1), (-1, -1, 1), (-1, 1, -1), (1, 1, 1)], F)


@dataclass(frozen=True, eq=False, kw_only=True)
class Body(ABC):
    """A solid with axes of its own: the origin in the middle of its foot, turned about the vertical."""

    x: float
    y: float
    turn: float = 0.0
    """Counter-clockwise as the camera sees it, radians."""
    z: float = 0.0
    """Height of the plane it stands on."""

    @property
    @abstractmethod
    def sides(self) -> Sides:
        """Least and most of its own x, y and z."""

    @abstractmethod
    def distance(self, at: Array) -> Array:
        """Return how far points (3, n) of its own axes are from it, (n,); below 0 within."""

    @property
    def convex(self) -> bool:
        """Whether its shadow is the hull of its foot's and its top's."""
        return True

    @cached_property
    def top(self) -> float:
        """Height of its highest point over the felt."""
        return self.z + self.sides[2][1]

    @cached_property
    def reach(self) -> float:
        """How far any of its points is from the vertical through its origin, at most."""
        (x0, x1), (y0, y1), _ = self.sides
        return float(np.hypot(max(-x0, x1), max(-y0, y1)))

    @cached_property
    def _turned(self) -> tuple[np.float32, np.float32]:
        return F(np.cos(self.turn)), F(np.sin(self.turn))

    def outline(self) -> Array:
        """Return its outline from above as a polygon, (m, 2) of its own axes."""
        (x0, x1), (y0, y1), _ = self.sides
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])

    def own_way(self, way: Array) -> Array:
        """Return ways (3, n) of the tray in its own axes."""
        c, s = self._turned
        return np.stack([c * way[0] + s * way[1], c * way[1] - s * way[0], way[2]])

    def own(self, at: Array) -> Array:
        """Return points (3, n) of the tray in its own axes."""
        return self.own_way(np.stack([at[0] - F(self.x), at[1] - F(self.y), at[2] - F(self.z)]))

    def tray_way(self, way: Array) -> Array:
        """Return ways (3, n) of its own axes in the tray's."""
        c, s = self._turned
        return np.stack([c * way[0] - s * way[1], s * way[0] + c * way[1], way[2]])

    def on_tray(self, points: Array) -> Array:
        """Return points (m, 2 or 3) of its own axes on the tray, (m, 3) float64; two columns stand on its foot."""
        z = points[:, 2] if points.shape[1] == 3 else np.zeros(len(points))
        return np.column_stack([points[:, :2] @ turning(self.turn).T + (self.x, self.y), z + self.z])

    def box_corners(self) -> Array:
        """Return the corners of the box around it on the tray, (8, 3)."""
        xs, ys, zs = self.sides
        return self.on_tray(np.array([[x, y, z] for x in xs for y in ys for z in zs]))

    def through(self, start: Array, way: Array) -> tuple[Array, Array]:
        """Return where rays of its own axes enter and leave the box around it, (n,) each: they miss it if in > out.

        start: (3, n) or (3, 1), way: (3, n); in lengths of the way.
        """
        near, far = np.full(way.shape[1], -1e9, F), np.full(way.shape[1], 1e9, F)
        for k, (low, high) in enumerate(self.sides):
            step = F(1) / np.where(np.abs(way[k]) < 1e-7, F(1e-7), way[k])
            a, b = (F(low) - start[k]) * step, (F(high) - start[k]) * step
            np.maximum(near, np.minimum(a, b), out=near)
            np.minimum(far, np.maximum(a, b), out=far)
        return near, far

    def normal(self, at: Array) -> Array:
        """Return the normals at points (3, n) of its surface in its own axes, from four distances around each."""
        out = np.zeros_like(at)
        for corner in _CORNERS:
            out += corner[:, None] * self.distance(at + corner[:, None] * _STEP)
        return unit(out)


def unit(way: Array) -> Array:
    """Return ways (3, n) of length one."""
    x, y, z = way
    return np.asarray(way / (np.sqrt(x * x + y * y + z * z) + F(1e-12)))


@dataclass(frozen=True, eq=False, kw_only=True)
class Block(Body):
    """A box with round edges: a rim, a telephone, a sheet of paper."""

    half: tuple[float, float]
    height: float
    radius: float = 0.6

    @property
    def sides(self) -> Sides:
        """See `Body`."""
        x, y = self.half
        return (-x, x), (-y, y), (0.0, self.height)

    def distance(self, at: Array) -> Array:
        """See `Body`."""
        middle = np.stack([at[0], at[1], at[2] - F(self.height / 2)])
        return to_box(middle, (*self.half, self.height / 2), self.radius)


@dataclass(frozen=True, eq=False, kw_only=True)
class TileBody(Body):
    """A tile; its origin is the middle of its four virtual corners."""

    shape: TileLook

    @property
    def sides(self) -> Sides:
        """See `Body`."""
        x, y = self.shape.size_mm[0] / 2, self.shape.size_mm[1] / 2
        return (-x, x), (-y, y + self.shape.sag_mm), (0.0, self.shape.thickness_mm)

    @property
    def convex(self) -> bool:
        """See `Body`: the lower arc is hollow."""
        return self.shape.sag_mm == 0

    def distance(self, at: Array) -> Array:
        """See `Body`."""
        around, slab = to_outline(at[0], at[1], self.shape), to_slab(at[2], self.shape.thickness_mm)
        return both_round(around, slab, self.shape.bevel_mm)

    def outline(self) -> Array:
        """See `Body`."""
        return flat_outline(self.shape)


@dataclass(frozen=True, eq=False, kw_only=True)
class DieBody(Body):
    """A die that lies flat."""

    side: float
    radius: float
    ball: float = 0.0
    """Diameter of the ball that cuts its corners; 0: none does."""

    @property
    def sides(self) -> Sides:
        """See `Body`."""
        half = self.side / 2
        return (-half, half), (-half, half), (0.0, self.side)

    def distance(self, at: Array) -> Array:
        """See `Body`."""
        return to_die(np.stack([at[0], at[1], at[2] - F(self.side / 2)]), self.side, self.radius, self.ball)


@dataclass(frozen=True, eq=False, kw_only=True)
class DiskBody(Body):
    """A disk, or a coin."""

    radius: float
    height: float
    bevel: float

    @property
    def sides(self) -> Sides:
        """See `Body`."""
        return (-self.radius, self.radius), (-self.radius, self.radius), (0.0, self.height)

    def distance(self, at: Array) -> Array:
        """See `Body`."""
        return to_disk(at, self.radius, self.height, self.bevel)

    def outline(self) -> Array:
        """See `Body`."""
        return ring(self.radius)


@dataclass(frozen=True, eq=False, kw_only=True)
class Mug(Body):
    """A mug, three quarters full."""

    radius: float
    height: float

    @property
    def level(self) -> float:
        """How high it is filled."""
        return 0.75 * self.height

    @property
    def sides(self) -> Sides:
        """See `Body`."""
        return (-self.radius, self.radius), (-self.radius, self.radius), (0.0, self.height)

    def distance(self, at: Array) -> Array:
        """See `Body`."""
        return to_mug(at, self.radius, self.height, self.level)

    def outline(self) -> Array:
        """See `Body`."""
        return ring(self.radius)


def turning(angle: float) -> Array:
    """Return the matrix (2, 2) that turns columns counter-clockwise. angle: in radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def ring(radius: float, points: int = 20) -> Array:
    """Return a circle about the origin as a polygon, (points, 2)."""
    t = np.arange(points) * 2 * np.pi / points
    return np.stack([np.cos(t), np.sin(t)], 1) * radius


def flat_outline(shape: TileLook, points: int = 7) -> Array:
    """Return a tile's outline without its round corners, (m, 2); points: along each arc."""
    w, h = shape.size_mm
    if not shape.sag_mm:
        cut = 0.3 * shape.corner_mm
        away = SQUARE * (w / 2, h / 2)
        return np.concatenate([[a - (np.sign(a[0]) * cut, 0), a - (0, np.sign(a[1]) * cut)] for a in away])
    x, r = np.linspace(-w / 2, w / 2, points), arc_radius(shape)
    rise = np.sqrt(r * r - x * x) - r + shape.sag_mm
    return np.vstack([np.stack([x, rise - h / 2], 1), np.stack([x[::-1], rise[::-1] + h / 2], 1)])
