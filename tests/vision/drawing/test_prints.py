"""Other prints than the usual: what the net of tiles is shown of small digits and of ornaments."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.drawing import DrawnTile, Look, camera_of
from vision.drawing.glyphs import built_in
from vision.drawing.prints import SMALL, ornamented, other_print
from vision.drawing.tiles import glyph_alpha, tile_outline, to_tray


@given(st.integers(0, 10_000))
def test_small_digits_stay_on_their_tiles(seed):
    """Also those in a corner: half a digit teaches nothing."""
    look = replace(Look.plain(), glyphs=built_in())
    tile = other_print(look, np.random.default_rng(seed)).tile
    if tile.digit_height > SMALL[1]:
        return
    (w, h), (x, y) = tile.size_mm, tile.digit_shift_mm
    assert abs(y) + tile.digit_height * h / 2 <= 0.5 * h
    assert abs(x) + 0.66 * tile.digit_height * h / 2 <= 0.5 * w


def test_digits_that_lie_aside_lie_above():
    """So that a 6 and a 9 that lie upside down can be told; a few sets are printed otherwise, and make it doubtful."""
    tiles = [other_print(Look.plain(), np.random.default_rng(seed)).tile for seed in range(1500)]
    aside = [t.digit_shift_mm[1] for t in tiles if abs(t.digit_shift_mm[1]) > 0.15 * t.size_mm[1]]
    assert len(aside) > 50
    assert 0 < sum(y < 0 for y in aside) < 0.1 * len(aside)


@pytest.mark.parametrize("kind", ["ring", "frame", "dot"])
def test_every_digit_of_a_set_has_the_same_ornament_and_is_still_there(kind):
    plain = built_in()
    printed = ornamented(plain, kind, np.random.default_rng(4))
    assert set(printed) == set(plain)
    assert len({mask.shape for mask in printed.values()}) == 1
    shared = np.minimum.reduce(list(printed.values()))
    assert shared.max() == 255
    for symbol, mask in printed.items():
        assert cv2.matchTemplate(mask, plain[symbol], cv2.TM_SQDIFF_NORMED).min() < 0.01


def test_a_ring_lies_within_the_tile():
    look, rng = Look.plain(), np.random.default_rng(1)
    look = replace(look, tile=replace(look.tile, digit_height=0.82), glyphs=ornamented(look.glyphs, "ring", rng))
    camera, tile = camera_of(look), DrawnTile(0, 0, 0, "8", "red")
    ink = glyph_alpha(tile, look, camera, np.zeros(2), (1280, 960))
    outline = camera.project(to_tray(tile_outline(look.tile), 0, 0, 0, look.tile.thickness_mm))
    ys, xs = np.nonzero(ink > 0.3)
    assert outline[:, 0].min() < xs.min()
    assert xs.max() < outline[:, 0].max()
    assert outline[:, 1].min() < ys.min()
    assert ys.max() < outline[:, 1].max()
