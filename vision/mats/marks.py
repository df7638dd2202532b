"""What is measured of the places of a mat: how its print shows on them and between them, and how bright they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.mats.lamp_light import contrast_left
from vision.mats.mat import Area, Mat
from vision.mats.paper import PX_PER_MM, Paper, Seen, print_seen, smooth_shift

DISC = 0.25
"""Radius of the disc in a place's middle that any counter covers, over its side."""
CORNER = (0.33, 0.46)
"""Squares in a place's corners that no round counter covers: from the middle, over its side."""
AROUND_MM = 0.7
"""Windows around a figure reach so far beyond it."""
LIKE, LIKE_A_LINE = 0.5, 0.4
"""Likeness from which a faint figure, a faint line, may be one in a lamp's image. Of 930 counters drawn in three
exposures none that is so like its figure shows three tenths of the contrast that is due there; of 90 bare figures in a
lamp's image 74 show half of it."""
FAINT = 0.9
"""Where less than this share of the print's contrast can be left, a lamp's image is."""
HIDDEN = 0.3
"""Border windows that show less than this are covered."""
EDGE_HALF_MM = 3.0
EDGE_PART = 0.28
"""Windows along a border lie this part of its length to both sides of its middle."""


@dataclass(frozen=True, slots=True)
class Edges:
    """Windows on the borders between places."""

    middles_mm: Floats
    """(m, 2)."""
    upright: NDArray[np.bool_]
    """(m,) the border runs up and down."""
    of_place: tuple[tuple[int, ...], ...]
    """For each place its windows."""
    beside: tuple[tuple[int, ...], ...]
    """For each window its places, one or two."""


@lru_cache(maxsize=4)
def edges_of(mat: Mat) -> Edges:
    """Return the windows on the borders of the places; neighbours share theirs."""
    number: dict[tuple[int, int], int] = {}
    middles: list[tuple[float, float]] = []
    upright: list[bool] = []
    of_place: list[tuple[int, ...]] = []
    beside: list[list[int]] = []
    for k, area in enumerate(mat.places):
        mine = []
        for x, y, up in _windows(area):
            key = round(x), round(y)
            if key not in number:
                number[key] = len(middles)
                middles.append((x, y))
                upright.append(up)
                beside.append([])
            mine.append(number[key])
            beside[number[key]].append(k)
        of_place.append(tuple(mine))
    return Edges(
        np.array(middles, dtype=np.float64), np.array(upright), tuple(of_place), tuple(tuple(b) for b in beside)
    )


def _windows(area: Area) -> list[tuple[float, float, bool]]:
    x, y = area.middle
    a, b = area.width / 2, area.height / 2
    out = []
    for part in (-EDGE_PART, 0.0, EDGE_PART):
        along_x, along_y = x + part * area.width, y + part * area.height
        out += [(x - a, along_y, True), (x + a, along_y, True), (along_x, y - b, False), (along_x, y + b, False)]
    return out


@dataclass(frozen=True, slots=True)
class Marks:
    """What is measured of the places of a mat; arrays of one length n."""

    gain: Floats
    """Contrast of the figure over what the picture's own print has: 1 bare, 0 covered. In a lamp's image, where the
    figure shows, over what that leaves of it."""
    likeness: Floats
    """Correlation of the figure with its print."""
    low: Floats
    middle: Floats
    high: Floats
    """Brightness of the place's middle beside the paper around it, logarithms: of its darker part, its median,
    its brighter part."""
    washed: Floats
    """Share of the middle that is brighter than the camera can tell."""
    around: Floats
    """The same of the bare paper in the place's corners, of the brightest: a lamp's image may go on from there."""
    glow: Floats
    """How much brighter that paper is than the mat's light there would have it, a logarithm."""
    border: Floats
    """(m,) how the print shows at the windows of `edges_of`: 1 bare, 0 covered."""
    crossed: NDArray[np.bool_]
    """Whether one of the place's borders is hidden all along: something may lie over that line."""

    @property
    def shown(self) -> Floats:
        """How plainly the figure shows: about 1 where the place is bare, about 0 where it is covered."""
        return np.asarray(0.6 * np.clip(self.gain, 0.0, 1.1) + 0.4 * np.clip(self.likeness, 0.0, 1.0))


