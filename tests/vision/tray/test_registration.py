"""FIELD.md, promise 9: "nudge homography by 1, 2, 5, 10 px ... alarm within one turn, no false alarm in 8 h of still
footage"."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.trays import drawn
from vision.drawing import Hand
from vision.drawing.reel import moved
from vision.geometry import transform
from vision.tray.fiducials import find_markers
from vision.tray.rectify import Tray, find_tray, tray_from_clicks, tray_from_markers
from vision.tray.registration import Registration, shift_mm

S = 1_000_000_000


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    return drawn(seed=4).picture_bgr


@pytest.fixture(scope="module")
def tray(picture) -> Tray:
    found = find_tray(picture)
    assert found is not None
    assert found.complete
    return found


def jittered(tray: Tray, rng: np.random.Generator, *, px: float, keep: int = 4, by: float = 0.0) -> Tray:
    """The same tray as noise would have it found, with some of its markers, or moved."""
    markers = tuple(
        (i, tuple((x + by + rng.normal(0, px), y + rng.normal(0, px)) for x, y in corners))
        for i, corners in tray.markers[:keep]
    )
    return replace(tray, markers=markers)


def registered(tray: Tray) -> Registration:
    return Registration().step(tray, at_ns=0).step(tray, at_ns=S)


def test_a_tray_is_known_once_two_pictures_agree(tray):
    once = Registration().step(tray, at_ns=0)
    assert once.tray is None
    assert once.step(tray, at_ns=S).tray == tray
    assert once.step(tray, at_ns=S).bump is None


@pytest.mark.parametrize("px", [1, 2, 5, 10])
def test_a_nudge_is_noticed_by_the_second_picture_and_followed(picture, tray, px):
    found = find_tray(moved(0.8 * px, 0.6 * px)(picture))
    after = registered(tray).step(found, at_ns=2 * S)
    assert after.bump is None
    after = after.step(found, at_ns=3 * S)
    assert after.bump.at_ns == 3 * S
    assert after.bump.mm == pytest.approx(px / tray.scale(), abs=0.5)
    assert after.tray == found


def test_one_picture_proves_nothing(tray):
    rng = np.random.default_rng(1)
    state = registered(tray)
    for second in range(2, 30, 2):
        state = state.step(jittered(tray, rng, px=0.0, by=30.0 + second), at_ns=second * S)
        state = state.step(tray, at_ns=(second + 1) * S)
    assert state.bump is None
    assert state.tray == tray


def test_eight_hours_of_noise_are_no_bump(tray):
    rng = np.random.default_rng(2)
    state = registered(tray)
    for k in range(8 * 3600 // 6):
        keep = 4 if k % 7 else int(rng.integers(2, 5))
        state = state.step(jittered(tray, rng, px=0.25, keep=keep), at_ns=6 * k * S)
        assert state.bump is None
    assert state.lost_ns is None


def test_a_hand_over_a_marker_is_no_bump(tray):
    found = find_tray(drawn(seed=4, hand=Hand(-150, -95, 120, seed=2)).picture_bgr)
    state = registered(tray)
    for second in range(2, 8):
        state = state.step(found, at_ns=second * S)
    assert state.bump is None
    assert len(state.tray.markers) == 4


def test_a_tray_that_is_gone_is_lost_after_three_pictures_and_found_again(tray):
    state = registered(tray)
    for second in (2, 3):
        state = state.step(None, at_ns=second * S)
        assert state.lost_ns is None
    state = state.step(None, at_ns=4 * S)
    assert state.lost_ns == 4 * S
    assert state.step(None, at_ns=9 * S).lost_ns == 4 * S
    back = state.step(tray, at_ns=10 * S)
    assert (back.lost_ns, back.bump) == (None, None)


def test_a_tray_that_comes_back_elsewhere_was_moved(tray):
    state = registered(tray)
    for second in (2, 3, 4):
        state = state.step(None, at_ns=second * S)
    elsewhere = jittered(tray, np.random.default_rng(3), px=0.0, by=40.0)
    state = state.step(elsewhere, at_ns=5 * S).step(elsewhere, at_ns=6 * S)
    assert (state.lost_ns, state.tray) == (None, elsewhere)
    assert state.bump.mm == pytest.approx(40 / tray.scale(), rel=0.2)


def test_a_felt_without_markers_is_judged_less_finely():
    tray, near, far = (replace(seen, found="edge") for seen in (shown(0, 0), shown(8, -6), shown(40, 0)))
    state = registered(tray)
    assert state.step(near, at_ns=2 * S).step(near, at_ns=3 * S).bump is None
    assert state.step(far, at_ns=2 * S).step(far, at_ns=3 * S).bump.mm == pytest.approx(shift_mm(tray, far))


def test_shown_corners_are_judged_by_what_lies_around_them():
    state = registered(shown(0, 0))
    trembling, bumped = shown(2, -2), shown(8, -6)
    assert state.step(trembling, at_ns=2 * S).step(trembling, at_ns=3 * S).bump is None
    assert state.step(bumped, at_ns=2 * S).step(bumped, at_ns=3 * S).bump.mm == pytest.approx(4.5, abs=0.1)


def shown(right: float, down: float) -> Tray:
    """Return a tray whose corners were shown, so many pixels (2.2 a millimetre) from where it first lay."""
    corners = [(100.0, 100.0), (900.0, 100.0), (900.0, 680.0), (100.0, 680.0)]
    return tray_from_clicks([(x + right, y + down) for x, y in corners])


def test_the_owner_registers_anew_without_a_bump(tray):
    elsewhere = jittered(tray, np.random.default_rng(3), px=0.0, by=40.0)
    state = registered(tray).again()
    assert state.tray is None
    state = state.step(elsewhere, at_ns=5 * S).step(elsewhere, at_ns=6 * S)
    assert (state.tray, state.bump) == (elsewhere, None)


def test_a_shift_is_measured_in_millimetres_of_the_tray_by_markers_or_by_the_felt(picture, tray):
    dx, dy = 6.0, -3.0
    step = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]])
    found = {n: transform(p, step) for n, p in find_markers(picture).items()}
    bumped = tray_from_markers(found, picture_wh=(picture.shape[1], picture.shape[0]))
    assert bumped is not None
    assert shift_mm(tray, tray) == 0.0
    assert shift_mm(tray, bumped) == pytest.approx(np.hypot(dx, dy) / tray.scale(), rel=0.1)
    assert shift_mm(replace(tray, markers=()), bumped) == pytest.approx(np.hypot(dx, dy) / tray.scale(), rel=0.2)
