"""Every arrangement of a half-open board's hidden tiles, laid one by one: what `pi.odds` is held against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import perm, prod

import numpy as np

from pi.odds.batch import encode, grid_of, members
from pi.odds.chances import Chances, Totals
from pi.odds.pools import mixed_pool, row_pool
from pi.odds.wild_batch import wild_totals
from pi.rules.runs import Variant
from pi.rules.values import DOWN, Board, Layout


def laid(board: Board, variant: Variant, wilds: bool) -> Chances:
    """Lay every arrangement of the hidden tiles, those that look alike at once."""
    cells = encode([board])
    places = [i for i, symbol in enumerate(board.cells().values()) if symbol == DOWN]
    symbols, ways = zip(*_sequences(board, wilds), strict=True)
    cells = np.repeat(cells, len(symbols), axis=1)
    if places:
        cells[places] = encode([Board(Layout.RECT, (row,)) for row in symbols])
    fixed, more = wild_totals(cells, on=grid_of(board, variant=variant))
    found: Counter[Totals] = Counter()
    for runs, bits, times in zip(fixed.tolist(), more.tolist(), ways, strict=True):
        found[tuple(runs + gain for gain in members(bits))] += times
    return Chances(dict(sorted(found.items()))).reduced()


def _sequences(board: Board, wilds: bool) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield what may lie on the hidden places, and in how many ways tiles told apart look so."""
    if board.layout is Layout.ROWS:
        pools = [Counter(row_pool(row, wilds=wilds)) for row in board.rows]
        hidden = [row.count(DOWN) for row in board.rows]
    else:
        pools, hidden = [mixed_pool(board, wilds=wilds)], [list(board.cells().values()).count(DOWN)]
    parts = [
        [(line, ways) for line in product(pool, repeat=many) if (ways := _ways(line, pool))]
        for pool, many in zip(pools, hidden, strict=True)
    ]
    for choice in product(*parts):
        yield sum((line for line, _ in choice), ()), prod(ways for _, ways in choice)


def _ways(line: tuple[str, ...], pool: Counter[str]) -> int:
    return prod(perm(pool[symbol], times) for symbol, times in Counter(line).items())
