"""The runs that may still come about on a half-open board, as marks (see `pi.odds.marked`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from pi.odds.batch import grid_of
from pi.odds.stock import WILD_KIND, Stock
from pi.odds.wild_marks import Label, joined, wilds_of
from pi.rules.runs import Variant
from pi.rules.values import DOWN, NUMBERS, WILD, Board

Wants = tuple[tuple[int, int], ...]
"""Tiles that hidden places must hold: (place, kind), ascending."""
Parts = list[list[tuple[Wants, Label]]]
"""Ways in which a place can take part in a run, by the number it is then: what it asks for, and what of wilds."""
Mark = tuple[Wants, Counter[Label]]
"""Runs that come about together, with the same tiles in hidden places; by what of wilds they need."""


def marks_of(board: Board, stock: Stock, *, variant: Variant) -> tuple[list[Mark], Counter[Label]]:
    """Return all marks, and the runs that need no hidden tile."""
    may = [_may_be(place, symbol, stock) for place, symbol in enumerate(board.cells().values())]
    marks: dict[Wants, Counter[Label]] = {(): Counter()}
    for triple in grid_of(board, variant=variant).triples:
        for wants, label in _open_runs([may[place] for place in triple]):
            if len(label) < 2 or _in_stock(wants, stock):
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


def _open_runs(may: Sequence[Parts]) -> Iterator[tuple[Wants, Label]]:
    """Yield every run that three places hold or may still come to hold: what it asks for, and what of wilds."""
    one, two, three = may
    for first in range(10):
        for way in (1, -1) if one[first] else ():
            for parts in product(one[first], two[(first + way) % 10], three[(first + 2 * way) % 10]):
                wants, label = (sum(some, ()) for some in zip(*parts, strict=True))
                yield tuple(sorted(wants)), tuple(sorted(label))


def _may_be(place: int, symbol: str, stock: Stock) -> Parts:
    """Return, for each number, how a place can take part with it: with what tile if hidden, and what of wilds."""
    if symbol in NUMBERS:
        return [[((), ())] if number == int(symbol) else [] for number in range(10)]
    if symbol == WILD:
        return [[((), ((place, number),))] for number in range(10)]
    if symbol != DOWN:
        return [[]] * 10
    tiles = stock.tiles[stock.colour[place]]
    found: Parts = [[(((place, number),), ())] if tiles[number] else [] for number in range(10)]
    if tiles[WILD_KIND]:
        for number, parts in enumerate(found):
            parts.append((((place, WILD_KIND),), ((place, number),)))
    return found


def _in_stock(wants: Wants, stock: Stock) -> bool:
    """Tell whether there are so many wilds: the numbers of a run are never the same."""
    asked = Counter((stock.colour[place], kind) for place, kind in wants)
    return all(many <= stock.many(tile) for tile, many in asked.items())
