"""Has the lamp changed? Measured on what stays: felt, paper and rim, whatever pieces come and go. Pure.

A lamp dimmed or switched on, a curtain drawn, evening: colours shift, and an exposure that is locked no longer
fits. Each measurement is a grid of spots over the tray; its ratio to the reference's is one factor and one slope
a colour, fitted robustly, for where a tile came or went the ratio tells of the tile. What lasts counts: a hand's
shadow passes, an automatic exposure trembles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.paint import GAMMA
from vision.geometry import Floats, homography4, inverse, rectangle, transform
from vision.layout import TRAY_MM
from vision.reading import Point
from vision.tray.felt_sides import colours_at

STEP_MM = 14.0
"""From spot to spot."""
SHY_MM = 9.0
"""How far spots keep from the edge of the felt."""
DARKEST, BRIGHTEST = 6.0, 250.0
"""Levels outside of which a spot tells nothing of the light."""
LEAST_SHARE = 0.3
"""Share of the spots that one lamp must explain; below, the tray itself is another."""
STRAY = 0.12
"""Natural logarithm of levels: a spot further from the fit shows something else."""
NEXT_TO_NOTHING = 1e-6 * np.eye(3)
"""Added where a fit is solved, so that it has an answer whichever spots are left."""

STRANGE_HOLDS = 4
"""For how many times as long a light that cannot be compared must last: a person may bend over the tray."""
MUCH = "much different"
"""The word for such a light."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much the light may change before it is named."""

    stops: float = 0.25
    """Of brightness (factors of two); FIELD.md's promise 9 begins at 0.3."""
    tint: float = 0.18
    """Of red against green, or blue against green, in stops."""
    slope: float = 0.3
    """From the middle of the tray to its edge, in stops."""
    hold_ns: int = 4_000_000_000
    """How long it must last; no hand's shadow does."""
    sudden_ns: int = 12_000_000_000
    """From half the bound to the bound: quicker is a lamp, slower is the day."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """One measurement."""

    logs: NDArray[np.float32]
    """(n, 3) natural logarithm of the levels of blue, green, red; NaN where a spot tells nothing."""
    size_mm: tuple[float, float] = TRAY_MM
    """Of the tray over which its spots lie."""


@dataclass(frozen=True, slots=True)
class Shift:
    """What one lamp's change looks like, in stops."""

    stops: float
    """Brighter (+) or darker (-) in the middle of the tray."""
    red: float
    blue: float
    """Against green: warmer light has more red and less blue."""
    slope: float
    """How much more it changed at one edge than in the middle, the larger of both directions."""

    def beyond(self, bounds: Bounds) -> float:
        """Return how far out of bounds this is: 1 is just at one."""
        tint = max(abs(self.red), abs(self.blue), abs(self.red - self.blue))
        return max(abs(self.stops) / bounds.stops, tint / bounds.tint, self.slope / bounds.slope)

    def word(self, bounds: Bounds) -> str:
        """Return what is most different: brighter, darker, warmer, cooler, another colour, from another side."""
        tint = max(abs(self.red), abs(self.blue), abs(self.red - self.blue)) / bounds.tint
        stops, slope = abs(self.stops) / bounds.stops, self.slope / bounds.slope
        if max(stops, slope) >= tint:
            return "from another side" if slope > stops else "brighter" if self.stops > 0 else "darker"
        if abs(self.red - self.blue) < 0.7 * max(abs(self.red), abs(self.blue)):
            return "of another colour"
        return "warmer" if self.red > self.blue else "cooler"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the light that lasts."""

    since_ns: int
    """When it began, on the frames' clock."""
    shift: Shift
    """As measured last."""
    word: str
    """As `Shift.word` said when it was named, or MUCH."""
    sudden: bool
    """A lamp; otherwise it crept: the day."""


@dataclass(frozen=True, slots=True)
class LightWatch:
    """Knows the light at the last calibration and says when it is another. Frozen: `step` returns the next one."""

    bounds: Bounds = Bounds()
    reference: Light | None = None
    """The light as it was calibrated; None before the first measurement."""
    change: Change | None = None
    """What lasts; None while the light is as it was."""
    shift: Shift | None = None
    """The latest comparison."""
    _strange_ns: int | None = None
    """Since when nothing could be compared."""
    _calm_ns: int | None = None
    """When the light was last well within bounds."""
    _out_ns: int | None = None
    """Since when it has been out of bounds (or, once named, within them again)."""

    def step(self, light: Light, *, at_ns: int) -> LightWatch:
        """Return the next state after the measurement of a frame without a hand.

        The first one becomes the reference. A light that cannot be compared (a heap of pieces, another tray) is
        left out until it lasts.
        """
        if self.reference is None:
            return LightWatch(self.bounds, light, _calm_ns=at_ns)
        shift = compare(self.reference, light)
        if shift is None:
            return self._strange(at_ns)
        state = replace(self, shift=shift, _strange_ns=None)
        return state._weighed(shift, shift.beyond(self.bounds), at_ns)

    def _strange(self, at_ns: int) -> LightWatch:
        """Name a light in which not even the felt can be compared, once that has lasted."""
        since = at_ns if self._strange_ns is None else self._strange_ns
        lasts = at_ns - since >= STRANGE_HOLDS * self.bounds.hold_ns
        change = Change(since, Shift(0.0, 0.0, 0.0, 0.0), MUCH, True) if lasts and self.change is None else self.change
        return replace(self, _strange_ns=since, change=change)

    def again(self) -> LightWatch:
        """Return the watch with no reference: the next measurement is the new one."""
        return LightWatch(self.bounds)

    def _weighed(self, shift: Shift, beyond: float, at_ns: int) -> LightWatch:
        calm = at_ns if beyond < 0.5 else self._calm_ns
        if self.change is not None:
            # Half the way back is back: a light at its bound must not be named every other second.
            if beyond >= 0.7:
                return replace(self, change=replace(self.change, shift=shift), _out_ns=None, _calm_ns=calm)
            since = at_ns if self._out_ns is None else self._out_ns
            back = at_ns - since >= self.bounds.hold_ns
            return replace(self, change=None if back else self.change, _out_ns=None if back else since, _calm_ns=calm)
        if beyond < 1.0:
            return replace(self, _out_ns=None, _calm_ns=calm)
        since = at_ns if self._out_ns is None else self._out_ns
        if at_ns - since < self.bounds.hold_ns:
            return replace(self, _out_ns=since, _calm_ns=calm)
        sudden = calm is not None and since - calm <= self.bounds.sudden_ns
        found = Change(since, shift, shift.word(self.bounds), sudden)
        return replace(self, change=found, _out_ns=None, _calm_ns=calm)


