"""Issue 3, disks 99 %: what the finder takes for a die among disks, though it is round and lies flat."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.dice import torn


@pytest.mark.parametrize(
    ("corners", "lead", "stands", "single", "round_"),
    [
        pytest.param(0.02, 1.0, 9.0, False, True, id="plainly round"),
        pytest.param(0.04, 1.0, -3.0, False, True, id="hardly round, but flat"),
        pytest.param(0.04, 1.0, -1.0, False, False, id="hardly round, and not plainly flat"),
        pytest.param(0.04, 1.0, -3.0, True, False, id="of a single pip, as the round tops of dice show"),
        pytest.param(0.06, 1.0, -3.0, False, False, id="with corners"),
        pytest.param(0.02, 3.5, -1.5, False, True, id="much rather a die to the finder, but round and flat"),
        pytest.param(0.04, 3.5, -3.0, False, False, id="much rather a die to the finder, and hardly round"),
        pytest.param(0.02, 4.5, -9.0, False, False, id="plainly a die to the finder"),
    ],
)
def test_a_disk_is_round_and_lies_flat(corners: float, lead: float, stands: float, single: bool, round_: bool) -> None:
    """Few questions, and never silently wrong: one alone is believed only as far as finder and shape agree."""
    there = np.array([0])
    finds = SimpleNamespace(
        dice=False,
        scene=SimpleNamespace(
            quads_mm=np.zeros((1, 4, 2)), covered=np.ones(1), found=SimpleNamespace(lead=lambda: np.array([lead]))
        ),
        eyes=SimpleNamespace(stands=object()),
        of=lambda kind: np.array([kind == "die"]),
        well_found=lambda: there,
        corners=lambda at, which: np.full(int(np.count_nonzero(which)), corners),
        may_stand=lambda at, above: np.full(len(at), stands > above),
        shown=lambda which: SimpleNamespace(single=np.array([single])),
    )
    assert torn.round_ones(finds).tolist() == [round_]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "round_"),
    [
        pytest.param({}, True, id="beside a plain disk"),
        pytest.param({"beside": 1.0}, False, id="beside what may be one"),
        pytest.param({"stands": 3.0}, False, id="it stands"),
        pytest.param({"single": True}, False, id="of a single pip, as the round tops of dice show"),
        pytest.param({"unreadable": 0.9}, False, id="nothing is to be read"),
        pytest.param({"lead": 3.0}, False, id="much rather a die to the finder"),
        pytest.param({"corners": 0.09}, False, id="plain corners"),
        pytest.param({"corners": np.nan}, True, id="no outline"),
    ],
)
def test_four_dots_that_do_not_stand_are_no_die_beside_a_plain_disk(changed: dict[str, Any], round_: bool) -> None:
    """Few questions: of dark disks on dark felt, corners of noise and all, one was taken for a die among its likes."""
    seen = {"beside": 3.0, "stands": 1.1, "single": False, "unreadable": 0.05, "lead": 2.2, "corners": 0.067} | changed
    lead = np.array([seen["lead"], seen["beside"]])
    finds = SimpleNamespace(
        dice=False,
        scene=SimpleNamespace(
            quads_mm=np.zeros((2, 4, 2)), covered=np.ones(2), found=SimpleNamespace(lead=lambda: lead)
        ),
        eyes=SimpleNamespace(stands=object()),
        of=lambda kind: np.array([kind == "die", kind == "disk"]),
        well_found=lambda: np.array([0, 1]),
        corners=lambda at, which: np.full(int(np.count_nonzero(which)), seen["corners"]),
        may_stand=lambda at, above: np.full(len(at), seen["stands"] > above),
        shown=lambda which: SimpleNamespace(
            single=np.array([seen["single"]] * 2), unreadable=np.full(2, seen["unreadable"])
        ),
    )
    assert torn.round_ones(finds).tolist() == [round_, False]  # type: ignore[arg-type]
