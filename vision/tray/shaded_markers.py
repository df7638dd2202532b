"""Markers across which a hard shadow falls: of a tall rim beside a window, or of a lamp's own arm.

White in the shadow is darker than half the light on the rest, so no one threshold tells it from black, and a marker
cannot be decoded. But white is brighter than the black beside it nearly everywhere, and a shadow parts a marker by one
straight line: on either side of it white is one grey and black another. Something that lies on a marker does not.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools, Floats, across_and_down
from vision.tray.marker_print import CELLS, marker_cells

EDGES = (0.0, 0.07, 0.083, 0.097, 0.11, 0.125, 0.14)
"""How much of a square's width may be the paper's edge on each side, if the square that was found is the paper's."""
PAPER = 0.35
"""How far from a marker's sides its paper is asked, over a cell."""
PLACES = CELLS + 2
"""To a side: a marker's cells, and the paper on both sides of them."""
FAINT = 8.0
"""Grey values below which nothing is told from nothing."""
LEAST_STEP = 0.2
"""Between white and the black beside it, in the logarithm of their grey values."""
STEEP = 0.6
"""Between cells of one colour only a shadow's edge is steeper than this."""
NEARLY_ALL = 0.95
"""Share of such neighbours of a marker that must be so; each that is the wrong way round counts twice."""
MOSTLY = 0.6
"""Share of its neighbours of one colour that are alike: the others lie on both sides of the shadow's edge."""
ANGLES_DEG, OFFSETS, NEAR = np.arange(0.0, 180.0, 15.0), np.arange(-3.0, 3.01, 0.5), 0.6
"""Lines that are tried, their distance from a marker's middle, and how near to one its shadow is neither here nor
there, in cells."""
LEAST_CELLS = 4
"""White ones and black ones on each side of the line: with fewer nothing tells a shadow from a thing."""
FALLS_OFF_FROM = 13
"""From so many cells on a side light may fall off across it; with fewer that would fit anything."""
UNLIKE = 0.27
"""A cell further from the grey of its colour on its side, over the step from black to white there, is not in a shadow.
Of 12,000 drawn markers, most of them half in a shadow, on which a disc or a square as large as a die lay, none passes
for a marker; of 1,785 without anything on them 88 % of those do whose white is brighter than the black beside it."""


def half_shaded(grey: NDArray[np.uint8], quads: Floats) -> dict[int, Floats]:
    """Return the markers that a shadow parts, by number: (4, 2) corners TL TR BR BL px.

    quads: (n, 4, 2) px clockwise: what may be a marker's black square or the paper around it.
    """
    if len(quads) == 0:
        return {}
    light = _light(grey, quads)
    clear, which = _told(light.reshape(-1, PLACES**2))
    clear, which = clear.reshape(len(quads), -1), which.reshape(len(quads), -1)
    found: dict[int, Floats] = {}
    for k in np.flatnonzero(clear.max(axis=1) > 0.0):
        best = int(clear[k].argmax())
        number, turn = divmod(int(which[k, best]), 4)
        if _unlike(light[k, best], int(which[k, best])) <= UNLIKE:
            found[number] = np.roll(_within(quads[k], EDGES[best]), turn, axis=0)
    return found


def _light(grey: NDArray[np.uint8], quads: Floats) -> Floats:
    """Return (n, m, 64) the grey of each place, if the marker lies within each of EDGES of a square's sides."""
    edge = np.array(EDGES)[:, None]
    across = edge + (1 - 2 * edge) * np.array([-PAPER, *np.arange(0.5, CELLS), CELLS + PAPER]) / CELLS
    shape = (len(across), PLACES, PLACES)
    u, v = (np.broadcast_to(w, shape).ravel() for w in (across[:, None, :], across[:, :, None]))
    at = across_and_down(u, v) @ quads
    x, y = (np.ascontiguousarray(at[:, :, k], np.float32) for k in (0, 1))
    light = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(light, np.float64).reshape(len(quads), len(across), -1)


def _within(quad: Floats, edge: float) -> Floats:
    """Return the corners of the square so far within the sides of a quad, over its width."""
    low, high = edge, 1.0 - edge
    return np.asarray(across_and_down(np.array([low, high, high, low]), np.array([low, low, high, high])) @ quad)


