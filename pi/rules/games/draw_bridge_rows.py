"""Which row and place of the array a reading means: pure.

The eye counts rows from the first in which a tile lies, for a colour of which none lies has no row that could be seen;
how many such rows lie between two others it can hardly tell where they hold a tile each, one at either end. So a colour
that is begun above the others, or between two, makes those below lie one row lower, and what was laid before tells
where everything lies (RULES.md 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from pi.rules.events import SeenTile, Tray
from pi.rules.games.draw_bridge_score import BLANK, PLACES, ROWS, Tile, free_places, lay
from pi.rules.values import EMPTY, Board, Cell

Marks = tuple[int, ...]
"""How well a way to count explains a reading, what counts most first."""


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
class Count:
    """How rows and places are counted otherwise than before, and than a reading has them."""

    seen: Mapping[int, int]
    """The row that each of the reading's rows is."""
    laid: Mapping[int, int]
    """The row that each row of what was laid before is now; only rows in which anything lies."""
    places: int = 0
    """To add to the reading's."""

    def of(self, tray: Tray) -> Tray:
        """Return a reading, counted so."""
        tiles = (replace(t, row=self.seen.get(t.row, t.row), column=t.column + self.places) for t in tray.tiles)
        return replace(tray, tiles=tuple(tiles))

    def row(self, before: int) -> int:
        """Return the row that one of those before is now."""
        return self.laid.get(before, before)

    @property
    def usual(self) -> bool:
        """Whether all is counted as it was."""
        return all(a == b for a, b in (*self.seen.items(), *self.laid.items())) and self.places == 0


def count_of(tray: Tray, known: Known) -> Count:
    """Return how a reading is to be counted: as it is, unless another way explains more of what is known.

    Rows keep their order. Places are only counted otherwise where the eye cannot tell which these are: else a tile that
    was bumped to another place would pass for the array.
    """
    lying = [t for t in tray.tiles if t.symbol != EMPTY]
    before = [cell for cell, symbol in known.settled.cells().items() if symbol != EMPTY]
    before += [tile.cell for tile in known.begun]
    sideways = [0] if tray.placed else _sideways(lying)
    seen_rows, laid_rows = sorted({t.row for t in lying}), sorted({row for row, _ in before})
    as_laid = [dict(zip(laid_rows, laid_rows, strict=True))]
    ways = [
        Count(seen, laid, places)
        for seen in _in_order(seen_rows)
        for laid in (as_laid if known.held else _in_order(laid_rows))
        for places in sideways
    ]
    return max(ways, key=lambda way: _marks(way, lying, known), default=Count({}, {}))


def _sideways(tiles: Sequence[SeenTile]) -> list[int]:
    """Return by how many places all tiles may be moved and still lie on the array; none, if they do not."""
    return [n for n in range(1 - PLACES, PLACES) if all(0 <= t.column + n < PLACES for t in tiles)] or [0]


def _in_order(rows: Sequence[int]) -> list[dict[int, int]]:
    """Return all ways to give rows their places on the array without changing their order; as they are, if they fit."""
    return [dict(zip(rows, now, strict=True)) for now in combinations(range(ROWS), len(rows))]


def _marks(way: Count, tiles: Sequence[SeenTile], known: Known) -> Marks:
    seen = {(way.seen[t.row], t.column + way.places): t for t in tiles}
    laid = {(way.row(r), p): s for (r, p), s in known.settled.cells().items() if s != EMPTY}
    begun = {(way.row(t.row), t.place): t.symbol for t in known.begun}
    new = {cell: t for cell, t in seen.items() if cell not in laid}
    colours = {way.row(row): colour for row, colour in (known.colours or {}).items()}
    return (
        _shown(laid, seen),
        _shown(begun, seen),
        sum(t.cell in new and new[t.cell].symbol == t.symbol for t in known.wanted),
        -sum((cell[0], t.symbol) in known.held for cell, t in new.items() if not known.wanted),
        _may_lie(laid, new),
        sum(colours.get(row) == t.colour for (row, _), t in seen.items() if t.colour),
        way.usual,
        len({now - row for row, now in way.seen.items()}) <= 1,
        -abs(way.places),
        -sum(abs(a - b) for a, b in way.laid.items()),
        -sum(abs(a - b) for a, b in way.seen.items()),
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
