"""Runaround by Jonathan Leistiko (2007): the loop, landing, bumps, swaps and runs (RULES.md 3): pure.

Spaces are numbered 0 to n-1 around the loop. Player 1 starts on space 0 and runs upwards, player 2 starts
on space n/2 and runs downwards. The loop lies flat in two lanes back to back, so space k has its partner
across the wall in space n-k.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

SOURCE = "Runaround by Jonathan Leistiko"
PAWNS = 4
"""Five pawns each, of which one is the score marker."""
RUNS_TO_WIN = 5
FEWEST_SPACES, SPACES, MOST_SPACES = 12, 20, 40
DIE = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Pawn:
    """A pawn on the loop."""

    space: int
    owed: bool = False
    """It has come round to its starting space; the run counts when it leaves (Ruling, RULES.md 3)."""


@dataclass(frozen=True, slots=True)
class Side:
    """One player's pieces."""

    home: int = PAWNS
    """Pawns at home."""
    pawns: tuple[Pawn, ...] = ()
    """Pawns on the loop, in the order they came."""
    runs: int = 0
    """How far the marker has gone."""

    def at(self, space: int) -> Pawn | None:
        """Return the pawn on a space; None when none of this side stands there."""
        return next((pawn for pawn in self.pawns if pawn.space == space), None)


@dataclass(frozen=True, slots=True)
class Loop:
    """The board and what stands on it; no two pawns rest on one space."""

    spaces: int = SPACES
    sides: tuple[Side, Side] = (Side(), Side())


class Landed(Enum):
    """What became of a pawn where it landed."""

    FREE = "free"
    BUMPED = "bumped"
    """The opponent's pawn there went across the wall."""
    SWAPPED = "swapped"
    """It swapped places with the opponent's pawn across the wall."""
    SENT_HOME = "sent-home"
    """An opponent stood there and no wall: the mover's own pawn went home."""
    AGAIN = "again"
    """A pawn of its own stands there: roll again and move the same piece."""


@dataclass(frozen=True, slots=True)
class Landing:
    """The loop after a pawn has landed."""

    loop: Loop
    what: Landed
    carried: Pawn | None = None
    """With AGAIN: the pawn that must go on; it does not rest on the loop."""


def start_of(player: int, *, spaces: int) -> int:
    """Return the starting space of player 0 or 1."""
    return 0 if player == 0 else spaces // 2


def direction_of(player: int) -> int:
    """Return +1 or -1: the players run in opposite directions."""
    return 1 if player == 0 else -1


def across(space: int, *, spaces: int) -> int | None:
    """Return the partner across the wall; None for the starting spaces and the two beside each."""
    walless = {(start + beside) % spaces for start in (0, spaces // 2) for beside in (-1, 0, 1)}
    return None if space in walless else spaces - space


def spaces_problem(spaces: int) -> str | None:
    """Return why a loop of so many spaces is not played; None when it is."""
    if spaces % 2 or not FEWEST_SPACES <= spaces <= MOST_SPACES:
        return f"A loop has an even number of spaces, {FEWEST_SPACES} to {MOST_SPACES} (got {spaces})."
    return None


def enters(loop: Loop, player: int, roll: int) -> bool:
    """Tell whether a roll brings a pawn in: it is at most the number of pawns at home."""
    return roll <= loop.sides[player].home


def enter(loop: Loop, player: int) -> Landing:
    """Return the loop after one pawn has come from home onto its starting space.

    Ruling (RULES.md 3): entering obeys the same landing rules; there is no wall there.
    """
    side = loop.sides[player]
    loop = _with(loop, player, replace(side, home=side.home - 1))
    return _land(loop, player, Pawn(start_of(player, spaces=loop.spaces)))


def move(loop: Loop, player: int, space: int, roll: int, *, score_on_reaching: bool = False) -> Landing:
    """Return the loop after the pawn on `space` has moved the full roll; KeyError when none is there."""
    side = loop.sides[player]
    pawn = side.at(space)
    if pawn is None:
        raise KeyError(space)
    rest = tuple(p for p in side.pawns if p != pawn)
    loop = _with(loop, player, replace(side, pawns=rest))
    return go_on(loop, player, pawn, roll, score_on_reaching=score_on_reaching)


def go_on(loop: Loop, player: int, pawn: Pawn, roll: int, *, score_on_reaching: bool = False) -> Landing:
    """Return the loop after a pawn that does not rest on it has moved the full roll.

    "Passing over your starting space moves your marker one up"; reaching it exactly counts when the pawn
    leaves it again, or at once with `score_on_reaching` (RULES.md 3).
    """
    start = start_of(player, spaces=loop.spaces)
    path = [(pawn.space + direction_of(player) * n) % loop.spaces for n in range(1, roll + 1)]
    reached = path[-1] == start
    runs = int(pawn.owed) + int(start in path[:-1]) + int(reached and score_on_reaching)
    side = loop.sides[player]
    loop = _with(loop, player, replace(side, runs=side.runs + runs))
    return _land(loop, player, Pawn(path[-1], owed=reached and not score_on_reaching))


def _land(loop: Loop, player: int, pawn: Pawn) -> Landing:
    other = 1 - player
    wall = across(pawn.space, spaces=loop.spaces)
    if loop.sides[player].at(pawn.space):
        return Landing(loop, Landed.AGAIN, pawn)
    if loop.sides[other].at(pawn.space):
        if wall is None:
            side = loop.sides[player]
            return Landing(_with(loop, player, replace(side, home=side.home + 1)), Landed.SENT_HOME)
        loop = _moved(_sent_home(loop, wall), other, pawn.space, wall)
        return Landing(_resting(loop, player, pawn), Landed.BUMPED)
    if wall is not None and loop.sides[other].at(wall):
        loop = _moved(loop, other, wall, pawn.space)
        return Landing(_resting(loop, player, replace(pawn, space=wall)), Landed.SWAPPED)
    return Landing(_resting(loop, player, pawn), Landed.FREE)


def _with(loop: Loop, player: int, side: Side) -> Loop:
    sides = (side, loop.sides[1]) if player == 0 else (loop.sides[0], side)
    return replace(loop, sides=sides)


def _resting(loop: Loop, player: int, pawn: Pawn) -> Loop:
    side = loop.sides[player]
    return _with(loop, player, replace(side, pawns=(*side.pawns, pawn)))


def _moved(loop: Loop, player: int, old: int, new: int) -> Loop:
    side = loop.sides[player]
    pawns = tuple(replace(p, space=new) if p.space == old else p for p in side.pawns)
    return _with(loop, player, replace(side, pawns=pawns))


def _sent_home(loop: Loop, space: int) -> Loop:
    """Send home whatever stands on a space, be it whose it may."""
    for player, side in enumerate(loop.sides):
        if side.at(space):
            rest = tuple(p for p in side.pawns if p.space != space)
            return _with(loop, player, replace(side, home=side.home + 1, pawns=rest))
    return loop
