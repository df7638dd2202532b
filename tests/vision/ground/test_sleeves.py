"""Sleeves of the felt's own hue are waited for: what they hide would be missed silently ("hands never score")."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.dice.test_reader_loose import tray_with
from tests.vision.ground.test_felt import FELTS
from tests.vision.ground.test_hard_light import MARGIN, WINDOW, mask, sleeve, sunlit, tray
from tests.vision.trays import tray_of
from vision.drawing import Drawn
from vision.ground.felt import look_at_felt
from vision.ground.sleeves import is_sleeve_over
from vision.reader import read
from vision.reading import Status

pytestmark = pytest.mark.usefixtures("searched_once", "asked_once")

DICE = tray_with((40.0, 40.0, 200.0))
"""Three dice, drawn plainly."""


def is_seen(flat: np.ndarray) -> bool:
    """Return whether a sleeve is seen over a tray at 1 px/mm."""
    ground = look_at_felt(flat[MARGIN:-MARGIN, MARGIN:-MARGIN].copy(), [], px_per_mm=1.0)
    return is_sleeve_over(flat, ground, [], margin_mm=float(MARGIN))


def painted(flat: np.ndarray, rim: tuple[int, int, int] = (150, 60, 170)) -> np.ndarray:
    """Return a tray whose rim has another colour, which no felt has in any light."""
    out = np.full_like(flat, rim)
    out[MARGIN:-MARGIN, MARGIN:-MARGIN] = flat[MARGIN:-MARGIN, MARGIN:-MARGIN]
    return out


def of_hue(colour: str, gain: float) -> tuple[float, float, float]:
    """Return a cloth so many times as light as a felt, as far as it can be."""
    blue, green, red = np.minimum(np.array(FELTS[colour]) * gain, 250).tolist()
    return blue, green, red


@pytest.mark.parametrize("colour", FELTS)
@pytest.mark.parametrize("gain", [0.6, 0.85, 1.0, 1.2, 1.5])
@pytest.mark.parametrize("turns", range(4))
def test_a_sleeve_of_the_felts_hue_is_seen_over_each_rim(colour: str, gain: float, turns: int) -> None:
    flat = sleeve(painted(tray(colour)), of_hue(colour, gain), weave=2.0)
    assert is_seen(np.ascontiguousarray(np.rot90(flat, turns)))


@pytest.mark.parametrize("colour", FELTS)
def test_none_is_seen_on_bare_felt(colour: str) -> None:
    assert not is_seen(tray(colour))


@pytest.mark.parametrize("colour", FELTS)
@pytest.mark.parametrize("light", [0.15, 0.3, 0.5, 0.7, 1.6, 3.0])
@pytest.mark.parametrize("soft", [0.5, 4.0])
def test_light_and_shadow_over_felt_and_rim_are_no_sleeve(colour: str, light: float, soft: float) -> None:
    """The rim is darker or lighter there by as much as the felt is, and stays the rim."""
    over = np.array([[150, 130], [210, 130], [230, 300], [160, 300]])
    assert not is_seen(sunlit(tray(colour), mask(over, soft=soft), gain=light))


def test_a_lamps_spot_that_makes_the_rim_as_light_as_felt_is_no_sleeve() -> None:
    """It has no edge at either side."""
    y, x = np.mgrid[0:300, 0:400]
    spot = np.exp(-((x - 180.0) ** 2 + (y - 300.0) ** 2) / (2 * 70.0**2))[..., None]
    flat = tray("red")
    assert not is_seen(sunlit(flat, spot, gain=2.5))


def test_a_thing_beside_the_felt_is_no_sleeve() -> None:
    """Of the felt's colour, it ends where the felt does: a seam is seen between them."""
    flat = tray("green")
    flat[-MARGIN + 4 :, 150:230] = FELTS["green"]
    assert not is_seen(flat)


def test_a_window_on_the_felt_alone_is_no_sleeve() -> None:
    assert not is_seen(sunlit(tray("red"), mask(WINDOW), gain=2.0))


@given(at=st.integers(100, 260), wide=st.floats(30.0, 60.0), gain=st.floats(0.6, 1.6))
def test_wherever_it_comes_in(at: int, wide: float, gain: float) -> None:
    assert is_seen(sleeve(painted(tray("green")), of_hue("green", gain), at=at, wide=wide, weave=2.0))


def over(picture: Drawn, corners_mm: np.ndarray, *, gain: float) -> np.ndarray:
    """Return a drawn tray with something flat laid over it, so many times as light as its felt, corners on the tray."""
    to_px = tray_of(picture).to_px
    felt_px = to_px(np.array([[180.0, 40.0]])).round().astype(int)[0]
    patch = picture.picture_bgr[felt_px[1] - 6 : felt_px[1] + 6, felt_px[0] - 6 : felt_px[0] + 6]
    out = picture.picture_bgr.copy()
    colour = np.clip(patch.mean(axis=(0, 1)) * gain, 0, 250).tolist()
    cv2.fillConvexPoly(out, to_px(corners_mm).round().astype(np.int32), colour)
    return np.asarray(cv2.GaussianBlur(out, (0, 0), 0.6))


@pytest.mark.parametrize("gain", [0.6, 0.8, 1.0, 1.25])
def test_a_tray_with_a_sleeve_over_a_die_is_never_read(gain: float) -> None:
    at = DICE.truth["dice"][0]["center"]
    x, y = tray_of(DICE).to_mm(np.array([at]))[0]
    arm = np.array([[x - 28, y - 22], [x + 28, y - 22], [x + 36, 400.0], [x - 36, 400.0]])
    assert read(over(DICE, arm, gain=gain), expect="dice").status is Status.BUSY
