"""The tiles that may lie face down, and how many of each a sum over marks has spoken for (see `pi.odds.marked`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pi.odds.pools import mixed_pool, row_pool
from pi.rules.values import DOWN, NUMBERS, WILD, Board, Layout

KINDS = (*NUMBERS, WILD)
"""What a tile may show; a kind is its index here."""
WILD_KIND = KINDS.index(WILD)
WORD = 64
"""Bits of the whole numbers that numpy works on."""
Numbers = NDArray[np.uint64]
Tile = tuple[int, int]
"""A colour and a kind."""


@dataclass(frozen=True)
class Stock:
    """The tiles that may lie face down."""

    colour: tuple[int, ...]
    """For each place, where its tiles come from: its row, or 0 where colours are mixed."""
    tiles: tuple[Counter[int], ...]
    """For each colour, how many of each kind are not open."""
    hidden: tuple[int, ...]
    """For each colour, how many places lie face down."""

    @classmethod
    def of(cls, board: Board, *, wilds: bool) -> Stock:
        """Return what may lie face down on a board; raises BadQuestion for one that the set of tiles cannot make."""
        if board.layout is Layout.ROWS:
            pools = [Counter(row_pool(row, wilds=wilds, number=n)) for n, row in enumerate(board.rows, 1)]
            colour = tuple(row for row, _ in board.cells())
        else:
            pools, colour = [mixed_pool(board, wilds=wilds)], (0,) * len(board.cells())
        hidden = Counter(c for c, symbol in zip(colour, board.cells().values(), strict=True) if symbol == DOWN)
        tiles = tuple(Counter({KINDS.index(s): n for s, n in pool.items()}) for pool in pools)
        return cls(colour, tiles, tuple(hidden[c] for c in range(len(tiles))))

    def many(self, tile: Tile) -> int:
        """Return how many of a kind a colour has in stock."""
        return self.tiles[tile[0]][tile[1]]

    def ways(self, taken: Iterable[int]) -> int:
        """Return in how many ways the tiles that nothing asks for can lie; taken: for each colour, how many are."""
        ways = 1
        for there, hidden, gone in zip(self.tiles, self.hidden, taken, strict=True):
            ways *= perm(there.total() - gone, hidden - gone)
        return ways


class _Limits(NamedTuple):
    """A count + `spare` touches the bits of `full` when it is too many; `single` are the tiles of one bit."""

    spare: int
    full: int
    single: int


def _bits(many: int) -> int:
    return 1 if many == 1 else many.bit_length() + 1


@dataclass(frozen=True)
class Words:
    """How one whole number keeps count: from the lowest bit, tiles spoken for by kind, by colour, powers of u."""

    stock: Stock
    shift: Mapping[Tile, int]
    """Where the count of each tile that is asked for begins. It has a bit more than it needs, to tell too many; but a
    tile of which there is one has one bit, which must not be set twice."""
    kinds_end: int
    """Bits of all counts by kind."""
    colours: Mapping[int, int]
    """Where the count of each colour begins."""
    runs: int
    """Where the power of u begins."""
    end: int
    """Bits of it all."""

    @classmethod
    def of(cls, stock: Stock, asked: Iterable[Tile], *, runs: int) -> Words:
        """Return the form for these tiles and up to so many runs."""
        shift, at = {}, 0
        for tile in sorted(set(asked)):
            shift[tile] = at
            at += _bits(stock.many(tile))
        kinds_end, colours = at, {}
        for colour in sorted({colour for colour, _ in shift}):
            colours[colour] = at
            at += stock.hidden[colour].bit_length()
        return cls(stock, shift, kinds_end, colours, at, at + runs.bit_length())

    def one(self, tile: Tile) -> int:
        """Return what one more tile adds."""
        return (1 << self.shift[tile]) + (1 << self.colours[tile[0]])

    def mask(self, tile: Tile) -> int:
        """Return the bits of a tile's count, not shifted."""
        return (1 << _bits(self.stock.many(tile))) - 1

    def agree(self, a: Numbers, b: Numbers) -> NDArray[np.bool_]:
        """Tell where two counts together do not ask for more of a tile than there are."""
        both = a + b + np.uint64(self._limits.spare) & np.uint64(self._limits.full)
        fits: NDArray[np.bool_] = (both | a & b & np.uint64(self._limits.single)) == 0
        return fits

    @cached_property
    def _limits(self) -> _Limits:
        spare = full = single = 0
        for tile, shift in self.shift.items():
            many = self.stock.many(tile)
            if many == 1:
                single |= 1 << shift
                continue
            top = 1 << many.bit_length()
            spare |= top - 1 - many << shift
            full |= top << shift
        return _Limits(spare, full, single)

    def taken(self, above: int) -> list[int]:
        """Return for each colour how many of its tiles are spoken for; above: a count without its `kinds_end` bits."""
        return [
            above >> self.colours[c] - self.kinds_end & (1 << hidden.bit_length()) - 1 if c in self.colours else 0
            for c, hidden in enumerate(self.stock.hidden)
        ]
