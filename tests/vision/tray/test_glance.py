"""The issue: "under 4 ms for a frame in which nothing changed", and yet nothing that changed may be skipped: one digit,
one pip, at low contrast, on the smallest tiles (35 pixels)."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.drawing import PALETTE, DrawnDie, Look, Stage, TrayScene, scene_for_layout
from vision.drawing.reel import blurred, flicker, lamp, moved, shadow, with_tile
from vision.tray.glance import Glance, glance, identical, part_of, stirred, unchanged
from vision.tray.rectify import find_tray, tray_from_clicks

COLOURS = ("green", "blue", "purple", "orange")
ROWS = [[f"{c}:{s}" for s in "0836572914"] for c in COLOURS]
PX_PER_MM = 35 / 25


def look(*, noise: float, jpeg: int | None, contrast: float) -> Look:
    """A tile of 35 pixels whose ink differs from its body by a share of the usual contrast."""
    plain = Look.plain()
    body = np.array(plain.tile.body)
    palette = {name: tuple(body + (np.array(bgr) - body) * contrast) for name, bgr in PALETTE.items()}
    film = replace(plain.film, noise=noise, jpeg=jpeg)
    return replace(plain, camera=replace(plain.camera, px_per_mm=PX_PER_MM), palette=palette, film=film)


def frames(scene: TrayScene, how: Look, count: int = 2, *, seed: int = 0) -> list[Glance]:
    stage = Stage(scene, how)
    return [glance(stage.frame(rng=np.random.default_rng([seed, k])).picture_bgr) for k in range(count)]


def tray() -> TrayScene:
    return scene_for_layout(ROWS, layout="rows", seed=3)


FILMS = [(1.2, None, 0.3), (3.0, None, 0.3), (5.0, None, 0.3), (1.2, 85, 0.3), (3.0, 70, 0.35)]


@pytest.mark.parametrize(("noise", "jpeg", "contrast"), FILMS)
def test_one_digit_that_changed_is_seen_and_noise_is_not(noise, jpeg, contrast):
    how, before = look(noise=noise, jpeg=jpeg, contrast=contrast), tray()
    was, again = frames(before, how)
    assert unchanged(was, again)
    assert not stirred(was, again)
    for place, symbol in ((3, "8"), (11, "9"), (26, "1"), (39, "6")):
        (now,) = frames(with_tile(before, place, symbol=symbol), how, 1, seed=1)
        assert not unchanged(was, now), f"{before.tiles[place].symbol} became {symbol}"


@pytest.mark.parametrize(("noise", "jpeg"), [(1.2, None), (5.0, None), (3.0, 70)])
@pytest.mark.parametrize(("value", "other"), [(2, 3), (4, 5), (5, 6), (1, 3)])
def test_one_pip_that_changed_is_seen(noise, jpeg, value, other):
    how = look(noise=noise, jpeg=jpeg, contrast=1.0)
    how = replace(how, die=replace(how.die, pip_bgr=tuple(np.array(PALETTE["white"]) * 0.55)))

    def rolled(shown: int) -> TrayScene:
        return TrayScene(dice=(DrawnDie(30, 20, 20, shown, "white"), DrawnDie(-60, 10, 50, 4, "red")), seed=4)

    was, again = frames(rolled(value), how)
    (now,) = frames(rolled(other), how, 1, seed=1)
    assert unchanged(was, again)
    assert not unchanged(was, now)


def test_a_change_that_creeps_is_seen_once_it_is_large_enough():
    """The frame is compared with the one that was looked at: slow changes add up."""
    how = look(noise=1.2, jpeg=None, contrast=1.0)
    before = tray()
    was, _ = frames(before, how)
    x = before.tiles[14].x_mm
    creeping = [frames(with_tile(before, 14, x_mm=x + mm), how, 1)[0] for mm in (0.1, 0.5, 1.0)]
    assert [unchanged(was, now) for now in creeping][-2:] == [False, False]


@pytest.fixture(scope="module")
def still() -> np.ndarray:
    return Stage(tray(), look(noise=1.5, jpeg=None, contrast=1.0)).frame(rng=np.random.default_rng(5)).picture_bgr


@pytest.mark.parametrize(
    "change",
    [
        flicker(0.12, rows=60, phase=0.2),
        flicker(0.12, rows=700, phase=0.7),
        lamp(0.15),
        lamp(-1.0),
        lamp(-0.2, red=0.1, blue=-0.1),
    ],
    ids=["bands", "slow bands", "a step up", "a stop down", "warmer"],
)
def test_light_as_a_whole_or_in_bands_is_no_change(still, change):
    assert unchanged(glance(still), glance(change(still)))


@pytest.mark.parametrize(
    ("change", "motion"),
    [
        (moved(3, 2), True),
        (moved(0.4, 0.2), False),
        (blurred(2.5), True),
        (shadow(0.4, 0.4, depth=0.6), True),
        (lamp(0.0, side=(0.3, 0.0)), False),
        (lambda picture: np.zeros_like(picture), True),
    ],
    ids=["pushed", "trembling", "out of focus", "a hard shadow", "a lamp at one side", "black"],
)
def test_what_is_different_is_looked_at_and_motion_told_from_trembling(still, change, motion):
    before, now = glance(still), glance(change(still))
    assert not unchanged(before, now)
    assert stirred(before, now) is motion


def test_only_the_very_same_frame_is_identical(still):
    stage = Stage(tray(), look(noise=0.6, jpeg=None, contrast=1.0))
    one, other = (stage.frame(rng=np.random.default_rng(k)).picture_bgr for k in (1, 2))
    assert identical(glance(one), glance(one.copy()))
    assert not identical(glance(one), glance(other))
    assert not identical(glance(one), glance(one[:-8, :-8].copy()))
    assert not unchanged(glance(one), glance(one[:480, :640].copy()))


def test_what_moves_beside_the_tray_is_no_change_of_it_and_a_hand_that_reaches_in_is():
    """Who gestures or drinks beside the tray keeps nobody waiting: the camera sees half the table."""
    stage = Stage(tray(), look(noise=1.2, jpeg=None, contrast=1.0))
    first, then = (stage.frame(rng=np.random.default_rng(k)).picture_bgr for k in (1, 2))
    found = find_tray(first)
    assert found is not None
    before = glance(first)
    part = part_of(before, found)
    x, y = found.to_px(np.array([[180.0, -45.0]]))[0].round().astype(int).tolist()
    beside = cv2.circle(then.copy(), (x, y), round(15 * found.scale()), (140, 150, 200), -1)
    assert not unchanged(before, glance(beside))
    assert unchanged(before, glance(beside), part=part)
    assert not stirred(before, glance(beside), part=part)
    reaching = cv2.circle(beside, (x, y), round(50 * found.scale()), (140, 150, 200), -1)
    assert stirred(before, glance(reaching), part=part)


@pytest.mark.parametrize("far_px", [0, 300, 5000])
def test_a_part_is_all_of_the_tray_that_is_seen_and_all_where_that_is_nothing(far_px):
    small = glance(np.zeros((960, 1280, 3), np.uint8))
    seen = tray_from_clicks([(far_px, 100.0), (far_px + 720, 100.0), (far_px + 720, 620.0), (far_px, 620.0)])
    part = part_of(small, seen)
    if far_px == 5000:
        assert part is None
        return
    assert part is not None
    rows, columns = part
    assert 4 * rows.start <= 100 < 620 <= 4 * rows.stop
    assert 4 * columns.start <= far_px < min(far_px + 720, 1280) <= 4 * columns.stop
    assert part_of(small, None) is None
