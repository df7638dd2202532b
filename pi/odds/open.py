"""The exact chances of a board's total while some tiles still lie face down.

Every arrangement of the hidden tiles that agrees with what lies open is equally likely (shuffled tiles).

- **rows** (no elevator, no vertical): exact for any number of hidden tiles. Rows share no run and no tile, so each
  is asked for itself (`pi.odds.half_row`).
- **anything else** (rect, diamond, elevator, vertical) with up to some 15 tiles face down, some 8 with wilds: exact by
  the runs that may still come about (`pi.odds.marked`).
- beyond that **rows + elevator** without wilds: exact by the ends of the rows, if few enough of them are open to
  question or none is open (`pi.odds.elevator`).
- beyond that exact while the different arrangements are no more than `EXACT_UP_TO`; then random ones are drawn with
  the generator given, and the answer says `exact=False` and knows its standard error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice, product
from math import perm, prod

import numpy as np

from pi.odds import fill
from pi.odds.batch import Bytes, grid_of, members, totals, wild_totals
from pi.odds.chances import Chances, Totals, mixed, together
from pi.odds.elevator import half_open
from pi.odds.errors import BadQuestion
from pi.odds.half_row import half_row
from pi.odds.marked import marked
from pi.odds.pools import mixed_pool, row_pool, wilds_in_play
from pi.rules.runs import Variant
from pi.rules.values import DOWN, WILD, Board, Layout

Row = tuple[str, ...]
Case = tuple[Fraction, Board]
"""A share of all arrangements, and the board with every wild of that case in its place."""
EXACT_UP_TO = 200_000
"""Arrangements counted one by one where rows are not independent: a fraction of a second."""
DRAWS = 100_000
"""Random arrangements drawn beyond that."""
MOST_CASES = 2_000
"""More ways to place hidden wilds are not gone through."""


def open_chances(
    board: Board,
    *,
    variant: Variant | None = None,
    wilds: bool | None = None,
    rng: np.random.Generator | None = None,
    draws: int = DRAWS,
) -> Chances:
    """Return the chances of the board's attainable totals, given what lies open ('?' is face down).

    wilds: whether wild tiles were shuffled in (None: when one lies open, and always for the diamond).
    rng: used only where an exact answer is too much work; None then raises BadQuestion, as does a board
    that the set of tiles cannot make.
    """
    variant = variant or Variant()
    wilds = wilds_in_play(board) if wilds is None else wilds
    if board.layout is Layout.ROWS:
        for n, row in enumerate(board.rows, start=1):
            row_pool(row, wilds=wilds, number=n)
        if not variant.elevator and not variant.vertical:
            return together([row_open(row, wrap=variant.wrap, wilds=wilds) for row in board.rows]).reduced()
    if found := marked(board, variant=variant, wilds=wilds):
        return found
    if board.layout is Layout.ROWS and not variant.vertical and not wilds and (found := half_open(board)):
        return found
    cases = list(islice(_cases(board, wilds), MOST_CASES + 1))
    if len(cases) > MOST_CASES:
        raise BadQuestion(f"wilds may hide in more than {MOST_CASES} ways (turn tiles up first, or leave wilds out)")
    if sum(fill.ways(placed) for _, placed in cases) <= EXACT_UP_TO:
        return mixed([(share, _counted(placed, variant, *fill.every(placed))) for share, placed in cases]).reduced()
    if rng is None:
        raise BadQuestion("so many tiles lie face down that chances must be drawn (expected a random generator)")
    return _drawn(cases, variant, rng, draws)


def row_open(row: Sequence[str], *, wrap: bool = True, wilds: bool = False) -> Chances:
    """Return the exact chances of one row of one colour, given what lies open; BadQuestion for one it cannot make."""
    return half_row(tuple(row), wrap=wrap, wilds=wilds)


def _row_cases(row: Row, wilds: bool) -> Iterator[tuple[Fraction, Row]]:
    """Yield a row with its wild set aside (as one of the tiles left over), then on each of its hidden places."""
    pool = row_pool(row, wilds=wilds)
    if WILD not in pool:
        yield Fraction(1), row
        return
    hidden = [i for i, symbol in enumerate(row) if symbol == DOWN]
    if len(pool) > len(hidden):
        yield Fraction(len(pool) - len(hidden), len(pool)), row
    for i in hidden:
        yield Fraction(1, len(pool)), (*row[:i], WILD, *row[i + 1 :])


def _cases(board: Board, wilds: bool) -> Iterator[Case]:
    """Yield every way to place the wilds that may be hidden, with its share."""
    if board.layout is Layout.ROWS:
        for choice in product(*(list(_row_cases(row, wilds)) for row in board.rows)):
            yield (
                prod((share for share, _ in choice), start=Fraction(1)),
                Board(board.layout, tuple(r for _, r in choice)),
            )
        return
    pool = mixed_pool(board, wilds=wilds)
    hidden = [cell for cell, symbol in board.cells().items() if symbol == DOWN]
    there, tiles = pool[WILD], pool.total()
    for laid in range(max(0, there - (tiles - len(hidden))), min(there, len(hidden)) + 1):
        # Labelled tiles: any wild on each chosen place, any numbers on the others.
        ways = perm(there, laid) * perm(tiles - there, len(hidden) - laid)
        for places in combinations(hidden, laid):
            placed = board
            for cell in places:
                placed = placed.with_symbol(cell, WILD)
            yield Fraction(ways, perm(tiles, len(hidden))), placed


def _drawn(cases: Sequence[Case], variant: Variant, rng: np.random.Generator, draws: int) -> Chances:
    # Shares need not be reached exactly: as many draws fall to each case as independent draws would.
    shares = np.array([float(share) for share, _ in cases])
    counts = rng.multinomial(draws, shares / shares.sum())
    total: Counter[Totals] = Counter()
    for (_, placed), some in zip(cases, counts.tolist(), strict=True):
        if some:
            cells = fill.some(placed, rng=rng, draws=some)
            total.update(_counted(placed, variant, cells, np.ones(some, dtype=np.int64)).weights)
    return Chances(dict(sorted(total.items())), exact=False)


def _counted(board: Board, variant: Variant, cells: Bytes, ways: fill.Ways) -> Chances:
    """Count fillings of a board whose wilds all lie open."""
    symbols = list(board.cells().values())
    on = grid_of(board, variant=variant)
    # What lies open everywhere is counted once; only triples with a hidden tile or a wild are counted again.
    moving = [i for i, symbol in enumerate(symbols) if symbol in (DOWN, WILD)]
    still = int(totals(cells[:, :1], on=on.touching(moving, touching=False))[0])
    wilds = [i for i, symbol in enumerate(symbols) if symbol == WILD]
    fixed, more = wild_totals(cells, on=on.touching(moving), wilds=wilds)
    sets, inverse = np.unique(more, return_inverse=True) if wilds else (more[:1], np.zeros(more.size, dtype=np.int64))
    table = np.zeros((sets.size, 256), dtype=np.int64)
    np.add.at(table, (inverse.reshape(-1), fixed), ways)
    return Chances(dict(sorted(_weights(sets.tolist(), table)))).plus(still)


def _weights(sets: Iterable[int], table: fill.Ways) -> Iterator[tuple[Totals, int]]:
    found: Counter[Totals] = Counter()
    for bits, line in zip(sets, table, strict=True):
        for fixed in np.flatnonzero(line).tolist():
            found[tuple(fixed + more for more in members(bits))] += int(line[fixed])
    yield from found.items()
