"""Dark and light counters on a mat: which places are covered, by what, and what lies on a line between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.mats.mat import Area, Mat
from vision.mats.paper import PX_PER_MM, Paper, print_seen, smooth_shift
from vision.reading import EMPTY

DISC = 0.25
"""Radius of the disc in a place's middle that any counter covers, over its side."""
CORNER = (0.33, 0.46)
"""Squares in a place's corners that no round counter covers: from the middle, over its side."""
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
    """Contrast of the figure over what the picture's own print has: 1 bare, 0 covered."""
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
    edges = edges_of(mat)
    centre = print_seen(paper, mat.middles(), half_mm=mat.figure_mm + 0.7)
    start = smooth_shift(centre, mat.middles(), edges.middles_mm)
    seen = print_seen(paper, edges.middles_mm, half_mm=EDGE_HALF_MM, reach_px=1, start_px=start)
    # A camera that moves blurs the lines of one direction only.
    usual = np.where(edges.upright, _usual(seen.gain[edges.upright]), _usual(seen.gain[~edges.upright]))
    border = np.clip(seen.gain / usual, 0.0, 1.5) * (seen.likeness > 0.25)
    marks = np.array([_brightness(paper, area) for area in mat.places])
    whole = min(_usual(seen.gain[edges.upright]), _usual(seen.gain[~edges.upright]))
    gain = np.clip(centre.gain / max(whole, float(np.quantile(centre.gain, 0.9))), -0.2, 1.5)
    low, middle, high, washed, around, glow = marks.T
    crossed = np.array([_crossed(border, windows) for windows in edges.of_place], dtype=np.bool_)
    return Marks(gain, centre.likeness, low, middle, high, washed, around, glow, np.asarray(border), crossed)


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


HALF_SHOWN, SHOWN_SLOPE = 0.58, 25.0
"""Where a figure is as likely covered as bare, and how fast that changes; fitted to drawn mats."""
HALF_LIGHT, LIGHT_SLOPE = -0.75, 10.0
"""The same for a counter's brightness beside paper (logarithm): dark below, light above."""
HALF_DARK, DARK_SLOPE = -0.85, 25.0
"""Below this nothing of the drawn mats was light, in whatever shadow."""
NO_PAPER, PAPER_SLOPE = -0.8, 12.0
"""So dark (logarithm) the middle of a bare place is not: of 1,992 the darkest was -0.47."""
MAYBE = 0.3
"""... and one that is, and yet seems to show its figure, may be covered: where all paper is blown out hardly any of it
is left that print could be held against."""
NO_PAPER_LEFT = -0.6
"""Nor is its brighter part."""
SURE = 0.98
"""Least probability of a place that is not asked about."""
UNEVEN, UNEVEN_DARK = 0.4, 0.9
"""A light, a dark counter whose top differs by more within is lit by a lamp's image, or there are two."""
SPECKS = 0.2
"""A light counter whose darker part is so much darker than its middle may be bare paper with its figure blurred."""
GLARE_AMONG_DARK = 0.3
"""Dark counters of one set that differ by more show a lamp's image; then light ones may be dark."""
BRIGHTER = 0.12
"""Something so much brighter than paper is a lamp's image, whatever lies below."""
WASHED, WASHED_AROUND = 0.4, 0.2
"""More of a place's middle than the first, or of the paper beside it than the second, is brighter than the camera can
tell: a lamp on a laminated mat, or too much light for white paper. Nobody can see there whether a figure is hidden by
something light or by the light. Held against the paper beside it alone, a bare place in a lamp's image was a light
counter where all paper was nearly white: of 360 drawn mats that mirror a lamp 87 were silently wrong; of 442 fresh
ones four are since."""
APART = 0.11
"""A light counter so much darker or lighter than any other of the set may be a dark one in a lamp's image."""
FELLOWS, ALIKE = 4, 0.06
"""A light counter with so many others so near to its brightness is one of the set: lamps light no dark ones so."""
DIM, FEW = -0.12, 2
"""A light counter dimmer than this and than another, without two more like it, may be a dark one in a lamp's image."""
ONE_SET = 0.25
"""Light counters of one set differ by no more, wherever they lie."""
STILL_LIGHT, HIDES = -0.65, 0.3
"""Such a one shows nothing darker than this, and no more of the figure than this."""
GROUPS_APART, IN_GROUP, IN_DARK_GROUP = 0.35, 0.06, 0.25
"""Light and dark counters lie so far apart in a picture that tells them plainly, and so near among each other."""
PLAINLY_DARK, NO_LIGHT_PART = -1.15, -0.33
"""A counter so dark in its middle, of which no part is as light as this, is dark, whatever shines on it."""
HIDDEN = 0.3
"""Border windows that show less than this are covered."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one place holds."""

    likely: tuple[tuple[str, float], ...]
    """With probabilities, likeliest first."""
    sure: bool


