"""Pieces in pictures of unknown scale."""

from __future__ import annotations

import numpy as np
import pytest

from vision.drawing import DrawnDie, Look, TrayScene, draw
from vision.finding.scales import LONG_SIDES_MM, at_each_scale, likely_sizes


def test_dice_are_found_without_a_tray_at_the_scale_they_have():
    scene = TrayScene(dice=tuple(DrawnDie(-90 + 60 * k, 10 * k, 25.0 * k, k + 1, "white") for k in range(4)))
    drawn = draw(scene, Look.plain(), rng=np.random.default_rng(0))
    corners = np.array(drawn.truth["tray"]["corners"]).round().astype(int)
    (x0, y0), (x1, y1) = corners.min(0) + 60, corners.max(0) - 60
    part = drawn.picture_bgr[y0:y1, x0:x1]
    found, _ = min(at_each_scale(part, kind="die"), key=lambda look: abs(np.log(look[1] / 1.7)))
    assert len(found.kind) == 4
    for die in drawn.truth["dice"]:
        away = np.linalg.norm(found.centre_px + (x0, y0) - np.array(die["center"]), axis=1)
        assert away.min() < 4


def test_no_scale_is_tried_that_is_finer_than_the_picture():
    scales = [px_per_mm for _, px_per_mm in at_each_scale(np.zeros((64, 100, 3), np.uint8), kind="die")]
    assert scales == [100 / side for side in LONG_SIDES_MM if side <= 130]
    assert len(list(at_each_scale(np.zeros((20, 20, 3), np.uint8), kind="die"))) == 1


def test_unusual_sizes_are_less_likely():
    assert likely_sizes([1.0, 1.2, 1 / 1.2, 3.0]) == pytest.approx([1.0, 0.66, 0.66, 0.0], abs=0.01)


def test_unknown_kinds_are_refused():
    with pytest.raises(ValueError, match="domino"):
        list(at_each_scale(np.zeros((80, 80, 3), np.uint8), kind="domino"))
