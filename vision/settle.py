"""Readings over time -> the one we believe. Pure: time is an argument.

A reading counts when the tray has lain still and the same for long enough; a hand starts the wait again;
what frames say of a tile is added up (log-likelihoods), so that what one frame cannot tell five can.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.layout import Expectation
from vision.reading import Reading, Status
from vision.rectify import Image


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a tray must lie still before its reading counts."""

    frames: int = 3
    """Readings that must agree."""
    still_ns: int = 400_000_000
    """From the first of them to the last, nanoseconds."""


@dataclass(frozen=True, slots=True)
class Settler:
    """What was seen lately. Frozen: `step` returns the next one."""

    expect: Expectation
    patience: Patience = Patience()
    since_ns: int | None = None
    """Time of the first of the agreeing frames."""
    frames: int = 0
    last: Reading | None = None
    believed: Reading | None = None
    """The last reading that settled; None before the first."""

    def step(self, reading: Reading, *, at_ns: int) -> tuple[Settler, Reading | None]:
        """Return the next state, and the settled reading once per change (None otherwise)."""
        if self.last is None or not same(self.last, reading):
            return replace(self, since_ns=at_ns, frames=1, last=reading), None
        assert self.since_ns is not None
        after = replace(self, frames=self.frames + 1, last=reading)
        enough = after.frames >= self.patience.frames and at_ns - self.since_ns >= self.patience.still_ns
        if not enough or not settles(reading) or (self.believed is not None and same(self.believed, reading)):
            return after, None
        return replace(after, believed=reading), reading


def settles(reading: Reading) -> bool:
    """Return whether a reading may count at all: a busy or missing tray never does."""
    return reading.status in (Status.READ, Status.UNSURE, Status.EMPTY)


def same(a: Reading, b: Reading) -> bool:
    """Return whether two readings say the same of the same places."""
    return _key(a) == _key(b)


def _key(reading: Reading) -> tuple[object, ...]:
    tiles = tuple((t.row, t.column, t.symbol, t.colour) for t in reading.tiles)
    dice = tuple(sorted((d.value, d.colour) for d in reading.dice))
    disks = tuple(sorted((d.kind, d.value) for d in reading.disks))
    return reading.status, tiles, dice, disks


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A frame boiled down for the question "did anything change?" (about 10 kB)."""

    small: np.ndarray[tuple[int, ...], np.dtype[np.int16]]


def glance(picture_bgr: Image) -> Glance:
    """Return the frame's glance; about a millisecond for 1280 x 960."""
    h, w = picture_bgr.shape[:2]
    size = (128, max(1, round(128 * h / w)))
    small = cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA)
    return Glance(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.int16))


def unchanged(before: Glance, now: Glance, *, tolerance: int = 8) -> bool:
    """Return whether nothing moved between two frames of a fixed camera (noise and flicker allowed for)."""
    if before.small.shape != now.small.shape:
        return False
    change = now.small - before.small
    change = change - np.int16(np.median(change))
    return bool(np.abs(change).max() <= tolerance)
