"""Lamps: where they hang, the light they shed, and their image in whatever mirrors it.

A lamp is a disk or a panel that faces the tray, seen in a surface as in a mirror: along the ray that leaves it at the
angle at which the eye's came in. A rough surface widens the image and takes of its brightness.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vision.drawing.marched.texture import Array, F, chosen, dot
from vision.drawing.traced.look import Point, lamp_rgb

GOLDEN = 2.399963
"""The golden angle, radians: points that turn by it fill a disk evenly (Vogel, Mathematical Biosciences 44, 1979)."""
DEPTH = 0.55
"""Of a panel, over its width."""
MOODS = {"even": 0.24, "evening": 0.22, "desk": 0.16, "window": 0.16, "hard": 0.12, "glare": 0.10}
"""Kinds of light, and how often a table stands in each."""


@dataclass(frozen=True)
class Lamp:
    """A lamp that faces the middle of the tray."""

    at: Point
    size: float
    """Radius of a round lamp, half the width of a panel."""
    kelvin: float
    share: float
    """Of the light of all lamps on the middle of the tray."""
    shape: str = "round"
    """"round" or "panel"."""
    power: float = 0.0
    """How much light it sheds on the middle of a tray that would face it; 1 is all that there is."""

    @cached_property
    def away(self) -> float:
        """How far it is from the middle of the tray."""
        return float(np.linalg.norm(self.at))

    @cached_property
    def axes(self) -> tuple[Array, Array, Array]:
        """Return its width's, its depth's and its back's direction, unit vectors (3,)."""
        back = np.array(self.at) / self.away
        wide = np.cross(back, [0.3, 1, 0.1])
        wide /= np.linalg.norm(wide)
        return wide, np.cross(back, wide), back

    @cached_property
    def light(self) -> Array:
        """Return its light on a sheet that faces it in the middle of the tray, (3,) float32."""
        return (self.power * np.array(lamp_rgb(self.kelvin))).astype(F)

    @property
    def angle(self) -> float:
        """How large it is from the middle of the tray, steradians."""
        return (np.pi if self.shape == "round" else 4 * DEPTH) * (self.size / self.away) ** 2

    def points(self, count: int) -> Array:
        """Return so many points spread over it, (count, 3)."""
        k = np.arange(count) + 0.5
        if self.shape == "round":
            r = np.sqrt(k / count)
            spread = np.stack([r * np.cos(k * GOLDEN), r * np.sin(k * GOLDEN)], 1)
        else:
            # A lattice of Fibonacci's: even both ways for any count.
            spread = np.stack([k / count, (np.arange(count) * 0.6180339887 + 0.31) % 1], 1) * 2 - 1
            spread[:, 1] *= DEPTH
        wide, deep, _ = self.axes
        return np.asarray(np.array(self.at) + self.size * (spread[:, :1] * wide + spread[:, 1:] * deep))

    def mirrored(self, at: Array, way: Array, rough: float) -> Array:
        """Return how bright it looks from points (3, n) along unit ways (3, n), (n,) of its `light`.

        rough: 0 as in glass, 0.6 dull.
        """
        seen = self._disk if self.shape == "round" else self._panel
        return seen(at, way, max(0.55 * rough, 0.004)) * F(np.pi / self.angle)

    def _towards(self, at: Array, way: Array) -> tuple[Array, Array]:
        """Return how far it is from points (n,), and the cosine of how far aside a way goes."""
        x, y, z = (F(self.at[k]) - at[k] for k in range(3))
        away = np.sqrt(x * x + y * y + z * z)
        return away, np.clip((way[0] * x + way[1] * y + way[2] * z) / away, -1, 1)

    def _disk(self, at: Array, way: Array, soft: float) -> Array:
        away, ahead = self._towards(at, way)
        radius2 = (F(self.size) / away) ** 2
        edge = np.sqrt(np.maximum(2 * (1 - ahead), 0)) - np.sqrt(radius2 + F(0.6 * soft**2))
        return _within(edge, 0.35 * soft) * radius2 / (radius2 + F(3 * soft**2))

    def _panel(self, at: Array, way: Array, soft: float) -> Array:
        away, _ = self._towards(at, way)
        wide, deep, back = (axis.astype(F) for axis in self.axes)
        off = np.array(self.at, F)[:, None] - at
        rise = dot(back, way)
        far = dot(back, off) / np.where(np.abs(rise) < 1e-5, F(1e-5), rise)
        hit = way * far - off
        spread = F(soft) * away
        edge = np.maximum(np.abs(dot(wide, hit)) - F(self.size), np.abs(dot(deep, hit)) - F(self.size * DEPTH))
        area = F(4 * DEPTH * self.size**2)
        return np.where(far > 0, _within(edge, 0.35 * spread), F(0)) * area / (area + 9 * spread * spread)


def mirror_place(lamp: Point, eye: Point, z: float) -> tuple[float, float]:
    """Return where on a level mirror at a height an eye sees a lamp: where both look down equally steeply."""
    up_lamp, up_eye = lamp[2] - z, eye[2] - z
    share = up_eye / (up_eye + up_lamp)
    return eye[0] + share * (lamp[0] - eye[0]), eye[1] + share * (lamp[1] - eye[1])


def _within(edge: Array, soft: Array | float) -> Array:
    """Return 1 well within an edge, 0 well outside."""
    return np.asarray(1 / (1 + np.exp(np.clip(edge / np.asarray(soft, F), -30, 30))))


