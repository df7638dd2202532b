"""A wide lens bends a tray: its markers tell how much, it is undone, and all is told where the picture has it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.vision.trays import ROWS, drawn, shown
from vision import reader
from vision.drawing import Look
from vision.geometry import Floats, Quad, quad, transform, turns
from vision.reader import read
from vision.reading import Problem, Reading, Status
from vision.tray.bending import bend_of, farthest
from vision.tray.bowed import bend_of_sides, sides_of
from vision.tray.lens import Lens, lens_of, lens_that_bends
from vision.tray.rectify import find_tray
from vision.tray.straight import Straight, straightened

WH = (1280, 960)
MIDDLE = np.array([639.5, 479.5])
BEND = 0.15
NEAR = replace(Look.plain(), camera=replace(Look.plain().camera, px_per_mm=2.7))
"""The tray fills the picture, where a lens bends most."""


def with_bend(straight_px: Floats, bend: float) -> Floats:
    """Return where a lens shows points (..., 2): straight = shown (1 + bend shown^2), over half the picture's width."""
    away = (straight_px - MIDDLE) / 640
    seen = away
    for _ in range(60):
        seen = away / (1 + bend * (seen**2).sum(axis=-1, keepdims=True))
    return seen * 640 + MIDDLE


def bent_picture(picture: Any, bend: float) -> Any:
    """Return a picture as such a lens takes it."""
    x, y = np.meshgrid(*(np.arange(side, dtype=np.float64) for side in WH))
    away = np.stack([x, y], axis=-1) - MIDDLE
    at = away * (1 + bend * ((away / 640) ** 2).sum(axis=-1, keepdims=True)) + MIDDLE
    return cv2.remap(picture, at.astype(np.float32), None, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


LAID = drawn(look=NEAR)
BENT = bent_picture(LAID.picture_bgr, BEND)


@pytest.fixture(scope="module")
def told() -> Reading:
    return read(BENT, expect="rows")


@st.composite
def seen_markers(draw: Any, bend: float) -> tuple[Quad, ...]:
    """Four squares, each moved and turned as hands lay them, through a camera aslant and a lens, in 0.2 px of noise."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    places = np.array([[-163.0, -113.0], [163.0, -113.0], [163.0, 113.0], [-163.0, 113.0]]) + rng.normal(0, 3, (4, 2))
    turn = rng.normal(0, 0.1, 4)[:, None, None]
    square = 12 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    turned = np.cos(turn) * square + np.sin(turn) * np.stack([-square[:, 1], square[:, 0]], axis=-1)
    plane = np.eye(3)
    plane[:2, :2] *= draw(st.floats(0.55, 0.8)) * 640 / 180
    plane[2, :2] = rng.uniform(-0.12, 0.12, 2) / 180
    straight = transform(turned + places[:, None], plane) + MIDDLE + rng.uniform(-40, 40, 2)
    away = (straight - MIDDLE) / 640
    under = 1 + 4 * bend * (away**2).sum(axis=-1, keepdims=True)
    # What lies beyond the picture no lens shows.
    assume(under.min() > 0)
    markers = away * 2 / (1 + np.sqrt(under)) * 640 + MIDDLE
    assume(markers.min() > 0 and bool((markers < WH).all()))
    return tuple(quad(corners + rng.normal(0, 0.2, (4, 2))) for corners in markers)


@given(st.data(), st.floats(-0.2, 0.35))
def test_the_bend_is_measured_by_markers_that_lie_anywhere_on_a_plane(data: Any, bend: float) -> None:
    measured, error = bend_of(data.draw(seen_markers(bend)), WH)
    # Where it hardly matters two steps of the least squares are enough.
    assert abs(measured - bend) < 0.025
    assert 0.0 < error < 0.015


@given(st.data())
def test_nothing_is_said_of_markers_that_no_lens_bends(data: Any) -> None:
    assert lens_of(data.draw(seen_markers(0.0)), WH) is None


@given(st.data(), st.sampled_from([-0.12, 0.1, 0.2, 0.3]))
def test_a_lens_that_matters_is_told_by_three_markers_too_and_by_two_never(data: Any, bend: float) -> None:
    markers = data.draw(seen_markers(bend))
    lens = lens_of(markers[:3], WH)
    assert lens is not None
    assert abs(lens.bend - bend) < 0.035
    assert lens_of(markers[:2], WH) is None


def test_neither_of_what_is_no_marker_nor_of_a_fisheye() -> None:
    flat = tuple(quad(np.array([[x, 5.0], [x + 9, 5.0], [x + 9, 5.0], [x, 5.0]])) for x in (10.0, 400.0, 900.0))
    assert bend_of(flat, WH) == (0.0, np.inf)
    assert lens_of(flat, WH) is None
    tray = find_tray(BENT)
    assert tray is not None
    assert lens_of(tuple(quad(with_bend(np.array(corners), 3.0)) for _, corners in tray.markers), WH) is None


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.sampled_from([WH, WH[::-1], (960, 960)]))
def test_nothing_is_said_of_what_no_lens_makes_of_squares_and_never_an_error(
    seed: int, count: int, wh: tuple[int, int]
) -> None:
    rng = np.random.default_rng(seed)
    lens = lens_of(tuple(quad(rng.uniform(0, wh, (4, 2))) for _ in range(count)), wh)
    assert lens is None or (abs(lens.bend) <= 0.4 and max(lens.straight_wh) <= 2560)


@given(st.data(), st.sampled_from([-0.1, 0.1, 0.3]))
def test_a_picture_that_stands_is_bent_as_one_that_lies(data: Any, bend: float) -> None:
    markers = data.draw(seen_markers(bend))
    turned = tuple(quad((np.array(corners) - MIDDLE) @ [[0, 1], [-1, 0]] + MIDDLE[::-1]) for corners in markers)
    assert lens_of(turned, WH[::-1]) == replace(lens_of(markers, WH), picture_wh=WH[::-1])  # type: ignore[type-var]


@given(st.floats(-0.2, 0.35), st.floats(0, 1279), st.floats(0, 959))
def test_points_come_back_to_where_they_were(bend: float, x: float, y: float) -> None:
    lens = Lens(bend, WH)
    there = lens.straight(np.array([x, y]))
    assert np.abs(lens.bent(there) - (x, y)).max() < 1e-6
    assert (there > -1.0).all()
    assert (there < lens.straight_wh).all()


def test_a_straight_picture_is_no_larger_than_it_need_be() -> None:
    assert max(Lens(0.35, WH).straight_wh) <= 2560
    assert max(Lens(0.35, (3280, 2464)).straight_wh) == 3280
    wide, high = Lens(0.1, WH).straight_wh
    assert 1280 < wide < 1600
    assert abs(wide / high - 4 / 3) < 0.01


def test_a_picture_is_straightened_as_points_are() -> None:
    lens = Lens(0.2, WH)
    spot = np.zeros((960, 1280, 3), np.uint8)
    cv2.circle(spot, (200, 150), 9, (255, 255, 255), -1)
    seen = lens.straightened(spot)[..., 0].astype(np.float64)
    assert seen.shape == lens.straight_wh[::-1]
    y, x = np.mgrid[: seen.shape[0], : seen.shape[1]]
    middle = np.array([(x * seen).sum(), (y * seen).sum()]) / seen.sum()
    assert np.abs(middle - lens.straight(np.array([200.0, 150.0]))).max() < 0.5


def off_px(reading: Reading, bend: float) -> Floats:
    """Return (40, 4, 2) how far off tiles' corners are told to be, in a bent picture of LAID."""
    truth = sorted(LAID.truth["tiles"], key=lambda tile: (tile["row"], tile["col"]))
    wanted = with_bend(np.array([tile["quad"] for tile in truth]), bend)
    return np.abs(np.array([tile.corners for tile in reading.tiles]) - wanted)


def test_a_bent_tray_is_read_and_its_tiles_are_told_where_the_picture_shows_them(told: Reading) -> None:
    assert told.status is Status.READ
    assert shown(told) == [symbols for _, symbols in ROWS]
    assert off_px(told, BEND).mean() < 1.3
    assert off_px(told, BEND).max() < 6.0
    corners = with_bend(np.array(LAID.truth["tray"]["corners"]), BEND)
    assert np.abs(np.array(told.tray) - corners).max() < 10.0


def test_one_bent_more_is_asked_about_unless_that_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = bent_picture(LAID.picture_bgr, 2 * BEND)
    undone = read(picture, expect="rows")
    assert undone.status is Status.READ
    assert shown(undone) == [symbols for _, symbols in ROWS]
    monkeypatch.setattr(reader, "straightened", Straight)
    left = read(picture, expect="rows")
    assert left.status is Status.UNSURE
    assert off_px(undone, 2 * BEND).mean() < 0.8 * off_px(left, 2 * BEND).mean()


def test_an_ordinary_picture_is_read_as_without_a_lens(monkeypatch: pytest.MonkeyPatch) -> None:
    tray = find_tray(LAID.picture_bgr)
    assert tray is not None
    seen = straightened(LAID.picture_bgr, tray)
    assert seen.picture_bgr is LAID.picture_bgr
    assert seen.tray is tray
    reading = read(LAID.picture_bgr, expect="rows")
    assert seen.as_given(reading) is reading
    monkeypatch.setattr(reader, "straightened", Straight)
    assert read(LAID.picture_bgr, expect="rows") == reading
    assert reading.status is Status.READ


BARE = np.array([[80.0, 70.0], [1190.0, 90.0], [1170.0, 880.0], [100.0, 890.0]])
"""Corners of a felt before a lens bends it."""


def felt(bend: float, outline: Floats, *, seed: int) -> tuple[Any, Floats]:
    """Return a bent picture of a felt with a straight-sided outline (n, 2), n >= 4, and where its corners are then."""
    rng = np.random.default_rng(seed)
    straight = np.full((960, 1280, 3), (60, 110, 150), np.uint8)
    cv2.fillPoly(straight, [np.round(outline * 16).astype(np.int32)], (90, 90, 20), cv2.LINE_AA, 4)
    seen = bent_picture(straight, bend)
    noisy = np.clip(seen + rng.normal(0, 3.0, seen.shape), 0, 255).astype(np.uint8)
    return noisy, with_bend(outline[:4], bend)


@given(st.floats(-0.1, 0.1), st.integers(0, 2**16))
@settings(max_examples=12)
def test_the_bend_is_measured_by_a_felts_sides_where_it_has_no_markers(bend: float, seed: int) -> None:
    moved = BARE + np.random.default_rng(seed).uniform(-25, 25, (4, 2))
    picture, corners = felt(bend, moved, seed=seed)
    measured, error = bend_of_sides(sides_of(picture, corners), WH)
    assert abs(measured - bend) < 0.02
    assert error < 0.01


def test_a_felt_of_which_one_side_alone_is_bowed_is_cut_so() -> None:
    across = np.linspace(0.02, 0.98, 40)[:, None]
    bow = 25.0 * (1.0 - (2.0 * across - 1.0) ** 2)
    side = BARE[3] + across * (BARE[0] - BARE[3]) - bow * (1.0, 0.0)
    picture, _ = felt(0.0, np.concatenate([BARE, side]), seed=1)
    bend, error = bend_of_sides(sides_of(picture, BARE), WH)
    assert lens_that_bends(bend, error, farthest([quad(BARE)], WH), WH) is None


def test_nothing_is_said_of_a_felt_whose_edge_is_not_seen() -> None:
    assert bend_of_sides(sides_of(np.full((960, 1280, 3), 90, np.uint8), BARE), WH) == (0.0, np.inf)


@pytest.mark.parametrize("bend", [-0.1, 0.12, 0.2])
def test_a_bent_tray_without_markers_is_read_where_the_picture_shows_it(bend: float) -> None:
    picture = bent_picture(drawn(look=NEAR, markers=False).picture_bgr, bend)
    tray = find_tray(picture)
    assert tray is not None
    assert tray.found == "edge"
    seen = straightened(picture, tray)
    assert seen.lens is not None
    # The other law bends less, further out.
    assert abs(seen.lens.bend - bend) < 0.04
    assert seen.tray.found == "edge"
    reading = read(picture, expect="rows")
    assert shown(reading) == [symbols for _, symbols in ROWS]
    assert off_px(reading, bend).mean() < 1.5
    corners = with_bend(np.array(LAID.truth["tray"]["corners"]), bend)
    assert np.abs(np.array(reading.tray) - corners).max() < 10.0


def test_a_registration_is_of_the_given_pictures_and_holds_for_these_alone(told: Reading) -> None:
    bent, straight = find_tray(BENT), find_tray(LAID.picture_bgr)
    assert read(BENT, expect="rows", tray=bent) == told
    moved = read(BENT, expect="rows", tray=straight)
    assert Problem.BUMPED in moved.problems
    assert shown(moved) == shown(told)
    assert np.allclose([t.corners for t in moved.tiles], [t.corners for t in told.tiles])


def test_a_marker_under_a_hand_still_tells_where_it_was() -> None:
    known = find_tray(BENT)
    assert known is not None
    covered = BENT.copy()
    corners = np.array(dict(known.markers)[1])
    (x0, y0), (x1, y1) = corners.min(axis=0).astype(int) - 9, corners.max(axis=0).astype(int) + 9
    covered[y0:y1, x0:x1] = (60, 90, 40)
    tray = find_tray(covered, hint=known)
    assert tray is not None
    seen = straightened(covered, tray)
    assert seen.lens == straightened(BENT, known).lens is not None
    assert [number for number, _ in seen.tray.hidden] == [1]
    assert [number for number, _ in seen.tray.markers] == [0, 2, 3]
    alone = straightened(covered, find_tray(covered))  # type: ignore[arg-type]
    assert alone.lens is not None
    assert turns(np.array(alone.tray.corners)).min() > 0