def _told(light: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Return (n,) how clearly white is brighter than the black beside it, 0 where it is not, and

    (n,) which: four times a marker's number, and how many quarters it is turned counter-clockwise.
    """
    first, second, expected = _neighbours()
    seen = np.log(light + FAINT)
    step = seen[:, first] - seen[:, second]
    sign = np.where(np.abs(step) > LEAST_STEP, np.sign(step), 0.0)
    agree = sign @ expected.T / np.abs(expected).sum(axis=1)
    which = agree.argmax(axis=1)
    one_colour = expected[which] == 0
    alike = ((np.abs(step) < STEEP) & one_colour).sum(axis=1) / one_colour.sum(axis=1)
    good = (agree.max(axis=1) >= NEARLY_ALL) & (alike >= MOSTLY)
    return np.where(good, (expected[which] * step).sum(axis=1), 0.0), which


@cache
def _papers() -> Bools:
    """Return (16, 64) which places of markers 0 to 3 are white, each as turned by 0 to 3 quarters."""
    papers = [np.pad(marker_cells(number), 1, constant_values=255) > 0 for number in range(4)]
    return np.array([np.rot90(paper, turn).ravel() for paper in papers for turn in range(4)])


@cache
def _neighbours() -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Return the pairs of places side by side, and for each of `_papers`, (16, n):

    1 where the first of a pair is white and the second black, -1 the other way, 0 where they are alike.
    """
    at = np.arange(PLACES**2).reshape(PLACES, PLACES)
    first = np.concatenate([at[:, :-1].ravel(), at[:-1].ravel()])
    second = np.concatenate([at[:, 1:].ravel(), at[1:].ravel()])
    white = _papers().astype(np.float64)
    return first, second, white[:, first] - white[:, second]


def _unlike(light: Floats, which: int) -> float:
    """Return how far the worst place is from the grey of its colour on its side of a line, over the step from black to

    white there, by the best of all lines; infinity where none leaves a step. light: (64,); which: as of `_papers`.
    """
    fits, at = _sides(which)
    fitted = fits @ light
    step, dark = fitted[:, :, 0] - fitted[:, :, 1], fitted[:, :, 1] / np.maximum(fitted[:, :, 0], 1.0)
    grey = fitted @ _terms(which).T
    away = (np.abs(light - grey) * at).max(axis=2) / np.maximum(step, 1.0)
    # What is neither here nor there lies in between.
    beyond = np.maximum(grey.min(axis=1) - light, light - grey.max(axis=1)) * ~at.any(axis=1)
    # Black over white is the print's, not the light's: a thing that lies in a corner has another.
    worst = np.maximum(away.max(axis=1), np.abs(dark[:, 0] - dark[:, 1]))
    worst = np.maximum(worst, beyond.max(axis=1) / np.maximum(step.max(axis=1), 1.0))
    return float(np.where(step.min(axis=1) > 1.0, worst, np.inf).min())


@cache
def _terms(which: int) -> Floats:
    """Return (64, 4) what the grey of each place is made of: white, black, and light that falls off across and down."""
    white = _papers()[which]
    return np.column_stack([white, ~white, _places()]).astype(np.float64)


@cache
def _sides(which: int) -> tuple[Floats, Bools]:
    """Return for each line that leaves enough of both colours on both its sides (n, 2, 4, 64) how the grey of all

    places gives the shares of `_terms` on either side, and (n, 2, 64) what lies there.
    """
    x, y = _places().T
    white, fits, at = _papers()[which], [], []
    for angle in np.radians(ANGLES_DEG):
        for offset in OFFSETS:
            far = x * np.cos(angle) + y * np.sin(angle) - offset
            sides = [far >= NEAR, far <= -NEAR]
            if min((side & colour).sum() for side in sides for colour in (white, ~white)) >= LEAST_CELLS:
                fits.append([_fit(_terms(which), side) for side in sides])
                at.append(sides)
    return np.array(fits), np.array(at)


def _fit(terms: Floats, side: Bools) -> Floats:
    """Return (4, 64) least squares over one side, with 0 for what is not asked of it."""
    kept = 4 if side.sum() >= FALLS_OFF_FROM else 2
    fit = np.zeros(terms.T.shape)
    fit[:kept, side] = np.linalg.pinv(terms[side, :kept])
    return fit


@cache
def _places() -> Floats:
    """Return (64, 2) how far right of and below a marker's middle its places lie, in cells."""
    at = np.array([-PAPER, *np.arange(0.5, CELLS), CELLS + PAPER]) - CELLS / 2
    return np.stack([np.tile(at, PLACES), np.repeat(at, PLACES)], axis=1)


__all__ = ["half_shaded"]
