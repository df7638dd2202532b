"""Felts for players have prints: a racetrack, a club's emblem. Few questions, and no waiting for what is no hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.prints import INK, oval, printed
from tests.vision.trays import drawn, tray_of
from vision.reader import read
from vision.reading import Problem, Status

pytestmark = pytest.mark.usefixtures("searched_once", "asked_once")


@pytest.mark.parametrize("ink", INK)
@pytest.mark.parametrize("wide_mm", [2.0, 5.0])
def test_a_board_within_a_racetrack_is_read(ink: str, wide_mm: float) -> None:
    picture = drawn()
    seen = printed(picture, oval((180.0, 130.0), (100.0, 108.0), 65.0), INK[ink], wide_mm=wide_mm)
    reading = read(seen)
    assert reading.status is Status.READ
    assert [tile.symbol for tile in reading.tiles] == [tile.symbol for tile in read(picture.picture_bgr).tiles]


@pytest.mark.parametrize("ink", ["gold", "white"])
def test_an_emblem_is_asked_about_and_no_hand(ink: str) -> None:
    """Whoever waits for it to go away waits for ever."""
    picture = drawn()
    low = max(np.array(tray_of(picture).to_mm(np.array(t["quad"])))[:, 1].max() for t in picture.truth["tiles"])
    seen = printed(picture, oval((180.0, low + 26.0), (70.0, 13.0)), INK[ink], wide_mm=None)
    reading = read(seen)
    assert reading.status is Status.UNSURE
    assert not reading.problems & Problem.HAND
    assert reading.unread
