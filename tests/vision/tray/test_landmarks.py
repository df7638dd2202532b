"""The issue: "clicking four corners the last"; "a bumped camera or tray ... noticed within one turn and named", also
where no marker lies: by what the camera sees around the corners."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.trays import drawn, on_a_table_of_felt
from vision.errors import BadCorners, TurnedCorners
from vision.geometry import Floats, rectangle, transform
from vision.layout import TRAY_MM
from vision.tray.landmarks import FEWEST, SOUGHT_MM, Landmarks, checked_corners, px_per_mm
from vision.tray.rectify import find_tray, tray_shown

TRAY = drawn(seed=6, markers=False)
PICTURE = np.asarray(TRAY.picture_bgr, dtype=np.uint8)
CORNERS = [(float(x), float(y)) for x, y in TRAY.truth["tray"]["corners"]]
SCALE = px_per_mm(np.array(CORNERS))
KEPT = Landmarks.of(PICTURE, CORNERS)


def bumped(right: float, down: float, turn_deg: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return the picture of a camera moved so far (mm of the tray), and where the corners are in it."""
    middle = np.mean(CORNERS, axis=0)
    move = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), turn_deg, 1.0)
    move[:, 2] += np.array([right, down]) * SCALE
    high, wide = PICTURE.shape[:2]
    now = cv2.warpAffine(PICTURE, move, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(now, np.uint8), transform(np.array(CORNERS), np.vstack([move, [0, 0, 1]]))


def off_mm(found: np.ndarray | None, wanted: np.ndarray) -> float:
    assert found is not None
    return float(np.linalg.norm(found - wanted, axis=1).max() / SCALE)


def test_a_felt_beside_another_table_shows_a_bump_at_every_corner() -> None:
    assert len(KEPT.pieces) == 4
    assert KEPT.watched


@settings(max_examples=20, deadline=None)
@given(st.floats(0.55, 1.35), st.floats(0, 5), st.integers(0, 99))
def test_law_neither_the_lamp_nor_noise_moves_a_corner(light: float, noise: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    other = np.clip(PICTURE * light + rng.normal(0, noise, PICTURE.shape), 0, 255).astype(np.uint8)
    assert off_mm(KEPT.follow(other), np.array(CORNERS)) < 0.5


@settings(max_examples=20, deadline=None)
@given(st.floats(-12, 12), st.floats(-12, 12), st.floats(-2, 2))
def test_law_a_bump_is_followed(right: float, down: float, turn: float) -> None:
    other, now = bumped(right, down, turn)
    assert off_mm(KEPT.follow(other), now) < 1.0


def test_one_covered_corner_is_told_by_the_others() -> None:
    other, now = bumped(4, -3)
    x, y = (int(v) for v in now[2])
    cv2.circle(other, (x, y), 60, (120, 150, 200), -1)
    assert off_mm(KEPT.follow(other), now) < 1.0


def test_a_tray_that_was_carried_away_and_a_black_picture_are_not_followed() -> None:
    assert KEPT.follow(bumped(SOUGHT_MM + 15, 0)[0]) is None
    assert KEPT.follow(np.zeros_like(PICTURE)) is None
    assert KEPT.follow(PICTURE[:-2]) is None, "a picture of another size is another camera's"


def test_a_corner_beyond_which_all_looks_alike_tells_nothing() -> None:
    """Not where it was found to be, but that nobody can tell: never silently wrong."""
    plain = Landmarks.of(on_a_table_of_felt(TRAY, lids=False), CORNERS)
    assert len(plain.pieces) < FEWEST
    assert not plain.watched
    assert np.array_equal(plain.follow(PICTURE), np.array(CORNERS))
    assert Landmarks.of(on_a_table_of_felt(TRAY), CORNERS).watched, "but what lies beside it does"


def test_checked_cloth_is_no_landmark() -> None:
    """A pattern that looks the same some millimetres on may be taken for the next."""
    squares = np.kron(np.indices((60, 80)).sum(axis=0) % 2, np.ones((16, 16)))
    cloth = np.repeat((60 + 120 * squares).astype(np.uint8)[..., None], 3, axis=2)
    corners = [(200.0, 200.0), (920.0, 200.0), (920.0, 720.0), (200.0, 720.0)]
    assert not Landmarks.of(cloth, corners).watched


def test_what_is_kept_comes_back_as_it_was() -> None:
    again = Landmarks.from_json(json.loads(json.dumps(KEPT.as_json())))
    assert (again.corners, again.picture_wh) == (KEPT.corners, KEPT.picture_wh)
    other, now = bumped(3, 3)
    assert off_mm(again.follow(other), now) < 1.0


@pytest.mark.parametrize(
    "broken",
    [None, [], {}, {"corners": [[1, 2]] * 4, "size": [64, 48], "landmarks": []}, {**KEPT.as_json(), "size": [9, 9]}],
)
def test_a_damaged_file_is_refused(broken: object) -> None:
    with pytest.raises(BadCorners):
        Landmarks.from_json(broken)


@pytest.mark.parametrize("png", ["", "????", "aGVsbG8="])
def test_a_damaged_landmark_is_refused(png: str) -> None:
    kept = KEPT.as_json()
    kept["landmarks"][0]["png"] = png
    with pytest.raises(BadCorners):
        Landmarks.from_json(kept)


@pytest.mark.parametrize("change", [{"at": [5000, 5000]}, {"at": [-3, 0]}, {"corner": 1}, {"corner": 4}, {"at": [1]}])
def test_landmarks_beyond_the_picture_or_twice_at_a_corner_are_refused(change: dict[str, object]) -> None:
    kept = KEPT.as_json()
    kept["landmarks"][0] |= change
    with pytest.raises(BadCorners):
        Landmarks.from_json(kept)


def test_a_picture_of_no_size_is_refused() -> None:
    with pytest.raises(BadCorners):
        Landmarks.from_json({**KEPT.as_json(), "size": [float("inf"), 960]})


@pytest.mark.parametrize(
    ("corners", "why"),
    [
        ([(0, 0)] * 3, "four corners"),
        ([(10, 10), (300, 10), (300, 200), (10, float("nan"))], "lie in the picture"),
        ([(10, 10), (900, 10), (900, 200), (10, 200)], "lie in the picture of 640 x 480"),
        ([(10, 10), (10, 200), (300, 200), (300, 10)], "span no tray"),
        ([(10, 10), (300, 200), (300, 10), (10, 200)], "span no tray"),
        ([(10, 10), (30, 10), (30, 24), (10, 24)], "span no tray"),
    ],
)
def test_corners_that_span_no_tray_are_refused_in_one_sentence(corners: list[tuple[float, float]], why: str) -> None:
    with pytest.raises(BadCorners, match=why):
        checked_corners(corners, picture_wh=(640, 480))


def felt_seen(*, tilt_deg: float, towards_deg: float, turn_deg: float, up_mm: float, beside_mm: Floats) -> Floats:
    """Return the felt's corners in a picture of 2400 x 2400, through a camera that looks at it aslant."""
    away = np.column_stack([rectangle(TRAY_MM) - np.array(TRAY_MM) / 2 + beside_mm, np.zeros(4)])
    tilt, towards = np.radians([tilt_deg, towards_deg])
    ahead = np.array([np.sin(tilt) * np.cos(towards), np.sin(tilt) * np.sin(towards), np.cos(tilt)])
    right = np.cross([0.0, 1.0, 0.0], ahead) / np.cos(np.arcsin(ahead[1]))
    seen = (away + ahead * up_mm / ahead[2]) @ np.array([right, np.cross(ahead, right), ahead]).T
    x, y = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return np.asarray(1100 * (seen[:, :2] / seen[:, 2:]) @ np.array([[x, y], [-y, x]]) + (1199.5, 1199.5))


def jiggled(corners: Floats, draw: st.DataObject) -> list[tuple[float, float]]:
    """Return corners as fingers put them, up to 6 pixels off."""
    off = st.floats(-6, 6)
    return [(x + draw.draw(off), y + draw.draw(off)) for x, y in corners.tolist()]


@given(
    st.floats(0, 35),
    st.floats(0, 360),
    st.floats(0, 360),
    st.floats(450, 700),
    st.tuples(st.floats(-80, 80), st.floats(-60, 60)),
    st.data(),
)
def test_law_right_corners_are_never_refused_however_aslant_or_turned_the_camera_hangs(
    tilt_deg, towards_deg, turn_deg, up_mm, beside_mm, data
) -> None:
    """A camera may hang turned by a quarter: the tray's own top left corner comes first all the same."""
    corners = felt_seen(
        tilt_deg=tilt_deg, towards_deg=towards_deg, turn_deg=turn_deg, up_mm=up_mm, beside_mm=np.array(beside_mm)
    )
    checked_corners(jiggled(corners, data), picture_wh=(2400, 2400))


@given(
    st.floats(0, 15), st.floats(0, 360), st.sampled_from([0.0, 90.0, 180.0, 270.0]), st.sampled_from([1, 3]), st.data()
)
def test_law_corners_a_quarter_turn_off_are_refused(tilt_deg, towards_deg, turn_deg, first, data) -> None:
    corners = felt_seen(tilt_deg=tilt_deg, towards_deg=towards_deg, turn_deg=turn_deg, up_mm=600, beside_mm=np.zeros(2))
    with pytest.raises(TurnedCorners, match=r"turned by a quarter.*\(expected the tray's top left corner first"):
        checked_corners(jiggled(np.roll(corners, first, 0), data), picture_wh=(2400, 2400))


def test_a_tray_that_nothing_shows_lies_where_people_say() -> None:
    picture = on_a_table_of_felt(TRAY)
    assert find_tray(picture) is None
    tray = tray_shown(picture, CORNERS)
    assert tray.found == "corners"
    assert np.allclose(tray.corners, CORNERS, atol=0.01)


def test_four_markers_are_more_exact_than_a_finger() -> None:
    marked = drawn(seed=6)
    beside = [(x + 9.0, y + 7.0) for x, y in CORNERS]
    tray = tray_shown(np.asarray(marked.picture_bgr, np.uint8), beside)
    assert (tray.found, tray.complete) == ("markers", True)
    assert np.linalg.norm(np.array(tray.corners) - marked.truth["tray"]["corners"], axis=1).max() < 4


def test_shown_corners_are_taken_in_place_of_an_edge() -> None:
    """What looks like a felt may be a napkin: who shows the corners has seen what was found."""
    inside = [(x + dx, y + dy) for (x, y), dx, dy in zip(CORNERS, (40, -40, -40, 40), (30, 30, -30, -30), strict=True)]
    assert find_tray(PICTURE) is not None
    assert np.allclose(tray_shown(PICTURE, inside).corners, inside, atol=0.01)
