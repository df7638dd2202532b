"""Printed mats with counters and pawns: paper over the felt, pieces on it.

Coordinates as in `vision.drawing.scene`: origin at the tray's centre, x to the right, y up, millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from vision.drawing.camera import Camera, cover, fill

Array = np.ndarray[Any, np.dtype[Any]]
Bgr = tuple[float, float, float]

STEP_PX = 16
"""The map from frame to paper is exact every so many pixels, and straight between."""


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """A sheet of paper with ink on it, as large as the felt."""

    grey: Array
    """(h, w) uint8: 255 bare paper, 0 black ink."""
    size_mm: tuple[float, float]
    paper_bgr: Bgr = (236.0, 240.0, 240.0)
    ink_bgr: Bgr = (30.0, 28.0, 28.0)


@dataclass(frozen=True, slots=True)
class DrawnCounter:
    """A flat round counter."""

    x_mm: float
    y_mm: float
    bgr: Bgr
    radius_mm: float = 8.5
    thick_mm: float = 4.0
    groove: float = 0.0
    """Depth of a ring and a dimple turned into its top, 0..1."""


@dataclass(frozen=True, slots=True)
class DrawnPawn:
    """A pawn: a foot, a cone and a head."""

    x_mm: float
    y_mm: float
    bgr: Bgr
    radius_mm: float = 6.5
    height_mm: float = 20.0


@dataclass(frozen=True, slots=True)
class DrawnMat:
    """A mat and what lies on it."""

    sheet: Printed
    counters: tuple[DrawnCounter, ...] = ()
    pawns: tuple[DrawnPawn, ...] = ()
    shift_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    """How the sheet lies on the felt."""
    waves: tuple[float, ...] = field(default=())
    """Amplitude in mm by which paper that does not lie flat bends the print; () for none."""


def paint_sheet(frame: Array, mat: DrawnMat, camera: Camera, rng: np.random.Generator) -> None:
    """Lay the paper over the felt; changes the frame (float32)."""
    h, w = frame.shape[:2]
    at = _on_paper_mm(mat, camera, (w, h), rng)
    sheet = mat.sheet
    k = sheet.grey.shape[1] / sheet.size_mm[0]
    # As many pixels of print as of frame: else the thin lines of a fine print flicker.
    near = float(np.median(np.abs(np.diff(at[:, :, 0], axis=1))))
    grey, k = _shrunk(sheet.grey, k, 1 / max(near, 1e-3))
    x, y = (at * k - 0.5).transpose(2, 0, 1).astype(np.float32)
    bare = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    mask = np.zeros((h, w), np.uint8)
    fill(mask, camera.project(_border(mat)), 255.0)
    ink, paper = np.array(sheet.ink_bgr), np.array(sheet.paper_bgr)
    cover(frame, cv2.transform(bare[..., None], np.stack([(paper - ink) / 255, ink], axis=1)), mask)


def _shrunk(grey: Array, k: float, wanted: float) -> tuple[Array, float]:
    ratio = 1.3 * wanted / k
    if ratio >= 1:
        return grey, k
    size = round(grey.shape[1] * ratio), round(grey.shape[0] * ratio)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA)), k * size[0] / grey.shape[1]


def _on_paper_mm(mat: DrawnMat, camera: Camera, size_wh: tuple[int, int], rng: np.random.Generator) -> Array:
    """Return (h, w, 2) where each pixel of the frame looks at the paper, mm from its upper left corner."""
    w, h = size_wh
    xs, ys = np.arange(0, w + STEP_PX, STEP_PX), np.arange(0, h + STEP_PX, STEP_PX)
    px = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 1, 2).astype(np.float64)
    rays = cv2.undistortPoints(px, camera.matrix, camera.distortion).reshape(-1, 2)
    rays = np.c_[rays, np.ones(len(rays))] @ camera.rotation
    eye = camera.position_mm()
    ground = eye[:2] - rays[:, :2] * (eye[2] / rays[:, 2:])
    a = np.radians(mat.turn_deg)
    flat = (ground - mat.shift_mm) @ np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    size = mat.sheet.size_mm
    mm = np.stack([flat[:, 0] + size[0] / 2, size[1] / 2 - flat[:, 1]], axis=1)
    for amount in mat.waves:
        way, phase = rng.uniform(0, 2 * np.pi, 2)
        length = rng.uniform(90, 250)
        swing = np.sin((mm @ [np.cos(way), np.sin(way)]) * 2 * np.pi / length + phase)
        mm = mm + amount * swing[:, None] * [np.cos(way), np.sin(way)]
    grid = mm.reshape(len(ys), len(xs), 2).astype(np.float32)
    # Map every pixel between the exact ones: value at pixel p lies at grid p / STEP_PX.
    x, y = np.meshgrid(np.arange(w, dtype=np.float32) / STEP_PX, np.arange(h, dtype=np.float32) / STEP_PX)
    return np.asarray(cv2.remap(grid, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _border(mat: DrawnMat) -> Array:
    """Return the outline of the paper, (n, 2) mm of the tray, sides divided so that a lens can bend them."""
    x, y = mat.sheet.size_mm[0] / 2, mat.sheet.size_mm[1] / 2
    t = np.linspace(-1, 1, 9)[:-1]
    sides = [(x * u, y) for u in t] + [(x, -y * u) for u in t] + [(-x * u, -y) for u in t] + [(-x, y * u) for u in t]
    a = np.radians(mat.turn_deg)
    return np.asarray(np.array(sides) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + mat.shift_mm)


def _ring(radius: float, x: float, y: float, z: float) -> Array:
    t = np.linspace(0, 2 * np.pi, 33)[:-1]
    return np.asarray(np.c_[x + radius * np.cos(t), y + radius * np.sin(t), np.full(32, z)])


def _toned(bgr: Bgr, by: float) -> Bgr:
    b, g, r = (min(255.0, v * by) for v in bgr)
    return b, g, r


def paint_counter(frame: Array, counter: DrawnCounter, camera: Camera) -> Array:
    """Paint one counter and return the outline of its top in pixels."""
    x, y, r, thick = counter.x_mm, counter.y_mm, counter.radius_mm, counter.thick_mm
    for z in np.linspace(0, thick, 5):
        fill(frame, camera.project(_ring(r, x, y, float(z))), _toned(counter.bgr, 0.62))
    top = camera.project(_ring(r, x, y, thick))
    fill(frame, top, _toned(counter.bgr, 1.07))
    fill(frame, camera.project(_ring(r * 0.93, x, y, thick)), counter.bgr)
    if counter.groove:
        for radius in (0.72, 0.3):
            fill(frame, camera.project(_ring(r * radius, x, y, thick)), _toned(counter.bgr, 1 - 0.3 * counter.groove))
            fill(frame, camera.project(_ring(r * (radius - 0.08), x, y, thick)), counter.bgr)
    return np.asarray(top)


def paint_pawn(frame: Array, pawn: DrawnPawn, camera: Camera) -> Array:
    """Paint one pawn and return the outline of its head in pixels."""
    head = 0.62 * pawn.radius_mm
    neck = pawn.height_mm - 2 * head
    for z in np.linspace(0, neck, 14):
        radius = pawn.radius_mm + (0.5 * head - pawn.radius_mm) * (z / neck) ** 0.6
        fill(
            frame,
            camera.project(_ring(radius, pawn.x_mm, pawn.y_mm, float(z))),
            _toned(pawn.bgr, 0.6 + 0.25 * z / neck),
        )
    outline = camera.project(_ring(head, pawn.x_mm, pawn.y_mm, neck + head))
    for part in np.linspace(1.0, 0.2, 6):
        ring = camera.project(_ring(head * float(part), pawn.x_mm, pawn.y_mm, neck + head))
        fill(frame, ring, _toned(pawn.bgr, 1.25 - 0.4 * part))
    return np.asarray(outline)
