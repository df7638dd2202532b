"""Places on the felt, in tray millimetres: which points lie on it, and points all over it."""

from __future__ import annotations

import numpy as np

from vision.geometry import Bools, Floats
from vision.tray.rectify import Tray

ACROSS, DOWN = (0.08, 0.92), (0.1, 0.9)
"""From and to these shares of its width and height a felt is covered: not its rim."""


def on_felt(points_mm: Floats, tray: Tray, *, inset_mm: float | Floats) -> Bools:
    """Return (...) which points (..., 2) lie on the felt, further than that from its edge.

    inset_mm: of all, or one for each, (..., 1); negative: so far beyond the edge at most.
    """
    low, high = inset_mm, np.array(tray.size_mm) - inset_mm
    return np.asarray(((points_mm > low) & (points_mm < high)).all(axis=-1))


def all_over(tray: Tray, columns: int, rows: int) -> Floats:
    """Return (columns * rows, 2) points in even rows all over the felt."""
    w, h = tray.size_mm
    x, y = np.meshgrid(np.linspace(*ACROSS, columns) * w, np.linspace(*DOWN, rows) * h)
    return np.stack([x.ravel(), y.ravel()], axis=1)
