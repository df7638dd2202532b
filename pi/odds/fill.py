"""Laying what is hidden: all ways to lay the numbers of one row, or random ways to lay a board's tiles."""

from __future__ import annotations

from collections.abc import Sequence
from math import perm

import numpy as np

from pi.odds.batch import CODES, Bytes
from pi.odds.perms import arrangements
from pi.odds.pools import mixed_pool, row_pool
from pi.rules.values import DOWN, Board, Layout

Row = tuple[str, ...]


def row_ways(row: Row) -> int:
    """Return how many fillings `row_cells` would list."""
    return perm(len(row_pool(row, wilds=False)), row.count(DOWN))


def row_cells(row: Row) -> Bytes:
    """Return all fillings of one row with numbers as cells of shape (cells, fillings); each comes once.

    The row may show its wild; none is hidden any more.
    """
    pool = row_pool(row, wilds=False)
    return _filled(row, _named(arrangements(len(pool), row.count(DOWN)), pool))


def some(board: Board, *, wilds: bool, rng: np.random.Generator, draws: int) -> Bytes:
    """Return random fillings, each arrangement of the hidden tiles as likely, shape (cells, draws).

    wilds: whether wilds were shuffled in, so that some may be among the hidden tiles.
    """
    if board.layout is Layout.ROWS:
        pools = [row_pool(row, wilds=wilds, number=n) for n, row in enumerate(board.rows, 1)]
        hidden = [row.count(DOWN) for row in board.rows]
    else:
        pools = [tuple(mixed_pool(board, wilds=wilds).elements())]
        hidden = [list(board.cells().values()).count(DOWN)]
    laid = [_shuffled(pool, places, rng, draws) for pool, places in zip(pools, hidden, strict=True)]
    return _filled(list(board.cells().values()), np.vstack(laid))


def _shuffled(tiles: Sequence[str], places: int, rng: np.random.Generator, draws: int) -> Bytes:
    # Boards last: the batch form wants every cell's numbers side by side.
    codes = np.array([CODES[tile] for tile in tiles], dtype=np.uint8)
    return rng.permuted(np.tile(codes, (draws, 1)), axis=1)[:, :places].T


def _named(places: Bytes, pool: tuple[str, ...]) -> Bytes:
    """Return the numbers at places of an ascending pool."""
    there = [int(number) for number in pool]
    numbers: Bytes = places + np.uint8(there[0] if there else 0)
    # A step over each number that is wanting: with large arrays many times faster than looking each number up.
    for wanting in sorted(set(range(10)) - set(there)):
        if there and there[0] < wanting < there[-1]:
            numbers += (numbers >= wanting).view(np.uint8)
    return numbers


def _filled(symbols: Sequence[str], laid: Bytes) -> Bytes:
    cells = np.empty((len(symbols), laid.shape[1]), dtype=np.uint8)
    cells[:] = np.array([CODES[symbol] for symbol in symbols], dtype=np.uint8)[:, None]
    cells[[i for i, symbol in enumerate(symbols) if symbol == DOWN]] = laid
    return cells
