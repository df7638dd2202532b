"""The elevator, exactly: the whole-board distribution of `rows` + `elevator`, of which we know no publication.

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

Adding one to every number changes nothing, nor does the order of the rows when all are alike; so of all ends that are
like each other in this way one is worked out, and counts as often as there are such ends. Polynomials are kept
as large whole numbers (a slot of bits for each power), so that a product is one multiplication. `N` needs the 9! rows
that begin with 0, once. With tiles lying open the same sum holds with a table of its own for each row (`half_open`).

**Vertical** joins all rows at all places at once: what is exact there, and why not all, says `pi.odds.vertical`.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from pi.odds import fill
from pi.odds.batch import Bytes, grid, totals
from pi.odds.chances import Chances
from pi.odds.perms import MOST
from pi.odds.sample import PAIR_RUNS, PLACES, table
from pi.rules.runs import Variant, triples
from pi.rules.values import DOWN, Board, Layout

KINDS = 31
"""Number + 10 * way (0 neither, 1 up, 2 down), and NOTHING."""
NOTHING = 30
"""The kind of an end or start that is no number, or of a row too short to meet others."""
MOST_ENDS = 6_000
"""More combinations of ends are not gone through for a half-open board: some 0.2 seconds."""
_MOST = 20
"""More runs than a row can own (10)."""
Own = npt.NDArray[np.int64]
"""N[end, start, r] of one row, shape (KINDS, KINDS, _MOST)."""
Starts = dict[int, int]
"""For one end: by kind of start, N over r packed into one large whole number."""
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
    return _opened(total, slot, rows)


def half_open(board: Board) -> Chances | None:
    """Return the exact chances with the elevator, given what lies open; None where that is too much work.

    board: `rows`, without wilds, neither open nor hidden. Too much: nothing of a row open but not all rows hidden, or
    more than MOST_ENDS ways for the rows to end.
    """
    if all(row == (DOWN,) * PLACES for row in board.rows) and len(board.rows) <= 4:
        return elevator_chances(len(board.rows))
    if any(fill.row_ways(row) > MOST for row in board.rows):
        return None
    tables = [_table_of(row) for row in board.rows]
    possible = [np.flatnonzero(own.any(axis=(1, 2))).tolist() for own in tables]
    if prod(map(len, possible)) > MOST_ENDS:
        return None
    slot, places = prod(fill.row_ways(row) for row in board.rows).bit_length(), range(len(tables))
    packed = [_packed(own, slot) for own in tables]
    seen: dict[tuple[int, int, Ends], int] = {}
    total = 0
    for ends in product(*possible):
        whole = 1
        for j in places:
            key = (j, ends[j], tuple(sorted(ends[:j] + ends[j + 1 :])))
            if key not in seen:
                seen[key] = _polynomial(packed[j][ends[j]], key[2], slot)
            whole *= seen[key]
        total += whole
    return _opened(total, slot, len(tables)).reduced()


def mean_total(variant: Variant, *, rows: int = 4) -> Fraction:
    """Return the exact mean total of a shuffled board of `rows`, whatever the variant.

    A mean adds over triples, however they hang together. Three different places of one row are a run with
    20/720; two neighbours of one row and a place of another with 20/900; places of three rows with 20/1000.
    """
    blank = Board(Layout.ROWS, (("0",) * PLACES,) * rows)
    share = {1: Fraction(20, 720), 2: Fraction(20, 900), 3: Fraction(20, 1000)}
    return sum((share[len({r for r, _ in t})] for t in triples(blank, variant=variant)), Fraction(0))


@lru_cache(maxsize=1)
def _own_table() -> Own:
    """Return N over all 10! orders of a row."""
    rows = table()
    found = np.zeros((KINDS, KINDS, _MOST), dtype=np.int64)
    for add in range(10):
        end = rows.end // 10 * 10 + (rows.end % 10 + add) % 10
        np.add.at(found, (end, rows.start + add, rows.runs), 1)
    return found


def _table_of(row: tuple[str, ...]) -> Own:
    """Return N over all fillings of one half-open row."""
    found = np.zeros((KINDS, KINDS, _MOST), dtype=np.int64)
    cells = fill.row_cells(row)
    runs = totals(cells, on=grid(Layout.ROWS, variant=Variant(), shape=(len(row),)))
    if len(row) < 3:
        np.add.at(found[NOTHING, NOTHING], runs, 1)
    else:
        np.add.at(found, (_kind(cells[-1], cells[-2], cells[-1]), _kind(cells[0], cells[0], cells[1]), runs), 1)
    return found


def _kind(number: Bytes, come: Bytes, to: Bytes) -> npt.NDArray[np.int64]:
    step = (to.astype(np.int64) - come) % 10
    way = np.where((to < 10) & (come < 10), (step == 1) * 1 + (step == 9) * 2, 0)
    return np.where(number < 10, number + 10 * way, NOTHING)


def _ends(rows: int) -> Counter[Ends]:
    """Return sorted ends with the number of boards' ends that are like them: moved so that one last number is 0."""
    found: Counter[Ends] = Counter()
    for ends in combinations_with_replacement(range(NOTHING), rows):
        orders = factorial(rows) // prod(factorial(n) for n in Counter(ends).values())
        found[min(_moved(ends, by) for by in {-e % 10 for e in ends})] += orders
    return found


def _moved(ends: Ends, by: int) -> Ends:
    return tuple(sorted(e // 10 * 10 + (e + by) % 10 for e in ends))


@lru_cache(maxsize=65_536)
def _row(end: int, others: Ends, slot: int) -> int:
    return _polynomial(_packed_own(slot)[end], others, slot)


@lru_cache(maxsize=4)
def _packed_own(slot: int) -> list[Starts]:
    return _packed(_own_table(), slot)


def _packed(own: Own, slot: int) -> list[Starts]:
    """Return for each kind of end, by kind of start, the row's own runs as one large whole number."""
    found: list[Starts] = []
    for lines in own.tolist():
        whole = {start: sum(n << slot * r for r, n in enumerate(line) if n) for start, line in enumerate(lines)}
        found.append({start: number for start, number in whole.items() if number})
    return found


def _polynomial(starts: Starts, others: Ends, slot: int) -> int:
    """Return P_j as one large whole number."""
    gains = [sum(column) for column in zip(*(_PAIRS[e] for e in others), strict=True)] or [0] * KINDS
    return sum(number << slot * gains[start] for start, number in starts.items())


def _opened(packed: int, slot: int, rows: int) -> Chances:
    mask = (1 << slot) - 1
    return Chances.of({k: packed >> slot * k & mask for k in range(2 * rows * _MOST)})


def _pairs() -> list[list[int]]:
    pairs = np.zeros((KINDS, KINDS), dtype=np.int64)
    pairs[:NOTHING, :NOTHING] = PAIR_RUNS.reshape(NOTHING, NOTHING)
    return [[int(runs) for runs in line] for line in pairs.tolist()]


_PAIRS = _pairs()
