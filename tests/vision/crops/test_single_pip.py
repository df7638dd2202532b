"""Never silently wrong: a digit on a die that has digits instead of pips was a one, and surely; no limit of a tray's
kind says that all dice have pips."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.crops.faces import FACES, MARGIN, Faces
from vision.crops.single_pip import is_no_pip
from vision.dice.loose import read_loose
from vision.dice.loose_spots import LooseSpots

SIDE, ZOOM, FELT = 48, 8, (40.0, 60.0, 20.0)
FACE = SIDE * ZOOM * (1 - 2 * MARGIN)
RED, IVORY, BLACK, WHITE = (40.0, 40.0, 170.0), (200.0, 225.0, 235.0), (25.0, 22.0, 20.0), (240.0, 240.0, 240.0)


def _die(body: tuple[float, float, float]) -> np.ndarray:
    crop = np.full((SIDE * ZOOM, SIDE * ZOOM, 3), FELT, np.uint8)
    low, high = round(SIDE * ZOOM * MARGIN), round(SIDE * ZOOM * (1 - MARGIN))
    return cv2.rectangle(crop, (low, low), (high, high), body, -1)


def _small(crop: np.ndarray, seed: int = 1) -> np.ndarray:
    small = cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(seed).normal(0, 2.0, small.shape)
    return np.clip(small + noise, 0, 255).astype(np.uint8)


def _one(
    body: tuple[float, float, float], ink: tuple[float, float, float], *, wide: float = 0.2, oval: float = 1.0,
    off: float = 0.0, turn: float = 0.0,
) -> np.ndarray:  # fmt: skip
    """Return a one. wide: the pip, over the face's side; oval: how many times as long as wide, seen aslant."""
    middle = (SIDE * ZOOM - 1) / 2 + off * FACE
    axes = round(FACE * wide / 2 * oval), round(FACE * wide / 2)
    return cv2.ellipse(_die(body), ((middle, middle), (2.0 * axes[0], 2.0 * axes[1]), turn), ink, -1)


def _digit(text: str, body: tuple[float, float, float], ink: tuple[float, float, float], high: float) -> np.ndarray:
    """Return a face with a digit. high: over the face's side."""
    font, thick = cv2.FONT_HERSHEY_DUPLEX, round(0.045 * FACE * high / 0.3)
    scale = high * FACE / cv2.getTextSize(text, font, 1.0, 1)[0][1]
    (w, h), _ = cv2.getTextSize(text, font, scale, thick)
    at = (SIDE * ZOOM - w) // 2, (SIDE * ZOOM + h) // 2
    return cv2.putText(_die(body), text, at, font, scale, ink, thick, cv2.LINE_AA)


@pytest.mark.parametrize(("body", "ink"), [(RED, WHITE), (IVORY, BLACK), (IVORY, RED), (BLACK, WHITE)])
@pytest.mark.parametrize("wide", [0.14, 0.2, 0.3])
@pytest.mark.parametrize("oval", [1.0, 1.15])
def test_a_round_pip_is_one(
    body: tuple[float, float, float], ink: tuple[float, float, float], wide: float, oval: float
) -> None:
    for seed, (off, turn) in enumerate([(0.0, 0.0), (0.05, 30.0), (-0.04, 70.0)]):
        assert not is_no_pip(_small(_one(body, ink, wide=wide, oval=oval, off=off, turn=turn), seed), margin=MARGIN)


@pytest.mark.parametrize(("body", "ink"), [(RED, WHITE), (IVORY, BLACK)])
@pytest.mark.parametrize("text", ["2", "3", "4", "5", "7"])
@pytest.mark.parametrize("high", [0.35, 0.5])
def test_a_digit_is_none(
    body: tuple[float, float, float], ink: tuple[float, float, float], text: str, high: float
) -> None:
    assert is_no_pip(_small(_digit(text, body, ink, high)), margin=MARGIN)


def test_of_a_mark_that_is_hardly_seen_nothing_is_said() -> None:
    for by, said in ((4.0, False), (60.0, True)):
        ink = tuple(v - by for v in IVORY)
        face = cv2.resize(_digit("5", IVORY, ink, 0.4), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        assert is_no_pip(face, margin=MARGIN) is said


def test_a_long_mark_is_none() -> None:
    assert is_no_pip(_small(_one(IVORY, BLACK, oval=1.5)), margin=MARGIN)


def test_nothing_is_said_of_a_plain_face_or_of_a_marbled_one() -> None:
    marbled = cv2.GaussianBlur(np.random.default_rng(2).normal(0, 900, (SIDE, SIDE, 3)), (0, 0), 3.0)
    for body in (IVORY, FELT):
        assert not is_no_pip(_small(_die(body)), margin=MARGIN)
        assert not is_no_pip(cv2.resize(_die(body), (SIDE, SIDE), interpolation=cv2.INTER_AREA), margin=MARGIN)
    assert is_no_pip(_small(_digit("5", IVORY, RED, 0.4)), margin=MARGIN)
    patched = np.clip(_small(_digit("5", IVORY, RED, 0.4)) + marbled, 0, 255).astype(np.uint8)
    assert not is_no_pip(patched, margin=MARGIN)


@pytest.mark.parametrize(("crop", "sure"), [(_one(IVORY, BLACK), True), (_digit("5", IVORY, BLACK, 0.4), False)])
def test_a_digit_that_the_net_takes_for_a_one_is_asked_about(crop: np.ndarray, sure: bool) -> None:
    picture = cv2.copyMakeBorder(_small(crop), 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=FELT)
    p = np.full((1, len(FACES)), 1e-7)
    p[0, FACES.index(("die", 1))] = 1.0
    middle, half = 30 + (SIDE - 1) / 2, SIDE * (1 - 2 * MARGIN) / 2
    square = np.array([[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]]) * half + middle
    spots = LooseSpots(
        np.ones(1, dtype=bool), square, np.ones(1), Faces(np.log(p).astype(np.float32), np.zeros(1, np.float32))
    )
    (die,) = read_loose(picture, spots, white_bgr=None).dice
    assert (die.value, die.sure) == (1, sure)
