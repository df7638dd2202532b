"""Pieces seen with what is around them, as the nets see them that ask how a piece lies, not what it shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.crops import symbols
from vision.crops.nets import Array, evened, outputs
from vision.geometry import Floats
from vision.tray.rectify import Image

SIDE = 48
"""Side of a crop in pixels."""
RIM = 12


def cut(picture_bgr: Image, quads_px: Floats, *, share: float, side: int = SIDE) -> Image:
    """Return the pieces (n, 4, 2) in the picture with what is around them, (n, side, side, 3) uint8.

    share: of SIDE that the piece fills. side: more than SIDE shows more of what is around, no finer.
    """
    near, far = (side - SIDE * share) / 2, (side + SIDE * share) / 2
    return np.asarray(symbols.cut_crops(picture_bgr, quads_px, size_wh=(side, side), box=(near, near, far, far)))


def normalised(crops_bgr: Array) -> Array:
    """Return a net's input, (n, 3, h, w) float32: channels with mean 0, each crop with a spread of about 1."""
    return evened(np.ascontiguousarray(crops_bgr), rim=(RIM, RIM), floor=30.0, most=4.0)


def in_four_turns(model: Path, crops_bgr: Image) -> Floats:
    """Return (4, n, outputs) what a net says of n crops, n >= 1, as they are, and turned by one, two, three quarters.

    Counter-clockwise. Raises BadModel when the model is missing. Not for two threads at once.
    """
    turned = np.concatenate([np.rot90(crops_bgr, turns, (1, 2)) for turns in range(4)])
    return outputs(model, normalised(turned)).astype(np.float64).reshape(4, len(crops_bgr), -1)
