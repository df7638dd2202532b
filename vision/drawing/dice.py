"""Dice and disks."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import Camera, fill
from vision.drawing.look import Bgr, Look
from vision.drawing.scene import DrawnDie, DrawnDisk
from vision.drawing.tiles import to_tray, warp_mask

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


def _sides(value: int) -> tuple[int, int, int, int]:
    """Return the faces around the top face, right, up, left, down (opposite faces sum to seven)."""
    front = 1 if value in (3, 4) else 3
    right = next(v for v in (2, 1, 3, 5) if v not in (value, 7 - value, front, 7 - front))
    return right, front, 7 - right, 7 - front


def rounded_square(half: float, radius: float) -> Array:
    """Return a square with round corners, (n, 2), counter-clockwise."""
    t = np.linspace(0, np.pi / 2, 5)
    corner = np.c_[np.cos(t), np.sin(t)] * radius + (half - radius)
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    parts = [corner]
    for _ in range(3):
        parts.append(parts[-1] @ turn)
    return np.vstack(parts)


def paint_die(frame: Array, die: DrawnDie, look: Look, camera: Camera, rng: np.random.Generator) -> Array:
    """Paint one die and return its top face's outline in pixels."""
    s, body = look.die_mm, look.palette[die.colour]
    grey = 0.114 * body[0] + 0.587 * body[1] + 0.299 * body[2]
    pip: Bgr = look.die_pip_bgr or ((24, 22, 22) if grey > 120 else (232, 238, 240))
    place = (die.x_mm, die.y_mm, die.angle_deg)
    r = look.die_round * s
    levels = np.linspace(0, 1, 6)
    for level in levels:
        z = r * level
        low = camera.project(to_tray(rounded_square(s / 2 - r * (1 - level), r), *place, z))
        fill(frame, low, tuple(v * 0.45 for v in body))
    _paint_die_sides(frame, die, look, camera, body, pip)
    for k, level in enumerate(np.linspace(0, 1, 5)):
        inset = r * (1 - np.cos(level * np.pi / 2)) * 0.9
        z = s - r + r * np.sin(level * np.pi / 2)
        ring = rounded_square(s / 2 - inset, max(r - inset, 0.3 * r))
        top = camera.project(to_tray(ring, *place, z))
        fill(frame, top, tuple(min(255.0, v * (0.74 + 0.065 * k)) for v in body))
    size, gap = look.die_pip
    points = np.array(PIPS[die.value], float) * s * gap
    # A pip is sunk and dull: as a rule the lamp's image lies on the face around it, not on it.
    over = look.die_gloss > 0 and rng.random() < 0.25
    if look.die_gloss > 0 and not over:
        _paint_window(frame, die, look, camera, rng)
    _paint_pips(frame, to_tray(points, *place, s), _circle_on_top(die.angle_deg, s * size), camera, pip)
    if over:
        _paint_window(frame, die, look, camera, rng)
    return camera.project(to_tray(rounded_square(s / 2, r), *place, s))


def _paint_window(frame: Array, die: DrawnDie, look: Look, camera: Camera, rng: np.random.Generator) -> None:
    """Paint the mirror image of a window or lamp on the top face: a pale patch, pips and all."""
    s = look.die_mm
    turn, half = rng.uniform(0, 90), s * rng.uniform(0.06, 0.4)
    at = rng.normal(0, s * 0.14, 2)
    patch = to_tray(rounded_square(half, half * 0.5), die.x_mm + at[0], die.y_mm + at[1], turn, s)
    mask = np.zeros(frame.shape[:2], np.uint8)
    outline = camera.project(patch)
    fill(mask, outline, 255.0)
    x, y, w, h = cv2.boundingRect(mask)
    part = frame[y : y + h, x : x + w]
    soft = cv2.GaussianBlur(mask[y : y + h, x : x + w], (0, 0), 0.8).astype(np.float32) / 255
    strength = np.minimum(soft * look.die_gloss * rng.uniform(0.4, 1), 1.0)[..., None]
    part += (np.array([250, 252, 255], np.float32) - part) * strength


def _circle_on_top(angle_deg: float, radius: float) -> Array:
    t = np.linspace(0, 2 * np.pi, 14)[:-1]
    return np.stack([np.cos(t) * radius, np.sin(t) * radius, np.zeros_like(t)], 1)


