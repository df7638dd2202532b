"""Pieces on the felt -> rows and columns of the expected layout.

People lay tiles in rows that lean by some degrees, every row a little differently and shifted against its
neighbours. So there is no grid to fit as a whole: the lean that parts the pieces into clean rows is sought
first, each row gets a line of its own, and the columns are the order in the row (full layouts) or a lattice
that the rows share up to a shift of their own (layouts with gaps). What does not fit is said, not forced.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.layout import Expectation, Layout
from vision.reading import Problem

Ints = NDArray[np.int64]

MOST_LEAN_DEG = 18.0
ROW_GAP = 0.5
"""Rows are at least this share of a tile's height apart, edge line to edge line of their centres."""
LEAN_SD = float(np.radians(3.5))
"""How far one tile's direction, or that of one pair of neighbours, strays from its row's."""
HINT_SD = float(np.radians(2.0))
"""How far the mean direction of all tiles strays from that of the rows."""
ROW_SD_MM = 1.6
"""How far tiles stray from the line of their row."""
ROW_LEAN_SD = float(np.radians(1.3))
"""How far the rows' directions stray from each other."""
ASTRAY = 40.0
"""What a row too many or too few costs, and one that lies nearer to another than tiles can."""
NEW_ROW = 6.0
"""What every row costs: a piece off its row's line is no row of its own yet."""
COLOUR_SD = 9.0
"""How far the colours of one row's tiles stray, CIE units; more than 3.5 of these count no more."""
MARGIN = 9.0
"""By how much the best parting must be better than any other to be certain."""
SHIFT_SD_MM = 14.0
"""How far people lay the middle of an array from the middle of the tray (for layouts with open ends)."""
OFF_LATTICE = 0.34
"""A tile further than this share of a pitch from its column stands in doubt."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Where pieces lie in a layout."""

    index: Ints
    """(k,) which of the pieces, sorted by row, then column."""
    row: Ints
    """(k,) counted from the top."""
    column: Ints
    """(k,) counted in the widest row."""
    doubtful: NDArray[np.bool_]
    """(k,) the place is not certain."""
    lean_deg: Floats
    """(k,) direction of the piece's row, degrees clockwise in tray millimetres."""
    problems: Problem
    holes: tuple[tuple[int, int, float, float], ...] = ()
    """(row, column, x, y): places of a full layout where no piece was found, in tray millimetres."""
    pitch_mm: float = 0.0
    misfit: float = 0.0
    """How unlike the layout: 0 is a perfect fit; comparable between layouts for the same pieces."""

    @property
    def fits(self) -> bool:
        """Return whether every piece has a certain place and every place of a full layout a piece."""
        return self.problems == Problem.NONE and not bool(self.doubtful.any())


def arrange(
    centres_mm: Floats,
    *,
    layout: Layout,
    tile_mm: tuple[float, float],
    tray_mm: tuple[float, float],
    lean_hint: float | None = None,
    colours: Floats | None = None,
) -> Arrangement:
    """Return the places of pieces in a layout.

    centres_mm: (n, 2) tray millimetres. tile_mm: width and height of a tile, as measured. tray_mm: the felt.
    lean_hint: mean lean of the pieces themselves, radians clockwise; None where it is not known.
    colours: (n, 3) as for `part_into_rows`; used where the layout's rows have one colour each.
    """
    if len(centres_mm) == 0:
        return _nothing(Problem.COUNT | Problem.LAYOUT)
    wanted = len(layout.columns)
    of_rows = colours if layout.row_colours else None
    part = part_into_rows(
        centres_mm, tile_mm=tile_mm, rows=wanted, full=layout.full, lean_hint=lean_hint, colours=of_rows
    )
    along, lines = _row_lines(centres_mm, part.row, part.lean)
    pitch = _pitch(along, part.row, tile_mm[0])
    if layout.full:
        found = _full(centres_mm, along, part.row, lines, layout, pitch)
    else:
        found = _open(centres_mm, along, part.row, lines, layout, pitch, tile_mm, tray_mm)
    if part.certain:
        return found
    return replace(found, doubtful=np.ones_like(found.doubtful), problems=found.problems | Problem.LAYOUT)


