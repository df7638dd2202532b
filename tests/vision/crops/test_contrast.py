"""Colours spread apart: what differs by its hue alone is seen as plainly as what differs by light (issue 3: dice)."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.crops.contrast import NOISE, SPREAD, spread
from vision.crops.faces import FACES, MARGIN, SIDE, look, look_apart
from vision.crops.pips import PLACES

PINK, GREEN = (150.0, 110.0, 225.0), (60.0, 165.0, 190.0)
"""As light as each other, by the weights that make a grey picture: 141 and 161 of 255."""
QUADS = np.array([[[30.0, 30.0], [70.0, 30.0], [70.0, 70.0], [30.0, 70.0]]])


def die(value: int, body: tuple[float, ...], pips: tuple[float, ...]) -> np.ndarray:
    """Return a picture (100, 100, 3) of a die's top within QUADS, on dark felt."""
    picture = np.full((100, 100, 3), 28.0)
    cv2.rectangle(picture, (30, 30), (69, 69), body, -1)
    for x, y in PLACES[value] if value > 1 else [(0, 0)]:
        cv2.circle(picture, (round(49.5 + 9.5 * x), round(49.5 + 9.5 * y)), 4, pips, -1, cv2.LINE_AA)
    noisy = cv2.GaussianBlur(picture, (0, 0), 1.0) + np.random.default_rng(1).normal(0, 4.0, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@given(st.integers(0, 2**31))
def test_what_differs_by_hue_alone_differs_as_much_as_what_differs_by_light(seed: int) -> None:
    rng = np.random.default_rng(seed)
    light, hue = rng.normal(0, 40, (48, 48, 1)), rng.normal(0, 15, (48, 48, 1))
    crop = np.clip(128 + light * (1, 1, 1) + hue * (1, -1, 0), 0, 255).astype(np.uint8)
    out = spread(crop[None])[0]
    assert out.std(axis=(0, 1)).max() < 1.1 * SPREAD
    by_hue, by_light = (out[..., 0] - out[..., 1]) / np.sqrt(2), out.sum(axis=2) / np.sqrt(3)
    assert by_hue.std() == pytest.approx(by_light.std(), rel=0.15)


@given(st.floats(1.0, 3.0))
def test_noise_stays_noise(noise: float) -> None:
    """A grey die has no hue to be spread: what a camera adds to it must not become pips."""
    grey = np.full((1, 48, 48, 3), 128.0) + np.random.default_rng(3).normal(0, noise, (1, 48, 48, 3))
    out = spread(np.clip(grey, 0, 255).astype(np.uint8))
    # A picture has whole grey values only.
    assert out.std() < 1.1 * SPREAD * np.hypot(noise, 0.5) / NOISE


def test_the_rim_says_nothing_of_the_colours() -> None:
    inside = np.random.default_rng(2).integers(90, 140, (1, 48, 48, 3)).astype(np.uint8)
    felt = inside.copy()
    felt[:, :10], felt[:, -10:], felt[:, :, :10], felt[:, :, -10:] = 0, 0, 0, 0
    middle = (slice(None), slice(10, -10), slice(10, -10))
    np.testing.assert_allclose(spread(felt, rim=(10, 10))[middle], spread(inside, rim=(10, 10))[middle], atol=1e-3)


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
def test_pips_as_light_as_their_die_are_seen_with_the_colours_spread_apart(value: int) -> None:
    """Never silently wrong: of 1,236 traced dice five were misread, four of them on a tray with green pips on pink."""
    rim = round(SIDE * MARGIN)
    assert rim == 10
    said = look_apart(die(value, PINK, GREEN), QUADS, np.array([True]))
    assert FACES[int(said.log_probs[0].argmax())] == ("die", value)
    assert np.exp(said.log_probs[0].max()) > 0.9
    assert said.p_unreadable[0] < 0.3


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
def test_white_dice_look_the_same_either_way(value: int) -> None:
    picture, yes = die(value, (225.0, 228.0, 230.0), (40.0, 38.0, 42.0)), np.array([True])
    plain, apart = look(picture, QUADS, yes), look_apart(picture, QUADS, yes)
    assert plain.log_probs.argmax() == apart.log_probs.argmax() == FACES.index(("die", value))
