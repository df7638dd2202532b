"""What happens at real tables: hairs, windows mirrored over the tray, sunlight, two lamps, wide lenses, sleeves.

Such faults have to know where the tray lies, and some change what its label says: a lens moves all corners, under a
sleeve nothing is to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.paint import as_seen, linear
from vision.drawing.bent import Truth, corners_of, in_a_wide_lens, outlines_of
from vision.drawing.faults import Fault, flickering, in_light, picture_of, rising
from vision.geometry import Floats, sides
from vision.tray.rectify import Image

TableFault = Callable[[Image, Truth, np.random.Generator], tuple[Image, Truth]]
"""A picture, its label and chance -> the picture with the fault, and what its label says then. Raises BadLabels for a
label that does not say where the tray lies."""
LONG_MM = 360.0
"""Of the felt's long sides."""
HAIR_MM, CURL = (25.0, 70.0), 1.2
"""How long hairs are, and by how many radians they turn at most from end to end."""
HAIR_WIDE_MM = 0.18
SLEEVE_MM = (30.0, 48.0)
"""Half the width of a sleeve."""


def under_hairs(
    picture: Image, truth: Truth, rng: np.random.Generator, *, hairs: int, bgr: tuple[float, float, float]
) -> tuple[Image, Truth]:
    """Return the tray with thin curved hairs of a colour on it, wherever: some over pieces."""
    scale, corners = _px_per_mm(truth), corners_of(truth)
    covered = np.zeros(picture.shape[:2], np.uint8)
    for _ in range(hairs):
        u, v = rng.uniform(0.08, 0.92, 2)
        start = (1 - v) * ((1 - u) * corners[0] + u * corners[1]) + v * ((1 - u) * corners[3] + u * corners[2])
        turn = rng.uniform(0, 2 * np.pi) + np.linspace(0, rng.uniform(-CURL, CURL), 30)
        step = rng.uniform(*HAIR_MM) * scale / 30
        line = start + np.cumsum(step * np.stack([np.cos(turn), np.sin(turn)], axis=1), axis=0)
        # Finer than a pixel: drawn at a sixteenth of one, and its width is what it covers of each.
        cv2.polylines(covered, [np.round(16 * line).astype(np.int32)], False, 255, 1, cv2.LINE_AA, 4)
    share = np.clip(covered / 255.0 * np.clip(2.0 * HAIR_WIDE_MM * scale, 0.2, 1.0), 0, 1)[..., None]
    return picture_of(picture * (1 - share) + share * np.array(bgr)), truth


def under_a_window(picture: Image, truth: Truth, rng: np.random.Generator, *, light: float) -> tuple[Image, Truth]:
    """Return the tray under a sheet that mirrors a window with a bar: so much of white light added, with hard edges."""
    scale, corners = _px_per_mm(truth), corners_of(truth)
    middle = corners.mean(axis=0) + rng.uniform(-0.25, 0.25, 2) * sides(corners)[:2]
    along, across = _turned(picture.shape, middle, rng.uniform(0, np.pi))
    half = rng.uniform(0.1, 0.2, 2) * LONG_MM * scale
    edge = np.minimum(half[0] - np.abs(along), half[1] - np.abs(across))
    pane = rising(edge / (0.4 * scale)) * rising((np.abs(along) - 3.0 * scale) / (0.4 * scale))
    seen = linear(picture) + light * pane[..., None] * np.array([1.05, 1.0, 0.92])
    return picture_of(as_seen(np.clip(seen, 0, 1))), truth


def in_the_sun(picture: Image, truth: Truth, rng: np.random.Generator, *, gain: float) -> tuple[Image, Truth]:
    """Return the tray with a spot of sunlight over part of it, so many times the light there was, exposed for both."""
    scale, corners = _px_per_mm(truth), corners_of(truth)
    middle = corners.mean(axis=0) + rng.uniform(-0.3, 0.3, 2) * sides(corners)[:2]
    along, across = _turned(picture.shape, middle, rng.uniform(0, np.pi))
    edge = np.minimum(65.0 * scale - np.abs(along), 50.0 * scale - np.abs(across + 0.4 * along))
    spot = rising(edge / (0.6 * scale))[..., None] * np.array([0.85, 1.0, 1.1])
    return in_light(picture, (1 + (gain - 1) * spot) / (1 + 0.25 * (gain - 1))), truth


def between_two_lamps(picture: Image, truth: Truth, rng: np.random.Generator, *, apart: float) -> tuple[Image, Truth]:
    """Return the tray in light that is warm on one side and cold on the other.

    apart: by how much red differs from end to end of the felt, as a natural logarithm of light; blue by as much, the
    other way.
    """
    scale, corners = _px_per_mm(truth), corners_of(truth)
    along, _ = _turned(picture.shape, corners.mean(axis=0), rng.uniform(0, 2 * np.pi))
    far = np.clip(along / (0.5 * LONG_MM * scale), -1.5, 1.5)[..., None]
    return in_light(picture, np.exp(0.5 * apart * far * np.array([-1.0, 0.0, 1.0]))), truth


