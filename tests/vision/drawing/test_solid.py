"""Dice as solids: as many pips as the value, a lamp mirrored where it should be, sides that sum to seven."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.drawing import DrawnDie, FilmLook, LampLook, Look, TrayScene, draw
from vision.drawing.look import CameraLook, DieLook
from vision.drawing.solid import sides_of

PLAIN = replace(
    Look.plain(),
    lamp=LampLook(gradient=(0, 0), vignette=0, shadow=0),
    film=FilmLook(blur_px=0, noise=0, sharpen=0, contrast=0, jpeg=None),
    camera=CameraLook(px_per_mm=6.0, tilt_deg=0.0),
    markers=False,
)


def _top(die: DrawnDie, look: Look) -> np.ndarray:
    """Return the die's top face, 96 x 96, cut along the truth's own corners."""
    drawn = draw(TrayScene(dice=(die,)), look, size_wh_px=(640, 480), rng=np.random.default_rng(0))
    quad = np.array(drawn.truth["dice"][0]["top_quad"], np.float32)
    square = np.array([[0, 0], [96, 0], [96, 96], [0, 96]], np.float32)
    return cv2.warpPerspective(drawn.picture_bgr, cv2.getPerspectiveTransform(quad, square), (96, 96))


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("colour", ["white", "black"])
def test_a_die_shows_as_many_pips_as_it_counts(value: int, colour: str) -> None:
    """Run Buster and Runaround are played with common dice (RULES 2 and 3)."""
    face = cv2.cvtColor(_top(DrawnDie(0.0, 0.0, 31.0, value, colour), PLAIN), cv2.COLOR_BGR2GRAY)[12:-12, 12:-12]
    pips = (face < 100) if colour == "white" else (face > 130)
    count, _, stats, _ = cv2.connectedComponentsWithStats(pips.astype(np.uint8))
    assert sum(stats[k, cv2.CC_STAT_AREA] > 40 for k in range(1, count)) == value


def test_the_lamp_is_mirrored_by_the_face_not_by_its_edges() -> None:
    die = DieLook(gloss=1.0, lamp_half_mm=(400.0, 400.0), rough=0.05, contrast=0.1)
    black = DrawnDie(0.0, 0.0, 0.0, 1, "black")
    lit = _top(black, replace(PLAIN, die=die)).mean(2)
    assert lit[20:30, 20:76].mean() > 240
    # The rounded edge looks past the lamp.
    assert lit[46:50, 0:3].mean() < 150
    off = _top(black, replace(PLAIN, die=replace(die, lamp_off_mm=(2000.0, 0.0)))).mean(2)
    assert off[20:30, 20:76].mean() < 60


@given(value=st.integers(1, 6))
def test_opposite_faces_sum_to_seven(value: int) -> None:
    right, up, left, down = sides_of(value)
    assert right + left == up + down == 7
    assert sorted({right, up, left, down, value, 7 - value}) == [1, 2, 3, 4, 5, 6]


def test_a_die_outside_the_frame_is_not_painted() -> None:
    drawn = draw(TrayScene(dice=(DrawnDie(900.0, 0.0, 0.0, 3, "red"),)), PLAIN, size_wh_px=(320, 240),
                 rng=np.random.default_rng(0))  # fmt: skip
    bare = draw(TrayScene(), PLAIN, size_wh_px=(320, 240), rng=np.random.default_rng(0))
    assert np.array_equal(drawn.picture_bgr, bare.picture_bgr)
