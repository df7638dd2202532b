"""Tiles of one colour in the row of another, where each row has a colour of its own (RULES 1, base game, Draw Bridge).

A row's colour is that of most of its tiles. A tile is misplaced if it plainly has the colour of another row; two that
show the same number and lie in each other's rows vouch for one another, so that less must be plain of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from vision.geometry import Floats, Ints
from vision.infer import DOWN

LEAST_SCATTER, CLEAR = 4.0, 4.0
"""Two rows are of different colours if these are further apart than the second, over how much either's tiles scatter,
which is not taken to be less than the first (CIE units)."""
ALONE, THERE = 0.7, 0.4
"""How much nearer, over the way between the rows' colours, a tile is to the other's than to its own row's, and how
near it comes to it. Of 72,000 open tiles on 1,710 boards, drawn by three programs, six are called misplaced, on three
of these; of those whose paint was exchanged for another row's some 85 of 100."""
APART, CLEARER, TOGETHER = 8.0, 2.5, 0.5
"""Of two rows whose colours lie further apart than the first, and than the second over their scatter, two tiles with
one number are exchanged if on average each is nearer to the other's row than to its own by the third, over the way
between them: of 26,900 such pairs on the same boards none, of exchanged ones 97 of 100."""


def rows_they_are_of(points: Floats, rows: Sequence[Sequence[int]], numbers: Ints) -> Ints:
    """Return (n,) the row whose colour each tile has: of a misplaced one another than it lies in; -1 in no row.

    points: (n, 3) colours, comparable by distance, CIE units. rows: indices of the tiles that show their colour, none
    of them empty. numbers: (n,) the symbol that each tile shows, as index into SYMBOLS; backs are never misplaced.
    """
    lies, held = np.full(len(points), -1), [np.array(row, dtype=np.int64) for row in rows]
    for r, row in enumerate(held):
        lies[row] = r
    out = lies.copy()
    if len(held) < 2:
        return out
    # Hardly any tile is nearer to another row's colour: only there is looked closely.
    away = np.linalg.norm(points[:, None] - np.array([np.median(points[row], axis=0) for row in held]), axis=2)
    for a, b in combinations(range(len(held)), 2):
        for i, j in _exchanged(points, (held[a], held[b]), away[:, a] - away[:, b], numbers):
            out[i], out[j] = b, a
    for own, row in enumerate(held):
        for k in row[away[row].argmin(axis=1) != own].tolist():
            of = _plainly_of(points, held, k, own)
            out[k] = out[k] if of is None else of
    return np.where(numbers == DOWN, lies, out)


def _plainly_of(points: Floats, rows: Sequence[Ints], k: int, own: int) -> int | None:
    """Return the row whose colour tile k of row `own` plainly has by itself; None where it is not another's."""
    fellows = rows[own][rows[own] != k]
    if len(fellows) == 0:
        return None
    here, loose_here = _middle(points[fellows])
    found = []
    for r in set(range(len(rows))) - {own}:
        there, loose_there = _middle(points[rows[r]])
        apart, near, far = _away(here, there), _away(points[k], there), _away(points[k], here)
        clear = apart > CLEAR * max(loose_here, loose_there, LEAST_SCATTER)
        if clear and far - near > ALONE * apart and near < THERE * apart:
            found.append((near, r))
    return min(found)[1] if found else None


def _exchanged(points: Floats, rows: tuple[Ints, Ints], nearer: Floats, numbers: Ints) -> list[tuple[int, int]]:
    """Return the pairs of tiles, one of each row, that show one number and lie in each other's place.

    nearer: (n,) by how much each tile is nearer to the colour of the second row than to that of the first.
    """
    row, other = rows
    if min(len(row), len(other)) < 2:
        return []
    alike = (numbers[row][:, None] == numbers[other][None]) & (numbers[row] != DOWN)[:, None]
    perhaps = alike & (nearer[row][:, None] > nearer[other][None])
    pairs = [(int(row[m]), int(other[n])) for m, n in np.argwhere(perhaps)]
    return [(i, j) for i, j in pairs if _change_places(points, row[row != i], other[other != j], (i, j))]


def _change_places(points: Floats, row: Ints, other: Ints, pair: tuple[int, int]) -> bool:
    """Return whether two tiles have the colours of each other's rows, `row` and `other` without the two themselves."""
    (mine, loose), (theirs, loose_there) = _middle(points[row]), _middle(points[other])
    apart = _away(mine, theirs)
    i, j = (points[k] for k in pair)
    gain = (_away(i, mine) - _away(i, theirs) + _away(j, theirs) - _away(j, mine)) / 2
    return apart > max(CLEARER * max(loose, loose_there), APART) and gain > TOGETHER * apart


def _middle(colours: Floats) -> tuple[Floats, float]:
    """Return (3,) the middle one of colours (n, 3), and how far half of them lie from it."""
    middle = np.median(colours, axis=0)
    return middle, float(np.median(np.linalg.norm(colours - middle, axis=1)))


def _away(a: Floats, b: Floats) -> float:
    return float(np.linalg.norm(a - b))
