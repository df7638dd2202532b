"""What can be said exactly of whole boards with `vertical`, and why not all: mean and spread, for every variant.

**Why the distribution is out of reach here.** The elevator joins rows by their ends alone (`pi.odds.elevator`). A
column of four whose ends meet has a run in any three of its rows, at all ten places at once. We know three ways to cut
that:

- *Row by row*: what must be remembered are two whole rows, 10!^2 = 1.3e13; adding a constant, mirroring numbers,
  turning and mirroring places are 400 symmetries: 3.3e10 states, each with 3.6e6 rows to follow, and the ring to close.
- *Place by place*: which numbers each row has used, 252^4 = 4e9 in the middle, times the numbers of the last two
  columns and of the first two, which the rows' ends meet again.
- *Marked runs* (`pi.odds.marked`): measured, the states grow some tenfold with every four tiles face down.

So whole boards are drawn (`pi.odds.sample`), with their standard error. **Exact** are: half-open boards with up to some
18 tiles face down, elevator and wilds included as far as the budget goes (`pi.odds.marked`; with a larger one also four
rows of two, all face down), and of whole boards the mean and the spread:

**Derivation.** The total is a sum over triples of places, so its mean is the sum of their chances to be a run and its
mean square the sum over *pairs* of triples of the chance that both are. Such a chance depends only on which of the six
places are the same and which lie in one row: of the 400 ways to begin two runs count those in which a place has one
number and no number comes twice in a row; each has the chance product over rows of (10 - k)!/10!, k places in a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm

from pi.odds.batch import grid
from pi.odds.sample import PLACES
from pi.rules.runs import Variant
from pi.rules.values import Layout

Kin = tuple[tuple[int, int], ...]
"""Six places of two triples: (which place, which row), each numbered as it first comes."""


@cache
def variance_total(variant: Variant, *, rows: int = 4) -> Fraction:
    """Return the exact variance of the total of a shuffled board of `rows`, whatever the variant; under a second.

    >>> variance_total(Variant(vertical=True))
    Fraction(34711, 14175)
    """
    on = grid(Layout.ROWS, variant=variant, shape=(PLACES,) * rows)
    row = [cell[0] for cell in on.cells]
    kin = Counter(_kin([*a, *b], row) for a, b in product(on.triples, repeat=2))
    mean = sum((_runs(_kin(triple, row)) for triple in on.triples), Fraction(0))
    return sum((times * _runs(places) for places, times in kin.items()), Fraction(0)) - mean * mean


def _kin(places: Sequence[int], row: Sequence[int]) -> Kin:
    which: dict[int, int] = {}
    rows: dict[int, int] = {}
    return tuple((which.setdefault(p, len(which)), rows.setdefault(row[p], len(rows))) for p in places)


@cache
def _runs(places: Kin) -> Fraction:
    """Return the chance that triples of places (three, or two times three) are all runs."""
    triples = len(places) // 3
    ways = 0
    for begin in product(product(range(10), (1, -1)), repeat=triples):
        numbers = [(first + way * i) % 10 for first, way in begin for i in range(3)]
        held = set(zip(places, numbers, strict=True))
        one_number = len(held) == len(set(places))
        ways += one_number and len({(row, number) for (_, row), number in held}) == len(held)
    in_rows = Counter(row for _, row in set(places))
    chance = Fraction(ways)
    for many in in_rows.values():
        chance /= perm(PLACES, many)
    return chance
