"""Dice and disks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import Camera, fill
from vision.drawing.look import Bgr, DieLook, Look
from vision.drawing.scene import DrawnDie, DrawnDisk
from vision.drawing.solid import PIPS, DieLight, paint_solid_die
from vision.drawing.surfaces import noise_bank
from vision.drawing.tiles import to_tray, warp_mask

Array = np.ndarray[Any, np.dtype[Any]]


def rounded_square(half: float, radius: float) -> Array:
    """Return a square with round corners, (n, 2), counter-clockwise."""
    t = np.linspace(0, np.pi / 2, 5)
    corner = np.c_[np.cos(t), np.sin(t)] * radius + (half - radius)
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    parts = [corner]
    for _ in range(3):
        parts.append(parts[-1] @ turn)
    return np.vstack(parts)


def paint_die(frame: Array, die: DrawnDie, look: Look, camera: Camera) -> Array:
    """Paint one die and return its top face's outline in pixels."""
    kind, body = sized(look.die, die), look.palette[die.colour]
    s = kind.size_mm
    grey = 0.114 * body[0] + 0.587 * body[1] + 0.299 * body[2]
    pip: Bgr = kind.pip_bgr or ((24, 22, 22) if grey > 120 else (232, 238, 240))
    paint_solid_die(frame, die, kind, camera, body=body, pip=pip, light=_light(look, camera))
    return camera.project(to_tray(rounded_square(s / 2, kind.round * s), die.x_mm, die.y_mm, die.angle_deg, s))


def sized(look: DieLook, die: DrawnDie) -> DieLook:
    """Return the look of the set as this die has it, which may be smaller."""
    return look if die.size == 1.0 else replace(look, size_mm=look.size_mm * die.size)


def _light(look: Look, camera: Camera) -> DieLight:
    """Return the light: the main lamp where the shadows say, the mirrored one opposite the camera."""
    away = np.array([-look.lamp.shadow_mm[0], -look.lamp.shadow_mm[1], 10.0])
    away /= np.linalg.norm(away)
    eye, high = camera.position_mm(), 700.0
    x, y = (float(-e * high / eye[2]) + off for e, off in zip(eye[:2], look.die.lamp_off_mm, strict=True))
    return DieLight((float(away[0]), float(away[1]), float(away[2])), (x, y, high))


def _circle_on_top(angle_deg: float, radius: float) -> Array:
    t = np.linspace(0, 2 * np.pi, 14)[:-1]
    return np.stack([np.cos(t) * radius, np.sin(t) * radius, np.zeros_like(t)], 1)


def _paint_pips(frame: Array, middles: Array, circle: Array, camera: Camera, pip: Bgr) -> None:
    for middle in middles:
        fill(frame, camera.project(middle + circle), pip)
        fill(frame, camera.project(middle + circle * 0.55 + circle[8] * 0.25), tuple(v * 0.9 + 14 for v in pip))


def paint_disk(frame: Array, disk: DrawnDisk, look: Look, camera: Camera, rng: np.random.Generator) -> Array:
    """Paint one disk and return its outline in pixels."""
    r, thick = look.disk_mm / 2, look.disk_thick_mm
    t = np.linspace(0, 2 * np.pi, 33)[:-1]
    ring = np.c_[np.cos(t), np.sin(t)] * r
    place = (disk.x_mm, disk.y_mm, disk.angle_deg)
    body = tuple(float(np.clip(v + rng.normal(0, 5), 0, 255)) for v in look.disk_bgr)
    for z in np.linspace(0, thick, 5):
        fill(frame, camera.project(to_tray(ring, *place, z)), tuple(v * 0.6 for v in body))
    top = camera.project(to_tray(ring, *place, thick))
    fill(frame, top, tuple(min(255.0, v * 1.08) for v in body))
    fill(frame, camera.project(to_tray(ring * 0.94, *place, thick)), body)
    if look.disk_grain > 0:
        _paint_grain(frame, top, look.disk_grain, rng)
    if disk.kind == "queue":
        _paint_number(frame, disk, look, camera)
    else:
        gap, size = look.disk_mm * float(rng.uniform(0.15, 0.2)), look.disk_mm * float(rng.uniform(0.06, 0.09))
        spots = {1: [(0, 0)], 2: [(-1, 0), (1, 0)], 4: PIPS[4]}[disk.value]
        middles = to_tray(np.array(spots, float) * gap, *place, thick)
        _paint_pips(frame, middles, _circle_on_top(0.0, size), camera, look.disk_ink)
    return top


def _paint_grain(frame: Array, top_px: Array, grain: float, rng: np.random.Generator) -> None:
    """Darken and lighten the top of a disk as the grain of wood does, in any direction."""
    low, high = np.floor(top_px.min(0)).astype(int), np.ceil(top_px.max(0)).astype(int) + 1
    low, high = np.maximum(low, 0), np.minimum(high, (frame.shape[1], frame.shape[0]))
    w, h = (int(n) for n in high - low)
    if min(w, h) < 2:
        return
    mask = np.zeros((h, w), np.uint8)
    fill(mask, top_px - low, 255.0)
    # A quarter of the bank, turned: its lines are then as long as the disk, and a few pixels apart.
    x, y = rng.integers(1024 - 2 * (w + h), size=2).tolist()
    wide = cv2.getRotationMatrix2D(
        (float(w + h), float(w + h)), float(rng.uniform(0, 180)), float(rng.uniform(0.7, 1.6))
    )
    wide[:, 2] -= np.array([w / 2 + h, w + h / 2])
    wood = cv2.warpAffine(noise_bank("wood")[y : y + 2 * (w + h), x : x + 2 * (w + h)], wide, (w, h))
    part = frame[low[1] : high[1], low[0] : high[0]]
    part *= (1 + 0.07 * grain * wood * (mask / np.float32(255)))[..., None]


def _paint_number(frame: Array, disk: DrawnDisk, look: Look, camera: Camera) -> None:
    target = _number_box(disk, look, camera)
    low, high = np.floor(target.min(0)).astype(int) - 1, np.ceil(target.max(0)).astype(int) + 2
    low, high = np.maximum(low, 0), np.minimum(high, (frame.shape[1], frame.shape[0]))
    if (high - low < 2).any():
        return
    part = frame[low[1] : high[1], low[0] : high[0]]
    alpha = number_alpha(disk, look, camera, low, (part.shape[1], part.shape[0]))[..., None]
    part += ((np.array(look.disk_ink, np.float32) - part) * alpha).astype(part.dtype)


def number_alpha(disk: DrawnDisk, look: Look, camera: Camera, offset: Array, size_wh: tuple[int, int]) -> Array:
    """Return how much of each pixel a queue disk's number covers, (h, w) float32 0..1, from `offset` in the frame."""
    return warp_mask(look.glyphs[str(disk.value)], _number_box(disk, look, camera) - offset, size_wh)


def _number_box(disk: DrawnDisk, look: Look, camera: Camera) -> Array:
    """Return where the number is printed, (4, 2) TL TR BR BL in the frame."""
    mask = look.glyphs[str(disk.value)]
    h = look.disk_mm * look.disk_digit
    w = h * mask.shape[1] / mask.shape[0]
    box = np.array([[-w, h], [w, h], [w, -h], [-w, -h]]) / 2
    return np.asarray(camera.project(to_tray(box, disk.x_mm, disk.y_mm, disk.angle_deg, look.disk_thick_mm)))
