"""Few questions, never silently wrong: what may be one more die and is bare felt, a fibre or a shadow."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.dice.test_reader_loose import tray_with
from tests.vision.trays import tray_of
from vision.crops import standing
from vision.dice import nothing
from vision.geometry import SQUARE

SIDE = 16.0
EMPTY = np.array([300.0, 60.0])
"""A place on bare felt, in tray millimetres."""


def square(at: Any, wide: float = SIDE) -> np.ndarray:
    return np.asarray(at) + wide / 2 * SQUARE


def always(logit: float) -> Any:
    return lambda _picture, quads: np.full(len(quads), logit)


def shaded(*, left: tuple[float, float, float], wide: float = 20.0) -> tuple[Any, Any, np.ndarray]:
    """Return a picture of dice with a square at EMPTY that keeps a share of each colour, its tray, and its dice."""
    picture = tray_with((40.0, 40.0, 200.0))
    tray = tray_of(picture)
    mask = np.zeros(picture.picture_bgr.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(tray.to_px(square(EMPTY, wide))).astype(np.int32), 1)
    seen = picture.picture_bgr.astype(np.float64)
    seen[mask > 0] *= left
    dice = tray.to_mm(np.array([die["top_quad"] for die in picture.truth["dice"]]).reshape(-1, 2)).reshape(-1, 4, 2)
    return seen.clip(0, 255).astype(np.uint8), tray, dice


def left_over(logit: float | None, *, left: tuple[float, float, float] = (0.5, 0.5, 0.5)) -> int:
    picture, tray, dice = shaded(left=left)
    there = None if logit is None else always(logit)
    return len(nothing.without_shadows([square(EMPTY, 20.0)], picture, tray, dice, there))


def test_what_is_felt_with_less_light_and_surely_no_die_is_a_shadow() -> None:
    assert left_over(nothing.SURELY - 0.1) == 0


@pytest.mark.parametrize("logit", [None, nothing.SURELY + 0.1, 5.0], ids=["nobody to say", "hardly", "a die"])
def test_what_may_be_a_die_is_asked_about(logit: float | None) -> None:
    assert left_over(logit) == 1


@pytest.mark.parametrize(
    "left", [(1.2, 1.2, 1.2), (1.0, 1.0, 1.0), (0.3, 0.3, 0.3), (0.5, 0.9, 0.5), (1.0, 0.6, 0.6)],
    ids=["lighter", "as light: a ring's middle", "darker than shadows are", "of another colour", "of another hue"],
)  # fmt: skip
def test_what_is_no_felt_in_a_shadow_is_asked_about_whoever_says_it_is_no_die(left: tuple[float, float, float]) -> None:
    """A coin, a ring, a pencil: nobody has learnt what else may lie there."""
    assert left_over(-20.0, left=left) == 1


@pytest.mark.parametrize("size", [0.5, 1.0, 1.5, 3.0])
@pytest.mark.parametrize("x", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("y", [0.0, 0.7, 1.0])
def test_a_die_anywhere_in_what_is_left_over_is_asked_about(size: float, x: float, y: float) -> None:
    """Never silently wrong: beside a shadow a die may lie, of which part is left over; the net sees it from nearby."""
    picture, tray, dice = shaded(left=(0.5, 0.5, 0.5), wide=size * SIDE)
    box = square(EMPTY, size * SIDE)
    at = tray.to_px((box.min(axis=0) + (x, y) * np.ptp(box, axis=0))[None])[0]
    side_px = float(np.linalg.norm(np.diff(tray.to_px(np.array([EMPTY, EMPTY + (SIDE, 0.0)])), axis=0)))

    def there(_picture: Any, quads: Any) -> Any:
        return np.where(np.linalg.norm(np.asarray(quads).mean(axis=1) - at, axis=1) < 0.3 * side_px, 3.0, -9.0)

    assert len(nothing.without_shadows([box], picture, tray, dice, there)) == 1
    assert nothing.without_shadows([box], picture, tray, dice, always(-9.0)) == []


def test_a_die_that_was_read_beside_it_is_no_reason_to_ask() -> None:
    picture, tray, dice = shaded(left=(0.5, 0.5, 0.5))
    near = np.concatenate([dice, square(EMPTY + (17.0, 0.0))[None]])
    taken = tray.to_px(near[-1].mean(axis=0)[None])[0]

    def there(_picture: Any, quads: Any) -> Any:
        away = np.linalg.norm(np.asarray(quads).mean(axis=1) - taken, axis=1)
        return np.where(away < 0.55 * SIDE * np.linalg.norm(tray.to_px(EMPTY[None] + (1, 0)) - tray.to_px(EMPTY[None])),
                        9.0, -9.0)  # fmt: skip

    assert nothing.without_shadows([square(EMPTY, 20.0)], picture, tray, near, there) == []


def test_all_of_a_place_that_a_die_explains_is_asked_about_no_less() -> None:
    """Nobody looked at any of it."""
    picture, tray, dice = shaded(left=(0.5, 0.5, 0.5))
    near = np.concatenate([dice, square(EMPTY)[None]])
    assert len(nothing.without_shadows([square(EMPTY, 4.0)], picture, tray, near, always(-9.0))) == 1


def test_nothing_is_what_the_net_says_is_no_piece() -> None:
    picture, tray, _ = shaded(left=(1.0, 1.0, 1.0))
    quads = np.array([square(EMPTY), square(EMPTY + 20.0)])

    def there(_picture: Any, quads_px: Any) -> Any:
        assert np.allclose(quads_px, tray.to_px(quads))
        return np.array([standing.NO_PIECE - 0.1, standing.NO_PIECE + 0.1])

    assert nothing.are_nothing(picture, tray, quads, there).tolist() == [True, False]
    assert nothing.are_nothing(picture, tray, quads, None).tolist() == [False, False]
    assert nothing.are_nothing(picture, tray, quads[:0], there).tolist() == []


def test_the_shipped_net_sees_dice_and_no_bare_felt_nor_shadows() -> None:
    """One look at a drawn tray: three dice, and the felt between, in the light and in a shadow."""
    picture, tray, dice = shaded(left=(0.5, 0.5, 0.5), wide=SIDE)
    felt = np.array([square(EMPTY), square(EMPTY + (-60.0, 10.0))])
    said = standing.there(picture, tray.to_px(np.concatenate([dice, felt])))
    assert (said[:3] > standing.NO_PIECE).all()
    assert (said[3:] < standing.NO_PIECE).all()
