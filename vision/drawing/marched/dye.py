"""Felt with a print: lines around it, a word, an emblem, the boxes of a layout, a band. The weave shows through dye."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.drawing.marched.felt import Felt
from vision.drawing.marched.texture import Array, F, Rgb, chosen, linear

DYES: Mapping[str, tuple[Rgb, float]] = {
    "white": ((226, 226, 220), 0.3), "gold": ((206, 166, 70), 0.25), "black": ((24, 24, 26), 0.15),
    "red": ((170, 30, 34), 0.1), "yellow": ((232, 204, 60), 0.1), "blue": ((40, 70, 150), 0.1),
}  # fmt: skip
"""A print's colour and how often it is seen."""
WORDS = ("LUCKY", "CLUB", "PLAY", "ACES", "DEAL", "GRAND", "ROYAL", "HOUSE", "BANK", "FELT", "STAR", "NORTH", "VEGAS")
FACES = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX, cv2.FONT_HERSHEY_PLAIN)
_FINE = 4
"""Bits of a texel that outlines are given in."""
Canvas = tuple[Array, float]
"""A mask (h, w) uint8 that is printed on, and how many of its texels are a millimetre."""


def dyed(felt: Felt, rng: np.random.Generator) -> Felt:
    """Return the felt with one to three prints on it."""
    per_mm = 1 / felt.plane.texel_mm
    albedo = felt.albedo.copy()
    for _ in range(int(rng.integers(1, 4))):
        mask = np.zeros(albedo.shape[:2], np.uint8)
        PRINTS[chosen(rng, list(PRINTS))]((mask, per_mm), rng)
        name = chosen(rng, list(DYES), [share for _, share in DYES.values()])
        soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.1, 0.35)) * per_mm).astype(F) / F(255)
        ink = linear(DYES[name][0]) * felt.albedo / np.maximum(felt.albedo.mean((0, 1)), F(1e-4))
        albedo += (soft * F(rng.uniform(0.6, 1.0)))[..., None] * (ink - albedo)
    return replace(felt, name=f"{felt.name}, printed", albedo=albedo.astype(F))


def like_backs(felt: Felt, back: Sequence[float], rng: np.random.Generator) -> Felt:
    """Return the felt dyed nearly as backs are: lighter or darker by up to a third, and of almost their hue.

    back: sRGB 0..255.
    """
    rgb = np.clip(np.array(back) * rng.uniform(0.72, 1.3) * rng.uniform(0.95, 1.05, 3), 6, 240)
    albedo = felt.albedo * (linear(rgb) / linear(felt.rgb))
    return replace(felt, name=f"{felt.name}, like backs", rgb=rgb, albedo=albedo.astype(F))


def _track(canvas: Canvas, rng: np.random.Generator) -> None:
    """Print one or two lines around the middle, with round corners or as an oval."""
    mask, per_mm = canvas
    half, inset = np.array(mask.shape[::-1]) / 2, rng.uniform(14, 60)
    for _ in range(int(rng.integers(1, 3))):
        wide = rng.uniform(1.5, 6)
        reach = half - inset * per_mm
        radius = float(rng.choice([1.0, rng.uniform(0.1, 0.9)])) * reach.min()
        t = np.linspace(0, 2 * np.pi, 200, endpoint=False)
        arc = np.c_[np.cos(t), np.sin(t)]
        _outline(canvas, half + np.sign(arc) * (reach - radius) + radius * arc, wide)
        inset += wide + rng.uniform(3, 14)


def _word(canvas: Canvas, rng: np.random.Generator) -> None:
    mask, per_mm = canvas
    _letter(canvas, chosen(rng, WORDS), rng.uniform(0.2, 0.8, 2) * mask.shape[::-1], rng.uniform(10, 60) * per_mm, rng)


