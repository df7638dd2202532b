"""RULES 1, Draw Bridge: the first tile of a colour goes to either end of its row, later ones beside a tile of that row
or to its other end. A few tiles show neither how wide a place is nor where the array begins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.arrange import arrange
from vision.board.bridge import beyond_doubt, places_in
from vision.board.parting import part_into_rows
from vision.layout import LAYOUTS, Expectation
from vision.reading import Problem

WIDTH, MIDDLE_MM, PITCH_MM = 10, 180.0, 26.0
TRAY_MM, TILE_MM = (360.0, 260.0), (25.0, 27.0)
Cells = list[tuple[int, int]]


def along_of(columns: list[int], *, pitch_mm: float = PITCH_MM, off_mm: float = 0.0) -> np.ndarray:
    """Return how far right tiles lie, the middle of the array so far from that of the tray."""
    return MIDDLE_MM + off_mm + pitch_mm * (np.array(columns) - (WIDTH - 1) / 2)


def lawful(chance: np.random.Generator, count: int) -> Cells:
    """Return the cells of so many tiles as they may lie, sorted."""
    cells: set[tuple[int, int]] = set()
    while len(cells) < count:
        row, column = int(chance.integers(4)), int(chance.integers(WIDTH))
        beside = {(row, column - 1), (row, column + 1)} & cells
        if column in (0, WIDTH - 1) or beside:
            cells.add((row, column))
    return sorted(cells)


@given(st.integers(0, 2**32), st.integers(2, 12), st.floats(-0.05, 0.05), st.floats(-20.0, 20.0))
def test_law_lawful_tiles_lie_where_they_were_laid_or_that_is_in_doubt(
    seed: int, count: int, wider: float, off_mm: float
) -> None:
    """Never silently wrong: the pitch is some per cent other than a tile's width says, the array off the middle."""
    chance = np.random.default_rng(seed)
    cells = lawful(chance, count)
    rows, columns = np.array([row for row, _ in cells]), [column for _, column in cells]
    along = along_of(columns, pitch_mm=PITCH_MM * (1 + wider), off_mm=off_mm) + chance.normal(0, 0.7, count)
    found = places_in(along, rows, width=WIDTH, pitch_mm=PITCH_MM, middle_mm=MIDDLE_MM)
    assert found is not None
    assert found.column.tolist() == columns or not found.certain


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("away", [1.0, 1.15, 1.3])
@pytest.mark.parametrize("off_mm", [-8.0, 0.0, 8.0])
def test_a_tile_beyond_a_rows_end_does_not_move_the_others(side: int, away: float, off_mm: float) -> None:
    """Never silently wrong: an eleventh tile beside a row was the tenth, and the blocks at the other end of all rows
    moved inwards, surely: of ways to lie those that do not fit into ten places were not even weighed."""
    blocks = ([0, 1, 2, 7, 8, 9], [0, 1, 6, 7, 8, 9], [0, 1, 2, 8, 9], [0, 1, 8, 9])
    rows = np.repeat(np.arange(4), [len(block) for block in blocks])
    along = along_of(sum(blocks, []), off_mm=off_mm)
    lying = places_in(along, rows, width=WIDTH, pitch_mm=PITCH_MM, middle_mm=MIDDLE_MM)
    assert lying is not None
    assert lying.certain
    end = along_of([0 if side < 0 else 9], off_mm=off_mm) + side * away * PITCH_MM
    more = places_in(np.append(along, end), np.append(rows, 0), width=WIDTH, pitch_mm=PITCH_MM, middle_mm=MIDDLE_MM)
    assert more is None


@pytest.mark.parametrize("off_mm", [-24.0, -15.0, 15.0, 24.0])
def test_an_array_off_the_trays_middle_is_no_array_a_place_further_with_tiles_beside_it(off_mm: float) -> None:
    """Few questions: of 15 boards of another program's four were asked about, as a place further lay the middle of the
    tray. There several tiles would lie beside the array, and blocks of others at no end of their rows."""
    blocks = ([0, 1, 2, 3, 4, 9], [0, 1, 7, 8, 9], [0, 1, 9], [0, 1, 2, 3])
    rows = np.repeat(np.arange(4), [len(block) for block in blocks])
    columns = sum(blocks, [])
    along = along_of(columns, off_mm=off_mm)
    found = places_in(along, rows, width=WIDTH, pitch_mm=PITCH_MM, middle_mm=MIDDLE_MM)
    assert found is not None
    assert found.column.tolist() == columns
    assert found.certain


@pytest.mark.parametrize("pitch_mm", [24.2, 26.0, 27.8])
def test_two_tiles_at_either_end_are_nine_places_apart_however_wide_a_place_is(pitch_mm: float) -> None:
    """A pitch some per cent off makes eight places of nine, or ten."""
    found = places_in(
        along_of([0, 9], pitch_mm=pitch_mm), np.array([0, 1]), width=WIDTH, pitch_mm=PITCH_MM, middle_mm=MIDDLE_MM
    )
    assert found is not None
    assert found.column.tolist() == [0, 9]


