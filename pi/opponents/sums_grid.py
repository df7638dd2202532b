"""Sums 1...m: a search by small changes from random grids; hands in one grid, its best."""

from __future__ import annotations

import random

from pi.opponents.player import Opponent
from pi.opponents.strengths import STRENGTHS
from pi.rules.games.sums_grid import HandIn, Rows, Sums
from pi.rules.games.sums_grid_score import score
from pi.rules.ruleset import Context
from pi.rules.values import Seat

CHANGES = 4000
"""Changes tried in all."""
PATIENCE = 400
"""Changes without a gain after which it begins anew."""


def choose(context: Context, state: Sums, seat: Seat, chance: random.Random, key: str) -> HandIn:
    """Hand in the best grid found."""
    size = state.size
    best, most = _fresh(size, chance), 0
    now, worth, idle = best, score(_rows(best, size)), 0
    for _ in range(CHANGES):
        trial = _changed(now, size, chance)
        points = score(_rows(trial, size))
        idle = 0 if points > worth else idle + 1
        if points >= worth:
            now, worth = trial, points
        if worth > most:
            best, most = now, worth
        if idle > PATIENCE:
            now = _fresh(size, chance)
            worth, idle = score(_rows(now, size)), 0
    return HandIn(seat, _rows(best, size), final=True, by="computer")


def at_random(context: Context, state: Sums, seat: Seat, chance: random.Random, key: str) -> HandIn:
    """Hand in any grid of small numbers."""
    return HandIn(seat, _rows(_fresh(state.size, chance), state.size), final=True, by="computer")


def _fresh(size: int, chance: random.Random) -> tuple[int, ...]:
    return tuple(chance.sample(range(1, 2 * size * size + 1), size * size))


def _changed(grid: tuple[int, ...], size: int, chance: random.Random) -> tuple[int, ...]:
    numbers = list(grid)
    at = chance.randrange(len(numbers))
    if chance.random() < 0.5:
        other = chance.randrange(len(numbers))
        numbers[at], numbers[other] = numbers[other], numbers[at]
    else:
        numbers[at] = chance.choice([n for n in range(1, 2 * size * size + 1) if n not in numbers])
    return tuple(numbers)


def _rows(grid: tuple[int, ...], size: int) -> Rows:
    return tuple(grid[row * size : (row + 1) * size] for row in range(size))


SUMS_GRID = Opponent(
    "sums-grid",
    STRENGTHS["sums-grid"],
    choose,
    at_random,
)
