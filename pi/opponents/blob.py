"""Blob: flat Monte Carlo. Each square is tried in random games to the end; the best average is filled."""

from __future__ import annotations

import random

from pi.opponents.player import Opponent
from pi.opponents.strengths import STRENGTHS
from pi.rules.games.blob import Blob, Fill
from pi.rules.games.blob_score import neighbours, scoring_lines, squares_each
from pi.rules.ruleset import Context
from pi.rules.values import Cell, Seat

GAMES = 24
"""Random games for each square."""
MOST_GAMES = 500
"""For all squares of one turn together, so that a turn stays below a second on a Pi."""


def choose(context: Context, state: Blob, seat: Seat, chance: random.Random, key: str) -> Fill:
    """Return the square whose random games end best for this seat."""
    sign = 1 if seat == context.seats()[0] else -1
    places = free(state)
    games = max(4, min(GAMES, MOST_GAMES // len(places)))
    worth = {cell: sign * sum(_played_out(state, cell, chance) for _ in range(games)) for cell in places}
    row, column = max(places, key=lambda cell: (worth[cell], chance.random()))
    return Fill(seat, row, column)


def at_random(context: Context, state: Blob, seat: Seat, chance: random.Random, key: str) -> Fill:
    """Fill any lawful square."""
    return Fill(seat, *chance.choice(free(state)))


def free(state: Blob) -> list[Cell]:
    """Return the squares that may be filled now, in order."""
    size, filled = state.size, set(state.filled)
    if not filled:
        return [(row, column) for row in range(size) for column in range(size)]
    return sorted({n for cell in filled for n in neighbours(cell) if n not in filled and _inside(n, size)})


def _inside(cell: Cell, size: int) -> bool:
    return 0 <= cell[0] < size and 0 <= cell[1] < size


def _played_out(state: Blob, first: Cell, chance: random.Random) -> int:
    """Return player 1's lead at the end of one random game."""
    filled = {*state.filled, first}
    edge = free(Blob(state.size, tuple(filled)))
    known = {*filled, *edge}
    for _ in range(2 * squares_each(state.size) - len(filled)):
        at = chance.randrange(len(edge))
        cell, edge[at] = edge[at], edge[-1]
        edge.pop()
        filled.add(cell)
        for near in neighbours(cell):
            if near not in known and _inside(near, state.size):
                known.add(near)
                edge.append(near)
    rows, columns = scoring_lines(filled, size=state.size).points
    return rows - columns


BLOB = Opponent(
    "blob",
    STRENGTHS["blob"],
    choose,
    at_random,
)
