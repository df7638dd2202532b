"""How tall a set's digits are, and a closer look at those of sets whose digits are small.

The net of tiles has learnt mostly from digits of 45 to 74 % of a tile's height, and from some down to 28 %. Small ones
it reads, but less surely: a crop has few pixels for them. Of 300 drawn trays with digits of 30 % it reads 130 at once
as they stand, and 176 when they are seen from closer by as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.crops.kin import normalised
from vision.crops.symbols import TILE_BOX, Look, Symbols, cut_crops
from vision.geometry import Floats, runs
from vision.tray.rectify import Image

INSIDE = (slice(10, 40), slice(8, 32))
"""Rows and columns of a crop that lie well within its tile."""
LEAST_INK = 60.0
"""Grey values, of three colours together, by which ink differs from the body at least: backs have none."""
LEAST_TILES = 4
"""Of so many tiles at least the digits must be seen, to say how tall they are."""
LEAST_ROWS = 8
"""Fewer rows of a crop than this are no digits: the rim of tiles in the dark, or a lamp's mirror image."""
STROKE = 3
"""A row of a crop is as inky as its so-manieth inkiest pixel: strokes are that wide, specks are not."""
SMALL, USUAL = 0.49, 0.58
"""Digits below the first, over the tile's height, are looked at from so near that they have the second. What the net
learnt most from begins at 0.45: of 622 boards drawn and traced in such sets 51 are measured below; by the nets before
these three of them were read with fewer questions for it, and none with more."""
FAIRLY_SURE = 0.8
"""A look that is surer than this and another as sure of something else are a dispute."""
CLOSEST = 1.6
"""How near a look may go: from there on little but the digit itself is seen."""


@dataclass(frozen=True, slots=True)
class Print:
    """Where on its tiles a set has its digits."""

    height: float
    """Over the tile's height."""
    low: float
    """How far the digits' middle lies below the tile's, likewise."""


def print_of(crops_bgr: NDArray[np.uint8]) -> Print | None:
    """Return where digits are on their tiles; None where too few are seen.

    crops_bgr: (n, 48, 40, 3) as `vision.crops.symbols.cut_crops` returns them, face-down tiles among them. What most
    tiles have ink in counts: one in five is underlined.
    """
    if len(crops_bgr) < LEAST_TILES:
        return None
    inner = crops_bgr[(slice(None), *INSIDE)].astype(np.float32)
    ink = np.abs(inner - np.median(inner, axis=(1, 2), keepdims=True)).sum(axis=3)
    rows = np.partition(ink, -STROKE, axis=2)[:, :, -STROKE]
    most = rows.max(axis=1)
    printed = most > LEAST_INK
    if np.count_nonzero(printed) < LEAST_TILES:
        return None
    profile = (rows[printed] / most[printed, None]).mean(axis=0)
    bare, inky = np.quantile(profile, (0.1, 0.8))
    first, end = _longest_run(profile > (bare + inky) / 2)
    if end - first < LEAST_ROWS:
        return None
    _, top, _, bottom = TILE_BOX
    return Print((end - first) / (bottom - top), (INSIDE[0].start + (first + end - top - bottom) / 2) / (bottom - top))


def _longest_run(high: NDArray[np.bool_]) -> tuple[int, int]:
    """Return where the longest run of True begins and ends."""
    found = runs(high)
    first, end = found[np.diff(found, axis=1).argmax()] if len(found) else (0, 0)
    return int(first), int(end)


@dataclass(frozen=True, slots=True)
class Closer:
    """A look at the whole of each tile and one from so near that its digit has the size the net knows, as one look."""

    look: Look
    nearer: float
    low: float
    """As of `Print`."""

    def __call__(self, picture_bgr: Image, quads_px: Floats) -> Symbols:
        """Return what the tiles (n, 4, 2) in the picture show."""
        return self.beside(picture_bgr, quads_px, self.look(picture_bgr, quads_px))

    def beside(self, picture_bgr: Image, quads_px: Floats, whole: Symbols) -> Symbols:
        """Return the same where the whole tiles were looked at before.

        They say which way up a tile lies, by its arcs, and whether something lies on it, at its edge perhaps.
        """
        middle = quads_px.mean(axis=1, keepdims=True)
        down = (quads_px[:, 2:] - quads_px[:, 1::-1]).mean(axis=1, keepdims=True)
        near = self.look(picture_bgr, middle + self.low * down + (quads_px - middle) / self.nearer)
        shown = both_looks(whole.log_probs, near.log_probs)
        return replace(near, log_probs=shown, p_upside_down=whole.p_upside_down, p_unreadable=whole.p_unreadable)


def closer_look(picture_bgr: Image, quads_px: Floats, look: Look) -> Closer | None:
    """Return a closer look where the digits of the tiles (n, 4, 2) in the picture are small; None where they are not.

    Takes 3 ms for 40 tiles: for boards on which one is in doubt.
    """
    seen = print_of(cut_crops(picture_bgr, quads_px))
    if seen is None or seen.height >= SMALL:
        return None
    return Closer(look, min(CLOSEST, USUAL / seen.height), seen.low)


def as_near(look: Look, other: Look) -> Look:
    """Return a look from as near as another one: of small digits from closer by, too."""
    return replace(other, look=look) if isinstance(other, Closer) else look


def both_looks(whole: NDArray[np.float32], near: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (n, 12) what two looks at each tile say together, logarithms of probabilities as both are.

    The surer look counts: from near by blank tiles have no seams, and digits that are not small are cut off. Where
    both are fairly sure, and not of the same, that is a doubt, and stays one.
    """
    surest_whole, surest_near = whole.max(axis=1), near.max(axis=1)
    both_sure = np.minimum(surest_whole, surest_near) > np.log(FAIRLY_SURE)
    disputed = both_sure & (near.argmax(axis=1) != whole.argmax(axis=1))
    surer = np.where((surest_near > surest_whole)[:, None], near, whole)
    return np.asarray(np.where(disputed[:, None], normalised((near + whole) / 2), surer), dtype=np.float32)
