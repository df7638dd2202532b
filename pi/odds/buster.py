"""Run Buster for two players, solved: win chances and best choices from every position (RULES.md 2).

A position is (hand of the player to move, hand of the other): 21 straights that are not yet full, or none, so 21 x 21
= 441. V(mine, theirs) is the mover's chance to win if both play best:

    V(a, b) = sum over rolls r of 6 - |a| dice of  p(r) * max over lawful hands a' of
              1 if a' is the full straight, else 1 - V(b', a'),      b' = () if r busts b, else b.

**Proof that the table is right.** Let T be this right-hand side as a map of value tables. A hand and its cup always
make the full straight at once when the cup rolls exactly the complement, and then the mover's worth is 1 in every
table. That has a chance of q = 720/46656 or more (least with no hand or a hand of one). Otherwise T averages, turns
round and takes the larger; so under T two tables come nearer, in their largest difference, by the factor 1 - q or
better. Hence there is exactly one solution V*, endless games have chance 0, and for *any* table V, however found:
|V - V*| <= |TV - V| / q. We find V by following the best choices of the last table (a linear system) until they no
longer change; `Solution.gap` is this bound for what is published, below 1e-12.

The sums have at most 462 products of doubles below one. Choices worth the same within `ALIKE` are both best.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from pi.odds.errors import BadQuestion
from pi.rules.games.run_buster_rules import DICE, FACES, FULL, Hand, busts, options, roll_problem, straights

Floats = npt.NDArray[np.float64]
Roll = tuple[int, ...]
"""Dice in ascending order."""

HANDS: tuple[Hand, ...] = ((), *(hand for hand in straights(FACES) if hand != FULL))
"""Every hand a player can have while the round goes on; () is no hand."""
PLACE = {hand: i for i, hand in enumerate(HANDS)}
ALIKE = 1e-9
"""Win chances closer than this are the same; different ones differ by at least 1.6e-5 (over all rolls)."""
SUDDEN = 720 / 46656
"""The least chance of any position that this turn can make the full straight."""
_GAP = 1e-12
_MOST_STEPS = 50


@dataclass(frozen=True, slots=True)
class Choice:
    """One lawful hand after a roll and what it is worth."""

    hand: Hand
    win: float
    """Chance that the mover wins with it, both playing best from there on."""
    best: bool


@dataclass(frozen=True, slots=True)
class Solution:
    """Both players' best play from every position."""

    wins: Floats
    """(21, 21): chance that the player to move wins, by PLACE of the mover's and of the other's hand."""
    turns: Floats
    """(21, 21): expected number of turns (both players') until the round ends, both playing best."""
    gap: float
    """Bound on the error of `wins`: how far the equation fails, over SUDDEN."""
    steps: int
    """How often the best choices were followed anew."""

    def win(self, mine: Hand, theirs: Hand) -> float:
        """Return the chance that the player to move wins; BadQuestion for hands that are none."""
        return float(self.wins[place(mine), place(theirs)])

    def length(self, mine: Hand, theirs: Hand) -> float:
        """Return the expected number of turns that are still to come."""
        return float(self.turns[place(mine), place(theirs)])

    def choices(self, roll: Roll, mine: Hand, theirs: Hand) -> tuple[Choice, ...]:
        """Return every lawful hand after a roll with its worth, best first; a single one where nothing can be done.

        Raises BadQuestion for a roll that this hand's cup cannot make.
        """
        place(mine)
        if problem := roll_problem(roll, mine):
            raise BadQuestion(f"{problem[:-1]} (expected {DICE - len(mine)} dice from 1 to 6)")
        after = () if busts(roll, theirs) else theirs
        worth = {new: self._worth(new, after) for new in options(roll, mine) or (mine,)}
        most = max(worth.values())
        found = (Choice(new, win, most - win < ALIKE) for new, win in worth.items())
        return tuple(sorted(found, key=lambda c: (-c.win, -len(c.hand), c.hand)))

    def _worth(self, mine: Hand, theirs: Hand) -> float:
        return 1.0 if mine == FULL else 1.0 - float(self.wins[place(theirs), place(mine)])


