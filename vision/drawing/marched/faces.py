"""The faces of tiles, dice and disks: ink, wear, engraving, pips, dots and rings."""

from __future__ import annotations

import numpy as np

from vision.drawing.marched.bodies import unit
from vision.drawing.marched.distances import to_outline
from vision.drawing.marched.look import DiceStuff, DiskStuff, TileStuff
from vision.drawing.marched.materials import Surface, Textures
from vision.drawing.marched.prints import Print, shift_mm
from vision.drawing.marched.texture import Array, F, Rgb, chosen, linear, repeated

FRAME_MM = (1.9, 0.35)
"""How far from a tile's edge its frame runs, and how wide its line is to either side."""
RING = 0.86
"""Radius of a ring over the disk's."""
DOTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),), 2: ((-1, 0), (1, 0)), 4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
}  # fmt: skip
"""Where the dots of a prediction disk lie; these and the pips are written anew: a second opinion shares no slip."""
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),), 2: ((-1, 1), (1, -1)), 3: ((-1, 1), (0, 0), (1, -1)), 4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    5: ((-1, 1), (1, 1), (-1, -1), (1, -1), (0, 0)), 6: ((-1, 1), (1, 1), (-1, -1), (1, -1), (-1, 0), (1, 0)),
}  # fmt: skip
RED: Rgb = (190, 20, 24)
_GRAIN_MM = 0.2
"""Side of a texel of the textures on pieces."""
_EDGE_MM = 0.15
"""How far to either side an engraved digit's slope is looked for."""


