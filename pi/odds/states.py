"""Many states of a sum over marks at once, each a line of three arrays (see `pi.odds.marked`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import perm

import numpy as np
import numpy.typing as npt

from pi.odds.stock import WORD, Numbers, Tile, Words
from pi.odds.wild_marks import PROFILE_BITS, TooMuch

Weights = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]
"""Indices into other arrays."""
SLOT = 4
"""Bits for what a place is asked to hold: 0 nothing, a kind + 1, or FULL."""
FULL = 15
"""It holds something that no later mark asks for there."""
PROFILE = WORD - PROFILE_BITS
"""Where the number of a state's profile begins, above its slots."""
SLOTS = PROFILE // SLOT
SAFE = 2.0**62
"""Weights stay below, so that 64 bits hold them."""
_EVERY = (1 << WORD) - 1
_MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True)
class States:
    """Ways by state, one state a line."""

    held: Numbers
    """What places are asked to hold, SLOT bits each; from bit PROFILE on the number of the profile."""
    counts: Numbers
    """Tiles spoken for and powers of u, as `Words` has them."""
    ways: Weights

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.ways)

    @cached_property
    def most(self) -> float:
        """Return a bound of every sum of these ways."""
        return float(np.abs(self.ways).sum(dtype=np.float64)) * 1.001

    def merged(self) -> States:
        """Return the states with those that are alike as one."""
        if len(self) < 2:
            return self
        # The mixture only brings what is alike together (almost always); what is alike is seen by looking at it.
        order = np.argsort(self.counts * _MIX[0] + self.held * _MIX[1])
        held, counts = self.held[order], self.counts[order]
        new = np.empty(len(order), dtype=np.bool_)
        new[0] = True
        np.not_equal(held[1:], held[:-1], out=new[1:])
        new[1:] |= counts[1:] != counts[:-1]
        first = np.flatnonzero(new)
        ways = np.add.reduceat(self.ways[order], first)
        return States(held[first], counts[first], ways).where(ways != 0)

    def where(self, keep: npt.NDArray[np.bool_]) -> States:
        """Return some of the states."""
        if keep.all():
            return self
        return States(self.held[keep], self.counts[keep], self.ways[keep])

    def forgotten(self, tiles: Iterable[Tile], words: Words) -> States:
        """Return the states with counts of tiles that nothing else asks for turned into their number of ways.

        Raises TooMuch where 64 bits would not hold these.
        """
        counts, ways, gone, most = self.counts, self.ways, 0, self.most
        for tile in tiles:
            many, shift, mask = words.stock.many(tile), words.shift[tile], words.mask(tile)
            gone |= mask << shift
            if many > 1:
                table = np.array([perm(many, k) for k in range(mask + 1)], dtype=np.int64)
                times = table[(counts >> np.uint64(shift) & np.uint64(mask)).astype(np.intp)]
                if (most := most * perm(many, many)) > SAFE:
                    most = float(np.abs(ways.astype(np.float64) * times).sum()) * 1.001
                if most > SAFE:
                    raise TooMuch
                ways = ways * times
        return States(self.held, counts & np.uint64(~gone & _EVERY), ways) if gone else self


def one_state(profile: int = 0) -> States:
    """Return the single state of no mark."""
    return States(np.array([profile << PROFILE], np.uint64), np.zeros(1, np.uint64), np.ones(1, np.int64))
