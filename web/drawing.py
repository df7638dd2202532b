"""A round's evidence as shapes for SVG: tiles, runs drawn over them and numbered. Pure; decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from statistics import median
from typing import Any

from pi.rules.values import Cell, Layout
from web.evidence import Evidence, Point
from web.present_scramble import blank_cells

PITCH = 100.0
"""Units from tile to tile where there is no picture and we draw the tray ourselves."""
NEAR = 1.8
"""Cells closer than this many pitches are neighbours on the tray; others meet around its ends."""


@dataclass(frozen=True, slots=True)
class TileShape:
    """Where a tile lies and what the view says of it."""

    cell: Cell
    centre: Point
    corners: tuple[Point, ...]
    fact: Mapping[str, Any] | None
    """The view's tile; None when tiles are not shown."""
    runs: tuple[int, ...]
    """Numbers of the runs it belongs to."""
    assigned: str | None
    """The number a wild stands for here."""

    @property
    def outline(self) -> str:
        """The corners as SVG points."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.corners)


@dataclass(frozen=True, slots=True)
class RunShape:
    """A run's line and the place of its number."""

    number: int
    tone: int
    """0 to 5: the line's colour; its number and dash tell it apart without colour too."""
    lines: tuple[tuple[Point, Point], ...]
    stubs: tuple[tuple[Point, Point], ...]
    """Half lines over the tray's edge, where a line closes to a ring."""
    badge: Point
    points: tuple[Point, ...]
    symbols: str


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything to draw, in the pixels of the picture (or units of our own drawing)."""

    size_wh: Point
    frame: str | None
    pitch: float
    tiles: tuple[TileShape, ...]
    runs: tuple[RunShape, ...]

    @property
    def focus(self) -> str:
        """The SVG view box around the tiles, with room for lines that lead out of the tray."""
        xs = [x for tile in self.tiles for x, _ in tile.corners]
        ys = [y for tile in self.tiles for _, y in tile.corners]
        left, top = max(0.0, min(xs) - 0.7 * self.pitch), max(0.0, min(ys) - 0.4 * self.pitch)
        right = min(self.size_wh[0], max(xs) + 0.7 * self.pitch)
        bottom = min(self.size_wh[1], max(ys) + 0.6 * self.pitch)
        return f"{left:.1f} {top:.1f} {right - left:.1f} {bottom - top:.1f}"


def scene(view: Mapping[str, Any], evidence: Evidence | None) -> Scene:
    """Return what to draw of a round's view; without a picture the tray is drawn as a plain grid."""
    cells = blank_cells(Layout(view["layout"]))
    corners = dict(evidence.corners) if evidence else {}
    size = evidence.size_wh if evidence else _grid_size(cells)
    if not set(cells) <= set(corners):
        corners, size, evidence = {cell: _square(cell) for cell in cells}, _grid_size(cells), None
    centres = {cell: _centre(corners[cell]) for cell in cells}
    pitch = _pitch(centres)
    truth = view["truth"] or {"runs": [], "assignment": []}
    return Scene(
        size,
        evidence.frame if evidence else None,
        pitch,
        tuple(_tiles(view, truth, corners, centres)),
        tuple(_runs(truth["runs"], centres, pitch)),
    )


def _grid_size(cells: Sequence[Cell]) -> Point:
    return (max(c for _, c in cells) + 2) * PITCH, (max(r for r, _ in cells) + 2) * PITCH


def _square(cell: Cell) -> tuple[Point, ...]:
    x, y, half = (cell[1] + 1) * PITCH, (cell[0] + 1) * PITCH, 0.43 * PITCH
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def _centre(corners: Sequence[Point]) -> Point:
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _pitch(centres: Mapping[Cell, Point]) -> float:
    steps = [
        _distance(centre, centres[row, column + 1])
        for (row, column), centre in centres.items()
        if (row, column + 1) in centres
    ]
    return median(steps) if steps else PITCH


