r"""The runs of a row of n different numbers, counted exactly without laying a single row.

Setting (RULES.md 1; OEIS A078628): the numbers 0 ... n-1 lie in a row whose ends meet (a ring of n
places); numbers wrap too, so n-1 is next to 0. A run is three places in order around the ring with numbers
v, v+1, v+2 or v, v-1, v-2 (mod n). Of the n! rows we want for every k how many hold exactly k runs. The
row of ten of the game is n = 10. (n = 3 is allowed and degenerate: every row goes up all around or down
all around, so all three triples of places are runs.)

**Derivation.** Think of the numbers as a ring C of n points, v joined to v+1. A row is a closed walk H
through all of them. A run centred at v says that both ring edges at v belong to H; because the numbers
differ, "up then down" cannot occur, so the number of runs is the number of points v with both edges in H.

1. *Mark runs* (Goulden and Jackson's cluster method). With u = t - 1, expand t^runs = sum over sets P of marked
   runs of u^|P|. So the wanted polynomial is the sum, over all sets P of points, of u^|P| times the number
   of circular orders in which every point of P is the centre of a run.
2. *Blocks.* The marked points force the ring edges at them. These cut C into k arcs ("blocks"): single numbers
   and straights of L >= 3 numbers. Blocks may be set around the table in (k-1)! orders, each straight in two
   directions. A straight of L numbers has L-2 inner points; the marked ones must leave no edge uncovered: the
   first and last inner points are marked and no two neighbours are unmarked. Summing u^|P| over those:

       c_1 = u,  c_0 = 0,  c_j = u (c_{j-1} + c_{j-2})            (j = L-2 inner points)

   so a block of L numbers weighs b_1 = 1, b_2 = 0, b_L = 2 c_{L-2}.
3. *Cutting a ring into k arcs.* With B(z) = sum b_L z^L there are (n/k) [z^n] B(z)^k weighted ways: start at
   any of n points, and k arcs could have been called the first.
4. *The closed straight.* All n edges may be forced (no cut): two circular orders, up and down. The marked
   points then form a ring without two unmarked neighbours: r_0 = 2, r_1 = u, r_n = u (r_{n-1} + r_{n-2}).

   Circular orders by runs:  F_n(t) = sum_{k=1..n} (n/k) (k-1)! [z^n] B(z)^k  +  2 r_n(u),   u = t - 1.

5. A row that wraps is a circular order with one of n places called the first: n F_n. A row that does *not* wrap
   places the k blocks in k! orders and cannot hold the closed straight:  sum_k (n/k) k! [z^n] B(z)^k.

Held against the recurrences of W. Dymacek and I. Lambert (Journal of Integer Sequences 14, 2011, 11.1.6), which made
the b-file of A078628, to n = 50, and against laying all rows to n = 10.

The constant term of F_n is A078628(n); the coefficient of t is n A235938(n) (each of the n runs by centre
is as likely). The constant term of the row that does not wrap is A165963(n).
Work: about n^4 small steps on integers of at most n log2 n bits; n = 50 takes well under a second.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, factorial

from pi.odds.chances import Chances, together
from pi.odds.errors import BadQuestion

SHORTEST, LONGEST = 3, 50
"""Lengths of a row for which we publish counts."""
Poly = tuple[int, ...]
"""Coefficients by rising power."""


@lru_cache(maxsize=128)
def row_counts(n: int = 10, *, wrap: bool = True) -> tuple[int, ...]:
    """Return, for k = 0 ... n, how many of the n! rows of n different numbers hold exactly k runs.

    `wrap` False leaves the ends of the row apart; the numbers wrap all the same. Raises BadQuestion
    outside 3 ... 50.

    >>> row_counts(10)
    (2843980, 611200, 135600, 29200, 6900, 1200, 700, 0, 0, 0, 20)
    >>> row_counts(10)[0] // 10, row_counts(10)[1] // 100   # A078628(10), A235938(10)
    (284398, 6112)
    """
    if not SHORTEST <= n <= LONGEST:
        raise BadQuestion(f"a row of {n} numbers is not counted here (expected {SHORTEST} to {LONGEST})")
    total: list[int] = [0] * (n + 1)
    for k, cut in enumerate(_cuts(n), start=1):
        ways = n * factorial(k - 1) if wrap else factorial(k)
        for power, coefficient in enumerate(cut):
            total[power] += ways * coefficient
    if wrap:
        for power, coefficient in enumerate(_closed(n)):
            total[power] += 2 * n * coefficient
    return _shifted(total)


def runless_orders(n: int) -> int:
    """Return the number of circular orders of n numbers without a run: OEIS A078628(n), n = 3 ... 50."""
    return row_counts(n)[0] // n


def one_given_run_orders(n: int) -> int:
    """Return the number of circular orders whose only run is one given run: OEIS A235938(n), n = 3 ... 50."""
    return row_counts(n)[1] // n // n


def row_chances(n: int = 10, *, wrap: bool = True) -> Chances:
    """Return the exact chances of one shuffled row of n different numbers."""
    return Chances.of(dict(enumerate(row_counts(n, wrap=wrap))))


def board_chances(rows: int = 4, *, n: int = 10, wrap: bool = True) -> Chances:
    """Return the exact chances of a board of independent rows (the base game: 4 rows of 10, no wilds).

    >>> round(float(1 - board_chances().attainable(0)), 4)   # "some run appears in 62.3 % of boards"
    0.6227
    """
    if not 1 <= rows <= LONGEST:
        raise BadQuestion(f"a board of {rows} rows is not counted here (expected 1 to {LONGEST})")
    return together([row_chances(n, wrap=wrap)] * rows)


def _cuts(n: int) -> list[Poly]:
    """Return for k = 1 ... n the weighted ways (n/k) [z^n] B(z)^k to cut the ring of numbers, in powers of u."""
    blocks = _blocks(n)
    found: list[Poly] = []
    power: dict[int, Poly] = {0: (1,)}  # B(z)^k by power of z
    for k in range(1, n + 1):
        longer: dict[int, Poly] = {}
        for size, weight in power.items():
            for length, block in blocks.items():
                if size + length <= n:
                    longer[size + length] = _add(longer.get(size + length, ()), _times(weight, block))
        power = longer
        found.append(tuple(n * c // k for c in power.get(n, ())))
    return found


def _blocks(n: int) -> dict[int, Poly]:
    """Return the weight b_L of every block that has one: single numbers, and straights of 3 to n."""
    weights: dict[int, Poly] = {1: (1,)}
    before: Poly = (0,)  # c_0
    now: Poly = (0, 1)  # c_1
    for length in range(3, n + 1):
        weights[length] = tuple(2 * c for c in now)
        before, now = now, (0, *_add(now, before))
    return weights


def _closed(n: int) -> Poly:
    """Return r_n(u): the marked runs of the straight that closes the whole ring."""
    before: Poly = (2,)
    now: Poly = (0, 1)
    for _ in range(n - 1):
        before, now = now, (0, *_add(now, before))
    return now


def _shifted(poly: list[int]) -> Poly:
    """Return the coefficients in t of a polynomial given in u = t - 1."""
    size = len(poly)
    return tuple(sum(poly[j] * comb(j, i) * (-1) ** (j - i) for j in range(i, size)) for i in range(size))


def _add(a: Poly, b: Poly) -> Poly:
    if len(a) < len(b):
        a, b = b, a
    return tuple(x + (b[i] if i < len(b) else 0) for i, x in enumerate(a))


def _times(a: Poly, b: Poly) -> Poly:
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                product[i + j] += x * y
    return tuple(product)
