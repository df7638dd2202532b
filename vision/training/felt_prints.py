"""Felts with a print: the line of a racetrack, lettering, a club's emblem, a band along the rim. It is neither a hand

nor a piece, and no net that never saw one knows that. Painted over pictures that are there already, under whatever
lies on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from vision.layout import TRAY_MM
from vision.training.samples import quad_of

Array = np.ndarray[Any, np.dtype[Any]]
Ways = Callable[[Array, np.random.Generator], None]

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)
LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
CORNER_MM = 34.0
"""Nothing is printed so near to the felt's corners, both ways: there markers lie."""
AROUND = {0: 1.1, 1: 1.9, 2: 1.15}
"""How much larger than a tile, a die, a disk is what is left as it is: of dice flanks are seen, too."""


def printed(tray_bgr: Array, rows: Array, hand: Array, rng: np.random.Generator) -> Array:
    """Return a tray (h, w, 3) uint8, 1 px/mm, with something printed on its felt.

    rows: (n, 7) the pieces on it, hand: (h / 8, w / 8) 0..255, both as of `samples.targets_of`.
    """
    mask = np.zeros(tray_bgr.shape[:2], np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        WAYS[int(rng.integers(len(WAYS)))](mask, rng)
    ink = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.4, 1.1))).astype(np.float32) / 255
    ink *= _bare(tray_bgr.shape[:2], rows, hand) * np.float32(rng.uniform(0.25, 1.0))
    # Dye on cloth: the weave, its light and its shadows stay.
    felt = np.median(tray_bgr[mask > 0], axis=0) if mask.any() else np.full(3, 128.0)
    light = tray_bgr.mean(axis=2) / max(float(felt.mean()), 8.0)
    dyed = np.clip(light, 0.2, 2.5)[..., None] * _dye(felt, rng)
    out = tray_bgr + ink[..., None] * (dyed - tray_bgr)
    return np.clip(out, 0, 255).astype(np.uint8)


def _dye(felt: Array, rng: np.random.Generator) -> Array:
    """Return (3,) a colour: any, white, gold, black, or the felt's own, lighter or darker."""
    kind = int(rng.integers(5))
    if kind == 0:
        return rng.uniform(10, 245, 3)
    if kind == 1:
        return rng.uniform(190, 245) + rng.normal(0, 5, 3)
    if kind == 2:
        return np.array([60.0, 165.0, 205.0]) * rng.uniform(0.6, 1.15)
    if kind == 3:
        return rng.uniform(8, 45) + rng.normal(0, 4, 3)
    return felt * rng.choice([rng.uniform(0.45, 0.8), rng.uniform(1.25, 2.0)]) + rng.uniform(0, 12)


def _bare(size_hw: tuple[int, ...], rows: Array, hand: Array) -> Array:
    """Return (h, w) float32 1 where bare felt is seen, 0 on pieces and hands and beyond the felt."""
    height, width = size_hw
    bare = np.zeros((height, width), np.uint8)
    (x0, y0), (x1, y1) = _felt(size_hw, inset_mm=2.0)
    bare[int(y0) : int(y1), int(x0) : int(x1)] = 1
    for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)):
        cv2.circle(bare, (int(x), int(y)), int(CORNER_MM), 0, -1)
    for row in rows:
        cv2.fillConvexPoly(bare, np.round(quad_of(row, grown=AROUND[int(row[0])])).astype(np.int32), 0)
    over = cv2.dilate(cv2.resize(hand, (width, height)), np.ones((9, 9), np.uint8))
    bare[over > 20] = 0
    return cv2.blur(bare.astype(np.float32), (3, 3))


def _felt(size_hw: tuple[int, ...], *, inset_mm: float = 0.0) -> tuple[Array, Array]:
    """Return the felt's first and last corner, x and y, so far within, in the middle of a picture of 1 px/mm."""
    middle, half = np.array(size_hw[1::-1]) / 2, np.array(TRAY_MM) / 2 - inset_mm
    return middle - half, middle + half


def _racetrack(mask: Array, rng: np.random.Generator) -> None:
    """Draw one to three lines around the felt, each within the other: an oval, or a box with round corners."""
    at, round_ = rng.uniform(8, 75), rng.uniform(0.0, 1.0)
    for _ in range(int(rng.integers(1, 4))):
        wide = int(rng.integers(1, 6))
        low, high = _felt(mask.shape, inset_mm=at)
        if (high - low).min() < 40:
            return
        cv2.polylines(mask, [_oval(low, high, round_)], True, 255, wide, cv2.LINE_AA)
        at += wide + rng.uniform(2, 12)


def _oval(low: Array, high: Array, round_: float) -> Array:
    """Return the outline (n, 1, 2) int32 of a box whose corners are rounded by a share of its shorter half side."""
    middle, half = (low + high) / 2, (high - low) / 2
    radius = round_ * half.min()
    t = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    arc = np.c_[np.cos(t), np.sin(t)]
    return np.round(middle + np.sign(arc) * (half - radius) + radius * arc).astype(np.int32)[:, None]


def _lines(mask: Array, rng: np.random.Generator) -> None:
    """Draw straight lines: a seam, the boxes of a layout."""
    low, high = _felt(mask.shape)
    for _ in range(int(rng.integers(1, 6))):
        along, at = rng.integers(2), rng.uniform(0.1, 0.9, 2)
        ends = np.tile(low + at * (high - low), (2, 1))
        ends[:, along] = np.sort(rng.uniform(low[along], high[along], 2))
        ends += rng.normal(0, 2.0, (2, 2))
        cv2.line(
            mask, *(tuple(p) for p in ends.round().astype(int).tolist()), 255, int(rng.integers(1, 5)), cv2.LINE_AA
        )


