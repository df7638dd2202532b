"""Most-Runs (RULES.md 1, solitaire quests): rows by colour, the last two tiles of each row taken out, then inserted
anywhere in their own row to make the most runs (rows only; lines wrap).

Eight tiles stay in their order and two come anywhere between them: choose 2 of 10 places and which tile comes first,
90 ways a row. Rows share no run in this quest, so the best board is four best rows, found by looking at all 360.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations

from pi.rules.quests.errors import BadLaying
from pi.rules.quests.laying import Fault, Hint, Laying, Tile, where
from pi.rules.quests.tiles import placed_wrong, set_faults
from pi.rules.runs import is_run
from pi.rules.values import EMPTY, NUMBERS

NAME, TITLE = "most-runs", "Most-Runs"
SOURCE = "RULES.md 1, Solitaire quests, Most-Runs"
SHAPE = (4, 10)
KEPT = 8
"""Tiles of each row that keep their order."""
Row = tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Best:
    """The most that can be made of what was dealt."""

    runs: int
    by_row: tuple[int, ...]
    laying: Laying
    """One way to reach it."""


def check(laying: Laying, *, dealt: Laying) -> tuple[Fault, ...]:
    """Return everything that is unlawful about a layout; () for one that counts, however few its runs.

    dealt: what lay there, whole rows of ten or already without the last two. Raises BadLaying for a deal that is none.
    """
    eights = kept(dealt)
    faults = set_faults(laying, shape=SHAPE)
    if not laying.has(SHAPE):
        return faults
    return (*faults, *(f for r in range(SHAPE[0]) if (f := _row_fault(r, laying.rows[r], eights[r]))))


def _row_fault(number: int, row: Row, eight: Row) -> Fault | None:
    symbols = [tile.symbol for tile in row]
    cells = tuple((number, c) for c in range(len(row)))
    if EMPTY in symbols:
        return None  # said already
    if doubled := [s for s in NUMBERS if symbols.count(s) > 1]:
        places = tuple((number, c) for c, s in enumerate(symbols) if s == doubled[0])
        return Fault(places, f"{doubled[0]} lies twice in row {number + 1}: in {' and in '.join(map(where, places))}.")
    stayed = [tile.symbol for tile in eight]
    if [s for s in symbols if s in stayed] != stayed:
        return Fault(cells, f"The tiles of row {number + 1} have left their order ({' '.join(stayed)}).")
    return None


def kept(dealt: Laying) -> tuple[Row, ...]:
    """Return the eight tiles of each row that keep their order; raises BadLaying."""
    if not (dealt.has(SHAPE) or dealt.has((SHAPE[0], KEPT))):
        raise BadLaying(f"the deal is not {SHAPE[0]} rows of {SHAPE[1]} (or of {KEPT}, the last two taken out)")
    for number, row in enumerate(dealt.rows, start=1):
        symbols = [tile.symbol for tile in row]
        if any(not tile.is_number for tile in row) or len(set(symbols)) < len(symbols):
            raise BadLaying(f"row {number} of the deal is {' '.join(symbols)} (expected different numbers, face up)")
    return tuple(row[:KEPT] for row in dealt.rows)


def set_aside(dealt: Laying) -> tuple[tuple[str, str], ...]:
    """Return the two numbers of each row that are to be inserted: those its colour still lacks."""
    rows = ([n for n in NUMBERS if n not in {tile.symbol for tile in row}] for row in kept(dealt))
    return tuple((first, second) for first, second in rows)


def row_runs(symbols: tuple[str, ...]) -> int:
    """Return the runs of one row; its ends meet.

    >>> row_runs(tuple("1287635490"))
    3
    """
    n = len(symbols)
    return sum(is_run(symbols[i], symbols[(i + 1) % n], symbols[(i + 2) % n]) for i in range(n))


def runs(laying: Laying) -> tuple[int, ...]:
    """Return the runs of each row."""
    return tuple(row_runs(tuple(tile.symbol for tile in row)) for row in laying.rows)


def best_row(eight: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Return the most runs that eight numbers and the two they lack can make, and the first such row."""
    others = tuple(n for n in NUMBERS if n not in eight)
    return max(((row_runs(row), row) for row in insertions(eight, others)), key=lambda x: x[0])


def insertions(eight: tuple[str, ...], others: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return all 90 rows that keep the eight in order."""
    rows = []
    for places in combinations(range(len(eight) + len(others)), len(others)):
        for pair in permutations(others):
            row = list(eight)
            for place, number in zip(places, pair, strict=True):
                row.insert(place, number)
            rows.append(tuple(row))
    return rows


def best(dealt: Laying) -> Best:
    """Return the most runs possible and a layout that has them; exact, a few milliseconds. Raises BadLaying."""
    found = [best_row(tuple(tile.symbol for tile in row)) for row in kept(dealt)]
    rows = []
    for (_, row), eight in zip(found, kept(dealt), strict=True):
        names = {tile.colour for tile in eight}
        colour = names.pop() if len(names) == 1 else ""
        there = {tile.symbol: tile for tile in eight}
        rows.append(tuple(there.get(n, Tile(n, colour)) for n in row))
    return Best(sum(runs for runs, _ in found), tuple(runs for runs, _ in found), Laying(tuple(rows)))


def hint(laying: Laying, *, dealt: Laying) -> Hint | None:
    """Return where one of the two tiles of a row belongs that does not make its most yet; None when all do.

    laying: as it lies now, rows of ten; or of eight, when nothing was inserted yet.
    """
    most = best(dealt)
    if laying.has(SHAPE) and not placed_wrong(check(laying, dealt=dealt), laying):
        have = runs(laying)
    else:
        have = (-1,) * SHAPE[0]
    for r, wanted in enumerate(most.by_row):
        if have[r] < wanted:
            first = set_aside(dealt)[r]
            cell, tile = next(((r, c), t) for c, t in enumerate(most.laying.rows[r]) if t.symbol in first)
            left = most.laying.rows[r][cell[1] - 1].said() if cell[1] else None
            beside = f"to the right of the {left}" if left else "at the left end"
            made = "1 run" if wanted == 1 else f"{wanted} runs"
            return Hint(cell, tile, f"Row {r + 1} can make {made}: put the {tile.said()} {beside}.")
    return None
