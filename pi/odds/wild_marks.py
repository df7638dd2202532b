"""What marked runs through wilds come to: the sets of runs that a player can add with wilds (see `pi.odds.marked`).

A run through a wild comes about if its places hold what they must *and* the player gives the wild one certain number.
So each such mark carries a label: numbers for wilds. Each label has a variable of its own, u = t - 1; turned back from
u to t, a sum over sets of marks tells for every board how many runs each choice of numbers would add, and that is the
set of totals (RULES.md 1, wild tiles). This is done as soon as no later mark of the same wilds is to come: boards that
differ only in *which* numbers would help become one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import comb, prod
from operator import or_

from pi.odds.batch import members

MANY = 8
"""Bits for how many marks are in a set; a board has at most 164 triples."""
NO_GAIN = 1
"""The set of gains {0} as bits."""
_EACH = 20
"""States that one look at what wilds gain costs."""
Label = tuple[tuple[int, int], ...]
"""Numbers that wilds must be given: (place, number), ascending; () for a run without a wild."""


@dataclass(slots=True)
class Work:
    """What a question may still cost."""

    left: int

    def spend(self, states: int) -> None:
        """Count states; raises TooMuch."""
        self.left -= states
        if self.left < 0:
            raise TooMuch


class TooMuch(Exception):
    """Ends a sum that would take too long."""


def wilds_of(label: Label) -> set[int]:
    """Return the places of the wilds that a label gives numbers to."""
    return {place for place, _ in label}


def through(team: set[int], runs: Counter[Label]) -> Counter[Label]:
    """Return the runs through some wilds alone."""
    return Counter({label: many for label, many in runs.items() if many and wilds_of(label) & team})


def joined(sets: Iterable[set[int]]) -> list[set[int]]:
    """Return the unions of sets that hang together."""
    found: list[set[int]] = []
    for some in sets:
        found = [*(s for s in found if not s & some), some.union(*(s for s in found if s & some))]
    return found


class Settling:
    """What the wilds of one team gain by marks, each way worked out once."""

    def __init__(self, labels: Sequence[Label], sure: Counter[Label], work: Work) -> None:
        """Remember the labels in their order, and the runs that are there in any case."""
        self.labels, self.sure, self.work = labels, sure, work
        self.whole: dict[int, dict[int, int]] = {}
        self.parts: dict[frozenset[tuple[Label, int]], dict[int, int]] = {}

    def gained(self, own: int) -> dict[int, int]:
        """Return what a product of powers of u = t - 1, one for each label, is in gains: how often each set of them."""
        if own not in self.whole:
            powers = Counter({label: own >> MANY * i & 255 for i, label in enumerate(self.labels)})
            found = {NO_GAIN: 1}
            for linked in joined(map(wilds_of, +powers + self.sure)):
                # Wilds that no run links gain each for itself.
                part = self._part(frozenset(through(linked, +powers).items()), linked)
                both: dict[int, int] = defaultdict(int)
                for (a, x), (b, y) in product(found.items(), part.items()):
                    both[both_of(a, b)] += x * y
                found = both
            self.whole[own] = {gains: times for gains, times in found.items() if times}
        return self.whole[own]

    def _part(self, powers: frozenset[tuple[Label, int]], linked: set[int]) -> dict[int, int]:
        if powers not in self.parts:
            found: dict[int, int] = defaultdict(int)
            sure = through(linked, self.sure)
            self.work.spend(_EACH * prod(many + 1 for _, many in powers))
            for chosen in product(*(range(many + 1) for _, many in powers)):
                signs = prod(comb(many, k) * (-1) ** (many - k) for (_, many), k in zip(powers, chosen, strict=True))
                runs = Counter({label: k for (label, _), k in zip(powers, chosen, strict=True)})
                found[gains_of(sure + runs)] += signs
            self.parts[powers] = found
        return self.parts[powers]


def gains_of(runs: Counter[Label]) -> int:
    """Return the runs that wilds can make, together given any numbers, as bits; runs through none are left out."""
    found = NO_GAIN
    for linked in joined(wilds_of(label) for label in runs if label):
        wilds = sorted(linked)
        own = through(linked, runs)
        useful = [{number for label in own for place, number in label if place == wild} for wild in wilds]
        gains = 0
        # Numbers that make nothing are all alike: one of them stands for all.
        for numbers in product(*(sorted(n) + [-1] * (len(n) < 10) for n in useful)):
            given = set(zip(wilds, numbers, strict=True))
            gains |= 1 << sum(many for label, many in own.items() if given.issuperset(label))
        found = both_of(found, gains)
    return found


def both_of(a: int, b: int) -> int:
    """Return the sums of a member of each set."""
    return reduce(or_, (a << more for more in members(b)))