def _rings(mask: Array, rng: np.random.Generator) -> None:
    """Draw circles, ellipses and arcs, some of them filled."""
    low, high = _felt(mask.shape, inset_mm=10)
    for _ in range(int(rng.integers(1, 5))):
        middle = rng.uniform(low, high).round().astype(int).tolist()
        half = [int(v) for v in rng.uniform(8, 90) * np.array([1.0, rng.uniform(0.4, 1.0)])]
        begin = int(rng.integers(360))
        span, wide = (
            int(rng.choice([360, rng.integers(40, 300)])),
            int(rng.choice([rng.integers(1, 7), -1], p=[0.8, 0.2])),
        )
        cv2.ellipse(mask, middle, half, int(rng.integers(180)), begin, begin + span, 255, wide, cv2.LINE_AA)


def _lettering(mask: Array, rng: np.random.Generator) -> None:
    """Draw a word, straight or turned, from 8 to 80 mm high."""
    word = "".join(rng.choice(list(LETTERS), int(rng.integers(1, 9))))
    font, high = FONTS[int(rng.integers(len(FONTS)))], float(np.exp(rng.uniform(np.log(8), np.log(80))))
    size, thick = high / 21, max(1, int(high * rng.uniform(0.03, 0.22)))
    (wide, tall), _ = cv2.getTextSize(word, font, size, thick)
    page = np.zeros((tall + 4 * thick + 30, wide + 4 * thick + 30), np.uint8)
    cv2.putText(page, word, (2 * thick + 10, tall + 2 * thick + 10), font, size, 255, thick, cv2.LINE_AA)
    low, high_corner = _felt(mask.shape, inset_mm=20)
    x, y = rng.uniform(low, high_corner)
    turn = float(rng.choice([0.0, rng.normal(0, 8), rng.uniform(0, 360)]))
    way = cv2.getRotationMatrix2D((page.shape[1] / 2, page.shape[0] / 2), turn, min(1.0, 320 / page.shape[1]))
    way[:, 2] += (x - page.shape[1] / 2, y - page.shape[0] / 2)
    cv2.max(mask, cv2.warpAffine(page, way, mask.shape[1::-1]), dst=mask)


def _emblem(mask: Array, rng: np.random.Generator) -> None:
    """Draw a star, a suit's diamond or a shield, filled or in outline, with a smaller one cut out of some."""
    low, high = _felt(mask.shape, inset_mm=25)
    middle, points, far = rng.uniform(low, high), int(rng.integers(3, 9)), rng.uniform(8, 65)
    t = np.linspace(0, 2 * np.pi, 2 * points, endpoint=False) + rng.uniform(0, 2 * np.pi)
    reach = np.where(np.arange(2 * points) % 2 == 0, 1.0, rng.uniform(0.35, 1.0))
    shape = np.c_[np.cos(t), np.sin(t) * rng.uniform(0.6, 1.4)] * reach[:, None]
    outlines = [
        (middle + far * share * shape).round().astype(np.int32)[:, None] for share in (1.0, rng.uniform(0.4, 0.8))
    ]
    if rng.random() < 0.5:
        cv2.polylines(mask, outlines[:1], True, 255, int(rng.integers(1, 6)), cv2.LINE_AA)
        return
    cv2.fillPoly(mask, outlines if rng.random() < 0.5 else outlines[:1], 255, cv2.LINE_AA)


def _band(mask: Array, rng: np.random.Generator) -> None:
    """Draw a band along the rim, or along one side of it."""
    low, high = (v.astype(int) for v in _felt(mask.shape))
    wide, x0, y0, x1, y1 = int(rng.integers(4, 26)), *low.tolist(), *high.tolist()
    sides = [(x0, y0, x1, y0 + wide), (x0, y1 - wide, x1, y1), (x0, y0, x0 + wide, y1), (x1 - wide, y0, x1, y1)]
    for left, top, right, bottom in sides if rng.random() < 0.6 else [sides[int(rng.integers(4))]]:
        mask[top:bottom, left:right] = 255


def _pattern(mask: Array, rng: np.random.Generator) -> None:
    """Draw a small figure again and again all over the felt."""
    step, far, points = rng.uniform(14, 45), rng.uniform(1.5, 6), int(rng.integers(3, 7))
    t = np.linspace(0, 2 * np.pi, points, endpoint=False) + rng.uniform(0, 6)
    shape = far * np.c_[np.cos(t), np.sin(t)]
    (x0, y0), (x1, y1) = _felt(mask.shape, inset_mm=4)
    for k, y in enumerate(np.arange(y0, y1, step)):
        for x in np.arange(x0 + (k % 2) * step / 2, x1, step):
            cv2.fillPoly(mask, [(shape + (x, y)).round().astype(np.int32)], 255, cv2.LINE_AA)


WAYS: tuple[Ways, ...] = (
    _racetrack,
    _racetrack,
    _racetrack,
    _lines,
    _rings,
    _lettering,
    _lettering,
    _emblem,
    _band,
    _pattern,
)
"""Racetracks and lettering most: that is what felts for players have."""


__all__ = ["printed"]
