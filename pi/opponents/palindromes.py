"""Palindromes: looks one reply ahead, and plays the last squares without a fault."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pi.opponents.player import Opponent
from pi.opponents.strengths import STRENGTHS
from pi.rules.games.palindromes import Palindromes, Write
from pi.rules.games.palindromes_score import DIGITS, patterns
from pi.rules.ruleset import Context
from pi.rules.values import Seat

Row = tuple[str | None, ...]
Square = tuple[int, str]
EXACT = 5
"""Empty squares from which the rest is searched to the end."""
FAR = 10**6


def choose(context: Context, state: Palindromes, seat: Seat, chance: random.Random, key: str) -> Write:
    """Return the square and digit with the best outlook after the best reply."""
    sign = 1 if seat == context.seats()[0] else -1
    empty = sum(digit is None for digit in state.row)
    depth = empty if empty <= EXACT else 2
    best: list[Square] = []
    most = -FAR
    for square in _squares(state.row):
        worth = -_worth(_written(state.row, square), -sign, depth - 1, -FAR, -most + 1)
        if worth > most:
            most, best = worth, []
        if worth == most:
            best.append(square)
    place, digit = chance.choice(best)
    return Write(seat, place, digit)


def at_random(context: Context, state: Palindromes, seat: Seat, chance: random.Random, key: str) -> Write:
    """Write any digit into any empty square."""
    place, digit = chance.choice(list(_squares(state.row)))
    return Write(seat, place, digit)


def _squares(row: Row) -> Iterator[Square]:
    return ((at, digit) for at, old in enumerate(row) if old is None for digit in DIGITS)


def _written(row: Row, square: Square) -> Row:
    return (*row[: square[0]], square[1], *row[square[0] + 1 :])


def _worth(row: Row, sign: int, depth: int, least: int, most: int) -> int:
    """Return the lead of the player to move (sign 1: player 1), searched so many squares deep (negamax)."""
    if depth <= 0 or None not in row:
        first, second = patterns(row).points
        return sign * (first - second)
    for square in _squares(row):
        least = max(least, -_worth(_written(row, square), -sign, depth - 1, -most, -least))
        if least >= most:
            break
    return least


PALINDROMES = Opponent(
    "palindromes",
    STRENGTHS["palindromes"],
    choose,
    at_random,
)
