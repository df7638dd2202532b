"""How often people had to correct the eye lately: FIELD.md's promise 9, the second line behind every other check.

A match's events in, a rate out. Only what a camera read counts, and only what was corrected to something else:
to confirm what the eye asked about is no correction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pi.rules.events import Event, TileCorrected, TrayRead
from pi.rules.values import EMPTY, Cell

LAST = 200
"""Tiles read lately that are looked at."""
BOUND = 0.05
"""Share of them above which the eye should be taught or calibrated again."""
LEAST = 80
"""With fewer tiles read the bound is as for so many: one slip in the first tray is no trend."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """Of the tiles that were read lately."""

    tiles: int = 0
    """How many were read, at most LAST."""
    corrected: int = 0
    """How many of them people changed."""

    @property
    def too_many(self) -> bool:
        """Whether it is time to teach or calibrate again."""
        return self.corrected > BOUND * max(self.tiles, LEAST)


def corrections(matches: Iterable[Sequence[Event]], *, last: int = LAST) -> Corrections:
    """Return how often the eye was corrected in the last tiles it read.

    matches: each match's events that still count (`Match.history`), the newest match first; no further match is
    asked for once `last` tiles were found.

    >>> corrections([])
    Corrections(tiles=0, corrected=0)
    """
    tiles = wrong = 0
    for events in matches:
        for reading in reversed(_readings(events)):
            tiles += len(reading)
            wrong += sum(reading)
            if tiles >= last:
                # The oldest of these trays reaches beyond: its share stands for the part that is asked about.
                over = tiles - last
                return Corrections(last, wrong - round(sum(reading) * over / len(reading)))
    return Corrections(tiles, wrong)


def _readings(events: Sequence[Event]) -> list[list[bool]]:
    """Return for each tray a camera read which of its tiles people changed, in order of the readings."""
    read: list[dict[Cell, str]] = []
    says: list[dict[Cell, str]] = []
    newest: dict[int, int] = {}
    for event in events:
        if isinstance(event, TrayRead) and event.tray.source != "table":
            newest[event.round] = len(read)
            read.append({cell: symbol for cell, symbol in event.tray.symbols().items() if symbol != EMPTY})
            says.append({})
        elif isinstance(event, TrayRead):
            newest.pop(event.round, None)
        elif isinstance(event, TileCorrected) and event.round in newest:
            says[newest[event.round]][event.row, event.column] = event.symbol
    return [
        [says[n].get(cell, symbol) != symbol for cell, symbol in tiles.items()] for n, tiles in enumerate(read) if tiles
    ]
