"""The guard looks for the tray every few seconds: often while that is cheap, seldom while the felt's edge is needed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pi.frames import Frame
from pi.guard import SOUGHT_EDGE_NS, SOUGHT_NS, Guard
from tests.vision.trays import drawn, tray_of
from vision.tray.glance import glance
from vision.tray.rectify import Tray

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
