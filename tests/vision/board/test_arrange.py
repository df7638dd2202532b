"""DESIGN: pieces -> rows and columns. RULES 1: rows are laid by hand: tilted, untidy, shifted; Draw Bridge:
a row is always a block from the left and a block from the right of ten places."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.board.arrange import Arrangement, arrange, tell_apart
from vision.layout import LAYOUTS, TRAY_MM, Expectation
from vision.reading import Problem

TILE = (25.0, 27.0)
FULL = (Expectation.ROWS, Expectation.RECT, Expectation.DIAMOND)


def laid(
    cells: list[tuple[int, int]], rng: np.random.Generator, *, lean_deg: float, width: int = 10, rows: int = 4
) -> np.ndarray:
    """Return where hands put tiles of (row, column) places, in tray millimetres."""
    pitch = np.array([TILE[0] + 1.0, TILE[1] + 2.0])
    shift = rng.normal(0, 1.5, rows)
    tilt = np.radians(rng.normal(0, 0.7, rows))
    out = []
    for row, column in cells:
        x = (column - (width - 1) / 2) * pitch[0] + shift[row] + rng.normal(0, 0.4)
        y = (row - (rows - 1) / 2) * pitch[1] + np.tan(tilt[row]) * x + rng.normal(0, 0.7)
        out.append((x, y))
    a = np.radians(lean_deg)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return np.array(out).reshape(-1, 2) @ turn + np.array(TRAY_MM) / 2 + rng.normal(0, 4, 2)


def places(found: Arrangement, order: np.ndarray, cells: list[tuple[int, int]]) -> tuple[list, list]:
    got = list(zip(found.row.tolist(), found.column.tolist(), strict=True))
    return got, [cells[k] for k in order[found.index]]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(FULL), st.floats(-9, 9))
def test_hand_laid_full_layouts_are_found_place_by_place(seed: int, expect: Expectation, lean: float) -> None:
    rng = np.random.default_rng(seed)
    layout = LAYOUTS[expect]
    cells = [(r, c) for r, columns in enumerate(layout.columns) for c in columns]
    points = laid(cells, rng, lean_deg=lean, width=layout.width, rows=len(layout.columns))
    order = rng.permutation(len(cells))
    found = arrange(points[order], layout=layout, tile_mm=TILE, tray_mm=TRAY_MM, lean_hint=np.radians(lean))
    got, want = places(found, order, cells)
    assert got == want
    assert found.fits


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.floats(-8, 8))
def test_a_draw_bridge_is_placed_rightly_or_doubted(seed: int, lean: float) -> None:
    rng = np.random.default_rng(seed)
    cells = []
    for row in range(4):
        left, right = rng.integers(0, 6), rng.integers(0, 5)
        cells += [(row, c) for c in (*range(left), *range(10 - right, 10))]
    if len(cells) < 2:
        return
    points = laid(cells, rng, lean_deg=lean)
    found = arrange(
        points, layout=LAYOUTS[Expectation.DRAWBRIDGE], tile_mm=TILE, tray_mm=TRAY_MM, lean_hint=np.radians(lean)
    )
    first = min(r for r, _ in cells)
    want = sorted((r - first, c) for r, c in cells)
    got = list(zip(found.row.tolist(), found.column.tolist(), strict=True))
    assert got == want or not found.fits


def test_a_bridge_grown_from_both_ends_has_its_gaps_in_the_middle() -> None:
    cells = [(0, 0), (0, 1), (0, 2), (0, 8), (0, 9), (1, 0), (1, 9), (2, 0), (2, 1), (3, 9)]
    points = laid(cells, np.random.default_rng(3), lean_deg=-4)
    found = arrange(
        points, layout=LAYOUTS[Expectation.DRAWBRIDGE], tile_mm=TILE, tray_mm=TRAY_MM, lean_hint=np.radians(-4)
    )
    assert list(zip(found.row.tolist(), found.column.tolist(), strict=True)) == cells
    assert found.fits


@pytest.mark.parametrize(("second", "third", "certain"), [((0, 1), tuple(range(9)), True), ((1, 2), (0, 8), False)])
def test_rows_of_a_bridge_begin_at_an_end(second: tuple[int, ...], third: tuple[int, ...], certain: bool) -> None:
    """RULES, Draw Bridge: the first tile of a colour goes to either end of its row. So nine columns are the first nine
    where each row has a tile in the first of them, though the array lies 10 mm off the middle of the tray."""
    cells = [(0, 0), (0, 1), (0, 2), *((1, c) for c in second), *((2, c) for c in third), (3, 0)]
    points = laid(cells, np.random.default_rng(8), lean_deg=0) + (9.0, 0.0)
    found = arrange(points, layout=LAYOUTS[Expectation.DRAWBRIDGE], tile_mm=TILE, tray_mm=TRAY_MM, lean_hint=0.0)
    assert found.fits is certain
    if certain:
        assert list(zip(found.row.tolist(), found.column.tolist(), strict=True)) == cells


def test_a_tile_beside_its_rows_end_is_surely_nowhere_else() -> None:
    """RULES, Draw Bridge: later tiles lie next to a tile of their row, or at its other end. So one in the ninth column
    may well be meant for the tenth where all others lie by the rule: it is asked about, or lies where it was laid."""
    cells = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0), (2, 8), (3, 0)]
    for seed in range(12):
        points = laid(cells, np.random.default_rng(seed), lean_deg=0) + (9.0, 0.0)
        found = arrange(points, layout=LAYOUTS[Expectation.DRAWBRIDGE], tile_mm=TILE, tray_mm=TRAY_MM, lean_hint=0.0)
        assert list(zip(found.row.tolist(), found.column.tolist(), strict=True)) == cells or not found.fits


@pytest.mark.parametrize(("fourth", "certain"), [([(3, 1), (3, 3)], True), ([(3, 1), (3, 8)], False)])
def test_one_row_that_begins_at_no_end_does_not_outweigh_three_that_do(
    fourth: list[tuple[int, int]], certain: bool
) -> None:
    """RULES, Draw Bridge: each row begins at an end. Where a tile was taken off again, one may not: three that do still
    tell where the array begins, unless more rows have a tile at its other end."""
    cells = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), *fourth]
    if not certain:
        cells = [(0, 0), (1, 1), (2, 8), (2, 7), *fourth]
    points = laid(cells, np.random.default_rng(8), lean_deg=0) + (3.0, 0.0)
    found = arrange(points, layout=LAYOUTS[Expectation.DRAWBRIDGE], tile_mm=TILE, tray_mm=TRAY_MM, lean_hint=0.0)
    assert found.fits is certain
    if certain:
        assert list(zip(found.row.tolist(), found.column.tolist(), strict=True)) == cells


def test_two_tiles_far_apart_in_a_line_of_their_own_are_no_row() -> None:
    """Never silently wrong: a 2 of one row and a 5 of the next, in a line that leans by 4 degrees more than the others;
    `_open` made them one row, and every place was certain."""
    points = [(273.8, 121.4), (301.0, 96.9), (299.2, 124.3), (70.1, 132.1), (248.9, 119.7), (292.4, 176.7)]
    layout = LAYOUTS[Expectation.DRAWBRIDGE]
    found = arrange(np.array(points), layout=layout, tile_mm=(25.27, 26.68), tray_mm=TRAY_MM, lean_hint=0.1159)
    assert found.doubtful.all()
    assert Problem.LAYOUT in found.problems


@pytest.mark.parametrize("aside", [-2.0, -1.0, 1.0, 2.0])
@pytest.mark.parametrize("expect", FULL)
def test_a_row_a_tile_aside_is_asked_about_where_columns_count(expect: Expectation, aside: float) -> None:
    """Never silently wrong: RULES 1 asks for columns of `rect` and `diamond`; a row of one colour is counted alone."""
    layout = LAYOUTS[expect]
    cells = [(r, c) for r, columns in enumerate(layout.columns) for c in columns]
    rng = np.random.default_rng(3)
    points = laid(cells, rng, lean_deg=0, width=layout.width, rows=len(layout.columns))
    plain = arrange(points, layout=layout, tile_mm=TILE, tray_mm=TRAY_MM)
    assert plain.problems == Problem.NONE
    points[[r == 2 for r, _ in cells]] += (aside * (TILE[0] + 1.0), 0.0)
    found = arrange(points, layout=layout, tile_mm=TILE, tray_mm=TRAY_MM)
    asked = expect not in (Expectation.ROWS, Expectation.WILD)
    assert found.problems == (Problem.LAYOUT if asked else Problem.NONE)
    assert (found.row.tolist(), found.column.tolist()) == (plain.row.tolist(), plain.column.tolist())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(-0.35, 0.35))
def test_a_board_whose_rows_each_lie_a_little_further_aside_is_one(seed: int, aside: float) -> None:
    """Few questions: people lay slanting boards."""
    layout = LAYOUTS[Expectation.RECT]
    cells = [(r, c) for r, columns in enumerate(layout.columns) for c in columns]
    points = laid(cells, np.random.default_rng(seed), lean_deg=0, width=8, rows=5)
    points += [(aside * (r - 2) * TILE[0], 0.0) for r, _ in cells]
    assert arrange(points, layout=layout, tile_mm=TILE, tray_mm=TRAY_MM).problems == Problem.NONE


@pytest.mark.parametrize("missing", [0, 17, 39])
def test_a_missing_tile_is_said(missing: int) -> None:
    cells = [(r, c) for r in range(4) for c in range(10)]
    points = np.delete(laid(cells, np.random.default_rng(1), lean_deg=2), missing, axis=0)
    found = arrange(points, layout=LAYOUTS[Expectation.ROWS], tile_mm=TILE, tray_mm=TRAY_MM)
    assert Problem.COUNT in found.problems
    assert not found.fits


def test_a_hole_inside_a_row_is_found_where_it_is() -> None:
    cells = [(r, c) for r in range(4) for c in range(10)]
    points = laid(cells, np.random.default_rng(1), lean_deg=2)
    found = arrange(np.delete(points, 14, axis=0), layout=LAYOUTS[Expectation.ROWS], tile_mm=TILE, tray_mm=TRAY_MM)
    ((row, column, x, y),) = found.holes
    assert (row, column) == (1, 4)
    assert np.hypot(x - points[14, 0], y - points[14, 1]) < 4.0


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(FULL), st.floats(-9, 9), st.booleans())
def test_a_hole_at_the_end_of_a_row_is_told_by_the_other_rows(
    seed: int, expect: Expectation, lean: float, last: bool
) -> None:
    """Issue 3: one tile in question, not the whole row."""
    rng = np.random.default_rng(seed)
    layout = LAYOUTS[expect]
    row = int(rng.integers(1, len(layout.columns) - 1))
    cells = [(r, c) for r, columns in enumerate(layout.columns) for c in columns]
    gone = (row, layout.columns[row][-1 if last else 0])
    every = laid(cells, rng, lean_deg=lean, width=layout.width, rows=len(layout.columns))
    kept = [k for k, cell in enumerate(cells) if cell != gone]
    found = arrange(every[kept], layout=layout, tile_mm=TILE, tray_mm=TRAY_MM, lean_hint=np.radians(lean))
    assert places(found, np.array(kept), cells)[0] == [cell for cell in cells if cell != gone]
    assert found.problems == Problem.COUNT
    ((r, c, x, y),) = found.holes
    assert (r, c) == gone
    assert np.hypot(*(every[cells.index(gone)] - (x, y))) < 6.0


def test_a_short_row_laid_half_way_between_the_others_places_is_doubted() -> None:
    """Never silently wrong: which end of it is open, nobody can say."""
    rng = np.random.default_rng(5)
    cells = [(r, c) for r in range(4) for c in range(10) if (r, c) != (2, 9)]
    points = laid(cells, rng, lean_deg=0.0)
    points[[r == 2 for r, _ in cells]] += (13.0, 0.0)
    found = arrange(points, layout=LAYOUTS[Expectation.ROWS], tile_mm=TILE, tray_mm=TRAY_MM, lean_hint=0.0)
    assert Problem.LAYOUT in found.problems
    assert found.doubtful[found.row == 2].all()
    assert not found.holes


def test_a_stray_piece_is_said() -> None:
    cells = [(r, c) for r in range(4) for c in range(10)]
    points = np.vstack([laid(cells, np.random.default_rng(1), lean_deg=2), [[40.0, 230.0]]])
    assert not arrange(points, layout=LAYOUTS[Expectation.ROWS], tile_mm=TILE, tray_mm=TRAY_MM).fits


def test_nothing_is_no_layout() -> None:
    found = arrange(np.zeros((0, 2)), layout=LAYOUTS[Expectation.ROWS], tile_mm=TILE, tray_mm=TRAY_MM)
    assert not found.fits


@pytest.mark.parametrize("expect", FULL)
def test_layouts_are_told_apart_by_their_places(expect: Expectation) -> None:
    layout = LAYOUTS[expect]
    cells = [(r, c) for r, columns in enumerate(layout.columns) for c in columns]
    points = laid(cells, np.random.default_rng(5), lean_deg=5, width=layout.width, rows=len(layout.columns))
    names = (*FULL, Expectation.DRAWBRIDGE)
    name, found = tell_apart(points, layouts=tuple(LAYOUTS[e] for e in names), tile_mm=TILE, tray_mm=TRAY_MM)
    assert name is expect
    assert found.fits


def test_one_colour_a_row_decides_where_geometry_cannot() -> None:
    cells = [(0, 0), (0, 1), (0, 9), (1, 0), (1, 1)]
    points = laid(cells, np.random.default_rng(8), lean_deg=0)
    points[2, 1] += 13.0  # laid half a row too low
    red, blue = (40.0, 60.0, 40.0), (30.0, 20.0, -60.0)
    layout = LAYOUTS[Expectation.DRAWBRIDGE]
    for colour, row in ((red, 0), (blue, 1)):
        colours = np.array([red, red, colour, blue, blue])
        found = arrange(points, layout=layout, tile_mm=TILE, tray_mm=TRAY_MM, colours=colours)
        assert (row, 9) in zip(found.row.tolist(), found.column.tolist(), strict=True)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(-50, 400), st.floats(-50, 300)), max_size=50), st.sampled_from(list(LAYOUTS)))
def test_no_heap_of_pieces_makes_it_raise(points: list[tuple[float, float]], expect: Expectation) -> None:
    found = arrange(np.array(points).reshape(-1, 2), layout=LAYOUTS[expect], tile_mm=TILE, tray_mm=TRAY_MM)
    assert len(found.index) == len(points)
    if found.fits:
        assert len(set(zip(found.row.tolist(), found.column.tolist(), strict=True))) == len(points)
