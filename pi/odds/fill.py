"""Filling the hidden places of a board with numbers: all ways, or random ones.

The boards given here may show wilds; none is hidden any more (`pi.odds.open` has put each in its place).
"""

from __future__ import annotations

from math import perm, prod

import numpy as np
import numpy.typing as npt

from pi.odds.batch import CODES, Bytes
from pi.odds.perms import arrangements, how_many, sequences
from pi.odds.pools import mixed_pool, row_pool
from pi.rules.values import DOWN, NUMBERS, Board, Layout

Ways = npt.NDArray[np.int64]


def ways(board: Board) -> int:
    """Return how many fillings `every` would list."""
    if board.layout is Layout.ROWS:
        return prod(perm(len(row_pool(r, wilds=False, number=n)), r.count(DOWN)) for n, r in enumerate(board.rows, 1))
    return how_many(*_mixed(board))


def every(board: Board) -> tuple[Bytes, Ways]:
    """Return all fillings as cells of shape (cells, fillings), and in how many ways the tiles make each."""
    if board.layout is not Layout.ROWS:
        numbers, by = sequences(*_mixed(board))
        return _filled(board, numbers), by
    laid = [_row_numbers(row) for row in board.rows]
    if len(laid) > 1:
        sizes = [numbers.shape[1] for numbers in laid]
        picks = np.unravel_index(np.arange(prod(sizes)), sizes)
        laid = [numbers[:, pick] for numbers, pick in zip(laid, picks, strict=True)]
    cells = _filled(board, np.vstack(laid))
    return cells, np.ones(cells.shape[1], dtype=np.int64)


def some(board: Board, *, rng: np.random.Generator, draws: int) -> Bytes:
    """Return random fillings, each arrangement of the hidden tiles as likely, shape (cells, draws)."""
    if board.layout is not Layout.ROWS:
        counts, hidden = _mixed(board)
        return _filled(board, _shuffled(np.repeat(np.arange(10, dtype=np.uint8), counts), hidden, rng, draws))
    pools = [np.array([int(n) for n in row_pool(row, wilds=False)], dtype=np.uint8) for row in board.rows]
    drawn = [_shuffled(pool, row.count(DOWN), rng, draws) for pool, row in zip(pools, board.rows, strict=True)]
    return _filled(board, np.vstack(drawn))


def _shuffled(tiles: Bytes, places: int, rng: np.random.Generator, draws: int) -> Bytes:
    # Boards last: the batch form wants every cell's numbers side by side.
    return rng.permuted(np.tile(tiles, (draws, 1)), axis=1)[:, :places].T


def row_cells(row: tuple[str, ...]) -> Bytes:
    """Return all fillings of one row as cells of shape (cells, fillings); each comes once."""
    return _filled(Board(Layout.ROWS, (row,)), _row_numbers(row))


def _row_numbers(row: tuple[str, ...]) -> Bytes:
    pool = row_pool(row, wilds=False)
    return _named(arrangements(len(pool), row.count(DOWN)), pool)


def _named(places: Bytes, pool: tuple[str, ...]) -> Bytes:
    """Return the numbers at places of an ascending pool."""
    there = [int(number) for number in pool]
    numbers: Bytes = places + np.uint8(there[0] if there else 0)
    # A step over each number that is wanting: with large arrays many times faster than looking each number up.
    for wanting in sorted(set(range(10)) - set(there)):
        if there and there[0] < wanting < there[-1]:
            numbers += (numbers >= wanting).view(np.uint8)
    return numbers


def _mixed(board: Board) -> tuple[list[int], int]:
    pool = mixed_pool(board, wilds=False)
    return [pool[number] for number in NUMBERS], list(board.cells().values()).count(DOWN)


def _filled(board: Board, numbers: Bytes) -> Bytes:
    symbols = list(board.cells().values())
    cells = np.empty((len(symbols), numbers.shape[1]), dtype=np.uint8)
    cells[:] = np.array([CODES[symbol] for symbol in symbols], dtype=np.uint8)[:, None]
    cells[[i for i, symbol in enumerate(symbols) if symbol == DOWN]] = numbers
    return cells
