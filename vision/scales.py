"""Pieces in a picture of unknown scale, for pictures without a tray: try scales, believe the one that fits."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.pieces import KINDS, Pieces, find_pieces

Array = np.ndarray[Any, np.dtype[Any]]

LONG_SIDES_PX: tuple[int, ...] = (128, 180, 256, 360, 512, 720, 1024)
"""Longer sides of the net's picture that are tried: a factor of 1.41 apart, and the net forgives 1.25."""
NOMINAL_MM = np.array([26.0, 16.0, 20.0])
"""Usual size of each kind in KINDS."""


def fit(found: Pieces, *, kind: str | None = None) -> float:
    """Return how well pieces (sizes in mm) fit their scale: the scores, less where a size is unusual."""
    wanted = found if kind is None else found.of(kind)
    if len(wanted.kind) == 0:
        return 0.0
    size = np.sqrt(wanted.size_px.prod(1))
    off = np.log(np.maximum(size, 1e-3) / NOMINAL_MM[wanted.kind])
    likely = wanted.score * np.exp(-(off**2) / (2 * 0.2**2))
    # Weak peaks come in crowds at wrong scales; strong ones do not.
    return float((likely**2).sum() / np.sqrt(len(likely)))


def find_at_any_scale(picture_bgr: Array, *, kind: str | None = None, score: float = 0.25) -> tuple[Pieces, float]:
    """Return the pieces and the scale (pixels per millimetre) that fits best.

    picture_bgr: (h, w, 3) uint8, seen roughly from above. kind: one of KINDS when it is known what lies there. Costs
    some 0.2 s on one core: for photographs, not for the watcher.
    """
    if kind is not None and kind not in KINDS:
        raise ValueError(f"kind {kind!r} is unknown (expected one of {', '.join(KINDS)})")
    longer = max(picture_bgr.shape[:2])
    best: tuple[float, Pieces, float] | None = None
    for side in LONG_SIDES_PX:
        if side > 1.3 * longer:
            break
        px_per_mm = longer / side
        found = find_pieces(picture_bgr, px_per_mm=px_per_mm, score=score, kind=kind)
        level = Pieces(found.kind, found.centre_px, found.size_px / px_per_mm, found.angle_deg, found.score, found.hand)
        value = fit(level, kind=kind)
        if best is None or value > best[0]:
            best = (value, found, px_per_mm)
    if best is None:
        return find_pieces(picture_bgr, px_per_mm=1.0, score=score), 1.0
    return best[1], best[2]
