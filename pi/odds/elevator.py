"""The elevator, exactly: the whole-board distribution of `rows` + `elevator`, which nobody has published before.

**Derivation.** With the elevator (RULES.md 1) the end of row i also meets the start of every row j: the triples (last
two of i, first of j) and (last of i, first two of j). For i = j they are the row's own wrap, counted there. For i != j
write z, z' for the last and last but one of row i, a, b for the first two of row j, and s for +1 or -1:

    z' z a is a run  iff  z - z' = s and a - z = s;       z a b is a run  iff  a - z = s and b - a = s.

So across rows only the *end* of a row (its last number and whether it was reached going up, down or neither: 30
kinds) and the *start* of a row (30 kinds) matter, and how many runs lie within. Of each row we need one table:

    N[end, start, r] = orders of the row with this end, this start, and r runs of its own.

Fix the four ends (e_1 ... e_4). Then every row j gains h_j(start) = sum over i != j of runs over (e_i, start): the
gains of different rows no longer depend on each other. So the board's generating function is

    sum over (e_1 ... e_4) of  product over j of  P_j(t),
    P_j(t) = sum over starts and r of N[e_j, start, r] t^(r + h_j(start)).

Adding one to every number changes nothing, so e_1 ends with 0 and counts ten times; the order of the rows changes
nothing when all are alike, so only sorted ends are gone through, each as often as it has orders. Polynomials are kept
as large whole numbers (a slot of bits for each power), so that a product is one multiplication. `N` needs the 9! rows
that begin with 0, once.

**Vertical** joins all rows at all places at once; we know no such cut, and it stays with Monte Carlo
(`pi.odds.sample`), but for the mean, which is exact for every variant (`mean_total`).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from pi.odds.chances import Chances
from pi.odds.sample import PAIR_RUNS, PLACES, table
from pi.rules.runs import Variant, triples
from pi.rules.values import Board, Layout

KINDS = 30
"""Number + 10 * way; way 0 neither, 1 up, 2 down."""
_MOST = 20
"""More runs than any one row can own (10) and gain over its start (3 ends x 2 directions at most)."""
Ends = tuple[int, ...]


@lru_cache(maxsize=8)
def elevator_chances(rows: int = 4) -> Chances:
    """Return the exact chances of a shuffled board of `rows` + `elevator`, no wilds (rows: 1 ... 4).

    Takes about a second for four rows; kept afterwards. Weights add up to (10!)^rows.
    """
    slot = (factorial(PLACES) ** rows).bit_length()
    total = 0
    for ends, times in _ends(rows).items():
        total += times * prod(_row(ends[j], ends[:j] + ends[j + 1 :], slot) for j in range(rows))
    mask = (1 << slot) - 1
    return Chances.of({k: total >> slot * k & mask for k in range(rows * _MOST)})


def mean_total(variant: Variant, *, rows: int = 4) -> Fraction:
    """Return the exact mean total of a shuffled board of `rows`, whatever the variant.

    A mean adds over triples, however they hang together. Three different places of one row are a run with
    20/720; two neighbours of one row and a place of another with 20/900; places of three rows with 20/1000.
    """
    blank = Board(Layout.ROWS, (("0",) * PLACES,) * rows)
    share = {1: Fraction(20, 720), 2: Fraction(20, 900), 3: Fraction(20, 1000)}
    return sum((share[len({r for r, _ in t})] for t in triples(blank, variant=variant)), Fraction(0))


@lru_cache(maxsize=1)
def _own_table() -> npt.NDArray[np.int64]:
    """Return N[end, start, r] over all 10! orders of a row."""
    rows = table()
    found = np.zeros((KINDS, KINDS, _MOST), dtype=np.int64)
    for add in range(10):
        end = rows.end // 10 * 10 + (rows.end % 10 + add) % 10
        np.add.at(found, (end, rows.start + add, rows.runs), 1)
    return found


def _ends(rows: int) -> Counter[Ends]:
    """Return sorted ends with the number of boards' ends that are like them: moved so that one last number is 0."""
    found: Counter[Ends] = Counter()
    for ends in combinations_with_replacement(range(KINDS), rows):
        orders = factorial(rows) // prod(factorial(n) for n in Counter(ends).values())
        found[min(_moved(ends, by) for by in {-e % 10 for e in ends})] += orders
    return found


def _moved(ends: Ends, by: int) -> Ends:
    return tuple(sorted(e // 10 * 10 + (e + by) % 10 for e in ends))


@lru_cache(maxsize=65_536)
def _row(end: int, others: Ends, slot: int) -> int:
    """Return P_j as one large whole number."""
    own, coefficients = _own_table(), np.zeros(2 * _MOST, dtype=np.int64)
    for start, gain in enumerate(_PAIRS[list(others)].sum(axis=0).tolist()):
        coefficients[gain : gain + _MOST] += own[end, start]
    return sum(int(c) << slot * k for k, c in enumerate(coefficients.tolist()) if c)


_PAIRS = PAIR_RUNS.reshape(KINDS, KINDS).astype(np.int64)
