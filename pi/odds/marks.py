"""The runs that may still come about on a half-open board, as marks (see `pi.odds.marked`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from pi.odds.batch import grid_of
from pi.odds.stock import WILD_KIND, Stock
from pi.odds.wild_marks import Label, joined, wilds_of
from pi.rules.runs import Variant
from pi.rules.values import DOWN, EMPTY, NUMBERS, WILD, Board

Wants = tuple[tuple[int, int], ...]
"""Tiles that hidden places must hold: (place, kind), ascending."""
Mark = tuple[Wants, Counter[Label]]
"""Runs that come about together, with the same tiles in hidden places; by what of wilds they need."""


def marks_of(board: Board, stock: Stock, *, variant: Variant) -> tuple[list[Mark], Counter[Label]]:
    """Return all marks, and the runs that need no hidden tile."""
    symbols = list(board.cells().values())
    marks: dict[Wants, Counter[Label]] = {(): Counter()}
    for triple in grid_of(board, variant=variant).triples:
        for wants, label in _open_runs(triple, symbols, stock):
            marks.setdefault(wants, Counter())[label] += 1
    sure = marks.pop(())
    return list(marks.items()), sure


def touched(mark: Mark) -> set[int]:
    """Return the hidden places that a mark asks for and the wilds it gives numbers to."""
    return {place for place, _ in mark[0]} | wilds_of(*mark[1])


def apart(marks: Sequence[Mark], sure: Counter[Label]) -> list[tuple[list[Mark], set[int]]]:
    """Return the marks in groups that share neither a hidden place nor linked wilds, with the places of each."""
    places = [touched(mark) for mark in marks]
    groups = joined([*places, *(wilds for label in sure if (wilds := wilds_of(label)))])
    return [([m for m, own in zip(marks, places, strict=True) if own & group], group) for group in groups]


def _open_runs(triple: tuple[int, int, int], symbols: Sequence[str], stock: Stock) -> Iterator[tuple[Wants, Label]]:
    """Yield every run that three places hold or may still come to hold: what it asks for, and what of wilds."""
    there = [symbols[place] for place in triple]
    if EMPTY in there:
        return
    known = next(((i, int(symbol)) for i, symbol in enumerate(there) if symbol in NUMBERS), None)
    may = [_may_be(place, symbol, stock) for place, symbol in zip(triple, there, strict=True)]
    for way in (1, -1):
        for first in range(10) if known is None else ((known[1] - way * known[0]) % 10,):
            numbers = [(first + way * i) % 10 for i in range(3)]
            for choice in product(*(some[number] for some, number in zip(may, numbers, strict=True))):
                wants = tuple(sorted((place, kind) for place, kind, hidden in choice if hidden))
                wild = [(p, n) for (p, kind, _), n in zip(choice, numbers, strict=True) if kind == WILD_KIND]
                if len(wild) < 2 or _in_stock(wants, stock):
                    yield wants, tuple(sorted(wild))


def _may_be(place: int, symbol: str, stock: Stock) -> list[list[tuple[int, int, bool]]]:
    """Return, for each number, the tiles with which a place can take part: (place, kind, whether it lies face down)."""
    if symbol == WILD:
        return [[(place, WILD_KIND, False)]] * 10
    if symbol != DOWN:
        return [[(place, number, False)] if number == int(symbol) else [] for number in range(10)]
    tiles = stock.tiles[stock.colour[place]]
    return [[(place, kind, True) for kind in (number, WILD_KIND) if tiles[kind]] for number in range(10)]


def _in_stock(wants: Wants, stock: Stock) -> bool:
    """Tell whether there are so many wilds: the numbers of a run are never the same."""
    asked = Counter((stock.colour[place], kind) for place, kind in wants)
    return all(many <= stock.many(tile) for tile, many in asked.items())
