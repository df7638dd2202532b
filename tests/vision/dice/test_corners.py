"""Issue 3: dice and disks told apart where nothing but their shape differs; never silently wrong."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.dice.corners import corners_of
from vision.dice.torn import ROUND, SQUARE
from vision.geometry import Floats
from vision.ground.felt import Felt, look_at_felt
from vision.tray.rectify import Image, tray_from_clicks

PX = 2.0
TRAY = tray_from_clicks([(0.0, 0.0), (720.0, 0.0), (720.0, 520.0), (0.0, 520.0)], size_mm=(360.0, 260.0))
HALF = 8.0
PLACE = (180.0, 130.0)


@cache
def bare_felt() -> Image:
    noise = np.random.default_rng(3).normal(0, 3, (520, 720, 1))
    return np.clip(np.array([48.0, 92.0, 22.0]) + noise, 0, 255).astype(np.uint8)


def painted(*outlines_mm: Floats) -> Image:
    picture = bare_felt().copy()
    for outline in outlines_mm:
        cv2.fillPoly(picture, [np.round(outline * PX * 16).astype(np.int32)], (40, 40, 200), cv2.LINE_AA, 4)
    return cv2.blur(picture, (3, 3))


def square(middle: tuple[float, float], turn: float, *, half: float = HALF, rounded: float = 0.0) -> Floats:
    """Return a square whose corners are cut by a circle, the more the more rounded: 0 as it is, 1 a disk."""
    t = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    reach = half / np.maximum(np.abs(np.cos(t)), np.abs(np.sin(t)))
    reach = np.minimum(reach, half * (1 + (1 - rounded) * (np.sqrt(2) - 1)))
    return np.array(middle) + reach[:, None] * np.stack([np.cos(t + turn), np.sin(t + turn)], axis=1)


def ground_of(picture: Image) -> Felt:
    small = cv2.resize(picture, (360, 260), interpolation=cv2.INTER_AREA)
    around = np.array([[-16.0, -16.0], [16.0, -16.0], [16.0, 16.0], [-16.0, 16.0]]) + PLACE
    return look_at_felt(np.asarray(small, np.uint8), [around], px_per_mm=1.0)


def corners(picture: Image, *others: tuple[float, float], half: float = HALF) -> float:
    middles = np.array([PLACE, *others])
    which = np.arange(len(middles)) == 0
    return float(corners_of(picture, TRAY, ground_of(picture), middles, np.full(len(middles), half), which=which)[0])


@settings(max_examples=40)
@given(turn=st.floats(0, 1.6), rounded=st.floats(0, 0.4), off=st.floats(0, 1.5))
def test_a_die_has_corners_however_it_lies(turn: float, rounded: float, off: float) -> None:
    assert corners(painted(square((PLACE[0] + off, PLACE[1]), turn, rounded=rounded))) >= SQUARE


@settings(max_examples=40)
@given(radius=st.floats(7.5, 10), off=st.floats(0, 1.5))
def test_a_disk_has_none(radius: float, off: float) -> None:
    disk = square((PLACE[0], PLACE[1] + off), 0.0, half=radius, rounded=1.0)
    assert corners(painted(disk)) < ROUND


def test_a_die_that_another_one_touches_on_a_side_is_not_round() -> None:
    beside = (PLACE[0] + 2 * HALF, PLACE[1])
    assert corners(painted(square(PLACE, 0.0), square(beside, 0.0)), beside) > ROUND


def test_nobody_knows_where_pieces_lie_all_around() -> None:
    around = [(PLACE[0] + 2 * HALF * x, PLACE[1] + 2 * HALF * y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    picture = painted(square(PLACE, 0.0), *(square(at, 0.0) for at in around))
    assert np.isnan(corners(picture, *around))


def test_nobody_knows_where_the_outline_is_not_the_pieces() -> None:
    """A square three times as wide as the find: the felt begins too far from it."""
    assert np.isnan(corners(painted(square(PLACE, 0.3, half=3 * HALF))))


def test_nobody_knows_where_no_felt_is_seen() -> None:
    nothing = Felt(np.zeros((130, 180), dtype=bool), np.zeros((130, 180, 3), np.uint8))
    out = corners_of(bare_felt(), TRAY, nothing, np.array([PLACE]), np.array([HALF]), which=np.array([True]))
    assert np.isnan(out).all()
