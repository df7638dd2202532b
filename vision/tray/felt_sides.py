"""Where exactly a felt ends: its own colour is followed outwards, side by side, in full resolution."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, line_through, sides, turns, where_sides_meet
from vision.tray.patches import lab_of

Image = NDArray[np.uint8]

SOFT_PX = 5
"""Width of the blur that takes a picture's finest grain away, before its colours are followed outwards."""
PERIMETER_MM = 1240.0
"""Of the nominal felt: what a pixel is worth, roughly."""
WALK_MM = (24.0, 12.0)
"""How far inside a first guess of a side the walk outwards begins, and how far outside it ends."""


def refined_sides(corners: Floats, picture_bgr: Image) -> Floats:
    """Return corners with each side laid where the felt's own colour ends, in full resolution.

    The first guess may be the rim's outer edge: each side is walked from well inside outwards, and where the
    colour leaves the felt's for good is the edge. Shadows darken felt but hardly change its hue.
    """
    unit = float(sides(corners).sum()) / PERIMETER_MM
    lines = []
    for k in range(4):
        a, b = corners[k], corners[(k + 1) % 4]
        points = _where_felt_ends(picture_bgr, a, b, unit)
        direction = (b - a) / np.linalg.norm(b - a)
        lines.append(_sturdy_line(points) if len(points) >= 24 else (a, direction))
    fresh = where_sides_meet(lines)
    far = float(np.abs(fresh - corners).max())
    return fresh if far < 40.0 * unit and (turns(fresh) > 0).all() else corners


def felt_ends(picture_bgr: Image, corners: Floats, *, places: int) -> list[Floats]:
    """Return of each side of a felt (m, 2) points at which its colour ends, m of so many places.

    corners: (4, 2) TL TR BR BL. A side may be bowed, by a lens, as far as the walk goes to either side of the line.
    """
    unit = float(sides(corners).sum()) / PERIMETER_MM
    return [_where_felt_ends(picture_bgr, corners[k], corners[(k + 1) % 4], unit, places) for k in range(4)]


def _where_felt_ends(picture_bgr: Image, a: Floats, b: Floats, unit: float, places: int = 72) -> Floats:
    """Return (m, 2) points along the side a-b at which the felt's colour ends, walking outwards."""
    direction = (b - a) / np.linalg.norm(b - a)
    outwards = np.array([direction[1], -direction[0]])
    t = np.linspace(0.1, 0.9, places)[:, None]
    offsets = np.arange(-WALK_MM[0] * unit, WALK_MM[1] * unit, 1.0)
    start, lasting = max(3, round(6 * unit)), max(2, round(2.5 * unit))
    if len(offsets) <= start + lasting:
        # A tray of some fifty pixels: a walk is too short to see anything end.
        return np.zeros((0, 2))
    line = a + t * (b - a)
    grid = (line[:, None, :] + offsets[None, :, None] * outwards).reshape(-1, 2)
    profile = lab_of(_softly_at(picture_bgr, grid)[None]).reshape(len(t), len(offsets), 3)
    felt = np.median(profile[:, :start].reshape(-1, 3), axis=0)
    own = np.median(profile[:, :start], axis=1)
    # Light differs along a side, hue does not: brightness is compared with the start of each walk.
    reference = np.stack([own[:, 0], np.full(len(t), felt[1]), np.full(len(t), felt[2])], axis=1)
    off = (profile - reference[:, None, :]) * (0.45, 1.0, 1.0)
    off[..., 0] = np.where(off[..., 0] < 0, 0.5 * off[..., 0], off[..., 0])
    away = np.linalg.norm(off, axis=2)
    limit = max(6.0, 3.0 * float(np.quantile(away[:, :start], 0.8)))
    outside = away > limit
    shifted = np.stack([outside[:, k : len(offsets) - lasting + k] for k in range(lasting)])
    run = np.asarray(shifted.all(axis=0), dtype=bool)
    ends = run.any(axis=1) & (np.linalg.norm((own - felt)[:, 1:], axis=1) < limit)
    first = run.argmax(axis=1)
    return np.asarray((line + offsets[first][:, None] * outwards)[ends])


def _softly_at(picture_bgr: Image, points: Floats) -> Floats:
    """Return (n, 3) what a picture without its finest grain shows at points (n, 2), blurring no more than lies there.

    A blur, and floats, of a whole picture take 8 ms.
    """
    size = np.array(picture_bgr.shape[1::-1])
    (x0, y0) = np.clip(np.floor(points.min(axis=0)) - SOFT_PX, 0, size - 1).astype(int)
    (x1, y1) = np.clip(np.ceil(points.max(axis=0)) + SOFT_PX + 1, 1, size).astype(int)
    soft = cv2.GaussianBlur(picture_bgr[y0:y1, x0:x1], (SOFT_PX, SOFT_PX), 0)
    return colours_at(soft.astype(np.float32), points - (x0, y0))


def colours_at(picture: NDArray[Any], points: Floats) -> Floats:
    """Return (n, c) what a picture (h, w, c) shows at points (n, 2) px; its edge's beyond it."""
    at = points.astype(np.float32)
    seen = cv2.remap(picture, at[None, :, 0], at[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen[0], dtype=np.float64)


def _sturdy_line(points: Floats) -> tuple[Floats, Floats]:
    """Return the line most points lie on: a corner, a shadow or a sleeve may spoil many of them."""
    rng = np.random.default_rng(3)
    p, q = points[[rng.choice(len(points), 2, replace=False) for _ in range(60)]].transpose(1, 0, 2)
    apart = np.linalg.norm(q - p, axis=1)
    far = apart >= 20.0
    if not far.any():
        return line_through(points)
    normals = np.column_stack([p[:, 1] - q[:, 1], q[:, 0] - p[:, 0]])[far] / apart[far, None]
    near = np.abs(np.einsum("kmx,kx->km", points - p[far, None], normals)) < 1.8
    return line_through(points[near[near.sum(axis=1).argmax()]])


__all__ = ["colours_at", "felt_ends", "refined_sides"]
