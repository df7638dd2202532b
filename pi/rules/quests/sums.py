"""Sums 1...m by Leroy Quet (2011), as a quest (RULES.md 4): a grid of different positive integers in which every number
from 1 to m is a sum of neighbours in a row or a column.

**What is known.** An n x n grid has n^2 + n^2 (n - 1) sums: 1, 8, 27, 64 of them for n = 1 ... 4, and m cannot be more.

- 1 x 1, 2 x 2 and 3 x 3 are settled by `every` below: at most 1, 8 and 26. For 3 x 3 the author knew of 26; going
  through all grids, 27 has no solution and 26 has 40, which are 5 turned and mirrored. So 26 is the most.
- 4 x 4 is open: `BEST_GRIDS` holds the best grid that we have found (by simulated annealing on the numbers that are
  missing); from above nothing but 64 is proved.

**Why `every` misses nothing.** To reach m, all but `spare` = (number of sums) - m of the sums must be different numbers
from 1 to m. So whenever a sum comes out that was there before, or above m, one spare is used up, and a search that
fills cell by cell stops as soon as none is left. A cell above m would lift all sums through it above m, and those are
2n - 1 at least; so with fewer spares than that, cells need only be tried up to m. Once no spare is left, the sums still
to come must be just the numbers still missing, so both have one total; and with the last cell the least number still
missing must come out, which leaves few numbers to try there. Of eight grids that are turns and
mirror images of each other one is tried: the one whose top middle is the least of the four middles of the sides and
whose left middle is less than its right (for n = 2: top left the least, top right less than bottom left).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd

from pi.rules.games.sums_grid_score import score, sums
from pi.rules.numerals import is_whole
from pi.rules.quests.errors import BadLaying
from pi.rules.quests.laying import Fault, where
from pi.rules.values import Cell

NAME, TITLE = "sums", "Sums 1...m"
SOURCE = "RULES.md 4, Sums 1...m, by Leroy Quet"
Grid = tuple[tuple[int, ...], ...]
"""Rows of numbers; 0 is a place still empty."""

PROVED = {1: 1, 2: 8, 3: 26}
"""The most that is possible, where `every` has shown it, by n."""
BEST_GRIDS: dict[int, Grid] = {
    1: ((1,),),
    2: ((1, 3), (6, 2)),
    3: ((8, 2, 1), (5, 4, 15), (12, 14, 7)),
    4: ((34, 16, 1, 14), (2, 26, 7, 5), (20, 4, 3, 18), (32, 9, 38, 6)),
}
"""A grid that reaches the most we know, by n."""
HALF = 14
"""Bits of half the numbers up to 27, the most sums of a grid that `every` goes through."""


@dataclass(frozen=True, slots=True)
class Step:
    """A number given away."""

    cell: Cell
    number: int
    """0: take away what stands there."""
    sentence: str


def parse(text: str) -> Grid:
    """Return the grid written as lines of numbers parted by spaces, '.' for an empty place; raises BadLaying."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if not rows:
        raise BadLaying("there is no grid (expected lines of numbers parted by spaces)")
    for word in (word for row in rows for word in row):
        if word != "." and not is_whole(word, most=9):
            raise BadLaying(f"{word!r} is not a number of a grid (expected a positive whole number, or . for none)")
    return tuple(tuple(0 if word == "." else int(word) for word in row) for row in rows)


def as_text(grid: Sequence[Sequence[int]]) -> str:
    """Return the grid as `parse` reads it."""
    width = max(len(str(number)) for row in grid for number in row)
    return "\n".join(" ".join((str(number) if number else ".").rjust(width) for number in row) for row in grid)


def check(grid: Grid) -> tuple[Fault, ...]:
    """Return everything that is wrong; () for a grid that has a score, however small."""
    for number, row in enumerate(grid, start=1):
        if len(row) != len(grid):
            return (Fault((), f"Row {number} holds {len(row)} numbers (expected {len(grid)}: the grid is square)."),)
    places: dict[int, list[Cell]] = {}
    for cell in _cells(len(grid)):
        places.setdefault(grid[cell[0]][cell[1]], []).append(cell)
    empty = places.pop(0, [])
    faults = [Fault(tuple(empty), f"{len(empty)} places are empty, the first in {where(empty[0])}.")] if empty else []
    for number, cells in places.items():
        if len(cells) > 1:
            faults.append(Fault(tuple(cells), f"{number} stands in {' and in '.join(map(where, cells))}."))
    return tuple(faults)


