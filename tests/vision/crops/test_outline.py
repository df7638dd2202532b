"""Few questions: where exactly a die lies is seen once more, and a doubtful face is read there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vision.dice.test_loose import NONE, PICTURE, faces, quads
from tests.vision.trays import drawn
from vision.crops import outline
from vision.crops.exact_look import look_exactly
from vision.crops.faces import DISPUTED, FACES, Faces
from vision.crops.second_look import LEGIBLE
from vision.drawing import DrawnDie, TrayScene
from vision.eyes import shipped_eyes

SCENE = TrayScene(
    dice=tuple(DrawnDie(-90.0 + 36.0 * k, 40.0 - 9.0 * k, 17.0 * k, k + 1, "red") for k in range(6)), seed=3
)


def moved(quads_px: np.ndarray, *, off: float, turn_deg: float) -> np.ndarray:
    """Return quads moved by so many sides, each another way, and turned."""
    middle, side = quads_px.mean(axis=1, keepdims=True), np.linalg.norm(quads_px[:, 1] - quads_px[:, 0], axis=1)
    a, way = np.radians(turn_deg), 2.1 * np.arange(len(quads_px))
    shift = (off * side)[:, None] * np.stack([np.cos(way), np.sin(way)], axis=1)
    return middle + (quads_px - middle) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + shift[:, None]


def off_by(quads_px: np.ndarray, truth_px: np.ndarray) -> np.ndarray:
    """Return (n,) how far the middles are off, over a side."""
    side = np.linalg.norm(truth_px[:, 1] - truth_px[:, 0], axis=1)
    return np.linalg.norm(quads_px.mean(axis=1) - truth_px.mean(axis=1), axis=1) / side


@pytest.mark.parametrize(("off", "turn_deg"), [(0.1, 0.0), (0.1, 20.0), (0.3, -15.0)])
def test_a_die_found_askew_is_seen_where_it_lies(off: float, turn_deg: float) -> None:
    picture = drawn(scene=SCENE)
    truth = np.array([die["top_quad"] for die in picture.truth["dice"]])
    seen = outline.exactly(picture.picture_bgr, moved(truth, off=off, turn_deg=turn_deg))
    assert off_by(seen, truth).max() < 0.06
    corners = np.linalg.norm(seen - truth, axis=2) / np.linalg.norm(truth[:, 1] - truth[:, 0], axis=1)[:, None]
    assert corners.max() < 0.15, "as large, and turned as it is"


def test_a_quarter_turn_of_the_find_is_one_of_the_outline() -> None:
    picture = drawn(scene=SCENE)
    found = moved(np.array([die["top_quad"] for die in picture.truth["dice"]]), off=0.1, turn_deg=8.0)
    as_found = outline.exactly(picture.picture_bgr, found)
    turned = outline.exactly(picture.picture_bgr, np.roll(found, 1, axis=1))
    assert np.abs(np.roll(as_found, 1, axis=1) - turned).max() < 0.3


def test_of_nothing_nothing_is_said() -> None:
    assert outline.exactly(np.zeros((64, 64, 3), np.uint8), np.zeros((0, 4, 2))).shape == (0, 4, 2)


def doubtful(value: int, p: float) -> Faces:
    """Return a die that shows a value by a probability, or else the next one."""
    chance = np.full(len(FACES), 1e-9)
    chance[value - 1], chance[value % 6] = p, 1 - p
    return Faces(np.log(chance)[None].astype(np.float32), NONE)


def there(_picture: object, quads_px: np.ndarray) -> np.ndarray:
    """Say that dice lie a tenth of a side to the right of where they were found."""
    return np.asarray(quads(len(quads_px)) + [2.4, 0.0])


def seeing(said: Faces) -> Any:
    return lambda _picture, q, _dice: Faces(np.repeat(said.log_probs, len(q), axis=0), np.zeros(len(q), np.float32))


def looked_at(before: Faces, now: Faces, exactly: outline.Look = there) -> tuple[Faces, np.ndarray]:
    """Return what one die shows, and where, that showed one thing where it was found and another where it lies."""
    return look_exactly(PICTURE, quads(1), np.ones(1, bool), before, seeing(now), exactly=exactly)


def test_a_doubtful_die_is_read_where_it_lies() -> None:
    shown, at = looked_at(doubtful(3, 0.97), doubtful(3, 0.9999))
    assert np.exp(shown.log_probs[0, 2]) > 0.999
    assert np.allclose(at, there(PICTURE, quads(1)))


def test_where_it_lies_is_looked_for_again_from_where_it_was_seen() -> None:
    """Half the way each time: the nearer, the better it is seen."""
    place = quads(1) + [8.0, 0.0]
    _, at = looked_at(doubtful(3, 0.97), doubtful(3, 0.9999), lambda _picture, q: (q + place) / 2)
    assert np.allclose(at, quads(1) + [6.0, 0.0])


def test_what_was_seen_more_surely_as_it_was_found_stays() -> None:
    before = doubtful(3, 0.999)
    shown, at = looked_at(before, doubtful(3, 0.9))
    assert np.array_equal(shown.log_probs, before.log_probs)
    assert np.array_equal(at, quads(1))


def test_never_silently_wrong_two_looks_that_contradict_each_other_leave_a_doubt() -> None:
    shown, at = looked_at(doubtful(3, 0.99), doubtful(4, 0.9999))
    assert shown.p_unreadable[0] >= DISPUTED > LEGIBLE
    assert np.array_equal(at, quads(1))


@pytest.mark.parametrize(("off_px", "believed"), [(1.2, False), (4.8, True)])
def test_a_guess_gives_way_to_a_sure_look_only_where_the_die_was_found_askew(off_px: float, believed: bool) -> None:
    """Never silently wrong: what could not be read a twentieth of a side off is no plainer here, but by chance."""
    shown, at = looked_at(
        doubtful(3, 0.6), doubtful(4, 0.99999), lambda _picture, quads_px: quads(len(quads_px)) + [off_px, 0.0]
    )
    assert (np.exp(shown.log_probs[0, 3]) > 0.999) == believed
    assert (at != quads(1)).any() == believed


@pytest.mark.parametrize("off_px", [[16.0, 0.0], [24.0, 0.0]])
def test_a_die_is_not_moved_far_nor_onto_another(off_px: list[float]) -> None:
    """Never silently wrong: the other's face would be read twice."""
    both = quads(2)  # forty pixels apart, of 24 each: 16 off is too far, and too near to the other
    both_shown = Faces(
        np.concatenate([doubtful(3, 0.9).log_probs, faces([("die", 5)]).log_probs]), np.zeros(2, np.float32)
    )
    shown, at = look_exactly(
        PICTURE,
        both,
        np.ones(2, bool),
        both_shown,
        seeing(doubtful(5, 0.9999)),
        exactly=lambda _p, q: quads(2)[: len(q)] + off_px,
    )
    assert np.array_equal(at, both)
    assert np.array_equal(shown.log_probs, both_shown.log_probs)


def never(*_args: object) -> Any:
    raise AssertionError("nobody is to look")


def test_sure_dice_and_disks_are_left_alone() -> None:
    sure = faces([("die", 3), ("prediction", 2)])
    shown, at = look_exactly(PICTURE, quads(2), np.array([True, False]), sure, never, exactly=never)
    assert shown is sure
    assert np.array_equal(at, quads(2))
    disk = doubtful(3, 0.9)
    assert look_exactly(PICTURE, quads(1), np.zeros(1, bool), disk, never, exactly=never)[0] is disk


def test_the_shipped_eyes_see_outlines() -> None:
    assert shipped_eyes().exactly is outline.exactly
