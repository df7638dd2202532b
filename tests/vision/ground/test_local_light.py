"""Dice of one colour get one name (issue 'The eye'), also where a person's shadow lies on half of the tray."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.trays import shadowed
from vision.drawing import DrawnDie, Look, TrayScene, draw
from vision.ground.felt import Felt, look_at_felt
from vision.ground.local_light import light_around
from vision.reader import read
from vision.reading import Reading, Status
from vision.tray.rectify import find_tray, rectify

PLACES = ((-120.0, 10.0), (-80.0, 45.0), (-70.0, -40.0), (70.0, 20.0), (85.0, -45.0), (125.0, 30.0))
RED, BLUE, WHITE, DIM = (40.0, 30.0, 190.0), (170.0, 70.0, 40.0), (200.0, 200.0, 200.0), 0.35
"""The last is what a shadow leaves of grey values: a tenth of the light."""


def tray(names: tuple[str, ...], *, shadow_from: float | None) -> np.ndarray:
    """Return the picture of six dice, left to right; from a share of its width on it lies in the shadow."""
    dice = tuple(DrawnDie(x, y, 7.0 * k, 4, name) for k, ((x, y), name) in enumerate(zip(PLACES, names, strict=True)))
    look = replace(Look.plain(), palette={"red": RED, "blue": BLUE, "white": WHITE})
    picture = draw(TrayScene(dice=dice, seed=3), look, size_wh_px=(1280, 960), rng=np.random.default_rng(1)).picture_bgr
    if shadow_from is None:
        return picture
    return shadowed(picture, shadow_from * 1280, DIM)


def colours(reading: Reading) -> list[str | None]:
    return [die.told for die in sorted(reading.dice, key=lambda d: d.centre[0])]


@pytest.mark.parametrize("shadow_from", [None, 0.5])
def test_a_shadow_makes_no_second_colour_and_hides_none(shadow_from: float | None) -> None:
    alike = read(tray(("red",) * 6, shadow_from=shadow_from), expect="dice")
    assert alike.status is Status.READ
    assert colours(alike) == ["red"] * 6
    two = read(tray(("red", "blue", "red", "blue", "red", "blue"), shadow_from=shadow_from), expect="dice")
    assert colours(two) == ["red", "blue"] * 3


def test_of_a_die_at_the_edge_of_a_shadow_no_colour_is_told_but_its_value_is() -> None:
    lit = read(tray(("red",) * 6, shadow_from=None), expect="dice")
    x, _ = sorted(die.centre for die in lit.dice)[5]
    reading = read(tray(("red",) * 6, shadow_from=x / 1280), expect="dice")
    told = colours(reading)
    assert told[5] is None
    assert told[:5] == ["red"] * 5, "whatever the papers of two markers in the shadow make of it"
    assert [die.value for die in reading.dice] == [4] * 6


def between_lamp_and_window(picture: np.ndarray, *, tint: float) -> np.ndarray:
    """Return a picture whose left side a warm lamp lights and whose right side a window does."""
    x = np.linspace(-1.0, 1.0, picture.shape[1])
    of_each = np.exp(tint * np.stack([x, np.zeros_like(x), -x], axis=-1))
    return np.asarray(np.clip(picture * of_each, 0, 255), dtype=np.uint8)


@pytest.mark.parametrize(("name", "tint"), [("white", 0.2), ("red", 0.3), ("red", 0.4)])
def test_a_lamp_on_one_side_and_a_window_on_the_other_make_no_second_colour(name: str, tint: float) -> None:
    reading = read(between_lamp_and_window(tray((name,) * 6, shadow_from=None), tint=tint), expect="dice")
    assert reading.status is Status.READ
    assert colours(reading) == [name] * 6


def test_between_a_lamp_and_a_window_that_differ_most_no_second_colour_is_told() -> None:
    reading = read(between_lamp_and_window(tray(("white",) * 6, shadow_from=None), tint=0.4), expect="dice")
    assert len(set(colours(reading)) - {None}) <= 1


@pytest.mark.parametrize("tint", [0.2, 0.4])
def test_a_lamp_on_one_side_and_a_window_on_the_other_hide_no_colour(tint: float) -> None:
    mixed = tray(("white", "blue", "white", "blue", "white", "blue"), shadow_from=None)
    assert colours(read(between_lamp_and_window(mixed, tint=tint), expect="dice")) == ["white", "blue"] * 3


def felt_of(picture: np.ndarray, quads_mm: np.ndarray) -> Felt:
    found = find_tray(picture)
    assert found is not None
    return look_at_felt(rectify(picture, found, px_per_mm=2.0), list(quads_mm), px_per_mm=2.0)


def test_how_much_light_is_missing_is_told_by_the_felt_around() -> None:
    picture = tray(("red",) * 6, shadow_from=0.5)
    middle = np.array(PLACES) + (180.0, 130.0)
    quads = middle[:, None] + np.array([[-8.0, -8.0], [8.0, -8.0], [8.0, 8.0], [-8.0, 8.0]])
    light = light_around(felt_of(picture, quads), quads)
    assert not light.unknown.any()
    lacks = light.lacks
    assert np.ptp(lacks[:3]) < 0.15
    assert lacks[3:].min() - lacks[:3].max() == pytest.approx(-np.log(DIM), abs=0.25)
    even = light_around(felt_of(tray(("red",) * 6, shadow_from=None), quads), quads)
    assert not even.lacks.any()
    assert not even.unknown.any()
    assert (even.gains[0] == 1.0).all()


def test_of_which_colour_light_is_is_told_by_the_felt_around() -> None:
    middle = np.array(PLACES) + (180.0, 130.0)
    quads = middle[:, None] + np.array([[-8.0, -8.0], [8.0, -8.0], [8.0, 8.0], [-8.0, 8.0]])
    picture = between_lamp_and_window(tray(("white",) * 6, shadow_from=None), tint=0.3)
    blue, _, red = np.log(light_around(felt_of(picture, quads), quads).gains[0]).T
    assert blue[0] > blue[5] + 0.1, "on the lamp's side there is less blue than elsewhere"
    assert red[0] < red[5]


def test_where_no_felt_is_known_nothing_is_given_back() -> None:
    bare = Felt(np.zeros((130, 180), dtype=bool), np.zeros((130, 180, 3), np.uint8))
    light = light_around(bare, np.zeros((3, 4, 2)))
    assert not light.lacks.any()
    assert not light.unknown.any()
    assert (light.gains[0] == 1.0).all()
    assert len(light_around(bare, np.zeros((0, 4, 2))).lacks) == 0


def test_of_a_die_amid_others_in_the_shadow_no_colour_is_told() -> None:
    """No felt beside it tells how much light it has: it was brown among red ones, surely."""
    block = [(-12.0 + 18 * x, -18.0 + 18 * y) for x in range(3) for y in range(3)]
    dice = tuple(DrawnDie(x + 60, y, 3.0, 4, "red") for x, y in block)
    dice += tuple(DrawnDie(x - 130, y, 3.0, 4, "red") for x, y in block[:3])
    look = replace(Look.plain(), palette={"red": RED, "blue": BLUE, "white": WHITE})
    picture = draw(TrayScene(dice=dice, seed=3), look, size_wh_px=(1280, 960), rng=np.random.default_rng(1)).picture_bgr
    told = [die.told for die in read(shadowed(picture, 640, DIM), expect="dice").dice]
    assert len(told) == 12
    assert len(set(told) - {None}) == 1
