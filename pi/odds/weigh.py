"""Groups of marks put together: only how many tiles of each kind they ask for ties them (see `pi.odds.marked`).

Of the last two groups only the sum over all pairs of states is wanted, each pair as often as the tiles can lie so. In
how many ways tiles can be picked is a product over kinds: so of a factor for a lower half of the kinds and one for
the upper half. For every lower half that one group knows, the other is summed up over its own lower halves first; then
few upper halves are left. (On 24 tiles of a `rect` this takes a tenth of the time of going through the pairs.)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2, perm
from typing import Any

import numpy as np
import numpy.typing as npt

from pi.odds.states import PROFILE, SAFE, Places, States, Weights, one_state
from pi.odds.stock import WORD, Numbers, Tile, Words
from pi.odds.wild_marks import PROFILE_BITS, Profiles, TooMuch, Work, each

Sums = dict[tuple[int, int], int]
"""Weight by (counts without those by kind, profile)."""


def weighed(parts: Sequence[tuple[States, set[Tile]]], *, words: Words, profiles: Profiles, work: Work) -> Sums:
    """Return the sum over all groups, each with the tiles that it counts."""
    left = sorted(parts, key=lambda part: len(part[0]))
    while len(left) > 2:
        (a, mine), (b, theirs), *left = left
        both = _times(a, b, words, profiles, work)
        counted = mine | theirs
        elsewhere = set().union(*(tiles for _, tiles in left))
        both = both.forgotten(counted - elsewhere, words).merged()
        left = sorted([*left, (both, counted & elsewhere)], key=lambda part: len(part[0]))
    left += [(one_state(), set())] * (2 - len(left))
    return _contracted(left[0][0], left[1][0], words, profiles, work)


def _times(a: States, b: States, words: Words, profiles: Profiles, work: Work) -> States:
    work.spend(len(a) * len(b) // 2)
    if a.most * b.most > SAFE:
        raise TooMuch
    mine, theirs = np.nonzero(words.agree(a.counts[:, None], b.counts))
    held = a.held[mine]
    if b.held.any():
        pairs = held >> np.uint64(PROFILE - PROFILE_BITS) | b.held[theirs] >> np.uint64(PROFILE)
        held = each(pairs, profiles.both_in) << np.uint64(PROFILE)
    return States(held, a.counts[mine] + b.counts[theirs], a.ways[mine] * b.ways[theirs])


def _contracted(a: States, b: States, words: Words, profiles: Profiles, work: Work) -> Sums:
    """Return the sum over all pairs of states, each as often as tiles can lie so, without listing the pairs."""
    lower, upper = _halves(words)
    mine, theirs = _Side(a, lower, upper, by_low=True), _Side(b, lower, upper, by_low=False)
    work.spend((len(mine.lows) * len(b) + len(mine.lines) * len(theirs.lines)) // 64)
    by_low = _picked(mine.lows, theirs.lows, lower, words)
    by_high = _picked(mine.highs, theirs.highs, upper, words)
    bits, limbs = _limbs(a.most * float(by_high.max()) * len(theirs.lines), b.most * float(by_low.max()))
    tables = np.zeros((limbs, len(mine.classes[0]), len(theirs.classes[0])), dtype=np.int64)
    for low, ways in enumerate(by_low):
        line = np.add.reduceat(ways[theirs.low] * theirs.ways, theirs.lines)
        own, picked = mine.picked(low, by_high)
        spread = picked[:, theirs.high[theirs.lines]]
        for limb in range(limbs):
            part = line >> np.int64(bits * limb)
            if limb < limbs - 1:
                part &= np.int64((1 << bits) - 1)
            tables[limb, own] += np.add.reduceat(spread * part, theirs.firsts, axis=1)
    keys, order, firsts = _paired(mine.classes, theirs.classes, profiles)
    sums = np.add.reduceat(tables.reshape(limbs, -1)[:, order], firsts, axis=1).tolist()
    weights = [sum(part << bits * limb for limb, part in enumerate(parts)) for parts in zip(*sums, strict=True)]
    return {(above >> words.kinds_end, profile): weight for (above, profile), weight in zip(keys, weights, strict=True)}


def _limbs(times: float, largest: float) -> tuple[int, int]:
    """Return (bits, how many): in what parts numbers stay safe when multiplied and summed up so."""
    if largest * times < SAFE:
        return WORD - 1, 1
    bits = int(log2(SAFE / times))
    if bits < 8 or largest > SAFE:
        raise TooMuch
    return bits, ceil(log2(largest) / bits)


class _Side:
    """One factor: its states sorted into lines, each of one class (what is counted beside kinds; the profile)."""

    def __init__(self, states: States, lower: int, upper: int, *, by_low: bool) -> None:
        """Sort. by_low: a line has one lower half, and the lines of one lower half follow each other; else a line has
        one upper half, and the lines of one class follow each other.
        """
        rest = states.counts & np.uint64(~(lower | upper) & (1 << WORD) - 1)
        classes, at = np.unique(np.stack([rest, states.held]), axis=1, return_inverse=True)
        of_class = at.reshape(-1)
        self.classes: Numbers = classes
        """What each class counts, and its profile as it is held; shape (2, classes)."""
        self.lows, low = _numbered(states.counts & np.uint64(lower))
        self.highs, high = _numbered(states.counts & np.uint64(upper))
        order = np.lexsort((of_class, low) if by_low else (high, of_class))
        self.low, self.high, self.ways = low[order], high[order], states.ways[order]
        of_class = of_class[order]
        self.lines = _starts(self.low if by_low else self.high, of_class)
        self.class_of = of_class[self.lines]
        self.firsts = _starts(self.class_of)
        self._of_low = np.append(_starts(self.low), len(order)) if by_low else self.lines

    def picked(self, low: int, by_high: Weights) -> tuple[Places, Weights]:
        """Return the classes of a lower half's lines, and in how many ways the upper halves can be picked with it."""
        begin, end = self._of_low[low], self._of_low[low + 1]
        first, last = np.searchsorted(self.lines, (begin, end))
        ways = by_high[self.high[begin:end]] * self.ways[begin:end, None]
        return self.class_of[first:last], np.add.reduceat(ways, self.lines[first:last] - begin)


