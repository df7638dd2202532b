"""Run Buster: with two players the solved game (`pi.odds.buster`); with more, a rule of thumb."""

from __future__ import annotations

import random

from pi.odds.buster import Choice, solve
from pi.opponents.player import Opponent
from pi.opponents.strengths import STRENGTHS
from pi.rules.games.run_buster import Roll, TakeHand
from pi.rules.games.run_buster_books import Buster, Round
from pi.rules.games.run_buster_rules import DICE, FULL, Hand
from pi.rules.ruleset import Context
from pi.rules.values import Seat

Order = Roll | TakeHand


def choose(context: Context, state: Buster, seat: Seat, chance: random.Random, key: str) -> Order | None:
    """Roll, or take the hand with the best chance to win."""
    current = state.current
    if current is None or current.mover != seat:
        return None
    if current.rolled is None:
        return _roll(current, seat, chance)
    lawful = current.options()
    if len(current.order) == 2:
        return TakeHand(seat, _best(current, seat).hand, by="computer")
    # Against several, length is speed, and a hand that lacks more different numbers is harder to bust.
    hand = max(lawful, key=lambda h: (h == FULL, len(h) >= 4, -abs(len(h) - 4), chance.random()))
    return TakeHand(seat, hand, by="computer")


def at_random(context: Context, state: Buster, seat: Seat, chance: random.Random, key: str) -> Order | None:
    """Roll, or take any lawful hand."""
    current = state.current
    if current is None or current.mover != seat:
        return None
    if current.rolled is None:
        return _roll(current, seat, chance)
    return TakeHand(seat, chance.choice(current.options()), by="computer")


def _roll(current: Round, seat: Seat, chance: random.Random) -> Roll:
    dice = tuple(chance.randint(1, 6) for _ in range(DICE - len(current.hands()[seat])))
    return Roll(seat, dice, by="computer")


def _best(current: Round, seat: Seat) -> Choice:
    before = Round(current.number, current.opened_ns, current.order, current.turns[:-1]).hands()
    (other,) = (s for s in current.order if s != seat)
    rolled: Hand = current.turns[-1].dice
    return solve().choices(rolled, before[seat], before[other])[0]


RUN_BUSTER = Opponent(
    "run-buster",
    STRENGTHS["run-buster"],
    choose,
    at_random,
)
