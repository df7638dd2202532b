"""The whole `rect`, face down, exactly: a stored distribution and the command that makes it.

`python -m pi.odds.whole_rect` writes `whole_rect.json` anew (some 90 s, 0.5 GB). Without wilds and columns the five
rows of eight share nothing but the tiles: of each number there are four. One open tile tells nothing: exchanging rows,
turning them and adding a constant to all numbers take any tile at any place to any other.

**Derivation.** Write c for how many of each number a row holds (c_0 ... c_9, each at most 4, together 8) and R_c(t) for
the rows with these numbers by runs; 24,000 such c hold all rows. A pair of rows with the numbers d is
P_d = sum over c of R_c R_{d-c}; three rows with e are T_e = sum over c of R_c P_{e-c}; and all five

    sum over e of T_e P_{4-e},        counted as arrangements of tiles of which four of a kind look alike.

Adding a constant and mirroring numbers changes no run, so of up to twenty e that are like each other one is worked
out. Sums are products of matrices (runs here by runs there); where doubles could round, P is cut into limbs of 20 bits.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from math import factorial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pi.odds.batch import Bytes, grid, totals
from pi.odds.chances import Chances
from pi.rules.runs import Variant
from pi.rules.values import DOWN, EMPTY, WILD, Board, Layout

STORED = Path(__file__).with_name("whole_rect.json")
ROWS, PLACES, EACH, NUMBERS = 5, 8, 4, 10
_BASE = EACH + 1
_DIGITS = _BASE ** np.arange(NUMBERS)[::-1]
_LIMB = 20
Tables = npt.NDArray[np.float64]
"""By multiset (a line each) and runs; whole numbers below 2^53."""


@lru_cache(maxsize=1)
def whole_rect() -> Chances:
    """Return the exact chances of a shuffled `rect` of five rows of eight: no wilds, no columns, rows that wrap."""
    return Chances.of({int(runs): int(ways) for runs, ways in json.loads(STORED.read_text("utf-8")).items()}).reduced()


def tells_nothing(board: Board, *, variant: Variant, wilds: bool) -> bool:
    """Tell whether so little lies open that the board's chances are those of the whole `rect`."""
    symbols = list(board.cells().values())
    plain = board.layout is Layout.RECT and variant.wrap and not variant.vertical and not wilds
    whole = tuple(map(len, board.rows)) == (PLACES,) * ROWS and EMPTY not in symbols and WILD not in symbols
    return plain and whole and symbols.count(DOWN) >= len(symbols) - 1


class _Multisets:
    """All ways to hold so many numbers, at most EACH of a kind, and which of them are like each other."""

    def __init__(self, size: int) -> None:
        held = np.zeros((1, 0), dtype=np.uint8)
        for _ in range(NUMBERS):
            next_one = np.tile(np.arange(_BASE, dtype=np.uint8), len(held))[:, None]
            held = np.hstack([np.repeat(held, _BASE, axis=0), next_one])
            held = held[held.sum(axis=1, dtype=np.int64) <= size]
        self.held = held[held.sum(axis=1, dtype=np.int64) == size]
        self.codes, mirrored = self.held @ _DIGITS, self.held @ _DIGITS[::-1]
        likeness, top = self.codes.copy(), _BASE ** (NUMBERS - 1)
        for turned in (self.codes, mirrored):
            for _ in range(NUMBERS):
                turned = turned // _BASE + turned % _BASE * top
                np.minimum(likeness, turned, out=likeness)
        self.first, of, self.times = np.unique(likeness, return_inverse=True, return_counts=True)
        self.of = of.reshape(-1)
        """The code of one of each kind, which kind each multiset is, how many are of a kind."""


def _row_runs(held: Bytes) -> npt.NDArray[np.int64]:
    """Return the rows with certain numbers by runs, shape (PLACES + 1,)."""
    laid = np.zeros((0, 1), dtype=np.uint8)
    left = held.astype(np.int64).reshape(-1, 1)
    for _ in range(PLACES):
        number, base = np.nonzero(left)
        laid = np.vstack([laid[:, base], number.astype(np.uint8)])
        left = left[:, base]
        left[number, np.arange(len(number))] -= 1
    runs = totals(laid, on=grid(Layout.RECT, variant=Variant(), shape=(PLACES,)))
    return np.bincount(runs, minlength=PLACES + 1)


def _convolved(matrix: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the sums over the cross diagonals: of runs here and there, their sum."""
    found = np.zeros(sum(matrix.shape) - 1, dtype=np.int64)
    for i, line in enumerate(matrix):
        found[i : i + len(line)] += line
    return found


def _decoded(code: int) -> Bytes:
    return np.array([code // _BASE**k % _BASE for k in range(NUMBERS)][::-1], dtype=np.uint8)


def counted() -> dict[int, int]:
    """Return the arrangements of a whole `rect` by runs; they sum to 40! / 4!^10."""
    one, two, three = (_Multisets(PLACES * rows) for rows in (1, 2, 3))
    at = np.zeros(_BASE**NUMBERS, dtype=np.int32)
    rows: Tables = np.array([_row_runs(_decoded(code)) for code in one.first.tolist()], dtype=np.float64)[one.of]
    at[one.codes] = np.arange(len(one.codes))

    # Four bits a number, the highest set: it stays set where no more of the number is taken away than is there.
    fields = 16 ** np.arange(NUMBERS)
    packed, guard = one.held @ fields, 8 * int(fields.sum())

    def within(code: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int32]]:
        rows_in = np.flatnonzero((int(_decoded(code) @ fields) + guard - packed) & guard == guard)
        return rows_in, at[code - one.codes[rows_in]]

    pairs_of = np.zeros((len(two.first), 2 * PLACES + 1), dtype=np.int64)
    for kind, code in enumerate(two.first.tolist()):
        here, there = within(code)
        pairs_of[kind] = _convolved(np.rint(rows[here].T @ rows[there]).astype(np.int64))
    pairs = pairs_of[two.of]
    limbs = np.hstack([pairs & (1 << _LIMB) - 1, pairs >> _LIMB]).astype(np.float64)
    at[two.codes] = np.arange(len(two.codes))
    full, found = EACH * int(_DIGITS.sum()), Counter[int]()
    for code, times in zip(three.first.tolist(), three.times.tolist(), strict=True):
        here, there = within(code)
        low, high = np.split(np.rint(rows[here].T @ limbs[there]).astype(np.int64), 2, axis=1)
        own = [int(a) + (int(b) << _LIMB) for a, b in zip(_convolved(low), _convolved(high), strict=True)]
        for runs, ways in enumerate(own):
            for more, rest in enumerate(pairs[at[full - code]].tolist()):
                found[runs + more] += times * ways * rest
    return {runs: ways for runs, ways in sorted(found.items()) if ways}


def main() -> int:
    """Count, check the sum, and write the file."""
    found = counted()
    if sum(found.values()) != factorial(ROWS * PLACES) // factorial(EACH) ** NUMBERS:
        raise SystemExit("the arrangements do not sum to 40! / 4!^10: nothing was written")
    STORED.write_text(json.dumps({str(runs): ways for runs, ways in found.items()}, indent=1) + "\n", encoding="utf-8")
    print(f"{STORED.name}: {len(found)} totals")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
