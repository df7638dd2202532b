"""One labelled picture read as the table reads it: several frames, each with noise of its own, until it settles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.blend import Blend
from vision.layout import Expectation
from vision.reader import read
from vision.reading import Reading
from vision.rectify import Image
from vision.settle import Settler

NOISE, FLICKER = 3.0, 0.01
"""Grey values of a sensor's noise, and how much the light of a lamp changes from frame to frame (both one sigma). Noise
that the picture shows already is in every frame, as a worn digit or a fixed glare would be."""
EVERY_NS = 300_000_000
"""From frame to frame."""


def read_settled(
    picture_bgr: Image, *, expect: Expectation, frames: int, clock: Callable[[], float], seed: int = 1
) -> Reading:
    """Return what settles within so many frames of a still scene; what the last of them shows where nothing does.

    frames: at least 1; 1 reads the picture once, as it is.
    """
    if frames == 1:
        return read(picture_bgr, expect=expect, clock=clock)
    rng = np.random.default_rng(seed)
    settler, blend = Settler(expect), Blend()
    for k in range(frames):
        frame = _frame(picture_bgr, rng)
        blend.add(frame)
        reading = read(frame, expect=expect, clock=clock)
        settler, settled = settler.step(
            reading, at_ns=k * EVERY_NS, still=k > 0, mean=lambda: read(blend.mean(), expect=expect, clock=clock)
        )
        if settled is not None:
            return settled
    return reading


def _frame(picture_bgr: Image, rng: np.random.Generator) -> Image:
    lit = picture_bgr.astype(np.float32) * (1.0 + rng.normal(0, FLICKER))
    return np.clip(lit + rng.normal(0, NOISE, picture_bgr.shape), 0, 255).astype(np.uint8)
