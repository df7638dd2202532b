"""DESIGN: overlay.py draws a reading for people. It never decides anything, and never touches what it is given."""

from __future__ import annotations

import pytest

from tests.vision.trays import drawn, knowing
from vision.overlay import draw_reading
from vision.reader import read
from vision.reading import DieReading, DiskReading, Problem, Reading, Status

PICTURE = drawn()
READING = read(PICTURE.picture_bgr, expect="rows", eyes=knowing(PICTURE.truth))


def test_the_picture_given_is_left_alone() -> None:
    before = PICTURE.picture_bgr.copy()
    draw_reading(PICTURE.picture_bgr, READING)
    assert (before == PICTURE.picture_bgr).all()


def test_the_live_view_marks_every_tile() -> None:
    out = draw_reading(PICTURE.picture_bgr, READING)
    assert out.shape == PICTURE.picture_bgr.shape
    for tile in READING.tiles:
        x, y = (round(v) for v in tile.corners[3])
        assert (out[y - 3 : y + 4, x - 3 : x + 4] != PICTURE.picture_bgr[y - 3 : y + 4, x - 3 : x + 4]).any()


@pytest.mark.parametrize("status", list(Status))
def test_readings_without_tiles_can_be_drawn(status: Status) -> None:
    reading = Reading(status, problems=Problem.HAND | Problem.GLARE)
    assert draw_reading(PICTURE.picture_bgr, reading).shape == PICTURE.picture_bgr.shape


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