def tell_counters(marks: Marks) -> tuple[Told, ...]:
    """Return what each place holds."""
    covered = _covered(marks)
    light = marks.middle > HALF_LIGHT
    lightly = _logistic(LIGHT_SLOPE * (marks.middle - HALF_LIGHT))
    darkly = np.maximum(1 - lightly, _logistic(DARK_SLOPE * (HALF_DARK - marks.middle)))
    kind = np.where(light, lightly, darkly)
    kind[_in_their_group(marks, covered > 0.5)] = 0.995
    odd = _odd_ones(marks, covered > 0.5) & ~_clear_ones(marks, covered > 0.5)
    bare = _may_be_bare(marks)
    out = []
    for k in range(len(covered)):
        names = ("light", "dark") if light[k] else ("dark", "light")
        chances = {EMPTY: 1 - covered[k], names[0]: covered[k] * kind[k], names[1]: covered[k] * (1 - kind[k])}
        if odd[k] and covered[k] > 0.5:
            # What looks as none should may be the other kind as well, or a figure that glare or blur hides.
            other = {EMPTY: 0.4 * bare[k], names[0]: 0.0, names[1]: 1 - 0.4 * bare[k]}
            chances = {name: 0.85 * p + 0.15 * other[name] for name, p in chances.items()}
        likely = tuple(sorted(((name, float(p)) for name, p in chances.items()), key=lambda item: -item[1]))
        out.append(Told(likely, bool(likely[0][1] >= SURE)))
    return tuple(out)


def _covered(marks: Marks) -> Floats:
    """Return how likely each place is covered: its figure does not show, or it is darker than paper ever is."""
    hidden = _logistic(SHOWN_SLOPE * (HALF_SHOWN - marks.shown))
    # Only where no part is lighter and no border hidden: over the line a dark counter leaves some paper free.
    whole = (marks.high < NO_PAPER_LEFT) & ~marks.crossed
    dark = _logistic(PAPER_SLOPE * (NO_PAPER - marks.middle))
    return np.where(whole, np.maximum(hidden, dark), np.maximum(hidden, np.minimum(dark, MAYBE)))


def _may_be_bare(marks: Marks) -> NDArray[np.bool_]:
    specks = (marks.middle - marks.low > SPECKS) & (marks.shown > HIDES)
    return np.asarray(specks | _in_a_lamp(marks))


def _in_a_lamp(marks: Marks) -> NDArray[np.bool_]:
    """Return where a lamp may be mirrored: what shows no figure there may lie bare, what is light may be dark."""
    beside = (marks.glow > BRIGHTER) | ((marks.around > WASHED_AROUND) & (not _blown_out(marks)))
    return np.asarray((marks.middle > BRIGHTER) | (marks.washed > WASHED) | beside)


def _blown_out(marks: Marks) -> bool:
    """Return whether most of the paper is: then the light of the room does it, and no lamp's image shows on it."""
    return bool(np.median(marks.around) > WASHED_AROUND)


