"""DESIGN: overlay.py draws a reading for people. It never decides anything, and never touches what it is given."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.trays import drawn, knowing
from vision.overlay import draw_doubts, draw_reading
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


def test_what_is_doubted_is_outlined_and_numbered_and_can_still_be_seen() -> None:
    """People look again at the very pieces: neither outline nor number may hide what they show."""
    tile = np.array([(500.0, 500.0), (560.0, 500.0), (560.0, 560.0), (500.0, 560.0)])
    before = PICTURE.picture_bgr.copy()
    out = draw_doubts(PICTURE.picture_bgr, {7: tile})
    assert (before == PICTURE.picture_bgr).all()
    for x, y in ((530, 500), (560, 530), (490, 490)):
        assert (out[y - 4 : y + 5, x - 4 : x + 5] != before[y - 4 : y + 5, x - 4 : x + 5]).any()
    assert (out[512:550, 512:550] == before[512:550, 512:550]).all()
    assert (draw_doubts(before, {1: tile}) != out).any(), "another number"


def test_a_number_stays_in_the_picture_however_close_to_its_rim_the_piece_lies() -> None:
    grey, corner = np.full((400, 400, 3), 90, np.uint8), np.array([(0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (0.0, 60.0)])
    letters = [(draw_doubts(grey, {1: corner + away}).min(axis=2) > 200).sum() for away in (0.0, 200.0)]
    assert letters[0] == letters[1] > 0