def under_a_sleeve(picture: Image, truth: Truth, rng: np.random.Generator) -> tuple[Image, Truth]:
    """Return the tray with a sleeve of the felt's own hue over one of its pieces: nobody can read it then.

    From a quarter of the felt's grey values to 1.6 times as many; it comes in over the nearest side, at some angle.
    Over the middle of a tray without pieces. Raises BadLabels for a label that does not say where its pieces lie.
    """
    scale, pieces = _px_per_mm(truth), outlines_of(truth)
    felt = _felt_bgr(picture, truth, pieces)
    goal = (pieces[int(rng.integers(len(pieces)))] if pieces else corners_of(truth)).mean(axis=0)
    out = _outwards(corners_of(truth), goal) + rng.normal(0, 0.3)
    half = rng.uniform(*SLEEVE_MM) * scale
    along, across = _turned(picture.shape, goal - 0.6 * half * np.array([np.cos(out), np.sin(out)]), out)
    inside = half * (1 + 0.0005 * np.clip(along / scale, 0, None)) - np.hypot(np.minimum(along - half, 0.0), across)
    shade = 1 - 0.22 * np.clip(np.abs(across) / half, 0, 1) ** 3
    weave = rng.choice([0.0, 0.06]) * cv2.GaussianBlur(rng.normal(0, 1, picture.shape[:2]), (0, 0), 0.7)
    cloth = felt * rng.choice([0.25, 0.4, 0.6, 0.8, 0.9, 1.1, 1.3, 1.6]) * np.exp(rng.normal(0, 0.03, 3))
    below = in_light(picture, 1 - 0.5 * rising((inside + 5 * scale) / (2.5 * scale))[..., None])
    share = np.clip(inside + 0.5, 0, 1)[..., None]
    seen = below * (1 - share) + share * (cloth * (shade + weave)[..., None] + rng.normal(0, 1.5, picture.shape))
    return picture_of(seen), {**truth, "hand_present": True, "ready": False}


def staying(fault: Fault) -> TableFault:
    """Return a fault that leaves the label as it is."""
    return lambda picture, truth, rng: (fault(picture, rng), truth)


WITH_TRAY: Mapping[str, TableFault] = {
    "two pale hairs": partial(under_hairs, hairs=2, bgr=(210.0, 220.0, 225.0)),
    "four dark hairs": partial(under_hairs, hairs=4, bgr=(25.0, 28.0, 35.0)),
    "a mirrored window, 1/16 of white": partial(under_a_window, light=0.06),
    "a mirrored window, 1/7 of white": partial(under_a_window, light=0.15),
    "a spot of sun, 2 times the light": partial(in_the_sun, gain=2.0),
    "a spot of sun, 4 times the light": partial(in_the_sun, gain=4.0),
    "warm on one side, by 0.4": partial(between_two_lamps, apart=0.4),
    "warm on one side, by 0.8": partial(between_two_lamps, apart=0.8),
    "bands of a lamp with phosphors, 1/3 of the light": staying(
        partial(flickering, depth=0.33, periods=2.0, apart=0.9)
    ),
    "bands of a lamp with phosphors, 1/2 of the light": staying(partial(flickering, depth=0.5, periods=2.5, apart=0.9)),
    "a wide lens, 0.1": partial(in_a_wide_lens, bend=0.1),
    "a wide lens, 0.2": partial(in_a_wide_lens, bend=0.2),
    "a wide lens, 0.3": partial(in_a_wide_lens, bend=0.3),
    "a lens that bends outwards, 0.1": partial(in_a_wide_lens, bend=-0.1),
    "a sleeve of the felt's hue over a piece": under_a_sleeve,
}
"""Faults that have to know the tray, and what else tables do. `together` knows none of them."""


def _px_per_mm(truth: Truth) -> float:
    long = sides(corners_of(truth))[[0, 2]]
    return float(long.mean()) / LONG_MM


def _turned(shape: tuple[int, ...], middle: Floats, turn: float) -> tuple[Floats, Floats]:
    """Return (h, w) how far each pixel lies from a point, along a direction (radians, from x to y) and across it."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float64)
    u, v = x - middle[0], y - middle[1]
    return u * np.cos(turn) + v * np.sin(turn), v * np.cos(turn) - u * np.sin(turn)


def _outwards(corners: Floats, at: Floats) -> float:
    """Return the direction, radians, from the inside over the side that is nearest to a point."""
    along = np.roll(corners, -1, axis=0) - corners
    # Corners run clockwise as the picture shows them: outwards lies to the left of each side.
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1) / sides(corners)[:, None]
    nearest = int(((corners - at) * normals).sum(axis=1).argmin())
    return float(np.arctan2(*normals[nearest][::-1]))


def _felt_bgr(picture: Image, truth: Truth, pieces: list[Floats]) -> NDArray[np.float64]:
    """Return (3,) the grey values of most of the felt."""
    bare = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(bare, np.round(corners_of(truth)).astype(np.int32), 1)
    for outline in pieces:
        cv2.fillConvexPoly(bare, cv2.convexHull(np.round(outline).astype(np.int32)), 0)
    inner = cv2.erode(bare, np.ones((25, 25), np.uint8)) > 0
    return np.asarray(np.median(picture[inner if inner.any() else bare > 0], axis=0), np.float64)
