"""The chances of a board's total while some tiles still lie face down.

Every arrangement of the hidden tiles that agrees with what lies open is equally likely (shuffled tiles).

- **rows** (no elevator, no vertical): exact for any number of hidden tiles. Rows share no run and no tile, so each
  is asked for itself (`pi.odds.half_row`).
- **rect** without columns and wilds, nothing or one tile open: exact, stored (`pi.odds.whole_rect`).
- **anything else** (rect, diamond, elevator, vertical): exact by the runs that may still come about, as far as a budget
  of work goes (`pi.odds.marked`; how many tiles that is, layout by layout, prints `pi.odds.bench_open`).
- beyond that **rows + elevator** without wilds: exact by the ends of the rows, if few enough of them are open to
  question or none is open (`pi.odds.elevator`).
- beyond that random arrangements are drawn with the generator given, and the answer says `exact=False` and knows its
  standard error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from pi.odds import fill
from pi.odds.batch import grid_of, members, totals
from pi.odds.chances import Chances, Totals, together
from pi.odds.elevator import half_open
from pi.odds.errors import BadQuestion
from pi.odds.half_row import half_row
from pi.odds.marked import marked
from pi.odds.pools import row_pool, wilds_in_play
from pi.odds.whole_rect import tells_nothing, whole_rect
from pi.odds.wild_batch import wild_totals
from pi.rules.runs import Variant
from pi.rules.values import DOWN, WILD, Board, Layout

DRAWS = 100_000
"""Random arrangements drawn where an exact answer is too much work: a standard error of at most 0.16 %."""
WILD_DRAWS = 25_000
"""As many with wilds, which take longer: at most 0.32 %."""


def open_chances(
    board: Board,
    *,
    variant: Variant | None = None,
    wilds: bool | None = None,
    rng: np.random.Generator | None = None,
    draws: int | None = None,
) -> Chances:
    """Return the chances of the board's attainable totals, given what lies open ('?' is face down).

    wilds: whether wild tiles were shuffled in (None: when one lies open, and always for the diamond).
    rng: used only where an exact answer is too much work; None then raises BadQuestion, as does a board
    that the set of tiles cannot make. draws: how many are drawn then (None: DRAWS or WILD_DRAWS).
    """
    variant = variant or Variant()
    wilds = wilds_in_play(board) if wilds is None else wilds
    if board.layout is Layout.ROWS:
        for n, row in enumerate(board.rows, start=1):
            row_pool(row, wilds=wilds, number=n)
        if not variant.elevator and not variant.vertical:
            return together([row_open(row, wrap=variant.wrap, wilds=wilds) for row in board.rows]).reduced()
    if tells_nothing(board, variant=variant, wilds=wilds):
        return whole_rect()
    if found := marked(board, variant=variant, wilds=wilds):
        return found
    if board.layout is Layout.ROWS and not variant.vertical and not wilds and (found := half_open(board)):
        return found
    if rng is None:
        raise BadQuestion("so many tiles lie face down that chances must be drawn (expected a random generator)")
    return drawn(board, variant=variant, wilds=wilds, rng=rng, draws=draws)


def row_open(row: Sequence[str], *, wrap: bool = True, wilds: bool = False) -> Chances:
    """Return the exact chances of one row of one colour, given what lies open; BadQuestion for one it cannot make."""
    return half_row(tuple(row), wrap=wrap, wilds=wilds)


def drawn(
    board: Board, *, variant: Variant, wilds: bool, rng: np.random.Generator, draws: int | None = None
) -> Chances:
    """Return the chances by random arrangements of what lies face down; `Chances.error` states the standard error.

    wilds: whether wild tiles were shuffled in. Raises BadQuestion for a board that the set of tiles cannot make.
    """
    draws = (WILD_DRAWS if wilds else DRAWS) if draws is None else draws
    cells = fill.some(board, wilds=wilds, rng=rng, draws=draws)
    on = grid_of(board, variant=variant)
    # What lies open everywhere is counted once; only triples with a hidden tile or a wild are counted again.
    moving = [i for i, symbol in enumerate(board.cells().values()) if symbol in (DOWN, WILD)]
    still = int(totals(cells[:, :1], on=on.touching(moving, touching=False))[0])
    fixed, more = wild_totals(cells, on=on.touching(moving))
    sets, which = np.unique(more, return_inverse=True)
    table = np.bincount(which.reshape(-1) * 256 + fixed, minlength=256 * len(sets)).reshape(-1, 256)
    found: Counter[Totals] = Counter()
    for bits, line in zip(sets.tolist(), table, strict=True):
        for runs in np.flatnonzero(line).tolist():
            found[tuple(still + runs + gain for gain in members(bits))] += int(line[runs])
    return Chances(dict(sorted(found.items())), exact=False)
