"""The markers' paper on the felt: where it lies, and on which of it something may lie unseen.

Dice roll into corners, and a marker that anything lies on cannot be decoded. So a marker that a picture does not show
counts as covered, unless its place is bare felt or its pattern can be seen cell by cell (blurred, say, or dim). What a
tray's rim hides of it, seen aslant, is too little for a die to lie in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import SQUARE, Bools, Floats, sides, transform
from vision.ground.felt_light import BLOWN_OUT
from vision.tray.marker_print import CELLS, best_place, printed, straightened
from vision.tray.rectify import INSET_MM, MARKER_MM, Image, Tray, rectified_from_mm

CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Of markers 0 to 3: whether right and whether low."""
PAPER_MM = 6.0
"""White paper around a marker's black square."""
CELL_PX, QUIET_PX, SEARCH_PX = 4, 3, 6
"""A cell of the pattern that is looked for, the white around it, and how far it is looked for."""
UNLIKE_CELL = 0.25
"""A pattern of which two cells, or pieces of the white around it, differ by more than this share of its contrast in any
colour is covered in part. Of 1,560 decoded markers on traced trays 5 % do, by shadows; of 74 with a die or a disk on
them, in whole or in part, all (the least, a die of glass, by 0.35)."""
PLAIN_SHARE = 0.3
"""A place with less contrast than this, over that of the markers that are seen, is bare felt: no marker lies there."""
MATT, SHINY = 0.02, 0.05
"""Where markers are blown out over less than the first share of them, one with more than the second mirrors a lamp."""
LIGHTER = 0.1
"""There places that are lighter than print by this share of its contrast have this weight."""
FALLS_OFF = 0.4
"""Paper is nowhere darker than this, over where it is lightest."""
OUTERMOST = 0.8
"""As far from a marker's middle, over half its side, are the cells of its border and the white beside them: together 7
mm, less than the least die is wide. Where all of them along one side are of one colour, a rim may hide them."""
STEADY = 6
"""Rounds in which cells that do not fit lose their weight."""


def papers_of(tray: Tray) -> list[Floats]:
    """Return where the paper of markers 0 to 3 lies, (4, 2) in tray millimetres each, upright squares around it.

    As seen; as seen earlier; else as far from its corner as the others are from theirs.
    """
    return list(_papers(tray))


@lru_cache(maxsize=4)
def _papers(tray: Tray) -> tuple[Floats, ...]:
    """Return the same; every step of a reading asks. Nobody may write into what all are given."""
    papers = tuple(_around(square) for square in _squares(tray))
    for paper in papers:
        paper.setflags(write=False)
    return papers


def papers_on(tray: Tray) -> list[Floats]:
    """Return what `papers_of` does, but nothing of a tray on which no marker was seen: it may have none."""
    return papers_of(tray) if tray.markers else []


def on_papers(points_mm: Floats, papers_mm: Sequence[Floats], *, beyond_mm: float = 0.0) -> Bools:
    """Return which of (n, 2) points lie on one of some papers, (4, 2) each, or no further beyond their edges than that.

    beyond_mm: negative for how far within them.
    """
    out = np.zeros(len(points_mm), dtype=bool)
    for paper in papers_mm:
        low, high = paper.min(axis=0) - beyond_mm, paper.max(axis=0) + beyond_mm
        out |= ((points_mm > low) & (points_mm < high)).all(axis=1)
    return out


def covered_papers(rectified_bgr: Image, tray: Tray, *, px_per_mm: float, margin_mm: float) -> list[Floats]:
    """Return the paper, as `papers_of`, of those markers on which something may lie; none without any marker at all.

    rectified_bgr: the tray from above, of that scale and margin.
    """
    seen = {number for number, _ in tray.markers}
    if not seen or len(seen) == len(CORNERS):
        return []
    squares, to_flat = _squares(tray), rectified_from_mm(px_per_mm=px_per_mm, margin_mm=margin_mm)
    windows = [_window(rectified_bgr, transform(square, to_flat)) for square in squares]
    plain = PLAIN_SHARE * float(np.median([_contrast(windows[number]) for number in seen]))
    matt = float(np.median([_shine(windows[number]) for number in seen])) < MATT
    covered = [
        n not in seen and _contrast(w) > plain and not _pattern_seen(w, n, mirrored=matt and _shine(w) > SHINY)
        for n, w in enumerate(windows)
    ]
    return [_around(square) for square, under in zip(squares, covered, strict=True) if under]


def _squares(tray: Tray) -> list[Floats]:
    """Return the black squares of markers 0 to 3, (4, 2) in tray millimetres each."""
    known = {number: tray.to_mm(np.array(corners)) for number, corners in (*tray.hidden, *tray.markers)}
    felt = np.array(tray.size_mm)
    insets = [np.minimum(square.mean(axis=0), felt - square.mean(axis=0)) for square in known.values()]
    inset = np.mean(insets, axis=0) if insets else np.full(2, INSET_MM + MARKER_MM / 2)
    side = float(np.mean([sides(square).mean() for square in known.values()])) if known else MARKER_MM
    box = side / 2 * SQUARE
    nominal = [np.where(corner, felt - inset, inset) + box for corner in np.array(CORNERS, dtype=bool)]
    return [known.get(number, square) for number, square in enumerate(nominal)]


def _around(square: Floats) -> Floats:
    centre, half = square.mean(axis=0), float(np.ptp(square, axis=0).max()) / 2 + PAPER_MM
    return np.asarray(centre + half * SQUARE)


