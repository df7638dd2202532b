"""Which row and place of the array a reading means: pure.

The eye counts rows from the first in which a tile lies, for a colour of which none lies has no row that could be seen,
and places from where the array seems to begin. So a colour that is begun above the others makes all of them lie one row
lower, and what was laid before tells where everything lies (RULES.md 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pi.rules.events import SeenTile, Tray
from pi.rules.games.draw_bridge_score import BLANK, PLACES, ROWS, Tile, free_places, lay
from pi.rules.values import EMPTY, Board, Cell

Marks = tuple[int, ...]
"""How well a shift explains a reading, what counts most first."""


@dataclass(frozen=True, slots=True)
class Known:
    """What lies for certain, or was agreed, before a reading."""

    settled: Board
    """Before the turn being played."""
    begun: tuple[Tile, ...] = ()
    """Laid in that turn so far."""
    wanted: tuple[Tile, ...] = ()
    """What a player without hands wants laid."""
    held: frozenset[tuple[int, str]] = frozenset()
    """Row and symbol of what was set aside for such players: then each colour has its row before a tile lies."""
    colours: Mapping[int, str] | None = None
    """Of rows, by the reading before."""


@dataclass(frozen=True, slots=True)
class Shift:
    """How a reading's rows and places are counted otherwise than it has them."""

    rows: int = 0
    """To add to the reading's; below 0, to take away from those of all that was laid before."""
    places: int = 0

    @property
    def lower(self) -> int:
        """By how many rows all that was laid before lies lower than it was counted."""
        return max(0, -self.rows)

    def of(self, tray: Tray) -> Tray:
        """Return a reading, counted so."""
        rows = max(0, self.rows)
        tiles = tuple(replace(t, row=t.row + rows, column=t.column + self.places) for t in tray.tiles)
        return replace(tray, tiles=tiles)


def shift_of(tray: Tray, known: Known) -> Shift:
    """Return how a reading is to be counted: as it is, unless another way explains more of what is known.

    Places are only counted otherwise where the eye is sure of no tile, as where it cannot tell which places these are:
    else a tile that was bumped to another place would pass for the array.
    """
    lying = [t for t in tray.tiles if t.symbol != EMPTY]
    sideways = range(1 - PLACES, PLACES) if lying and not any(t.sure for t in lying) else range(1)
    ways = [Shift(rows, places) for rows in range(0 if known.held else 1 - ROWS, ROWS) for places in sideways]
    possible = [way for way in ways if way == Shift() or _fits(way, lying, known)]
    return max(possible, key=lambda way: _marks(way, lying, known))


def _fits(way: Shift, tiles: Iterable[SeenTile], known: Known) -> bool:
    """Tell whether all that is seen, and all that was laid before, has a place on the array then."""
    before = [cell for cell, symbol in known.settled.cells().items() if symbol != EMPTY]
    before += [tile.cell for tile in known.begun]
    seen = [(t.row + max(0, way.rows), t.column + way.places) for t in tiles]
    lowered = [(row + way.lower, place) for row, place in before]
    return all(0 <= row < ROWS and 0 <= place < PLACES for row, place in (*seen, *lowered))


def _marks(way: Shift, tiles: Iterable[SeenTile], known: Known) -> Marks:
    seen = {(t.row + max(0, way.rows), t.column + way.places): t for t in tiles}
    laid = {(r + way.lower, p): s for (r, p), s in known.settled.cells().items() if s != EMPTY}
    begun = {(t.row + way.lower, t.place): t.symbol for t in known.begun}
    new = {cell: t for cell, t in seen.items() if cell not in laid}
    colours = known.colours or {}
    return (
        _shown(laid, seen),
        _shown(begun, seen),
        sum(t.cell in new and new[t.cell].symbol == t.symbol for t in known.wanted),
        -sum((cell[0], t.symbol) in known.held for cell, t in new.items() if not known.wanted),
        _may_lie(laid, new),
        sum(colours.get(row - way.lower) == t.colour for (row, _), t in seen.items() if t.colour),
        way == Shift(),
        -abs(way.places),
        -abs(way.rows),
    )


def _shown(before: Mapping[Cell, str], seen: Mapping[Cell, SeenTile]) -> int:
    """Return how many of the tiles laid before a reading shows where they were; a doubtful look may be any tile."""
    return sum(cell in seen and (seen[cell].symbol == symbol or not seen[cell].sure) for cell, symbol in before.items())


def _may_lie(laid: Mapping[Cell, str], new: Mapping[Cell, SeenTile]) -> bool:
    """Tell whether the places of new tiles are ones that tiles may have come to, in some order (RULES.md 1)."""
    board = lay(BLANK, (Tile(*cell, symbol) for cell, symbol in laid.items()))
    left = dict(new)
    while left:
        cell = next((c for c in left if c[1] in free_places(board, c[0])), None)
        if cell is None:
            return False
        board = lay(board, (Tile(*cell, left.pop(cell).symbol),))
    return True
