"""What the tray stands on: planks, boards, cloths, stone, tiles, plain tops; all seen around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.drawing.marched.shadows import Plane
from vision.drawing.marched.texture import Array, F, Rgb, chosen, clouds, linear

TABLE_Z = -4.0
"""Height of its top: the tray's bottom is so thick."""
KINDS = {"planks": 0.28, "board": 0.16, "plain": 0.16, "check": 0.1, "stripe": 0.06, "stone": 0.1, "cloth": 0.08,
         "tiles": 0.06}  # fmt: skip
WOODS: tuple[tuple[Rgb, Rgb], ...] = (
    ((196, 150, 98), (150, 104, 60)), ((120, 78, 48), (78, 46, 28)), ((226, 196, 150), (196, 160, 112)),
    ((168, 112, 70), (112, 66, 38)), ((90, 62, 50), (52, 34, 28)), ((186, 170, 150), (140, 124, 106)),
    ((206, 128, 72), (158, 84, 42)),
)  # fmt: skip
"""The lighter and the darker colour of each."""
PLAIN: tuple[Rgb, ...] = ((222, 222, 218), (190, 192, 194), (60, 60, 62), (235, 230, 220), (120, 130, 136),
                          (40, 44, 50), (176, 150, 120))  # fmt: skip
STONES: tuple[tuple[Rgb, Rgb], ...] = (
    ((200, 200, 204), (120, 124, 134)), ((70, 70, 74), (24, 24, 28)), ((190, 176, 156), (130, 112, 92)),
)  # fmt: skip
CLOTHS: tuple[Rgb, ...] = ((236, 232, 222), (225, 220, 205), (240, 240, 240))
DYES: tuple[Rgb, ...] = ((170, 30, 36), (30, 66, 130), (50, 110, 60), (190, 150, 60), (60, 60, 66))
CERAMICS: tuple[Rgb, ...] = ((214, 210, 200), (160, 120, 92), (110, 120, 128))
GROUT: Rgb = (150, 146, 138)
Shape = tuple[int, int]


@dataclass(frozen=True)
class Table:
    """A table top."""

    kind: str
    plane: Plane
    albedo: Array
    """(h, w, 3) float32, linear."""
    gloss: float
    """How strongly it mirrors, over glass."""
    rough: float
    """How dull its mirror images are; 0.6 is dull."""


def random_table(plane: Plane, rng: np.random.Generator) -> Table:
    """Return any table top."""
    kind = chosen(rng, list(KINDS), list(KINDS.values()))
    albedo, gloss, rough = _MADE[kind](plane, rng)
    return Table(kind, plane, np.clip(albedo, 0.002, 0.95), gloss, rough)


def mixed(first: Rgb, second: Rgb, share: Array) -> Array:
    """Return two colours mixed as light, (h, w, 3). share: of the second, (h, w)."""
    return np.asarray(linear(first) + share[..., None] * (linear(second) - linear(first)), F)


def wood(rng: np.random.Generator, shape: Shape, colours: tuple[Rgb, Rgb], scale: float) -> Array:
    """Return wood whose grain runs across the picture, (h, w, 3) linear. scale: how coarse it is."""
    bent = clouds(rng, shape, 90 * scale, octaves=3, stretch=(1, 7))
    rings = 0.5 * np.sin(np.arange(shape[0], dtype=F)[:, None] / F(9 * scale) + F(3.2) * bent)
    fine = clouds(rng, shape, 3 * scale, octaves=2, gain=0.6, stretch=(1, 22))
    return mixed(*colours, np.clip(F(0.45) + F(0.25) * rings + F(0.13) * fine + F(0.12) * bent, 0, 1))


def _wooden(plane: Plane, rng: np.random.Generator, *, planks: bool) -> tuple[Array, float, float]:
    shape, colours = plane.shape, chosen(rng, WOODS)
    top = _planks(plane, colours, rng) if planks else wood(rng, shape, colours, 1.6)
    if rng.random() < 0.5:
        top = cv2.resize(np.ascontiguousarray(np.rot90(top)), shape[::-1], interpolation=cv2.INTER_LINEAR)
    return top, chosen(rng, [0.0, 0.4, 1.0]), rng.uniform(0.12, 0.35)


