"""Readings over time -> the one we believe. Pure: time is an argument.

A reading counts when the tray has lain still and the same for long enough; a hand starts the wait again;
what frames say of a tile is put together (log-likelihoods), so that what one frame cannot tell five can.

How much five frames say more than one depends on how they differ. What varies from frame to frame (noise, a
flickering lamp, a passing shadow) averages out; what all frames share (a worn digit, a fixed glare) does not,
and five pictures of the same doubt are still one doubt. So the mean of the evidence is sharpened by
(S + v) / (S + v / n): v the variance between the frames as seen, S what they are taken to share (SHARED).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import LAYOUTS, Expectation
from vision.reading import SYMBOLS, Point, Problem, Reading, Status, TileReading
from vision.rectify import Image
from vision.tiles import refit

SHARED = 2.0
"""Variance of the log-odds that all frames of a still scene have in common, squared nats."""
MOST_FRAMES = 8
"""Older frames are forgotten."""
GLANCE_PX = 160
"""Width of the picture in which change is looked for."""


Evidence = tuple[tuple[float, ...], ...]
"""One frame's log-likelihoods: a row of 12 for each tile."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a tray must lie still before its reading counts."""

    frames: int = 3
    """Readings that must agree."""
    still_ns: int = 400_000_000
    """From the first of them to the last, nanoseconds."""
    unsure_frames: int = 6
    """Readings before the table is asked about what is not sure."""
    shift: float = 0.3
    """How far a tile may seem to move between frames, in tile widths."""


@dataclass(frozen=True, slots=True)
class Settler:
    """What was seen lately. Frozen: `step` returns the next one.

    >>> settler = Settler(Expectation.ROWS)
    >>> settler, settled = settler.step(Reading(Status.EMPTY), at_ns=0)
    >>> settled is None, settler.frames
    (True, 1)
    """

    expect: Expectation
    patience: Patience = field(default_factory=Patience)
    since_ns: int = 0
    """Time of the first frame of the scene that lies there now."""
    frames: int = 0
    """Readings of it so far; 0 while nothing settles (a hand, no tray, or nothing seen yet)."""
    scene: Reading | None = None
    """Its last reading."""
    evidence: tuple[Evidence, ...] = ()
    """Of the last MOST_FRAMES frames: each tile's log-likelihoods, in the order of the scene's tiles."""
    believed: Reading | None = None
    """The last reading that settled; None before the first."""

    def step(self, reading: Reading, *, at_ns: int) -> tuple[Settler, Reading | None]:
        """Return the next state, and the settled reading once per change (None otherwise).

        at_ns: when the frame was exposed, any monotonic clock. A hand, motion or a lost tray starts the wait
        again and forgets what was added up; what was believed stays believed.
        """
        if not settles(reading):
            return replace(self, frames=0, scene=None, evidence=()), None
        if self.scene is None or not same_scene(self.scene, reading, shift=self.patience.shift):
            after = replace(self, since_ns=at_ns, frames=1, scene=reading, evidence=(_evidence(reading),))
        else:
            lately = (*self.evidence, _evidence(reading))[-MOST_FRAMES:]
            after = replace(self, frames=self.frames + 1, scene=reading, evidence=lately)
        return after._tell(at_ns)

    def again(self, *, at_ns: int) -> tuple[Settler, Reading | None]:
        """Return the same for a frame in which nothing changed (`unchanged`), without reading it."""
        if self.scene is None:
            return self, None
        return replace(self, frames=self.frames + 1)._tell(at_ns)

    def _tell(self, at_ns: int) -> tuple[Settler, Reading | None]:
        if self.frames < self.patience.frames or at_ns - self.since_ns < self.patience.still_ns:
            return self, None
        now = self.fused()
        if now.status is Status.UNSURE and self.frames < self.patience.unsure_frames:
            return self, None
        if self.believed is not None and same(self.believed, now):
            return self, None
        return replace(self, believed=now), now

    def fused(self) -> Reading:
        """Return the scene read from all its frames together; raise ValueError while there is none."""
        if self.scene is None:
            raise ValueError("there is no scene to read yet")
        return fuse(self.scene, self.evidence)


def settles(reading: Reading) -> bool:
    """Return whether a reading may count at all: a busy or missing tray never does."""
    moving = Problem.HAND | Problem.MOTION
    return reading.status in (Status.READ, Status.UNSURE, Status.EMPTY) and not reading.problems & moving


