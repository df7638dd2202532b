"""Dice roll into corners: what lies on a marker is read or asked about, never passed over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.trays import drawn, tray_of
from vision.drawing import DrawnDie, Look, TrayScene, draw
from vision.finding.scene import MARGIN_MM, SCALE
from vision.ground.papers import covered_papers, papers_of
from vision.reader import read
from vision.reading import Problem, Status
from vision.tray.rectify import Tray, find_tray, rectify

pytestmark = pytest.mark.usefixtures("searched_once")

ON_MARKER = DrawnDie(-161.0, 113.0, 30.0, 5, "own")
"""On marker 0, in the top left corner."""
DICE = (DrawnDie(-50.0, 30.0, 20.0, 5, "own"), DrawnDie(0.0, 0.0, 50.0, 3, "own"), DrawnDie(45.0, 20.0, 5.0, 6, "own"))


def tray_with(*dice: DrawnDie) -> Any:
    look = replace(Look.plain(), palette={"own": (40.0, 40.0, 200.0)})
    return draw(TrayScene(dice=dice, seed=3), look, size_wh_px=(1280, 960), rng=np.random.default_rng(1))


def covered(picture_bgr: Any, tray: Tray) -> list[Any]:
    flat = rectify(picture_bgr, tray, px_per_mm=SCALE, margin_mm=MARGIN_MM)
    return covered_papers(flat, tray, px_per_mm=SCALE, margin_mm=MARGIN_MM)


def hidden(tray: Tray, *numbers: int) -> Tray:
    """Return the tray with some of its markers not decoded."""
    seen = tuple(m for m in tray.markers if m[0] not in numbers)
    return replace(tray, markers=seen, hidden=tuple(m for m in tray.markers if m[0] in numbers))


@pytest.mark.parametrize("known", [True, False], ids=["registered", "first look"])
@pytest.mark.parametrize("number", range(4))
def test_a_marker_that_was_not_decoded_but_can_be_seen_is_not_covered(number: int, known: bool) -> None:
    picture = drawn()
    tray = hidden(tray_of(picture), number)
    dim = cv2.GaussianBlur((picture.picture_bgr * 0.4).astype(np.uint8), (0, 0), 0.8)
    assert covered(dim, tray if known else replace(tray, hidden=())) == []


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("colour", [(20, 20, 20), (235, 235, 235), (40, 40, 200)], ids=["black", "white", "red"])
def test_a_marker_on_which_something_lies_is_covered(number: int, colour: tuple[int, int, int]) -> None:
    picture = drawn()
    tray = tray_of(picture)
    x, y = np.round(np.array(dict(tray.markers)[number])[0]).astype(int)
    thing = picture.picture_bgr.copy()
    thing[y - 8 : y + 16, x - 8 : x + 16] = colour
    (paper,) = covered(thing, hidden(tray, number))
    assert np.allclose(paper, papers_of(tray)[number])


def beside_marker(picture: Any, tray: Tray, number: int, *, left: float, right: float, deep_mm: float) -> Any:
    """Return a picture with a brown thing over a marker's outer edge along the tray, `deep_mm` over its black square.

    left, right: from where to where, in sides of the marker from its left one.
    """
    square = tray.to_mm(np.array(dict(tray.markers)[number]))
    low, side = square.min(axis=0), np.ptp(square, axis=0)
    top = number < 2
    edge, out = (low[1] + deep_mm, -9.0) if top else (low[1] + side[1] - deep_mm, 9.0)
    x = low[0] + np.array([left, right]) * side[0]
    box = np.array([[x[0], edge], [x[1], edge], [x[1], edge - deep_mm + out], [x[0], edge - deep_mm + out]])
    seen = picture.copy()
    cv2.fillConvexPoly(seen, np.round(tray.to_px(box) * 16).astype(np.int32), (60, 75, 90), cv2.LINE_AA, 4)
    return seen


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(
    ("left", "right", "deep_mm", "under"),
    [(-0.6, 1.6, -1.0, False), (-0.6, 1.6, 3.5, False), (-0.6, 1.6, 12.0, True), (0.2, 0.7, 3.5, True)],
    ids=["its white", "its border, too", "half of it", "a die"],
)
def test_a_marker_whose_edge_a_rim_hides_is_covered_only_where_a_die_has_room(
    number: int, left: float, right: float, deep_mm: float, under: bool
) -> None:
    picture = drawn()
    tray = tray_of(picture)
    rim = beside_marker(picture.picture_bgr, tray, number, left=left, right=right, deep_mm=deep_mm)
    assert len(covered(rim, hidden(tray, number))) == under
    assert len(covered(rim, replace(hidden(tray, number), hidden=()))) == under


def test_all_markers_seen_or_none_at_all_leave_nothing_to_ask() -> None:
    picture = drawn()
    tray = tray_of(picture)
    assert covered(picture.picture_bgr, tray) == []
    assert covered(picture.picture_bgr, replace(tray, markers=())) == []


@pytest.mark.parametrize("lies", [False, True], ids=["bare", "under a dark die"])
@pytest.mark.parametrize("number", range(4))
def test_a_marker_that_mirrors_a_lamp_is_not_covered_by_its_light(number: int, lies: bool) -> None:
    picture = drawn()
    tray = tray_of(picture)
    square = np.array(dict(tray.markers)[number])
    seen = picture.picture_bgr.astype(np.float32)
    if lies:
        x, y = np.round(square[0]).astype(int)
        seen[y - 6 : y + 18, x - 6 : x + 18] = (40, 30, 30)
    rows, columns = np.mgrid[: seen.shape[0], : seen.shape[1]]
    at = square[2]
    light = 600.0 * np.exp(-((columns - at[0]) ** 2 + (rows - at[1]) ** 2) / (2 * 11.0**2))
    shining = np.clip(seen + light[..., None], 0, 255).astype(np.uint8)
    assert len(covered(shining, hidden(tray, number))) == lies


def test_where_no_marker_was_laid_bare_felt_is_not_covered() -> None:
    picture = drawn()
    tray = tray_of(picture)
    felt = picture.picture_bgr.copy()
    cv2.fillConvexPoly(felt, np.round(tray.to_px(papers_of(tray)[1])).astype(np.int32), Look.plain().felt)
    assert covered(felt, replace(hidden(tray, 1), hidden=())) == []


def test_paper_that_was_never_seen_lies_as_far_from_its_corner_as_the_others() -> None:
    tray = tray_of(drawn())
    guessed = papers_of(replace(tray, markers=tray.markers[:3]))[3]
    assert np.abs(guessed - papers_of(tray)[3]).max() < 3.0


@pytest.mark.parametrize("registered", [False, True])
def test_a_die_on_a_marker_is_read_with_the_others(registered: bool) -> None:
    picture, known = tray_with(*DICE, ON_MARKER), tray_of(tray_with(*DICE))
    seen = find_tray(picture.picture_bgr)
    assert seen is not None
    assert [number for number, _ in seen.markers] == [1, 2, 3]
    reading = read(picture.picture_bgr, expect="dice", tray=known if registered else None)
    assert sorted(d.value for d in reading.dice) == [3, 5, 5, 6]
    assert reading.status is Status.READ


@pytest.mark.parametrize("dice", [DICE, ()], ids=["beside dice", "alone"])
@pytest.mark.parametrize("registered", [False, True])
def test_something_unknown_on_a_marker_is_asked_about(dice: tuple[DrawnDie, ...], registered: bool) -> None:
    """Never silently wrong: it may be a die that nobody found."""
    picture = tray_with(*dice)
    known = tray_of(picture)
    x, y = np.round(np.array(dict(known.markers)[2]).mean(axis=0)).astype(int)
    cv2.circle(picture.picture_bgr, (int(x), int(y)), 9, (90, 90, 90), -1)
    reading = read(picture.picture_bgr, expect="dice", tray=known if registered else None)
    assert reading.status is Status.UNSURE
    assert Problem.COUNT in reading.problems
    assert [d.value for d in reading.dice if d.sure] == [d.value for d in reading.dice]