@dataclass(frozen=True, slots=True)
class Parting:
    """Pieces parted into rows."""

    lean: float
    """Radians, clockwise, of the rows against the tray."""
    row: Ints
    """(n,) counted from the top."""
    certain: bool
    """No other parting is nearly as good."""


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
    for lean in np.radians(np.arange(-MOST_LEAN_DEG, MOST_LEAN_DEG + 0.1, 0.5)):
        tried.setdefault(tuple(_split(_across(centres_mm, lean), ROW_GAP * tile_mm[1]).tolist()), float(lean))
    refined = {tuple(_refine(centres_mm, lean, np.array(key)).tolist()): lean for key, lean in tried.items()}
    ranked = []
    for key, start in refined.items():
        label = np.array(key, dtype=np.int64)
        cost, lean = _cost(centres_mm, label, start, directions, lean_hint)
        count = int(label.max()) + 1
        cost += ASTRAY * (abs(count - rows) if full else max(0, count - rows)) + NEW_ROW * count
        cost += 0.0 if colours is None else _motley(colours, label)
        cost += ASTRAY * _crowded(centres_mm, label, lean, tile_mm[1])
        ranked.append((cost, lean, key))
    ranked.sort()
    best, lean, key = ranked[0]
    certain = len(ranked) == 1 or ranked[1][0] > best + MARGIN
    return Parting(lean, np.array(key, dtype=np.int64), certain)


def _cost(points: Floats, label: Ints, start: float, directions: Floats, hint: float | None) -> tuple[float, float]:
    """Return how badly rows fit (a sum of squares in standard deviations), and the lean that fits them best.

    Each row is a line of its own; the rows' directions scatter around the lean, and so do the pieces' own
    (the hint) and those from each piece to its neighbour.
    """
    u, v = _along(points, start), _across(points, start)
    cost, weights, leans = 0.0, [], []
    for k in range(int(label.max()) + 1):
        x, y = u[label == k] - u[label == k].mean(), v[label == k] - v[label == k].mean()
        spread = float((x**2).sum())
        slope = float((x * y).sum()) / spread if spread > 1.0 else 0.0
        cost += float(((y - slope * x) ** 2).sum()) / ROW_SD_MM**2
        # What is known of a row's direction: by its tiles, and that rows lie nearly parallel.
        known = spread / ROW_SD_MM**2
        weights.append(known / (1.0 + known * ROW_LEAN_SD**2))
        leans.append(start + float(np.arctan(slope)))
    near = directions[np.abs(directions - start) < 3 * LEAN_SD]
    if len(near):
        weights.append(0.3 * len(near) / LEAN_SD**2)
        leans.append(float(near.mean()))
    if hint is not None:
        weights.append(1.0 / HINT_SD**2)
        leans.append(hint)
    w, a = np.array(weights), np.array(leans)
    lean = float((w * a).sum() / w.sum()) if w.sum() > 0 else start
    return cost + float((w * (a - lean) ** 2).sum()) + 2.0 * lean**2, lean


def _motley(colours: Floats, label: Ints) -> float:
    """Return what it costs that pieces of one row differ in colour."""
    cost = 0.0
    for k in range(int(label.max()) + 1):
        here = colours[(label == k) & ~np.isnan(colours[:, 0])]
        if len(here) > 1:
            away = np.linalg.norm(here - np.median(here, axis=0), axis=1) / COLOUR_SD
            cost += float(np.minimum(away**2, 12.0).sum())
    return cost


def _crowded(points: Floats, label: Ints, lean: float, height_mm: float) -> int:
    """Return how many rows lie nearer to the next than tiles can."""
    u, v = _along(points, lean), _across(points, lean)
    lines = [_line(u[label == k], v[label == k]) for k in range(int(label.max()) + 1)]
    at = np.array([[a + b * x for a, b in lines] for x in (float(u.min()), float(u.max()))])
    return int((np.diff(at, axis=1).max(axis=0) < 0.8 * height_mm).sum()) if len(lines) > 1 else 0


