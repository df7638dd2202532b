"""The printed mats as numbers: zones and places in millimetres of the felt. Printer, eye and simulator use the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

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


ON_LINE_MM = 6.0
"""A die whose middle is nearer to a zone's border than this lies on the line; its height moves it by up to 4 mm."""
NOWHERE = -1
"""Instead of a zone: on a line, or beside every zone."""


def zone_at(x_mm: float, y_mm: float, *, zones: Sequence[Zone] = RUN_BUSTER) -> int:
    """Return the number of the zone in which a die with its middle there lies whole; NOWHERE when in none."""
    for zone in zones:
        if min(_inside(zone, x_mm, y_mm)) >= ON_LINE_MM:
            return zone.number
    return NOWHERE


def _inside(zone: Zone, x_mm: float, y_mm: float) -> tuple[float, float, float, float]:
    """Return how far a point lies inside each side of a zone; negative outside."""
    x, y = x_mm - zone.left, y_mm - zone.top
    return x, y, zone.width - x, zone.height - y


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat with places, each of which holds one piece or nothing."""

    game: str
    size: int
    places: tuple[Zone, ...]
    """Numbered from 0."""
    pawns: bool = False
    """The pieces are pawns of two colours; else dark and light counters."""
    tracks: tuple[tuple[int, ...], ...] = ()
    """For each player the places of which one always holds a pawn of the player's: that tells the colour."""
    rolls: tuple[Zone, ...] = ()
    """Where dice are rolled, numbered by player from 0."""

    @property
    def name(self) -> str:
        """As rulesets say what they expect, e.g. 'palindromes:16'."""
        return f"{self.game}:{self.size}"


MOST_SQUARES = 16
"""Of a row, and of a side of a grid: more do not fit the tray."""
SPACES_LEAST, SPACES_MOST = 12, 40


def palindromes_mat(size: int) -> Mat:
    """Return the row of squares."""
    side = min(22.0, (TRAY_MM[0] - 8) / size)
    left, top = (TRAY_MM[0] - side * size) / 2, (TRAY_MM[1] - side) / 2
    return Mat("palindromes", size, tuple(Zone(n, left + n * side, top, side, side) for n in range(size)))


def blob_mat(size: int) -> Mat:
    """Return the grid, row by row."""
    side = min(28.0, (TRAY_MM[1] - 24) / size)
    left, top = (TRAY_MM[0] - side * size) / 2, (TRAY_MM[1] - side * size) / 2
    cells = ((n, left + n % size * side, top + n // size * side) for n in range(size * size))
    return Mat("blob", size, tuple(Zone(n, x, y, side, side) for n, x, y in cells))


LANE_MM = 42.0
"""Height of a lane of Runaround's loop."""
PAWNS, RUNS = 4, 6
"""Pawns of a player at home, and places of the marker's way (0 to 5 runs)."""
_HOLE, _PITCH = 18.0, 20.0


def space_mm(space: int, *, spaces: int) -> Zone:
    """Return a space of Runaround's loop: two lanes back to back between the starting spaces."""
    half, side = spaces // 2, min(32.0, (TRAY_MM[0] - 12) / (spaces // 2 + 1))
    column = space if space <= half else spaces - space
    left, middle = (TRAY_MM[0] - side * (half + 1)) / 2 + column * side, TRAY_MM[1] / 2
    if space in (0, half):
        return Zone(space, left, middle - LANE_MM, side, 2 * LANE_MM)
    return Zone(space, left, middle - (LANE_MM if space < half else 0.0), side, LANE_MM)


def runaround_mat(spaces: int) -> Mat:
    """Return the board: the loop, then home and runs of player 1 (below), then those of player 2 (above)."""
    places = [space_mm(n, spaces=spaces) for n in range(spaces)]
    tracks = []
    for y in (TRAY_MM[1] - 26.0, 30.0):
        for n in range(PAWNS):
            places.append(_hole(len(places), 68.0 + _PITCH * n, y))
        tracks.append(tuple(range(len(places), len(places) + RUNS)))
        for n in range(RUNS):
            places.append(_hole(len(places), 180.0 + _PITCH * n, y))
    rolls = (Zone(0, 60.0, 184.0, 240.0, 32.0), Zone(1, 60.0, 44.0, 240.0, 32.0))
    return Mat("runaround", spaces, tuple(places), pawns=True, tracks=tuple(tracks), rolls=rolls)


def _hole(number: int, x: float, y: float) -> Zone:
    return Zone(number, x - _HOLE / 2, y - _HOLE / 2, _HOLE, _HOLE)


SQUARES = range(2, MOST_SQUARES + 1)
MATS: dict[str, tuple[Callable[[int], Mat], range]] = {
    "palindromes": (palindromes_mat, SQUARES),
    "blob": (blob_mat, SQUARES),
    "runaround": (runaround_mat, range(SPACES_LEAST, SPACES_MOST + 1, 2)),
}
"""Game -> its mat, and the sizes that fit the tray."""


@lru_cache(maxsize=8)
def mat_of(expects: str) -> Mat | None:
    """Return the mat that a ruleset's `expects` names; None when it names none.

    >>> mat_of("blob:8").places[9].middle
    (110.0, 60.0)
    """
    game, _, size = expects.partition(":")
    made, sizes = MATS.get(game, (blob_mat, range(0)))
    return made(int(size)) if size.isdecimal() and int(size) in sizes else None