def _window(flat_bgr: Image, square_px: Floats) -> Image:
    """Return a marker's black square, upright and CELL_PX a cell, with the surroundings in which it is looked for."""
    return straightened(flat_bgr, square_px, cell_px=CELL_PX, around_px=QUIET_PX + SEARCH_PX)[0]


def _contrast(window: Image) -> float:
    """Return how far apart the dark and the light of a marker's place are, in grey values."""
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)[SEARCH_PX:-SEARCH_PX, SEARCH_PX:-SEARCH_PX]
    dark, light = np.quantile(grey, (0.1, 0.9))
    return float(light - dark)


def _shine(window: Image) -> float:
    """Return which share of a marker's place is blown out."""
    return float((window[SEARCH_PX:-SEARCH_PX, SEARCH_PX:-SEARCH_PX].min(axis=2) >= BLOWN_OUT).mean())


def _pattern_seen(window: Image, number: int, *, mirrored: bool) -> bool:
    """Return whether all of a marker can be seen in a window, whichever way round it was laid.

    mirrored: a lamp's image lies on it, which makes lighter whatever it lies on, in the darkest colour the least.
    """
    grey = np.asarray(cv2.cvtColor(window, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = [(*best_place(grey, pattern), pattern) for pattern in _patterns(number)]
    _, (x, y), pattern = max(found, key=lambda f: f[0])
    there = window[y : y + len(pattern), x : x + len(pattern)]
    white = _cells(pattern) > 127
    colours = [int(there.mean(axis=(0, 1)).argmin())] if mirrored else [0, 1, 2]
    cells = [_cells(there[:, :, k]) for k in colours]
    return any(
        all(_second_unlike(c[bare], white[bare], _light()[bare], lighter=mirrored) < UNLIKE_CELL for c in cells)
        for bare in chain([np.ones(len(white), dtype=bool)], _beside_a_rim(cells, white))
    )


def _beside_a_rim(cells: Sequence[Floats], white: Bools) -> Iterator[Bools]:
    """Yield which places a rim leaves, for each side of a marker along which it may hide the others, (60,) each.

    cells: of each colour, as `_cells`.
    """
    for axis, sign in ((1, -1), (1, 1), (2, -1), (2, 1)):
        far = sign * _light()[:, axis]
        bare = far < OUTERMOST
        if all(_may_be_rim(c[far > 1.0], paper=c[bare & white], ink=c[bare & ~white]) for c in cells):
            yield bare


def _may_be_rim(beside: Floats, *, paper: Floats, ink: Floats) -> bool:
    """Return whether what should be white along a side is plainly darker, and as dark from one end to the other."""
    plain = UNLIKE_CELL * (np.median(paper) - np.median(ink))
    return bool(np.ptp(beside) < plain and beside.max() < np.median(paper) - plain)


@cache
def _patterns(number: int) -> list[NDArray[np.uint8]]:
    """Return a marker with some white around it, in its four turns."""
    whole = printed(number, cell_px=CELL_PX, white_px=QUIET_PX)
    return [np.ascontiguousarray(np.rot90(whole, turn)) for turn in range(4)]


def _cells(pixels: NDArray[Any]) -> Floats:
    """Return (36 + 24,) the brightness of each cell's middle and of the white beside each cell of the border.

    The white is as thin as a marker's place is uncertain: of its lines the brightest counts.
    """
    edge, px = QUIET_PX, pixels.astype(np.float64)
    inside = px[edge:-edge, edge:-edge].reshape(CELLS, CELL_PX, CELLS, CELL_PX)[:, 1:-1, :, 1:-1].mean(axis=(1, 3))
    strips = (px[:edge, edge:-edge], px[-edge:, edge:-edge], px[edge:-edge, :edge].T, px[edge:-edge, -edge:].T)
    return np.concatenate([inside.ravel(), *(s.reshape(edge, CELLS, CELL_PX).mean(axis=2).max(axis=0) for s in strips)])


@cache
def _light() -> Floats:
    """Return (60, 3) the terms of uneven light at each place of `_cells`: even, across, down."""
    across = (np.arange(CELLS) - (CELLS - 1) / 2) / (CELLS / 2)
    beside = (CELLS / 2 + 0.25) / (CELLS / 2) * np.ones(CELLS)
    x = np.concatenate([np.tile(across, CELLS), across, across, -beside, beside])
    y = np.concatenate([np.repeat(across, CELLS), -beside, beside, across, across])
    return np.stack([np.ones(len(x)), x, y], axis=1)


def _second_unlike(cells: Floats, white: Bools, light: Floats, *, lighter: bool = False) -> float:
    """Return how much the second worst place differs from print in uneven light, over the print's contrast.

    One may have a fibre on it. light: the terms of `_light` at each place. lighter: places may be lighter than print.
    """
    terms = np.concatenate([light, light * white[:, None]], axis=1)
    weight, away, fitted = np.ones(len(cells)), np.zeros(len(cells)), np.zeros(terms.shape[1])
    for _ in range(STEADY):
        fitted = np.asarray(np.linalg.lstsq(terms * weight[:, None], cells * weight, rcond=None)[0])
        above = cells - terms @ fitted
        away = np.abs(above)
        weight = 1.0 / np.sqrt(np.maximum(away / max(float(np.median(away)), 1e-6), 1.0))
        if lighter:
            weight = np.where(above > LIGHTER * fitted[3], LIGHTER * weight, weight)
            away = np.maximum(-above, 0.0)
    contrast, paper = float(fitted[3]), light @ (fitted[:3] + fitted[3:])
    # Print that is darker where it should be white is no print, and light that falls off so far is no light.
    if contrast <= 1.0 or paper.min() < FALLS_OFF * paper.max():
        return np.inf
    return float(np.sort(away)[-2]) / contrast
