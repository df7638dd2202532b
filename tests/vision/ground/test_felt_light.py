"""What light does to felt, and what no light does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.ground.felt_light import DEEPEST, LIFT, only_light

PALE = np.array([110.0, 150.0, 150.0])


def seen(bgr: np.ndarray) -> bool:
    """Return whether a colour is felt of PALE by its light alone."""
    light, felt = (np.log(one + LIFT)[:, None].astype(np.float32) for one in (bgr, PALE))
    return bool(only_light(light, felt)[0])


@pytest.mark.parametrize(("black", "felt"), [(15.0, False), (22.0, False), (45.0, True), (80.0, True)])
def test_a_black_sleeve_on_pale_felt_is_no_shadow(black: float, felt: bool) -> None:
    """Never silently wrong: one lay over two dice, as deep a shadow to the eye, and the others were read."""
    assert seen(black * PALE / PALE.max()) is felt


@given(st.floats(0.0, 0.95 * DEEPEST))
def test_felt_is_felt_however_deep_a_shadow_may_be(depth: float) -> None:
    assert seen((PALE + LIFT) * np.exp(-depth) - LIFT)
    assert not seen((PALE + LIFT) * np.exp(-depth - DEEPEST) - LIFT) or depth < 0.01
