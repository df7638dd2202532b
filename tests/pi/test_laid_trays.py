"""Tiles and dice that players lay piece by piece: drawn, read by the real eye, and handed in with their zones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pi.frames import Cue, Metronome
from pi.settings import CameraSettings
from pi.simulator import SimulatedCamera, scene_of_laid
from pi.stand_ins.mats import RUN_BUSTER, TRAY_MM, hand_place
from pi.stand_ins.tray_on_disk import Laid, LaidDie, read, write
from pi.translate import dice_of, handed_in
from pi.watcher import Eye
from pi.watching import worth_telling
from tests.pi.cameras import Clock
from vision.frames.alike import same
from vision.layout import Expectation
from vision.reading import DieReading, Reading, Status

ROWS = (("red:7", "red:8", None, None, None, None, None, None, None, "red:0"), (None,) * 10, (None,) * 10, (None,) * 10)
CORNERS = ((100.0, 80.0), (820.0, 80.0), (820.0, 600.0), (100.0, 600.0))
"""A tray seen straight from above, two pixels a millimetre."""


def die(value: int, at_mm: tuple[float, float], *, sure: bool = True) -> DieReading:
    return DieReading(value, "red", sure, 0.99, (100 + 2 * at_mm[0], 80 + 2 * at_mm[1]))


def dice_reading(*dice: DieReading) -> Reading:
    return Reading(Status.READ, dice=dice, tray=CORNERS, expected="dice")


def frames(folder: Path, laid: Laid, expects: str, count: int) -> list[np.ndarray]:
    """Return pictures of the simulated camera after something was laid."""
    clock = Clock()
    beat = Metronome(5, monotonic_ns=clock, sleep=clock.sleep)
    settings = CameraSettings(seed=4, hurried=True, size=(1280, 960), folder=str(folder))
    with SimulatedCamera(settings, beat=beat) as camera:
        write(folder, laid)
        camera.cue(Cue(laid.match, laid.round, expects))
        return [camera.frame().picture_bgr for _ in range(count)]


def test_what_was_laid_comes_back_from_the_file(tmp_path: Path):
    assert read(tmp_path) is None
    laid = Laid("m1", 2, 3, ROWS, (LaidDie(0, 4, 1),))
    write(tmp_path, laid)
    assert read(tmp_path) == laid


def test_tiles_laid_in_turn_are_read_where_they_lie(tmp_path: Path):
    picture = frames(tmp_path, Laid("m1", 1, 1, ROWS), "drawbridge", 4)[-1]
    reading = Eye()(picture, Expectation.DRAWBRIDGE)
    assert {(t.row, t.column, t.symbol) for t in reading.tiles if t.sure} <= {(0, 0, "7"), (0, 1, "8"), (0, 9, "0")}
    assert len(reading.tiles) == 3


def test_a_tile_that_stays_lies_exactly_where_it_lay():
    fewer = scene_of_laid(Laid("m1", 1, 1, ROWS), seed=9)
    more = (ROWS[0], (None,) * 9 + ("blue:3",), *ROWS[2:])
    assert set(fewer.tiles) < set(scene_of_laid(Laid("m1", 1, 2, more), seed=9).tiles)


def test_another_matchs_tray_is_not_drawn(tmp_path: Path):
    write(tmp_path, Laid("old", 1, 1, ROWS))
    assert len(scene_of_laid(Laid("m1", 1, 1, ((None,) * 10,) * 4), seed=1).tiles) == 0


@pytest.mark.parametrize("seat", range(1, 7))
def test_a_die_belongs_to_the_zone_it_lies_in(seat: int):
    (seen,) = dice_of(dice_reading(die(5, hand_place(seat, 5))), frame="f").dice
    assert (seen.zone, seen.value, seen.sure) == (seat, 5, True)


def test_dice_are_handed_in_as_dice_and_doubt_goes_along():
    reading = dice_reading(die(3, RUN_BUSTER[0].middle, sure=False), die(2, hand_place(2, 2)))
    assert handed_in(reading, frame="f") == {
        "command": "buster-read",
        "dice": [
            {"zone": 0, "value": 3, "sure": False, "likely": [[3, 0.99]]},
            {"zone": 2, "value": 2, "sure": True, "likely": []},
        ],
        "frame": "f",
        "source": "camera",
        "strange": False,
        "unseen": False,
    }
    assert worth_telling(reading)
    assert not worth_telling(replace(reading, dice=()))
    assert worth_telling(replace(reading, dice=(), status=Status.EMPTY)), "hands that have all gone are news"


def test_a_die_on_a_line_or_beside_every_zone_lies_in_none():
    on_line = (RUN_BUSTER[1].left, RUN_BUSTER[1].top + 30)
    beside = (20.0, 30.0)
    seen = dice_of(dice_reading(die(3, on_line), die(4, beside)), frame="f").dice
    assert [d.zone for d in seen] == [-1, -1]


def test_a_die_moved_from_the_roll_into_a_hand_is_news():
    """Its value alone would say nothing new, and the hand would never be seen."""
    rolled = dice_reading(die(3, RUN_BUSTER[0].middle))
    assert not same(rolled, dice_reading(die(3, hand_place(1, 3))))
    assert same(rolled, dice_reading(die(3, (TRAY_MM[0] / 2 + 1, TRAY_MM[1] / 2))))
