"""A mat as the eye is told of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the mat, millimetres from the felt's upper left corner, y down."""

    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """(x, y)."""
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def side(self) -> float:
        """The shorter side."""
        return min(self.width, self.height)


@dataclass(frozen=True, slots=True, eq=False)
class Mat:
    """A printed mat; equal only to itself."""

    name: str
    """What a reading of it says was expected."""
    places: tuple[Area, ...]
    """Where pieces are laid; each has a figure of `figure_mm` in its middle that a piece hides."""
    print_grey: NDArray[np.uint8]
    """(h, w) the whole felt: 255 bare paper, 0 black ink; letters left out."""
    words_grey: NDArray[np.uint8]
    """The same with its letters: where the two differ nothing is measured."""
    pawns: bool = False
    """The pieces are pawns of two colours, "first" and "second"; else counters, "dark" and "light"."""
    tracks: tuple[tuple[int, ...], ...] = ()
    """For each of the two colours the places of which one holds such a pawn at all times."""
    rolls: tuple[Area, ...] = ()
    """Where a die may lie."""
    figure_mm: float = 3.5
    """Radius of the figure."""

    def middles(self) -> Floats:
        """Return the (n, 2) middles of the places, millimetres."""
        return np.array([area.middle for area in self.places], dtype=np.float64)
