"""Blob by Leroy Quet (2011): whether a grid is lawful, and what it is worth (RULES.md 4): pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

from pi.rules.values import Cell

SOURCE = "Blob by Leroy Quet"


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a grid that score."""

    rows: tuple[int, ...]
    """Player 1's, from 0."""
    columns: tuple[int, ...]
    """Player 2's, from 0."""

    @property
    def points(self) -> tuple[int, int]:
        """(player 1's, player 2's): one for each line."""
        return len(self.rows), len(self.columns)


def squares_each(size: int) -> int:
    """Return how many squares either player fills on a grid of size x size: floor(n*n/4)."""
    return size * size // 4


def run_lengths(line: Sequence[bool]) -> tuple[int, ...]:
    """Return the lengths of a line's runs, filled ones and empty ones.

    >>> run_lengths([False, False, True, False])
    (2, 1, 1)
    """
    return tuple(len(list(run)) for _, run in groupby(line))


def line_scores(line: Sequence[bool]) -> bool:
    """Tell whether every run length of a line divides or is a multiple of every other (RULES.md 4)."""
    return all(max(a, b) % min(a, b) == 0 for a, b in combinations(run_lengths(line), 2))


def scoring_lines(filled: Collection[Cell], *, size: int) -> Lines:
    """Return the lines that score on a grid whose `filled` cells are filled."""
    places = range(size)
    return Lines(
        tuple(r for r in places if line_scores([(r, c) in filled for c in places])),
        tuple(c for c in places if line_scores([(r, c) in filled for r in places])),
    )


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """Return the four cells above, below, left and right (those off the grid, too)."""
    row, column = cell
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def fill_problem(filled: Collection[Cell], cell: Cell, *, size: int) -> str | None:
    """Return why a square may not be filled now; None when it may."""
    where = f"row {cell[0] + 1} column {cell[1] + 1}"
    if not (0 <= cell[0] < size and 0 <= cell[1] < size):
        return f"There is no {where} on a grid of {size}."
    if cell in filled:
        return f"The square in {where} is filled already."
    if filled and not any(n in filled for n in neighbours(cell)):
        return f"The square in {where} is not next to a filled one (diagonally does not count)."
    return None


def grid_problem(filled: Collection[Cell], *, size: int) -> str | None:
    """Return why a game cannot have ended with this grid; None when it can.

    Each square is filled next to a filled one, so the filled squares hang together; and any squares that
    hang together can be filled in some order from any one of them.
    """
    expected = 2 * squares_each(size)
    if len(filled) != expected:
        return f"{len(filled)} squares are filled (expected {expected}: {squares_each(size)} each)."
    cut_off = _cut_off(filled)
    if cut_off:
        row, column = min(cut_off)
        return f"The filled squares do not hang together: row {row + 1} column {column + 1} is cut off."
    return None


def _cut_off(filled: Collection[Cell]) -> set[Cell]:
    """Return the filled cells that do not hang together with the first one."""
    left = set(filled)
    reached = [min(left)] if left else []
    left -= set(reached)
    while reached:
        near = left.intersection(neighbours(reached.pop()))
        left -= near
        reached += near
    return left
