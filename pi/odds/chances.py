"""A distribution over what may lie on a board: sets of attainable totals, each with its weight.

Without wilds every board has exactly one total, so every set has one member. With wilds a board has a
set of attainable totals (RULES.md 1, wild tiles), and three questions have three different answers:

- `attainable(k)`: the chance that total k can be reached, which is the chance that a prediction of k is
  right. These do not sum to one: one board may allow several totals.
- `best()`: the distribution of the highest attainable total (the only right one under `wild_must_be_best`).
- `weights`: the whole distribution over sets, from which both follow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, prod
from operator import or_

Totals = tuple[int, ...]
"""Attainable totals of one board, ascending, never empty."""


@dataclass(frozen=True, slots=True)
class Chances:
    """How likely each set of attainable totals is."""

    weights: Mapping[Totals, int]
    """Ways (exact) or draws (sampled) for each set; all positive."""
    exact: bool = True
    """False when the weights count random draws."""

    @classmethod
    def of(cls, counts: Mapping[int, int], *, exact: bool = True) -> Chances:
        """Return the chances of boards without wilds from ways by total; zeros are left out."""
        return cls({(total,): ways for total, ways in sorted(counts.items()) if ways}, exact)

    @property
    def whole(self) -> int:
        """Return the sum of all weights."""
        return sum(self.weights.values())

    def attainable(self, total: int) -> Fraction:
        """Return the chance that a total can be reached: that predicting it is right."""
        return Fraction(sum(w for totals, w in self.weights.items() if total in totals), self.whole)

    def best(self) -> dict[int, Fraction]:
        """Return the distribution of the highest attainable total, ascending; sums to 1."""
        ways: Counter[int] = Counter()
        for totals, weight in self.weights.items():
            ways[totals[-1]] += weight
        return {total: Fraction(ways[total], self.whole) for total in sorted(ways)}

    def right(self) -> dict[int, Fraction]:
        """Return the chance of each prediction to be right, for every total that can be reached, ascending."""
        reachable = sorted({total for totals in self.weights for total in totals})
        return {total: self.attainable(total) for total in reachable}

    def at_least(self, total: int) -> Fraction:
        """Return the chance that the highest attainable total is at least so much: how lucky a board was."""
        return sum((chance for k, chance in self.best().items() if k >= total), Fraction(0))

    def mean(self) -> Fraction:
        """Return the expected highest attainable total (without wilds: the expected total)."""
        return sum((total * chance for total, chance in self.best().items()), Fraction(0))

    def error(self, total: int) -> float:
        """Return the standard error of `attainable(total)`; 0.0 when exact.

        For k hits in n draws: sqrt(q (1 - q) / n) with q = (k + 1) / (n + 2), so that it is not 0 for no hit.
        """
        if self.exact:
            return 0.0
        draws = self.whole
        q = (float(self.attainable(total)) * draws + 1) / (draws + 2)
        return float((q * (1 - q) / draws) ** 0.5)

    def beside(self, other: Chances) -> Chances:
        """Return the chances of two independent parts together: sets add member by member.

        Both parts must be independent and share no run, as the rows of the base game.
        """
        return together([self, other])

    def _shapes(self, slot: int) -> dict[int, int]:
        packed: Counter[int] = Counter()
        for totals, weight in self.weights.items():
            packed[sum(1 << t - totals[0] for t in totals)] += weight << slot * totals[0]
        return packed

    def plus(self, runs: int) -> Chances:
        """Return the chances with a fixed number of runs added to every total."""
        return Chances({tuple(t + runs for t in totals): w for totals, w in self.weights.items()}, self.exact)

    def reduced(self) -> Chances:
        """Return the same chances with the smallest whole weights (exact ones only)."""
        if not self.exact:
            return self
        by = reduce(gcd, self.weights.values())
        return Chances({totals: w // by for totals, w in self.weights.items()})


def _members(bits: int) -> Totals:
    return tuple(i for i in range(bits.bit_length()) if bits >> i & 1)


def _unpacked(packed: int, slot: int) -> Iterator[tuple[int, int]]:
    power = 0
    while packed:
        if weight := packed & ((1 << slot) - 1):
            yield power, weight
        packed >>= slot
        power += 1


CERTAIN = Chances({(0,): 1})
"""Nothing lies there: no runs for certain; neutral for `beside`."""


def mixed(parts: list[tuple[Fraction, Chances]]) -> Chances:
    """Return the exact mixture of exact chances; the shares must sum to 1."""
    total: dict[Totals, Fraction] = {}
    for share, chances in parts:
        whole = chances.whole
        for totals, weight in chances.weights.items():
            total[totals] = total.get(totals, Fraction(0)) + share * Fraction(weight, whole)
    common = reduce(lambda a, b: a * b // gcd(a, b), (f.denominator for f in total.values()), 1)
    return Chances({totals: int(f * common) for totals, f in sorted(total.items()) if f})


def together(parts: list[Chances]) -> Chances:
    """Return the chances of several independent parts together: sets add member by member."""
    # A set is its lowest member and its shape, and there are few shapes. So for each shape the weights by
    # lowest member are one polynomial, written as one large number (a slot of bits for each power).
    slot = prod(part.whole for part in parts).bit_length()
    packed: dict[int, int] = {1: 1}
    for part in parts:
        added: Counter[int] = Counter()
        for theirs, y in part._shapes(slot).items():
            steps = _members(theirs)
            for mine, x in packed.items():
                added[reduce(or_, [mine << t for t in steps])] += x * y
        packed = added
    ways: dict[Totals, int] = {}
    for shape, whole in packed.items():
        steps = _members(shape)
        for low, weight in _unpacked(whole, slot):
            ways[tuple([low + t for t in steps])] = weight
    return Chances(dict(sorted(ways.items())), all(part.exact for part in parts))
