"""Dice stand up: seen from the side of the tray on which the camera hangs, their flanks show there and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.trays import tray_of
from vision.drawing import DrawnDie, Look, TrayScene, draw
from vision.geometry import homography4, quad, rectangle
from vision.layout import TRAY_MM
from vision.tray.aslant import FOCAL, bodies_of, camera_over
from vision.tray.rectify import Tray

SIZE = (1280, 960)


def seen(points_mm: np.ndarray, at_mm: np.ndarray, tilt: tuple[float, float, float]) -> np.ndarray:
    """Return pixels of points (n, 3), z upwards, for a camera of the usual lens at a place, turned by small angles."""
    (a, b, c), f = tilt, FOCAL * SIZE[0]
    turn_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    turn_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    turn_z = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    down = (points_mm - at_mm) * (1, 1, -1)
    rays = down @ (turn_z @ turn_y @ turn_x).T
    return f * rays[:, :2] / rays[:, 2:] + (np.array(SIZE) - 1) / 2


def registered(at_mm: np.ndarray, tilt: tuple[float, float, float]) -> Tray:
    corners = seen(np.c_[rectangle(TRAY_MM), np.zeros(4)], at_mm, tilt)
    rows = homography4(corners, rectangle(TRAY_MM))
    return Tray(tuple((float(x), float(y), float(z)) for x, y, z in rows / rows[2, 2]), quad(corners), "corners")


small = st.floats(-0.25, 0.25)


@given(x=st.floats(0, 360), y=st.floats(0, 260), high=st.floats(350, 900), tilt=st.tuples(small, small, small))
@settings(deadline=None)
def test_a_camera_with_the_usual_lens_is_found_where_it_hangs(
    x: float, y: float, high: float, tilt: tuple[float, float, float]
) -> None:
    at = np.array([x, y, high])
    camera = camera_over(registered(at, tilt), picture_wh=SIZE)
    assert np.allclose(camera.below_mm, (x, y), atol=1e-3 * high)
    assert np.isclose(camera.height_mm, high, rtol=1e-3)


@given(x=st.floats(20, 340), y=st.floats(20, 240), tilt=st.tuples(small, small, small), side=st.floats(8, 25))
@settings(deadline=None)
def test_the_foot_of_a_die_is_where_it_stands(
    x: float, y: float, tilt: tuple[float, float, float], side: float
) -> None:
    at = np.array([180.0, 130.0, 600.0])
    tray = registered(at, tilt)
    top = tray.to_mm(seen(np.array([[x, y, side]]), at, tilt))
    foot = camera_over(tray, picture_wh=SIZE).foot_of(top, height_mm=side)
    assert np.allclose(foot, [[x, y]], atol=0.05)


def test_what_is_seen_of_a_die_lies_between_its_top_and_its_foot() -> None:
    """By a drawing, whose lens is not quite the usual one: its flank on the camera's side, nothing on the other."""
    look = Look.plain()
    look = replace(look, camera=replace(look.camera, tilt_deg=25.0))
    drawn = draw(TrayScene(dice=(DrawnDie(-60.0, 40.0, 0.0, 4, "red"),), seed=1), look, size_wh_px=SIZE,
                 rng=np.random.default_rng(1))  # fmt: skip
    (die,) = drawn.truth["dice"]
    tray = tray_of(drawn)
    top = tray.to_mm(np.array([die["top_quad"]]))
    _, half, foot = bodies_of(top, camera_over(tray, picture_wh=SIZE), height_mm=np.array([die["size_mm"]]))
    x, y, _ = drawn.truth["tray"]["corners_world"][0]
    stands = np.array([-60.0 - 1000 * x, 1000 * y - 40.0])
    assert np.linalg.norm(foot.mean(axis=0) - stands) < 2.0
    assert np.allclose(half, (top[0] + foot) / 2)
    assert np.linalg.norm(top[0].mean(axis=0) - stands) > 4.0, "the top is seen elsewhere"
