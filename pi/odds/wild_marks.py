"""What marked runs through wilds come to: the sets of runs that a player can add with wilds (see `pi.odds.marked`).

A run through a wild comes about if its places hold what they must *and* the player gives the wild one certain number.
So each such run carries a label, numbers for wilds, and is counted by it. What wilds can gain (RULES.md 1, wild tiles)
follows from these counts as soon as no later mark of theirs is to come; boards that differ only in *which* numbers
would help become one then. Until then a board's counts are its profile; profiles are numbered as they come up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_

import numpy as np

from pi.odds.batch import members
from pi.odds.stock import Numbers

NO_GAIN = 1
"""The set of gains {0} as bits."""
PROFILE_BITS = 16
"""Bits for the number of a profile."""
EACH = 60
"""States that one new profile costs."""
Label = tuple[tuple[int, int], ...]
"""Numbers that wilds must be given: (place, number), ascending; () for a run without a wild."""
Runs = tuple[tuple[Label, int], ...]
"""How many runs there are by label, ascending."""
Profile = tuple[int, tuple[Runs, ...]]
"""What wilds are known to gain, as bits, and the runs of those that may still gain, by wilds that labels link."""


class TooMuch(Exception):
    """Ends a sum that would take too long, or that whole numbers of 64 bits cannot hold."""


@dataclass(slots=True)
class Work:
    """What a question may still cost."""

    left: int

    def spend(self, states: int) -> None:
        """Count states; raises TooMuch."""
        self.left -= states
        if self.left < 0:
            raise TooMuch


class Profiles:
    """Profiles by number; 0 is that of a board without wilds."""

    def __init__(self, work: Work) -> None:
        """Begin with the empty one."""
        self.profiles: list[Profile] = []
        self._work = work
        self._numbers: dict[Profile, int] = {}
        self._both: dict[tuple[int, int], int] = {}
        self._gains: dict[Runs, int] = {}
        self._number(NO_GAIN, ())

    def number(self, runs: Mapping[Label, int]) -> int:
        """Return the number of the profile of some runs."""
        linked = joined(wilds_of(label) for label in runs)
        return self._number(NO_GAIN, (_within(wilds, runs.items()) for wilds in linked))

    def gains(self, number: int) -> int:
        """Return what a settled profile gains, as bits."""
        return self.profiles[number][0]

    def both(self, a: int, b: int) -> int:
        """Return the number of what two profiles come to together."""
        if not a or not b:
            return a or b
        if (a, b) not in self._both:
            self._work.spend(EACH)
            (mine, runs), (theirs, more) = self.profiles[a], self.profiles[b]
            for linked in more:
                wilds = _wilds(linked)
                apart = tuple(some for some in runs if wilds.isdisjoint(_wilds(some)))
                added = Counter(dict(linked))
                for some in runs:
                    if some not in apart:
                        added.update(dict(some))
                runs = (*apart, tuple(sorted(added.items())))
            self._both[a, b] = self._number(both_of(mine, theirs), runs)
        return self._both[a, b]

    def both_in(self, pair: int) -> int:
        """Return `both` of two numbers written as one, PROFILE_BITS each."""
        return self.both(pair >> PROFILE_BITS, pair & (1 << PROFILE_BITS) - 1)

    def settled(self, number: int, later: AbstractSet[int]) -> int:
        """Return a profile's number once marks to come give numbers to the wilds at some places only."""
        gains, runs = self.profiles[number]
        done = [linked for linked in runs if _wilds(linked).isdisjoint(later)]
        if not done:
            return number
        for linked in done:
            if linked not in self._gains:
                self._work.spend(EACH)
                self._gains[linked] = _gained(linked)
            gains = both_of(gains, self._gains[linked])
        return self._number(gains, (linked for linked in runs if linked not in done))

    def _number(self, gains: int, runs: Iterable[Runs]) -> int:
        profile = gains, tuple(sorted(runs))
        if profile not in self._numbers:
            if len(self.profiles) >> PROFILE_BITS:
                raise TooMuch
            self._numbers[profile] = len(self.profiles)
            self.profiles.append(profile)
        return self._numbers[profile]


def each(numbers: Numbers, change: Callable[[int], int]) -> Numbers:
    """Return numbers with every different one changed once."""
    if not numbers.size:
        return numbers
    values, at = np.unique(numbers, return_inverse=True)
    return np.array([change(value) for value in values.tolist()], dtype=np.uint64)[at.reshape(-1)]


def wilds_of(*labels: Label) -> set[int]:
    """Return the places of the wilds that labels give numbers to."""
    return {place for label in labels for place, _ in label}


def joined(sets: Iterable[set[int]]) -> list[set[int]]:
    """Return the unions of sets that hang together."""
    found: list[set[int]] = []
    for some in sets:
        found = [*(s for s in found if not s & some), some.union(*(s for s in found if s & some))]
    return found


def _within(wilds: set[int], runs: Iterable[tuple[Label, int]]) -> Runs:
    return tuple(sorted((label, many) for label, many in runs if wilds_of(label) & wilds))


@lru_cache(maxsize=1024)
def _wilds(runs: Runs) -> frozenset[int]:
    return frozenset(wilds_of(*(label for label, _ in runs)))


def _gained(runs: Runs) -> int:
    """Return the runs that linked wilds can make, together given any numbers, as bits."""
    linked = sorted(_wilds(runs))
    if len(linked) == 1:  # one number, one label: the others, if any are left, make nothing
        return reduce(or_, (1 << many for _, many in runs), int(len(runs) < 10))
    # Numbers that no label names are alike: one stands for them all.
    named = [sorted({n for label, _ in runs for w, n in label if w == wild}) for wild in linked]
    added = np.zeros([min(10, len(numbers) + 1) for numbers in named], dtype=np.uint8)
    for label, many in runs:
        at: list[int | slice] = [slice(None)] * len(linked)
        for wild, number in label:
            axis = linked.index(wild)
            at[axis] = named[axis].index(number)
        added[tuple(at)] += np.uint8(many)
    return sum(1 << gain for gain in np.flatnonzero(np.bincount(added.reshape(-1))).tolist())


def both_of(a: int, b: int) -> int:
    """Return the sums of a member of each set."""
    return reduce(or_, (a << more for more in members(b)))
