"""Printed markers in the corners of the felt, on paper of their own, laid by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.drawing.marched.bodies import turning
from vision.drawing.marched.look import Coat
from vision.drawing.marched.texture import Array, F, linear
from vision.geometry import SQUARE
from vision.tray.marker_print import CELLS, marker_cells

SIZE_MM = 24.0
PAPER_Z = 0.35
"""Height of the paper's face."""
_PLACE = (161.7, 111.7)
"""How far they are from the middle as a rule."""
CORNERS = ((-1, 1), (1, 1), (1, -1), (-1, -1))
"""Sides on which markers 0 to 3 lie."""


@dataclass(frozen=True, eq=False)
class Marker:
    """One marker."""

    number: int
    x: float
    y: float
    turn: float
    """Radians."""
    paper_mm: float
    """Side of its paper."""
    white: Array
    """(3,) linear."""
    black: Array
    coat: Coat

    def corners(self, side_mm: float = SIZE_MM) -> Array:
        """Return the corners of a square about its middle, (4, 3) on the tray, TL TR BR BL."""
        box = SQUARE * (side_mm / 2, -side_mm / 2) @ turning(self.turn).T + (self.x, self.y)
        return np.column_stack([box, np.full(4, PAPER_Z)])

    def seen(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Return which points (n,) of its plane lie on its paper, (n,) bool, and their albedo, (3, n)."""
        c, s = F(np.cos(self.turn)), F(np.sin(self.turn))
        x, y = x - F(self.x), y - F(self.y)
        x, y = c * x + s * y, c * y - s * x
        on = np.maximum(np.abs(x), np.abs(y)) < self.paper_mm / 2
        column, row = (np.floor(v * F(CELLS / SIZE_MM) + F(CELLS / 2)).astype(int) + 1 for v in (x, -y))
        cells = np.pad(marker_cells(self.number), 1, constant_values=255) > 0
        white = cells[np.clip(row, 0, CELLS + 1), np.clip(column, 0, CELLS + 1)]
        return on, np.where(white, self.white[:, None], self.black[:, None])


def random_markers(tray_mm: tuple[float, float], rng: np.random.Generator) -> tuple[Marker, ...]:
    """Return four markers, or none on one tray of four."""
    if rng.random() >= 0.75:
        return ()
    paper = float(rng.uniform(31, 33))
    white = linear(np.array((232, 231, 226)) * rng.uniform(0.94, 1.03))
    black, coat = linear([rng.uniform(22, 50)] * 3), Coat(float(rng.uniform(0.3, 0.6)), 0.6)
    out = []
    for number, signs in enumerate(CORNERS):
        off = np.add(_PLACE, rng.uniform((-1.9, -1.8), (1.9, 1.8)))
        x, y = signs * np.minimum(off, np.array(tray_mm) / 2 - paper / 2 - 0.6)
        turn = float(np.radians(rng.normal(0, 0.9)))
        out.append(Marker(number, float(x), float(y), turn, paper, white, black, coat))
    return tuple(out)
