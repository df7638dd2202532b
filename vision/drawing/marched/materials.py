"""What points of a body look like: their colour, the way they face, how they mirror."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vision.drawing.marched.bodies import Body
from vision.drawing.marched.look import Coat
from vision.drawing.marched.texture import TEXTURE, Array, F, Rgb, at_points, clouds, linear, repeated


@dataclass(frozen=True, eq=False)
class Surface:
    """Points of a body."""

    albedo: Array
    """(3, n) linear."""
    normal: Array
    """(3, n) unit, in the body's own axes."""
    coat: Coat
    cavity: Array | None = None
    """Share of the light that gets into hollows, (n,); None: there are none."""


class Material(Protocol):
    """What a body is made of."""

    def __call__(self, at: Array, normal: Array) -> Surface:
        """Return what points (3, n) of the body's own axes look like; normal: (3, n) of its shape."""


@dataclass(frozen=True, eq=False)
class Thing:
    """A body and what it is made of."""

    body: Body
    stuff: Material


@dataclass(frozen=True, eq=False)
class Textures:
    """Patterns that all pieces of a picture share, each looked up where chance has it: (TEXTURE, TEXTURE) float32."""

    plain: Array
    wood: Array
    marble: Array
    wear: Array


def random_textures(rng: np.random.Generator) -> Textures:
    """Return the patterns of one picture."""
    square = (TEXTURE, TEXTURE)
    grain = clouds(rng, square, 14, octaves=3, gain=0.6, stretch=(1, 14))
    return Textures(
        plain=np.clip(F(0.02) * clouds(rng, square, 24), -0.1, 0.1),
        wood=np.clip(F(0.075) * grain, -0.22, 0.22),
        marble=np.clip(clouds(rng, square, 40, gain=0.6), -2, 2),
        wear=np.clip(clouds(rng, square, 14, gain=0.7) - F(1.1), 0, 1),
    )


class Painted:
    """A thing of any colours, that says nothing."""

    def __init__(self, coat: Coat, colour_at: Callable[[Array, Array], Array]) -> None:
        """colour_at: returns the albedo (3, n) of points (3, n) with normals (3, n)."""
        self._coat, self._colour_at = coat, colour_at

    def __call__(self, at: Array, normal: Array) -> Surface:
        """See `Material`."""
        return Surface(self._colour_at(at, normal), normal, self._coat)


def one_colour(rgb: Rgb, texture: Array, amount: float) -> Callable[[Array, Array], Array]:
    """Return a colour for `Painted`, uneven by a texture."""
    light = linear(rgb)[:, None]

    def colour_at(at: Array, _: Array) -> Array:
        u, v = at[0] / F(0.3) + F(300), (at[1] + at[2]) / F(0.3) + F(300)
        return np.asarray(light * (1 + F(amount) * repeated(texture, u, v)))

    return colour_at


def planed(wood: Array) -> Callable[[Array, Array], Array]:
    """Return wood for `Painted`, of a picture (h, w, 3) that is laid along the body's x, 0.4 mm a texel."""
    h, w = wood.shape[:2]

    def colour_at(at: Array, _: Array) -> Array:
        u, v = at[0] / F(0.4) + F(400), (at[1] + at[2]) / F(0.4) + F(40)
        return at_points(wood, np.abs(u) % (w - 2), np.abs(v) % (h - 2))

    return colour_at