def measure(
    small_bgr: NDArray[np.uint8],
    corners: tuple[Point, Point, Point, Point],
    *,
    factor: float,
    size_mm: tuple[float, float] = TRAY_MM,
) -> Light:
    """Return the light on a tray; about 0.2 ms.

    small_bgr: the frame reduced by `factor` (a `vision.tray.glance.Glance`'s picture). corners: TL TR BR BL of the
    felt in the whole frame's pixels.
    """
    to_px = inverse(homography4(np.array(corners), rectangle(size_mm)))
    at = (transform(_spots(size_mm), to_px) + 0.5) / factor - 0.5
    h, w = small_bgr.shape[:2]
    inside = (at >= 0).all(axis=1) & (at[:, 0] <= w - 1) & (at[:, 1] <= h - 1)
    level = colours_at(cv2.blur(small_bgr, (3, 3)), at).astype(np.float32)
    fine = inside & (level.min(axis=1) >= DARKEST) & (level.max(axis=1) <= BRIGHTEST)
    logs = np.where(fine[:, None], np.log(np.maximum(level, 1.0)), np.float32(np.nan))
    return Light(np.asarray(logs, dtype=np.float32), size_mm)


def compare(reference: Light, now: Light) -> Shift | None:
    """Return how the light differs; None where one lamp's change does not explain what is seen."""
    if reference.size_mm != now.size_mm:
        return None
    ratio = (now.logs - reference.logs).astype(np.float64)
    good: NDArray[np.bool_] = np.asarray(np.isfinite(ratio).all(axis=1))
    total = len(good)
    if good.sum() < LEAST_SHARE * total:
        return None
    terms, ratio = _terms(now.size_mm)[good], ratio[good]
    fit, keep = _fitted(terms, ratio)
    if keep.sum() < LEAST_SHARE * total:
        return None
    stops = fit * (GAMMA / np.log(2.0))
    middle, slopes = stops[0], np.abs(stops[1:].mean(axis=1))
    blue, green, red = (float(v) for v in middle)
    return Shift(float(middle.mean()), red - green, blue - green, float(slopes.max()))


def _fitted(terms: Floats, ratio: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return (3, 3) the factor and slopes a colour, and which spots they explain."""
    keep = np.ones(len(ratio), dtype=bool)
    fit = np.zeros((3, 3))
    # From loose to tight: first where most spots lie, then what a lamp does to them.
    fit[0] = np.median(ratio, axis=0)
    for stray in (0.6, 0.4, 0.25, STRAY, STRAY, STRAY):
        off = np.abs(ratio - terms @ fit).max(axis=1)
        before, keep = keep, off <= (stray if stray == STRAY else _reach(stray, off))
        if keep.sum() < 12 or (stray == STRAY and np.array_equal(keep, before)):  # from here on all stays as it is
            break
        kept = terms[keep].T
        fit = np.linalg.solve(kept @ terms[keep] + NEXT_TO_NOTHING, kept @ ratio[keep])
    return fit, keep


def _reach(stray: float, off: Floats) -> float:
    """Return how far off the nearest LEAST_SHARE of (n,) spots are, or `stray` where these are no further off."""
    # Sorting out the share takes a third of the whole comparison, and in a light that stays it is never needed.
    if np.count_nonzero(off <= stray) > LEAST_SHARE * (len(off) - 1) + 1:
        return stray
    return max(stray, float(np.quantile(off, LEAST_SHARE)))


@cache
def _spots(size_mm: tuple[float, float]) -> Floats:
    """Return (n, 2) where the light is measured, in tray millimetres."""
    across, along = (np.linspace(SHY_MM, side - SHY_MM, round((side - 2 * SHY_MM) / STEP_MM) + 1) for side in size_mm)
    x, y = np.meshgrid(across, along)
    return np.column_stack([x.ravel(), y.ravel()])


@cache
def _terms(size_mm: tuple[float, float]) -> Floats:
    """Return (n, 3) 1 and where each spot lies, -1 to 1 over the tray."""
    points, half = _spots(size_mm), np.array(size_mm) / 2
    return np.column_stack([np.ones(len(points)), (points - half) / half])


__all__ = ["Bounds", "Change", "Light", "LightWatch", "Shift", "compare", "measure"]
