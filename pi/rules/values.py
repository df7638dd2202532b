"""Seats, tiles and boards: frozen values; `parse` and `str` are inverse to each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import NewType

from pi.rules.errors import BadBoard

Seat = NewType("Seat", int)
"""Place at the table, 1 to n, as engraved on its edge."""
Points = NewType("Points", int)
"""Points won or lost; a score is their sum and may be below zero."""
Cell = tuple[int, int]
"""(row, column), from 0, seen from the camera's upright picture; diamond columns count in its widest row."""

WILD, DOWN, EMPTY = "#", "?", "."
NUMBERS = tuple("0123456789")
SYMBOLS = (*NUMBERS, WILD, DOWN, EMPTY)
_KNOWN = frozenset(SYMBOLS)


class Layout(Enum):
    """The shape in which tiles are laid (RULES.md 1)."""

    ROWS = "rows"
    RECT = "rect"
    DIAMOND = "diamond"


SHAPES: dict[Layout, tuple[int, ...]] = {
    Layout.ROWS: (10,) * 4,
    Layout.RECT: (8,) * 5,
    Layout.DIAMOND: (1, 3, 5, 7, 9, 7, 5, 3, 1),
}
"""Lengths of the rows of each layout as the rule book lays it."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person at a seat for one match."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Board:
    """A layout with a symbol in each of its cells ('0'-'9', '#' wild, '?' face down, '.' empty)."""

    layout: Layout
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        """Check symbols and shape; raise BadBoard with the place of the first fault."""
        if not self.rows:
            raise BadBoard("the board has no rows (expected at least one)")
        for number, row in enumerate(self.rows, start=1):
            if not _KNOWN.issuperset(row):
                wrong = next(symbol for symbol in row if symbol not in _KNOWN)
                raise BadBoard(f"{wrong!r} is not a symbol (expected 0-9, #, ? or .), in row {number}")
        if self.layout is Layout.DIAMOND:
            _check_diamond(self.rows)
        else:
            _check_rectangle(self.rows)

    @classmethod
    def of(cls, layout: Layout, rows: Iterable[Iterable[object]]) -> Board:
        """Return the board of any nested cells; numbers may be integers."""
        return cls(layout, tuple(tuple(str(cell) for cell in row) for row in rows))

    @classmethod
    def parse(cls, text: str, *, layout: Layout = Layout.ROWS) -> Board:
        """Return the board written as lines of cells parted by spaces.

        >>> Board.parse("1 2 8 7 6 3 5 4 9 0").rows[0][2]
        '8'
        """
        return cls(layout, tuple(tuple(line.split()) for line in text.splitlines() if line.strip()))

    def __str__(self) -> str:
        """Write the board as `parse` reads it."""
        width = max(len(row) for row in self.rows)
        return "\n".join("  " * ((width - len(row)) // 2) + " ".join(row) for row in self.rows)

    def offset(self, row: int) -> int:
        """Return the column of the row's first cell (0, but for the diamond)."""
        if self.layout is not Layout.DIAMOND:
            return 0
        return (max(len(r) for r in self.rows) - len(self.rows[row])) // 2

    def cells(self) -> dict[Cell, str]:
        """Return every cell with its symbol, row by row."""
        return dict(zip(_cells(self.layout, tuple(map(len, self.rows))), chain.from_iterable(self.rows), strict=True))

    def at(self, cell: Cell) -> str:
        """Return the symbol in a cell; KeyError when the board has no such cell."""
        row, place = self._place(cell)
        return self.rows[row][place]

    def with_symbol(self, cell: Cell, symbol: str) -> Board:
        """Return the board with another symbol in one cell; KeyError when there is no such cell."""
        return self.with_symbols({cell: symbol})

    def with_symbols(self, symbols: Mapping[Cell, str]) -> Board:
        """Return the board with other symbols in some cells; KeyError when there is no such cell."""
        rows = [list(row) for row in self.rows]
        for cell, symbol in symbols.items():
            row, place = self._place(cell)
            rows[row][place] = symbol
        return Board(self.layout, tuple(map(tuple, rows)))

    def _place(self, cell: Cell) -> tuple[int, int]:
        """Return a cell's row and its place in it."""
        row, column = cell
        if 0 <= row < len(self.rows):
            place = column - self.offset(row)
            if 0 <= place < len(self.rows[row]):
                return row, place
        raise KeyError(cell)


@lru_cache(maxsize=64)
def _cells(layout: Layout, lengths: tuple[int, ...]) -> tuple[Cell, ...]:
    """Return the cells of a board whose rows are so long, row by row: there are few shapes, and boards by thousands."""
    offsets = [(max(lengths) - length) // 2 if layout is Layout.DIAMOND else 0 for length in lengths]
    return tuple((r, offsets[r] + c) for r, length in enumerate(lengths) for c in range(length))


def _check_rectangle(rows: Sequence[Sequence[str]]) -> None:
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]) or not row:
            raise BadBoard(f"row {number} has {len(row)} cells (expected {len(rows[0])}, as row 1)")


def _check_diamond(rows: Sequence[Sequence[str]]) -> None:
    half = len(rows) // 2
    for number, row in enumerate(rows, start=1):
        expected = 2 * (half - abs(half - (number - 1))) + 1
        if len(rows) % 2 == 0 or len(row) != expected:
            raise BadBoard(
                f"row {number} of {len(rows)} has {len(row)} cells (expected {expected}: "
                "a diamond's rows grow and shrink by two, as 1 3 5 7 9 7 5 3 1)"
            )
