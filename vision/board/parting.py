"""Pieces -> rows: the lean that parts them best, by places, neighbours, the pieces' own lean and their colours."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from vision.geometry import Floats, Ints, median

MOST_LEAN_DEG = 18.0
ROW_GAP = 0.5
"""Rows are at least this share of a tile's height apart, edge line to edge line of their centres."""
LEAN_SD = float(np.radians(3.5))
"""How far one tile's direction, or that of one pair of neighbours, strays from its row's."""
HINT_SD = float(np.radians(2.0))
"""How far the mean direction of all tiles strays from that of the rows, many of them; of few as far as LEAN_SD says."""
ROW_SD_MM = 1.6
"""How far tiles stray from the line of their row."""
ROW_LEAN_SD = float(np.radians(1.3))
"""How far the rows' directions stray from each other."""
ASTRAY = 40.0
"""What a row too many or too few costs, and one that lies nearer to another than tiles can."""
NEW_ROW = 6.0
"""What every row costs: a piece off its row's line is no row of its own yet."""
COLOUR_SD = 9.0
"""How far the colours of one row's tiles stray, CIE units."""
MOST_MOTLEY = 12.0
"""What one tile of another colour costs at most: 3.5 of these, squared; glare and shade go as far."""
QUITE_OTHER, MOST_OF_OTHERS = 50.0, 18.0
"""... unless it is farther away than the first (CIE units). Of 32,018 pairs of one colour, on 1,460 drawn and traced
trays, none is, of others half: odds whose logarithm the second is, times two. What nearer pairs cost agrees with their
odds within two."""
ALIKE, ALIKE_SD = 11.0, 4.0
"""What it costs, in a layout with gaps, that two rows have the very same colour, and how far two tiles of one colour
are apart as a rule, CIE units: much less than the most that COLOUR_SD allows for gloss and shade."""
MARGIN = 9.0
"""By how much the best parting must be better than any other to be certain."""


@dataclass(frozen=True, slots=True)
class Parting:
    """Pieces parted into rows."""

    lean: float
    """Radians, clockwise, of the rows against the tray."""
    row: Ints
    """(n,) counted from the top."""
    certain: bool
    """No other parting is nearly as good."""
    lean_sd: float
    """How far the lean may be off, radians (one standard deviation)."""


def part_into_rows(
    centres_mm: Floats,
    *,
    tile_mm: tuple[float, float],
    rows: int,
    full: bool,
    lean_hint: float | None = None,
    colours: Floats | None = None,
) -> Parting:
    """Return the rows that the pieces lie in.

    rows: how many there are (full layouts) or can be. lean_hint: radians, the lean of the pieces themselves.
    colours: (n, 3) in units that tell colours apart by COLOUR_SD, where each row has one; NaN for pieces
    that show none.
    """
    directions = _neighbour_directions(centres_mm, tile_mm)
    tried: dict[tuple[int, ...], float] = {}
    leans = np.radians(np.arange(-MOST_LEAN_DEG, MOST_LEAN_DEG + 0.1, 0.5))
    for lean, label in zip(leans.tolist(), _splits(centres_mm, leans, ROW_GAP * tile_mm[1]).tolist(), strict=True):
        tried.setdefault(tuple(label), lean)
    refined = {tuple(_refine(centres_mm, lean, np.array(key)).tolist()): lean for key, lean in tried.items()}
    ranked = []
    for key, start in refined.items():
        label = np.array(key, dtype=np.int64)
        cost, lean, lean_sd = _cost(centres_mm, label, start, directions, lean_hint)
        count = int(label.max()) + 1
        cost += ASTRAY * (abs(count - rows) if full else max(0, count - rows)) + NEW_ROW * count
        if colours is not None:
            cost += _motley(colours, label) + (0.0 if full else _split(colours, label))
        cost += _crowded(centres_mm, label, lean, lean_sd, tile_mm[1])
        ranked.append((cost, lean, lean_sd, key))
    ranked.sort()
    best, lean, lean_sd, key = ranked[0]
    certain = len(ranked) == 1 or ranked[1][0] > best + MARGIN
    return Parting(lean, np.array(key, dtype=np.int64), certain, lean_sd)


def _cost(
    points: Floats, label: Ints, start: float, directions: Floats, hint: float | None
) -> tuple[float, float, float]:
    """Return how badly rows fit (a sum of squares in standard deviations), the lean that fits best, and how far off.

    Each row is a line of its own; the rows' directions scatter around the lean, and so do the pieces' own
    (the hint) and those from each piece to its neighbour.
    """
    u, v = project_along(points, start), project_across(points, start)
    number = np.bincount(label)
    x, y = u - (np.bincount(label, u) / number)[label], v - (np.bincount(label, v) / number)[label]
    spread, slant = np.bincount(label, x * x), np.bincount(label, x * y)
    slope = np.where(spread > 1.0, slant / np.maximum(spread, 1.0), 0.0)
    cost = float(((y - slope[label] * x) ** 2).sum()) / ROW_SD_MM**2
    # What is known of a row's direction: by its tiles, and that rows lie nearly parallel.
    known = spread / ROW_SD_MM**2
    weights = (known / (1.0 + known * ROW_LEAN_SD**2)).tolist()
    leans = (start + np.arctan(slope)).tolist()
    near = directions[np.abs(directions - start) < 3 * LEAN_SD]
    if len(near):
        weights.append(0.3 * len(near) / LEAN_SD**2)
        leans.append(float(near.mean()))
    if hint is not None:
        weights.append(1.0 / max(HINT_SD, LEAN_SD / np.sqrt(len(points))) ** 2)
        leans.append(hint)
    w, a = np.array(weights), np.array(leans)
    lean = float((w * a).sum() / w.sum()) if w.sum() > 0 else start
    sd = 1.0 / np.sqrt(w.sum()) if w.sum() > 0 else LEAN_SD
    return cost + float((w * (a - lean) ** 2).sum()) + 2.0 * lean**2, lean, float(sd)