def _planks(plane: Plane, colours: tuple[Rgb, Rgb], rng: np.random.Generator) -> Array:
    h, w = plane.shape
    wide = int(rng.uniform(70, 160) / plane.texel_mm)
    grown, top = wood(rng, (h, w), colours, 1.3), np.empty((h, w, 3), F)
    for y in range(0, h, wide):
        rows = (np.arange(y, min(y + wide, h)) + rng.integers(0, h)) % h
        cut = grown[rows[:, None], (np.arange(w) + rng.integers(0, w)) % w]
        top[y : y + wide] = cut * F(rng.uniform(0.82, 1.15))
        top[max(0, y - 1) : y + 1] *= F(0.45)
        for x in rng.integers(0, w, 2):
            top[y : y + wide, x : x + 2] *= F(0.5)
    return top


def _plain(plane: Plane, rng: np.random.Generator) -> tuple[Array, float, float]:
    top = linear(chosen(rng, PLAIN)) * (1 + F(0.02) * clouds(rng, plane.shape, 300))[..., None]
    return top, chosen(rng, [0.3, 1.0]), rng.uniform(0.1, 0.3)


def _cloth(plane: Plane, rng: np.random.Generator, *, kind: str) -> tuple[Array, float, float]:
    """Return a cloth: with checks, with stripes, or of two mixed threads."""
    shape = plane.shape
    bent, turn = 6 * clouds(rng, shape, 500, octaves=2), rng.uniform(-0.3, 0.3)
    x, y = np.arange(shape[1], dtype=F)[None], np.arange(shape[0], dtype=F)[:, None]
    c, s = F(np.cos(turn)), F(np.sin(turn))
    wide = rng.uniform(12, 45) / plane.texel_mm

    def bands(along: Array) -> Array:
        return np.asarray((np.clip(np.sin(along * F(np.pi / wide)) * F(wide / 2.2), -1, 1) + 1) / 2)

    pale, dyed = chosen(rng, CLOTHS), chosen(rng, DYES)
    if kind == "cloth":
        share = F(0.5) + F(0.1) * clouds(rng, shape, 3, octaves=1) + F(0.1) * clouds(rng, shape, 60, octaves=3)
    else:
        share = bands(x * c + y * s + bent)
        share = (share + bands(y * c - x * s + bent)) / 2 if kind == "check" else share
    top = mixed(pale, dyed, share) * (1 + F(0.05) * clouds(rng, shape, 2.5, octaves=1))[..., None]
    return top, 0.0, 0.25


def _stone(plane: Plane, rng: np.random.Generator) -> tuple[Array, float, float]:
    first, second = chosen(rng, STONES)
    share = np.clip(F(0.5) + F(0.25) * clouds(rng, plane.shape, 40, octaves=6, gain=0.7), 0, 1)
    return mixed(first, second, share), chosen(rng, [0.3, 1.0]), rng.uniform(0.06, 0.2)


def _tiled(plane: Plane, rng: np.random.Generator) -> tuple[Array, float, float]:
    (h, w), colour = plane.shape, np.array(chosen(rng, CERAMICS))
    side, top = int(rng.uniform(90, 150) / plane.texel_mm), np.empty((*plane.shape, 3), F)
    glaze = 1 + F(0.05) * clouds(rng, plane.shape, 50)
    for y in range(0, h, side):
        for x in range(0, w, side):
            top[y : y + side, x : x + side] = linear(np.clip(colour * rng.uniform(0.92, 1.05), 0, 255))
    top *= glaze[..., None]
    for k in range(0, max(h, w), side):
        top[k : k + 3] = top[:, k : k + 3] = linear(GROUT)
    return top, 0.6, 0.15


_MADE: dict[str, Callable[[Plane, np.random.Generator], tuple[Array, float, float]]] = {
    "planks": lambda plane, rng: _wooden(plane, rng, planks=True),
    "board": lambda plane, rng: _wooden(plane, rng, planks=False),
    "plain": _plain,
    "check": lambda plane, rng: _cloth(plane, rng, kind="check"),
    "stripe": lambda plane, rng: _cloth(plane, rng, kind="stripe"),
    "stone": _stone,
    "cloth": lambda plane, rng: _cloth(plane, rng, kind="cloth"),
    "tiles": _tiled,
}
