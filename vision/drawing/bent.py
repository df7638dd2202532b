"""A picture as through a wide lens, and what its label says then: where points of a picture go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np

from vision.errors import BadLabels
from vision.geometry import Floats, inverse, transform
from vision.tray.bending import middle_of
from vision.tray.rectify import Image

Truth = Mapping[str, Any]
"""A label, as of `vision.drawing.truth`."""
POINTS = frozenset({"center", "body_center", "corners", "quad", "outline", "top_quad", "silhouette"})
"""What a label says in pixels."""
FILLED = 0.78
"""Share of the picture's width or height that a tray has before such a lens bends it: people hang it nearer."""
STEPS = 12
"""Of Newton's method: enough for all bends here."""


def in_a_wide_lens(picture: Image, truth: Truth, rng: np.random.Generator, *, bend: float) -> tuple[Image, Truth]:
    """Return the tray, so near that it fills the picture, through a lens that bends lines; its label moves along.

    bend: b of the law that what is seen at r from the middle, over half the width, would be at r (1 + b r^2) without
    a lens; negative for one that bends outwards. That is not the law by which the eye straightens. Raises BadLabels as
    `corners_of` does.
    """
    high, wide = picture.shape[:2]
    nearer = _nearer(corners_of(truth), (wide, high))
    y, x = np.mgrid[0:high, 0:wide].astype(np.float64)
    straight = unbent(np.stack([x, y], axis=-1).reshape(-1, 2), (wide, high), bend)
    there = transform(straight, inverse(nearer)).reshape(high, wide, 2).astype(np.float32)
    seen = cv2.remap(picture, there[..., 0], there[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    label = moved(truth, lambda points: bent(transform(points, nearer), (wide, high), bend))
    return np.asarray(seen, np.uint8), label


def unbent(points: Floats, picture_wh: tuple[int, int], bend: float) -> Floats:
    """Return where points (n, 2) that are seen through the lens would be without it."""
    off, half = _from_middle(points, picture_wh)
    return np.asarray(points + off * (bend * (off**2).sum(axis=1, keepdims=True)) * half)


def bent(points: Floats, picture_wh: tuple[int, int], bend: float) -> Floats:
    """Return where points (n, 2) are seen through the lens: `unbent` undoes it."""
    off, half = _from_middle(points, picture_wh)
    far = np.maximum(np.linalg.norm(off, axis=1, keepdims=True), 1e-12)
    seen = far.copy()
    for _ in range(STEPS):
        seen -= (seen * (1 + bend * seen**2) - far) / (1 + 3 * bend * seen**2)
    return np.asarray(points + off * (seen / far - 1) * half)


def moved(truth: Truth, move: Callable[[Floats], Floats]) -> Truth:
    """Return a label whose points lie elsewhere. move: of points (n, 2) in pixels, to where they go."""

    def told(name: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: told(key, within) for key, within in value.items()}
        if name in POINTS and value is not None:
            points = np.asarray(value, dtype=np.float64)
            return move(points.reshape(-1, 2)).reshape(points.shape).tolist()
        if isinstance(value, list):
            return [told("", within) for within in value]
        return value

    return {key: told(key, value) for key, value in truth.items()}


def corners_of(truth: Truth) -> Floats:
    """Return (4, 2) the felt's corners as a label says them; raise BadLabels where it does not."""
    corners = np.array((truth.get("tray") or {}).get("corners", ()), dtype=np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise BadLabels(f"labels of {truth.get('image')}: no four corners of the tray")
    return corners


def outlines_of(truth: Truth) -> list[Floats]:
    """Return the outlines (n, 2) of all pieces of a label; raise BadLabels where it does not say them all."""
    pieces = [*(truth.get("tiles") or ()), *(truth.get("dice") or ()), *(truth.get("disks") or ())]
    found = [piece.get("silhouette") or piece.get("outline") or piece.get("quad") for piece in pieces]
    if not all(found):
        raise BadLabels(f"labels of {truth.get('image')}: no outline of a piece")
    return [np.array(outline, dtype=np.float64) for outline in found]


def _from_middle(points: Floats, picture_wh: tuple[int, int]) -> tuple[Floats, float]:
    """Return (n, 2) how far points are from the picture's middle, over half its width, and that half in pixels."""
    half = picture_wh[0] / 2
    return (points - middle_of(picture_wh)) / half, half


def _nearer(corners: Floats, picture_wh: tuple[int, int]) -> Floats:
    """Return (3, 3) what brings a tray so near that it fills the picture, around its middle."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    scale = float((FILLED * np.array(picture_wh) / (high - low)).min())
    shift = middle_of(picture_wh) - scale * (low + high) / 2
    return np.array([[scale, 0.0, shift[0]], [0.0, scale, shift[1]], [0.0, 0.0, 1.0]])
