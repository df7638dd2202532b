"""How many solutions the solitaire quests have, and what Most-Runs usually yields (RULES.md 1, solitaire quests).

- **Magic sums** (easy form): counted exactly. A column of sum s is a multiset of five numbers, in 5!/(product of the
  multiplicities' factorials) orders. For the sums in the order 19 ... 26 multiply these out as generating functions in
  ten variables and take the coefficient in which each number occurs four times: four columns at a time, then both
  halves meet (a half's numbers decide the other's). The eight sums may stand in 8! orders.
- **Most-Runs**: for every deal of a row (eight in order, two aside: 10!/2; those that begin with 0 stand for all, as
  adding a constant changes no run) the best of its 90 insertions; rows are independent.
- **No-Runs**: the share of shuffled trays without a run, drawn, with its standard error.
- **Latin array**: we do not know the number; `pi.rules.quests.latin` only finds solutions.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from pi.odds.batch import Bytes, grid, totals
from pi.odds.chances import Chances
from pi.odds.perms import arrangements
from pi.rules.quests.magic_sums import SHAPE, SUMS
from pi.rules.quests.most_runs import KEPT
from pi.rules.runs import Variant
from pi.rules.values import Layout

EACH, NUMBERS, PLACES = 4, 10, 10
_BITS = 4
_TOO_MANY = np.uint64(sum(8 << _BITS * n for n in range(NUMBERS)))
_THREES = np.uint64(sum(3 << _BITS * n for n in range(NUMBERS)))
_FULL = np.uint64(sum(EACH << _BITS * n for n in range(NUMBERS)))
BLOCK = 16_384
Words = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int64]
Series = tuple[Words, Counts]
"""Which numbers (four bits each, sorted), and in how many ways."""


@lru_cache(maxsize=1)
def magic_sums_solutions() -> int:
    """Return in how many ways numbers solve Magic sums (easy form); tiles by colour: times (4!)^10. Some seconds.

    Solutions that only differ in the order of columns, or of tiles within a column, count each.
    """
    parts = [_column(total) for total in SUMS]
    first = _times(_times(parts[0], parts[7]), _times(parts[1], parts[6]))
    second = _times(_times(parts[2], parts[5]), _times(parts[3], parts[4]))
    wanted = _FULL - first[0]
    at = np.clip(np.searchsorted(second[0], wanted), 0, second[0].size - 1)
    met = second[0][at] == wanted
    # Python's integers: a product of both halves may be larger than 64 bits.
    ways = sum(int(a) * int(b) for a, b in zip(first[1][met], second[1][at[met]], strict=True))
    return factorial(len(SUMS)) * ways


def _column(total: int) -> Series:
    found: dict[int, int] = {}
    for numbers in combinations_with_replacement(range(NUMBERS), SHAPE[0]):
        times = Counter(numbers)
        if sum(numbers) == total and max(times.values()) <= EACH:
            key = sum(n << _BITS * number for number, n in times.items())
            found[key] = factorial(SHAPE[0]) // prod(factorial(n) for n in times.values())
    keys = sorted(found)
    return np.array(keys, dtype=np.uint64), np.array([found[key] for key in keys], dtype=np.int64)


def _times(a: Series, b: Series) -> Series:
    """Multiply two series and drop what holds a number more than four times; weights stay below 2^63."""
    keys, ways = [], []
    for key, weight in zip(*a, strict=True):
        both = b[0] + key
        fits = (both + _THREES & _TOO_MANY) == 0
        keys.append(both[fits])
        ways.append(b[1][fits] * weight)
    every, weights = np.concatenate(keys), np.concatenate(ways)
    order = np.argsort(every, kind="stable")
    every, weights = every[order], weights[order]
    starts = np.flatnonzero(np.concatenate([[True], every[1:] != every[:-1]]))
    return every[starts], np.add.reduceat(weights, starts)


@lru_cache(maxsize=1)
def most_runs_row() -> Chances:
    """Return the exact chances of the most runs that a dealt row can be made to hold; a second or two."""
    rest = arrangements(PLACES - 1, KEPT - 1)  # of the numbers 1 ... 9, by index
    eights = np.vstack([np.zeros((1, rest.shape[1]), dtype=np.uint8), rest.astype(np.uint8) + np.uint8(1)])
    aside = _lacking(eights)
    best: Bytes = np.zeros(eights.shape[1], dtype=np.uint8)
    on = grid(Layout.ROWS, variant=Variant(), shape=(PLACES,))
    for places in combinations(range(PLACES), PLACES - KEPT):
        others = [p for p in range(PLACES) if p not in places]
        for pair in (aside, aside[::-1]):
            rows = np.empty((PLACES, eights.shape[1]), dtype=np.uint8)
            rows[others], rows[list(places)] = eights, pair
            np.maximum(best, totals(rows, on=on), out=best)
    return Chances.of(dict(enumerate(np.bincount(best).tolist())))


def _lacking(eights: Bytes) -> Bytes:
    """Return the two numbers that each column of eight lacks, shape (2, deals), ascending."""
    there = np.zeros((NUMBERS, eights.shape[1]), dtype=bool)
    there[eights, np.arange(eights.shape[1])] = True
    number = np.arange(NUMBERS, dtype=np.uint8)[:, None]
    last = (np.where(there, 0, number)).max(axis=0)
    first = (np.where(there, np.uint8(NUMBERS), number)).min(axis=0)
    return np.vstack([first, last]).astype(np.uint8)


def no_runs_share(boards: int, *, rng: np.random.Generator) -> Chances:
    """Return the drawn chances of the number of runs in rows and columns of a shuffled tray, colours mixed."""
    on = grid(Layout.ROWS, variant=Variant(vertical=True), shape=(PLACES,) * EACH)
    tiles = np.repeat(np.arange(NUMBERS, dtype=np.uint8), EACH)
    counts = np.zeros(256, dtype=np.int64)
    for first in range(0, boards, BLOCK):
        some = min(BLOCK, boards - first)
        cells = rng.permuted(np.tile(tiles, (some, 1)), axis=1).T.copy()
        counts += np.bincount(totals(cells, on=on), minlength=256)
    return Chances.of(dict(enumerate(counts.tolist())), exact=False)


def number_layouts() -> int:
    """Return in how many ways the numbers of 40 tiles can lie when colours are not told apart: 40! / (4!)^10."""
    return factorial(EACH * NUMBERS) // int(factorial(EACH) ** NUMBERS)
