"""How far points are from solids: the signed distance functions that rays march along.

A ray may go as far as the nearest solid is away and hits nothing: sphere tracing (Hart, "Sphere Tracing", The Visual
Computer 12, 1996). Distances are below 0 within a solid. The formulas are those of Quilez ("Distance functions",
iquilezles.org) and, for round edges where two solids meet, of Mercury's hg_sdf. All are in millimetres.
"""

from __future__ import annotations

import numpy as np

from vision.drawing.look import TileLook
from vision.drawing.marched.texture import Array, F


def both_round(a: Array, b: Array, radius: float) -> Array:
    """Return the distance to what two solids share, its edge rounded; exact where they meet at right angles."""
    r = F(radius)
    u, v = np.maximum(a + r, 0), np.maximum(b + r, 0)
    return np.asarray(np.minimum(-r, np.maximum(a, b)) + np.sqrt(u * u + v * v))


def to_box(at: Array, half: tuple[float, float, float], radius: float) -> Array:
    """Return the distance of points (3, n) to a box about the origin with round edges. half: of its sides."""
    x, y, z = (np.abs(at[k]) - F(half[k] - radius) for k in range(3))
    inner = np.minimum(np.maximum(np.maximum(x, y), z), 0)
    x, y, z = np.maximum(x, 0), np.maximum(y, 0), np.maximum(z, 0)
    return np.asarray(np.sqrt(x * x + y * y + z * z) + inner - F(radius))


def to_slab(z: Array, height: float) -> Array:
    """Return the distance of heights (n,) to all that lies between 0 and `height`."""
    return np.asarray(np.abs(z - F(height / 2)) - F(height / 2))


def arc_radius(shape: TileLook) -> float:
    """Return the radius of the circles that bound a tile above and below, which must have arcs."""
    w, sag = shape.size_mm[0], shape.sag_mm
    return (w * w / 4 + sag * sag) / (2 * sag)


def to_outline(x: Array, y: Array, shape: TileLook) -> Array:
    """Return the distance of points (n,) of a tile's own plane to its outline; the arc upwards.

    At the corners of a tile with arcs, which are no right angles, up to a quarter more than it is.
    """
    w, h = shape.size_mm
    if shape.sag_mm:
        r = arc_radius(shape)
        # Circles through the upper and the lower corners; the body lies within the one and outside the other.
        above = np.hypot(x, y - F(h / 2 + shape.sag_mm - r)) - F(r)
        below = F(r) - np.hypot(x, y - F(-h / 2 + shape.sag_mm - r))
    else:
        above, below = y - F(h / 2), -y - F(h / 2)
    across = np.abs(x) - F(w / 2)
    return both_round(both_round(across, above, shape.corner_mm), below, shape.corner_mm)


def to_die(at: Array, side: float, radius: float, ball: float) -> Array:
    """Return the distance of points (3, n) to a die about the origin. ball: diameter that cuts its corners; 0: none."""
    half = side / 2
    away = to_box(at, (half, half, half), radius)
    if not ball:
        return away
    x, y, z = at
    return np.asarray(np.maximum(away, np.sqrt(x * x + y * y + z * z) - F(ball / 2)))


def to_disk(at: Array, radius: float, height: float, bevel: float) -> Array:
    """Return the distance of points (3, n) to a disk that stands on the plane z = 0."""
    return both_round(np.hypot(at[0], at[1]) - F(radius), to_slab(at[2], height), bevel)


def to_mug(at: Array, radius: float, height: float, level: float) -> Array:
    """Return the distance of points (3, n) to a mug on the plane z = 0, filled up to `level`; its wall is 4 mm."""
    away = np.hypot(at[0], at[1])
    wall = both_round(np.abs(away - F(radius - 2.0)) - F(2), to_slab(at[2], height), 1.0)
    return np.asarray(np.minimum(wall, np.maximum(away - F(radius - 2.0), to_slab(at[2], level))))