@pytest.mark.parametrize("columns", [[1, 2], [1, 8]])
def test_where_tiles_lie_at_no_end_nothing_is_certain(columns: list[int]) -> None:
    rows = np.zeros(2, dtype=np.int64)
    found = places_in(along_of(columns, off_mm=6.0), rows, width=WIDTH, pitch_mm=PITCH_MM, middle_mm=MIDDLE_MM)
    assert found is not None
    assert not found.certain


@pytest.mark.parametrize("off_mm", [-20.0, -12.0, -8.0, 0.0, 8.0])
def test_where_nobody_laid_by_the_rule_it_tells_no_place(off_mm: float) -> None:
    """Never silently wrong: tiles that lie anyhow, none in the first column, were surely a place further left, where
    more of their blocks would lie at an end."""
    blocks = ([1, 2, 5, 6], [1, 5, 7], [1, 3], [1, 3, 5, 8])
    rows, columns = np.repeat(np.arange(4), [len(block) for block in blocks]), sum(blocks, [])
    along = along_of(columns, off_mm=off_mm)
    found = places_in(along, rows, width=WIDTH, pitch_mm=PITCH_MM, middle_mm=MIDDLE_MM)
    assert found is not None
    assert found.column.tolist() == columns or not found.certain


def test_what_is_wider_than_an_array_has_no_places() -> None:
    along = along_of([-2, 0, 4, 11])
    assert places_in(along, np.zeros(4, dtype=np.int64), width=WIDTH, pitch_mm=PITCH_MM, middle_mm=MIDDLE_MM) is None


def test_a_row_more_or_less_is_in_doubt_where_the_lean_is() -> None:
    gap = np.array([1.0, 2.3, 2.3])
    assert beyond_doubt(gap, np.array([0.1, 0.05, 0.1])).tolist() == [True, True, False]


def test_two_rows_lie_one_apart_at_least_however_near_they_seem() -> None:
    """Issue 3: few questions. What lies 0.8 of a row's height below, give or take, is the next row."""
    assert beyond_doubt(np.array([0.8, 0.4, 1.3]), np.array([0.15, 0.2, 0.1])).tolist() == [True, True, False]


RED, BLUE = (20.0, 60.0, 40.0), (15.0, 20.0, -60.0)


def two_tiles(lean_deg: float, hint_deg: float, colours: list[tuple[float, float, float]]):
    """Arrange a tile at the left of a row and one at the right of the next, on a board that leans."""
    lean = np.radians(lean_deg)
    points = np.array([(-117.0, -15.0), (117.0, 15.0)])
    turn = np.array([[np.cos(lean), -np.sin(lean)], [np.sin(lean), np.cos(lean)]])
    return arrange(
        points @ turn.T + (180.0, 130.0), layout=LAYOUTS[Expectation.DRAWBRIDGE], tile_mm=TILE_MM, tray_mm=TRAY_MM,
        lean_hint=np.radians(hint_deg), colours=np.array(colours),
    )  # fmt: skip


@pytest.mark.parametrize("hint_deg", [-5.5, -3.0, -1.0])
def test_two_tiles_of_two_colours_are_two_rows_though_they_seem_to_lie_too_near(hint_deg: float) -> None:
    """Two degrees are a third of a tile from end to end: as far off as the mean of two tiles may well be."""
    found = two_tiles(-3.0, hint_deg, [RED, BLUE])
    assert found.row[found.column == 0].tolist() == [0]
    assert found.row.max() > 0


def test_two_tiles_of_one_colour_or_nearly_one_are_never_two_rows_for_certain() -> None:
    """RULES 1: each colour has its own row."""
    for other in (RED, (22.0, 57.0, 44.0)):
        found = two_tiles(-3.0, -1.0, [RED, other])
        assert found.row.max() == 0 or Problem.LAYOUT in found.problems


@pytest.mark.parametrize(("apart", "certain"), [(30.0, False), (42.0, False), (55.0, True), (90.0, True)])
def test_no_light_makes_one_colour_of_what_is_quite_another(apart: float, certain: bool) -> None:
    """RULES 1: each colour has its own row. Glare goes some 50 CIE units far, no farther."""
    # As a row the two would lean by 7.3 degrees; the tiles themselves lean by half of that.
    points, other = np.array([(63.0, 115.0), (297.0, 145.0)]), (RED[0], RED[1], RED[2] - apart)
    found = part_into_rows(
        points, tile_mm=TILE_MM, rows=4, full=False, lean_hint=np.radians(3.6), colours=np.array([RED, other])
    )
    assert found.row.tolist() == [0, 1]
    assert found.certain is certain
