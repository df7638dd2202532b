"""Light that points of a body send to the camera: of lamps with their shadows, of the room, of the felt, mirrored."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.drawing.marched.bodies import Body
from vision.drawing.marched.lamps import Lamp
from vision.drawing.marched.materials import Surface
from vision.drawing.marched.scene import Scene
from vision.drawing.marched.shadows import SMALL_LAMP
from vision.drawing.marched.texture import Array, F, dot

GLASS = 0.04
"""Share of the light that glass, lacquer and plastic mirror when seen from above."""
_LIFT = F(0.08)
"""How far from a surface its shadows are looked for, mm, so that it casts none on itself."""
_DEEP = F(0.4)
"""How far light must run through a neighbour's box to be kept off, mm: its edges are round."""


def fresnel(facing: Array) -> Array:
    """Return the share that glass mirrors, (n,), by the cosine to its normal (Schlick, Eurographics 1994)."""
    left = 1 - facing
    left2 = left * left
    return np.asarray(F(GLASS) + F(1 - GLASS) * left2 * left2 * left)


def shaded(scene: Scene, body: Body, at: Array, eye: Array, surface: Surface) -> Array:
    """Return the light that points (3, n) of a body send along unit ways `eye` (3, n) to the camera, (3, n)."""
    normal = body.tray_way(surface.normal)
    high = np.clip((at[2] - F(body.z)) / F(max(body.sides[2][1], 0.1)), 0, 1)
    out = _room(scene, normal, high)
    lifted = at + normal * _LIFT
    for lamp in scene.light.lamps:
        out += lamp.light[:, None] * _lamp(scene, body, lamp, at, lifted, normal)
    out *= surface.albedo
    mirrored = _mirrored(scene, at, eye, normal, surface) * (F(0.3) + F(0.7) * high)
    return np.asarray((out + mirrored) * (1 if surface.cavity is None else surface.cavity))


def _room(scene: Scene, normal: Array, high: Array) -> Array:
    """Return the light of the room, and of the felt from below; both less near the felt. high: 0..1 of the body."""
    open_sky = (F(0.5) + F(0.5) * normal[2]) * (F(0.55) + F(0.45) * high)
    below = (F(0.5) - F(0.5) * normal[2]) * (F(0.4) + F(0.6) * high)
    return np.asarray(scene.light.ambient[:, None] * open_sky + F(0.55) * scene.floor[:, None] * below)


def _lamp(scene: Scene, body: Body, lamp: Lamp, at: Array, lifted: Array, normal: Array) -> Array:
    """Return how much light of a lamp arrives at points, (n,), over that in the middle of the tray."""
    way = np.array(lamp.at, F)[:, None] - at
    away2 = dot(way, way)
    facing = np.maximum(dot(normal, way), 0) / np.sqrt(away2)
    arriving = facing * F(lamp.away**2) / away2
    near = _in_the_way(scene, body, lamp, float(at[2].min()))
    return arriving * (1 - _hidden(near, lamp, lifted, facing)) if near else arriving


def _in_the_way(scene: Scene, body: Body, lamp: Lamp, lowest: float) -> list[Body]:
    """Return the bodies whose shadows may fall on a body's points, none of which is below `lowest`."""
    out = []
    for other in scene.bodies:
        rise = other.top - lowest
        if other is body or rise < 0.2:
            continue
        slope = (np.hypot(lamp.at[0] - body.x, lamp.at[1] - body.y) + lamp.size + body.reach) / max(
            lamp.at[2] - lamp.size - other.top, 1.0
        )
        if _apart(other, body.x, body.y) - body.reach < rise * slope:
            out.append(other)
    return out


def _apart(body: Body, x: float, y: float) -> float:
    """Return how far a place is from the box around a body, seen from above."""
    c, s = np.cos(body.turn), np.sin(body.turn)
    dx, dy = x - body.x, y - body.y
    own = (c * dx + s * dy, c * dy - s * dx)
    beyond = [max(low - v, v - high, 0.0) for v, (low, high) in zip(own, body.sides[:2], strict=True)]
    return float(np.hypot(*beyond))


def _hidden(near: Sequence[Body], lamp: Lamp, at: Array, facing: Array) -> Array:
    """Return the share of a lamp that bodies hide from points (3, n), (n,): of all bodies the most."""
    out, sources = np.zeros(at.shape[1], F), lamp.points(8 if lamp.size > SMALL_LAMP else 3).astype(F)
    for body in near:
        low = np.flatnonzero((facing > 1e-3) & (at[2] < body.top - 0.1))
        if not len(low):
            continue
        own, hits = body.own(at[:, low]), np.zeros(len(low), F)
        # In its own axes points and lamp are turned once, not every ray; all rays to one lamp are about as long.
        middle = body.own(np.array(lamp.at, F)[:, None]) - own
        deep = _DEEP / np.sqrt(dot(middle, middle))
        for source in body.own(sources.T).T:
            enters, leaves = body.through(own, source[:, None] - own)
            hits += (leaves - np.maximum(enters, 0) > deep) & (leaves > 0)
        out[low] = np.maximum(out[low], hits / F(len(sources)))
    return out


def _mirrored(scene: Scene, at: Array, eye: Array, normal: Array, surface: Surface) -> Array:
    """Return what points mirror of lamps and room, (3, n): the way in and the way out lie alike about the normal."""
    facing = dot(normal, eye)
    back = 2 * facing * normal - eye
    share = F(surface.coat.gloss) * fresnel(np.clip(facing, 0, 1))
    return scene.light.mirrored(at, back, surface.coat.rough) * share
