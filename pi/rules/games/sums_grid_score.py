"""Sums 1...m by Leroy Quet (2011): what a grid of different numbers is worth (RULES.md 4): pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, count

from pi.rules.values import Cell

SOURCE = "Sums 1 to m by Leroy Quet"
BEST_KNOWN = {3: 26}
"""The most that is possible, where it is known: 26 on 3x3 (exhaustive search, RULES.md 4)."""

Grid = Sequence[Sequence[int]]


def sums(grid: Grid) -> dict[int, tuple[Cell, ...]]:
    """Return every sum of neighbours in a row or a column, each with the first cells that make it."""
    found: dict[int, tuple[Cell, ...]] = {}
    for line in _lines(grid):
        for start in range(len(line)):
            totals = accumulate(grid[row][column] for row, column in line[start:])
            for length, total in enumerate(totals, start=1):
                found.setdefault(total, tuple(line[start : start + length]))
    return found


def _lines(grid: Grid) -> Iterator[list[Cell]]:
    for row, numbers in enumerate(grid):
        yield [(row, column) for column in range(len(numbers))]
    for column in range(len(grid[0])):
        yield [(row, column) for row in range(len(grid))]


def score(grid: Grid) -> int:
    """Return the largest m such that 1...m all occur as sums.

    >>> score([[2, 9, 8], [3, 1, 10], [7, 6, 15]])
    19
    """
    there = sums(grid)
    return next(m for m in count(1) if m not in there) - 1


def grid_problem(grid: Grid) -> str | None:
    """Return why numbers are not an n x n grid of different positive integers; None when they are."""
    if not grid:
        return "The grid has no rows."
    seen: dict[int, Cell] = {}
    for row, numbers in enumerate(grid):
        if len(numbers) != len(grid):
            return f"Row {row + 1} holds {len(numbers)} numbers (expected {len(grid)}: the grid is square)."
        for column, number in enumerate(numbers):
            where = f"row {row + 1} column {column + 1}"
            if number < 1:
                return f"{number} in {where} is not a positive number."
            if number in seen:
                first = seen[number]
                return f"{number} in {where} lies in row {first[0] + 1} column {first[1] + 1} already."
            seen[number] = (row, column)
    return None
