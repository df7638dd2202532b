"""A marker that a lamp blows out is not decoded; where the others say that it lies, all of it can still be seen."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.trays import drawn, tray_of
from vision.geometry import Floats
from vision.tray.fiducials import find_markers
from vision.tray.rectify import find_tray
from vision.tray.undecoded_markers import seen_where_due

PICTURE = drawn()
MARKERS = {number: np.array(corners) for number, corners in tray_of(PICTURE).markers}
BLOOM = {0: (1.9, 1.5), 1: (1.9, 1.5), 2: (1.9, 2.0), 3: (1.75, 2.0)}
"""How much brighter and how blurred each is: the detector misses it."""


def blown_out(number: int, picture_bgr: Any = PICTURE.picture_bgr) -> Any:
    """Return a picture in which one marker's paper blooms into its print."""
    gain, blur_px = BLOOM[number]
    out = picture_bgr.copy()
    (x0, y0), (x1, y1) = MARKERS[number].min(axis=0).astype(int) - 14, MARKERS[number].max(axis=0).astype(int) + 15
    around = out[max(0, y0) : y1, max(0, x0) : x1]
    around[:] = np.clip(cv2.GaussianBlur(around.astype(np.float32), (0, 0), blur_px) * gain, 0, 255).astype(np.uint8)
    return out


def with_die(picture_bgr: Any, at_px: Floats, colour: tuple[int, int, int]) -> Any:
    out = picture_bgr.copy()
    x, y = np.round(at_px).astype(int)
    out[max(0, y - 10) : y + 11, max(0, x - 10) : x + 11] = colour
    return out


@pytest.mark.parametrize("number", range(4))
def test_a_marker_whose_paper_blooms_is_seen_where_the_others_say(number: int) -> None:
    picture = blown_out(number)
    assert number not in find_markers(picture)
    tray = find_tray(picture)
    assert tray is not None
    assert tray.complete
    off_px = np.linalg.norm(np.array(dict(tray.markers)[number]) - MARKERS[number], axis=1)
    assert off_px.max() < 1.5


@pytest.mark.parametrize("colour", [(235, 235, 235), (150, 60, 30), (20, 20, 20)], ids=["white", "blue", "black"])
@pytest.mark.parametrize("number", range(4))
def test_one_that_a_die_lies_on_is_not_seen(number: int, colour: tuple[int, int, int]) -> None:
    """What is seen whole is taken for print: a die on it would be passed over. Here one lies on its inner corner."""
    inner = MARKERS[number][(number + 2) % 4]
    die = with_die(PICTURE.picture_bgr, inner, colour)
    assert seen_where_due(die, {number: MARKERS[number]}) == {}
    assert seen_where_due(blown_out(number, die), {number: MARKERS[number]}) == {}


def test_bare_felt_another_marker_and_what_lies_beyond_the_picture_are_no_marker() -> None:
    felt = PICTURE.picture_bgr.copy()
    felt[:] = (60, 90, 40)
    assert seen_where_due(felt, MARKERS) == {}
    assert seen_where_due(PICTURE.picture_bgr, {0: MARKERS[1], 2: MARKERS[3]}) == {}
    assert seen_where_due(PICTURE.picture_bgr, {1: MARKERS[1] + (1200.0, 0.0)}) == {}


def test_one_that_lies_some_millimetres_from_where_it_is_due_is_found_there() -> None:
    (found,) = seen_where_due(PICTURE.picture_bgr, {2: MARKERS[2] + (7.0, -5.0)}).values()
    assert np.abs(found - MARKERS[2]).max() < 1.0
