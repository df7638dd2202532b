"""RULES 1: 40 number tiles, 0-9 in four colours. So the four tiles of any number are of four colours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.trays import knowing
from vision.colour.colours import name_colours
from vision.colour.mixed import FAR, as_bold_everywhere, shared_out, swap_margins
from vision.colour.paint import Paint, lab_of
from vision.drawing import Look, draw, scene_for_layout
from vision.drawing.look import PALETTE
from vision.reader import read
from vision.reading import Status

NUMBERS = np.tile(np.arange(10), 4)
COLOUR = np.repeat(np.arange(4), 10)
CENTRES = np.array([[30.0, 0, 0], [36.0, 8, 4], [24.0, -6, 5], [40.0, -4, -20]])


def tiles(seed: int, scatter: float) -> np.ndarray:
    return CENTRES[COLOUR] + np.random.default_rng(seed).normal(0, scatter, (40, 3))


def same_parts(a: np.ndarray, b: np.ndarray) -> bool:
    return len(set(zip(a.tolist(), b.tolist(), strict=True))) == 4


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), order=st.permutations(range(40)))
def test_colours_that_run_into_each_other_are_told_apart_by_the_numbers(seed: int, order: list[int]) -> None:
    points = tiles(seed, 1.5)[order]
    start = np.random.default_rng(seed).integers(0, 4, 40)  # however wrong the first guess
    assert same_parts(shared_out(points, start, NUMBERS[order], count=4), COLOUR[order])


INKS_BGR = np.array([[150.0, 60, 30], [130, 40, 80], [60, 120, 30], [30, 110, 230]])
"""Blue, purple, green and orange."""


def paled_to_the_right(seed: int, fading: float) -> tuple[Paint, np.ndarray]:
    """Return the paint of 40 white tiles in five rows of eight under a lamp's veil, and where they lie."""
    places = np.random.default_rng(seed).permutation(40)
    at = np.stack([places % 8, places // 8], axis=1).astype(np.float64)
    body, left = np.full((40, 3), 225.0), np.exp(-fading * at[:, :1] / 7)
    return Paint(body, body + left * (INKS_BGR[COLOUR] - body), np.zeros(40)), at


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_ink_that_a_lamp_pales_on_one_side_keeps_its_colour(seed: int) -> None:
    """Issue 3: tiles of one colour get one name, dark on the left and pale on the right."""
    paint, at = paled_to_the_right(seed, fading=1.2)
    rest = {"open_tiles": np.ones(40, dtype=bool), "groups": None, "white_bgr": np.full(3, 240.0), "sizes": [10] * 4}
    found = name_colours(paint, numbers=NUMBERS, at=at, **rest)
    assert found.by_ink
    assert same_parts(found.group, COLOUR)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_bodies_that_a_lamp_pales_on_one_side_keep_their_colours(seed: int) -> None:
    """Purple bodies in the veil of a lamp were blue ones, and dark blue ones purple, on a traced board without one."""
    at = paled_to_the_right(seed, fading=1.2)[1]
    left = np.exp(-1.2 * at[:, :1] / 7)
    body = 235.0 + left * (INKS_BGR[COLOUR] - 235.0)
    rest = {"open_tiles": np.ones(40, dtype=bool), "groups": None, "white_bgr": np.full(3, 240.0), "sizes": [10] * 4}
    found = name_colours(Paint(body, np.full((40, 3), 238.0), np.zeros(40)), numbers=NUMBERS, at=at, **rest)
    assert not found.by_ink
    assert same_parts(found.group, COLOUR)


def test_ink_that_is_as_bold_everywhere_stays_as_it_is() -> None:
    paint, at = paled_to_the_right(3, fading=0.0)
    ink, body = lab_of(paint.ink), lab_of(paint.body)
    assert np.allclose(as_bold_everywhere(ink, body, COLOUR, at), ink, atol=1e-6)


def test_a_glossy_tile_is_kept_by_its_fellows_claim() -> None:
    points = tiles(1, 0.5)
    points[3] = 0.42 * CENTRES[0] + 0.58 * CENTRES[1]  # nearer to the next colour, which has its three
    label = shared_out(points, COLOUR, NUMBERS, count=4)
    assert (label == COLOUR).all()
    margin = swap_margins(points, label, NUMBERS, count=4)
    assert margin is not None
    assert margin[3] > 3.0


def test_a_misread_number_does_not_paint_a_tile() -> None:
    """A red three read as eight and a blue eight read as three: the numbers are lawful, the colours far off."""
    points, numbers = tiles(2, 0.5), NUMBERS.copy()
    far = points.copy()
    far[COLOUR == 1] += (0, 50, 30)
    numbers[[3, 18]] = [8, 3]
    label = shared_out(far, COLOUR, numbers, count=4)
    margin = swap_margins(far, label, numbers, count=4)
    assert margin is not None
    assert FAR < 50
    assert (margin[[3, 8, 13, 18]] < 3.0).any()


def test_without_four_of_each_number_the_colours_speak_alone() -> None:
    numbers = NUMBERS.copy()
    numbers[0] = 1
    assert (shared_out(tiles(3, 1.0), COLOUR, numbers, count=4) == COLOUR).all()
    assert swap_margins(tiles(3, 1.0), COLOUR, numbers, count=4) is None


def test_a_wild_goes_where_it_looks_like() -> None:
    points = np.vstack([tiles(4, 0.5), CENTRES[2]])
    label = shared_out(points, np.append(COLOUR, 0), np.append(NUMBERS, 10), count=4)
    assert label[40] == label[20]
    margin = swap_margins(points, label, np.append(NUMBERS, 10), count=4)
    assert margin is not None
    assert np.isneginf(margin[40])


@pytest.mark.parametrize(("expect", "status"), [("rect", Status.READ), ("mixed", Status.UNSURE)])
def test_a_colour_in_doubt_is_asked_about_only_where_a_rule_asks_for_it(expect: str, status: Status) -> None:
    """RULES 1: on 5 x 8 nothing hangs on colours, in the quests much does. Never slow the fun; never silently wrong."""
    wide, colours = (8, 10)[expect == "mixed"], ("red", "yellow", "blue", "purple")
    cells = [f"{colours[k % 4]}:{k // 4}" for k in range(40)]
    order = np.random.default_rng(2).permutation(40)
    rows = [[cells[k] for k in order[at : at + wide]] for at in range(0, 40, wide)]
    # Blue and purple of this set are one to the camera.
    look = replace(Look.plain(), palette={**PALETTE, "blue": (120.0, 50.0, 90.0), "purple": (121.0, 50.0, 90.0)})
    scene = scene_for_layout(rows, layout="rows" if expect == "mixed" else expect, seed=2)
    picture = draw(scene, look, size_wh_px=(1280, 960), rng=np.random.default_rng(2))
    reading = read(picture.picture_bgr, expect=expect, eyes=knowing(picture.truth, doubt=1e-8))
    assert reading.status is status
    assert [t.symbol for t in reading.tiles] == [cells[k][-1] for k in order]
    plain = [t.colour for t, k in zip(reading.tiles, order, strict=True) if k % 4 < 2]
    twins = [t for t, k in zip(reading.tiles, order, strict=True) if k % 4 >= 2]
    assert set(plain) == {"red", "yellow"}
    in_doubt = [t for t in twins if not t.sure or t.colour is None]
    assert len(in_doubt) > 10
    assert all(t.sure is (expect == "rect") for t in in_doubt)
