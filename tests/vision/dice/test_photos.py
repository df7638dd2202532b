"""Dice in pictures without a tray: drawn dice on a bare table, at any scale."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.dice.photos import ASLANT, read_dice, tray_of_picture
from vision.dice.sizes import overlapping
from vision.drawing import Drawn, DrawnDie, FilmLook, Look, TrayScene, draw
from vision.drawing.look import CameraLook

DICE = (
    DrawnDie(-50.0, 30.0, 20.0, 5, "red"), DrawnDie(0.0, 0.0, 50.0, 3, "white"), DrawnDie(45.0, 20.0, 5.0, 6, "red"),
)  # fmt: skip


def on_a_table(px_per_mm: float) -> Drawn:
    look = replace(
        Look.plain(), bare=True, markers=False, clutter=0, table="plain", table_bgr=(60.0, 90.0, 40.0),
        camera=CameraLook(px_per_mm=px_per_mm), film=FilmLook(jpeg=None),
    )  # fmt: skip
    size = (round(180 * px_per_mm), round(130 * px_per_mm))
    look = replace(look, camera=replace(look.camera, px_per_mm=px_per_mm * 1280 / size[0]))
    return draw(TrayScene(dice=DICE, seed=3), look, size_wh_px=size, rng=np.random.default_rng(1))


@pytest.mark.parametrize("px_per_mm", [2.0, 4.5])
def test_dice_on_a_bare_table_are_read_at_any_scale(px_per_mm: float) -> None:
    drawn = on_a_table(px_per_mm)
    seen = read_dice(drawn.picture_bgr)
    real = sorted((d["center"][0], d["value"]) for d in drawn.truth["dice"])
    assert [v for _, v in sorted((d.centre[0], d.value) for d in seen.dice)] == [v for _, v in real]


def test_a_few_dice_may_fill_the_picture() -> None:
    """Nothing is known of the scale: pips are not to be taken for dice, nor specks of dust far off."""
    drawn = on_a_table(6.0)
    x, y = np.array(drawn.truth["dice"][1]["center"]).round().astype(int)
    near = drawn.picture_bgr[y - 150 : y + 150, x - 200 : x + 200]
    assert [d.value for d in read_dice(near).dice] == [drawn.truth["dice"][1]["value"]]


def test_where_two_tops_overlap_both_are_asked_about() -> None:
    """A die's side seen aslant shows pips as well: nobody can say without a tray which of the two looks up."""
    near, apart = (np.array([[[0.0, 0], [20, 0], [20, 20], [0, 20]]]) + np.array([[[0.0, 0]], [[gap, 0]]]) for gap in
                   (18.0, 20.0))  # fmt: skip
    side = np.array([20.0, 20.0])
    assert overlapping(near.mean(axis=1), side, limit=ASLANT).tolist() == [True, True]
    assert overlapping(apart.mean(axis=1), side, limit=ASLANT).tolist() == [False, False]
    assert overlapping(near[:1].mean(axis=1), side[:1], limit=ASLANT).tolist() == [False]


@pytest.mark.parametrize("blur_px", [0.5, 4.0])
def test_without_a_tray_less_than_one_in_a_thousand_may_be_in_doubt(blur_px: float) -> None:
    """Silently wrong under 1 in 1,000: a face seen aslant on somebody's table has nothing else to speak for it."""
    seen = read_dice(cv2.GaussianBlur(on_a_table(2.0).picture_bgr, (0, 0), blur_px).astype(np.uint8)).dice
    assert seen
    assert all(d.confidence >= 0.999 for d in seen if d.sure)
    assert all(d.sure for d in seen) is (blur_px < 1.0)


def test_a_picture_without_dice_has_none() -> None:
    assert read_dice(np.full((240, 320, 3), 90, np.uint8)).dice == ()


def test_the_whole_picture_is_the_tray() -> None:
    tray = tray_of_picture(np.zeros((240, 320, 3), np.uint8), px_per_mm=2.0)
    assert tray.size_mm == (160.0, 120.0)
    assert np.allclose(tray.to_mm(np.array([[159.5, 119.5]])), [[80.0, 60.0]])
