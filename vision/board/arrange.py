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

from vision.board.bridge import NEXT, Places, beyond_doubt, places_in
from vision.board.parting import Parting, beside, lines_of_rows, part_into_rows, project_across, project_along
from vision.geometry import Floats, Ints
from vision.layout import Expectation, Layout
from vision.reading import Problem

ROW_PITCH, ROW_PITCH_SD = 1.17, 0.04
"""From one row to the next, over a tile's height, 1.0 to 1.35: so that two rows are 1.7 to 2.3 of these, three 2.6 and
more; and how far that is off as a rule, over itself."""
ASKEW_DEG = 3.0
"""Rows of a layout with gaps that lean by more than this from each other may not be the rows: tiles of two of them, far
apart, lie in a line, too. Of 453 boards read right, drawn and traced, none has 2.2; one that was not had 3.9."""
OFF_LATTICE = 0.34
"""A tile further than this share of a pitch from its column stands in doubt."""
ASIDE = 0.65
"""A whole row that lies further aside of the next than this, over the pitch, leaves open which tiles lie above each
other: asked about where rules may ask for columns. A board may lean, so that each row lies a little further aside."""


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
        found = _open(along, part, lines, layout, pitch, tile_mm, tray_mm)
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
    near = steps[(steps > NEXT[0] * width_mm) & (steps < NEXT[1] * width_mm)]
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
    starts = _starts(along, rows, layout, pitch)
    first = float(np.median(list(starts.values()))) if starts else float("nan")
    if layout.columns_count and _lie_aside(starts, pitch):
        problems |= Problem.LAYOUT
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


def _starts(along: Floats, rows: Ints, layout: Layout, pitch: float) -> dict[int, float]:
    """Return where, along the lean, column 0 lies by each row that is whole."""
    return {
        k: float(np.median(np.sort(along[rows == k]) - pitch * np.array(wanted)))
        for k, wanted in enumerate(layout.columns)
        if np.count_nonzero(rows == k) == len(wanted)
    }


def _lie_aside(starts: dict[int, float], pitch: float) -> bool:
    """Return whether of two whole rows, one above the other, the columns of one may not be those of the other."""
    return any(k + 1 in starts and abs(starts[k + 1] - at) > ASIDE * pitch for k, at in starts.items())


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
    along: Floats, part: Parting, lines: Floats, layout: Layout, pitch: float,
    tile_mm: tuple[float, float], tray_mm: tuple[float, float],
) -> Arrangement:  # fmt: skip
    """Return the places in a layout with gaps: columns of an array that all rows share."""
    problems = Problem.NONE
    middle = float(project_along(np.array([[tray_mm[0] / 2, tray_mm[1] / 2]]), part.lean)[0])
    found = places_in(along, part.row, width=layout.width, pitch_mm=pitch, middle_mm=middle)
    if wide := found is None:
        column = np.rint((along - along.min()) / pitch).astype(np.int64)
        found = Places(column, np.zeros(len(along)), pitch, False)
    column, step = found.column, found.pitch_mm
    rows, told = _with_empty_rows(along, part, lines, ROW_PITCH * tile_mm[1])
    doubtful = found.off > OFF_LATTICE
    askew = float(np.ptp(np.degrees(lines[:, 2]))) > ASKEW_DEG
    if not told or not found.certain:
        # What lay there before may tell; no tile is in doubt for that.
        problems |= Problem.LAYOUT
    if askew or wide or int(rows.max()) >= len(layout.columns):
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
        float(found.off.mean()) + (2.0 if problems else 0.0),
    )  # fmt: skip


def _with_empty_rows(along: Floats, part: Parting, lines: Floats, pitch_mm: float) -> tuple[Ints, bool]:
    """Return rows counted with those left out between others (a colour without tiles yet), and whether that is sure."""
    if len(lines) < 2:
        return part.row, True
    far = beside(along, part.row)
    gaps = np.diff(lines[:, 0] + lines[:, 1] * float(along.mean())) / pitch_mm
    number = np.concatenate([[0], np.cumsum(np.maximum(1, np.rint(gaps)))]).astype(np.int64)
    unsure = np.hypot(far * part.lean_sd / pitch_mm, ROW_PITCH_SD * gaps)
    return number[part.row], bool(beyond_doubt(gaps, unsure).all())


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
