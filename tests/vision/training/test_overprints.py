"""Prints painted over drawn trays: on the felt, under whatever lies there; behind the digits of tiles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.training.felt_prints import WAYS, printed
from vision.training.tile_discs import disced

WHOLE_HW = (304, 400)
FELT, BODY, INK = (120, 160, 110), (200, 220, 230), (30, 20, 60)
TILES = np.array([[0, 120.0 + 25 * k, 90.0, 22.0, 26.0, 0.0, 1.0] for k in range(5)])
DIE = np.array([[1, 300.0, 200.0, 15.0, 15.0, 0.4, 1.0]])


def tray() -> np.ndarray:
    """Return felt in a dark rim with five tiles, each with a stroke of ink down its middle, and a die."""
    out = np.full((*WHOLE_HW, 3), 20, np.uint8)
    out[22:282, 20:380] = FELT
    for _, x, y, wide, high, _, _ in TILES:
        left, top = int(x - wide / 2), int(y - high / 2)
        out[top : top + int(high), left : left + int(wide)] = BODY
        out[top + 5 : top + int(high) - 5, int(x) - 2 : int(x) + 3] = INK
    box = cv2.boxPoints(((300.0, 200.0), (15.0, 15.0), -np.degrees(0.4)))
    cv2.fillConvexPoly(out, np.round(box).astype(np.int32), BODY)
    return out


def none() -> np.ndarray:
    return np.zeros((WHOLE_HW[0] // 8, WHOLE_HW[1] // 8), np.uint8)


@pytest.mark.parametrize("way", WAYS, ids=[way.__name__ for way in WAYS])
def test_each_print_covers_some_of_a_felt_and_not_all(way) -> None:
    shares = []
    for seed in range(12):
        mask = np.zeros(WHOLE_HW, np.uint8)
        way(mask, np.random.default_rng(seed))
        shares.append(float((mask > 0).mean()))
    assert 0.002 < np.mean(shares) < 0.5


def test_a_print_lies_under_pieces_and_within_the_rim() -> None:
    bare, rows = tray(), np.concatenate([TILES, DIE])
    changed = np.zeros(WHOLE_HW, bool)
    for seed in range(40):
        changed |= (printed(bare, rows, none(), np.random.default_rng(seed)) != bare).any(axis=2)
    assert changed[22:282, 20:380].mean() > 0.5, "somewhere on most of the felt"
    assert not changed[:20].any()
    assert not changed[:, :18].any()
    for _, x, y, wide, high, _, _ in rows:
        assert not changed[
            int(y - high / 2) + 1 : int(y + high / 2) - 1, int(x - wide / 2) + 1 : int(x + wide / 2) - 1
        ].any()


def test_a_print_lies_under_hands() -> None:
    hand = none()
    hand[10:20, 30:] = 255
    for seed in range(20):
        out = printed(tray(), TILES, hand, np.random.default_rng(seed))
        assert (out[88:152, 264:] == tray()[88:152, 264:]).all()


def test_the_same_chances_make_the_same_print() -> None:
    first, again = (printed(tray(), TILES, none(), np.random.default_rng(7)) for _ in range(2))
    assert (first == again).all()


def test_a_disc_exchanges_ink_and_body_behind_a_digit() -> None:
    """A digit that stands pale in a spot of ink: where ink was is body, and ink all around it."""
    kinds = {"disc": 0, "ring": 0}
    for seed in range(30):
        out = disced(tray(), TILES, np.random.default_rng(seed))
        _, x, y, *_ = TILES[2].astype(int)
        if np.abs(out[y, x].astype(int) - BODY).max() < 30:
            kinds["disc"] += 1
            assert np.abs(out[y, x + 6].astype(int) - INK).max() < 30
        else:
            kinds["ring"] += 1
            assert np.abs(out[y, x].astype(int) - INK).max() < 30
            assert (out != tray()).any()
    assert min(kinds.values()) >= 3


def test_what_shows_no_ink_and_what_is_no_tile_gets_no_disc() -> None:
    picture, rows = tray(), np.concatenate([TILES, DIE])
    picture[70:110, 100:240] = BODY
    assert (disced(picture, rows, np.random.default_rng(1)) == picture).all()