def _motley(colours: Floats, label: Ints) -> float:
    """Return what it costs that pieces of one row differ in colour."""
    cost = 0.0
    shown = ~np.isnan(colours[:, 0])
    for k in range(int(label.max()) + 1):
        here = colours[(label == k) & shown]
        if len(here) == 2:
            # Both are off their mean, though but one may have another colour, as by glare.
            apart2 = float(((here[0] - here[1]) ** 2).sum())
            cost += min(apart2 / (2 * COLOUR_SD**2), float(_most(apart2)))
        elif len(here) > 2:
            away2 = ((here - median(here)) ** 2).sum(axis=1)
            most = _most(away2)
            cost += min(float(np.minimum(away2 / COLOUR_SD**2, most).sum()), float(most.sum() - most.max()))
    return cost


def _most(away2: Floats | float) -> Floats:
    """Return what it costs at most that a tile is so far from its row's colour (squared, CIE units)."""
    return np.where(np.asarray(away2) > QUITE_OTHER**2, MOST_OF_OTHERS, MOST_MOTLEY)


def _split(colours: Floats, label: Ints) -> float:
    """Return what it costs that rows share a colour, though each has its own."""
    shown = ~np.isnan(colours[:, 0])
    rows = [colours[(label == k) & shown] for k in range(int(label.max()) + 1)]
    middles = [median(row) for row in rows if len(row)]
    away2 = [((a - b) ** 2).sum() / ALIKE_SD**2 for a, b in combinations(middles, 2)]
    return float(sum(max(0.0, ALIKE - away) for away in away2))


def _crowded(points: Floats, label: Ints, lean: float, lean_sd: float, height_mm: float) -> float:
    """Return what it costs that rows lie nearer to the next than tiles can.

    No more than it costs that the lean is so far off that they do not: over the width of a tray two degrees are a third
    of a tile, and of two rows of one tile each, one at either end, it says little how near they lie.
    """
    u, v = project_along(points, lean), project_across(points, lean)
    a, b = lines_of_rows(u, v, label)
    if len(a) < 2:
        return 0.0
    apart = np.diff(a + b * np.array([[u.min()], [u.max()]]), axis=1).max(axis=0)
    near = np.maximum(0.8 * height_mm - apart, 0.0) / (lean_sd * np.maximum(beside(u, label), 1.0))
    return float(np.minimum(near**2, ASTRAY).sum())


def beside(along: Floats, label: Ints) -> Floats:
    """Return (rows - 1,) how far the nearest tiles of a row and the next are from each other, along the rows."""
    return np.array(
        [
            np.abs(along[label == k][:, None] - along[label == k + 1]).min(initial=np.inf)
            for k in range(int(label.max()))
        ]
    )


def _neighbour_directions(points: Floats, tile_mm: tuple[float, float]) -> Floats:
    """Return (m,) the directions from pieces to neighbours that lie about a tile's width to the right."""
    step = points[None, :, :] - points[:, None, :]
    far, angle = np.hypot(step[..., 0], step[..., 1]), np.arctan2(step[..., 1], step[..., 0])
    near = (far > 0.8 * tile_mm[0]) & (far < 1.35 * tile_mm[0]) & (np.abs(angle) < np.radians(24.0))
    return np.asarray(angle[near], dtype=np.float64)


def project_across(points: Floats, lean: float) -> Floats:
    """Return (n,) how far down points lie, across a lean."""
    return np.asarray(-points[:, 0] * np.sin(lean) + points[:, 1] * np.cos(lean))


def project_along(points: Floats, lean: float) -> Floats:
    """Return (n,) how far right points lie, along a lean."""
    return np.asarray(points[:, 0] * np.cos(lean) + points[:, 1] * np.sin(lean))


def _splits(points: Floats, leans: Floats, gap: float) -> Ints:
    """Return (leans, n) the row of each point, at each lean: a new one wherever nothing lies for a while."""
    down = -np.sin(leans)[:, None] * points[:, 0] + np.cos(leans)[:, None] * points[:, 1]
    order = np.argsort(down, axis=1, kind="stable")
    steps = np.cumsum(np.diff(np.take_along_axis(down, order, axis=1), axis=1) > gap, axis=1)
    label = np.zeros(down.shape, dtype=np.int64)
    np.put_along_axis(label, order[:, 1:], steps, axis=1)
    return label


def _refine(points: Floats, lean: float, label: Ints) -> Ints:
    """Return rows after every row has drawn its own line and every piece has gone to its nearest line."""
    u, v = project_along(points, lean), project_across(points, lean)
    for _ in range(3):
        a, b = lines_of_rows(u, v, label)
        nearest = np.abs(v[:, None] - (a + b * u[:, None])).argmin(axis=1)
        if (nearest == label).all() or not np.bincount(nearest, minlength=len(a)).all():
            break
        label = nearest.astype(np.int64)
    return label


def lines_of_rows(u: Floats, v: Floats, label: Ints) -> tuple[Floats, Floats]:
    """Return (rows,) a and (rows,) b of each row's line v = a + b u; short rows lean towards b = 0."""
    number = np.bincount(label)
    middle, height = np.bincount(label, u) / number, np.bincount(label, v) / number
    x = u - middle[label]
    b = np.bincount(label, x * (v - height[label])) / (np.bincount(label, x * x) + 40.0**2)
    b = np.clip(b, -0.12, 0.12)
    return height - b * middle, b
