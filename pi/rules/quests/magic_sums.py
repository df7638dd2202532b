"""Magic sums (RULES.md 1, solitaire quests): 5 x 8, the eight column sums all different and consecutive.

All tiles sum to 180, so the sums can only be 19 ... 26. `no_repeats_in_rows` is the harder form: no number
twice in a row.

**The harder form is never out of reach.** Take any solution of the easy form. Its columns and the numbers make a graph:
an edge for each tile, five at every column, four at every number. By Koenig's theorem its edges can be coloured with
five colours so that no two of one colour meet; let the colours be the rows. So every solution can be made one of the
harder form by moving tiles up and down within their columns alone. (Not so with tiles that must stay where they lie.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations_with_replacement, permutations

from pi.rules.quests.errors import GaveUp
from pi.rules.quests.hinting import next_tile
from pi.rules.quests.laying import Fault, Hint, Laying, Tile, where
from pi.rules.quests.search import Budget, Item, covers, mixed, with_restarts
from pi.rules.quests.tiles import EACH, coloured, numbers_left, placed_wrong, set_faults
from pi.rules.values import EMPTY, Cell

NAME, TITLE = "magic-sums", "Magic sums"
SOURCE = "RULES.md 1, Solitaire quests, Magic sums"
SHAPE = (5, 8)
SUMS = tuple(range(19, 27))
"""The only eight different consecutive numbers that add up to 180."""
TRIES = (200, 200, 400, 400, 800)
"""Choices of columns tried by one attempt after the other, and steps spent on the rows of each choice (harder form;
with bare columns 40 steps are enough)."""
PASSED_OVER = 10
"""Choices of columns that one costs whose rows took too long."""
Numbers = tuple[int, ...]


def check(laying: Laying, *, no_repeats_in_rows: bool = False) -> tuple[Fault, ...]:
    """Return everything that is wrong; () for a solution. A column counts once all its places hold a number."""
    faults = set_faults(laying, shape=SHAPE)
    if not laying.has(SHAPE):
        return faults
    repeats = tuple(_repeats(laying)) if no_repeats_in_rows else ()
    return (*faults, *_sums(laying), *repeats)


def column_sums(laying: Laying) -> dict[int, int]:
    """Return the sum of every column that is full, by column from 0."""
    columns = {c: [row[c] for row in laying.rows] for c in range(SHAPE[1])}
    return {c: sum(int(t.symbol) for t in tiles) for c, tiles in columns.items() if all(t.is_number for t in tiles)}


def _sums(laying: Laying) -> Iterator[Fault]:
    first: dict[int, int] = {}
    for column, total in column_sums(laying).items():
        if total not in SUMS:
            said = f"Column {column + 1} adds up to {total} (expected {SUMS[0]} to {SUMS[-1]})."
            yield Fault(_column(column), said)
        elif total in first:
            said = f"Columns {first[total] + 1} and {column + 1} both add up to {total}."
            yield Fault((*_column(first[total]), *_column(column)), said)
        first.setdefault(total, column)


def _column(column: int) -> tuple[Cell, ...]:
    return tuple((row, column) for row in range(SHAPE[0]))


def _repeats(laying: Laying) -> Iterator[Fault]:
    for r, row in enumerate(laying.rows):
        for number in dict.fromkeys(tile.symbol for tile in row if tile.is_number):
            cells = tuple((r, c) for c, tile in enumerate(row) if tile.symbol == number)
            if len(cells) > 1:
                yield Fault(cells, f"{number} lies twice in row {r + 1}: in {' and in '.join(map(where, cells))}.")


def solve(
    start: Laying | None = None, *, no_repeats_in_rows: bool = False, seed: int = 0, tries: Sequence[int] = TRIES
) -> Laying | None:
    """Return a solution that keeps what already lies there; None when there is none.

    seed: another one gives another solution. tries: see `with_restarts`. Raises GaveUp when none of them ends.
    """
    start = start or Laying.empty(SHAPE)
    if placed_wrong(check(start, no_repeats_in_rows=no_repeats_in_rows), start):
        return None

    found = with_restarts(lambda order, b: _Search(start, no_repeats_in_rows, order, b).first(), seed=seed, tries=tries)
    return None if found is None else coloured(found, start=start)


def hint(laying: Laying, *, no_repeats_in_rows: bool = False, seed: int = 0) -> Hint | None:
    """Return the next right step; None when nothing is missing or wrong."""
    return next_tile(
        laying,
        check=partial(check, no_repeats_in_rows=no_repeats_in_rows),
        complete=partial(solve, no_repeats_in_rows=no_repeats_in_rows, seed=seed),
    )


@lru_cache(maxsize=256)
def fillings(places: int, total: int) -> tuple[Numbers, ...]:
    """Return every way to fill so many places of a column with numbers of that sum, numbers ascending."""
    if places == 0:
        return ((),) if total == 0 else ()
    several = combinations_with_replacement(range(10), places)
    return tuple(numbers for numbers in several if sum(numbers) == total and max(Counter(numbers).values()) <= EACH)


def in_rows(columns: Sequence[Numbers]) -> tuple[Numbers, ...]:
    """Return five rows without repeats that hold the columns' numbers: Koenig's theorem, made by exchanging two rows.

    columns: eight times five numbers, each number at most five times. A tile takes a row that is free in its column
    and one that is free of its number; where these differ, the path along which they alternate changes sides.
    """
    at_column: list[dict[int, int]] = [{} for _ in columns]  # row -> number
    at_number: dict[int, dict[int, int]] = {n: {} for n in range(10)}  # row -> column
    for column, numbers in enumerate(columns):
        for number in numbers:
            free = next(r for r in range(SHAPE[0]) if r not in at_column[column])
            other = next(r for r in range(SHAPE[0]) if r not in at_number[number])
            if free != other:
                _exchange(at_column, at_number, column, (free, other))
            at_column[column][other] = number
            at_number[number][other] = column
    return tuple(tuple(at[row] for at in at_column) for row in range(SHAPE[0]))


def _exchange(
    at_column: list[dict[int, int]], at_number: dict[int, dict[int, int]], column: int, rows: tuple[int, int]
) -> None:
    """Make rows[1] free in the column: the tiles that alternate between both rows, from there on, change rows."""
    path: list[tuple[int, int, int]] = []  # row, column, number
    here, turn = column, 1
    while (number := at_column[here].get(rows[turn])) is not None:
        path.append((rows[turn], here, number))
        if (following := at_number[number].get(rows[1 - turn])) is None:
            break
        path.append((rows[1 - turn], following, number))
        here = following
    for row, c, n in path:
        del at_column[c][row], at_number[n][row]
    for row, c, n in path:
        to = rows[1] if row == rows[0] else rows[0]
        at_column[c][to], at_number[n][to] = n, c


@dataclass(slots=True)
class _Search:
    """First which numbers each column gets, the fullest column first; then, if need be, in which rows."""

    start: Laying
    harder: bool
    seed: int
    budget: Budget
    passed_over: bool = False
    """Whether some columns were left because their rows took too long: then "none" proves nothing."""

    def first(self) -> Laying | None:
        """Return the first solution; None when there is none. Raises GaveUp when neither is certain."""
        found = next(self.layings(), None)
        if found is None and self.passed_over:
            raise GaveUp("the rows of some columns took too long to try (expected a layout with fewer tiles)")
        return found

    def layings(self) -> Iterator[Laying]:
        fixed = column_sums(self.start)
        still = [c for c in range(SHAPE[1]) if c not in fixed]
        still.sort(key=lambda c: sum(row[c].is_number for row in self.start.rows), reverse=True)
        sums = [total for total in SUMS if total not in fixed.values()]
        for columns in self._columns(still, sums, numbers_left(self.start), {}):
            laying = self._with_rows(columns) if self.harder else self._as_it_comes(columns)
            if laying is not None:
                yield laying

    def _columns(
        self, still: Sequence[int], sums: Sequence[int], left: Counter[str], done: dict[int, Numbers]
    ) -> Iterator[dict[int, Numbers]]:
        if not still:
            yield done
            return
        column, *others = still
        there = [int(row[column].symbol) for row in self.start.rows if row[column].is_number]
        choices = [(s, n) for s in sums for n in fillings(SHAPE[0] - len(there), s - sum(there))]
        for total, numbers in mixed(choices, seed=self.seed * 16 + column):
            needed = Counter(map(str, numbers))
            if any(left[n] < times for n, times in needed.items()):
                continue
            if self.harder and not self._fits(column, needed):
                continue
            self.budget.spend()
            after = Counter(left)
            after.subtract(needed)
            yield from self._columns(others, [s for s in sums if s != total], after, {**done, column: numbers})

    def _fits(self, column: int, needed: Counter[str]) -> bool:
        """Tell whether some order of the numbers repeats nothing that lies in their rows already."""
        rows = [{tile.symbol for tile in row} for row in self.start.rows if row[column].symbol == EMPTY]
        return any(
            all(number not in row for number, row in zip(order, rows, strict=True))
            for order in permutations(needed.elements())
        )

    def _as_it_comes(self, columns: dict[int, Numbers]) -> Laying:
        tiles: dict[Cell, Tile] = {}
        for column, numbers in columns.items():
            free = [r for r in range(SHAPE[0]) if self.start.at((r, column)).symbol == EMPTY]
            order = mixed(numbers, seed=self.seed * 16 + column)
            tiles.update({(r, column): Tile(str(n)) for r, n in zip(free, order, strict=True)})
        return self.start.changed(tiles)

    def _with_rows(self, columns: dict[int, Numbers]) -> Laying | None:
        """Return the columns' numbers in rows without repeats; None when this cannot be, or not soon."""
        if not self.start.laid():
            rows = in_rows([columns[c] for c in range(SHAPE[1])])
            return self.start.changed({(r, c): Tile(str(n)) for r, row in enumerate(rows) for c, n in enumerate(row)})
        there = {(cell[0], tile.symbol) for cell, tile in self.start.laid().items()}
        empty = [cell for cell, tile in self.start.cells().items() if tile.symbol == EMPTY]
        pieces = [(c, i, str(n)) for c, numbers in columns.items() for i, n in enumerate(numbers)]
        every = [
            (cell, piece)
            for piece in pieces
            for cell in empty
            if cell[1] == piece[0] and (cell[0], piece[2]) not in there
        ]
        options = mixed(every, seed=self.seed)
        items: list[tuple[Item, ...]] = [
            (("cell", cell), ("piece", piece), ("row", cell[0], piece[2])) for cell, piece in options
        ]
        primary: list[Item] = [*(("cell", cell) for cell in empty), *(("piece", piece) for piece in pieces)]
        try:
            cover = next(covers(items, primary=primary, budget=Budget(self.budget.steps)), None)
        except GaveUp:
            self.passed_over = True  # other columns may be easier
            self.budget.spend(PASSED_OVER)
            return None
        return None if cover is None else self.start.changed({options[i][0]: Tile(options[i][1][2]) for i in cover})
