"""Faults that every quest with tiles shares: shape, empty places, wilds, tiles that there cannot be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from pi.rules.quests.errors import BadLaying
from pi.rules.quests.laying import COLOURS, Fault, Laying, Tile, where
from pi.rules.values import EMPTY, NUMBERS, Cell

EACH = 4
"""Tiles of each number, one a colour."""


def set_faults(laying: Laying, *, shape: tuple[int, int], coloured: bool = False) -> tuple[Fault, ...]:
    """Return what is wrong with the tiles themselves, wherever they may lie.

    shape: (rows, columns) expected; nothing else is looked at while that is wrong. coloured: the quest
    needs to know each tile's colour. Empty places are one fault, which `complete` tells apart.
    """
    if not laying.has(shape):
        lengths = " ".join(str(len(row)) for row in laying.rows)
        said = f"{len(laying.rows)} rows of {lengths} tiles lie there, not {shape[0]} rows of {shape[1]}."
        return (Fault((), said),)
    return (*_empty(laying), *_strange(laying), *_doubles(laying), *(_colourless(laying) if coloured else ()))


def placed_wrong(faults: Sequence[Fault], laying: Laying) -> tuple[Fault, ...]:
    """Return the faults without the one that only says which places are still empty."""
    return tuple(f for f in faults if not f.cells or any(laying.at(c).symbol != EMPTY for c in f.cells))


def _empty(laying: Laying) -> Iterator[Fault]:
    cells = tuple(cell for cell, tile in laying.cells().items() if tile.symbol == EMPTY)
    if len(cells) == 1:
        yield Fault(cells, f"{_upper(where(cells[0]))} is empty.")
    elif cells:
        yield Fault(cells, f"{len(cells)} places are empty, the first in {where(cells[0])}.")


def _strange(laying: Laying) -> Iterator[Fault]:
    for cell, tile in laying.laid().items():
        if not tile.is_number:
            what = f"{tile.one()} lies in {where(cell)}"
            yield Fault((cell,), f"A{what[1:]} (expected number tiles only, face up).")


def _doubles(laying: Laying) -> Iterator[Fault]:
    tiles: dict[Tile, list[Cell]] = defaultdict(list)
    numbers: dict[str, list[Cell]] = defaultdict(list)
    for cell, tile in laying.laid().items():
        if tile.is_number:
            tiles[tile].append(cell)
            numbers[tile.symbol].append(cell)
    for tile, cells in tiles.items():
        if tile.colour and len(cells) > 1:
            yield Fault(tuple(cells), f"The {tile.said()} lies in {_list(cells)}; there is only one.")
    for number, cells in numbers.items():
        if len(cells) > EACH:
            yield Fault(tuple(cells), f"{number} lies {len(cells)} times; there are only {EACH}.")
    if len(found := laying.colours()) > len(COLOURS):
        yield Fault((), f"The tiles have {len(found)} colours ({', '.join(found)}); a set has {len(COLOURS)}.")


def _colourless(laying: Laying) -> Iterator[Fault]:
    cells = tuple(cell for cell, tile in laying.laid().items() if tile.is_number and not tile.colour)
    if cells:
        some = "A tile has" if len(cells) == 1 else f"{len(cells)} tiles have"
        yield Fault(cells, f"{some} no known colour, the first in {where(cells[0])}; this quest needs it.")


def numbers_left(laying: Laying) -> Counter[str]:
    """Return how many tiles of each number are not laid yet; raises BadLaying when more lie there than exist."""
    left = Counter(dict.fromkeys(NUMBERS, EACH))
    left.subtract(tile.symbol for tile in laying.laid().values() if tile.is_number)
    if wrong := [number for number, times in left.items() if times < 0]:
        raise BadLaying(f"{wrong[0]} lies {EACH - left[wrong[0]]} times (expected at most {EACH})")
    return left


def coloured(laying: Laying, *, start: Laying) -> Laying:
    """Return a solution found by numbers alone with a tile still free in every place that `start` left empty.

    Without a single colour in a `start` that holds tiles, the solution has none either.
    """
    known = start.colours()
    if start.laid() and not known:
        return laying
    names = (*known, *(c for c in COLOURS if c not in known))[: max(len(COLOURS), len(known))]
    free = {number: [c for c in names if Tile(number, c) not in start.laid().values()] for number in NUMBERS}
    tiles = {}
    for cell, tile in laying.cells().items():
        there = start.at(cell)
        if there.symbol == EMPTY:
            tiles[cell] = Tile(tile.symbol, free[tile.symbol].pop(0) if free[tile.symbol] else "")
        else:
            tiles[cell] = there
    return laying.changed(tiles)


def names_of(start: Laying) -> tuple[str, ...]:
    """Return four colours: those that lie there first, then as many of our own names as are wanting."""
    known = start.colours()
    return (*known, *(c for c in COLOURS if c not in known))[:EACH]


def _list(cells: Sequence[Cell]) -> str:
    return " and in ".join(where(cell) for cell in cells)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
