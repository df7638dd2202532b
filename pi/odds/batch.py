"""Counting the runs of many boards at once: the numpy form of `pi.rules.runs`.

Boards lie cell by cell ("structure of arrays"): `cells` has shape (cells, boards), dtype uint8, cells in
the order of `Board.cells()`. Numbers are 0-9; WILD_CODE, DOWN_CODE and EMPTY_CODE stand for the rest. One bond
"b is one above a" is a few operations on bytes, shared by all runs that use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pi.odds.errors import BadQuestion
from pi.rules.runs import Triple, Variant, triples
from pi.rules.values import DOWN, EMPTY, NUMBERS, SHAPES, WILD, Board, Cell, Layout

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

WILD_CODE, DOWN_CODE, EMPTY_CODE = 200, 210, 220
CODES = {**{s: int(s) for s in NUMBERS}, WILD: WILD_CODE, DOWN: DOWN_CODE, EMPTY: EMPTY_CODE}
"""The byte of every symbol; no code is one above another, so that nothing but numbers can be neighbours."""
BLOCK = 8192
"""Boards worked on at a time, so that a block of 41 cells (336 KB) stays in a small processor's cache."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in their order and all triples that could be a run, as indices into that order."""

    cells: tuple[Cell, ...]
    triples: tuple[tuple[int, int, int], ...]

    def touching(self, places: Sequence[int], *, touching: bool = True) -> Grid:
        """Return the grid with only those triples that hold one of the places (or hold none of them)."""
        inside = set(places)
        return Grid(self.cells, tuple(t for t in self.triples if bool(inside & set(t)) is touching))


@lru_cache(maxsize=64)
def grid(layout: Layout, *, variant: Variant, shape: tuple[int, ...] | None = None) -> Grid:
    """Return the grid of a layout; `shape` None is the rule book's.

    Raises BadBoard for a variant the layout does not know and for a shape it cannot have.
    """
    blank = Board(layout, tuple((NUMBERS[0],) * n for n in (shape or SHAPES[layout])))
    order = tuple(blank.cells())
    place = {cell: i for i, cell in enumerate(order)}
    found: tuple[Triple, ...] = triples(blank, variant=variant)
    return Grid(order, tuple((place[a], place[b], place[c]) for a, b, c in found))


def grid_of(board: Board, *, variant: Variant) -> Grid:
    """Return the grid of a board of any size."""
    return grid(board.layout, variant=variant, shape=tuple(len(row) for row in board.rows))


def encode(boards: Sequence[Board]) -> Bytes:
    """Return boards of one shape as bytes, shape (cells, boards)."""
    columns = [[CODES[symbol] for symbol in board.cells().values()] for board in boards]
    if len({len(column) for column in columns}) > 1:
        raise BadQuestion("boards of several shapes cannot be counted together (expected one shape)")
    return np.array(columns, dtype=np.uint8).reshape(len(boards), -1).T.copy()


def totals(cells: Bytes, *, on: Grid) -> Bytes:
    """Return the number of runs on each board, shape (boards,), dtype uint8.

    cells: (cells, boards) uint8. Cells that are no number break runs; for wilds see `pi.odds.wild_batch`.
    Raises BadQuestion when the cells are not those of the grid.
    """
    if cells.dtype != np.uint8 or cells.ndim != 2 or cells.shape[0] != len(on.cells):
        raise BadQuestion(f"cells of shape {cells.shape}, {cells.dtype} (expected ({len(on.cells)}, boards), uint8)")
    found = np.empty(cells.shape[1], dtype=np.uint8)
    for start in range(0, cells.shape[1], BLOCK):
        part = slice(start, start + BLOCK)
        found[part] = _count(cells[:, part], on.triples)
    return found


def members(bits: int) -> tuple[int, ...]:
    """Return the set that a whole number holds as bits, ascending.

    >>> members(0b1101)
    (0, 2, 3)
    """
    return tuple(i for i in range(bits.bit_length()) if bits >> i & 1)


def bonds(cells: Bytes, pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Flags]:
    """Return for each pair of places whether the second holds the number one above the first (9 below 0)."""
    above = {a: _above(cells[a]) for a in {a for a, _ in pairs}}
    return {(a, b): above[a] == cells[b] for a, b in pairs}


def _above(numbers: Bytes) -> Bytes:
    # Plain byte arithmetic is many times faster here than a look-up: 0xFF or 0 as a mask turns 10 into 0.
    more = numbers + np.uint8(1)
    keep = (more != 10).view(np.uint8)
    np.negative(keep, out=keep)
    more &= keep
    return more


def _count(cells: Bytes, wanted: Sequence[tuple[int, int, int]]) -> Bytes:
    total = np.zeros(cells.shape[1], dtype=np.uint8)
    pairs = {pair for a, b, c in wanted for pair in ((a, b), (b, c), (c, b), (b, a))}
    up = bonds(cells, sorted(pairs))
    for a, b, c in wanted:
        total += (up[a, b] & up[b, c]).view(np.uint8)
        # A run both up and down cannot be: b would be above and below a.
        total += (up[c, b] & up[b, a]).view(np.uint8)
    return total
