"""Random boards of the base game, many millions: totals drawn with a stated standard error.

A board of `rows` is four independent shuffled rows. There are only 9! = 362,880 rows that begin with 0; every other
one is such a row with a constant added to its numbers, which changes no run within the row. So one table of
362,880 rows (their own runs: 1 byte; their numbers: 8 bytes; their ends: 2 bytes; 4 MB, which stays in the cache) and
one random number below 10! a row, row and constant at once, make a uniformly random row without shuffling.

- `rows`: four look-ups and three additions a board.
- `elevator`: runs over the ends depend only on a row's first number and whether its second goes up or down, its last
  number and how it was reached: 30 kinds of start, 30 kinds of end, one table of 900 for the pairs of rows.
- `vertical`: the ten numbers of a row are ten fields of 6 bits in one 64-bit word. Adding the constant modulo ten, "one
  above" and comparing work on all ten columns at once; two bonds that follow each other are a column run.

The generator is the caller's; the same generator in the same state draws the same boards, on any machine.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pi.odds.batch import Bytes, grid, totals
from pi.odds.chances import Chances
from pi.odds.errors import BadQuestion
from pi.odds.perms import orders
from pi.rules.runs import Variant
from pi.rules.values import Board, Layout

Words = npt.NDArray[np.uint64]
ROWS, PLACES = 4, 10
BLOCK = 16_384
"""Boards drawn at a time; its arrays together stay below 2 MB."""
_FIELD = 6
_ONES = np.uint64(sum(1 << _FIELD * place for place in range(PLACES)))
_BORN = 362_880
_EVERY = 3_628_800


class Rows:
    """The table of the 9! rows that begin with 0; 4 MB, made in a fraction of a second, then kept."""

    def __init__(self) -> None:
        """Lay and count all of them."""
        row = np.vstack([np.zeros((1, _BORN), dtype=np.uint8), orders(PLACES - 1) + np.uint8(1)])
        self.runs: Bytes = totals(row, on=grid(Layout.ROWS, variant=Variant(), shape=(PLACES,)))
        """Runs within each row, ends meeting."""
        self.words: Words = np.zeros(_BORN, dtype=np.uint64)
        """Each row's numbers, 6 bits a place, first place lowest."""
        for place in range(PLACES):
            self.words |= row[place].astype(np.uint64) << np.uint64(_FIELD * place)
        self.start: Bytes = _step(row[1], row[0])
        """Kind of start: 0 second number goes neither way, 10 one up, 20 one down (the first number is 0)."""
        self.end: Bytes = row[9] + _step(row[9], row[8])
        """Kind of end: last number plus 0, 10 or 20 as the last step goes neither way, up or down."""


def generator(seed: int) -> np.random.Generator:
    """Return a generator for whoever draws but does not count with numpy: the same seed, the same boards."""
    return np.random.default_rng(seed)


@lru_cache(maxsize=1)
def table() -> Rows:
    """Return the table, made when first asked for."""
    return Rows()


def draw_totals(boards: int, *, rng: np.random.Generator, elevator: bool = False, vertical: bool = False) -> Bytes:
    """Return the totals of random boards, shape (boards,), dtype uint8."""
    if boards < 0:
        raise BadQuestion(f"{boards} boards cannot be drawn (expected 0 or more)")
    found = np.empty(boards, dtype=np.uint8)
    for first in range(0, boards, BLOCK):
        size = min(BLOCK, boards - first)
        found[first : first + size] = _block(size, rng, elevator, vertical)
    return found


def sample(boards: int, *, rng: np.random.Generator, elevator: bool = False, vertical: bool = False) -> Chances:
    """Return the sampled chances of a shuffled board (no wilds); `Chances.error` states the standard error."""
    if boards < 1:
        raise BadQuestion(f"{boards} boards tell nothing (expected 1 or more)")
    counts = np.zeros(256, dtype=np.int64)
    for first in range(0, boards, 64 * BLOCK):
        some = min(64 * BLOCK, boards - first)
        counts += np.bincount(draw_totals(some, rng=rng, elevator=elevator, vertical=vertical), minlength=256)
    return Chances.of(dict(enumerate(counts.tolist())), exact=False)


