"""Pieces in pictures of unknown scale."""

from __future__ import annotations

import numpy as np
import pytest

from vision.drawing import DrawnDie, Look, TrayScene, draw
from vision.scales import find_at_any_scale


def test_dice_are_found_without_a_tray_and_without_a_scale():
    scene = TrayScene(dice=tuple(DrawnDie(-90 + 60 * k, 10 * k, 25.0 * k, k + 1, "white") for k in range(4)))
    drawn = draw(scene, Look.plain(), rng=np.random.default_rng(0))
    corners = np.array(drawn.truth["tray"]["corners"]).round().astype(int)
    (x0, y0), (x1, y1) = corners.min(0) + 60, corners.max(0) - 60
    found, px_per_mm = find_at_any_scale(drawn.picture_bgr[y0:y1, x0:x1], kind="die")
    assert len(found.kind) == 4
    assert 1.0 < px_per_mm < 2.4
    for die in drawn.truth["dice"]:
        away = np.linalg.norm(found.centre_px + (x0, y0) - np.array(die["center"]), axis=1)
        assert away.min() < 4


def test_unknown_kinds_are_refused():
    with pytest.raises(ValueError, match="domino"):
        find_at_any_scale(np.zeros((80, 80, 3), np.uint8), kind="domino")