def _distance(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _tiles(
    view: Mapping[str, Any],
    truth: Mapping[str, Any],
    corners: Mapping[Cell, tuple[Point, ...]],
    centres: Mapping[Cell, Point],
) -> Iterator[TileShape]:
    facts = {(t["row"], t["column"]): t for t in view["tiles"]}
    assigned = {(a["row"], a["column"]): a["symbol"] for a in truth["assignment"]}
    for cell, centre in centres.items():
        runs = tuple(run["number"] for run in truth["runs"] if list(cell) in run["cells"])
        yield TileShape(cell, centre, corners[cell], facts.get(cell), runs, assigned.get(cell))


def _runs(runs: Sequence[Mapping[str, Any]], centres: Mapping[Cell, Point], pitch: float) -> Iterator[RunShape]:
    taken: list[Point] = []
    for run in runs:
        cells = [(row, column) for row, column in run["cells"]]
        # Beside the numbers, not over them; runs of one straight would lie over each other, so each is
        # drawn a little beside the last.
        beside = _beside(cells, centres, pitch, (0.34 + 0.09 * ((run["number"] - 1) % 3)) * pitch)
        shifted = {c: (centres[c][0] + beside[0], centres[c][1] + beside[1]) for c in cells}
        near = [(a, b) for a, b in pairwise(cells) if _distance(centres[a], centres[b]) < NEAR * pitch]
        far = [(a, b) for a, b in pairwise(cells) if (a, b) not in near]
        badge = _free_place(shifted[cells[1]], pitch, taken)
        taken.append(badge)
        yield RunShape(
            run["number"],
            (run["number"] - 1) % 6,
            tuple((shifted[a], shifted[b]) for a, b in near),
            tuple(stub for a, b in far for stub in _stubs(a, b, shifted, pitch)),
            badge,
            tuple(shifted[c] for c in cells),
            run["symbols"],
        )


def _beside(cells: Sequence[Cell], at: Mapping[Cell, Point], pitch: float, far: float) -> Point:
    """Return the step from tile centres to a run's line: below a row's, to the right of a column's."""
    near = (p for p in pairwise(cells) if _distance(at[p[0]], at[p[1]]) < NEAR * pitch)
    one, other = next(near, (cells[0], cells[0]))
    dx, dy = at[other][0] - at[one][0], at[other][1] - at[one][1]
    if dx < 0 or (abs(dx) < 0.3 * pitch and dy > 0):
        dx, dy = -dx, -dy
    length = hypot(dx, dy) or 1.0
    return (-dy / length * far, dx / length * far) if dx or dy else (0.0, far)


def _stubs(a: Cell, b: Cell, at: Mapping[Cell, Point], pitch: float) -> list[tuple[Point, Point]]:
    """Return short lines out of the tray from two cells that meet around its ends."""
    return [(at[a], _outwards(a, b, at[a], pitch)), (at[b], _outwards(b, a, at[b], pitch))]


def _outwards(cell: Cell, other: Cell, at: Point, pitch: float) -> Point:
    rows, columns = cell[0] - other[0], cell[1] - other[1]
    # An elevator leads from a row's end to another row's start: it leaves sideways, like the row's own ring.
    sideways = columns != 0 and abs(columns) != abs(rows)
    dx = (columns > 0) - (columns < 0)
    dy = 0 if sideways else (rows > 0) - (rows < 0)
    return at[0] + dx * 0.8 * pitch, at[1] + dy * 0.8 * pitch


def _free_place(at: Point, pitch: float, taken: Sequence[Point]) -> Point:
    """Return a place for a run's number on its line near the middle, where no other number stands."""
    step = 0.36 * pitch
    for dx, dy in ((0.0, 0.0), (step, 0.0), (-step, 0.0), (0.0, step), (step, step), (-step, step)):
        place = at[0] + dx, at[1] + dy
        if all(_distance(place, other) > 0.34 * pitch for other in taken):
            return place
    return at
