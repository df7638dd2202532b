"""Never silently wrong: what looks like a back in a lamp's image does so in every frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.frames.test_short import ROW, rows
from vision.frames.votes import fuse, vote_of
from vision.reading import SYMBOLS, Reading, Status

AT = ROW.index("8")
SURE, MAYBE = 0.9999, 0.85


def with_a_back(p: float) -> Reading:
    """Return a row with what a frame takes for a back, this surely by its pixels."""
    rest = (1.0 - p) / (len(SYMBOLS) - 1)
    evidence = tuple(float(np.log(p if symbol == "down" else rest)) for symbol in SYMBOLS)
    row, sure = rows(), p == SURE
    back = replace(row.tiles[AT], symbol="down", sure=sure, confidence=p, colour=None, evidence=evidence)
    tiles = (*row.tiles[:AT], back, *row.tiles[AT + 1 :])
    return replace(row, tiles=tiles, status=Status.READ if sure else Status.UNSURE)


@pytest.mark.parametrize(("sure_frames", "sure"), [(0, False), (1, False), (2, False), (5, True), (7, True)])
def test_frames_that_doubt_a_back_are_no_surer_together(sure_frames: int, sure: bool) -> None:
    """Light that hides a number hides it in all: of seven frames with noise one had not seen that it was white."""
    frames = [with_a_back(SURE)] * sure_frames + [with_a_back(MAYBE)] * (7 - sure_frames)
    fused = fuse(frames[-1], [vote_of(frame) for frame in frames])
    assert fused.tiles[AT].symbol == "down"
    assert fused.tiles[AT].sure is sure
    assert fused.status is (Status.READ if sure else Status.UNSURE)
    assert all(t.sure for t in fused.tiles if t.symbol != "down"), "the others are as sure as they were"
