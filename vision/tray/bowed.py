"""How much a picture is bent, by a felt's four sides in it: they are straight, and a bent picture shows them bowed.

For trays without markers (`vision.tray.bending` has those with). The bend is what makes all four straight at once, by
the law of `vision.tray.lens`: a felt that is cut askew has one side bowed, or two, each as it likes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.tray.bending import HARDLY, TINY, Complexes, from_middle
from vision.tray.felt_sides import felt_ends

PLACES = 24
"""So many on each side its edge is sought in; in a third of these at least it must be seen."""
STEPS = 3
"""Of the least squares: k of 0.3 is there after two, to 0.002."""
STURDY = 1.5
"""Places further off than so many standard deviations count for less: a tile or a sleeve hides the edge there."""
MOST_BEND = 0.5
"""With more the least squares are lost."""


def sides_of(picture_bgr: NDArray[np.uint8], corners_px: Floats) -> list[Floats]:
    """Return of each side of a felt (m, 2) points in the picture at which it ends, about 7 ms for all.

    corners_px: (4, 2) TL TR BR BL of a felt, as an edge of straight lines has them.
    """
    return felt_ends(picture_bgr, corners_px, places=PLACES)


def bend_of_sides(sides_px: list[Floats], picture_wh: tuple[int, int]) -> tuple[float, float]:
    """Return k and its standard error by the felt's sides, as of `sides_of`; 0 and infinity where one is not seen."""
    seen = [from_middle(points, picture_wh) for points in sides_px]
    if min(len(side) for side in seen) < PLACES / 3:
        return 0.0, np.inf
    far2, bend, error = max(float(np.abs(side).max()) for side in seen) ** 2, 0.0, np.inf
    for _ in range(STEPS):
        step, error = _step(seen, bend)
        bend += step
        if not abs(bend) < MOST_BEND:
            return 0.0, np.inf
        if abs(bend) * far2 < HARDLY:  # after one step
            break
    return bend, error


def _step(sides: list[Complexes], bend: float) -> tuple[float, float]:
    """Return a step of the least squares and the bend's standard error, by how well the four sides agree."""
    off = [_off_line(side, bend) for side in sides]
    moves = [(_off_line(side, bend + TINY) - here) / TINY for side, here in zip(sides, off, strict=True)]
    sigma = 1.4826 * float(np.median(np.abs(np.concatenate(off)))) + 1e-9
    trust = [np.minimum(1.0, STURDY * sigma / np.maximum(np.abs(here), 1e-9)) for here in off]
    weight = np.array([float((t * m * m).sum()) for t, m in zip(trust, moves, strict=True)]) + 1e-9
    each = -np.array([float((t * m * o).sum()) for t, m, o in zip(trust, moves, off, strict=True)]) / weight
    step = float(weight @ each / weight.sum())
    return step, float(np.sqrt(weight @ (each - step) ** 2 / (3.0 * weight.sum())))


def _off_line(side: Complexes, bend: float) -> Floats:
    """Return (n,) how far points of a side lie from the line through them, once straightened."""
    straight = side / (1.0 - bend * np.abs(side) ** 2)
    away = straight - straight.mean()
    along = np.sqrt((away**2).sum())
    return np.asarray((away * np.conj(along)).imag / max(float(np.abs(along)), 1e-9))


__all__ = ["bend_of_sides", "sides_of"]