@dataclass(frozen=True)
class Light:
    """All the light in a room."""

    mood: str
    lamps: tuple[Lamp, ...]
    ambient: Array
    """Of the room itself, (3,) float32."""

    def mirrored(self, at: Array, way: Array, rough: float) -> Array:
        """Return what is seen from points (3, n) along unit ways (3, n): lamps and a dim room, (3, n)."""
        up = np.clip(way[2], 0, 1)
        out = self.ambient[:, None] * (F(0.35) + F(0.75) * up)
        for lamp in self.lamps:
            out += lamp.light[:, None] * lamp.mirrored(at, way, rough)
        return np.asarray(out)


def _around(rng: np.random.Generator, off: tuple[float, float], high: tuple[float, float]) -> Point:
    """Return a place so far from the middle and so high, on any side."""
    turn, away = rng.uniform(0, 2 * np.pi), rng.uniform(*off)
    return float(away * np.cos(turn)), float(away * np.sin(turn)), float(rng.uniform(*high))


def _even(rng: np.random.Generator) -> tuple[list[Lamp], float, float]:
    k = rng.uniform(3300, 5600)
    lamps = [
        Lamp(_around(rng, (350, 1000), (950, 1900)), rng.uniform(150, 400), k + rng.uniform(-300, 300),
             rng.uniform(0.3, 1), chosen(rng, ["round", "panel"]))
        for _ in range(int(rng.integers(1, 4)))
    ]  # fmt: skip
    return lamps, rng.uniform(0.4, 0.6), k * rng.uniform(0.9, 1.15)


def _evening(rng: np.random.Generator) -> tuple[list[Lamp], float, float]:
    k = rng.uniform(2650, 3100)
    lamps = [
        Lamp(_around(rng, (300, 1000), (950, 1700)), rng.uniform(60, 200), k + rng.uniform(-60, 300),
             rng.uniform(0.3, 1))
        for _ in range(int(rng.integers(1, 4)))
    ]  # fmt: skip
    return lamps, rng.uniform(0.18, 0.35), k * 1.05


def _desk(rng: np.random.Generator) -> tuple[list[Lamp], float, float]:
    k = rng.uniform(2750, 4800)
    lamps = [Lamp(_around(rng, (270, 500), (280, 480)), rng.uniform(30, 70), k, 1.0)]
    if rng.random() < 0.6:
        at = _around(rng, (400, 900), (950, 1800))
        lamps.append(Lamp(at, rng.uniform(100, 350), k + rng.uniform(-300, 800), rng.uniform(0.5, 2)))
    return lamps, rng.uniform(0.22, 0.4), k * 1.1


def _window(rng: np.random.Generator) -> tuple[list[Lamp], float, float]:
    k = rng.uniform(5400, 7200)
    lamps = [Lamp(_around(rng, (1100, 1100), (750, 1400)), rng.uniform(300, 500), k, 1.0, "panel")]
    if rng.random() < 0.35:
        at = _around(rng, (400, 900), (1100, 1800))
        lamps.append(Lamp(at, rng.uniform(80, 200), rng.uniform(2700, 3300), rng.uniform(0.15, 0.5)))
    return lamps, rng.uniform(0.3, 0.5), k


def _hard(rng: np.random.Generator) -> tuple[list[Lamp], float, float]:
    k = rng.uniform(2800, 5800)
    lamps = [Lamp(_around(rng, (300, 900), (1000, 1800)), rng.uniform(8, 20), k, 1.0)]
    if rng.random() < 0.5:
        at = _around(rng, (400, 900), (1000, 1800))
        lamps.append(Lamp(at, rng.uniform(200, 400), k + rng.uniform(-300, 800), rng.uniform(0.3, 0.9)))
    return lamps, rng.uniform(0.14, 0.3), k * 1.1


def _glare(rng: np.random.Generator) -> tuple[list[Lamp], float, float]:
    """Return a lamp whose mirror image lies on the tray or close by, and a large one aside."""
    k = rng.uniform(3000, 5500)
    near = Lamp(_around(rng, (20, 300), (950, 1500)), rng.uniform(50, 130), k, rng.uniform(0.3, 0.7),
                chosen(rng, ["round", "panel"]))  # fmt: skip
    aside = Lamp(_around(rng, (500, 900), (1000, 1600)), rng.uniform(200, 400), k + rng.uniform(-200, 400), 1.0)
    return [near, aside], rng.uniform(0.3, 0.5), k


_KINDS: dict[str, Callable[[np.random.Generator], tuple[list[Lamp], float, float]]] = {
    "even": _even, "evening": _evening, "desk": _desk, "window": _window, "hard": _hard, "glare": _glare,
}  # fmt: skip


def random_light(rng: np.random.Generator) -> Light:
    """Return the lamps of any mood and the room's own light; together they are 1 on the middle of the tray."""
    mood = chosen(rng, list(MOODS), list(MOODS.values()))
    lamps, ambient, kelvin = _KINDS[mood](rng)
    total = sum(lamp.share for lamp in lamps)
    lit = []
    for lamp in lamps:
        share = lamp.share / total
        lit.append(replace(lamp, share=share, power=(1 - ambient) * share * lamp.away / lamp.at[2]))
    room = ambient * np.array(lamp_rgb(min(kelvin, 9000.0)))
    return Light(mood, tuple(lit), room.astype(F))