def same_scene(a: Reading, b: Reading, *, shift: float = 0.3) -> bool:
    """Return whether the same pieces lie in the same places: no piece came, went or moved.

    Two frames that are both sure of a tile and differ show two scenes, wherever it lies.
    """
    if (a.status is Status.EMPTY) != (b.status is Status.EMPTY):
        return False
    if [(t.row, t.column) for t in a.tiles] != [(t.row, t.column) for t in b.tiles]:
        return False
    for s, t in zip(a.tiles, b.tiles, strict=True):
        width = hypot(s.corners[1][0] - s.corners[0][0], s.corners[1][1] - s.corners[0][1])
        if hypot(s.centre[0] - t.centre[0], s.centre[1] - t.centre[1]) > shift * max(width, 1.0):
            return False
        if s.sure and t.sure and s.symbol != t.symbol:
            return False
    dice = _beside([(d.value, d.centre) for d in a.dice], [(d.value, d.centre) for d in b.dice])
    disks = _beside([((d.kind, d.value), d.centre) for d in a.disks], [((d.kind, d.value), d.centre) for d in b.disks])
    return dice and disks


def same(a: Reading, b: Reading) -> bool:
    """Return whether two readings say the same, as far as they are sure; of dice also where they lie."""
    dice = [[((d.value, d.colour, d.sure), d.centre) for d in reading.dice] for reading in (a, b)]
    return _key(a) == _key(b) and _beside(dice[0], dice[1])


def fuse(reading: Reading, frames: Sequence[Evidence]) -> Reading:
    """Return a reading with its tiles read anew from the evidence of several frames of one still scene.

    frames: for each frame, one row of 12 for each tile. Readings whose places are in doubt stay as they are.
    """
    fixed = Problem.LAYOUT | Problem.COUNT
    known = reading.expected is not None and Expectation(reading.expected) in LAYOUTS
    if len(frames) < 2 or not reading.tiles or reading.problems & fixed or not known:
        return reading
    if any(len(f) != len(reading.tiles) for f in frames) or any(t.evidence is None for t in reading.tiles):
        return reading
    layout = LAYOUTS[Expectation(reading.expected)]
    tiles = refit(reading.tiles, _together(np.array(frames, dtype=np.float64)), layout=layout)
    problems = reading.problems & ~Problem.SET if _lawful(tiles, reading) else reading.problems
    sure = all(t.sure for t in tiles) and not problems & Problem.SET
    return replace(reading, tiles=tiles, problems=problems, status=Status.READ if sure else Status.UNSURE)


def _together(frames: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (tiles, 12) the evidence of (n, tiles, 12) frames: their mean, sharpened by how much they vary."""
    n = len(frames)
    mean = frames.mean(axis=0)
    top = np.argsort(-mean, axis=1)[:, :2]
    tiles = np.arange(mean.shape[0])
    odds = frames[:, tiles, top[:, 0]] - frames[:, tiles, top[:, 1]]
    v = odds.var(axis=0, ddof=1)
    return np.asarray(mean * ((SHARED + v) / (SHARED + v / n))[:, None])


def _lawful(tiles: Sequence[TileReading], reading: Reading) -> bool:
    """Return whether the frames together no longer show a broken set."""
    return bool(reading.problems & Problem.SET) and all(t.sure for t in tiles)


def _evidence(reading: Reading) -> Evidence:
    blank = (0.0,) * len(SYMBOLS)
    return tuple(t.evidence if t.evidence is not None else blank for t in reading.tiles)


def _beside(a: Sequence[tuple[object, Point]], b: Sequence[tuple[object, Point]]) -> bool:
    """Return whether loose pieces match one to one, within some pixels."""
    if len(a) != len(b):
        return False
    left = list(b)
    for value, (x, y) in a:
        near = [p for p in left if p[0] == value and hypot(p[1][0] - x, p[1][1] - y) < 8.0]
        if not near:
            return False
        left.remove(near[0])
    return True


def _key(reading: Reading) -> tuple[object, ...]:
    tiles = tuple((t.row, t.column, t.symbol if t.sure else None) for t in reading.tiles)
    dice = tuple(sorted((d.value, d.colour, d.sure) for d in reading.dice))
    disks = tuple(sorted((d.kind, d.value, d.sure) for d in reading.disks))
    return reading.status, tiles, dice, disks


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A frame boiled down for the question "did anything change?" (some 100 kB)."""

    small: NDArray[np.int16]


def glance(picture_bgr: Image) -> Glance:
    """Return the frame's glance; about a millisecond for 1280 x 960."""
    h, w = picture_bgr.shape[:2]
    # A whole factor keeps cv2 on its fast path; what does not fill a last block is not looked at.
    factor = max(1, round(w / GLANCE_PX))
    size = (w // factor, h // factor)
    whole = picture_bgr[: size[1] * factor, : size[0] * factor]
    return Glance(np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), dtype=np.int16))


def unchanged(before: Glance, now: Glance, *, tolerance: int = 7) -> bool:
    """Return whether nothing moved between two frames of a fixed camera (noise and flicker allowed for)."""
    if before.small.shape != now.small.shape:
        return False
    change = now.small - before.small
    change = change - np.int16(np.median(change[::4, ::4, 1]))
    return bool(np.abs(change).max() <= tolerance)


__all__ = ["Glance", "Patience", "Settler", "fuse", "glance", "same", "same_scene", "settles", "unchanged"]
