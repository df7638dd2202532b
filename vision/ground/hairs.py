"""A hair or a thread on the felt: thin, long and smoothly bent, as no piece and no edge of one is.

Where something is looked for in cells of two millimetres a hair is as wide as half a die. So what is left over is
looked at closely, and is nothing where all that differs there from felt lies along a hair. A piece in the felt's own
colour may show but its edges: they are as thin, but straight, or they meet in corners, or run around something.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools, Floats, scaled
from vision.ground.felt import RESIDUE_PX_PER_MM
from vision.ground.gleams import felt_at, within
from vision.ground.lines import widest_px, with_border
from vision.ground.papers import papers_on
from vision.tray.rectify import Image, Tray, seen_at

STEP_MM, AROUND_MM = 0.4, 8.0
"""How fine is looked, and so far around what is left over, as hairs go on there."""
FELT_STEPS = 25
"""A place's own felt is what is seen in the middle within so many steps."""
DIFFERS, LEAST_DIFFERS = 4.5, 9.0
"""What differs from it by so many times as the most of the place does, and by so many grey values, is no felt."""
FLANKS = 9
"""... and by half as much as it does at most within so many steps."""
SPECK = 0.5
"""What is no longer than this, over a piece's side, is neither a hair nor counts against one."""
THIN_MM = 2.1
"""A hair looks no wider, a millimetre being two pixels or three; a match, a cable and a pencil do."""
LONG, BENT_MM = 1.12, 2.2
"""It is longer from end to end than the first, over a piece's side, and so far from straight: edges of pieces are
straight, but for arcs and disks, which are no longer than a piece is wide."""
SMOOTH_MM, CORNER_DEG = 0.9, 58.0
"""Drawn with lines that are off by no more than the first it nowhere turns by more than the second but at its ends; an
arc meets its tile's sides in a corner, and the next arc."""
TURNS_BACK_DEG = 120.0
"""... where it turns by more than this."""
HOLE_MM2 = 12.0
"""It runs around no more than this, in one place."""
KNOWN, BESIDE = 1.1, 1.3
"""What is seen of pieces lies within this much of their outlines, and in cells of two millimetres within the second."""
BLUR_MM, UNEXPLAINED_MM2 = 4.5, 24.0
"""In such cells, blurred, a hair is seen so far away; of what else is strange there no more may be left."""
USUAL_MM = 22.0
"""A piece's side where none lies: a tile's."""
MOST = 8
"""Where more than this is left over nobody looks for hairs: a reading takes no longer for a heap of things."""


def without_hairs(
    outlines_mm: Sequence[Floats],
    picture_bgr: Image,
    tray: Tray,
    strange: Bools,
    *,
    pieces_mm: Floats,
    side_mm: float,
) -> list[Floats]:
    """Return of some outlines (4, 2) on the felt, in millimetres, those that show more than hairs.

    strange: (h, w) at RESIDUE_PX_PER_MM, what is no felt (`vision.ground.felt.Felt`). pieces_mm: (n, 4, 2) what is
    known to lie there, beside markers; side_mm: of a piece.
    """
    if not 0 < len(outlines_mm) <= MOST:
        return [*outlines_mm]
    known = [*scaled(pieces_mm.reshape(-1, 4, 2), KNOWN), *papers_on(tray)]
    return [o for o in outlines_mm if not _is_hair(o, picture_bgr, tray, strange, known, side_mm)]


def _is_hair(
    outline_mm: Floats, picture_bgr: Image, tray: Tray, strange: Bools, known_mm: Sequence[Floats], side_mm: float
) -> bool:
    """Return whether nothing but hairs is seen where something is left over."""
    at = _grid(outline_mm)
    free = felt_at(at, tray, known_mm, step_mm=STEP_MM)
    no_felt = _no_felt(seen_at(picture_bgr, tray, at), free)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(no_felt, connectivity=8)
    hair = np.zeros(free.shape, np.uint8)
    for k, (x, y, w, h, _area) in enumerate(stats[1:].tolist(), start=1):
        thing = with_border(labels[y : y + h, x : x + w] == k)
        if widest_px(thing) * STEP_MM > THIN_MM:
            return False
        if np.hypot(w, h) * STEP_MM <= SPECK * side_mm:
            continue
        if not _long_and_bent(thing, side_mm):
            return False
        hair[labels == k] = 1
    return bool(hair.any()) and _all_explained(outline_mm, strange, hair, at, known_mm)