def most_known(size: int) -> int | None:
    """Return the largest score we know of for n x n; None for a size of which we know nothing."""
    return score(BEST_GRIDS[size]) if size in BEST_GRIDS else None


def standing(size: int) -> str:
    """Return what is known of n x n as a sentence."""
    known = most_known(size)
    if known is None:
        return f"Of {size} x {size} nothing is known here."
    if size in PROVED:
        return f"{known} is the most possible (all grids were gone through)."
    return (
        f"{known} is the most we have found; that no grid reaches more is not proved ({most_sums(size)} is the bound)."
    )


def missing(grid: Grid) -> int:
    """Return the least number that is no sum of the grid: its score and one more."""
    return score(grid) + 1


def most_sums(size: int) -> int:
    """Return how many sums an n x n grid has: n^2 cells and n (n - 1) / 2 longer ones in each of 2 n lines."""
    return size * size * size


def solve(size: int = 3) -> Grid:
    """Return the best grid known; raises BadLaying for a size of which we know none."""
    if size not in BEST_GRIDS:
        raise BadLaying(f"no grid of {size} x {size} is known here (expected 1 to {max(BEST_GRIDS)})")
    return BEST_GRIDS[size]


def hint(grid: Grid) -> Step | None:
    """Return one number of the best known grid that, turned or mirrored, agrees most with this one.

    None when it is that grid already. Raises BadLaying for a grid that is not square or of an unknown size.
    """
    if any(len(row) != len(grid) for row in grid):
        raise BadLaying("a hint needs a square grid")
    cells = _cells(len(grid))

    def agreeing(other: Grid) -> int:
        return sum(grid[r][c] == other[r][c] for r, c in cells)

    goal = max(symmetric(solve(len(grid))), key=agreeing)
    for r, c in cells:
        if grid[r][c] not in (0, goal[r][c]):
            sentence = f"{grid[r][c]} in {where((r, c))} is not part of the best grid nearest to yours: take it away."
            return Step((r, c), 0, sentence)
    for r, c in cells:
        if grid[r][c] == 0:
            return Step((r, c), goal[r][c], f"Write {goal[r][c]} in {where((r, c))}.")
    return None


def symmetric(grid: Grid) -> tuple[Grid, ...]:
    """Return the grid's turns and mirror images, each once."""
    found = []
    for _ in range(4):
        grid = tuple(zip(*grid[::-1], strict=True))
        found += [grid, grid[::-1]]
    return tuple(dict.fromkeys(found))


def every(most: int, *, size: int = 3) -> Iterator[Grid]:
    """Yield every grid that scores at least `most`, one of each eight that are turns and mirror images.

    For 3 x 3, 27 takes about a second, 26 some five, 25 minutes. Raises BadLaying where the search would not be
    complete (too many spare sums) or not end (4 x 4).
    """
    spare = most_sums(size) - most
    if not 1 <= size <= 3:
        raise BadLaying(f"{size} x {size} grids are too many to go through (expected 1 to 3)")
    if not 0 <= spare < 2 * size - 1:
        least, highest = most_sums(size) - 2 * size + 2, most_sums(size)
        raise BadLaying(f"{most} cannot be decided for {size} x {size} (expected {least} to {highest})")
    plan = _plan(size)
    numbers = dict.fromkeys(_cells(size), 0)
    for _ in _filled(plan, numbers, 0, used=0, spare=spare, most=most):
        yield tuple(tuple(numbers[r, c] for c in range(size)) for r in range(size))


@dataclass(frozen=True, slots=True)
class _Place:
    """A cell to fill: what becomes known with it, and what it must be less or more than."""

    cell: Cell
    others: tuple[tuple[Cell, ...], ...]
    """For each sum that this cell completes, its other cells."""
    above: tuple[Cell, ...]
    """Cells whose number must be less than this one's (one of eight mirror images)."""
    known: tuple[tuple[Cell, int], ...]
    """Filled cells, each with how many of the sums still to come it is part of."""
    step: int
    """How many of those sums an empty cell is part of (for different cells: their greatest common divisor)."""


