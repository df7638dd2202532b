"""Issue 3: dice of one or two colours. What a lamp washes out of a top, flanks and edges still show."""

from __future__ import annotations

import cv2
import numpy as np

from vision.colour.loose_paint import measure_loose
from vision.colour.paint import lab_of

WHITE = np.array([240.0, 240.0, 240.0])
RED, GREEN, LAMP = (40, 30, 180), (60, 110, 40), (225, 228, 230)
TOP = np.array([[[100.0, 100], [140, 100], [140, 140], [100, 140]]])
FOOT = TOP - (0.0, 22.0)
"""The camera hangs above the picture's upper edge: the flank below the top's upper side is seen."""


def scene(*, flank: tuple[int, int, int]) -> np.ndarray:
    picture = np.full((240, 240, 3), GREEN, np.uint8)
    cv2.fillConvexPoly(picture, cv2.convexHull(np.vstack([TOP[0], FOOT[0]]).astype(np.int32)), flank)
    cv2.fillConvexPoly(picture, TOP[0].astype(np.int32), LAMP)
    return picture


def hue_of(lab: np.ndarray) -> float:
    return float(np.degrees(np.arctan2(lab[2], lab[1])))


def test_a_top_that_mirrors_a_lamp_has_its_colour_from_the_flank() -> None:
    seen = measure_loose(scene(flank=RED), TOP, FOOT).shown(WHITE)
    assert np.linalg.norm(seen.body[0, 1:]) < 5
    assert abs(hue_of(seen.full[0]) - hue_of(lab_of(np.array(RED, float)))) < 5


def test_where_nobody_knows_where_it_stands_the_top_alone_speaks() -> None:
    seen = measure_loose(scene(flank=RED), TOP, None).shown(WHITE)
    assert np.linalg.norm(seen.full[0, 1:]) < 5


def test_the_top_of_a_die_in_front_is_no_flank() -> None:
    """Dice touch: where another one's top lies nothing is seen of a flank."""
    picture, other = scene(flank=RED), np.array([[[95.0, 70], [145, 70], [145, 99], [95, 99]]])
    cv2.fillConvexPoly(picture, other[0].astype(np.int32), (200, 60, 40))
    tops = np.concatenate([TOP, other])
    alone = measure_loose(scene(flank=RED), TOP, FOOT).shell[0]
    hidden = measure_loose(picture, tops, np.concatenate([FOOT, other])).shell[0]
    rim = len(measure_loose(picture, TOP, None).shell[0])
    assert len(hidden) - rim < 0.2 * (len(alone) - rim)
    assert not (hidden == (200, 60, 40)).all(axis=1).any()


def test_a_flank_on_the_far_side_is_not_seen() -> None:
    """The foot's far edge lies under the top, as the camera sees it."""
    picture = scene(flank=RED)
    picture[141:170, 90:150] = (200, 60, 40)
    assert not (measure_loose(picture, TOP, FOOT).shell[0] == (200, 60, 40)).all(axis=1).any()


def test_no_dice() -> None:
    seen = measure_loose(scene(flank=RED), np.zeros((0, 4, 2)), np.zeros((0, 4, 2))).shown(WHITE)
    assert seen.full.shape == (0, 3)
