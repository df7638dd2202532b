"""One labelled scene read as the table reads it: several frames, each with noise of its own, until it settles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from vision.errors import BadLabels
from vision.frames.blend import Blend
from vision.frames.in_less_light import seen_of
from vision.frames.short import in_all
from vision.ground.bare_felt import BareFelt
from vision.layout import Expectation
from vision.own_set import OwnSet
from vision.reader import read
from vision.reading import Reading, Status
from vision.settle import Settler
from vision.tray.rectify import Image
from vision.trials.labelled import Sample

NOISE, FLICKER = 3.0, 0.01
"""Grey values of a sensor's noise, and how much the light of a lamp changes from frame to frame (both one sigma), where
no frames were taken of a scene. Noise that its picture shows already is in all of them then, as no camera's is."""
EVERY_NS = 300_000_000
"""From frame to frame."""


def frames_of(sample: Sample, count: int, *, seed: int = 1) -> list[Image]:
    """Return so many frames of a labelled picture's still scene: those that were taken of it, else it with noise.

    count: at least 1; 1 is the picture as it is. Raises BadLabels where some were taken, but fewer.
    """
    if count == 1:
        return [sample.pixels()]
    return sample.frames(count) or noisy_frames(sample.pixels(), count, seed=seed)


def short_frames_of(sample: Sample, count: int, *, seed: int = 2) -> list[list[Image]]:
    """Return so many frames of a labelled picture's scene in each shorter exposure, which was taken of it once.

    Raises BadLabels where none was.
    """
    pictures = sample.shorter()
    if not pictures:
        raise BadLabels(f"{sample.picture}: has no shorter exposure beside it (expected one, see --short)")
    return [[picture] if count == 1 else noisy_frames(picture, count, seed=seed) for picture in pictures]


def noisy_frames(picture_bgr: Image, count: int, *, seed: int = 1) -> list[Image]:
    """Return a picture so many times, each with noise and light of its own on top of its own."""
    rng = np.random.default_rng(seed)
    return [_frame(picture_bgr, rng) for _ in range(count)]


def read_settled(
    frames: Sequence[Image],
    *,
    expect: Expectation,
    clock: Callable[[], float],
    owner: OwnSet | None = None,
    bare: BareFelt | None = None,
    shorter: Sequence[Sequence[Image]] = (),
) -> Reading:
    """Return what settles within some frames of a still scene; what the last of them shows where nothing does.

    frames: at least one; one alone is read once, as it is. owner: a taught set; None for the shipped models alone.
    bare: the tray's felt as it was seen with nothing on it; None where it was not. shorter: frames of the same scene in
    each shorter exposure, the lightest first, looked at before anybody is asked.
    """
    look = partial(read, expect=expect, clock=clock, owner=owner, bare=bare)
    if len(frames) == 1:
        return by_exposures([frames[0], *(some[0] for some in shorter)], look)
    settled, last = _settled(frames, look, expect=expect, shorter=shorter)
    return settled or last


def _settled(
    frames: Sequence[Image],
    look: Callable[[Image], Reading],
    *,
    expect: Expectation,
    shorter: Sequence[Sequence[Image]] = (),
) -> tuple[Reading | None, Reading]:
    """Return what settles within some frames, None where nothing does, and what the last of them shows."""
    settler, blend = Settler(expect), Blend()
    for k, frame in enumerate(frames):
        blend.add(frame)
        reading = look(frame)
        at_ns, mean = k * EVERY_NS, lambda: look(blend.mean())
        settler, settled = settler.step(reading, at_ns=at_ns, still=k > 0, mean=mean, bracket=len(shorter) > 0)
        if settler.waits:
            settler, settled = _told(settler, [[blend.mean()], *shorter], look, at_ns=at_ns)
        if settled is not None:
            return settled, reading
    return None, reading


def _told(
    settler: Settler, exposures: Sequence[Sequence[Image]], look: Callable[[Image], Reading], *, at_ns: int
) -> tuple[Settler, Reading | None]:
    """Return a state that waits once it was told of shorter exposures, as many as it asks for, and what is settled.

    exposures: frames in each, the usual one first.
    """
    settled = None
    for k, frames in enumerate(exposures[1:], 2):
        if settler.waits:
            short, _ = _settled(frames, look, expect=Expectation(settler.expect))
            pictures = [some[-1] for some in exposures[:k]]
            seen = [] if short is None else seen_of(short, settler.fused(), pictures, look)[0]
            settler, settled = settler.told(seen, at_ns=at_ns, bracket=k < len(exposures))
    return settler, settled


def by_exposures(pictures: Sequence[Image], look: Callable[[Image], Reading]) -> Reading:
    """Return what pictures of one scene show, the lightest first: each is looked at if those before leave a doubt."""
    usual, seen = look(pictures[0]), list[Reading]()
    for k, picture in enumerate(pictures[1:], 2):
        now = in_all(usual, seen)
        if now.status is Status.UNSURE:
            seen += seen_of(look(picture), now, pictures[:k], look)[0]
    return in_all(usual, seen)


def _frame(picture_bgr: Image, rng: np.random.Generator) -> Image:
    lit = picture_bgr.astype(np.float32) * (1.0 + rng.normal(0, FLICKER))
    return np.clip(lit + rng.normal(0, NOISE, picture_bgr.shape), 0, 255).astype(np.uint8)