def _neighbour_directions(points: Floats, tile_mm: tuple[float, float]) -> Floats:
    """Return (m,) the directions from pieces to neighbours that lie about a tile's width to the right."""
    step = points[None, :, :] - points[:, None, :]
    far, angle = np.hypot(step[..., 0], step[..., 1]), np.arctan2(step[..., 1], step[..., 0])
    near = (far > 0.8 * tile_mm[0]) & (far < 1.35 * tile_mm[0]) & (np.abs(angle) < np.radians(24.0))
    return np.asarray(angle[near], dtype=np.float64)


def _across(points: Floats, lean: float) -> Floats:
    return np.asarray(-points[:, 0] * np.sin(lean) + points[:, 1] * np.cos(lean))


def _along(points: Floats, lean: float) -> Floats:
    return np.asarray(points[:, 0] * np.cos(lean) + points[:, 1] * np.sin(lean))


def _split(values: Floats, gap: float) -> Ints:
    order = np.argsort(values, kind="stable")
    steps = np.concatenate([[0], np.cumsum(np.diff(values[order]) > gap)])
    label = np.empty(len(values), dtype=np.int64)
    label[order] = steps
    return label


def _refine(points: Floats, lean: float, label: Ints) -> Ints:
    """Return rows after every row has drawn its own line and every piece has gone to its nearest line."""
    u, v = _along(points, lean), _across(points, lean)
    for _ in range(3):
        fits = [_line(u[label == k], v[label == k]) for k in range(int(label.max()) + 1)]
        away = np.abs(np.stack([v - (a + b * u) for a, b in fits], axis=1))
        nearest = away.argmin(axis=1)
        if (nearest == label).all() or len(np.unique(nearest)) < len(fits):
            break
        label = nearest.astype(np.int64)
    return label


def _line(u: Floats, v: Floats) -> tuple[float, float]:
    """Return (a, b) of v = a + b u; short rows lean towards b = 0."""
    centre = float(u.mean())
    spread = float(((u - centre) ** 2).sum())
    b = float(((u - centre) * (v - v.mean())).sum()) / (spread + 40.0**2)
    b = float(np.clip(b, -0.12, 0.12))
    return float(v.mean()) - b * centre, b


def _row_lines(points: Floats, rows: Ints, lean: float) -> tuple[Floats, Floats]:
    """Return (n,) positions along the lean, and (rows, 3): a, b of the row's line and its lean in radians."""
    u, v = _along(points, lean), _across(points, lean)
    lines = []
    for k in range(int(rows.max()) + 1):
        a, b = _line(u[rows == k], v[rows == k])
        lines.append((a, b, lean + np.arctan(b)))
    return u, np.array(lines)


def _pitch(along: Floats, rows: Ints, width_mm: float) -> float:
    """Return the usual distance of neighbours in a row; the tile's width and a little with none."""
    steps = np.concatenate([np.diff(np.sort(along[rows == k])) for k in range(int(rows.max()) + 1)])
    near = steps[(steps > 0.75 * width_mm) & (steps < 1.45 * width_mm)]
    return float(np.median(near)) if len(near) else 1.06 * width_mm


