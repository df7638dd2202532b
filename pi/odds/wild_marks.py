"""What marked runs through wilds come to: the sets of runs that a player can add with wilds (see `pi.odds.marked`).

A run through a wild comes about if its places hold what they must *and* the player gives the wild one certain number.
So each such run carries a label, numbers for wilds, and is counted by it. What the wilds of a team can gain (RULES.md
1, wild tiles) follows from these counts as soon as no later mark of theirs is to come; boards that differ only in
*which* numbers would help become one then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np

from pi.odds.batch import members

MANY = 8
"""Bits for how many runs there are of one label; a board has at most 164 triples."""
NO_GAIN = 1
"""The set of gains {0} as bits."""
EACH = 10
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


def wilds_of(*labels: Label) -> set[int]:
    """Return the places of the wilds that labels give numbers to."""
    return {place for label in labels for place, _ in label}


def through(team: set[int], runs: Counter[Label]) -> Counter[Label]:
    """Return the runs through some wilds alone."""
    return Counter({label: many for label, many in runs.items() if many and wilds_of(label) & team})


def joined(sets: Iterable[set[int]]) -> list[set[int]]:
    """Return the unions of sets that hang together."""
    found: list[set[int]] = []
    for some in sets:
        found = [*(s for s in found if not s & some), some.union(*(s for s in found if s & some))]
    return found


def gains_of(runs: Counter[Label]) -> int:
    """Return the runs that wilds can make, together given any numbers, as bits; runs through none are left out."""
    found = NO_GAIN
    for linked in joined(wilds_of(label) for label in runs if label):
        found = both_of(found, _linked_gains(linked, through(linked, runs)))
    return found


def _linked_gains(linked: set[int], runs: Mapping[Label, int]) -> int:
    there = {label: many for label, many in runs.items() if many}
    if len(linked) == 1:  # one number, one label: the others, if any are left, make nothing
        return reduce(or_, (1 << many for many in there.values()), int(len(there) < 10))
    axis = {wild: number for number, wild in enumerate(sorted(linked))}
    added = np.zeros((10,) * len(axis), dtype=np.uint8)  # runs by the numbers given to each
    for label, many in there.items():
        at: list[int | slice] = [slice(None)] * len(axis)
        for wild, number in label:
            at[axis[wild]] = number
        added[tuple(at)] += np.uint8(many)
    return sum(1 << gain for gain in np.flatnonzero(np.bincount(added.reshape(-1))).tolist())


def both_of(a: int, b: int) -> int:
    """Return the sums of a member of each set."""
    return reduce(or_, (a << more for more in members(b)))
