"""Who looks: a place, and the seat if it is a seat's page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pi.rules.values import Seat


class Place(Enum):
    """From where somebody looks."""

    BOARD = "board"
    """The public scoreboard."""
    SPECTATOR = "spectator"
    """Anybody else, programs included."""
    TABLE = "table"
    """The referee's page."""
    SEAT = "seat"
    """One seat's pad."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who looks: a place, and the seat if it is a seat's page."""

    place: Place
    seat: Seat | None = None


BOARD, SPECTATOR, TABLE = Audience(Place.BOARD), Audience(Place.SPECTATOR), Audience(Place.TABLE)


def seat_audience(seat: Seat) -> Audience:
    """Return the audience at one seat's pad."""
    return Audience(Place.SEAT, seat)
