"""Light that lies over felt like a veil: a window or a lamp mirrored in the lens, or in the felt's own sheen.

It adds to what is seen instead of multiplying it, so that dark felt looks pale and grey there: by its colour alone it
could be an arm. But it comes in softly from all sides, and it is as white as light is. Whatever lies on felt has edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.channels import least, most
from vision.colour.paint import linear
from vision.geometry import Bools

PALER = 0.004
"""Least light of a veil, over that of full white."""
WHITE = 12.0
"""The colour to which a veil adds most gets at most so many times as much as the one to which it adds least: lamps are
warm, and cameras bend their curves. Skin on felt, wood and coloured pieces are beyond on most felts; where they are
not, their edges tell."""
STEEP, STEEPER = 4.0, 0.12
"""Grey values by which neighbouring cells differ at an edge: so many, and so much of what is added there. A veil's foot
is soft; an edge is steep where little is added yet."""
LEAST_CELLS = 150
"""So many cells (2 x 2 mm) of a veil are smooth: more than of any piece, whose edge is two cells wide on each side."""
LEAST_REST = 0.125
"""Share of the felt that lacks light, at least, where the felt's own light was taken from behind a veil: no arm's
shadow is as large."""
AROUND_CELLS = 3
"""So far around a veil edges are looked for."""
EDGED = 0.3
"""Share of what is around a veil that may be anything but felt: pieces and markers lie there, too."""
PATCH_CELLS = 20
"""Of less than this nobody takes notice."""
OWN, GENTLE = 3.0, 1.0
"""Grey values by which the cells of a veil's patch differ from their neighbours: so much more than nearly all of the
bare felt does, of which no more than the first is believed. Where a thing begins, however little it differs from felt,
they differ by five and more, and of a thing as small as this most cells lie where it begins."""
RUGGED = 0.2
"""Share of a patch and what is around it that may differ by more than that, here and there: nowhere three cells square,
as wide as an edge is."""
ALL_BUT = 0.9
"""Share of a patch that is as a veil is."""


def veiled(
    bgr: NDArray[np.uint8], strange: Bools, free: Bools, at_rim: Bools, *, felt: Callable[[], NDArray[np.float32]]
) -> Bools:
    """Return (h, w) which strange cells are felt behind a veil of light.

    bgr: (h, w, 3) what is seen; strange: (h, w) cells that are neither felt in the light nor felt in a shadow; free:
    (h, w) where no piece was found and felt is expected; at_rim: (h, w) the same up to the rim; felt: (h, w, 3) the
    grey values of bare felt there, asked for where so much is strange that it may be a veil.
    """
    out = np.zeros(strange.shape, dtype=bool)
    if np.count_nonzero(strange & at_rim) < PATCH_CELLS:
        return out
    due = felt()
    added = bgr.astype(np.float32) - due
    soft, paler, white = cv2.GaussianBlur(added, (0, 0), 1.0), added.sum(axis=2) > 0, _white(bgr, due)
    step = _steps(soft)
    # What the rim does to felt beside it may hide that light lies there, or be a part of it.
    for zone in (free, at_rim):
        out |= _patches(strange & zone, zone, white, step)
    if np.count_nonzero(strange & at_rim) < LEAST_CELLS:
        return out
    steep = step > STEEP + STEEPER * most(np.abs(soft))
    dimmer = strange & white & ~steep & ~paler
    inside_out = (dimmer & free).sum() >= LEAST_REST * free.sum()
    for zone in (free, at_rim):
        for veil in _wide(strange & zone & ~steep & white, zone, strange=strange, steep=steep):
            if inside_out or paler[veil].all():
                out |= (_grown(veil, AROUND_CELLS) & strange & free & ~steep) | _spread(veil, strange & at_rim & ~steep)
    return out


def _wide(smooth: Bools, zone: Bools, *, strange: Bools, steep: Bools) -> Iterator[Bools]:
    """Yield the regions (h, w) of smooth cells that are as wide as a veil, and end without an edge within a zone."""
    other = zone & (steep | (strange & ~smooth))
    _, label, stats, _ = cv2.connectedComponentsWithStats(smooth.astype(np.uint8), connectivity=4)
    for k in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= LEAST_CELLS) + 1:
        veil = label == k
        seen = _grown(veil, AROUND_CELLS) & ~veil & zone
        if (other & seen).sum() <= EDGED * seen.sum():
            yield veil


def _white(bgr: NDArray[np.uint8], due: NDArray[np.float32]) -> Bools:
    """Return (h, w) where light was added, or is missing, and of all three colours nearly the same.

    Where a veil lies over most of the felt, it is the rest that lacks its light.
    """
    # Only in light, not in grey values, does a veil add the same everywhere.
    added = linear(bgr) - linear(np.maximum(due, 0.0).astype(np.float64))
    added *= np.sign(added.sum(axis=2, keepdims=True))
    weakest, strongest = least(added), most(added)
    return np.asarray((strongest > PALER) & (WHITE * weakest > strongest))


def _patches(strange: Bools, free: Bools, white: Bools, step: NDArray[np.float32]) -> Bools:
    """Return (h, w) the strange cells of patches in which there is no edge at all, nor around them.

    Where a veil is faint, or lies beside tiles and rim, only patches of it are strange; and corners that lack the light
    which lies over the rest. What is shut in by pieces shows nowhere that it fades: it may be one more. white: (h, w)
    where light was added, or is missing; step: (h, w) as of `_steps`.
    """
    out = np.zeros(strange.shape, dtype=bool)
    plain = free & ~_grown(strange, AROUND_CELLS)
    usual = float(np.quantile(step[plain], 0.95)) if plain.any() else 0.0
    rugged = free & (step > min(usual, OWN) + GENTLE)
    edges = cv2.morphologyEx(rugged.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
    _, label, stats, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8), connectivity=8)
    for k in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= PATCH_CELLS) + 1:
        patch = label == k
        if np.count_nonzero(white & patch) >= ALL_BUT * np.count_nonzero(patch):
            seen = _grown(patch, AROUND_CELLS) & free
            smooth = not (edges & seen).any() and (rugged & seen).sum() <= RUGGED * seen.sum()
            if smooth and (seen & ~strange).sum() >= PATCH_CELLS:
                out |= patch
    return out


def _steps(soft: NDArray[Any]) -> NDArray[np.float32]:
    """Return (h, w) by how many grey values each cell differs from its neighbours, where (h, w, 3) is added to felt."""
    across, down = (np.abs(cv2.Sobel(soft, cv2.CV_32F, dx, 1 - dx, scale=1 / 8)) for dx in (1, 0))
    return np.asarray(most(np.maximum(across, down)), dtype=np.float32)


def _spread(veil: Bools, within: Bools) -> Bools:
    """Return the cells of a veil, and those around it that can be reached from there without leaving others (h, w)."""
    for _ in range(AROUND_CELLS):
        veil = _grown(veil, 1) & within
    return veil


def _grown(cells: Bools, by: int) -> Bools:
    size = 2 * by + 1
    return np.asarray(cv2.dilate(cells.astype(np.uint8), np.ones((size, size), np.uint8)) > 0)