def draw_boards(boards: int, *, rng: np.random.Generator) -> Bytes:
    """Return random boards as cells, shape (40, boards), as `pi.odds.batch` counts them."""
    base, add = _draw(boards, rng)
    words = _moved(table().words[base], add)
    fields = [(words >> np.uint64(_FIELD * place) & np.uint64(63)).astype(np.uint8) for place in range(PLACES)]
    return np.stack(fields, axis=1).reshape(ROWS * PLACES, boards)


def board_of(cells: Bytes) -> Board:
    """Return one drawn column of 40 cells as a board."""
    return Board.of(Layout.ROWS, cells.reshape(ROWS, PLACES).tolist())


def _block(size: int, rng: np.random.Generator, elevator: bool, vertical: bool) -> Bytes:
    rows = table()
    if not (elevator or vertical):
        return _sum(rows.runs[rng.integers(0, _BORN, (ROWS, size), dtype=np.uint32)])
    base, add = _draw(size, rng)
    total = _sum(rows.runs[base])
    if elevator:
        total += _elevator(rows.start[base], rows.end[base], add)
    if vertical:
        total += _vertical(_moved(rows.words[base], add))
    return total


def _draw(boards: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint32], Bytes]:
    drawn = rng.integers(0, _EVERY, (ROWS, boards), dtype=np.uint32)
    add = drawn // np.uint32(_BORN)
    return drawn - add * np.uint32(_BORN), add.astype(np.uint8)


def _sum(parts: Bytes) -> Bytes:
    total: Bytes = parts[0] + parts[1]
    for part in parts[2:]:
        total += part
    return total


def _step(to: Bytes, come: Bytes) -> Bytes:
    step = (to + np.uint8(10) - come) % np.uint8(10)
    kind: Bytes = (step == 1) * np.uint8(10) + (step == 9) * np.uint8(20)
    return kind


def _elevator(start: Bytes, end: Bytes, add: Bytes) -> Bytes:
    first = start + add
    over = end % np.uint8(10) + add
    last = end - end % np.uint8(10) + over - (over >= 10) * np.uint8(10)
    key = last.astype(np.uint16) * np.uint16(30)
    total = np.zeros(start.shape[1], dtype=np.uint8)
    for i in range(ROWS):
        for j in range(ROWS):
            if i != j:  # a row's own ends meet in the row already
                total += PAIR_RUNS[key[i] + first[j]]
    return total


def pair_runs() -> Bytes:
    """Return runs over the ends by 30 * (kind of end) + (kind of start): 0, 1 or 2; kinds are number + 10 * way.

    RULES.md 1, elevator: (last two of row i, first of row j) and (last of row i, first two of row j).
    """
    found = np.zeros((3, 10, 3, 10), dtype=np.uint8)
    for way, s in ((1, 1), (2, -1)):
        for last in range(10):
            found[way, last, :, (last + s) % 10] += 1
            found[:, last, way, (last + s) % 10] += 1
    return found.reshape(-1)


PAIR_RUNS = pair_runs()


def _moved(words: Words, add: Bytes) -> Words:
    """Add a constant to all ten numbers of every row, modulo ten."""
    return _wrapped(words + add.astype(np.uint64) * _ONES)


def _wrapped(words: Words) -> Words:
    # A field holds at most 18; with 22 more its sixth bit tells whether it was 10 or above.
    tens = (words + _ONES * np.uint64(22)) >> np.uint64(5) & _ONES
    return words - tens * np.uint64(10)


def _vertical(words: Words) -> Bytes:
    above = [_wrapped(words[i] + _ONES) for i in range(ROWS)]
    following = [(i, (i + 1) % ROWS) for i in range(ROWS)]
    up = [_unlike(above[i], words[j]) for i, j in following]
    down = [_unlike(above[j], words[i]) for i, j in following]
    total = np.zeros(words.shape[1], dtype=np.uint64)
    for i, j in following:
        total += _ONES - ((up[i] | up[j]) & (down[i] | down[j]))
    # The product's tenth field is the sum of all ten; at most 40, so it stays within the field.
    return (total * _ONES >> np.uint64(_FIELD * (PLACES - 1)) & np.uint64(63)).astype(np.uint8)


def _unlike(a: Words, b: Words) -> Words:
    """Return a 1 in every field that differs: with 31 more, a difference of 1 ... 15 reaches the sixth bit."""
    return ((a ^ b) + _ONES * np.uint64(31)) >> np.uint64(5) & _ONES