def _in_their_group(marks: Marks, covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which counters lie among others of their kind, in a picture that tells both kinds plainly apart."""
    light = covered & (marks.middle > HALF_LIGHT)
    dark = covered & ~light
    out = np.zeros(len(covered), np.bool_)
    if min(light.sum(), dark.sum()) < FELLOWS or not _parted(marks, light, dark):
        return out
    for group, near in ((light, IN_GROUP), (dark, IN_DARK_GROUP)):
        out |= group & (_fellows(marks.middle, group, near) >= FELLOWS)
    return out


def _parted(marks: Marks, light: NDArray[np.bool_], dark: NDArray[np.bool_]) -> bool:
    """Return whether light counters lie close together and well above all dark ones: in a lamp's image they do not."""
    if not light.any() or np.ptp(marks.middle[light]) > ONE_SET:
        return False
    return not dark.any() or bool(marks.middle[light].min() - marks.middle[dark].max() >= GROUPS_APART)


def _fellows(middle: Floats, group: NDArray[np.bool_], near: float) -> NDArray[np.int64]:
    """Return for each place how many others of a group are as bright, within `near`."""
    alike = (np.abs(middle[:, None] - middle[None, group]) < near).sum(axis=1)
    return np.asarray(alike - group.astype(np.int64))


def _clear_ones(marks: Marks, covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which counters are what they look like, although something shines on the mat."""
    light = covered & (marks.middle > HALF_LIGHT)
    one_of_set = light & (_fellows(marks.middle, light, ALIKE) >= FELLOWS)
    if not _parted(marks, light, covered & ~light):
        one_of_set[:] = False
    one_of_set &= (marks.low > STILL_LIGHT) & (marks.shown < HIDES)
    one_of_set &= ~_in_a_lamp(marks)
    dark = covered & (marks.middle < PLAINLY_DARK) & (marks.high < NO_LIGHT_PART)
    return np.asarray(one_of_set | dark)


def _odd_ones(marks: Marks, covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which counters look as none should: lit by a lamp's image, or unlike the others of the set."""
    light = marks.middle > HALF_LIGHT
    uneven = marks.high - marks.low > np.where(light, UNEVEN, UNEVEN_DARK)
    glaring = _in_a_lamp(marks)
    uneven |= light & (marks.middle - marks.low > SPECKS)
    if _blown_out(marks):
        glaring |= light & (_fellows(marks.middle, covered & light & ~glaring, ALIKE) == 0)
    of_light = marks.middle[covered & light]
    if len(of_light) > 1:
        unlike = of_light.max() - marks.middle > APART
        glaring |= light & unlike & (marks.middle < DIM) & (_fellows(marks.middle, covered & light, ALIKE) < FEW)
    dark = marks.middle[covered & ~light]
    if len(dark) > 1 and np.ptp(dark) > GLARE_AMONG_DARK:
        glaring |= light
    of_set = np.flatnonzero(covered & light)
    if len(of_set) > 1:
        away = np.abs(marks.middle[of_set, None] - marks.middle[of_set]) + 9.0 * np.eye(len(of_set))
        glaring[of_set] |= away.min(axis=1) > APART
    return np.asarray(uneven | glaring)


def counters_on_lines(marks: Marks, mat: Mat, told: tuple[Told, ...]) -> tuple[tuple[int, ...], ...]:
    """Return for each thing that lies on a border between places that are not covered the places beside it."""
    edges = edges_of(mat)
    found: list[tuple[int, ...]] = []
    for k in np.flatnonzero(marks.border < HIDDEN):
        beside = edges.beside[k]
        bare = all(told[place].likely[0][0] == EMPTY for place in beside)
        if bare and not any(set(beside) & set(other) for other in found):
            found.append(beside)
    return tuple(found)


def _logistic(x: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -40.0, 40.0))))
