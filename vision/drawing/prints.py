"""Other prints than the usual: small digits, anywhere on the tile, alone or with a frame, a ring or a dot."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.drawing.glyphs import GlyphSet
from vision.drawing.look import Look

SMALL = (0.28, 0.5)
"""How tall small digits are, over the tile's height; `vision.drawing.chance` has those from 0.45 to 0.74."""
WITHIN = 0.84
"""Share of the tile's width and height that digits keep to."""
ASIDE = 0.25
"""Share of the sets whose digits lie anywhere on the tile, a corner too; those of others lie near its middle."""
BELOW = 0.05
"""Share of these whose digits may lie in the lower half. People print digits above, or one could not tell a 6 from a
9: a net that saw them below as often called a 9 of another game, lying upside down, surely a 6."""
PLAIN = 0.65
"""Share of the sets without any ornament."""


def other_print(look: Look, rng: np.random.Generator) -> Look:
    """Return the look with digits that are small and off the tile's middle, or that carry an ornament."""
    if rng.random() < PLAIN:
        height, shift = _small(look.tile.size_mm, rng)
        return replace(look, tile=replace(look.tile, digit_height=height, digit_shift_mm=shift))
    kind = str(rng.choice(["ring", "frame", "dot"]))
    tall = {"ring": (0.5, 0.82), "frame": (0.62, 0.88), "dot": (0.5, 0.8)}[kind]
    # No bars: they would lie below ring and frame. What a dot or a ring's place tells is enough, or the arcs do.
    tile = replace(look.tile, digit_height=float(rng.uniform(*tall)), digit_shift_mm=(0.0, 0.0), underline=False)
    return replace(look, tile=tile, glyphs=ornamented(look.glyphs, kind, rng))


def _small(size_mm: tuple[float, float], rng: np.random.Generator) -> tuple[float, tuple[float, float]]:
    """Return height and place (mm) of small digits as a `TileLook` takes them."""
    height = float(rng.uniform(*SMALL))
    # Digits are about two thirds as wide as tall.
    free = np.maximum(0.0, [WITHIN * size_mm[0] - 0.66 * height * size_mm[1], (WITHIN - height) * size_mm[1]]) / 2
    aside = rng.random() < ASIDE
    far = np.array([1.0, 1.0] if aside else [0.2, 0.6])
    x, y = (rng.uniform(-1, 1, 2) * far * free).tolist()
    return height, (x, abs(y) if aside and rng.random() >= BELOW else y)


def ornamented(glyphs: GlyphSet, kind: str, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return the digits of a set, all with the same ornament: a "ring" or a "frame" around them, or a "dot" below."""
    height = max(len(mask) for mask in glyphs.values())
    width = max(mask.shape[1] for mask in glyphs.values())
    thick = max(2, round(height * rng.uniform(0.03, 0.12)))
    if kind == "dot":
        gap, tall = int(height * rng.uniform(0.12, 0.3)), int(height * rng.uniform(0.12, 0.35))
        middle, hollow = height + gap + tall // 2, rng.random() < 0.5
        canvas = np.zeros((height + gap + tall, max(width, tall)), np.uint8)
        cv2.circle(canvas, (canvas.shape[1] // 2, middle), tall // 2, 255, min(thick, tall // 4) if hollow else -1)
        return {symbol: _laid(mask, canvas, height / 2) for symbol, mask in glyphs.items()}
    far = 1 + 2 * rng.uniform(0.12, 0.4)
    side = int(np.hypot(height, width) * far * 0.9) + 2 * thick
    if kind == "ring":
        canvas = np.zeros((side, side), np.uint8)
        cv2.circle(canvas, (side // 2, side // 2), side // 2 - thick, 255, thick, cv2.LINE_AA)
    else:
        canvas = np.zeros((int(height * far) + 2 * thick, int(max(width, 0.7 * height) * far) + 2 * thick), np.uint8)
        cv2.rectangle(canvas, (thick, thick), (canvas.shape[1] - thick, canvas.shape[0] - thick), 255, thick)
    return {symbol: _laid(mask, canvas, len(canvas) / 2) for symbol, mask in glyphs.items()}


def _laid(mask: np.ndarray, canvas: np.ndarray, middle: float) -> np.ndarray:
    """Return the canvas with the mask on it, in its middle across and `middle` from its top."""
    out = canvas.copy()
    top, left = max(0, round(middle - len(mask) / 2)), (canvas.shape[1] - mask.shape[1]) // 2
    part = out[top : top + len(mask), left : left + mask.shape[1]]
    np.maximum(part, mask[: len(part), : part.shape[1]], out=part)
    return out
