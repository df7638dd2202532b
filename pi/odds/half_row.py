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
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from pi.odds import fill
from pi.odds.batch import Bytes, Flags, bonds, members
from pi.odds.chances import Chances, Totals
from pi.odds.pools import row_pool
from pi.odds.rows import row_chances
from pi.rules.values import DOWN, EMPTY, NUMBERS, WILD, Board, Layout

Row = tuple[str, ...]
Bonds = dict[tuple[int, int], Flags]


@lru_cache(maxsize=4096)
def half_row(row: Row, *, wrap: bool, wilds: bool) -> Chances:
    """Return the exact chances of one row of one colour, given what lies open.

    wilds: whether the colour's wild was shuffled in. Raises BadQuestion for a row the colour cannot make.
    """
    hides_wild = WILD in row_pool(row, wilds=wilds) and DOWN in row
    if _tells_nothing(row, wrap):
        if not hides_wild:
            return row_chances()
        return _nothing_told(shown=len(row) - row.count(DOWN))
    if DOWN in row and not any(symbol.isdigit() for symbol in row) and not hides_wild:
        first = row.index(DOWN)  # any number there is as good as 0
        return half_row((*row[:first], NUMBERS[0], *row[first + 1 :]), wrap=wrap, wilds=wilds)
    return _laid(min(_likenesses(row, wrap)), wrap, hides_wild)


def _tells_nothing(row: Row, wrap: bool) -> bool:
    # Turned and moved, whole rows show any one number at any one place equally often.
    whole = wrap and len(row) == len(NUMBERS) and WILD not in row and EMPTY not in row
    return whole and len(row) - row.count(DOWN) <= 1


def _nothing_told(*, shown: int) -> Chances:
    """Mix rows with and without the wild: of 11 - shown hidden tiles one is set aside, the wild as likely as any."""
    plain, wild = row_chances(), half_row((WILD, *(DOWN,) * 9), wrap=True, wilds=True)
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
    cells, _ = fill.every(Board(Layout.ROWS, (row,)))
    line = _Line(cells, wrap=wrap)
    table = np.zeros((256, 16), dtype=np.int64)  # runs without the wild, set of runs more as bits
    wild = [i for i, symbol in enumerate(row) if symbol == WILD]
    places = [i for i, symbol in enumerate(row) if symbol == DOWN] if hides_wild else wild
    if not wild:
        aside = len(row_pool(row, wilds=True)) - len(places) if hides_wild else 1
        table[:, 1] += aside * np.bincount(line.total, minlength=256)
    for place in places:
        table += line.covered(place)
    ways: Counter[Totals] = Counter()
    for runs, bits in np.argwhere(table).tolist():
        ways[tuple(runs + more for more in members(bits))] += int(table[runs, bits])
    return Chances(dict(sorted(ways.items()))).reduced()


class _Line:
    """Many fillings of one row, with its bonds and runs worked out once."""

    def __init__(self, cells: Bytes, *, wrap: bool) -> None:
        size = len(cells)
        self.cells, self.wrap = cells, wrap
        steps = [(i, (i + 1) % size) for i in range(size if wrap else size - 1)] if size >= 3 else []
        self.up: Bonds = bonds(cells, [*steps, *(pair[::-1] for pair in steps)])
        self.runs = {a: self._run(a, b, (b + 1) % size) for a, b in steps if (b, (b + 1) % size) in self.up}
        self.total: Bytes = np.zeros(cells.shape[1], dtype=np.uint8)
        for run in self.runs.values():
            self.total += run.view(np.uint8)

    def covered(self, place: int) -> npt.NDArray[np.int64]:
        """Return ways by (runs that do not touch the place, set of runs a wild there can add), shape (256, 16)."""
        size = len(self.cells)
        fixed = self.total.copy()
        for start in {(place - back) % size for back in range(3)} & set(self.runs):
            fixed -= self.runs[start].view(np.uint8)
        key = fixed.astype(np.uint16) * 16 + self._more(place)
        return np.bincount(key, minlength=256 * 16).reshape(256, 16)

    def _run(self, a: int, b: int, c: int) -> Flags:
        return (self.up[a, b] & self.up[b, c]) | (self.up[c, b] & self.up[b, a])

    def _more(self, place: int) -> Bytes:
        size = len(self.cells)
        b, a, c, d = ((place + by) % size for by in (-2, -1, 1, 2))
        ways = [
            (self._bond(b, a, start=b, s=s), self._bond(c, d, start=place, s=s), self._jump(a, c, s=s)) for s in (1, -1)
        ]
        (left, right, jump), (left_down, right_down, jump_down) = ways
        one = ~(jump | jump_down) & (left | right | left_down | right_down)
        found = np.ones(self.cells.shape[1], dtype=np.uint8)
        for same, back, leap in (
            ((left, right), (left_down, right_down), jump),
            ((left_down, right_down), (left, right), jump_down),
        ):
            one |= leap & (back[0] | back[1] | ~(same[0] | same[1]))
            found |= (leap & (same[0] ^ same[1])).view(np.uint8) * np.uint8(0b100)
            found |= (leap & same[0] & same[1]).view(np.uint8) * np.uint8(0b1000)
        found |= one.view(np.uint8) * np.uint8(0b10)
        return found

    def _bond(self, x: int, y: int, *, start: int, s: int) -> Flags:
        """Tell where y - x = s, if the triple that begins at `start` lies on the line."""
        if start not in self.runs:
            return np.zeros(self.cells.shape[1], dtype=np.bool_)
        return self.up[x, y] if s == 1 else self.up[y, x]

    def _jump(self, a: int, c: int, *, s: int) -> Flags:
        if a not in self.runs:
            return np.zeros(self.cells.shape[1], dtype=np.bool_)
        low, high = (self.cells[a], self.cells[c]) if s == 1 else (self.cells[c], self.cells[a])
        leap: Flags = _two_above(low) == high
        return leap


def _two_above(numbers: Bytes) -> Bytes:
    # Codes of other symbols (200 and above) become no symbol's code.
    more = numbers + np.uint8(2)
    more -= (more >= 10).view(np.uint8) * np.uint8(10)
    return more