def _numbered(numbers: Numbers) -> tuple[Numbers, Places]:
    values, at = np.unique(numbers, return_inverse=True)
    return values, at.reshape(-1)


def _starts(*columns: npt.NDArray[Any]) -> Places:
    new = np.ones(len(columns[0]), dtype=np.bool_)
    new[1:] = False
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(new)


def _halves(words: Words) -> tuple[int, int]:
    """Return the bits of the lower and of the upper half of the kinds."""
    middle = min(words.shift.values(), key=lambda shift: abs(2 * shift - words.kinds_end), default=0)
    return (1 << middle) - 1, (1 << words.kinds_end) - (1 << middle)


def _picked(a: Numbers, b: Numbers, bits: int, words: Words) -> Weights:
    """Return in how many ways the tiles of two counts can be picked, looking at some kinds; 0 for too many."""
    ways = np.ones((len(a), len(b)), dtype=np.int64)
    for tile, shift in words.shift.items():
        if bits >> shift & 1:
            many, mask = words.stock.many(tile), np.uint64(words.mask(tile))
            table = np.array([perm(many, k) for k in range(2 * int(mask) + 1)], dtype=np.int64)
            mine, theirs = (side >> np.uint64(shift) & mask for side in (a, b))
            ways *= table[np.add.outer(mine.astype(np.intp), theirs.astype(np.intp))]
    return ways


def _paired(a: Numbers, b: Numbers, profiles: Profiles) -> tuple[list[tuple[int, int]], Places, Places]:
    """Return the classes that pairs of classes come to, the pairs in their order, and where each begins there."""
    above = np.add.outer(a[0], b[0]).reshape(-1)
    pairs = np.bitwise_or.outer(a[1] >> np.uint64(PROFILE - PROFILE_BITS), b[1] >> np.uint64(PROFILE)).reshape(-1)
    profile = each(pairs, profiles.both_in)
    order = np.lexsort((profile, above))
    above, profile = above[order], profile[order]
    firsts = _starts(above, profile)
    return list(zip(above[firsts].tolist(), profile[firsts].tolist(), strict=True)), order, firsts
