"""How often people had to correct the eye lately: FIELD.md's promise 9, the second line behind every other check.

A match's events in, a rate out. Only what a camera read counts, and only what was corrected to something else:
to confirm what the eye asked about is no correction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pi.rules.events import Event, TileCorrected, Tray, TrayCleared, TrayRead
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
        for shown in reversed(_shown(events)):
            tiles += shown.tiles
            wrong += shown.corrected
            if tiles >= last:
                # The oldest of these trays reaches beyond: its share stands for the part that is asked about.
                over = tiles - last
                return Corrections(last, wrong - round(shown.corrected * over / shown.tiles))
    return Corrections(tiles, wrong)


@dataclass(slots=True)
class _Shown:
    """What the readings of a round showed, taken together, and what people said of it.

    An array that grows is read after each tile, every time as a whole: a tile that lies there counts once. Which one
    is new its place does not tell, for rows are counted anew when one is laid above them; that a symbol is seen once
    more than ever does.
    """

    most: Counter[str] = field(default_factory=Counter)
    """How often each symbol was seen, in whichever reading showed most of it."""
    said: dict[Cell, tuple[str, str]] = field(default_factory=dict)
    """What each corrected cell showed before anybody said anything, and what was said last."""

    @property
    def tiles(self) -> int:
        return self.most.total()

    @property
    def corrected(self) -> int:
        return min(self.tiles, sum(was != now for was, now in self.said.values()))

    def read(self, tray: Tray) -> None:
        self.most |= Counter(tile.symbol for tile in tray.tiles if tile.symbol != EMPTY)

    def say(self, fix: TileCorrected) -> None:
        cell = fix.row, fix.column
        was, _ = self.said.get(cell, (fix.was, fix.symbol))
        self.said[cell] = was, fix.symbol


def _shown(events: Sequence[Event]) -> list[_Shown]:
    """Return what a camera showed of each round, in order; of one that was cleared to be read again, what of each."""
    found: list[_Shown] = []
    lying: dict[int, _Shown] = {}
    for event in events:
        match event:
            case TrayRead(round=number, tray=tray) if tray.source != "table":
                if number not in lying:
                    lying[number] = _Shown()
                    found.append(lying[number])
                lying[number].read(tray)
            case TrayRead(round=number) | TrayCleared(round=number):
                lying.pop(number, None)
            case TileCorrected(round=number) if number in lying:
                lying[number].say(event)
            case _:
                pass
    return [shown for shown in found if shown.tiles]
