"""Markers that nobody decodes, looked for where the others say that they lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, rectangle, transform
from vision.tray.fiducials import IN_CELLS, LEAST_STEP, brightness, refined, shown
from vision.tray.marker_print import CELLS, best_place, marker_cells, printed, straightened

DUE_PX, ASTRAY = 6, 2
"""Pixels of a cell, where a marker is looked for about where others say it lies, and how many cells it may be away."""
QUIET = 0.5
"""How far around it, in cells, white is looked for then; printed markers have three times as much."""
PLAINLY = 0.5
"""The palest ink and the darkest white differ by at least this share of what they do as a rule: a die over a corner of
the black is neither. (Of 56 with a die at their edge, whose white cells are lighter than the black ones beside them, 54
fail; the others have a white die beside them.)"""
SMOOTH = 1.5
"""Light that changes over more cells than this tells nothing of print."""


def seen_where_due(picture_bgr: NDArray[np.uint8], due_px: Mapping[int, Floats]) -> dict[int, Floats]:
    """Return those markers that lie about where they should, (4, 2) corners TL TR BR BL each, by all of their cells.

    For what the detector misses: paper that is blown out eats up what it borders on. due_px: id -> where its corners
    should be. The white around it must be seen, too, so that nothing can lie across its edge. 0.4 ms each.
    """
    grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = {number: refined(grey, _most_alike(grey, number, corners)) for number, corners in due_px.items()}
    return {number: corners for number, corners in found.items() if _is_print(grey, number, corners)}


def _most_alike(grey: NDArray[np.uint8], number: int, due_px: Floats) -> Floats:
    """Return (4, 2) where around the corners (4, 2) that are due a picture looks most like a marker in uneven light."""
    white, astray = DUE_PX, ASTRAY * DUE_PX
    window, to_picture = straightened(grey, due_px, cell_px=DUE_PX, around_px=white + astray)
    pattern = printed(number, cell_px=DUE_PX, white_px=white)
    _, at = best_place(_without_light(window), _without_light(pattern))
    return transform(rectangle((CELLS * DUE_PX, CELLS * DUE_PX)) + at + white - 0.5, to_picture)


def _without_light(seen: NDArray[Any]) -> NDArray[np.float32]:
    """Return what of a marker's surroundings, DUE_PX a cell, is no smooth light."""
    level = np.asarray(seen, dtype=np.float32)
    return level - cv2.GaussianBlur(level, (0, 0), SMOOTH * DUE_PX)


def _is_print(grey: NDArray[np.uint8], number: int, corners_px: Floats) -> bool:
    """Return whether all cells of a marker, and the white around it, are plainly black or white where it may lie."""
    if not shown(grey, corners_px):
        return False
    white = np.pad(marker_cells(number) > 0, 1, constant_values=True)
    cells = brightness(grey, corners_px, np.array([-QUIET, *IN_CELLS, CELLS + QUIET]))
    paper, ink = cells[white], cells[~white]
    plain = max(LEAST_STEP, PLAINLY * float(np.median(paper) - np.median(ink)))
    return bool(paper.min() - ink.max() >= plain)
