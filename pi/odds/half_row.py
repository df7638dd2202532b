"""One row with some of its tiles face down: exact chances, fast enough to ask after every tile turned.

A row is turned, mirrored, and its numbers moved or mirrored into a standard form first (none of that changes a
run), so that few different rows are ever counted. When nothing or one number lies open, turning and moving show
that this tells nothing about the numbers, and `pi.odds.rows` answers. Else at most 8! = 40,320 orders of its
hidden numbers are laid and counted as bytes.

**A wild that may be hidden.** Lay a number on every hidden place, as if the wild stayed aside; then cover one
hidden place with the wild. That makes every row with the wild there equally often (the covered number is one that
stays aside), so one set of orders answers for all places of the wild. For a wild between ... b a # c d ...
write s for +1 or -1. The number x given to it makes

    a run  b a x   if a - b = s and x = a + s,        a run  x c d   if d - c = s and x = c - s,
    a run  a x c   if c - a = 2s and x = a + s.

Two of these ask for the same x only if c - a = 2s and the others go the same way. So, with c - a = 2s, the wild
can add 1 + (a - b is s) + (d - c is s) runs, and 1 if a side goes the other way; without it, 1 if a side goes
either way; and always none, as at most four of ten numbers do anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from pi.odds import fill
from pi.odds.batch import Bytes, Flags, bonds, members
from pi.odds.chances import Chances, Totals, mixed
from pi.odds.pools import row_pool
from pi.odds.rows import row_chances
from pi.rules.values import DOWN, EMPTY, NUMBERS, WILD

Row = tuple[str, ...]
Bonds = dict[tuple[int, int], Flags]
MOST_RUNS = 16
"""More than any row of ten places holds."""
AT_ONCE = 50_000
"""Orders laid at once: 8! are."""
LONE_WILD: Row = (WILD, NUMBERS[0], *(DOWN,) * 8)
"""Stands for every whole row with its wild and at most one number open."""


@lru_cache(maxsize=4096)
def half_row(row: Row, *, wrap: bool, wilds: bool) -> Chances:
    """Return the exact chances of one row of one colour, given what lies open.

    wilds: whether the colour's wild was shuffled in. Raises BadQuestion for a row the colour cannot make.
    """
    hides_wild = WILD in row_pool(row, wilds=wilds) and DOWN in row
    if _tells_nothing(row, wrap):
        if WILD in row:
            return _laid(LONE_WILD, wrap, hides_wild=False)
        if not hides_wild:
            return row_chances()
        return _nothing_told(shown=len(row) - row.count(DOWN))
    if DOWN in row and not any(symbol.isdigit() for symbol in row) and not hides_wild:
        first = row.index(DOWN)  # any number there is as good as 0
        return half_row((*row[:first], NUMBERS[0], *row[first + 1 :]), wrap=wrap, wilds=wilds)
    return _laid(min(_likenesses(row, wrap)), wrap, hides_wild)


def _tells_nothing(row: Row, wrap: bool) -> bool:
    # Turned and moved, whole rows show any one number at any one place, also as seen from the wild, equally often.
    whole = wrap and len(row) == len(NUMBERS) and EMPTY not in row
    return whole and len(row) - row.count(DOWN) - row.count(WILD) <= 1


def _nothing_told(*, shown: int) -> Chances:
    """Mix rows with and without the wild: of 11 - shown hidden tiles one is set aside, the wild as likely as any."""
    plain, wild = row_chances(), _laid(LONE_WILD, wrap=True, hides_wild=False)
    ways: Counter[Totals] = Counter({totals: w * wild.whole for totals, w in plain.weights.items()})
    for totals, w in wild.weights.items():
        ways[totals] += (len(NUMBERS) - shown) * w * plain.whole
    return Chances(dict(sorted(ways.items()))).reduced()


def _likenesses(row: Row, wrap: bool) -> Iterator[Row]:
    """Yield the row turned to begin with each open number, mirrored, numbers mirrored; its first number is 0."""
    turns = [i for i, symbol in enumerate(row) if symbol.isdigit()] if wrap else []
    for i in turns or [0]:
        turned = row[i:] + row[:i]
        mirrored = turned[:1] + turned[:0:-1] if wrap else turned[::-1]
        for way in (turned, mirrored):
            first = next((int(symbol) for symbol in way if symbol.isdigit()), 0)
            for sign in (1, -1):
                yield tuple(_MOVED[sign, first].get(symbol, symbol) for symbol in way)


_MOVED = {(sign, by): {n: str(sign * (int(n) - by) % 10) for n in NUMBERS} for sign, by in product((1, -1), range(10))}


@lru_cache(maxsize=4096)
def _laid(row: Row, wrap: bool, hides_wild: bool) -> Chances:
    if fill.row_ways(row) > AT_ONCE:
        # One tile after the other turned up: arrays stay small, and of mirror images only one is laid.
        at, left = row.index(DOWN), row_pool(row, wilds=hides_wild)
        shown = (half_row((*row[:at], n, *row[at + 1 :]), wrap=wrap, wilds=hides_wild) for n in left)
        return mixed([(Fraction(1, len(left)), chances) for chances in shown]).reduced()
    wild = [i for i, symbol in enumerate(row) if symbol == WILD]
    places = [i for i, symbol in enumerate(row) if symbol == DOWN] if hides_wild else wild
    aside = 0 if wild else len(row_pool(row, wilds=True)) - len(places) if hides_wild else 1
    _keep_memory()
    line = _Line(fill.row_cells(row), wrap=wrap)
    around = sum((line.covered(place) for place in places), np.zeros((MOST_RUNS, 64), dtype=np.int64))
    table = around @ _IS_MORE  # runs without the wild, set of runs more as bits
    table[:, 1] += aside * np.bincount(line.total, minlength=MOST_RUNS)
    ways: Counter[Totals] = Counter()
    for runs, bits in np.argwhere(table).tolist():
        ways[tuple(runs + more for more in members(bits))] += int(table[runs, bits])
    return Chances(dict(sorted(ways.items()))).reduced()


@lru_cache(maxsize=1)
def _keep_memory() -> None:
    """Give back one large block first: from then on glibc keeps freed blocks below its size for the next use.

    Else each array of 40 KB is asked from the kernel anew, page by page: half of the time of a row (measured).
    """
    np.empty(8 << 20, dtype=np.uint8)


class _Line:
    """Many fillings of one row, with its bonds and runs worked out once."""

    def __init__(self, cells: Bytes, *, wrap: bool) -> None:
        size = len(cells)
        self.cells = cells
        steps = [(i, (i + 1) % size) for i in range(size if wrap else size - 1)] if size >= 3 else []
        self.up: Bonds = bonds(cells, [*steps, *(pair[::-1] for pair in steps)])
        self.runs = {a: self._run(a, b, (b + 1) % size) for a, b in steps if (b, (b + 1) % size) in self.up}
        self.two_above: dict[int, Bytes] = {}
        self.total: Bytes = np.zeros(cells.shape[1], dtype=np.uint8)
        for run in self.runs.values():
            self.total += run.view(np.uint8)

    def covered(self, place: int) -> npt.NDArray[np.int64]:
        """Return ways by (runs that do not touch the place, what lies around it: see `_more`)."""
        size = len(self.cells)
        fixed = self.total.copy()
        for start in {(place - back) % size for back in range(3)} & set(self.runs):
            fixed -= self.runs[start].view(np.uint8)
        key = fixed.astype(np.uint16) * np.uint16(64) + self._around(place)
        return np.bincount(key, minlength=MOST_RUNS * 64).reshape(MOST_RUNS, 64)

    def _run(self, a: int, b: int, c: int) -> Flags:
        return (self.up[a, b] & self.up[b, c]) | (self.up[c, b] & self.up[b, a])

    def _around(self, place: int) -> Bytes:
        """Return what lies around a wild, by filling: six bits, see `_more`."""
        size = len(self.cells)
        b, a, c, d = ((place + by) % size for by in (-2, -1, 1, 2))
        found = np.zeros(self.cells.shape[1], dtype=np.uint8)
        # Doubling is a sixth of the time that numpy takes to shift bytes.
        for low, high in ((a, c), (c, a)):
            found += found
            if a in self.runs:
                found |= (self._above(low) == self.cells[high]).view(np.uint8)
        for x, y, start in ((b, a, b), (a, b, b), (c, d, place), (d, c, place)):
            found += found
            if start in self.runs:
                found |= self.up[x, y].view(np.uint8)
        return found

    def _above(self, place: int) -> Bytes:
        if place not in self.two_above:
            self.two_above[place] = _two_above(self.cells[place])
        return self.two_above[place]


def _more(around: int) -> int:
    """Return the set of runs (bits) that a wild can add.

    around: from bit 5 down, whether c is two above a, a two above c, a one above b, b one above a, d one above c, c one
    above d, for a wild between ... b a # c d ...
    """
    up, down, left_up, left_down, right_up, right_down = (bool(around >> bit & 1) for bit in range(5, -1, -1))
    found = 0b11 if around else 0b1  # always none: at most four of ten numbers do anything
    with_it, against = left_up + right_up, left_down + right_down
    for leap, same, other in ((up, with_it, against), (down, against, with_it)):
        if leap:
            found |= 1 << 1 + same
            if same and not other:
                found &= ~0b10
    return found


_IS_MORE = np.array([[_more(around) == bits for bits in range(16)] for around in range(64)], dtype=np.int64)


def _two_above(numbers: Bytes) -> Bytes:
    # Codes of other symbols (200 and above) become no symbol's code.
    more = numbers + np.uint8(2)
    more -= (more >= 10).view(np.uint8) * np.uint8(10)
    return more
