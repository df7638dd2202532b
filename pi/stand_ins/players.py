"""Simulated players: they count the truth with an error rate of their own, and take their time. Pure."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from pi.rules.games.scramble import layout_of, terms_of, variant_of
from pi.rules.games.scramble_score import MOST_PREDICTED, right_totals
from pi.rules.queueing import Key
from pi.rules.ruleset import House
from pi.rules.runs import count
from pi.rules.values import Board, Player, Seat
from pi.stand_ins.shuffle import Dealt

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
"""Who sits where, seat 1 first."""
DISKS = (Key.ONE, Key.TWO, Key.FOUR)


@dataclass(frozen=True, slots=True)
class Character:
    """How somebody plays."""

    right: float
    """Chance to name a right total."""
    pace_s: float
    """Seconds of thought, about."""


CHARACTERS = (Character(0.75, 7.0), Character(0.6, 4.5), Character(0.85, 9.0), Character(0.5, 5.5))
"""By seat: the careful are slower."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What a simulated player will do in a round."""

    seat: Seat
    prediction: int
    after_s: float
    """Seconds from the opening of the round to LOCK."""

    def presses(self) -> tuple[Key, ...]:
        """Return the keys to press, LOCK last."""
        return (*(key for key in DISKS if self.prediction & key.worth), Key.LOCK)


def true_totals(dealt: Dealt, *, house: House) -> tuple[int, ...]:
    """Return the totals that count as right for what the simulator has laid."""
    board = Board.of(layout_of(house), dealt.symbols())
    return right_totals(count(board, variant=variant_of(house)).totals, terms=terms_of(house))


def plan(totals: Sequence[int], seats: Sequence[Seat], *, seed: int, match: str, round: int) -> tuple[Planned, ...]:
    """Return what each seat does in a round, soonest first; the same arguments give the same plan.

    totals: the right ones. match: '' plays alike in every match.
    """
    chance = random.Random(f"{seed}/{match}/{round}/players")
    planned = [_planned(seat, totals, chance) for seat in seats]
    return tuple(sorted(planned, key=lambda p: (p.after_s, p.seat)))


def _planned(seat: Seat, totals: Sequence[int], chance: random.Random) -> Planned:
    character = CHARACTERS[(seat - 1) % len(CHARACTERS)]
    aim = min(chance.choice(list(totals)), MOST_PREDICTED)
    if chance.random() >= character.right:
        aim += chance.choice([-2, -1, -1, 1, 1, 2])
    prediction = min(max(aim, 0), MOST_PREDICTED)
    return Planned(seat, prediction, character.pace_s * chance.uniform(0.6, 1.6))


def players(number: int) -> tuple[Player, ...]:
    """Return that many players with their names, from seat 1."""
    return tuple(Player(Seat(n), name) for n, name in enumerate(NAMES[:number], start=1))
