"""Some cameras call white what is 235: what is blown out there is blown out, whatever its grey value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.trays import cells, drawn
from vision.drawing import Drawn, Look
from vision.ground.clipping import LARGE, LEAST, WHITE, clipping_level, up_to_white
from vision.ground.felt_light import BLOWN_OUT
from vision.reader import read
from vision.reading import Problem, Status
from vision.tray.rectify import Image

TRAY = (300, 400)


def tray(seed: int, *, patch: tuple[int, int, int] | None, side: int = 12) -> Image:
    """Felt and paper with a camera's noise, and of one colour what clips, a square of so many pixels."""
    rng = np.random.default_rng(seed)
    picture = rng.normal(110.0, 2.0, (*TRAY, 3))
    picture[10:40, 10:40] = rng.normal(198.0, 2.0, (30, 30, 3))
    if patch is not None:
        picture[100 : 100 + side, 200 : 200 + side] = patch
    return np.asarray(np.clip(np.round(picture), 0, 255), dtype=np.uint8)


@given(st.integers(0, 99), st.integers(LEAST + 6, BLOWN_OUT - 1))
def test_law_where_a_patch_clips_that_is_the_level_and_white_afterwards(seed: int, level: int) -> None:
    picture = tray(seed, patch=(level, level, level))
    assert clipping_level(picture) == level
    lit = up_to_white(picture, level)
    assert int(lit[105, 205].min()) == WHITE
    assert np.array_equal(
        np.argsort(lit[105, ::40, 0], kind="stable"), np.argsort(picture[105, ::40, 0], kind="stable")
    )


@pytest.mark.parametrize("level", [BLOWN_OUT, WHITE])
def test_a_camera_that_knows_white_is_left_alone(level: int) -> None:
    picture = tray(1, patch=(level, level, level))
    assert clipping_level(picture) is None
    assert up_to_white(picture, None) is picture


def test_paper_with_a_cameras_noise_and_bright_paint_and_specks_do_not_clip() -> None:
    assert clipping_level(tray(1, patch=None)) is None
    assert clipping_level(tray(1, patch=(215, 235, 235))) is None, "yellow"
    assert clipping_level(tray(1, patch=(235, 235, 235), side=int((LARGE * 120_000) ** 0.5) - 2)) is None
    assert clipping_level(tray(1, patch=(LEAST - 30,) * 3)) is None, "nothing is known where all is dark"


NUMBERS = cells((("red", "0846572913"), ("blue", "5498013276"), ("purple", "9720153846"), ("orange", "3725914680")))


def under_a_lamp(level: int) -> tuple[Drawn, Image]:
    """A tray of dark ink, as a camera sees it that clips there, and a lamp over the whole of its first tile."""
    plain = Look.plain()
    seen = drawn(NUMBERS, look=replace(plain, tile=replace(plain.tile, body=(150.0, 170.0, 180.0))))
    picture = np.minimum(seen.picture_bgr.astype(np.float64) * level / WHITE, level)
    quad = np.array(in_order(seen)[0]["quad"])
    (x0, y0), (x1, y1) = quad.min(axis=0).astype(int), quad.max(axis=0).astype(int)
    picture[y0 : y1 + 1, x0 : x1 + 1] = level
    return seen, np.asarray(np.round(picture), dtype=np.uint8)


def in_order(seen: Drawn) -> list[dict[str, Any]]:
    return sorted(seen.truth["tiles"], key=lambda t: (t["row"], t["col"]))


@pytest.mark.parametrize("level", [255, 235, 216])
def test_what_a_lamp_blanks_out_is_no_back_wherever_the_camera_clips(level: int) -> None:
    """Issue 3: never silently wrong. At 235 nothing was blown out, and a blank tile was a back for sure."""
    seen, picture = under_a_lamp(level)
    reading = read(picture, expect="wild")
    assert reading.status is Status.UNSURE
    assert [(t.row, t.column) for t in reading.tiles if not t.sure] == [(0, 0)]
    assert Problem.GLARE in reading.problems
    assert [t.symbol for t in reading.tiles if t.sure] == [t["label"] for t in in_order(seen)[1:]]
