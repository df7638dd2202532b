"""The guard looks for the tray every few seconds: often while that is cheap, seldom while the felt's edge is needed."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from pi.frames import Frame, Picture
from pi.guard import SOUGHT_EDGE_NS, SOUGHT_NS, Guard
from tests.vision.trays import drawn, tray_of
from vision.tray.glance import glance
from vision.tray.rectify import Tray

pytestmark = pytest.mark.usefixtures("searched_once")

PICTURE = drawn().picture_bgr
WHOLE = tray_of(drawn())


def looks(tray: Tray, seconds: int) -> list[int]:
    """Return when the tray was looked for (ns) in a steady picture of so many seconds at ten frames each."""
    times: list[int] = []
    guard, now_ns = Guard(), 0

    def find(_picture: object) -> Tray:
        times.append(now_ns)
        return tray

    guard.find = find
    small = glance(PICTURE)
    for number in range(10 * seconds):
        now_ns = number * 100_000_000
        guard.see(Frame(PICTURE, now_ns, number, still=True), small, busy=False, changed=False, metered=False)
    return times


@pytest.mark.parametrize(("seen", "pause_ns"), [(4, SOUGHT_NS), (3, SOUGHT_EDGE_NS), (0, SOUGHT_EDGE_NS)])
def test_a_tray_that_costs_a_look_at_the_felts_edge_is_looked_for_less_often(seen: int, pause_ns: int) -> None:
    times = looks(replace(WHOLE, markers=WHOLE.markers[:seen]), 30)
    assert {b - a for a, b in zip(times[3:], times[4:], strict=False)} == {pause_ns}


UNMARKED = np.asarray(drawn(seed=6, markers=False).picture_bgr, dtype=np.uint8)


def moved_by(mm: float) -> Picture:
    """Return the picture of a camera that was moved by so many millimetres of the tray."""
    shift = mm * tray_of(drawn(seed=6, markers=False)).scale()
    move = np.array([[1.0, 0.0, 0.8 * shift], [0.0, 1.0, 0.6 * shift]])
    shown = cv2.warpAffine(UNMARKED, move, UNMARKED.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shown, dtype=np.uint8)


def sees(guard: Guard, picture: Picture, *, since: int, frames: int = 8) -> Guard:
    """Let the guard see a still picture in so many looks."""
    for number in range(since, since + frames):
        frame = Frame(picture, number * SOUGHT_EDGE_NS, number, still=True)
        guard.see(frame, glance(picture), busy=False, changed=False, metered=False)
    return guard


@pytest.mark.parametrize(("mm", "told"), [(0.5, False), (3.0, True), (5.0, True), (9.0, True)])
def test_a_small_bump_of_a_tray_without_markers_is_noticed(mm: float, told: bool) -> None:
    """The issue: "a bumped camera or tray ... noticed within one turn and named". Its edge alone tells 6 mm."""
    guard = sees(Guard(), UNMARKED, since=0)
    assert guard.tray is not None
    assert guard.tray.found == "edge"
    sees(guard, moved_by(mm), since=8, frames=3)
    assert (guard.registration.bump is not None) == told
    if told:
        assert guard.registration.bump.mm == pytest.approx(mm, abs=0.6)


def test_a_lamp_that_fades_is_no_bump() -> None:
    guard = sees(Guard(), UNMARKED, since=0)
    sees(guard, (UNMARKED * 0.6).astype(np.uint8), since=8)
    assert guard.registration.bump is None
    assert guard.registration.lost_ns is None
