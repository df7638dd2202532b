"""A die as a solid: rays traced to a rounded cube with sunk pips, lit by a lamp that it mirrors.

Pips painted flat teach a net that a bright patch is a pip. Here the face mirrors the lamp as a face does: flat where
it is flat, in streaks along the round edges, in small spots in the hollows of the pips.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import Camera
from vision.drawing.look import Bgr, DieLook
from vision.drawing.scene import DrawnDie
from vision.geometry import SQUARE

Array = np.ndarray[Any, np.dtype[Any]]

PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where the pips of each face lie, in steps from its middle."""
FINER = 2
"""Rays a pixel, along each side."""
STEPS = 11


@dataclass(frozen=True, slots=True)
class DieLight:
    """The light that falls on one die."""

    towards: tuple[float, float, float]
    """Direction to the main lamp, in the tray's axes, length 1."""
    lamp_mm: tuple[float, float, float]
    """Middle of the lamp or window that the die mirrors."""


def sides_of(value: int) -> tuple[int, int, int, int]:
    """Return the faces around the top face, right, up, left, down (opposite faces sum to seven)."""
    front = 1 if value in (3, 4) else 3
    right = next(v for v in (2, 1, 3, 5) if v not in (value, 7 - value, front, 7 - front))
    return right, front, 7 - right, 7 - front


def paint_solid_die(
    frame: Array, die: DrawnDie, look: DieLook, camera: Camera, *, body: Bgr, pip: Bgr, light: DieLight
) -> None:
    """Paint one die into the frame (float32, changed)."""
    rays = _rays(frame.shape, die, look.size_mm, camera)
    if rays is None:
        return
    (x0, y0, w, h), start, way = rays
    at, hit = _march(start, way, look)
    colour = _shaded(at, hit, way, die, look, body, pip, _turned(light, die))
    fine = (h * FINER, w * FINER)
    patch = np.where(hit[:, None], colour, 0).astype(np.float32).reshape(*fine, 3)
    alpha = cv2.resize(hit.astype(np.float32).reshape(fine), (w, h), interpolation=cv2.INTER_AREA)
    part = frame[y0 : y0 + h, x0 : x0 + w]
    part *= 1 - alpha[..., None]
    part += cv2.resize(patch, (w, h), interpolation=cv2.INTER_AREA)


def _rays(
    shape: tuple[int, ...], die: DrawnDie, s: float, camera: Camera
) -> tuple[tuple[int, int, int, int], Array, Array] | None:
    """Return the box of pixels (x, y, w, h) that may show the die, and its rays in the die's own axes.

    Rays start on the plane of the top face and go down, (n, 3) each. None for a die outside the frame.
    """
    a = np.radians(die.angle_deg)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    box = SQUARE * s / 2
    ground = box @ turn + (die.x_mm, die.y_mm)
    planes = [camera.project(np.c_[ground, np.full(4, z)]) for z in (s, 0.0)]
    both = np.vstack(planes)
    low = np.maximum(np.floor(both.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(both.max(0)).astype(int) + 2, (shape[1], shape[0]))
    if (high - low < 3).any():
        return None
    w, h = (high - low).tolist()
    x = low[0] - 0.5 + (np.arange(w * FINER) + 0.5) / FINER
    y = low[1] - 0.5 + (np.arange(h * FINER) + 0.5) / FINER
    pixels = np.stack(np.meshgrid(x, y), -1).reshape(-1, 1, 2)
    top, bottom = (
        cv2.perspectiveTransform(pixels, cv2.getPerspectiveTransform(p.astype(np.float32), box.astype(np.float32)))
        for p in planes
    )
    start = np.concatenate([top[:, 0], np.full((len(top), 1), s / 2)], 1).astype(np.float32)
    way = np.concatenate([(bottom - top)[:, 0], np.full((len(top), 1), -s)], 1).astype(np.float32)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    return (int(low[0]), int(low[1]), w, h), start, way


def _turned(light: DieLight, die: DrawnDie) -> DieLight:
    """Return the light in the die's own axes (origin in its middle)."""
    a = np.radians(-die.angle_deg)
    c, s = float(np.cos(a)), float(np.sin(a))

    def turn(x: float, y: float) -> tuple[float, float]:
        return c * x - s * y, s * x + c * y

    towards = (*turn(light.towards[0], light.towards[1]), light.towards[2])
    lamp = (*turn(light.lamp_mm[0] - die.x_mm, light.lamp_mm[1] - die.y_mm), light.lamp_mm[2])
    return DieLight(towards, lamp)


def _march(start: Array, way: Array, look: DieLook) -> tuple[Array, Array]:
    """Return where rays meet the rounded cube, (n, 3), and which do: sphere tracing."""
    core, r = np.float32(look.size_mm / 2 - look.round * look.size_mm), np.float32(look.round * look.size_mm)
    # Axis by axis: numpy's sums and maxima over an axis of length 3 take ten times as long.
    x, y, z = (np.ascontiguousarray(start[:, k]) for k in range(3))
    dx, dy, dz = (np.ascontiguousarray(way[:, k]) for k in range(3))
    away = np.full(len(x), look.size_mm, np.float32)
    for _ in range(STEPS):
        a, b, c = np.abs(x) - core, np.abs(y) - core, np.abs(z) - core
        inner = np.minimum(np.maximum(np.maximum(a, b), c), 0)
        a, b, c = np.maximum(a, 0), np.maximum(b, 0), np.maximum(c, 0)
        away = np.sqrt(a * a + b * b + c * c) + inner - r
        go = np.maximum(away, 0)
        x, y, z = x + dx * go, y + dy * go, z + dz * go
    return np.stack([x, y, z], 1), away < np.float32(0.02 * look.size_mm)


def _shaded(
    at: Array, hit: Array, way: Array, die: DrawnDie, look: DieLook, body: Bgr, pip: Bgr, light: DieLight
) -> Array:
    """Return the colours at points of the surface, (n, 3) in 0..255 and above."""
    half, r = look.size_mm / 2, look.round * look.size_mm
    normal = np.clip(at, -(half - r), half - r)
    normal = at - normal
    normal /= np.sqrt(_dot(normal, normal))[:, None] + 1e-6
    base = np.empty((len(at), 3), np.float32)
    base[:] = body
    if look.marble > 0:
        base *= (1 + look.marble * _veins(at / look.size_mm, die))[:, None]
    dull = np.ones(len(at), np.float32)
    _add_pips(at, hit, normal, base, dull, die, look, pip)
    towards = np.array(light.towards, np.float32)
    ambient, lamp = 1 - look.contrast, look.contrast
    shade = ambient * (0.72 + 0.28 * normal[:, 2]) + lamp * np.maximum(normal @ towards, 0) / max(0.3, towards[2])
    shade *= 0.72 + 0.28 * np.clip(at[:, 2] / look.size_mm + 0.5, 0, 1)
    mirror = dull * _mirrored(at, way, normal, look, light)
    return np.asarray(base * shade[:, None] + mirror[:, None] * np.array([250, 253, 255], np.float32))


def _dot(a: Array, b: Array) -> Array:
    return np.asarray(a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2])


