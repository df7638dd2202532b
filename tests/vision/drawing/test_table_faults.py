"""Issue 3: what lenses, hairs, windows and sleeves cost stands in the repo as a command; their labels must hold."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.trays import drawn
from vision.drawing.bent import bent, corners_of, in_a_wide_lens, moved, outlines_of, unbent
from vision.drawing.table_faults import WITH_TRAY, between_two_lamps, in_the_sun, under_a_sleeve, under_a_window
from vision.errors import BadLabels
from vision.evaluate_faults import ALL
from vision.trials.scoring import expectation_of

WH = (640, 480)


def chance() -> np.random.Generator:
    return np.random.default_rng(4)


def label() -> dict[str, Any]:
    return {**drawn().truth, "family": "A", "index": 0}


@given(
    x=st.floats(0, 639), y=st.floats(0, 479), bend=st.floats(-0.12, 0.4)
)  # a stronger one outwards shows some points never
def test_law_what_a_lens_bends_is_where_it_was_once_it_is_unbent(x: float, y: float, bend: float) -> None:
    seen = np.array([[x, y]])
    assert bent(unbent(seen, WH, bend), WH, bend) == pytest.approx(seen, abs=1e-6)


@pytest.mark.parametrize("bend", [0.1, 0.3, -0.1])
def test_labels_move_as_the_pixels_do(bend: float) -> None:
    truth = label()
    picture = np.full_like(drawn().picture_bgr, 90)
    tile = truth["tiles"][13]["outline"]
    cv2.fillConvexPoly(picture, cv2.convexHull(np.round(tile).astype(np.int32)), (30, 30, 240))
    seen, told = in_a_wide_lens(picture, truth, chance(), bend=bend)
    there = np.argwhere(seen[..., 2].astype(int) > seen[..., 0].astype(int) + 80)[:, ::-1].mean(axis=0)
    hull = cv2.moments(np.array(told["tiles"][13]["outline"], np.float32))
    assert there == pytest.approx([hull["m10"] / hull["m00"], hull["m01"] / hull["m00"]], abs=1.5)


def test_a_wide_lens_bends_the_felts_sides_and_keeps_the_tray_in_the_picture() -> None:
    truth = label()
    picture, told = in_a_wide_lens(drawn().picture_bgr, truth, chance(), bend=0.3)
    markers = np.array([m["corners"] for m in told["markers"]])
    assert markers.min() >= 0
    assert (markers.max(axis=(0, 1)) < picture.shape[1::-1]).all()
    assert told["grid"] == truth["grid"]
    assert truth == label(), "the label that was given stays as it was"


def test_nothing_but_points_of_the_picture_moves() -> None:
    truth = {
        "tray": {"corners": [[1, 2]], "corners_world": [[1, 2]]},
        "dice": [{"center": [3, 4], "value": 5}],
    }
    told = moved(truth, lambda points: points + 10)
    assert told == {
        "tray": {"corners": [[11, 12]], "corners_world": [[1, 2]]}, "dice": [{"center": [13, 14], "value": 5}],
    }  # fmt: skip


@pytest.mark.parametrize("name", WITH_TRAY)
def test_each_changes_something_and_comes_again_with_its_seed(name: str) -> None:
    picture, truth = drawn().picture_bgr, label()
    before = picture.copy()
    (one, told), (again, _) = (WITH_TRAY[name](picture, truth, chance()) for _ in range(2))
    assert one.shape == picture.shape
    assert one.dtype == np.uint8
    assert (one == again).all()
    assert (one != picture).any()
    assert (picture == before).all()
    assert expectation_of(told) is expectation_of(truth)
    assert name in ALL


def test_a_window_adds_light_with_an_edge_and_a_bar_and_leaves_the_rest() -> None:
    grey = np.full_like(drawn().picture_bgr, 90)
    seen, _ = under_a_window(grey, label(), chance(), light=0.15)
    lighter = (seen.max(axis=2) > 95).astype(np.uint8)
    assert 0.005 < lighter.mean() < 0.3
    assert cv2.connectedComponents(lighter)[0] == 3, "two panes beside the bar, and what is around"


def test_the_sun_makes_part_of_the_tray_so_many_times_as_light() -> None:
    grey = np.full_like(drawn().picture_bgr, 90)
    green = in_the_sun(grey, label(), chance(), gain=4.0)[0][..., 1].astype(float)
    assert (green.max() / green.min()) ** 2.2 == pytest.approx(4.0, rel=0.1)


def test_two_lamps_differ_in_red_and_blue_the_other_way() -> None:
    grey = np.full_like(drawn().picture_bgr, 90)
    blue, green, red = between_two_lamps(grey, label(), chance(), apart=0.4)[0].reshape(-1, 3).T.astype(float)
    assert np.ptp(green) == 0
    assert np.corrcoef(blue, red)[0, 1] < -0.9


def test_under_a_sleeve_a_piece_is_hidden_and_a_hand_is_due() -> None:
    picture, truth = drawn().picture_bgr, label()
    seen, told = under_a_sleeve(picture, truth, chance())
    assert told["hand_present"]
    assert not told["ready"]
    changed = (np.abs(seen.astype(int) - picture).max(axis=2) > 8).astype(np.uint8)
    hidden = [changed[tuple(np.round(piece.mean(axis=0)).astype(int)[::-1])] for piece in outlines_of(truth)]
    assert any(hidden)
    corners = np.round(corners_of(truth)).astype(np.int32)
    felt = cv2.fillConvexPoly(np.zeros_like(changed), corners, 1)
    assert (changed & (1 - felt)).sum() > 1000, "it comes in over the rim"


@pytest.mark.parametrize("name", ["two pale hairs", "a wide lens, 0.1", "a sleeve of the felt's hue over a piece"])
def test_a_label_that_does_not_say_where_the_tray_lies_is_refused(name: str) -> None:
    with pytest.raises(BadLabels, match="no four corners of the tray"):
        WITH_TRAY[name](drawn().picture_bgr, {**label(), "tray": None}, chance())


def test_over_a_tray_without_pieces_a_sleeve_comes_too_and_over_unknown_ones_none() -> None:
    bare = {**label(), "tiles": [], "dice": [], "disks": []}
    assert under_a_sleeve(drawn().picture_bgr, bare, chance())[1]["hand_present"]
    with pytest.raises(BadLabels, match="no outline of a piece"):
        under_a_sleeve(drawn().picture_bgr, {**bare, "dice": [{"value": 3}]}, chance())
