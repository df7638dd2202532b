"""The Latin array (RULES.md 1, solitaire quests): 4 x 10, no number twice in a row or column, no colour twice in any
diagonal (both directions, all lengths; diagonals do not wrap).

Solved as an exact cover: every option is a tile in a place; each place, each tile, each number of each row and each
colour of a diagonal of four is covered exactly once, each number of a column and colour of a shorter diagonal at most
once. (That a diagonal of four must hold all colours follows; saying so makes the search some ten times faster.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from pi.rules.quests.hinting import next_tile
from pi.rules.quests.laying import Fault, Hint, Laying, Tile, deck, where
from pi.rules.quests.search import TRIES, Budget, Item, covers, mixed, with_restarts
from pi.rules.quests.tiles import names_of, placed_wrong, set_faults
from pi.rules.values import EMPTY, NUMBERS, Cell

NAME, TITLE = "latin", "The Latin array"
SOURCE = "RULES.md 1, Solitaire quests, Latin array"
SHAPE = (4, 10)


def check(laying: Laying) -> tuple[Fault, ...]:
    """Return everything that is wrong; () for a solution."""
    faults = set_faults(laying, shape=SHAPE, coloured=True)
    if not laying.has(SHAPE):
        return faults
    return (
        *faults,
        *_twice(laying, lambda c: c[0], lambda t: t.symbol, "{what} lies twice in row {line}: in {cells}."),
        *_twice(laying, lambda c: c[1], lambda t: t.symbol, "{what} lies twice in column {line}: in {cells}."),
        *_twice(laying, lambda c: c[1] - c[0], lambda t: t.colour, "Two {what} tiles lie on one diagonal: in {cells}."),
        *_twice(laying, lambda c: c[1] + c[0], lambda t: t.colour, "Two {what} tiles lie on one diagonal: in {cells}."),
    )


def _twice(
    laying: Laying, line_of: Callable[[Cell], int], mark_of: Callable[[Tile], str], sentence: str
) -> Iterator[Fault]:
    lines: dict[tuple[int, str], list[Cell]] = defaultdict(list)
    for cell, tile in laying.laid().items():
        if tile.is_number and mark_of(tile):
            lines[line_of(cell), mark_of(tile)].append(cell)
    for (line, mark), cells in lines.items():
        if len(cells) > 1:
            places = " and in ".join(map(where, cells))
            yield Fault(tuple(cells), sentence.format(what=mark, line=line + 1, cells=places))


def solve(start: Laying | None = None, *, seed: int = 0, tries: Sequence[int] = TRIES) -> Laying | None:
    """Return a solution that keeps what already lies there; None when there is none.

    seed: another one gives another solution. tries: see `with_restarts`. Raises GaveUp when none of them ends.
    """
    start = start or Laying.empty(SHAPE)
    if placed_wrong(check(start), start):
        return None
    return with_restarts(lambda order, budget: _complete(start, order, budget), seed=seed, tries=tries)


def hint(laying: Laying, *, seed: int = 0) -> Hint | None:
    """Return the next right step; None when nothing is missing or wrong."""
    return next_tile(laying, check=check, complete=partial(solve, seed=seed))


def _complete(start: Laying, seed: int, budget: Budget) -> Laying | None:
    laid = start.laid()
    taken = set(laid.values())
    free = [tile for tile in deck(names_of(start)) if tile not in taken]
    empty = [cell for cell, tile in start.cells().items() if tile.symbol == EMPTY]
    barred = {item for cell, tile in laid.items() for item in _items(cell, tile)}
    every = [(cell, tile) for tile in free for cell in empty if not barred.intersection(_items(cell, tile))]
    options = mixed(every, seed=seed)
    primary = [
        *(("cell", cell) for cell in empty),
        *(("tile", tile) for tile in free),
        *(item for item in _once(names_of(start)) if item not in barred),
    ]
    cover = next(covers([_items(*option) for option in options], primary=primary, budget=budget), None)
    return None if cover is None else start.changed(dict(options[number] for number in cover))


def _once(colours: Iterable[str]) -> Iterator[Item]:
    """Yield what a solution holds exactly once: a row's ten numbers, and the colours of a diagonal of four places."""
    rows, columns = SHAPE
    yield from (("row", row, number) for row in range(rows) for number in NUMBERS)
    for colour in colours:
        for first in range(columns - rows + 1):
            yield "falling", first, colour
            yield "rising", first + rows - 1, colour


def _items(cell: Cell, tile: Tile) -> tuple[Item, ...]:
    row, column = cell
    return (
        ("cell", cell),
        ("tile", tile),
        ("row", row, tile.symbol),
        ("column", column, tile.symbol),
        ("falling", column - row, tile.colour),
        ("rising", column + row, tile.colour),
    )
