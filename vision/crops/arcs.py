"""Which way the edges of tiles are curved: their top and bottom edges are arcs, all laid in one direction (RULES 1).

No net: an arc is a parabola, and a crop that is sheared along the right one shows the edge as a straight line.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.crops.cutting import cut
from vision.geometry import Floats
from vision.tray.rectify import Image

TILE_WH = (48, 56)
"""Size of a tile in its crop, in pixels: its four virtual corners."""
MARGIN_XY = (4, 16)
"""What is cut beside a tile and above and below it, in pixels of the crop."""
CROP_WH = (TILE_WH[0] + 2 * MARGIN_XY[0], TILE_WH[1] + 2 * MARGIN_XY[1])
TILE_BOX = (
    float(MARGIN_XY[0]), float(MARGIN_XY[1]), float(MARGIN_XY[0] + TILE_WH[0]), float(MARGIN_XY[1] + TILE_WH[1])
)  # fmt: skip
"""Where the tile's four virtual corners come to lie in it: left, top, right, bottom."""
SAGS = np.arange(-9, 10)
"""Ways in which an edge is tried to be curved: by how much its middle lies above its ends, in pixels of the crop."""
BESIDE = 2
"""Columns of a tile, in pixels of the crop, that are left out on either side: corners are round."""
BEYOND, WITHIN = 9, 5
"""An edge is looked for from so far outside of the tile to so far inside, in pixels: digits begin some seven away."""
STEP = 12.0
"""Grey values over a pixel that half count as a whole edge: ink is no edge of the tile, however dark."""
NOTHING = 0.01
"""What bare felt shows: below it nothing is seen."""


def edges_seen(frame_bgr: Image, quads_px: Floats) -> Floats:
    """Return (n, 2, len(SAGS)) how plainly each tile's top and bottom edge are seen, if curved by each of SAGS.

    Natural logarithms. frame_bgr: (h, w, 3) uint8. quads_px: (n, 4, 2) virtual corners TL TR BR BL; of a tile that lies
    upside down in that order the other sign of SAGS fits. Takes 0.15 ms a tile.
    """
    crops = cut(frame_bgr, quads_px, size_wh=CROP_WH, box=TILE_BOX)
    left = MARGIN_XY[0] + BESIDE
    inner = crops[:, :, left : CROP_WH[0] - left].astype(np.float32)
    half = inner[:, :, 0::2] + inner[:, :, 1::2]
    steps = np.asarray(half[:, 2:] - half[:, :-2], dtype=np.float32) / np.float32(4)
    steps = steps / np.sqrt((steps**2).sum(axis=-1, keepdims=True) + np.float32(STEP**2))
    out = np.empty((len(crops), 2, len(SAGS)))
    for edge, rows in enumerate(_rows_of_edges()):
        out[:, edge] = _lines(steps[:, rows])
    return np.log(out + NOTHING)


def _lines(steps: NDArray[np.float32]) -> Floats:
    """Return (n, len(SAGS)) how plain a line is left when steps (n, rows, columns, 3) are sheared along each arc."""
    n, rows, columns, _ = steps.shape
    flat = steps.transpose(0, 3, 1, 2).reshape(n * 3, rows * columns)
    means = (flat @ _shears().T).reshape(n, 3, len(SAGS), BEYOND + WITHIN)
    energy = (means**2).sum(axis=1)
    return np.asarray(np.sqrt((energy**2).sum(axis=2)), dtype=np.float64)


def _reach() -> int:
    """Return by how many rows the largest shear moves a column at most."""
    return int(np.ceil(np.abs(SAGS).max() * np.abs(_arc()).max())) + 1


def _arc() -> Floats:
    """Return how far each pair of columns lies above the mean of an arc whose middle is 1 above its ends."""
    across = (np.arange(BESIDE, TILE_WH[0] - BESIDE, 2) + 1.0) / TILE_WH[0] * 2 - 1
    arc = 1 - across**2
    return np.asarray(arc - arc.mean())


@cache
def _rows_of_edges() -> tuple[slice, slice]:
    """Return the rows of the steps in which the top edge may lie, however it is curved, and the bottom edge."""
    # The first step is the one around the crop's second row.
    top = MARGIN_XY[1] - 1 - _reach() - BEYOND
    bottom = top + TILE_WH[1] + BEYOND - WITHIN
    tall = BEYOND + WITHIN + 2 * _reach()
    return slice(top, top + tall), slice(bottom, bottom + tall)


@cache
def _shears() -> NDArray[np.float32]:
    """Return (len(SAGS) * lines, rows * columns) float32: what makes lines' means of steps, sheared along each arc."""
    arc, reach, lines = _arc(), _reach(), BEYOND + WITHIN
    rows, columns = lines + 2 * reach, np.arange(len(arc))
    out = np.zeros((len(SAGS), lines, rows, len(arc)), np.float32)
    for k, sag in enumerate(SAGS):
        for line in range(lines):
            at = line + reach - sag * arc
            low = np.floor(at).astype(int)
            out[k, line, low, columns] += (low + 1 - at) / len(arc)
            out[k, line, low + 1, columns] += (at - low) / len(arc)
    return np.asarray(out.reshape(len(SAGS) * lines, rows * len(arc)))
