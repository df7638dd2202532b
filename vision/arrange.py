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

from vision.geometry import Floats, Ints
from vision.layout import Expectation, Layout
from vision.parting import lines_of_rows, part_into_rows, project_across, project_along
from vision.reading import Problem

SHIFT_SD_MM = 14.0
"""How far people lay the middle of an array from the middle of the tray (for layouts with open ends)."""
BY_THE_RULE = 5.0
"""How much likelier an array is for each row that has a tile at one of its ends, and again if all rows have (RULES,
Draw Bridge: the first tile of a colour goes to either end of its row). Of 20,000 arrays of blocks from both ends, one
tile in five of which was taken away again, laid as far off as SHIFT_SD_MM says, 592 reach over less than all columns:
324 of these are certain so, two of them wrongly. By each row alone, 10 times, it would be 346 and three, and two rows
that both begin at an end would not be enough; by all rows or none, 50 times, 194 and one."""
ASKEW_DEG = 3.0
"""Rows of a layout with gaps that lean by more than this from each other may not be the rows: tiles of two of them, far
apart, lie in a line, too. Of 453 boards read right, drawn and traced, none has 2.2; one that was not had 3.9."""
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


def _row_lines(points: Floats, rows: Ints, lean: float) -> tuple[Floats, Floats]:
    """Return (n,) positions along the lean, and (rows, 3): a, b of the row's line and its lean in radians."""
    u, v = project_along(points, lean), project_across(points, lean)
    a, b = lines_of_rows(u, v, rows)
    return u, np.column_stack([a, b, lean + np.arctan(b)])


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
    first = _first_column(along, rows, layout, pitch)
    for k in range(found):
        wanted = layout.columns[min(k, len(layout.columns) - 1)]
        here = np.flatnonzero(rows == k)
        here = here[np.argsort(along[here], kind="stable")]
        places, fits = _number(along[here], pitch, len(wanted), first + pitch * wanted[0])
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


def _first_column(along: Floats, rows: Ints, layout: Layout, pitch: float) -> float:
    """Return where, along the lean, column 0 lies by the rows that are whole; NaN where none is."""
    starts = [
        float(np.median(np.sort(along[rows == k]) - pitch * np.array(wanted)))
        for k, wanted in enumerate(layout.columns)
        if np.count_nonzero(rows == k) == len(wanted)
    ]
    return float(np.median(starts)) if starts else float("nan")


def _number(along: Floats, pitch: float, wanted: int, start: float) -> tuple[Ints, bool]:
    """Return (n,) places 0.. of sorted positions, and whether they fill or plainly leave out places.

    start: where the first place lies by the other rows; NaN where they do not say.
    """
    n = len(along)
    steps = np.diff(along) / pitch
    if n == wanted:
        return np.arange(n), bool(((steps > 0.6) & (steps < 1.75)).all())
    jumps = np.maximum(1, np.round(steps)).astype(np.int64)
    places = np.concatenate([[0], np.cumsum(jumps)]).astype(np.int64)
    if n > wanted or bool((np.abs(steps - jumps) >= OFF_LATTICE).any()):
        return places, False
    if int(places[-1]) == wanted - 1:
        return places, True
    # A hole at an end is told by the other rows: those of a shifted row start in between their places.
    off = (along - start) / pitch - places
    skipped = round(float(np.median(off))) if np.isfinite(start) else -1
    inside = 0 <= skipped <= wanted - 1 - int(places[-1])
    if inside and bool((np.abs(off - skipped) < OFF_LATTICE).all()):
        return places + skipped, True
    return places, False


def _holes(
    row: int, wanted: tuple[int, ...], places: Ints, along: Floats, line: Floats, pitch: float
) -> list[tuple[int, int, float, float]]:
    """Return the places between found ones, and beyond them, where they must be."""
    out = []
    for place in sorted(set(range(len(wanted))) - set(places.tolist())):
        near = np.clip(place, places[0], places[-1])
        u = float(np.interp(near, places, along)) + pitch * float(place - near)
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
    askew = float(np.ptp(np.degrees(lines[:, 2]))) > ASKEW_DEG
    if askew or span >= width or int(rows.max()) >= len(layout.columns):
        problems |= Problem.LAYOUT
        doubtful[:] = True
    elif span < width - 1:
        lean = float(lines[0, 2] - np.arctan(lines[0, 1]))
        shift, certain = _shift(along, column, rows, width, step, lean, tray_mm)
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
    origin, step = _rough_lattice(along, pitch)
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


def _rough_lattice(along: Floats, pitch: float) -> tuple[float, float]:
    """Return the origin and the pitch, of 21 each, to whose lattice positions lie nearest; the first of equals."""
    start, p = float(along.min()), pitch * np.linspace(0.96, 1.06, 21)[:, None]
    o = np.linspace(-0.5, 0.5, 21) * p
    x = (along - start - o[:, :, None]) / p[:, :, None]
    best = (np.inf, 0)
    for k, cost in enumerate(np.abs(x - np.round(x)).mean(axis=2).ravel().tolist()):
        if cost < best[0] - 1e-9:
            best = (cost, k)
    i, j = divmod(best[1], o.shape[1])
    return start + float(o[i, j]), float(p[i, 0])


def _with_empty_rows(rows: Ints, lines: Floats, height_mm: float, middle: float) -> Ints:
    """Return rows counted with those left out between others (a colour without tiles yet)."""
    if len(lines) < 2:
        return rows
    gaps = np.diff(lines[:, 0] + lines[:, 1] * middle)
    number = np.concatenate([[0], np.cumsum(np.maximum(1, np.round(gaps / (1.12 * height_mm))))])
    return np.asarray(number[rows], dtype=np.int64)


def _shift(
    along: Floats, column: Ints, rows: Ints, width: int, step: float, lean: float, tray_mm: tuple[float, float]
) -> tuple[int, bool]:
    """Return how many empty columns lie on the left, by where the array lies and how its rows began; and if certain.

    column: (n,) counted from the leftmost tile.
    """
    middle = float(project_along(np.array([[tray_mm[0] / 2, tray_mm[1] / 2]]), lean)[0])
    first = float(np.median(along - step * column))
    shifts = np.arange(width - int(column.max()))
    centres = first - step * shifts + step * (width - 1) / 2
    weight = np.exp(-0.5 * ((centres - middle) / SHIFT_SD_MM) ** 2) + 1e-6
    weight *= BY_THE_RULE ** _from_an_end(column, rows, width, shifts)
    weight /= weight.sum()
    best = int(weight.argmax())
    return best, bool(weight[best] > 0.99)


def _from_an_end(column: Ints, rows: Ints, width: int, shifts: Ints) -> Ints:
    """Return (m,) in how many rows each of the shifts (m,) puts a tile at one of the row's ends, one more for all."""
    there = np.unique(rows)
    left, right = (np.array([end(column[rows == k]) for k in there]) for end in (np.min, np.max))
    at_end = (left + shifts[:, None] == 0) | (right + shifts[:, None] == width - 1)
    return np.asarray(at_end.sum(axis=1) + at_end.all(axis=1), dtype=np.int64)


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