def place(hand: Hand) -> int:
    """Return a hand's place in HANDS; raises BadQuestion when it is no straight, or the full one."""
    if hand not in PLACE:
        raise BadQuestion(f"{hand} is not a hand of a round that goes on (expected a straight of up to 5, or none)")
    return PLACE[hand]


@lru_cache(maxsize=7)
def rolls(dice: int) -> dict[Roll, int]:
    """Return every different roll of so many dice with its number of ways; they add up to 6^dice."""
    ways = factorial(dice)
    return {
        roll: ways // prod(factorial(n) for n in Counter(roll).values())
        for roll in combinations_with_replacement(FACES, dice)
    }


@lru_cache(maxsize=1)
def solve() -> Solution:
    """Return the solution; about a second of work, then kept."""
    tables = {(a, b): _outcomes(HANDS[a], HANDS[b]) for a, b in product(range(len(HANDS)), repeat=2)}
    wins: Floats = np.full((len(HANDS), len(HANDS)), 0.5)
    for steps in range(1, _MOST_STEPS + 1):
        at_once, moves = _following(tables, wins)
        ones = np.ones(wins.size)
        # V = at_once + moves (1 - V) under these choices; a turn each is spent either way.
        wins = _solved(np.eye(wins.size) + moves, at_once + moves @ ones)
        gap = float(abs(_step(tables, wins) - wins).max()) / SUDDEN
        if gap < _GAP:
            return Solution(wins, _solved(np.eye(wins.size) - moves, ones), gap, steps)
    raise ArithmeticError(f"the table is still {gap} from its equation after {_MOST_STEPS} steps")


@dataclass(frozen=True, slots=True)
class _Outcomes:
    """All that one turn can bring from one position: different sets of choices, with their chances."""

    chances: Floats
    """(sets,)"""
    choices: npt.NDArray[np.int64]
    """(sets, most choices): index into the worths of a position, padded by repeating the first."""


Tables = dict[tuple[int, int], _Outcomes]
_WON = len(HANDS) ** 2
"""The index of "won at once" in the list of worths; below it, 21 * (their hand) + (my new hand)."""


def _outcomes(mine: Hand, theirs: Hand) -> _Outcomes:
    dice = DICE - len(mine)
    ways: Counter[tuple[int, ...]] = Counter()
    for roll, times, new in _plays(mine):
        after = PLACE[() if busts(roll, theirs) else theirs]
        ways[tuple(_WON if h == FULL else after * len(HANDS) + PLACE[h] for h in new)] += times
    most = max(len(choice) for choice in ways)
    padded = [choice + choice[:1] * (most - len(choice)) for choice in ways]
    return _Outcomes(np.array(list(ways.values())) / 6.0**dice, np.array(padded, dtype=np.int64))


@lru_cache(maxsize=len(HANDS))
def _plays(mine: Hand) -> list[tuple[Roll, int, tuple[Hand, ...]]]:
    return [(roll, times, options(roll, mine) or (mine,)) for roll, times in rolls(DICE - len(mine)).items()]


def _worths(wins: Floats) -> Floats:
    return np.append(1.0 - wins.reshape(-1), 1.0)


def _solved(system: Floats, right: Floats) -> Floats:
    return np.asarray(np.linalg.solve(system, right), dtype=np.float64).reshape(len(HANDS), len(HANDS))


def _step(tables: Tables, wins: Floats) -> Floats:
    worths, found = _worths(wins), np.empty_like(wins)
    for position, turn in tables.items():
        found[position] = float(turn.chances @ worths[turn.choices].max(axis=1))
    return found


def _following(tables: Tables, wins: Floats) -> tuple[Floats, Floats]:
    """Return, under the best choices of a table, the chance to win at once and the chances to go from each to each."""
    worths, size = _worths(wins), wins.size
    at_once, moves = np.zeros(size), np.zeros((size, size))
    for (a, b), turn in tables.items():
        best = worths[turn.choices].argmax(axis=1)
        after = turn.choices[np.arange(best.size), best]
        chances = np.bincount(after, weights=turn.chances, minlength=_WON + 1)
        here = a * len(HANDS) + b
        moves[here], at_once[here] = chances[:_WON], chances[_WON]
    return at_once, moves