class TileFace:
    """A tile with its digit, or its back."""

    def __init__(
        self, stuff: TileStuff, colour: str, ink: Print | None, symbol: str, textures: Textures,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        """Choose its tone, its grain and how far aside it is printed. ink: None where it lies face down."""
        self._stuff, self._shape, self._print, self._textures = stuff, stuff.shape, ink, textures
        self._from = rng.uniform(0, 800, 2).astype(F)
        tone = F(rng.normal(1, 0.03 if stuff.wood else 0.012))
        self._side = linear(stuff.bodies[colour]) * tone
        self._top = linear(stuff.back) * tone if ink is None and stuff.back is not None else self._side
        self._ink = linear(stuff.inks[colour])
        self._middle = np.add(shift_mm(stuff.shape, symbol), rng.normal(0, 0.2, 2)).astype(F)

    def __call__(self, at: Array, normal: Array) -> Surface:
        """See `Material`."""
        x, y = at[0], at[1]
        u, v = x / F(_GRAIN_MM) + self._from[0], y / F(_GRAIN_MM) + self._from[1]
        grain = repeated(self._textures.wood if self._stuff.wood else self._textures.plain, u, v)
        on_top = at[2] >= F(0.93 * self._shape.thickness_mm)
        albedo = np.where(on_top, self._top[:, None], self._side[:, None]) * (1 + grain)
        cavity, slope = None, np.zeros_like(normal)
        if self._print is not None:
            level = normal[2] > 0.6
            ink = self._inked(x, y) * level * self._left(u, v)
            albedo += (self._ink[:, None] - albedo) * np.maximum(ink, F(0.8) * self._frame(x, y) * level)
            if self._shape.engraved:
                cavity = self._engrave(x, y, ink, level, slope)
        if self._stuff.wood:
            slope[0] += F(0.3) * grain
            slope[1] += F(0.15) * grain
        return Surface(albedo, unit(normal + slope), self._stuff.coat, cavity)

    def _inked(self, x: Array, y: Array) -> Array:
        assert self._print is not None  # noqa: S101 - a back is not asked
        return self._print.at(x - self._middle[0], y - self._middle[1])

    def _left(self, u: Array, v: Array) -> Array | float:
        """Return the share of the ink that use has left."""
        wear = F(self._shape.wear)
        return 1 - wear * repeated(self._textures.wear, u + F(333), v + F(77)) if wear else 1.0

    def _frame(self, x: Array, y: Array) -> Array | float:
        if not self._stuff.framed:
            return 0.0
        off, wide = FRAME_MM
        return np.clip(1 - np.abs(-to_outline(x, y, self._shape) - F(off)) / F(wide), 0, 1)

    def _engrave(self, x: Array, y: Array, ink: Array, level: Array, slope: Array) -> Array:
        """Tilt the normals by the digit's edges, which changes `slope`; return how much light gets in, (n,)."""
        e = F(_EDGE_MM)
        across = self._inked(x + e, y) - self._inked(x - e, y)
        along = self._inked(x, y + e) - self._inked(x, y - e)
        slope[0] += F(0.55) * across * level
        slope[1] += F(0.55) * along * level
        return np.asarray(1 - F(0.25) * ink * np.clip(np.hypot(across, along), 0, 1))


def faces_of(value: int, *, right_handed: bool, rng: np.random.Generator) -> tuple[int, int, int]:
    """Return what a die that shows `value` has on the sides of its x, y and z; opposite ones add up to 7.

    right_handed: whether 1, 2 and 3 run counter-clockwise about their corner.
    """
    x = chosen(rng, [v for v in range(1, 7) if v not in (value, 7 - value)])
    first, second = (v for v in range(1, 7) if v not in (value, 7 - value, x, 7 - x))
    return (x, first, value) if _hand(x, first, value) == right_handed else (x, second, value)


def _hand(*faces: int) -> bool:
    """Tell whether the ways to 1, 2 and 3 are right-handed."""
    axes = np.zeros((3, 3))
    for axis, face in enumerate(faces):
        low = min(face, 7 - face)
        axes[low - 1, axis] = 1 if face == low else -1
    return bool(np.linalg.det(axes) > 0)


class DieFaces:
    """A die with its pips, painted or hollow."""

    def __init__(self, stuff: DiceStuff, colour: str, value: int, textures: Textures, rng: np.random.Generator) -> None:
        """Choose what its sides show, which way they lie, and its veins."""
        self._stuff, self._shape, self._textures = stuff, stuff.shape, textures
        self._from = rng.uniform(0, 700, 2).astype(F)
        self._body, self._paint = linear(stuff.bodies[colour]), linear(stuff.pips[colour])
        faces = faces_of(value, right_handed=stuff.right_handed, rng=rng)
        self._faces = {(k, sign): v if sign > 0 else 7 - v for k, v in enumerate(faces) for sign in (1, -1)}
        self._turned = {v: bool(rng.random() < 0.5) for v in range(1, 7)}

    def __call__(self, at: Array, normal: Array) -> Surface:
        """See `Material`."""
        x, y, z = at[0], at[1], at[2] - F(self._shape.size_mm / 2)
        veins = repeated(self._textures.marble, x * 9 + z * F(5.2) + self._from[0], y * 9 + z * F(3.1) + self._from[1])
        albedo = self._body[:, None] * (1 + F(self._stuff.marble) * veins)
        if self._stuff.marble > 0.1:
            albedo += np.clip(veins - F(1.1), 0, F(0.6)) * F(0.1)
        normal, cavity = normal.copy(), np.ones(len(x), F)
        own = np.stack([x, y, z])
        side = np.abs(own).argmax(0)
        for (axis, sign), value in self._faces.items():
            on = np.flatnonzero((side == axis) & (own[axis] * sign > 0))
            if len(on):
                self._pips(own, on, axis, value, albedo, normal, cavity)
        return Surface(albedo, unit(normal), self._stuff.coat, cavity)

    def _pips(self, own: Array, on: Array, axis: int, value: int, albedo: Array, normal: Array, cavity: Array) -> None:
        """Paint and hollow the pips of one side at its points `on`; changes albedo, normal and cavity."""
        a, b = (k for k in range(3) if k != axis)
        size, (radius, off) = self._shape.size_mm, self._shape.pip
        radius *= size * (self._shape.one if value == 1 else 1.0)
        paint = linear(RED) if value == 1 and self._stuff.red_one else self._paint
        for right, up in self._spots(value):
            da, db = own[a][on] - F(right * off * size), own[b][on] - F(up * off * size)
            away = np.sqrt(da * da + db * db) / F(radius)
            within = away < 1
            spot = on[within]
            albedo[:, spot] = paint[:, None]
            if self._shape.hollow:
                # Part of a ball: its wall leans inwards by the distance from its middle.
                normal[a, spot] -= da[within] * F(self._shape.hollow / radius)
                normal[b, spot] -= db[within] * F(self._shape.hollow / radius)
                cavity[spot] = F(0.72) + F(0.28) * away[within]

    def _spots(self, value: int) -> list[tuple[int, int]]:
        """Return where the pips of a side lie: a six runs either way, a two and three along either diagonal."""
        if not self._turned[value]:
            return list(PIPS[value])
        return [(up, right) if value == 6 else (-right, up) for right, up in PIPS[value]]


class DiskFace:
    """A disk with dots or a digit, and perhaps a ring."""

    def __init__(
        self, stuff: DiskStuff, kind: str, value: int, ink: Print | None, textures: Textures,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        """Choose its tone and grain. ink: the digit; None where it has dots."""
        self._stuff, self._value, self._print, self._textures = stuff, value, ink, textures
        self._from = rng.uniform(0, 700, 2).astype(F)
        self._body = linear(stuff.bodies[kind]) * F(rng.normal(1, 0.03))
        self._ink = linear(stuff.inks[kind])

    def __call__(self, at: Array, normal: Array) -> Surface:
        """See `Material`."""
        x, y, width = at[0], at[1], self._stuff.width
        grain = repeated(self._textures.wood, x / F(_GRAIN_MM) + self._from[0], y / F(_GRAIN_MM) + self._from[1])
        albedo = self._body[:, None] * (1 + grain)
        ink = self._dots(x, y) if self._print is None else self._print.at(x, y)
        if self._stuff.ring:
            ink = np.maximum(ink, np.abs(np.hypot(x, y) - F(width / 2 * RING)) < 0.3)
        albedo += (self._ink[:, None] - albedo) * (ink * (normal[2] > 0.6))
        return Surface(albedo, normal, self._stuff.coat)

    def _dots(self, x: Array, y: Array) -> Array:
        off, radius = self._stuff.dot_off * self._stuff.width, F(self._stuff.dot * self._stuff.width)
        out = np.zeros(len(x), F)
        for right, up in DOTS[self._value]:
            out = np.maximum(out, np.hypot(x - F(right * off), y - F(up * off)) < radius)
        return out
