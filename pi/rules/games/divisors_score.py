"""Divisors and multiples by Leroy Quet (2011): which steps are lawful and what they cost (RULES.md 4): pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

SOURCE = "Divisors and multiples by Leroy Quet"
START = 1
"""Play starts at 1, which is claimed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a turn."""

    number: int
    """Where it leads."""
    cost: int
    """Larger over smaller; double if the number is already claimed."""


def step_cost(at: int, number: int, *, claimed: Collection[int]) -> int:
    """Return what a lawful step costs.

    >>> step_cost(6, 3, claimed=[1, 6]), step_cost(6, 1, claimed=[1, 6])
    (2, 12)
    """
    cost = max(at, number) // min(at, number)
    return 2 * cost if number in claimed else cost


def step_problem(at: int, number: int, *, most: int) -> str | None:
    """Return why a step from `at` is not lawful in a game up to `most`; None when it is."""
    if not 1 <= number <= most:
        return f"{number} is not in the game (expected 1 to {most})."
    if number == at:
        return f"A step from {at} to {at} is not a step."
    if max(at, number) % min(at, number):
        return f"{number} is neither a divisor nor a multiple of {at}."
    return None


def turn_problem(at: int, picks: Sequence[int], *, claimed: Collection[int], most: int) -> str | None:
    """Return why these picks are not a lawful turn that starts at `at`; None when they are."""
    if not picks:
        return "A turn takes at least one step."
    for before, number in zip((at, *picks), picks, strict=False):
        if sentence := step_problem(before, number, most=most):
            return sentence
    if picks[-1] in claimed:
        return f"A turn must end on an unclaimed number, and {picks[-1]} is claimed."
    return None


def steps(at: int, picks: Sequence[int], *, claimed: Collection[int]) -> tuple[Step, ...]:
    """Return a lawful turn's steps with what each costs; a number is claimed only when the turn ends."""
    return tuple(
        Step(number, step_cost(before, number, claimed=claimed))
        for before, number in zip((at, *picks), picks, strict=False)
    )


def lawful_steps(at: int, *, most: int) -> tuple[int, ...]:
    """Return the numbers a step from `at` may lead to, ascending."""
    return tuple(n for n in range(1, most + 1) if step_problem(at, n, most=most) is None)


@dataclass(frozen=True, slots=True)
class Way:
    """A cheapest turn that claims a number."""

    picks: tuple[int, ...]
    cost: int


def cheapest(at: int, *, claimed: Collection[int], most: int) -> dict[int, Way]:
    """Return for each unclaimed number a cheapest turn that claims it, numbers ascending.

    What lies on the way changes nothing but the cost, for only the last number is claimed; of equally cheap
    ways the one with the fewest steps is told.

    >>> cheapest(1, claimed=[1], most=6)[6]
    Way(picks=(2, 6), cost=5)
    """
    taken, found = frozenset(claimed), dict[int, Way]()
    heap: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())]
    while heap:
        cost, length, picks = heappop(heap)
        here = picks[-1] if picks else at
        if here in found:
            continue
        found[here] = Way(picks, cost)
        for number in lawful_steps(here, most=most):
            if number not in found:
                heappush(heap, (cost + step_cost(here, number, claimed=taken), length + 1, (*picks, number)))
    return {number: found[number] for number in range(1, most + 1) if number not in taken and number in found}