def _layout(canvas: Canvas, rng: np.random.Generator) -> None:
    """Print boxes side by side, with numbers in most of them."""
    mask, per_mm = canvas
    columns, rows = int(rng.integers(2, 7)), int(rng.integers(1, 4))
    side = rng.uniform(22, 46, 2) * per_mm
    low = rng.uniform(0.05, 0.6, 2) * mask.shape[::-1]
    wide, number = rng.uniform(1.0, 3.0), int(rng.integers(1, 30))
    for k in range(columns * rows):
        corner = low + np.array([k % columns, k // columns]) * side
        box = corner + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * side
        _outline(canvas, box, wide)
        if rng.random() < 0.8:
            _letter(canvas, str(number + k), box.mean(0), 0.4 * side.min(), rng, turned=False)


def _cards(canvas: Canvas, rng: np.random.Generator) -> None:
    """Print places for cards in a row."""
    mask, per_mm = canvas
    size = np.array([63.0, 88.0]) * rng.uniform(0.7, 1.05) * per_mm
    count, step = int(rng.integers(2, 6)), size[0] + rng.uniform(5, 14) * per_mm
    at = rng.uniform(0.1, 0.5, 2) * mask.shape[::-1]
    for k in range(count):
        _outline(canvas, at + (k * step, 0) + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size, rng.uniform(1.2, 3.0))


def _emblem(canvas: Canvas, rng: np.random.Generator) -> None:
    """Print a star or a suit's sign, filled or not, with another within it."""
    mask, per_mm = canvas
    middle, far = rng.uniform(0.15, 0.85, 2) * mask.shape[::-1], rng.uniform(15, 65) * per_mm
    t = np.linspace(0, 2 * np.pi, 240, endpoint=False)
    shapes = {
        "star": _star(int(rng.integers(4, 9)), rng.uniform(0.4, 0.8)),
        "ring": np.c_[np.cos(t), np.sin(t)],
        "heart": np.c_[16 * np.sin(t) ** 3, -13 * np.cos(t) + 5 * np.cos(2 * t) + 2 * np.cos(3 * t)] / 17,
        "diamond": np.array([[0, -1], [0.72, 0], [0, 1], [-0.72, 0]]),
    }
    shape = shapes[chosen(rng, list(shapes))]
    if rng.random() < 0.35:
        _outline(canvas, middle + far * shape, rng.uniform(1.5, 5))
        return
    cv2.fillPoly(mask, [_fixed(middle + far * shape)], 255, cv2.LINE_AA, _FINE)
    if rng.random() < 0.6:
        within = middle + far * rng.uniform(0.4, 0.75) * shapes[chosen(rng, list(shapes))]
        cv2.fillPoly(mask, [_fixed(within)], 0, cv2.LINE_AA, _FINE)


def _band(canvas: Canvas, rng: np.random.Generator) -> None:
    """Print a band along one side."""
    mask, per_mm = canvas
    wide, inset = (round(rng.uniform(*span) * per_mm) for span in ((5, 28), (0, 12)))
    turned = np.rot90(mask, int(rng.integers(4)))
    turned[inset : inset + wide] = 255


def _star(points: int, within: float) -> Array:
    t = np.linspace(0, 2 * np.pi, 2 * points, endpoint=False)
    return np.asarray(np.c_[np.sin(t), -np.cos(t)] * np.where(np.arange(2 * points) % 2, within, 1.0)[:, None])


def _letter(
    canvas: Canvas, text: str, at: Array, high: float, rng: np.random.Generator, *, turned: bool = True
) -> None:
    """Print a text about a point, its capitals so many texels high."""
    mask, _ = canvas
    face, scale = FACES[int(rng.integers(len(FACES)))], 1.0
    thick = max(1, int(high * rng.uniform(0.05, 0.16)))
    scale = high / cv2.getTextSize("H", face, 1.0, 1)[0][1]
    (wide, tall), _ = cv2.getTextSize(text, face, scale, thick)
    page = np.zeros((tall + 6 * thick + 60, wide + 6 * thick + 60), np.uint8)
    cv2.putText(page, text, (3 * thick + 30, tall + 3 * thick + 30), face, scale, 255, thick, cv2.LINE_AA)
    turn = float(rng.choice([0.0, rng.normal(0, 6), rng.uniform(0, 360)])) if turned else 0.0
    way = cv2.getRotationMatrix2D((page.shape[1] / 2, page.shape[0] / 2), turn, min(1.0, 0.8 * mask.shape[1] / wide))
    way = np.asarray(way) + np.c_[np.zeros((2, 2)), at - np.array(page.shape[::-1]) / 2]
    cv2.max(mask, cv2.warpAffine(page, way, mask.shape[1::-1]), dst=mask)


def _outline(canvas: Canvas, points: Array, wide_mm: float) -> None:
    mask, per_mm = canvas
    cv2.polylines(mask, [_fixed(points)], True, 255, max(1, round(wide_mm * per_mm)), cv2.LINE_AA, _FINE)


def _fixed(points: Array) -> Array:
    return np.round(points * (1 << _FINE)).astype(np.int32)


PRINTS: Mapping[str, Callable[[Canvas, np.random.Generator], None]] = {
    "track": _track, "word": _word, "layout": _layout, "cards": _cards, "emblem": _emblem, "band": _band,
}  # fmt: skip


__all__ = ["dyed"]
