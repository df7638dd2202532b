"""Taking the marks of one group, step by step (see `pi.odds.marked`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from pi.odds.marks import Mark, touched
from pi.odds.states import FULL, PROFILE, SAFE, SLOT, SLOTS, Places, States, one_state
from pi.odds.stock import Numbers, Tile, Words
from pi.odds.wild_marks import PROFILE_BITS, Label, Profiles, TooMuch, Work, each, wilds_of

_SLOT = (1 << SLOT) - 1


@dataclass(frozen=True)
class Step:
    """Marks that ask for the same places, so that at most one of them can be chosen."""

    places: tuple[int, ...]
    marks: tuple[Mark, ...]

    def asked(self, words: Words) -> set[Tile]:
        """Return the tiles that its marks ask for."""
        return {(words.stock.colour[place], kind) for wants, _ in self.marks for place, kind in wants}


@dataclass(frozen=True)
class _Later:
    """What the steps that follow still need to know."""

    kinds: dict[int, frozenset[int]]
    """For each place what they ask it to hold."""
    tiles: frozenset[Tile]
    wilds: frozenset[int]


@dataclass(frozen=True)
class _Term:
    """A mark and one term of its t^runs - 1."""

    mark: Mark
    power: int
    """Of u."""
    times: int
    profile: int


def steps_of(marks: Sequence[Mark]) -> list[Step]:
    """Return the marks in steps, so ordered that few places must be remembered at any time.

    Greedy: of all places and wilds that one is finished next which brings in the fewest new ones. (Looking ahead to
    tiles that can be forgotten, too, was tried: no fewer states.)
    """
    by: dict[tuple[int, ...], list[Mark]] = {}
    for mark in marks:
        by.setdefault(tuple(place for place, _ in mark[0]), []).append(mark)
    left = {places: frozenset[int]().union(*map(touched, some)) for places, some in by.items()}
    order, live = list[Step](), set[int]()
    while left:
        with_it: dict[int, set[int]] = {}
        for near in left.values():
            for node in near:
                with_it.setdefault(node, set()).update(near)
        best = min(with_it, key=lambda node: (len(with_it[node] - live), node))
        for places in sorted((p for p, near in left.items() if best in near), key=lambda p: (len(p), p)):
            live |= left.pop(places)
            order.append(Step(places, tuple(by[places])))
    return order


class Sweep:
    """The sum over all sets of one group's marks that do not contradict each other."""

    def __init__(
        self,
        marks: Sequence[Mark],
        *,
        sure: Counter[Label],
        elsewhere: set[Tile],
        words: Words,
        profiles: Profiles,
        work: Work,
    ) -> None:
        """Plan the steps. sure: runs through the group's wilds that need no hidden tile; elsewhere: tiles that
        marks of other groups ask for.
        """
        self.words, self.profiles, self.work, self.sure = words, profiles, work, sure
        self.steps = steps_of(marks)
        self.later = list(self._later(elsewhere))[::-1]
        self.slot: dict[int, int] = {}

    def sum(self) -> States:
        """Return the sum, its profiles settled and tiles that only this group asks for weighed; raises TooMuch."""
        wilds = {wild for step in self.steps for _, labels in step.marks for wild in wilds_of(*labels)}
        states = one_state(self.profiles.settled(self.profiles.number(self.sure), wilds))
        counted = set[Tile]()
        for step, later in zip(self.steps, self.later, strict=True):
            counted |= step.asked(self.words)
            states = self._taken(states, step).forgotten(counted - later.tiles, self.words)
            counted &= later.tiles
            states = self._tidied(states, step, later).merged()
            self.work.spend(len(states) // 5)
        return states

    def _later(self, elsewhere: set[Tile]) -> Iterator[_Later]:
        """Yield what later steps need, for the steps from the last."""
        kinds: dict[int, frozenset[int]] = {}
        tiles, wilds = frozenset(elsewhere), frozenset[int]()
        for step in reversed(self.steps):
            yield _Later(dict(kinds), tiles, wilds)
            for wants, labels in step.marks:
                for place, kind in wants:
                    kinds[place] = kinds.get(place, frozenset()) | {kind}
                wilds |= wilds_of(*labels)
            tiles |= step.asked(self.words)

    def _taken(self, states: States, step: Step) -> States:
        """Return the states without and with one of the step's marks."""
        moves = _Moves(
            [_Term(mark, *term) for mark in step.marks for term in self._terms(mark[1])],
            [SLOT * self._slot_of(place) for place in step.places],
            self.words,
        )
        if states.most * (1.0 + float(np.abs(moves.times).sum())) > SAFE:
            raise TooMuch
        state, term, counts = moves.on(states, self.work)
        held = states.held[state] | moves.holds[term]
        if moves.profiles.any():
            held = self._labelled(held, moves.profiles[term])
        return States(
            np.concatenate([states.held, held]),
            np.concatenate([states.counts, counts]),
            np.concatenate([states.ways, states.ways[state] * moves.times[term]]),
        )

    def _slot_of(self, place: int) -> int:
        if place not in self.slot:
            free = set(range(SLOTS)) - set(self.slot.values())
            if not free:
                raise TooMuch
            self.slot[place] = min(free)
        return self.slot[place]

    def _terms(self, runs: Counter[Label]) -> Iterator[tuple[int, int, int]]:
        """Yield t^runs - 1 as (power of u, times, profile): u = t - 1 for runs without wilds, for fewest terms."""
        profile = self.profiles.number({label: many for label, many in runs.items() if label})
        for k in range(0 if profile else 1, runs[()] + 1):
            yield k, comb(runs[()], k), profile
        if profile:
            yield 0, -1, 0

    def _labelled(self, held: Numbers, profiles: Numbers) -> Numbers:
        """Return what is held with a profile added to that of each state."""
        new = each(held >> np.uint64(PROFILE) << np.uint64(PROFILE_BITS) | profiles, self.profiles.both_in)
        return held & np.uint64((1 << PROFILE) - 1) | new << np.uint64(PROFILE)

    def _tidied(self, states: States, step: Step, later: _Later) -> States:
        """Return the states without what no later mark needs."""
        held = states.held
        for place in step.places:
            shift, wanted = np.uint64(SLOT * self.slot[place]), later.kinds.get(place, frozenset())
            table = [0, *(code if code - 1 in wanted else FULL if wanted else 0 for code in range(1, _SLOT + 1))]
            field = held >> shift & np.uint64(_SLOT)
            held = held ^ (field ^ np.array(table, dtype=np.uint64)[field.astype(np.intp)]) << shift
            if not wanted:
                del self.slot[place]
        if len(self.profiles.profiles) > 1:
            numbers = held >> np.uint64(PROFILE)
            settled = each(numbers, lambda number: self.profiles.settled(number, later.wilds))
            held = held ^ (numbers ^ settled) << np.uint64(PROFILE)
        return States(held, states.counts, states.ways)


class _Moves:
    """What choosing one of a step's marks does to a state, by terms."""

    def __init__(self, terms: Sequence[_Term], slots: Sequence[int], words: Words) -> None:
        """Write the terms as arrays. slots: where states keep what the step's places hold."""
        codes = [[kind + 1 for _, kind in term.mark[0]] for term in terms]
        colour = words.stock.colour
        self.slots, self.words = slots, words
        self.codes = np.array(codes, dtype=np.intp)
        self.ones = np.array(
            [[words.one((colour[place], kind)) for place, kind in term.mark[0]] for term in terms], dtype=np.uint64
        )
        """What each place adds to the counts, unless it was asked for the same before."""
        self.powers = np.array([term.power << words.runs for term in terms], dtype=np.uint64)
        self.times = np.array([term.times for term in terms], dtype=np.int64)
        self.profiles = np.array([term.profile for term in terms], dtype=np.uint64)
        self.holds = np.array(
            [sum(code << slot for code, slot in zip(line, slots, strict=True)) for line in codes], dtype=np.uint64
        )

    def on(self, states: States, work: Work) -> tuple[Places, Places, Numbers]:
        """Return every pair of a state and a term that do not contradict each other, and their counts together."""
        code = np.zeros(len(states), dtype=np.intp)
        for i, slot in enumerate(self.slots):
            code |= (states.held >> np.uint64(slot) & np.uint64(_SLOT)).astype(np.intp) << SLOT * i
        # States whose places hold the same are met by the same terms.
        there = np.flatnonzero(np.bincount(code))
        holding = (there[:, None] >> SLOT * np.arange(len(self.slots)) & _SLOT)[:, None, :]
        free = holding == 0
        may = (free | (holding == self.codes)).all(axis=2)
        which, term = np.nonzero(may)
        more = np.where(free, self.ones, np.uint64(0)).sum(axis=2, dtype=np.uint64)[which, term] + self.powers[term]
        number = np.zeros(int(there[-1]) + 1, dtype=np.intp)
        number[there] = np.arange(len(there))
        many, own = may.sum(axis=1), number[code]
        work.spend(int(many[own].sum()) // 5)
        state = np.repeat(np.arange(len(states)), many[own])
        begin = (np.cumsum(many) - many)[own] - (np.cumsum(many[own]) - many[own])
        at = np.arange(len(state)) + begin[state]
        keep = self.words.agree(states.counts[state], more[at])
        state, at = state[keep], at[keep]
        return state, term[at], states.counts[state] + more[at]
