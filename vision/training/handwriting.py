"""Digits as somebody's hand writes them: strokes bent, leant, opened and closed otherwise for each symbol."""

from __future__ import annotations

import cv2
import numpy as np

from vision.drawing.glyphs import GlyphSet, stroke_mask, strokes

Points = list[tuple[float, float]]
PLOTTED = 0.35
"""Share of the sets that a steady machine drew: one pen along lines, none of them shaking."""


def handwritten(rng: np.random.Generator) -> GlyphSet:
    """Return a set of glyphs in one handwriting: one pen, one lean, and no two digits bent alike."""
    weight, slant = float(rng.uniform(0.05, 0.17)), float(rng.normal(0.05, 0.12))
    width, shaky = float(rng.uniform(0.7, 1.25)), float(rng.uniform(0.02, 0.09))
    coarse = float(rng.choice([0.0, 0.02, 0.035], p=[0.7, 0.15, 0.15]))
    if rng.random() < PLOTTED:
        shaky = 0.0
    out = {}
    for symbol, lines in {**strokes(), **_habits(rng)}.items():
        bent = _bent([_angular(np.array(line, float), coarse) for line in lines], width, shaky, rng)
        out[symbol] = stroke_mask([[(float(x), float(y)) for x, y in line] for line in bent], weight, slant)
    return out


def _habits(rng: np.random.Generator) -> dict[str, list[Points]]:
    """Return the symbols that people write in other ways: a plain 1, a barred 7, an open 4, a straight 9."""
    out: dict[str, list[Points]] = {}
    if rng.random() < 0.4:
        out["1"] = [[(0.3, 0.0), (0.3, 1.0)]]
    elif rng.random() < 0.3:
        out["1"] = [[(0.05, 0.25), (0.33, 0.0), (0.33, 1.0)], [(0.08, 1.0), (0.58, 1.0)]]
    if rng.random() < 0.4:
        out["7"] = [[(0.0, 0.0), (0.6, 0.0), (0.2, 1.0)], [(0.12, 0.5), (0.55, 0.47)]]
    if rng.random() < 0.5:
        out["4"] = [[(0.1, 0.0), (0.02, 0.56), (0.62, 0.54)], [(0.48, 0.22), (0.44, 1.0)]]
    if rng.random() < 0.4:
        out["9"] = [_leg_and_ring(bool(rng.random() < 0.5))]
    if rng.random() < 0.4:
        # Straight back, or a flat roof on it: a six that is nearly a five.
        back = _leg_and_ring(bool(rng.random() < 0.6))
        out["6"] = [[(0.6 - x, 1.0 - y) for x, y in back]]
    if rng.random() < 0.25:
        out["3"] = [[(0.04, 0.0), (0.56, 0.0), (0.26, 0.4), (0.5, 0.5), (0.58, 0.72), (0.42, 0.98), (0.02, 0.94)]]
    if rng.random() < 0.2:
        bar = [(0.31, 0.44), (0.31, 0.56)] if rng.random() < 0.5 else [(0.5, 0.22), (0.12, 0.78)]
        out["0"] = [*strokes()["0"], bar]
    if rng.random() < 0.2:
        out["2"] = [[(0.04, 0.16), (0.2, 0.0), (0.46, 0.02), (0.56, 0.26), (0.02, 1.0), (0.6, 1.0)]]
    if rng.random() < 0.3:
        out["5"] = [
            [(0.12, 0.0), (0.08, 0.42), (0.4, 0.42), (0.58, 0.66), (0.42, 0.96), (0.04, 0.96)],
            [(0.12, 0.0), (0.6, 0.0)],
        ]
    return out


def _angular(line: np.ndarray, coarse: float) -> np.ndarray:
    """Return a stroke of few straight lines, as a plotter or an engraver's pantograph draws it.

    coarse: how far it may be from the stroke, over the digit's height; 0 leaves it as it is.
    """
    if coarse == 0:
        return line
    fixed = np.round(line * 1000).astype(np.int32).reshape(-1, 1, 2)
    few = cv2.approxPolyDP(fixed, 1000 * coarse, closed=False).reshape(-1, 2) / 1000
    # Of a ring it leaves out where it begins.
    return np.vstack([line[:1], few, line[-1:]])


def _leg_and_ring(roofed: bool) -> Points:
    """Return a nine: a ring with a straight leg, which ends in a flat stroke to the left where it is `roofed`."""
    ring = [(0.3 + 0.27 * np.cos(a), 0.28 + 0.27 * np.sin(a)) for a in np.linspace(0.1, 6.1, 24)]
    end = [(0.55, 0.88), (0.42, 1.0), (0.14, 1.0)] if roofed else [(0.5, 1.0)]
    return [*ring, (0.57, 0.3), *end]


def _bent(lines: list[np.ndarray], width: float, shaky: float, rng: np.random.Generator) -> list[np.ndarray]:
    """Return strokes bent by two slow waves, each a little out of its place; rings no longer quite closed."""
    a, b, c, d = rng.normal(0, shaky, 4)
    p, q = rng.uniform(0, 6.3, 2)
    out = []
    for line in lines:
        x, y = line[:, 0].copy(), line[:, 1].copy()
        x, y = x + a * np.sin(4.5 * y + p) + c * (y - 0.5), y + b * np.sin(4.5 * x + q) + d * (x - 0.3)
        drift = np.linspace(0, 1, len(x))[:, None] * rng.normal(0, 0.7 * shaky, 2)
        out.append(np.stack([x * width, y], 1) + rng.normal(0, 0.4 * shaky, 2) + drift)
    return out
