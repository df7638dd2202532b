"""Light with hard edges is asked about, not waited for; what reaches in is waited for (DESIGN: hands never score)."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.ground.test_felt import FELTS, felt
from tests.vision.trays import drawn, tray_of
from vision.colour.paint import as_seen, linear
from vision.drawing import Drawn, Hand
from vision.ground.conditions import as_arms, lit_alone
from vision.ground.felt import look_at_felt
from vision.ground.hard_light import is_only_light
from vision.reader import read
from vision.reading import Status

pytestmark = pytest.mark.usefixtures("searched_once", "asked_once")

MARGIN = 20
WOOD = (70, 110, 150)
WINDOW = np.array([[130, 90], [250, 100], [246, 190], [126, 180]])
"""Corners in millimetres of the felt."""
DARK = ["green", "red", "black"]
"""Felts on which such light may be strange: on pale felt it is as faint as a lamp's spot."""


def tray(colour: str, *, seed: int = 1) -> np.ndarray:
    """Return felt with a rim of wood around it, at 1 px/mm."""
    inside = felt(FELTS[colour], seed)
    around = [(MARGIN, MARGIN), (MARGIN, MARGIN)]
    planes = [np.pad(inside[..., k], around, constant_values=WOOD[k]) for k in range(3)]
    return np.stack(planes, axis=-1)


def mask(corners: np.ndarray, *, soft: float = 1.0) -> np.ndarray:
    """Return (300, 400, 1) 1 within corners in millimetres of the felt, with an edge so soft."""
    out = np.zeros((260 + 2 * MARGIN, 360 + 2 * MARGIN), np.float32)
    cv2.fillConvexPoly(out, corners + MARGIN, 1.0)
    return np.asarray(cv2.GaussianBlur(out, (0, 0), soft))[..., None]


def mirrored(picture: np.ndarray, where: np.ndarray, *, light: float) -> np.ndarray:
    """Return the picture with so much of white light added somewhere, nearly as much of each colour."""
    more = light * where * np.array([1.05, 1.0, 0.92])
    return np.asarray(as_seen(np.clip(linear(picture) + more, 0, 1)).round(), dtype=np.uint8)


def sunlit(picture: np.ndarray, where: np.ndarray, *, gain: float) -> np.ndarray:
    """Return the picture with so many times the light somewhere."""
    return np.asarray(as_seen(np.clip(linear(picture) * (1 + (gain - 1) * where), 0, 1)).round(), dtype=np.uint8)


def sleeve(
    picture: np.ndarray, colour: tuple[float, float, float], *, at: int = 180, wide: float = 44.0, weave: float = 0.0
) -> np.ndarray:
    """Return the picture with an arm over its lower rim, round and lit from above, in a sleeve of a colour."""
    y, x = np.mgrid[0:300, 0:400]
    across = (x - at - MARGIN + 0.3 * (y - 300)) / (wide / 2)
    there = ((np.abs(across) < 1) & (y > 130)).astype(np.float32)
    shade = 0.4 + 0.6 * np.sqrt(np.clip(1 - across**2, 0, 1))
    cloth = linear(np.array(colour)) * shade[..., None]
    seen = as_seen(cloth) + np.random.default_rng(4).normal(0, weave, (300, 400, 1))
    soft = cv2.GaussianBlur(there, (0, 0), 0.7)[..., None]
    return np.clip(picture * (1 - soft) + seen * soft, 0, 255).astype(np.uint8)


def looks_lit(flat: np.ndarray) -> list[bool]:
    """Return of all that is as large as an arm whether it passes for light."""
    ground = look_at_felt(flat[MARGIN:-MARGIN, MARGIN:-MARGIN].copy(), [], px_per_mm=1.0)
    arms = as_arms(ground.residue([]), hand_at=lambda _: 0.3)
    return [is_only_light(flat, ground, a.cells, [], px_per_mm=1.0, margin_mm=float(MARGIN)) for a in arms]


@pytest.mark.parametrize("colour", DARK)
@pytest.mark.parametrize("light", [0.06, 0.15, 0.3])
def test_a_window_mirrored_in_a_sheet_over_the_tray_is_light(colour: str, light: float) -> None:
    assert all(looks_lit(mirrored(tray(colour), mask(WINDOW), light=light)))


def test_it_is_more_than_a_veil_on_felt_with_a_hue() -> None:
    assert looks_lit(mirrored(tray("red"), mask(WINDOW), light=0.15)) == [True]


def test_a_window_that_ends_with_the_felt_is_light() -> None:
    """A sheet lies within the rim: there the window ends, and the rim is as it was."""
    beside = np.array([[130, 150], [250, 150], [250, 259], [130, 259]])
    assert looks_lit(mirrored(tray("green"), mask(beside, soft=0.3), light=0.1)) == [True]


@pytest.mark.parametrize("colour", DARK)
def test_a_lamps_tube_mirrored_there_is_light(colour: str) -> None:
    tube = np.array([[60, 120], [300, 136], [299, 154], [59, 138]])
    assert all(looks_lit(mirrored(tray(colour), mask(tube, soft=1.5), light=0.4)))


