"""Pieces in a picture of unknown scale, for pictures without a tray: what is found at each scale."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from vision.finding.pieces import KINDS, Pieces, find_pieces
from vision.geometry import Floats
from vision.tray.rectify import Image

LONG_SIDES_MM: tuple[int, ...] = (45, 64, 90, 128, 180, 256, 360, 512, 720, 1024)
"""How much the longer side of the picture may show: from a die that fills a third of it to a whole table. A factor of
1.41 apart, and the net forgives 1.25."""
NOMINAL_MM = np.array([26.0, 16.0, 20.0])
"""Usual size of each kind in KINDS."""
SPREAD = 0.2
"""Spread of the logarithm of sizes in one picture: dice of one set, found a tenth too large or too small."""
FINEST = 1.3
"""Pixels of the net over pixels of the picture, beyond which nothing is gained."""


def likely_sizes(ratio: ArrayLike) -> Floats:
    """Return how likely pieces have sizes that are in these ratios to the usual one: 1 for the usual."""
    off = np.log(np.maximum(np.asarray(ratio, dtype=np.float64), 1e-3))
    return np.asarray(np.exp(-(off**2) / (2 * SPREAD**2)))


def at_each_scale(picture_bgr: Image, *, kind: str, score: float = 0.25) -> Iterator[tuple[Pieces, float]]:
    """Yield the pieces found at each scale, and the scale (pixels per millimetre).

    picture_bgr: (h, w, 3) uint8, seen roughly from above. kind: one of KINDS. Costs some 0.2 s on one core: for
    photographs, not for the watcher. Raises ValueError for an unknown kind.
    """
    if kind not in KINDS:
        raise ValueError(f"kind {kind!r} is unknown (expected one of {', '.join(KINDS)})")
    longer = max(picture_bgr.shape[:2])
    for k, side in enumerate(LONG_SIDES_MM):
        if k > 0 and side > FINEST * longer:
            break
        yield find_pieces(picture_bgr, px_per_mm=longer / side, score=score, kind=kind), longer / side
