"""DESIGN: overlay.py draws a reading for people. It never decides anything, and never touches what it is given."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.trays import drawn, knowing
from vision.overlay import RUN_COLOURS, crop_tile, draw_reading, draw_round, tile_corners_in_view
from vision.reader import read
from vision.reading import DieReading, DiskReading, Problem, Reading, Status

PICTURE = drawn()
READING = read(PICTURE.picture_bgr, expect="rows", eyes=knowing(PICTURE.truth))


def painted(picture: np.ndarray, colour: tuple[int, int, int], *, within: int = 40) -> int:
    return int((np.abs(picture.astype(int) - colour).max(axis=2) < within).sum())


def test_the_picture_given_is_left_alone() -> None:
    before = PICTURE.picture_bgr.copy()
    draw_reading(PICTURE.picture_bgr, READING)
    draw_round(PICTURE.picture_bgr, READING, runs=[[(0, 0), (0, 1), (0, 2)]])
    assert (before == PICTURE.picture_bgr).all()


def test_the_live_view_marks_every_tile() -> None:
    out = draw_reading(PICTURE.picture_bgr, READING)
    assert out.shape == PICTURE.picture_bgr.shape
    for tile in READING.tiles:
        x, y = (round(v) for v in tile.corners[3])
        assert (out[y - 3 : y + 4, x - 3 : x + 4] != PICTURE.picture_bgr[y - 3 : y + 4, x - 3 : x + 4]).any()


def test_a_round_is_shown_as_wide_as_asked_with_its_runs_in_colour() -> None:
    plain = draw_round(PICTURE.picture_bgr, READING, width_px=900)
    run = draw_round(PICTURE.picture_bgr, READING, runs=[[(1, 3), (1, 4), (1, 5)]], width_px=900)
    assert plain.shape[1] == run.shape[1] == 900
    assert painted(run, RUN_COLOURS[0]) > painted(plain, RUN_COLOURS[0]) + 400


def test_a_run_lies_over_its_own_tiles() -> None:
    places = tile_corners_in_view(PICTURE.picture_bgr, READING, width_px=900)
    plain = draw_round(PICTURE.picture_bgr, READING, width_px=900).astype(int)
    run = draw_round(PICTURE.picture_bgr, READING, runs=[[(2, 4), (2, 5), (2, 6)]], width_px=900).astype(int)
    rows, columns = np.nonzero(np.abs(run - plain).max(axis=2) > 20)
    own = np.array([places[2, c] for c in (4, 5, 6)]).reshape(-1, 2)
    slack = 0.4 * (places[2, 4][1][0] - places[2, 4][0][0])
    assert columns.min() > own[:, 0].min() - slack
    assert columns.max() < own[:, 0].max() + slack
    assert rows.min() > own[:, 1].min() - slack
    assert rows.max() < own[:, 1].max() + slack


@pytest.mark.parametrize(
    "run",
    [
        [(0, 0), (0, 8), (0, 9)],  # wraps round the end of its row
        [(0, 8), (0, 9), (2, 0)],  # takes the elevator
        [(0, 5), (1, 5), (2, 5)],  # a column
        [(0, 5), (1, 5), (3, 5)],  # a column that wraps
        [(0, 0), (1, 1), (2, 2)],  # a diagonal
        [(7, 7), (8, 8), (9, 9)],  # cells that nobody read
        [],
    ],
)
def test_every_kind_of_run_can_be_drawn(run: list[tuple[int, int]]) -> None:
    assert draw_round(PICTURE.picture_bgr, READING, runs=[run, run]).dtype == np.uint8


@pytest.mark.parametrize("status", list(Status))
def test_readings_without_tiles_can_be_drawn(status: Status) -> None:
    reading = Reading(status, problems=Problem.HAND | Problem.GLARE)
    assert draw_reading(PICTURE.picture_bgr, reading).shape == PICTURE.picture_bgr.shape
    assert draw_round(PICTURE.picture_bgr, reading, width_px=640).shape[1] == 640


def test_dice_and_disks_are_marked() -> None:
    corners = ((100.0, 100.0), (120.0, 100.0), (120.0, 120.0), (100.0, 120.0))
    reading = Reading(
        Status.UNSURE,
        dice=(DieReading(4, "red", True, 0.99, (110.0, 110.0), corners),),
        disks=(DiskReading("queue", 2, False, 0.7, (300.0, 300.0)),),
    )
    out = draw_reading(PICTURE.picture_bgr, reading)
    for x, y in ((110, 92), (300, 278)):  # what they are said to be stands above them
        assert (out[y - 8 : y + 9, x - 8 : x + 9] != PICTURE.picture_bgr[y - 8 : y + 9, x - 8 : x + 9]).any()


def test_what_was_not_read_is_marked_where_it_lies() -> None:
    where = ((500.0, 500.0), (540.0, 500.0), (540.0, 540.0), (500.0, 540.0))
    out = draw_reading(PICTURE.picture_bgr, Reading(Status.UNSURE, problems=Problem.COUNT, unread=(where,)))
    for x, y in ((500, 500), (540, 520), (520, 490)):
        assert (out[y - 4 : y + 5, x - 4 : x + 5] != PICTURE.picture_bgr[y - 4 : y + 5, x - 4 : x + 5]).any()


def test_a_tile_is_cut_out_upright() -> None:
    tile = READING.tiles[0]
    crop = crop_tile(PICTURE.picture_bgr, tile, size_px=120)
    assert crop.shape == (120, 120, 3)
    x, y = (round(v) for v in tile.centre)
    assert np.abs(crop[60, 60].astype(int) - PICTURE.picture_bgr[y, x]).max() < 60


def test_taps_find_the_tile_they_hit() -> None:
    places = tile_corners_in_view(PICTURE.picture_bgr, READING, width_px=1000)
    assert set(places) == {(t.row, t.column) for t in READING.tiles}
    left, right = places[0, 0], places[0, 9]
    assert 0 < left[0][0] < right[0][0] < 1000
