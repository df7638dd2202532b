"""Runaround: moves the pawn after which it stands best on average over the opponent's next roll."""

from __future__ import annotations

import random

from pi.opponents.player import Opponent
from pi.opponents.strengths import STRENGTHS
from pi.rules.games.runaround import Moved as PawnMoved
from pi.rules.games.runaround import MovePawn, Roll, Runaround, apply
from pi.rules.games.runaround import Rolled as DieRolled
from pi.rules.games.runaround_rules import DIE, RUNS_TO_WIN, direction_of, start_of
from pi.rules.ruleset import Context
from pi.rules.values import Seat


def choose(context: Context, state: Runaround, seat: Seat, chance: random.Random, key: str) -> Roll | MovePawn:
    """Roll, or move the pawn with the best outlook."""
    if state.roll is None:
        return Roll(seat, chance.randint(1, 6), by="computer")
    player = context.seats().index(seat)
    outlook = {space: _outlook(context, state, seat, space, player) for space in state.movable()}
    return MovePawn(seat, max(outlook, key=lambda space: (outlook[space], chance.random())))


def at_random(context: Context, state: Runaround, seat: Seat, chance: random.Random, key: str) -> Roll | MovePawn:
    """Roll, or move any pawn."""
    if state.roll is None:
        return Roll(seat, chance.randint(1, 6), by="computer")
    return MovePawn(seat, chance.choice(state.movable()))


def _outlook(context: Context, state: Runaround, seat: Seat, space: int, player: int) -> float:
    """Return how the player stands after a move, on average over the next roll."""
    after = apply(context, state, PawnMoved(seat, space))
    return sum(_after_roll(context, after, die, player) for die in DIE) / len(DIE)


def _after_roll(context: Context, state: Runaround, die: int, player: int) -> float:
    if state.winner is not None:
        return _stands(state, player)
    mover = context.seats()[state.player]
    rolled = apply(context, state, DieRolled(mover, die))
    if rolled.roll is None or rolled.winner is not None:
        return _stands(rolled, player)
    ends = [_stands(apply(context, rolled, PawnMoved(mover, space)), player) for space in rolled.movable()]
    return max(ends) if state.player == player else min(ends)


def _stands(state: Runaround, player: int) -> float:
    """Return a player's lead in spaces run; a won game outweighs everything."""
    return _way(state, player) - _way(state, 1 - player)


def _way(state: Runaround, player: int) -> float:
    side, spaces = state.loop.sides[player], state.loop.spaces
    if side.runs >= RUNS_TO_WIN:
        return 1e6
    start, step = start_of(player, spaces=spaces), direction_of(player)
    under_way = sum((spaces if p.owed else (p.space - start) * step % spaces) for p in side.pawns)
    # A pawn on the loop is worth a little by itself: it need not wait for a low roll.
    return side.runs * spaces + under_way + 2 * len(side.pawns)


RUNAROUND = Opponent(
    "runaround",
    STRENGTHS["runaround"],
    choose,
    at_random,
)
