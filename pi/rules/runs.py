"""The runs on a board, for every variant; with wild tiles the set of attainable totals.

A run is three neighbouring cells of one line whose numbers go up by one or down by one; numbers wrap
(9 is next to 0); a longer straight counts each triple in it; a triple counts once, whichever way it is
read (RULES.md 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from pi.rules.errors import BadBoard
from pi.rules.values import NUMBERS, WILD, Board, Cell, Layout

Triple = tuple[Cell, Cell, Cell]
"""Three neighbouring cells in the order of their line."""
Assignment = dict[Cell, str]
"""A number for each wild tile."""

MOST_LINKED_WILDS = 6
"""More wilds that share lines than this would mean over a million assignments; the set holds four."""
_UP = frozenset(tuple(NUMBERS[(n + step) % 10] for step in range(3)) for n in range(10))
_RUNS = _UP | {run[::-1] for run in _UP}
"""The 20 triples of symbols that are runs: looked up, as searches ask by the million."""


@dataclass(frozen=True, slots=True)
class Variant:
    """Which lines of a board count."""

    elevator: bool = False
    """The end of any row also connects to the start of any row (RULES.md 1, `rows` only)."""
    vertical: bool = False
    """Columns count too."""
    wrap: bool = True
    """Lines close to rings."""


@dataclass(frozen=True, slots=True)
class Count:
    """What lies on a board: attainable totals, and how to reach each."""

    totals: tuple[int, ...]
    """Every attainable number of runs, ascending; exactly one without wilds."""
    runs: tuple[Triple, ...] | None
    """The runs, each with its cells sorted, in order; None for a board with wilds."""
    assignments: Mapping[int, Assignment]
    """For each total one assignment of the wilds that reaches it ({} without wilds)."""


def triples(board: Board, *, variant: Variant) -> tuple[Triple, ...]:
    """Return all triples of cells that could be a run, each once, whichever way it is read.

    On a ring of three the same cells make three triples (1 2 0 holds 0 1 2 across its ends); at most
    one of them can be a run, so no run is counted twice.

    Raises BadBoard when the variant is not defined for the layout (RULES.md 1: elevator is for rows).
    """
    if variant.elevator and board.layout is not Layout.ROWS:
        raise BadBoard(f"the elevator is not defined for {board.layout.value} (expected rows)")
    return _triples(board.layout, tuple(len(row) for row in board.rows), variant)


@lru_cache(maxsize=64)
def _triples(layout: Layout, lengths: tuple[int, ...], variant: Variant) -> tuple[Triple, ...]:
    blank = Board(layout, tuple((NUMBERS[0],) * n for n in lengths))
    found = [t for line in lines(blank, vertical=variant.vertical) for t in _along(line, variant.wrap)]
    if variant.elevator:
        found += _elevator([[c for c in blank.cells() if c[0] == r] for r in range(len(lengths))])
    return tuple(sorted({min(t, t[::-1]) for t in found}))


def lines(board: Board, *, vertical: bool) -> Iterator[list[Cell]]:
    """Yield the lines of a board: rows; columns with `vertical`; all four directions on the diamond."""
    cells = list(board.cells())
    directions: list[Callable[[Cell], int]] = [lambda c: c[0]]
    if vertical or board.layout is Layout.DIAMOND:
        directions.append(lambda c: c[1])
    if board.layout is Layout.DIAMOND:
        directions += [lambda c: c[0] - c[1], lambda c: c[0] + c[1]]
    for line_of in directions:
        for key in sorted({line_of(cell) for cell in cells}):
            yield [cell for cell in cells if line_of(cell) == key]


def _along(line: Sequence[Cell], wrap: bool) -> list[Triple]:
    n = len(line)
    if n < 3:
        return []  # a ring of two would meet itself
    starts = range(n) if wrap else range(n - 2)
    return [(line[i], line[(i + 1) % n], line[(i + 2) % n]) for i in starts]


def _elevator(rows: Sequence[Sequence[Cell]]) -> list[Triple]:
    # RULES.md 1: (last two of row i, first of row j) and (last of row i, first two of row j), for all i, j.
    long_rows = [row for row in rows if len(row) >= 3]
    return [t for a, b in product(long_rows, repeat=2) for t in ((a[-2], a[-1], b[0]), (a[-1], b[0], b[1]))]


def is_run(first: str, second: str, third: str) -> bool:
    """Tell whether three symbols, in order, go up by one or down by one around the clock of ten.

    >>> is_run("8", "9", "0"), is_run("6", "8", "7"), is_run("6", "#", "8")
    (True, False, False)
    """
    return (first, second, third) in _RUNS


def count(board: Board, *, variant: Variant | None = None) -> Count:
    """Count the runs on a board.

    With wild tiles every wild may be any number, so the count is a set of attainable totals, each with
    an assignment that reaches it. Raises BadBoard for a variant the layout does not know and for more
    linked wilds than MOST_LINKED_WILDS.
    """
    variant = variant or Variant()
    cells = board.cells()
    possible = triples(board, variant=variant)
    wilds = [cell for cell, symbol in cells.items() if symbol == WILD]
    if not wilds:
        runs = runs_among(possible, cells)
        return Count((len(runs),), runs, {len(runs): {}})
    ways = _attainable(cells, possible, wilds)
    return Count(tuple(sorted(ways)), None, ways)


def runs_among(possible: Iterable[Triple], cells: Mapping[Cell, str]) -> tuple[Triple, ...]:
    """Return those triples that are runs, cells sorted, in order."""
    found = (t for t in possible if is_run(cells[t[0]], cells[t[1]], cells[t[2]]))
    return tuple(sorted((min(t), sorted(t)[1], max(t)) for t in found))


def with_assignment(board: Board, assignment: Mapping[Cell, str]) -> Board:
    """Return the board with each wild replaced by its assigned number."""
    for cell, number in assignment.items():
        board = board.with_symbol(cell, number)
    return board


def _attainable(cells: Mapping[Cell, str], possible: Sequence[Triple], wilds: Sequence[Cell]) -> dict[int, Assignment]:
    touched = [t for t in possible if any(cells[c] == WILD for c in t)]
    fixed = len(runs_among((t for t in possible if t not in set(touched)), cells))
    ways: dict[int, Assignment] = {fixed: {}}
    for group in _linked(wilds, touched):
        own = [t for t in touched if any(c in group for c in t)]
        options = _group_totals(cells, own, group)
        # Groups share no triple, so their totals simply add up.
        ways = {total + more: {**done, **chosen} for total, done in ways.items() for more, chosen in options.items()}
    return ways


def _linked(wilds: Sequence[Cell], touched: Sequence[Triple]) -> list[list[Cell]]:
    groups: list[list[Cell]] = [[w] for w in wilds]
    for t in touched:
        inside = [g for g in groups if any(c in g for c in t)]
        if len(inside) > 1:
            groups = [g for g in groups if g not in inside] + [[c for g in inside for c in g]]
    return groups


def _group_totals(cells: Mapping[Cell, str], own: Sequence[Triple], group: Sequence[Cell]) -> dict[int, Assignment]:
    if len(group) > MOST_LINKED_WILDS:
        raise BadBoard(f"{len(group)} wild tiles share lines (expected at most {MOST_LINKED_WILDS})")
    filled = {c: cells[c] for t in own for c in t}
    options: dict[int, Assignment] = {}
    for numbers in product(NUMBERS, repeat=len(group)):
        filled.update(zip(group, numbers, strict=True))
        total = sum(is_run(filled[a], filled[b], filled[c]) for a, b, c in own)
        options.setdefault(total, dict(zip(group, numbers, strict=True)))
    return options