def _paint_pips(frame: Array, middles: Array, circle: Array, camera: Camera, pip: Bgr) -> None:
    for middle in middles:
        fill(frame, camera.project(middle + circle), pip)
        fill(frame, camera.project(middle + circle * 0.55 + circle[8] * 0.25), tuple(v * 0.9 + 14 for v in pip))


def _paint_die_sides(frame: Array, die: DrawnDie, look: Look, camera: Camera, body: Bgr, pip: Bgr) -> None:
    s = look.die_mm
    middle = np.array([die.x_mm, die.y_mm, s / 2])
    eye = camera.position_mm() - middle
    for k, value in enumerate(_sides(die.value)):
        a = np.radians(die.angle_deg + 90 * k)
        out, along, up = (
            np.array([np.cos(a), np.sin(a), 0]),
            np.array([-np.sin(a), np.cos(a), 0]),
            np.array([0, 0, 1.0]),
        )
        if out @ eye - s / 2 < 0:
            continue
        h = s / 2 * (1 - look.die_round * 0.5)
        corners = np.array([-along - up, along - up, along + up, -along + up]) * h + middle + out * s / 2
        fill(frame, camera.project(corners), tuple(v * (0.6 + 0.12 * out[1]) for v in body))
        points = np.array(PIPS[value], float) * s * look.die_pip[1]
        places = middle + out * s / 2 + points[:, :1] * along + points[:, 1:] * up
        t = np.linspace(0, 2 * np.pi, 12)[:-1]
        circle = (np.cos(t)[:, None] * along + np.sin(t)[:, None] * up) * s * look.die_pip[0]
        for place in places:
            fill(frame, camera.project(place + circle), tuple(v * 0.75 for v in pip))


def paint_disk(frame: Array, disk: DrawnDisk, look: Look, camera: Camera, rng: np.random.Generator) -> Array:
    """Paint one disk and return its outline in pixels."""
    r, thick = look.disk_mm / 2, 3.5
    t = np.linspace(0, 2 * np.pi, 33)[:-1]
    ring = np.c_[np.cos(t), np.sin(t)] * r
    place = (disk.x_mm, disk.y_mm, disk.angle_deg)
    body = tuple(float(np.clip(v + rng.normal(0, 5), 0, 255)) for v in look.disk_bgr)
    for z in np.linspace(0, thick, 5):
        fill(frame, camera.project(to_tray(ring, *place, z)), tuple(v * 0.6 for v in body))
    top = camera.project(to_tray(ring, *place, thick))
    fill(frame, top, tuple(min(255.0, v * 1.08) for v in body))
    fill(frame, camera.project(to_tray(ring * 0.94, *place, thick)), body)
    if disk.kind == "queue":
        _paint_number(frame, disk, look, camera)
    else:
        gap, size = look.disk_mm * float(rng.uniform(0.15, 0.2)), look.disk_mm * float(rng.uniform(0.06, 0.09))
        spots = {1: [(0, 0)], 2: [(-1, 0), (1, 0)], 4: PIPS[4]}[disk.value]
        middles = to_tray(np.array(spots, float) * gap, *place, thick)
        _paint_pips(frame, middles, _circle_on_top(0.0, size), camera, look.disk_ink)
    return top


def _paint_number(frame: Array, disk: DrawnDisk, look: Look, camera: Camera) -> None:
    mask = look.glyphs[str(disk.value)]
    h = look.disk_mm * 0.5
    w = h * mask.shape[1] / mask.shape[0]
    box = np.array([[-w, h], [w, h], [w, -h], [-w, -h]]) / 2
    target = camera.project(to_tray(box, disk.x_mm, disk.y_mm, disk.angle_deg, 3.5))
    low, high = np.floor(target.min(0)).astype(int) - 1, np.ceil(target.max(0)).astype(int) + 2
    low, high = np.maximum(low, 0), np.minimum(high, (frame.shape[1], frame.shape[0]))
    if (high - low < 2).any():
        return
    part = frame[low[1] : high[1], low[0] : high[0]]
    alpha = warp_mask(mask, target - low, (part.shape[1], part.shape[0]))[..., None]
    part += ((np.array(look.disk_ink, np.float32) - part) * alpha).astype(part.dtype)


def convex(points: Array) -> Array:
    """Return the convex hull of (n, 2) pixels, (m, 2)."""
    return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2))
