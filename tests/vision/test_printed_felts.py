"""Felts for players have prints: a racetrack, a club's emblem. Few questions, and no waiting for what is no hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.trays import drawn, tray_of
from vision.drawing import Drawn
from vision.reader import read
from vision.reading import Problem, Status
from vision.tray.rectify import Image

INK = {"gold": (70, 165, 205), "white": (225, 228, 230), "dark": (25, 40, 20)}


def printed(picture: Drawn, outline_mm: np.ndarray, ink: tuple[int, int, int], *, wide_mm: float | None) -> Image:
    """Return the picture with an outline (n, 2) printed on its felt, under all tiles; wide_mm: None fills it."""
    tray, mask = tray_of(picture), np.zeros(picture.picture_bgr.shape[:2], np.uint8)
    at = np.round(tray.to_px(outline_mm)).astype(np.int32)
    if wide_mm is None:
        cv2.fillPoly(mask, [at], 255, cv2.LINE_AA)
    else:
        cv2.polylines(mask, [at], True, 255, max(1, round(wide_mm * tray.scale())), cv2.LINE_AA)
    for tile in picture.truth["tiles"]:
        cv2.fillConvexPoly(mask, np.round(tile["quad"]).astype(np.int32), 0)
    share = (cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32) / 255)[..., None]
    return (picture.picture_bgr + share * (np.array(ink) - picture.picture_bgr)).astype(np.uint8)


def oval(middle: tuple[float, float], half: tuple[float, float], straight: float = 0.0) -> np.ndarray:
    """Return an ellipse (n, 2) mm, drawn apart along x by straight sides."""
    t = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    arc = np.c_[np.cos(t), np.sin(t)]
    return np.array(middle) + arc * half + np.sign(arc) * (straight, 0.0)


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
