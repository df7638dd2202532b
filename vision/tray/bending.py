"""How much a picture is bent, by markers in it: equal squares on a plane, which a bent picture shows as none.

By least squares over the bend (`vision.tray.lens` tells its law) and the plane, while each marker may lie anywhere on
it and be turned: hands lay them, to some millimetres. With 0.2 pixels of noise in each corner the bend of trays that
fill the picture has an error of 0.003.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from vision.geometry import SQUARE, Floats, Quad, inverse

FEWEST = 3
"""Markers without which nobody can tell: two have 12 numbers for 16, and lie too near each other."""
LEAST_RESIDUAL = 0.004
"""Corners are not taken to be known better than to this share of a marker's side: 0.2 pixels of 50."""
LOOKS = 6
"""Steps of the least squares, at most: of 222 trays all were there, to 0.0003, after two."""
SETTLED = 1e-4
"""A step of the bend that is not worth another one."""
HARDLY = 0.015
"""After two steps a pull of less is left at that: half of what matters (`vision.tray.lens.LEAST_PULL`)."""
MOST_PULL = 0.8
"""Where the least squares get so far they are lost, as is what pulls a corner in to a fifth of its way."""
TINY = 1e-3
"""Over which the move that the bend makes is measured."""
NO_AREA = 1e-12
"""Markers with less are none: of half the picture's longer side, to the fourth."""

Complexes = NDArray[np.complex128]
"""Points x + iy, from the picture's middle or on a plane: reckoned at half the price of pairs."""
IN_SQUARE: Complexes = SQUARE[:, 0] + 1j * SQUARE[:, 1]
"""(4,) TL TR BR BL of the square from -1 to 1."""


def bend_of(markers: Sequence[Quad], picture_wh: tuple[int, int]) -> tuple[float, float]:
    """Return k and its standard error, both rough where k hardly matters; 0 and infinity where nobody can tell.

    markers: FEWEST or more, see `lens_of` (0.3 ms where k hardly matters, else 0.5).
    """
    seen = from_middle(np.array(markers, dtype=np.float64), picture_wh)
    far2 = float(np.abs(seen).max()) ** 2
    plane, bend = _first_plane(seen), 0.0
    with np.errstate(all="ignore"), suppress(np.linalg.LinAlgError):
        for look in range(LOOKS if plane is not None else 0):
            assert plane is not None
            step, error = _step(seen, plane, bend)
            bend, plane = bend + float(step[5]), _moved(plane, step)
            if abs(step[5]) < SETTLED or (look == 1 and abs(bend) * far2 < HARDLY):
                return bend, error
            if not abs(bend) * far2 < MOST_PULL:
                break
    return 0.0, np.inf


def farthest(markers: Sequence[Quad], picture_wh: tuple[int, int]) -> float:
    """Return how far from the picture's middle the farthest corner lies, over half its longer side."""
    return float(np.abs(from_middle(np.array(markers, dtype=np.float64), picture_wh)).max())


def middle_of(picture_wh: tuple[int, int]) -> Floats:
    """Return (2,) the middle of a picture, in pixels."""
    return (np.array(picture_wh) - 1.0) / 2


def from_middle(points_px: Floats, picture_wh: tuple[int, int]) -> Complexes:
    """Return where points (..., 2) lie from the picture's middle, x + iy, over half its longer side."""
    away = (points_px - middle_of(picture_wh)) * (2.0 / max(picture_wh))
    return np.asarray(away[..., 0] + 1j * away[..., 1])


def _first_plane(seen: Complexes) -> Floats | None:
    """Return the (3, 3) map onto a plane on which markers (n, 4) are squares of side 1 on the whole, or None.

    Without perspective: a marker's sides, two columns of a matrix, turned on the plane, leave their product with its
    own transpose as it is.
    """
    across, down = seen[:, 1] + seen[:, 2] - seen[:, 0] - seen[:, 3], seen[:, 2] + seen[:, 3] - seen[:, 0] - seen[:, 1]
    ways = np.array([[across.real, down.real], [across.imag, down.imag]]).reshape(2, -1) / 2
    spread = ways @ ways.T / len(seen)
    if np.linalg.det(spread) < NO_AREA:
        return None
    plane = np.eye(3)
    plane[:2, :2] = np.linalg.inv(np.linalg.cholesky(spread))
    return plane


def _step(seen: Complexes, plane: Floats, bend: float) -> tuple[Floats, float]:
    """Return (6,) a step of the least squares and the standard error of its last, the bend.

    The first three stretch and shear the plane, two tilt it; where markers lie and how they are turned is taken out of
    all of them.
    """
    on_plane, further = _on(plane, seen / (1.0 - np.array([[[bend]], [[bend + TINY]]]) * np.abs(seen) ** 2))
    turned = (on_plane * IN_SQUARE.conj()).sum(axis=1, keepdims=True)
    want = 0.5 * IN_SQUARE * turned / np.abs(turned)
    x, y = on_plane.real, on_plane.imag
    bending = (further - on_plane) / TINY
    moves = np.array([x, y + 1j * x, 1j * y, -x * on_plane, -y * on_plane, bending, want - on_plane])
    moves -= moves.sum(axis=2, keepdims=True) / 4
    # All four corners of a square of side 1 together are the root of 2 from its middle.
    turning = want * (1j / np.sqrt(2.0))
    moves -= (moves * turning.conj()).real.sum(axis=2, keepdims=True) * turning
    columns = moves.reshape(len(moves), -1).view(np.float64)
    normal = inverse(columns[:6] @ columns[:6].T)
    step = normal @ (columns[:6] @ columns[6])
    left = columns[6] - step @ columns[:6]
    residual = max(float(left @ left) / (5 * len(seen) - 6), LEAST_RESIDUAL**2)
    return step, float(np.sqrt(residual * normal[5, 5]))


def _on(plane: Floats, points: Complexes) -> Complexes:
    """Return points carried through a (3, 3) homography."""
    x, y, w = plane @ np.array([points.real.ravel(), points.imag.ravel(), np.ones(points.size)])
    return np.asarray(((x + 1j * y) / w).reshape(points.shape))


def _moved(plane: Floats, step: Floats) -> Floats:
    """Return a plane after a step of `_step`."""
    a, b, c, p, q, _ = step
    return np.array([[1.0 + a, b, 0.0], [b, 1.0 + c, 0.0], [p, q, 1.0]]) @ plane


__all__ = ["FEWEST", "HARDLY", "TINY", "bend_of", "farthest", "from_middle", "middle_of"]
