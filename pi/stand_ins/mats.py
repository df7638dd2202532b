"""The printed mats as numbers: zones in millimetres of the felt. Printer, eye and simulator use the same."""

from __future__ import annotations

from dataclasses import dataclass

TRAY_MM = (360.0, 260.0)
"""Width and height of the felt; origin at its upper left corner, x to the right, y down."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A named rectangle on a mat."""

    number: int
    """Seat of a hand zone; 0 is the roll zone."""
    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """(x, y) in millimetres."""
        return self.left + self.width / 2, self.top + self.height / 2


ROLL = 0
MARKER_MM = 40.0
"""Room left free at each corner for its marker."""
_BAND, _HAND = 72.0, 90.0


def _hand_zone(seat: int) -> Zone:
    left = TRAY_MM[0] / 2 + _HAND * ((seat - 1) // 2 - 1.5)
    return Zone(seat, left, TRAY_MM[1] - _BAND if seat % 2 else 0.0, _HAND, _BAND)


RUN_BUSTER: tuple[Zone, ...] = (
    Zone(ROLL, 0.0, _BAND, TRAY_MM[0], TRAY_MM[1] - 2 * _BAND),
    *(_hand_zone(seat) for seat in range(1, 7)),
)
"""The roll zone in the middle; hand zones 1, 3, 5 on the near side, 2, 4, 6 on the far side."""


def hand_place(seat: int, value: int) -> tuple[float, float]:
    """Return where a die of a hand lies, (x, y) in millimetres: six places, in two rows of three."""
    x, y = RUN_BUSTER[seat].middle
    return x + 28.0 * ((value - 1) % 3 - 1), y + 28.0 * ((value - 1) // 3 - 0.5)


def zone_at(x_mm: float, y_mm: float) -> int:
    """Return the number of Run Buster's zone at a point; one beside all zones counts to the nearest."""
    return min(RUN_BUSTER, key=lambda zone: (_beside(zone, x_mm, y_mm), zone.number)).number


def _beside(zone: Zone, x_mm: float, y_mm: float) -> float:
    dx = max(zone.left - x_mm, 0.0, x_mm - zone.left - zone.width)
    dy = max(zone.top - y_mm, 0.0, y_mm - zone.top - zone.height)
    return dx * dx + dy * dy
