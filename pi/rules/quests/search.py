"""Searching without chance: exact cover by backtracking, budgets, and orders made from a seed.

`covers` is Knuth's Algorithm X: given options, each a set of items, choose options so that every primary item is in
exactly one of them and every other item in at most one. The item with the fewest options left is decided first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pi.rules.quests.errors import GaveUp

Item = Hashable
T = TypeVar("T")
TRIES = (300, 300, 600, 600, 1_200, 1_200, 2_500, 2_500, 5_000, 10_000)
"""Steps of one attempt after the other, each in another order: bad luck at the top of a search is soon left behind."""
_MASK = (1 << 64) - 1


@dataclass(slots=True)
class Budget:
    """How much work a search may still do; the only value here that changes."""

    steps: int
    spent: int = field(default=0, init=False)

    def spend(self, steps: int = 1) -> None:
        """Count one choice, or several at once; raises GaveUp when there were too many."""
        self.spent += steps
        if self.spent > self.steps:
            raise GaveUp(f"no answer within {self.steps} steps (neither a solution nor a proof that there is none)")


def mixed(items: Iterable[T], *, seed: int) -> list[T]:
    """Return the items in an order that depends on the seed alone; the same everywhere (splitmix64 keys)."""
    listed = list(items)
    keys = [_split(seed * 0x1_0000_0001 + place) for place in range(len(listed))]
    return [listed[place] for place in sorted(range(len(listed)), key=keys.__getitem__)]


def _split(number: int) -> int:
    z = (number * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) & _MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31


def with_restarts(attempt: Callable[[int, Budget], T], *, seed: int, tries: Sequence[int] = TRIES) -> T:
    """Return what the first attempt that ends within its budget finds; raises GaveUp when none does.

    attempt(seed, budget): a complete search in the order of the seed; its answer, "none" too, is final.
    """
    for number, steps in enumerate(tries):
        try:
            return attempt(seed * len(tries) + number, Budget(steps))
        except GaveUp:
            if number == len(tries) - 1:
                raise
    raise GaveUp("no attempt was allowed (expected at least one)")


def covers(options: Sequence[Sequence[Item]], *, primary: Iterable[Item], budget: Budget) -> Iterator[tuple[int, ...]]:
    """Yield every exact cover as the places of its options; earlier options are tried first.

    Raises GaveUp when the budget is spent.
    """
    wanted = dict.fromkeys(primary)
    holders: dict[Item, set[int]] = {item: set() for item in wanted}
    for number, option in enumerate(options):
        for item in option:
            holders.setdefault(item, set()).add(number)
    yield from _covers(options, holders, tuple(wanted), (), budget)


def _covers(
    options: Sequence[Sequence[Item]],
    holders: dict[Item, set[int]],
    still: tuple[Item, ...],
    chosen: tuple[int, ...],
    budget: Budget,
) -> Iterator[tuple[int, ...]]:
    if not still:
        yield chosen
        return
    # `still` is a tuple, not a set: among equally scarce items the first decides, in every run the same.
    scarce = min(still, key=lambda item: len(holders[item]))
    for number in sorted(holders[scarce]):
        budget.spend()
        gone = {item: holders.pop(item) for item in options[number]}
        others = set().union(*gone.values())
        _each(options, holders, others, set.discard)
        yield from _covers(options, holders, tuple(x for x in still if x not in gone), (*chosen, number), budget)
        _each(options, holders, others, set.add)
        holders.update(gone)


def _each(
    options: Sequence[Sequence[Item]],
    holders: dict[Item, set[int]],
    others: set[int],
    do: Callable[[set[int], int], None],
) -> None:
    for other in others:
        for item in options[other]:
            if item in holders:
                do(holders[item], other)
