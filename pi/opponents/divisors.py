"""Divisors and multiples: looks ahead as far as the clock allows; with few numbers left, to the end."""

from __future__ import annotations

import random

from pi.opponents.player import Opponent
from pi.opponents.strengths import STRENGTHS
from pi.rules.games.divisors import Divisors, Walk
from pi.rules.games.divisors_score import Way, cheapest
from pi.rules.ruleset import Context
from pi.rules.values import Seat

EXACT = 7
"""Free numbers from which the rest is searched to the end."""
AHEAD = 3
"""Turns looked ahead before that."""
FAR = 10**6


def choose(context: Context, state: Divisors, seat: Seat, chance: random.Random, key: str) -> Walk:
    """Return the turn after which this seat stands best; among several players each thinks of the cost alone."""
    ways = cheapest(state.at, claimed=state.claimed, most=state.most)
    claimed = frozenset(state.claimed)
    if len(context.players) != 2:
        number = min(ways, key=lambda n: (ways[n].cost, chance.random()))
        return Walk(seat, ways[number].picks)
    depth = len(ways) if len(ways) <= EXACT else AHEAD
    memory: dict[tuple[int, frozenset[int], int], int] = {}
    worth = {n: -way.cost - _worth(n, claimed | {n}, state.most, depth - 1, memory) for n, way in ways.items()}
    number = max(worth, key=lambda n: (worth[n], chance.random()))
    return Walk(seat, ways[number].picks)


def at_random(context: Context, state: Divisors, seat: Seat, chance: random.Random, key: str) -> Walk:
    """Claim any free number, the cheapest way."""
    ways = cheapest(state.at, claimed=state.claimed, most=state.most)
    return Walk(seat, chance.choice(list(ways.values())).picks)


def _worth(
    at: int, claimed: frozenset[int], most: int, depth: int, memory: dict[tuple[int, frozenset[int], int], int]
) -> int:
    """Return by how much the player to move will pay less than the other from here, searched so many turns deep."""
    if depth <= 0 or len(claimed) == most:
        return 0
    known = memory.get((at, claimed, depth))
    if known is None:
        ways: dict[int, Way] = cheapest(at, claimed=claimed, most=most)
        known = max(-way.cost - _worth(n, claimed | {n}, most, depth - 1, memory) for n, way in ways.items())
        memory[at, claimed, depth] = known
    return known


DIVISORS = Opponent(
    "divisors",
    STRENGTHS["divisors"],
    choose,
    at_random,
)
