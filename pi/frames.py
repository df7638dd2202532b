"""What a camera gives and is told: frames, cues, the protocol that all cameras keep, and a beat for those without one.

A camera that is not there raises HardwareMissing, one that stops giving frames CameraLost; nothing repeats an old frame
as if it were new.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pi.camera_light import LightLock

Picture = NDArray[np.uint8]
"""(h, w, 3) uint8, blue green red."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the tray."""

    picture_bgr: Picture
    at_ns: int
    """CLOCK_MONOTONIC when it was taken (simulated time for a camera that does not wait)."""
    number: int
    """Counts up from 0; a gap means frames were dropped."""
    still: bool = False
    """A picture that was taken once and is shown again on purpose (a folder's); a camera that repeats one hangs."""


@dataclass(frozen=True, slots=True)
class Cue:
    """What the table is doing now. Real cameras do not care; stand-ins lay the next tray by it."""

    match: str = ""
    round: int | None = None
    """The open round, else the last one played; None before the first."""
    expects: str | None = None
    """What the eye should look for, None while it may rest."""


class Camera(Protocol):
    """A source of frames; a context manager that opens and closes the device."""

    def __enter__(self) -> Self:
        """Open the device; raises HardwareMissing when it is not there."""

    def __exit__(self, *_: object) -> None:
        """Give the device back."""

    def frame(self) -> Frame | None:
        """Return the next frame, waiting for it; None when the source has come to its end.

        Raises CameraLost when the device stops giving frames.
        """

    def cue(self, cue: Cue) -> None:
        """Take note of what the table is doing."""


@runtime_checkable
class Metered(Protocol):
    """A camera whose exposure and white balance can be locked."""

    @property
    def lock(self) -> LightLock:
        """What locks them."""


def level_of(picture_bgr: Picture) -> float:
    """Return the mean brightness of a picture, 0 to 255, by looking here and there; 0.1 ms."""
    return float(picture_bgr[8::16, 8::16].mean())


class Metronome:
    """Keeps a steady beat for cameras that have none of their own.

    A hurried beat does not wait: it comes one period after the one before on the frames' own time, which
    from then on runs ahead of the clock by that much.
    """

    def __init__(
        self,
        fps: float,
        *,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Begin now."""
        self._period_ns = round(1e9 / fps)
        self._monotonic_ns, self._sleep = monotonic_ns, sleep
        self._last_ns = monotonic_ns() - self._period_ns
        self._ahead_ns = 0

    def beat(self, *, hurried: bool = False) -> int:
        """Return the time of the next beat in nanoseconds, having waited for it; never goes back."""
        due_ns = self._last_ns + self._period_ns
        now_ns = self._monotonic_ns() + self._ahead_ns
        if hurried:
            self._ahead_ns += max(0, due_ns - now_ns)
        elif now_ns < due_ns:
            self._sleep((due_ns - now_ns) / 1e9)
        self._last_ns = max(due_ns, self._monotonic_ns() + self._ahead_ns)
        return self._last_ns