def _full(points: Floats, along: Floats, rows: Ints, lines: Floats, layout: Layout, pitch: float) -> Arrangement:
    """Return the places in a layout without gaps: the order in each row, checked for holes and crowding."""
    problems, doubtful = Problem.NONE, np.zeros(len(points), dtype=bool)
    column, holes = np.zeros(len(points), dtype=np.int64), []
    found = int(rows.max()) + 1
    if found != len(layout.columns):
        problems |= Problem.LAYOUT
    if len(points) != layout.places:
        problems |= Problem.COUNT
    misfit = 3.0 * abs(found - len(layout.columns))
    for k in range(found):
        wanted = layout.columns[min(k, len(layout.columns) - 1)]
        here = np.flatnonzero(rows == k)
        here = here[np.argsort(along[here], kind="stable")]
        places, fits = _number(along[here], pitch, len(wanted))
        misfit += abs(len(here) - len(wanted)) / 2.0
        if not fits:
            problems |= Problem.LAYOUT
            doubtful[here] = True
            misfit += 0.5
        elif k < len(layout.columns):
            holes += _holes(k, wanted, places, along[here], lines[k], pitch)
        column[here] = wanted[0] + places
    order = np.lexsort((column, rows))
    return Arrangement(
        order, rows[order], column[order], doubtful[order], np.degrees(lines[rows[order], 2]), problems,
        tuple(holes), pitch, misfit,
    )  # fmt: skip


def _number(along: Floats, pitch: float, wanted: int) -> tuple[Ints, bool]:
    """Return (n,) places 0.. of sorted positions, and whether they fill or plainly leave out places."""
    n = len(along)
    steps = np.diff(along) / pitch
    if n == wanted:
        return np.arange(n), bool(((steps > 0.6) & (steps < 1.75)).all())
    jumps = np.maximum(1, np.round(steps)).astype(np.int64)
    places = np.concatenate([[0], np.cumsum(jumps)]).astype(np.int64)
    # Holes inside are seen; a hole at an end is not told from a shifted row, so such a row is in doubt.
    inside = n < wanted and int(places[-1]) == wanted - 1 and bool((np.abs(steps - jumps) < OFF_LATTICE).all())
    return places, inside


def _holes(
    row: int, wanted: tuple[int, ...], places: Ints, along: Floats, line: Floats, pitch: float
) -> list[tuple[int, int, float, float]]:
    """Return the places between found ones, where they must be."""
    out = []
    for place in sorted(set(range(len(wanted))) - set(places.tolist())):
        u = float(np.interp(place, places, along))
        v = float(line[0] + line[1] * u)
        lean = float(line[2] - np.arctan(line[1]))
        out.append((row, wanted[place], u * np.cos(lean) - v * np.sin(lean), u * np.sin(lean) + v * np.cos(lean)))
    return out


def _open(
    points: Floats, along: Floats, rows: Ints, lines: Floats, layout: Layout, pitch: float,
    tile_mm: tuple[float, float], tray_mm: tuple[float, float],
) -> Arrangement:  # fmt: skip
    """Return the places in a layout with gaps: columns of a lattice that the rows share."""
    problems = Problem.NONE
    lattice, off, step = _lattice(along, rows, pitch)
    rows = _with_empty_rows(rows, lines, tile_mm[1], float(along.mean()))
    width = layout.width
    span = int(lattice.max() - lattice.min())
    column = lattice - lattice.min()
    doubtful = off > OFF_LATTICE
    if span >= width or int(rows.max()) >= len(layout.columns):
        problems |= Problem.LAYOUT
        doubtful[:] = True
    elif span < width - 1:
        lean = float(lines[0, 2] - np.arctan(lines[0, 1]))
        shift, certain = _shift(along, lattice, width, step, lean, tray_mm)
        column = column + shift
        if not certain:
            problems |= Problem.LAYOUT
            doubtful[:] = True
    key = rows * 1000 + column
    _, first, count = np.unique(key, return_inverse=True, return_counts=True)
    if (count > 1).any():
        problems |= Problem.LAYOUT
        doubtful |= count[first] > 1
    order = np.lexsort((column, rows))
    lean_deg = np.degrees(lines[:, 2])[np.unique(rows, return_inverse=True)[1]]
    return Arrangement(
        order, rows[order], column[order], doubtful[order], lean_deg[order], problems, (), step,
        float(off.mean()) + (2.0 if problems else 0.0),
    )  # fmt: skip


