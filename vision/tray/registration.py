"""Where the tray lies, kept over time: a bump of tray or camera is noticed, named and followed. Pure.

The tray is looked for afresh now and then (not by what is remembered, or a tray that was carried away would stay
where it was). One picture proves nothing: a marker half under a sleeve seems to move. What two pictures in a row
agree on is where the tray lies.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.tray.rectify import Tray

MOVED_PX = 0.8
"""Markers that moved by more were moved: their corners are found to 0.1 to 0.2 pixels in a steady picture."""
EDGE_MOVED_MM = 6.0
"""The same for a felt without markers, whose edge is found less exactly."""
FOLLOWED_MOVED_MM = 2.0
"""The same for corners that are found again by what lies around them (`vision.tray.landmarks`)."""
SAME_PX, EDGE_SAME_MM, FOLLOWED_SAME_MM = 0.6, 4.0, 1.5
"""Two pictures agree on a new place."""
MOVED = MOVED_PX, EDGE_MOVED_MM, FOLLOWED_MOVED_MM
SAME = SAME_PX, EDGE_SAME_MM, FOLLOWED_SAME_MM
AGREE = 2
"""Pictures that must agree."""
MISSED = 3
"""Pictures without the tray, one after the other, after which it is lost."""


@dataclass(frozen=True, slots=True)
class Bump:
    """The tray or the camera was moved."""

    at_ns: int
    """When that was noticed, on the frames' clock."""
    mm: float
    """By how much, in millimetres of the tray; as seen, whichever of the two moved."""


@dataclass(frozen=True, slots=True)
class Registration:
    """Frozen: `step` returns the next one."""

    tray: Tray | None = None
    """Where the tray lies; None before it was found twice in the same place."""
    bump: Bump | None = None
    """The last bump; None before the first."""
    lost_ns: int | None = None
    """Since when the tray is not where it was and not found elsewhere; None while it is."""
    _candidate: Tray | None = None
    _agree: int = 0
    _missed: int = 0

    @property
    def unsettled(self) -> bool:
        """Whether the last picture did not bear out where the tray lies: the next look should come soon."""
        return self.lost_ns is not None or self._candidate is not None or self._missed > 0

    @property
    def missing(self) -> bool:
        """Whether several pictures in a row do not show the tray, wherever it was before."""
        return self._missed >= MISSED

    def step(self, found: Tray | None, *, at_ns: int) -> Registration:
        """Return the next state. found: `find_tray` without a hint, of a frame without a hand."""
        if found is None or (self.tray is not None and self.tray.markers and not found.markers):
            missed = self._missed + 1
            gone = missed >= MISSED and self.tray is not None
            lost = self.lost_ns if self.lost_ns is not None else at_ns if gone else None
            return replace(self, lost_ns=lost, _missed=missed, _candidate=None, _agree=0)
        if self.tray is not None and not _apart(self.tray, found, MOVED):
            # A picture with more markers says better where the same tray lies.
            tray = found if len(found.markers) > len(self.tray.markers) else self.tray
            return replace(self, tray=tray, lost_ns=None, _candidate=None, _agree=0, _missed=0)
        alike = self._candidate is not None and not _apart(self._candidate, found, SAME)
        agree = self._agree + 1 if alike else 1
        if agree < AGREE:
            return replace(self, _candidate=found, _agree=agree, _missed=0)
        return self._settled(found, at_ns)

    def again(self) -> Registration:
        """Return the registration made anew by the owner: where the tray is found next, it lies, with no bump."""
        return Registration()

    def _settled(self, found: Tray, at_ns: int) -> Registration:
        if self.tray is None:
            return Registration(found)
        return Registration(found, Bump(at_ns, shift_mm(self.tray, found)))


def shift_mm(then: Tray, now: Tray) -> float:
    """Return by how many tray millimetres things moved between two registrations, as most markers have it."""
    a, b = _pairs(then, now)
    shift = then.to_mm(b) - then.to_mm(a)
    if _shared(then, now):
        shift = shift.reshape(-1, 4, 2).mean(axis=1)
    return float(np.median(np.hypot(shift[:, 0], shift[:, 1])))


def _apart(then: Tray, now: Tray, limits: tuple[float, float, float]) -> bool:
    px, edge_mm, followed_mm = limits
    if not _shared(then, now):
        return shift_mm(then, now) > (followed_mm if now.found == "corners" else edge_mm)
    a, b = _pairs(then, now)
    # A marker that is seen badly is one of several; a bump moves them all.
    away = np.hypot(*(b - a).reshape(-1, 4, 2).mean(axis=1).T)
    return bool(np.median(away) > px)


def _shared(then: Tray, now: Tray) -> list[int]:
    return sorted(dict(then.markers).keys() & dict(now.markers).keys())


def _pairs(then: Tray, now: Tray) -> tuple[np.ndarray, np.ndarray]:
    before, after, shared = dict(then.markers), dict(now.markers), _shared(then, now)
    if not shared:
        return np.array(then.corners, dtype=np.float64), np.array(now.corners, dtype=np.float64)
    return (
        np.array([p for i in shared for p in before[i]], dtype=np.float64),
        np.array([p for i in shared for p in after[i]], dtype=np.float64),
    )


__all__ = ["Bump", "Registration", "shift_mm"]
