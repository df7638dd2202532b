"""No-Runs (RULES.md 1, solitaire quests): all 40 tiles in 4 x 10 without any run, in rows or columns.

Ruling: colours may mix, and lines wrap.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, partial

from pi.rules.quests.hinting import next_tile
from pi.rules.quests.laying import Fault, Hint, Laying, Tile, where
from pi.rules.quests.search import TRIES, Budget, mixed, with_restarts
from pi.rules.quests.tiles import coloured, numbers_left, placed_wrong, set_faults
from pi.rules.runs import Triple, Variant, is_run, triples
from pi.rules.values import EMPTY, NUMBERS, Cell

NAME, TITLE = "no-runs", "No-Runs"
SOURCE = "RULES.md 1, Solitaire quests, No-Runs"
SHAPE = (4, 10)
LINES = Variant(vertical=True)
TRIPLES: tuple[Triple, ...] = triples(Laying.empty(SHAPE).board(), variant=LINES)
"""Every three places that could hold a run."""


def check(laying: Laying) -> tuple[Fault, ...]:
    """Return everything that is wrong; () for a solution."""
    faults = set_faults(laying, shape=SHAPE)
    if not laying.has(SHAPE):
        return faults
    return (*faults, *(_fault(triple, laying) for triple in _runs(laying)))


def _runs(laying: Laying) -> list[Triple]:
    symbols = {cell: tile.symbol for cell, tile in laying.cells().items()}
    return [t for t in TRIPLES if is_run(symbols[t[0]], symbols[t[1]], symbols[t[2]])]


def _fault(triple: Triple, laying: Laying) -> Fault:
    numbers = " ".join(laying.at(cell).symbol for cell in triple)
    row, column = triple[0]
    line = f"row {row + 1}" if triple[1][0] == row else f"column {column + 1}"
    return Fault(tuple(sorted(triple)), f"{numbers} is a run in {line}, in the middle of it {where(triple[1])}.")


def solve(start: Laying | None = None, *, seed: int = 0, tries: Sequence[int] = TRIES) -> Laying | None:
    """Return a solution that keeps what already lies there; None when there is none.

    seed: another one gives another solution. tries: see `with_restarts`. Raises GaveUp when none of them ends.
    """
    start = start or Laying.empty(SHAPE)
    if placed_wrong(check(start), start):
        return None
    found = with_restarts(lambda order, budget: _complete(start, order, budget), seed=seed, tries=tries)
    return None if found is None else coloured(start.changed(found), start=start)


def hint(laying: Laying, *, seed: int = 0) -> Hint | None:
    """Return the next right step; None when nothing is missing or wrong."""
    return next_tile(laying, check=check, complete=partial(solve, seed=seed))


_AROUND: dict[Cell, list[tuple[int, Cell, Cell]]] = defaultdict(list)
"""For each cell the triples that it is in: which of their three it is, and the two others."""
for _triple in TRIPLES:
    for _place, _cell in enumerate(_triple):
        _one, _other = (c for c in _triple if c != _cell)
        _AROUND[_cell].append((_place, _one, _other))


def _complete(start: Laying, seed: int, budget: Budget) -> Mapping[Cell, Tile] | None:
    symbols = {cell: tile.symbol for cell, tile in start.cells().items()}
    # The same numbers in front everywhere would use one number up after the other: each place has its own order.
    orders = {cell: mixed(NUMBERS, seed=seed * 64 + place) for place, cell in enumerate(symbols)}
    still = [cell for cell, symbol in symbols.items() if symbol == EMPTY]
    if not _fill(symbols, still, numbers_left(start), orders, budget):
        return None
    return {cell: Tile(symbols[cell]) for cell in still}


def _fill(
    symbols: dict[Cell, str], still: list[Cell], left: Counter[str], orders: Mapping[Cell, list[str]], budget: Budget
) -> bool:
    if not still:
        return True
    allowed = {cell: _allowed(symbols, cell, left, orders[cell]) for cell in still}
    cell = min(still, key=lambda c: len(allowed[c]))
    # The most plentiful number first: what is scarce stays for places that can take nothing else.
    for number in sorted(allowed[cell], key=lambda n: -left[n]):
        budget.spend()
        symbols[cell] = number
        left[number] -= 1
        if _fill(symbols, [c for c in still if c != cell], left, orders, budget):
            return True
        symbols[cell] = EMPTY
        left[number] += 1
    return False


def _allowed(symbols: Mapping[Cell, str], cell: Cell, left: Counter[str], order: Sequence[str]) -> list[str]:
    """Return the numbers that are left and make no run in a cell, in their order."""
    around = (_barred(place, symbols[one], symbols[other]) for place, one, other in _AROUND[cell])
    barred: set[str] = set().union(*around)
    return [number for number in order if left[number] and number not in barred]


@cache
def _barred(place: int, one: str, other: str) -> frozenset[str]:
    """Return the numbers that make a run of three with two others; place: which of the three it is, 0 to 2."""
    found = set()
    for number in NUMBERS:
        three = [one, other]
        three.insert(place, number)
        if is_run(three[0], three[1], three[2]):
            found.add(number)
    return frozenset(found)
