"""Numbers of two digits on tiles: other games have them, and a ten must not be read as a nought."""

from __future__ import annotations

import cv2
import numpy as np

from vision.drawing import COLOURS
from vision.drawing.glyphs import GlyphSet

SHARE = 0.4
"""Share of a set's tiles that show a number."""
SIZES = (0.45, 1.0)
"""How tall a number is, over the height of the set's digits."""
GAPS = (0.0, 0.16)
"""How far its digits stand apart, over their height."""


def with_numbers(glyphs: GlyphSet, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return a set of glyphs some of whose tiles show a number of two digits, printed as its digits are.

    A tile of its own, "red:7", as `vision.drawing.tiles.glyph_alpha` takes it.
    """
    gap, tall = float(rng.uniform(*GAPS)), float(rng.uniform(*SIZES))
    out = dict(glyphs)
    for colour in COLOURS:
        for symbol in glyphs:
            if rng.random() < SHARE:
                first, second = str(rng.integers(1, 10)), str(rng.integers(10))
                out[f"{colour}:{symbol}"] = joined(glyphs[first], glyphs[second], gap, tall)
    return out


def joined(first: np.ndarray, second: np.ndarray, gap: float, tall: float) -> np.ndarray:
    """Return two digits side by side on one line, the number `tall` times their own size."""
    height = max(len(first), len(second))
    both = [cv2.copyMakeBorder(m, height - len(m), 0, 0, 0, cv2.BORDER_CONSTANT) for m in (first, second)]
    whole = np.hstack([both[0], np.zeros((height, max(1, round(gap * height))), np.uint8), both[1]])
    return np.asarray(cv2.resize(whole, None, fx=tall, fy=tall, interpolation=cv2.INTER_AREA))