def measure_counters(paper: Paper, mat: Mat) -> Marks:
    """Return what speaks for and against counters on each place."""
    edges, figure_mm = edges_of(mat), mat.figure_mm + AROUND_MM
    centre = print_seen(paper, mat.middles(), half_mm=figure_mm)
    start = smooth_shift(centre[0], mat.middles(), edges.middles_mm)
    lines = print_seen(paper, edges.middles_mm, half_mm=EDGE_HALF_MM, reach_px=1, start_px=start)

    def along(gain: Floats) -> Floats:
        # A camera that moves blurs the lines of one direction only.
        return np.where(edges.upright, _usual(gain[edges.upright]), _usual(gain[~edges.upright]))

    def inside(gain: Floats) -> Floats:
        return np.full(len(gain), max(along(lines[0].gain).min(), float(np.quantile(gain, 0.9))))

    line, like = _in_its_light(paper, edges.middles_mm, lines, half_mm=EDGE_HALF_MM, usual=along, least=LIKE_A_LINE)
    border = np.clip(line, 0.0, 1.5) * (like > 0.25)
    # A pawn may stand beside its figure: one that shows, be it faintly, does not say that the lamp's image hides none.
    least = 1.0 if mat.pawns else LIKE
    figure, likeness = _in_its_light(paper, mat.middles(), centre, half_mm=figure_mm, usual=inside, least=least)
    low, middle, high, washed, around, glow = np.array([_brightness(paper, area) for area in mat.places]).T
    crossed = np.array([_crossed(border, windows) for windows in edges.of_place], dtype=np.bool_)
    gain = np.clip(figure, -0.2, 1.5)
    return Marks(gain, likeness, low, middle, high, washed, around, glow, np.asarray(border), crossed)


def _in_its_light(
    paper: Paper,
    middles_mm: Floats,
    seen: tuple[Seen, Seen],
    *,
    half_mm: float,
    usual: Callable[[Floats], Floats],
    least: float,
) -> tuple[Floats, Floats]:
    """Return the contrast of the print in some windows over the usual one, and its likeness.

    What is like the print, and as faint as a lamp's image makes it there, counts as if there were none. seen: by
    `print_seen`. usual: of the contrasts in all windows, for each. least: likeness.
    """
    plain, evened = seen
    full = usual(evened.gain)
    left = contrast_left(paper, middles_mm, half_mm=half_mm, shift_px=evened.shift_px, usual=full)
    faint = (evened.likeness > least) & (left < FAINT)
    gain, unfaded = plain.gain / usual(plain.gain), np.minimum(evened.gain / (left * full), 1.0)
    likeness = np.where(faint, np.maximum(plain.likeness, evened.likeness), plain.likeness)
    return np.where(faint, np.maximum(gain, unfaded), gain), likeness


def _crossed(border: Floats, windows: tuple[int, ...]) -> bool:
    """Return whether all windows along one of the four sides are hidden, in the order of `_windows`."""
    return any(all(border[k] < HIDDEN for k in windows[side::4]) for side in range(4))


def _usual(gain: Floats) -> float:
    """Return the contrast with which this picture shows the print where nothing hides it."""
    return max(0.05, float(np.quantile(gain, 0.7)))


def _brightness(paper: Paper, area: Area) -> tuple[float, ...]:
    """Return low, middle, high, washed, around and glow of a place, as `Marks` has them."""
    radius = DISC * area.side * PX_PER_MM
    x, y = (v * PX_PER_MM - 0.5 for v in area.middle)
    window = _window(paper.dimmed, x, y, radius)
    rows, columns = np.mgrid[0 : window.shape[0], 0 : window.shape[1]]
    disc = np.hypot(rows - window.shape[0] // 2, columns - window.shape[1] // 2) <= radius
    # The figure's own ink was taken out as if it lay bare; where it is covered its place looks too light.
    light = paper.proof.ink
    inside = window[disc] + _window(light, x, y, radius)[disc]
    around, washed_paper = _paper_around(paper, area)
    low, middle, high = (float(v) - around for v in np.quantile(inside, (0.15, 0.5, 0.85)))
    washed = float(_window(paper.washed, x, y, radius)[disc].mean())
    return low, middle, high, washed, washed_paper, around


def _paper_around(paper: Paper, area: Area) -> tuple[float, float]:
    """Return how bright the bare paper in the place's corners is, in the light if one of them is; and how washed."""
    x, y = area.middle
    shift = (CORNER[0] + CORNER[1]) / 2 * area.side
    radius = (CORNER[1] - CORNER[0]) / 2 * area.side * PX_PER_MM
    corners, washed = [], []
    for dx in (-shift, shift):
        for dy in (-shift, shift):
            at = (x + dx) * PX_PER_MM - 0.5, (y + dy) * PX_PER_MM - 0.5
            corners.append(float(np.median(_window(paper.dimmed, *at, radius))))
            washed.append(float(_window(paper.washed, *at, radius).mean()))
    return float(np.mean(sorted(corners)[-2:])), max(washed)


def _window(values: NDArray[np.generic], x: float, y: float, radius: float) -> NDArray[np.float64]:
    r = max(1, round(radius))
    h, w = values.shape[:2]
    rows = np.clip(np.arange(round(y) - r, round(y) + r + 1), 0, h - 1)
    columns = np.clip(np.arange(round(x) - r, round(x) + r + 1), 0, w - 1)
    return np.asarray(values[np.ix_(rows, columns)], dtype=np.float64)


__all__ = ["HIDDEN", "LIKE", "Edges", "Marks", "edges_of", "measure_counters"]
