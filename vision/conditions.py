"""What the picture is like: hands, things nobody expected, darkness, blur, glare."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.reading import Problem
from vision.rectify import Image, Tray

HAND_MM2 = 250.0
"""A smaller patch of hand is a smudge of the net, not a finger."""
HAND_CERTAIN = 0.5
DARK_LEVEL = 28.0
"""Usual brightness of the tray (0..255) below which a picture is called dark."""
BLUR_SHARPNESS = 0.055
"""Ratio of fine to coarse contrast on the pieces below which a picture is called blurred."""
GLARE_SHARE = 0.06
"""Share of a tile that is blown out from which glare is reported."""
FELT_NOISE = 4.0
RESIDUE_MM2 = 110.0
"""The smallest thing that can be a die or half a tile."""


@dataclass(frozen=True, slots=True)
class Residue:
    """Something on the felt that no piece explains."""

    centre_mm: tuple[float, float]
    area_mm2: float
    at_rim: bool
    """It reaches the edge of the felt: a sleeve, a shadow, a tool."""


def hand_area(hand: NDArray[np.float32], *, tray_mm: tuple[float, float]) -> float:
    """Return the mm2 that a hand or another foreign body covers; `hand` as in `vision.pieces.Pieces`."""
    if hand.size == 0:
        return 0.0
    cell = tray_mm[0] / hand.shape[1] * tray_mm[1] / hand.shape[0]
    return float((hand > HAND_CERTAIN).sum() * cell)


def residue(rectified_bgr: Image, quads_px: list[Floats], *, px_per_mm: float) -> list[Residue]:
    """Return what lies on the felt beside the given quadrilaterals (pieces and markers).

    rectified_bgr: the tray alone, without margin. The felt is what most of the free surface looks like;
    its brightness may change over the tray, its hue hardly.
    """
    free = _free_surface(rectified_bgr.shape[:2], quads_px, px_per_mm)
    lab = cv2.cvtColor(cv2.GaussianBlur(rectified_bgr, (0, 0), 1.2 * px_per_mm), cv2.COLOR_BGR2LAB).astype(np.float32)
    if free.sum() < 0.05 * free.size:
        return []
    away = _unlike_felt(lab, free > 0)
    strange = ((away > 1.0) & (free > 0)).astype(np.uint8)
    k = max(3, round(4.0 * px_per_mm))
    opened = cv2.morphologyEx(strange, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (k, k)))
    return _blobs(np.asarray(opened, dtype=np.uint8), px_per_mm)


def _free_surface(shape: tuple[int, int], quads_px: list[Floats], px_per_mm: float) -> NDArray[np.uint8]:
    """Return 1 where bare felt is expected: away from pieces and from the rim with its shadow."""
    free = np.ones(shape, np.uint8)
    rim = round(12 * px_per_mm)
    free[:rim], free[-rim:], free[:, :rim], free[:, -rim:] = 0, 0, 0, 0
    grow = max(1, round(7.0 * px_per_mm))
    for points in quads_px:
        cv2.fillConvexPoly(free, np.round(points).astype(np.int32), 0)
        cv2.polylines(free, [np.round(points).astype(np.int32)], True, 0, grow)
    return free


def _unlike_felt(lab: NDArray[np.float32], free: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return how unlike felt each pixel is: 1 is the border of what light and weave can do."""
    h, w = free.shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / np.float32(max(h, w))
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    step = max(1, round(np.sqrt(free.sum() / 3000)))
    pick = np.zeros_like(free)
    pick[::step, ::step] = free[::step, ::step]
    a, b = terms[pick], lab[pick]
    keep = np.ones(len(a), dtype=bool)
    fit = np.zeros((6, 3))
    for _ in range(4):
        fit = np.linalg.lstsq(a[keep], b[keep], rcond=None)[0]
        off = np.abs(b - a @ fit)
        limit = np.maximum(2.5 * np.median(off[keep], axis=0) * 1.48, (8.0, 3.0, 3.0))
        keep = (off < limit).all(axis=1)
        if keep.sum() < 50:
            return np.zeros((h, w), np.float32)
    spread = np.maximum(np.median(np.abs(b[keep] - a[keep] @ fit), axis=0) * 1.48, (5.0, 2.0, 2.0))
    off = (lab - (terms.reshape(-1, 6) @ fit).reshape(h, w, 3)) / (spread * FELT_NOISE)
    # Shadows darken; that alone is no thing. Brighter, or of another hue, is.
    off[..., 0] = np.where(off[..., 0] < 0, off[..., 0] * 0.35, off[..., 0])
    return np.asarray(np.sqrt((off**2).sum(axis=2)), dtype=np.float32)


def _blobs(strange: NDArray[np.uint8], px_per_mm: float) -> list[Residue]:
    count, _, stats, centres = cv2.connectedComponentsWithStats(strange, connectivity=8)
    h, w = strange.shape
    edge = 14 * px_per_mm
    out = []
    for k in range(1, count):
        area = float(stats[k, cv2.CC_STAT_AREA]) / px_per_mm**2
        if area < RESIDUE_MM2:
            continue
        x, y, bw, bh = (int(stats[k, i]) for i in range(4))
        rim = x < edge or y < edge or x + bw > w - edge or y + bh > h - edge
        cx, cy = (float(c + 0.5) / px_per_mm for c in centres[k])
        out.append(Residue((cx, cy), area, bool(rim)))
    return sorted(out, key=lambda r: -r.area_mm2)


def picture_problems(rectified_bgr: Image, tray: Tray, *, washed: Floats) -> Problem:
    """Return what is measured of light and sharpness: DARK, GLARE, BLUR, FIDUCIAL_MISSING.

    washed: (n,) share of each piece that is blown out.
    """
    found = Problem.NONE
    grey = np.asarray(cv2.cvtColor(rectified_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if float(np.quantile(grey, 0.9)) < 2 * DARK_LEVEL and float(np.median(grey)) < DARK_LEVEL:
        found |= Problem.DARK
    if len(washed) and float(washed.max()) > GLARE_SHARE:
        found |= Problem.GLARE
    if _sharpness(grey) < BLUR_SHARPNESS:
        found |= Problem.BLUR
    if not tray.complete:
        found |= Problem.FIDUCIAL_MISSING
    return found


def _sharpness(grey: NDArray[np.uint8]) -> float:
    """Return the strongest fine contrast over the strongest coarse contrast: near 0 in a blurred picture."""
    fine = cv2.absdiff(grey, cv2.GaussianBlur(grey, (0, 0), 1.0))
    coarse = cv2.absdiff(grey, cv2.GaussianBlur(grey, (0, 0), 8.0))
    return float(np.quantile(fine, 0.995)) / max(1.0, float(np.quantile(coarse, 0.995)))
