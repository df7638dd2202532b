"""Lines on the felt: a racetrack, the boxes of a layout, a seam. Neither an arm nor a piece, and they hide none.

A line is thin for its length and everywhere of one width. What only outlines something, as the seams of tiles in the
felt's own colour do, is none: it runs around what is narrow, or to and fro.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools, Floats
from vision.ground.blobs import Blob, about, blobs

WIDEST_MM, EVEN = 14.5, 1.3
"""A line is thinner than the first, as the two lines of a racetrack are together, and nowhere wider than so many times
its usual width: those of racetracks reach 1.2, one with a die of 12 mm on it has 1.3 to 1.5."""
LONGEST_OUTLINE_MM, SQUARES = 110.0, 8.0
"""It is longer than the way around any piece, and than so many times its width: a finger is five times as long."""
GAP_MM, NARROW_MM = 9.0, 60.0
"""What it runs around is wider than the second, as two rows of tiles are not, or a gap between two lines, thinner than
the first."""
LEAST_LINE_MM2 = 330.0
"""It covers so much, as one of 3 mm does that is long enough."""
EXTENT = 0.36
"""Its box is so wide across, over its length: the outlines of tiles in a row have 0.3, a ring 0.45."""


def without_lines(
    mask: NDArray[np.uint8], pieces_mm: Iterable[Floats], *, apart_mm: float, px_per_mm: float
) -> NDArray[np.uint8]:
    """Return a mask (h, w) of what lies on the felt, 0 or 1, without the lines that keep away from all pieces.

    pieces_mm: (4, 2) each. What comes nearer to one than apart_mm may lie across it, as a cable does.
    """
    if np.count_nonzero(mask) < LEAST_LINE_MM2 * px_per_mm**2:
        return mask
    found, labels = blobs(mask, px_per_mm=px_per_mm, least_mm2=LEAST_LINE_MM2, edge_mm=0.0)
    gone = off_pieces(lines_among(found, labels, px_per_mm), labels, pieces_mm, apart_mm=apart_mm, px_per_mm=px_per_mm)
    return np.where(np.isin(labels, list(gone)), np.uint8(0), mask) if gone else mask


def lines_among(things: Iterable[Blob], labels: NDArray[np.int32], px_per_mm: float) -> set[int]:
    """Return the numbers of the things that are mere lines. labels: (h, w) as of `blobs`."""
    return {b.number for b in things if is_line(labels[b.rows, b.columns] == b.number, px_per_mm)}


def off_pieces(
    lines: set[int], labels: NDArray[np.int32], pieces_mm: Iterable[Floats], *, apart_mm: float, px_per_mm: float
) -> set[int]:
    """Return which of some lines, by number, keep so far away from all pieces. Else as `without_lines`."""
    if not lines:
        return lines
    return lines - set(labels[about(labels.shape, pieces_mm, px_per_mm=px_per_mm, around_mm=apart_mm)].tolist())


def is_line(thing: Bools, px_per_mm: float) -> bool:
    """Return whether a thing (h, w) that hangs together is a mere line."""
    mask = with_border(thing)
    wide_mm = widest_px(mask) / px_per_mm
    area_mm2 = np.count_nonzero(thing) / px_per_mm**2
    if wide_mm >= WIDEST_MM or area_mm2 < SQUARES * wide_mm**2:
        return False
    edges, levels = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    usual_mm = 2.0 * area_mm2 * px_per_mm / sum(cv2.arcLength(edge, True) for edge in edges)
    long_mm, across_mm = area_mm2 / usual_mm, float(np.hypot(*thing.shape)) / px_per_mm
    if wide_mm >= EVEN * usual_mm or long_mm < LONGEST_OUTLINE_MM or across_mm < EXTENT * long_mm:
        return False
    holes = (edge for edge, level in zip(edges, levels[0], strict=True) if level[3] >= 0)
    return not any(GAP_MM <= _wide(hole) / px_per_mm < NARROW_MM for hole in holes)


def with_border(thing: Bools) -> NDArray[np.uint8]:
    """Return a thing (h, w) as a mask, 0 or 1, with nothing around it."""
    return np.asarray(cv2.copyMakeBorder(thing.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0))


def widest_px(mask: NDArray[np.uint8]) -> float:
    """Return how wide what a mask (h, w) shows is where it is widest. mask: 0 or 1, nothing along its edges."""
    return 2.0 * float(cv2.distanceTransform(mask, cv2.DIST_L2, 5).max()) - 1.0


def _wide(hole: NDArray[Any]) -> float:
    """Return how wide a hole (n, 1, 2) px in a mask is where it is widest."""
    left, top, width, height = cv2.boundingRect(hole)
    within = np.zeros((height + 2, width + 2), np.uint8)
    cv2.drawContours(within, [hole - (left - 1, top - 1)], 0, 1, -1)
    # A hole's outline is of what lies around it.
    return widest_px(within) - 2.0


__all__ = ["is_line", "lines_among", "off_pieces", "widest_px", "with_border", "without_lines"]
