"""Cameras with habits: each gives another camera's frames, but drops, darkens, blurs or withholds some."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Self

import cv2
import numpy as np

from pi.errors import CameraLost
from pi.frames import Cue, Frame


class Moody:
    """Does to frame number n what its habits say."""

    def __init__(self, camera, **habits: Sequence[int]) -> None:
        self.camera, self.habits = camera, habits

    def __enter__(self) -> Self:
        self.camera.__enter__()
        return self

    def __exit__(self, *why: object) -> None:
        self.camera.__exit__(*why)

    def cue(self, cue: Cue) -> None:
        self.camera.cue(cue)

    def frame(self) -> Frame | None:
        frame = self.camera.frame()
        while frame is not None and frame.number in self.habits.get("dropped", ()):
            frame = self.camera.frame()
        if frame is None:
            return None
        if frame.number in self.habits.get("lost", ()):
            raise CameraLost("the camera has been unplugged")
        if frame.number in self.habits.get("black", ()):
            return replace(frame, picture_bgr=np.zeros_like(frame.picture_bgr))
        if frame.number in self.habits.get("blurred", ()):
            return replace(frame, picture_bgr=cv2.GaussianBlur(frame.picture_bgr, (0, 0), 12))
        return frame


class Fixed:
    """Gives the pictures it was given, one period apart, and then ends."""

    def __init__(self, pictures: Sequence[np.ndarray], *, period_ns: int = 100_000_000) -> None:
        self.pictures, self.period_ns, self.number = list(pictures), period_ns, 0
        self.cues: list[Cue] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def cue(self, cue: Cue) -> None:
        self.cues.append(cue)

    def frame(self) -> Frame | None:
        if self.number >= len(self.pictures):
            return None
        frame = Frame(self.pictures[self.number], self.number * self.period_ns, self.number, still=True)
        self.number += 1
        return frame


class Clock:
    """A clock that goes on only when somebody sleeps."""

    def __init__(self, start_ns: int = 0) -> None:
        self.now_ns = start_ns

    def __call__(self) -> int:
        return self.now_ns

    def sleep(self, seconds: float) -> None:
        self.now_ns += round(seconds * 1e9)

    def stepping(self, step_ns: int) -> Callable[[], int]:
        def tick() -> int:
            self.now_ns += step_ns
            return self.now_ns

        return tick
