"""Things in a mask: what hangs together, where it lies and whether it reaches the edge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, rectangle


@dataclass(frozen=True, slots=True)
class Blob:
    """Pixels of a mask that hang together, corner to corner as well."""

    number: int
    """Of it in the picture of labels."""
    middle_mm: tuple[float, float]
    area_mm2: float
    at_rim: bool
    rows: slice
    columns: slice
    outline_mm: Floats = field(compare=False)
    """(4, 2) of the upright rectangle around it."""


def about(
    shape_hw: tuple[int, ...], outlines_mm: Iterable[Floats], *, px_per_mm: float, around_mm: float
) -> NDArray[np.bool_]:
    """Return (h, w) which pixels lie within some convex outlines (n, 2) each, or no further from one than that."""
    out = np.zeros(shape_hw[:2], np.uint8)
    outlines = [np.round(outline * px_per_mm - 0.5).astype(np.int32) for outline in outlines_mm]
    for outline in outlines:
        cv2.fillConvexPoly(out, outline, 1)
    if outlines:
        cv2.polylines(out, outlines, True, 1, max(1, round(2 * around_mm * px_per_mm)))
    return out > 0


def blobs(
    mask: NDArray[Any], *, px_per_mm: float, least_mm2: float, edge_mm: float
) -> tuple[list[Blob], NDArray[np.int32]]:
    """Return the things in a mask (h, w), largest first, and (h, w) labels with the number of each in its pixels.

    least_mm2: what is smaller is left out. edge_mm: what comes this near to the picture's edge is at its rim.
    """
    count, labels, stats, centres = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    h, w = mask.shape
    edge = round(edge_mm * px_per_mm)
    found = []
    for k in range(1, count):
        area = float(stats[k, cv2.CC_STAT_AREA]) / px_per_mm**2
        if area < least_mm2:
            continue
        x, y, wide, high = (int(stats[k, i]) for i in range(4))
        rim = x < edge or y < edge or x + wide > w - edge or y + high > h - edge
        cx, cy = (float(c + 0.5) / px_per_mm for c in centres[k])
        around = (rectangle((wide, high)) + (x, y)) / px_per_mm
        found.append(Blob(k, (cx, cy), area, bool(rim), slice(y, y + high), slice(x, x + wide), around))
    return sorted(found, key=lambda blob: -blob.area_mm2), np.asarray(labels, dtype=np.int32)
