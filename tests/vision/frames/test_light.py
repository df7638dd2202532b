"""FIELD.md, promise 9: "light by +-0.3 ... +-2 stops in replayed footage; alarm within one turn, no false alarm in 8 h
of still footage". Measured on drawn trays; time is an argument, so an evening takes no time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.drawing import Hand, Look, Stage, TrayScene, scene_for_layout
from vision.drawing.reel import flicker, lamp, shadow
from vision.frames.light import Bounds, Light, LightWatch, Shift, compare, measure
from vision.tray.glance import glance
from vision.tray.rectify import find_tray

SIZE = (960, 720)
SECOND = 1_000_000_000
COLOURS = ("green", "blue", "purple", "orange")


def scene(seed: int) -> TrayScene:
    rng = np.random.default_rng(seed)
    return scene_for_layout([[f"{c}:{d}" for d in rng.permutation(10)] for c in COLOURS], layout="rows", seed=seed)


def look() -> Look:
    plain = Look.plain()
    return replace(plain, camera=replace(plain.camera, px_per_mm=2.4))


def shot(seed: int, *, noise: int = 0, hand: Hand | None = None, empty: bool = False) -> np.ndarray:
    laid = TrayScene(seed=1) if empty else scene(seed)
    return Stage(laid, look(), size_wh_px=SIZE).frame(rng=np.random.default_rng(noise), hand=hand).picture_bgr


@pytest.fixture(scope="module")
def first() -> np.ndarray:
    return shot(1)


@pytest.fixture(scope="module")
def later() -> np.ndarray:
    return shot(2, noise=5)


@pytest.fixture(scope="module")
def light_of(first):
    tray = find_tray(first)
    assert tray is not None

    def light(picture: np.ndarray) -> Light:
        small = glance(picture).small
        return measure(small, tray.corners, factor=picture.shape[1] // small.shape[1])

    return light


def differs(light_of, before: np.ndarray, now: np.ndarray) -> Shift:
    shift = compare(light_of(before), light_of(now))
    assert shift is not None
    return shift


def test_a_lamp_at_one_side_of_a_tray_of_another_size_is_measured_over_that_tray():
    """A slope runs from the middle of this tray to its edge, whatever sizes others have."""
    small, corners = np.full((120, 160, 3), 90, np.uint8), ((0.0, 0.0), (639.0, 0.0), (639.0, 479.0), (0.0, 479.0))
    leaning = np.clip(small * np.linspace(0.7, 1.4, 160)[None, :, None], 0, 255).astype(np.uint8)
    slopes = []
    for size_mm in ((360.0, 260.0), (300.0, 220.0), (260.0, 360.0)):
        before, now = (measure(seen, corners, factor=4, size_mm=size_mm) for seen in (small, leaning))
        shift = compare(before, now)
        assert shift is not None
        slopes.append(shift.slope)
    assert min(slopes) > 0.5
    assert max(slopes) < 1.25 * min(slopes)
    assert compare(measure(small, corners, factor=4), now) is None, "of two trays"


@pytest.mark.parametrize("stops", [-2.0, -1.0, -0.5, -0.3, 0.3, 0.5, 1.0, 2.0])
def test_a_lamp_made_brighter_or_darker_is_measured_whatever_tiles_lie_there(light_of, first, later, stops):
    shift = differs(light_of, first, lamp(stops)(later))
    assert shift.stops == pytest.approx(stops, abs=0.06 + 0.1 * abs(stops))
    assert shift.beyond(Bounds()) >= 1.0
    assert shift.word(Bounds()) == ("brighter" if stops > 0 else "darker")


@pytest.mark.parametrize(
    ("red", "blue", "word"), [(0.15, -0.15, "warmer"), (-0.2, 0.2, "cooler"), (0.25, 0.25, "of another colour")]
)
def test_another_colour_of_the_light_is_named(light_of, first, later, red, blue, word):
    shift = differs(light_of, first, lamp(red=red, blue=blue)(later))
    assert (shift.red, shift.blue) == (pytest.approx(red, abs=0.05), pytest.approx(blue, abs=0.05))
    assert shift.beyond(Bounds()) >= 1.0
    assert shift.word(Bounds()) == word


def test_a_lamp_at_one_side_is_named(light_of, first, later):
    shift = differs(light_of, first, lamp(0.05, side=(0.7, 0.0))(later))
    assert shift.beyond(Bounds()) >= 1.0
    assert shift.word(Bounds()) == "from another side"


def test_no_false_alarm_from_tiles_noise_hands_flicker_or_a_step_of_the_automatic(light_of, first, later):
    quiet = [
        shot(1, noise=3),
        later,
        shot(3),
        shot(1, empty=True),
        shot(1, hand=Hand(20, 0, 90, seed=2)),
        shot(2, hand=Hand(-90, -110, 80, seed=4)),
        lamp(0.12)(later),
        lamp(-0.12, red=0.04, blue=-0.04)(later),
        flicker(0.08, rows=150, phase=0.3)(later),
        shadow(0.3, 0.4, radius=0.12, depth=0.5)(later),
    ]
    shifts = [differs(light_of, first, picture) for picture in quiet]
    assert [(k, shift) for k, shift in enumerate(shifts) if shift.beyond(Bounds()) >= 1.0] == []


def test_another_tray_is_no_lamp(light_of, first):
    cells = np.random.default_rng(1).integers(10, 245, (9, 12, 3), dtype=np.uint8)
    other = np.kron(cells, np.ones((80, 80, 1), np.uint8))
    assert compare(light_of(first), light_of(other)) is None
    assert compare(light_of(first), light_of(np.zeros_like(first))) is None


NOTHING = Shift(0.0, 0.0, 0.0, 0.0)


def lit(stops: float, *, noise: np.random.Generator | None = None) -> Light:
    """A measurement as a lamp of so many stops gives it: the grid of a tray, without a picture."""
    levels = np.full((450, 3), 100.0 * 2.0 ** (stops / 2.2))
    levels = levels if noise is None else levels * np.exp(noise.normal(0, 0.01, levels.shape))
    return Light(np.log(levels).astype(np.float32))


def watched(story: list[tuple[float, float]]) -> list[tuple[float, LightWatch]]:
    """Return the watch after each (second, stops)."""
    watch, out = LightWatch(), []
    for second, stops in story:
        watch = watch.step(lit(stops), at_ns=round(second * SECOND))
        out.append((second, watch))
    return out


def test_a_lamp_that_stays_changed_is_named_after_seconds_and_as_sudden():
    seen = watched([(k, 0.0 if k < 10 else -0.8) for k in range(40)])
    named = [second for second, watch in seen if watch.change is not None]
    assert named[0] == 14
    change = seen[-1][1].change
    assert (change.since_ns, change.word, change.sudden) == (10 * SECOND, "darker", True)


def test_a_shadow_that_passes_is_not_named():
    assert all(watch.change is None for _, watch in watched([(k, -1.0 if 10 <= k < 13 else 0.0) for k in range(30)]))


def test_the_day_that_goes_is_named_once_it_passes_the_bound_and_as_slow():
    seen = watched([(10 * k, -0.001 * k) for k in range(400)])
    named = [watch.shift.stops for _, watch in seen if watch.change is not None]
    assert named[0] == pytest.approx(-0.25, abs=0.01)
    assert seen[-1][1].change.sudden is False
    assert seen[-1][1].change.word == "darker"


def test_it_goes_away_when_the_light_comes_back_and_when_it_is_calibrated():
    seen = watched([(k, -0.8 if 10 <= k < 30 else 0.0) for k in range(45)])
    assert seen[-1][1].change is None
    lost = [second for second, watch in seen if watch.change is not None]
    assert (lost[0], lost[-1]) == (14, 33)
    watch = seen[25][1]
    assert watch.change is not None
    again = watch.again().step(lit(-0.8), at_ns=26 * SECOND)
    assert all(again.step(lit(-0.8), at_ns=k * SECOND).change is None for k in range(27, 60))


def test_eight_hours_of_a_trembling_exposure_raise_nothing():
    rng = np.random.default_rng(4)
    watch, wander = LightWatch(), 0.0
    for k in range(8 * 3600 // 6):
        wander = 0.98 * wander + rng.normal(0, 0.015)
        watch = watch.step(lit(float(np.clip(wander, -0.2, 0.2)), noise=rng), at_ns=6 * k * SECOND)
        assert watch.change is None


def test_a_light_at_its_bound_is_not_named_every_other_second():
    seen = watched([(k, -0.26 if k % 2 else -0.24) for k in range(1, 60)])
    changes = [watch.change is not None for _, watch in seen]
    assert sum(a != b for a, b in zip(changes, changes[1:], strict=False)) <= 1


def test_a_light_that_cannot_be_compared_is_named_when_it_lasts_and_not_when_somebody_bends_over_the_tray():
    rng = np.random.default_rng(6)
    strange = Light(np.log(rng.uniform(8, 240, (450, 3))).astype(np.float32))
    watch = LightWatch().step(lit(0.0), at_ns=0)
    for second in range(1, 10):
        watch = watch.step(strange, at_ns=second * SECOND)
    assert watch.step(lit(0.0), at_ns=10 * SECOND).change is None
    for second in range(11, 30):
        watch = watch.step(strange, at_ns=second * SECOND)
    assert (watch.change.word, watch.change.since_ns) == ("much different", 1 * SECOND)
    for second in range(30, 40):
        watch = watch.step(lit(0.0), at_ns=second * SECOND)
    assert watch.change is None