def _lattice(along: Floats, rows: Ints, pitch: float) -> tuple[Ints, Floats, float]:
    """Return (n,) columns up to a common shift, (n,) distance from the lattice in pitches, and the pitch.

    Rows share the pitch and, up to a quarter of it, the origin: the few tiles of a short row are placed
    by what the long rows show.
    """
    count = int(rows.max()) + 1
    start, best = float(along.min()), (np.inf, 0.0, pitch)
    for p in pitch * np.linspace(0.96, 1.06, 21):
        for o in np.linspace(-0.5, 0.5, 21) * p:
            x = (along - start - o) / p
            cost = float(np.abs(x - np.round(x)).mean())
            if cost < best[0] - 1e-9:
                best = (cost, start + o, p)
    origin, step = best[1], best[2]
    column = np.round((along - origin) / step)
    shifts = np.zeros(count)
    for _ in range(4):
        for k in range(count):
            r = (along - origin - step * column)[rows == k]
            # A row's own shift is believed by the number of its tiles.
            shifts[k] = r.sum() / (len(r) + 2.0)
        x = along - origin - shifts[rows]
        design = np.column_stack([np.ones(len(x)), column])
        if len(np.unique(column)) > 1:
            fit = np.linalg.lstsq(design, x, rcond=None)[0]
            origin, step = origin + float(fit[0]), float(np.clip(fit[1], 0.9 * pitch, 1.12 * pitch))
        column = np.round((along - origin - shifts[rows]) / step)
    off = np.abs((along - origin - shifts[rows]) / step - column)
    return column.astype(np.int64), off, step


def _with_empty_rows(rows: Ints, lines: Floats, height_mm: float, middle: float) -> Ints:
    """Return rows counted with those left out between others (a colour without tiles yet)."""
    if len(lines) < 2:
        return rows
    gaps = np.diff(lines[:, 0] + lines[:, 1] * middle)
    number = np.concatenate([[0], np.cumsum(np.maximum(1, np.round(gaps / (1.12 * height_mm))))])
    return np.asarray(number[rows], dtype=np.int64)


def _shift(
    along: Floats, lattice: Ints, width: int, step: float, lean: float, tray_mm: tuple[float, float]
) -> tuple[int, bool]:
    """Return how many empty columns lie on the left, from where the array lies; and if certain."""
    middle = float(_along(np.array([[tray_mm[0] / 2, tray_mm[1] / 2]]), lean)[0])
    first = float(np.median(along - step * (lattice - lattice.min())))
    free = width - 1 - int(lattice.max() - lattice.min())
    centres = np.array([first - step * s + step * (width - 1) / 2 for s in range(free + 1)])
    weight = np.exp(-0.5 * ((centres - middle) / SHIFT_SD_MM) ** 2) + 1e-6
    weight /= weight.sum()
    best = int(weight.argmax())
    return best, bool(weight[best] > 0.99)


def _nothing(problems: Problem) -> Arrangement:
    none = np.zeros(0, dtype=np.int64)
    return Arrangement(none, none, none, none.astype(bool), none.astype(float), problems, misfit=99.0)


def tell_apart(
    centres_mm: Floats,
    *,
    layouts: tuple[Layout, ...],
    tile_mm: tuple[float, float],
    tray_mm: tuple[float, float],
    lean_hint: float | None = None,
    colours: Floats | None = None,
) -> tuple[Expectation, Arrangement]:
    """Return the layout that the pieces' places fit best, with their places in it."""
    rest = {"tile_mm": tile_mm, "tray_mm": tray_mm}
    tried = [
        (layout.name, arrange(centres_mm, layout=layout, lean_hint=lean_hint, colours=colours, **rest))
        for layout in layouts
    ]

    # A full layout that fits is a stronger claim than one with gaps, which nearly everything fits.
    def cost(item: tuple[Expectation, Arrangement]) -> tuple[bool, bool, float]:
        name, found = item
        return (not found.fits, found.fits and name is Expectation.DRAWBRIDGE, found.misfit)

    return min(tried, key=cost)