def _grid(outline_mm: Floats) -> Floats:
    """Return (h, w, 2) places on the tray, STEP_MM apart, around an outline (4, 2)."""
    low, high = outline_mm.min(axis=0) - AROUND_MM, outline_mm.max(axis=0) + AROUND_MM
    x, y = (np.arange(low[k], high[k], STEP_MM) for k in range(2))
    return np.stack(np.meshgrid(x, y), axis=-1)


def _no_felt(seen: NDArray[np.uint8], free: Bools) -> NDArray[np.uint8]:
    """Return (h, w) 1 where a place differs from the felt around it. seen: (h, w, 3)."""
    if not free.any():
        return np.zeros(free.shape, np.uint8)
    filled = np.where(free[..., None], seen, np.median(seen[free], axis=0).astype(np.uint8))
    felt = cv2.merge([cv2.medianBlur(np.ascontiguousarray(filled[..., c]), FELT_STEPS) for c in range(3)])
    smooth = cv2.GaussianBlur(filled, (0, 0), 0.8)
    off = np.abs(smooth.astype(np.float32) - felt.astype(np.float32)).max(axis=2)
    limit = max(LEAST_DIFFERS, DIFFERS * float(np.median(off[free])))
    # As wide as it is where it shows half of what it shows most: a camera's blur, and a shadow, are wider.
    most = cv2.dilate(off, np.ones((FLANKS, FLANKS), np.uint8))
    return np.asarray(free & (off > limit) & (off > most / 2)).astype(np.uint8)


def _long_and_bent(thing: NDArray[np.uint8], side_mm: float) -> bool:
    """Return whether a thin thing (h, w), 0 or 1, that hangs together is long, and bent without a corner."""
    edges, levels = cv2.findContours(thing, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    holes = [e for e, level in zip(edges, levels[0], strict=True) if level[3] >= 0]
    if any(cv2.contourArea(hole) * STEP_MM**2 > HOLE_MM2 for hole in holes):
        return False
    edge = max(edges, key=len)
    bent, long = sorted(cv2.minAreaRect(edge)[1])
    if long * STEP_MM < LONG * side_mm or bent * STEP_MM < BENT_MM:
        return False
    return _without_corners(edge)


def _without_corners(edge: NDArray[Any]) -> bool:
    """Return whether a thin thing's outline (n, 1, 2) turns nowhere sharply, but back at its ends."""
    points = cv2.approxPolyDP(edge, SMOOTH_MM / STEP_MM, True).reshape(-1, 2).astype(np.float64)
    along = np.roll(points, -1, axis=0) - points
    angle = np.arctan2(along[:, 1], along[:, 0])
    turn = np.degrees((angle - np.roll(angle, 1) + np.pi) % (2 * np.pi) - np.pi)
    # An end is as wide as the thing: it turns back there at two points, or at one.
    apart = np.linalg.norm(along, axis=1) * STEP_MM > THIN_MM
    if not apart.any():
        return False
    first = int(np.flatnonzero(apart)[0]) + 1
    place = np.cumsum(np.roll(np.roll(apart, 1), -first)) - 1
    turns = np.abs(np.bincount(place - place.min(), np.roll(turn, -first)))
    return not bool(((turns > CORNER_DEG) & (turns < TURNS_BACK_DEG)).any())


def _all_explained(
    outline_mm: Floats, strange: Bools, hair: NDArray[np.uint8], at_mm: Floats, known_mm: Sequence[Floats]
) -> bool:
    """Return whether what is strange in an outline lies along hairs, or on what is known."""
    wide = 2 * round(BLUR_MM / STEP_MM) + 1
    near = cv2.dilate(hair, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))) > 0
    near |= within(at_mm, [*scaled(np.array(known_mm).reshape(-1, 4, 2), BESIDE)], step_mm=STEP_MM)
    low, high = outline_mm.min(axis=0), outline_mm.max(axis=0)
    (x0, y0), (x1, y1) = (np.round(p * RESIDUE_PX_PER_MM).astype(int) for p in (low, high))
    y, x = np.nonzero(strange[max(0, y0) : y1, max(0, x0) : x1])
    middle = (np.stack([x + max(0, x0), y + max(0, y0)], axis=1) + 0.5) / RESIDUE_PX_PER_MM
    i, j = np.clip(np.round((middle - at_mm[0, 0]) / STEP_MM).astype(int), 0, np.array(hair.shape)[::-1] - 1).T
    return float(np.count_nonzero(~near[j, i])) / RESIDUE_PX_PER_MM**2 <= UNEXPLAINED_MM2


__all__ = ["USUAL_MM", "without_hairs"]