def _cells(size: int) -> tuple[Cell, ...]:
    return tuple((r, c) for r in range(size) for c in range(size))


_ORDER: dict[int, tuple[Cell, ...]] = {
    1: ((0, 0),),
    2: ((0, 0), (0, 1), (1, 0), (1, 1)),
    # The middle and the sides first: they complete sums soonest, and the mirror images part at once.
    3: ((1, 1), (0, 1), (2, 1), (1, 0), (1, 2), (0, 0), (0, 2), (2, 0), (2, 2)),
}
_ABOVE: dict[int, dict[Cell, tuple[Cell, ...]]] = {
    1: {},
    2: {(0, 1): ((0, 0),), (1, 0): ((0, 1),), (1, 1): ((0, 0),)},
    3: {(2, 1): ((0, 1),), (1, 0): ((0, 1),), (1, 2): ((1, 0),)},
}


def _plan(size: int) -> tuple[_Place, ...]:
    order = _ORDER[size]
    lines = [[(r, c) for c in range(size)] for r in range(size)] + [[(r, c) for r in range(size)] for c in range(size)]
    parts = [line[i:j] for line in lines for i in range(size) for j in range(i + 2, size + 1)]
    plan = []
    for place, cell in enumerate(order):
        done = [p for p in parts if cell in p and all(order.index(c) <= place for c in p)]
        others = tuple(tuple(c for c in part if c != cell) for part in done)
        coming = [p for p in [*parts, *([c] for c in order)] if any(order.index(c) >= place for c in p)]
        times = Counter(c for part in coming for c in part)
        known = tuple((c, times[c]) for c in order[:place])
        plan.append(_Place(cell, others, _ABOVE[size].get(cell, ()), known, gcd(*(times[c] for c in order[place:]))))
    return tuple(plan)


def _filled(
    plan: Sequence[_Place], numbers: dict[Cell, int], at: int, *, used: int, spare: int, most: int
) -> Iterator[None]:
    """Yield once for every lawful filling, which then stands in `numbers`. used: a bit for each sum that is there."""
    if at == len(plan):
        yield
        return
    place = plan[at]
    free = (2 << most) - 2 & ~used
    if not spare and not _adds_up(place, numbers, free):
        return
    rests = [0, *(sum(numbers[cell] for cell in others) for others in place.others)]
    # A bit for each sum that the number 0 would make here: shifted, the sums of any number. Of equal ones all but one
    # are spent whatever the number is.
    bits = sum(1 << rest for rest in set(rests))
    left = spare - (len(rests) - len(set(rests)))
    before = {numbers[p.cell] for p in plan[:at]}
    least = 1 + max((numbers[cell] for cell in place.above), default=0)
    tried: Sequence[int] = range(least, most + 1)
    if at + 1 == len(plan) and free:
        # With the last cell the least number still missing must come out.
        wanted = (free & -free).bit_length() - 1
        tried = sorted({wanted - rest for rest in rests if wanted - rest >= least})
    for number in tried:
        new = bits << number
        spent = (new & ~free).bit_count()
        if spent <= left and number not in before:
            numbers[place.cell] = number
            yield from _filled(plan, numbers, at + 1, used=used | (new & free), spare=left - spent, most=most)


def _adds_up(place: _Place, numbers: dict[Cell, int], free: int) -> bool:
    """Tell whether the sums still to come can be just the numbers still missing, as they must be without a spare.

    Both have one total; what empty cells add to it is a multiple of `step`.
    """
    known = sum(times * numbers[cell] for cell, times in place.known)
    return (_total(free) - known) % place.step == 0


def _total(bits: int) -> int:
    """Return the sum of the numbers whose bits are set."""
    # In two parts, of which there are few enough to add up each once: the search asks for nearly every number it tries.
    low, high = bits & (1 << HALF) - 1, bits >> HALF
    return _added_up(low) + _added_up(high) + HALF * high.bit_count()


@cache
def _added_up(bits: int) -> int:
    return sum(number for number in range(bits.bit_length()) if bits >> number & 1)


def reached(grid: Grid) -> dict[int, tuple[Cell, ...]]:
    """Return the numbers from 1 to the score, each with cells whose sum it is."""
    found = sums(grid)
    return {number: found[number] for number in range(1, score(grid) + 1)}
