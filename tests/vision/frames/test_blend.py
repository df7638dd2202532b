"""The mean of frames: noise averages out, and nothing else does."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frames.blend import Blend


def noisy(level: int, seed: int, shape: tuple[int, int, int] = (40, 60, 3)) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0.0, 6.0, shape)
    return np.clip(level + noise, 0, 255).astype(np.uint8)


def test_the_mean_of_six_frames_has_less_noise_than_each() -> None:
    blend = Blend()
    for seed in range(6):
        blend.add(noisy(120, seed))
    mean = blend.mean()
    assert mean.dtype == np.uint8
    assert mean.std() < 0.5 * noisy(120, 0).std()
    assert abs(float(mean.mean()) - 120) < 1


def test_white_stays_white() -> None:
    blend = Blend()
    for _ in range(8):
        blend.add(np.full((4, 4, 3), 255, np.uint8))
    assert (blend.mean() == 255).all()


def test_a_scene_that_begins_anew_knows_nothing_of_the_one_before() -> None:
    blend = Blend()
    blend.add(noisy(10, 0))
    blend.add(noisy(20, 1))
    now = noisy(200, 2)
    blend.add(now, anew=True)
    assert blend.frames == 1
    assert (blend.mean() == now).all()


def test_a_camera_that_changes_its_size_begins_anew() -> None:
    blend = Blend()
    blend.add(noisy(10, 0))
    other = noisy(90, 1, (30, 50, 3))
    blend.add(other)
    assert blend.frames == 1
    assert (blend.mean() == other).all()


def test_of_nothing_there_is_no_mean() -> None:
    with pytest.raises(ValueError, match="no frame"):
        Blend().mean()