def _add_pips(
    at: Array, hit: Array, normal: Array, base: Array, dull: Array, die: DrawnDie, look: DieLook, pip: Bgr
) -> None:
    """Hollow and paint the pips of the five faces that can be seen; changes normal, base and dull."""
    size = np.abs(at)
    axis = np.where(size[:, 2] >= np.maximum(size[:, 0], size[:, 1]), 2, np.where(size[:, 1] > size[:, 0], 1, 0))
    right, up, left, down = sides_of(die.value)
    faces = ((2, 1, die.value), (0, 1, right), (1, 1, up), (0, -1, left), (1, -1, down))
    for k, sign, value in faces:
        on = np.flatnonzero((axis == k) & (at[:, k] * sign > 0) & hit)
        if len(on) == 0:
            continue
        plane = [n for n in range(3) if n != k]
        radius = look.size_mm * look.pip[0] * (look.one if value == 1 else 1.0)
        paint = np.array(look.paints.get(value, pip), np.float32)
        for middle in np.array(PIPS[value], np.float32) * look.size_mm * look.pip[1]:
            away = at[on][:, plane] - middle
            rho = np.hypot(away[:, 0], away[:, 1]) / radius
            inside = rho < 1
            spot = on[inside]
            # A hollow cut by a sphere: steep at its rim, flat in its middle.
            slope = -away[inside] / radius * look.hollow
            normal[spot] = 0
            normal[spot[:, None], plane] = slope
            normal[spot, k] = sign * np.sqrt(np.maximum(1 - slope[:, 0] ** 2 - slope[:, 1] ** 2, 0.05))
            base[spot] = paint
            dull[spot] = look.pip_shine


def _mirrored(at: Array, way: Array, normal: Array, look: DieLook, light: DieLight) -> Array:
    """Return how bright the lamp's mirror image is, (n,) 0 and up, 1 = white."""
    facing = -_dot(way, normal)
    back = way + 2 * facing[:, None] * normal
    fresnel = 1 + 20 * np.clip(1 - facing, 0, 1) ** 5
    out = look.sheen * np.clip(back[:, 2], 0, 1)
    if look.gloss > 0:
        lamp = np.array(light.lamp_mm, np.float32)
        rise = np.maximum(back[:, 2], 0.05)
        met = at[:, :2] + back[:, :2] * ((lamp[2] - at[:, 2]) / rise)[:, None]
        wide = np.array(look.lamp_half_mm, np.float32)
        inside = 1 / (1 + np.exp(np.clip((np.abs(met - lamp[:2]) - wide) / (wide * look.rough + 2), -30, 30)))
        out = out + look.gloss * inside[:, 0] * inside[:, 1] * (back[:, 2] > 0.05)
    return np.asarray((out * np.minimum(fresnel, 4)).astype(np.float32))


def _veins(at: Array, die: DrawnDie) -> Array:
    """Return a smooth pattern through the body, (n,) about -1..1, other for each die."""
    shift = np.float32(die.x_mm * 3.1 + die.y_mm * 1.7)
    x, y, z = (at[:, k] * 9 for k in range(3))
    return np.asarray(np.sin(x + 2 * np.sin(y * 1.3 + shift) + shift) * np.sin(y - 1.5 * np.sin(z + x * 0.7 - shift)))
