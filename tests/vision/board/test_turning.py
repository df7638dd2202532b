"""RULES 1: all tiles are laid in the same direction, and that tells which way up a row is. Whoever sits where."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.trays import ROWS, cells, drawn, tray_of, upside_down, with_tiles
from vision.board.turning import count_on_heads, on_its_head, other_way_round
from vision.drawing import Drawn, TrayScene, scene_for_layout
from vision.errors import CannotLearn
from vision.reader import read
from vision.reading import Problem, Reading, Status
from vision.teaching.lessons import Lesson
from vision.teaching.teach_look import look_at
from vision.tray.rectify import Image

TRAY = tray_of(drawn())


def board(reading: Reading) -> list[tuple[int, int, str]]:
    return sorted((tile.row, tile.column, tile.symbol) for tile in reading.tiles)


def turned(scene: TrayScene, *, rows: tuple[int, ...] = (), tiles: tuple[int, ...] = ()) -> Drawn:
    """Return the scene drawn with some of its tiles turned half round where they lie."""
    chosen = {id(scene.tiles[k]) for k in tiles}
    return drawn(scene=upside_down(scene, lambda tile: tile.row in rows or id(tile) in chosen))


@pytest.fixture(scope="module")
def scene() -> TrayScene:
    return scene_for_layout(cells(), layout="rows", seed=1)


def test_a_board_without_markers_is_read_as_its_tiles_stand() -> None:
    """The edge of a felt does not say on which side of it the camera hangs."""
    picture = drawn(markers=False).picture_bgr
    upright, overhead = read(picture, expect="rows"), read(cv2.rotate(picture, cv2.ROTATE_180), expect="rows")
    assert upright.status is overhead.status is Status.READ
    assert board(upright) == board(overhead)
    assert [tile.colour for tile in upright.tiles] == [tile.colour for tile in overhead.tiles]


def test_players_may_sit_on_the_markers_other_side() -> None:
    """Markers laid the other way round, or tiles laid from there: the registration stays as it is."""
    picture = drawn().picture_bgr
    reading = read(picture, expect="rows", tray=other_way_round(TRAY))
    assert board(reading) == board(read(picture, expect="rows"))
    assert reading.tray in (TRAY.corners, other_way_round(TRAY).corners)
    assert reading.status is Status.READ


@pytest.mark.parametrize("rows", [(1,), (0, 3)])
def test_a_row_that_faces_the_other_way_is_asked_about(scene: TrayScene, rows: tuple[int, ...]) -> None:
    """Never silently wrong: its order is that of its tiles, or that of the board."""
    reading = read(turned(scene, rows=rows).picture_bgr, expect="rows")
    assert reading.status is Status.UNSURE
    assert Problem.LAYOUT in reading.problems


def square(rows: tuple[str, ...], turned_rows: tuple[int, ...], *, layout: str) -> Image:
    """Return rows of tiles without arcs, some whole rows of them upside down where each tile lies."""
    colours = ("green", "blue", "purple", "orange")
    scene = scene_for_layout(cells(tuple(zip(colours, rows, strict=True))), layout=layout, seed=2)
    laid = upside_down(scene, lambda tile: tile.row in turned_rows)
    return drawn(scene=laid, seed=2, look=with_tiles(sag_mm=0.0)).picture_bgr


@pytest.mark.parametrize(
    ("rows", "layout"),
    [(tuple(text for _, text in ROWS), "rows"),
     (("26........", "47.......3", "9........1", "5........."), "drawbridge"),
     (("726.....80", "47.......3", "91........", "5........."), "drawbridge")],
    ids=["whole", "two tiles", "five"],
)  # fmt: skip
def test_where_no_arcs_are_a_row_on_its_head_is_asked_about_by_what_tells(rows: tuple[str, ...], layout: str) -> None:
    """RULES 1: a 6 is no 9. 0, 1, 6, 8 and 9 stand on either end: five of a row of ten say how it stands."""
    upright = read(square(rows, (), layout=layout), expect=layout)
    assert upright.status is Status.READ
    reading = read(square(rows, (0,), layout=layout), expect=layout)
    assert reading.status is Status.UNSURE
    assert Problem.LAYOUT in reading.problems
    assert not any(tile.sure for tile in reading.tiles if tile.row == 0 and tile.symbol in "69")


@pytest.mark.parametrize("columns", [(0, 1, 2), (4, 5, 6, 7, 8, 9)])
def test_a_block_of_columns_on_their_heads_is_asked_about(columns: tuple[int, ...]) -> None:
    """Never silently wrong: half a board was laid from the other side, by columns, and read as if none were."""
    scene = scene_for_layout(cells(), layout="rows", seed=2)
    laid = upside_down(scene, lambda tile: tile.column in columns)
    reading = read(drawn(scene=laid, seed=2, look=with_tiles(sag_mm=0.0)).picture_bgr, expect="rows")
    assert reading.status is Status.UNSURE
    assert Problem.LAYOUT in reading.problems
    assert not any(tile.sure for tile in reading.tiles if tile.symbol in "69")


def test_three_of_four_rows_on_their_heads_turn_the_board_and_the_fourth_is_asked_about(scene: TrayScene) -> None:
    reading = read(turned(scene, rows=(0, 1, 2)).picture_bgr, expect="rows")
    assert reading.status is Status.UNSURE
    assert Problem.LAYOUT in reading.problems


def test_one_tile_or_two_the_wrong_way_round_are_read_where_they_lie(scene: TrayScene) -> None:
    reading = read(turned(scene, tiles=(2, 17)).picture_bgr, expect="rows")
    assert board(reading) == board(read(drawn(scene=scene).picture_bgr, expect="rows"))
    assert count_on_heads(reading, TRAY) == 2
    assert Problem.LAYOUT not in reading.problems


@given(st.lists(st.tuples(st.floats(0, 360), st.floats(0, 260)), min_size=1, max_size=5))
def test_from_the_other_side_right_is_left_and_low_is_high(points: list[tuple[float, float]]) -> None:
    other, mm = other_way_round(TRAY), np.array(points)
    seen = other.to_mm(TRAY.to_px(mm))
    assert np.allclose(seen, np.array(TRAY.size_mm) - mm, atol=1e-6)
    back = other_way_round(other)
    assert np.allclose(back.to_mm(TRAY.to_px(mm)), mm, atol=1e-6)
    assert (back.corners, back.markers) == (TRAY.corners, TRAY.markers)


def test_tiles_that_stand_on_their_heads_are_not_taught() -> None:
    """Or each number would be learnt as another: without markers the camera may hang on the other side."""
    in_order = cells(tuple((colour, "0123456789") for colour in ("green", "blue", "purple", "orange")))
    picture = drawn(in_order, markers=False).picture_bgr
    assert look_at(Lesson(picture), 1).called == ("green", "blue", "purple", "orange")
    with pytest.raises(CannotLearn, match=r"^the tiles of picture 7 stand on their heads: turn the tray round"):
        look_at(Lesson(cv2.rotate(picture, cv2.ROTATE_180)), 7)


def test_a_tile_on_its_head_stands_upright_from_the_other_side() -> None:
    tiles = read(drawn().picture_bgr, expect="rows").tiles
    assert not any(on_its_head(tile, TRAY) for tile in tiles)
    assert all(on_its_head(tile, other_way_round(TRAY)) for tile in tiles)


def test_the_first_two_tiles_of_a_bridge_are_read_from_their_own_side_whatever_side_the_camera_hangs_on() -> None:
    """RULES 1, Draw Bridge: two tiles begin. An edge does not say how the tray lies, and a 0 how it lies itself."""
    colours = ("green", "blue", "purple", "orange")
    rows = zip(colours, ("0.........", "5.........", *("..........",) * 2), strict=True)
    picture = drawn(cells(tuple(rows)), layout="drawbridge", markers=False).picture_bgr
    upright, overhead = (read(p, expect="drawbridge") for p in (picture, cv2.rotate(picture, cv2.ROTATE_180)))
    assert board(upright) == board(overhead) == [(0, 0, "0"), (1, 0, "5")]
