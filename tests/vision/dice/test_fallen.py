"""Dice that fell off the felt are asked about; a table's own pattern beside it is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice.fallen import like_the_table
from vision.tray.rectify import tray_from_clicks

TRAY = tray_from_clicks([(200, 200), (920, 200), (920, 720), (200, 720)])  # 2 px a millimetre
BESIDE = np.array([[180.0, -14.0], [192.0, -14.0], [192.0, -2.0], [180.0, -2.0]])
"""A die's place beyond the felt's upper edge, in millimetres."""


def mottled(seed: int = 1) -> np.ndarray:
    """Return a felt on a cloth whose grain is as large as pips."""
    grain = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, (960, 1280)), (0, 0), 4.0)
    cloth = np.stack([90 + 400 * grain, 130 + 450 * grain, 100 + 400 * grain], axis=-1)
    picture = np.clip(cloth, 0, 255).astype(np.uint8)
    cv2.fillPoly(picture, [np.array(TRAY.corners, np.int32)], (120, 40, 50))
    return picture


def test_a_mottled_cloth_looks_everywhere_as_it_does_there() -> None:
    assert sum(like_the_table(mottled(seed), TRAY, BESIDE) for seed in range(12)) >= 10


@pytest.mark.parametrize("bgr", [(235, 238, 240), (20, 20, 25), (40, 40, 190), (190, 80, 40)])
def test_a_die_there_does_not(bgr: tuple[int, int, int]) -> None:
    """Never silently wrong: a die that fell beside the tray is one that was not counted."""
    for seed in range(12):
        picture = mottled(seed)
        corners = TRAY.to_px(BESIDE).round().astype(int)
        cv2.rectangle(picture, tuple(map(int, corners[0])), tuple(map(int, corners[2])), bgr, -1)
        for at in (0.25, 0.75):
            x, y = (corners[0] + at * (corners[2] - corners[0])).astype(int)
            cv2.circle(picture, (int(x), int(y)), 2, (250, 250, 250) if sum(bgr) < 300 else (20, 20, 20), -1)
        assert not like_the_table(picture, TRAY, BESIDE)


def test_where_hardly_any_table_is_seen_nothing_is_told_of_it() -> None:
    picture = mottled()[190:, :]
    tray = tray_from_clicks([(200, 10), (920, 10), (920, 530), (200, 530)])
    assert not like_the_table(picture, tray, BESIDE * (1, 0.3))