@pytest.mark.parametrize("colour", DARK)
def test_a_spot_of_sunlight_is_light(colour: str) -> None:
    assert all(looks_lit(sunlit(tray(colour), mask(WINDOW), gain=4.0)))


@pytest.mark.parametrize("colour", FELTS)
@pytest.mark.parametrize("weave", [0.0, 2.0, 5.0, 9.0])
@pytest.mark.parametrize(
    "cloth", [(235, 235, 235), (150, 150, 150), (20, 20, 20), (120, 150, 205), (60, 70, 120), (160, 90, 40)],
    ids=["white", "grey", "black", "skin", "dark skin", "blue"],
)  # fmt: skip
def test_no_sleeve_is_light(colour: str, cloth: tuple[int, int, int], weave: float) -> None:
    """Smooth or woven, of any colour: an arm in it is waited for."""
    assert not any(looks_lit(sleeve(tray(colour), cloth, weave=weave)))


@pytest.mark.parametrize("colour", FELTS)
@pytest.mark.parametrize("gain", [1.5, 1.8, 2.4])
@pytest.mark.parametrize("weave", [2.0, 5.0])
def test_no_sleeve_of_the_felts_own_hue_is_light(colour: str, gain: float, weave: float) -> None:
    cloth = np.minimum(np.array(FELTS[colour]) * gain, 250)
    assert not any(looks_lit(sleeve(tray(colour), tuple(cloth), weave=weave)))


@pytest.mark.parametrize("colour", DARK)
@pytest.mark.parametrize("tall", [30, 80, 150])
def test_what_is_as_light_goes_on_beyond_the_rim_is_none(colour: str, tall: int) -> None:
    """Flat, as smooth as felt and of the colour that light on it would have: only that it reaches in tells."""
    flat = mirrored(tray(colour), mask(WINDOW), light=0.15)
    cloth = flat[MARGIN + 130 : MARGIN + 140, MARGIN + 150 : MARGIN + 230].mean(axis=(0, 1))
    plain = tray(colour)
    plain[300 - MARGIN - tall :, 150:230] = np.clip(
        cloth + np.random.default_rng(3).normal(0, 2.5, (MARGIN + tall, 80, 3)), 0, 255
    )
    assert not any(looks_lit(plain))


def test_where_the_picture_ends_with_the_felt_nobody_knows() -> None:
    """What is seen last is repeated beyond a picture's edge: there it may be an arm, and is waited for."""
    beside = np.array([[130, 150], [250, 150], [250, 259], [130, 259]])
    flat = mirrored(tray("green"), mask(beside, soft=0.3), light=0.1)
    flat[-MARGIN:] = flat[-MARGIN - 1]
    assert looks_lit(flat) == [False]


def test_where_a_hand_is_certain_nothing_passes_for_light() -> None:
    flat = mirrored(tray("green"), mask(WINDOW), light=0.15)
    ground = look_at_felt(flat[MARGIN:-MARGIN, MARGIN:-MARGIN].copy(), [], px_per_mm=1.0)
    arms = as_arms(ground.residue([]), hand_at=lambda _: 0.3)
    assert len(arms) == 1
    assert lit_alone(arms, hand_at=lambda _: 0.3, light=lambda _: True) == arms
    assert lit_alone(arms, hand_at=lambda _: 0.6, light=lambda _: True) == []


def over(picture: Drawn, corners_mm: np.ndarray, *, light: float) -> Drawn:
    """Return a drawn tray with a window mirrored over it."""
    where = np.zeros(picture.picture_bgr.shape[:2], np.float32)
    cv2.fillConvexPoly(where, tray_of(picture).to_px(corners_mm.astype(float)).round().astype(np.int32), 1.0)
    soft = cv2.GaussianBlur(where, (0, 0), 1.5)[..., None]
    return replace(picture, picture_bgr=mirrored(picture.picture_bgr, soft, light=light))


@pytest.mark.parametrize("light", [0.06, 0.15])
@pytest.mark.parametrize("left", [24, 120, 230])
def test_a_tray_under_a_mirrored_window_is_never_waited_for(left: int, light: float) -> None:
    """A person reads it at a glance, and the window stays until the evening."""
    window = np.array([[left, 20], [left + 100, 20], [left + 100, 70], [left, 70]])
    reading = read(over(drawn(), window, light=light).picture_bgr, expect="rows")
    assert reading.status is not Status.BUSY
    assert len(reading.tiles) == 40


def test_what_passes_for_light_is_asked_about() -> None:
    """Never silently wrong: it may hide a piece, or be a thing that looks like light."""
    window = np.array([[60, 196], [260, 196], [260, 240], [60, 240]])
    reading = read(over(drawn(), window, light=0.2).picture_bgr, expect="rows")
    assert reading.status is Status.UNSURE
    assert reading.unread


@pytest.mark.parametrize("seed", [3, 5, 8])
def test_a_hand_under_a_mirrored_window_is_waited_for(seed: int) -> None:
    window = np.array([[60, 20], [260, 20], [260, 70], [60, 70]])
    picture = over(drawn(hand=Hand(20.0, 0.0, 100.0, seed)), window, light=0.1)
    assert read(picture.picture_bgr, expect="rows").status is Status.BUSY
