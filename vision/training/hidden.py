"""Tiles that nobody can read for what lies on them or before them: another tile, or a drop on the lens.

Done to crops, each time anew: what is drawn shows tiles side by side.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.symbols import CROP_WH, TILE_BOX
from vision.training.samples import UNREADABLE

OVERLAID, SMEARED = 0.05, 0.02
"""Shares of the crops of tiles that lie partly under another tile, and that are seen through a drop."""
NEAR = 24
"""The tile that lies on another comes from this many crops before or after it: mostly the same tray, and light."""
HIDES, GRAZES = 0.2, 0.07
"""Share of a face that another tile covers from which on it is not to be read, and up to which it is as before."""
LEAST_OFF = 0.3
"""A tile that lies nearer than this to the middle of another, over its size, takes its place: it is the one to read."""
SMEAR_PX = (3.2, 7.0)
"""Blur of a drop, in pixels of the crop: no stroke of a digit is left, nor the edge of a tile."""


def hidden(
    images: np.ndarray, shown: np.ndarray, pick: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return the picked crops (n, 48, 40, 3) uint8 and what they show (n,), some of them hidden by now.

    images, shown: all crops, those of one tray one after the other; pick: (n,) which of them.
    """
    crops, symbols = images[pick], shown[pick].copy()
    chance = rng.random(len(pick))
    tiles = symbols != UNREADABLE
    for k in np.flatnonzero(tiles & (chance < OVERLAID)):
        other = int(np.clip(pick[k] + rng.integers(-NEAR, NEAR + 1), 0, len(images) - 1))
        if shown[other] == UNREADABLE:
            continue
        laid, share = overlaid(crops[k], images[other], rng)
        if share <= GRAZES or share >= HIDES:
            crops[k] = laid
            symbols[k] = symbols[k] if share <= GRAZES else UNREADABLE
    for k in np.flatnonzero(tiles & (chance > 1 - SMEARED)):
        crops[k] = cv2.GaussianBlur(crops[k], (0, 0), float(rng.uniform(*SMEAR_PX)))
        symbols[k] = UNREADABLE
    return crops, symbols


def overlaid(crop: np.ndarray, other: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """Return a crop with the tile of another laid on it, and the share of its face that this covers."""
    left, top, right, bottom = TILE_BOX
    size, middle = np.array([right - left, bottom - top]), np.array([left + right, top + bottom]) / 2
    off = rng.uniform(-1, 1, 2)
    if np.abs(off).max() < LEAST_OFF:
        off *= LEAST_OFF / max(1e-3, np.abs(off).max())
    turn = float(rng.normal(0, 9)) if rng.random() < 0.8 else float(rng.uniform(-60, 60))
    matrix = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), turn, 1.0)
    matrix[:, 2] += off * size
    mask = np.zeros((CROP_WH[1], CROP_WH[0]), np.float32)
    mask[round(top) : round(bottom), round(left) : round(right)] = 1
    face = mask > 0
    over, mask = (
        cv2.warpAffine(x, matrix, CROP_WH, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        for x in (other, mask)
    )
    fall = np.array([[1, 0, rng.normal(0, 1.2)], [0, 1, rng.normal(0, 1.2)]])
    shadow = cv2.GaussianBlur(cv2.warpAffine(mask, fall, CROP_WH), (0, 0), float(rng.uniform(0.6, 2.0)))
    under = crop * (1 - float(rng.uniform(0, 0.6)) * shadow[..., None])
    laid = under + (over - under) * mask[..., None]
    return np.clip(laid, 0, 255).astype(np.uint8), float(mask[face].mean())
