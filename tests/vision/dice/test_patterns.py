"""Dice that fell off the felt are asked about; the pattern of a table beside it, and of the rim, is not."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest

from vision.dice.patterns import like_the_rim, like_the_table
from vision.tray.rectify import tray_from_clicks

TRAY = tray_from_clicks([(200, 200), (920, 200), (920, 720), (200, 720)])  # 2 px a millimetre
BESIDE = np.array([[180.0, -14.0], [192.0, -14.0], [192.0, -2.0], [180.0, -2.0]])
"""A die's place beyond the felt's upper edge, in millimetres."""


@lru_cache(maxsize=12)
def mottled(seed: int = 1) -> np.ndarray:
    """Return a felt on a cloth whose grain is as large as pips."""
    grain = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, (960, 1280)), (0, 0), 4.0)
    cloth = np.stack([90 + 400 * grain, 130 + 450 * grain, 100 + 400 * grain], axis=-1)
    picture = np.clip(cloth, 0, 255).astype(np.uint8)
    cv2.fillPoly(picture, [np.array(TRAY.corners, np.int32)], (120, 40, 50))
    picture.flags.writeable = False  # many tests look at the same one
    return picture


def test_a_mottled_cloth_looks_everywhere_as_it_does_there() -> None:
    assert sum(like_the_table(mottled(seed), TRAY, BESIDE) for seed in range(12)) >= 10


@pytest.mark.parametrize("bgr", [(235, 238, 240), (20, 20, 25), (40, 40, 190), (190, 80, 40)])
def test_a_die_there_does_not(bgr: tuple[int, int, int]) -> None:
    """Never silently wrong: a die that fell beside the tray is one that was not counted."""
    for seed in range(12):
        assert not like_the_table(with_a_die(mottled(seed), BESIDE, bgr), TRAY, BESIDE)


def test_where_hardly_any_table_is_seen_nothing_is_told_of_it() -> None:
    picture = mottled()[190:, :]
    tray = tray_from_clicks([(200, 10), (920, 10), (920, 530), (200, 530)])
    assert not like_the_table(picture, tray, BESIDE * (1, 0.3))


ON_RIM = np.array([[174.0, -10.0], [186.0, -10.0], [186.0, 2.0], [174.0, 2.0]])
"""... and one on the rim at that edge, half of it on the felt."""


def grained(seed: int) -> np.ndarray:
    """Return a felt with a rim of striped wood, each stripe as it happens, on a plain table."""
    random = np.random.default_rng(seed)
    picture = np.full((960, 1280, 3), (90, 110, 100), np.uint8)
    x0, y0, x1, y1 = (*map(int, TRAY.corners[0]), *map(int, TRAY.corners[2]))
    cv2.rectangle(picture, (x0 - 20, y0 - 20), (x1 + 20, y1 + 20), (60, 100, 150), -1)
    for x in range(x0 - 20, x1 + 20, 3):
        cv2.line(
            picture,
            (x, y0 - 20),
            (x, y1 + 20),
            tuple((np.array((60.0, 100.0, 150.0)) * random.normal(1, 0.2)).tolist()),
            1,
        )
    cv2.rectangle(picture, (x0, y0), (x1, y1), (120, 40, 50), -1)
    return picture


def with_a_die(picture: np.ndarray, place_mm: np.ndarray, bgr: tuple[int, int, int]) -> np.ndarray:
    """Return the picture with a die that shows a two."""
    picture, corners = picture.copy(), TRAY.to_px(place_mm).round().astype(int)
    cv2.rectangle(picture, tuple(map(int, corners[0])), tuple(map(int, corners[2])), bgr, -1)
    for at in (0.25, 0.75):
        x, y = (corners[0] + at * (corners[2] - corners[0])).astype(int)
        cv2.circle(picture, (int(x), int(y)), 2, (250, 250, 250) if sum(bgr) < 300 else (20, 20, 20), -1)
    return picture


def test_a_rim_looks_everywhere_along_an_edge_as_it_does_there() -> None:
    """Few questions: stripes of the rim's wood, beyond the felt or half on it, were taken for a die."""
    places = ON_RIM, ON_RIM - (0.0, 6.0), ON_RIM + (0.0, 260.0)
    assert all(like_the_rim(grained(seed), TRAY, place) for seed in range(12) for place in places)


@pytest.mark.parametrize("bgr", [(235, 238, 240), (20, 20, 25), (40, 40, 190), (190, 80, 40), (60, 100, 150)])
def test_a_die_on_the_rim_does_not(bgr: tuple[int, int, int]) -> None:
    """Never silently wrong: a die that came to lie on the rim is asked about, be it of the rim's own colour."""
    for seed in range(12):
        assert not like_the_rim(with_a_die(grained(seed), ON_RIM, bgr), TRAY, ON_RIM)


def test_other_dice_on_the_rim_hide_none() -> None:
    """The rim is what most places along the edge show, not what they vary by."""
    picture = grained(1)
    for shift in (-30.0, 34.0):
        picture = with_a_die(picture, ON_RIM + (shift, 0.0), (20, 20, 25))
    assert like_the_rim(picture, TRAY, ON_RIM)
    assert not like_the_rim(with_a_die(picture, ON_RIM, (190, 80, 40)), TRAY, ON_RIM)


def test_in_the_middle_of_the_felt_nothing_is_like_the_rim() -> None:
    middle = ON_RIM - ON_RIM.mean(axis=0) + (180.0, 130.0)
    assert not like_the_rim(grained(1), TRAY, middle)
