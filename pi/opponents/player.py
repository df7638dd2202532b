"""What a computer player is: a pure function from what lies there to the next command, and an honest sentence."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pi.rules.commands import Command
from pi.rules.ruleset import Context
from pi.rules.values import Seat

Choose = Callable[[Context, Any, Seat, random.Random, str], Command | None]
"""(context, game state, own seat, chance, key of the deal) -> the next command; None when nothing is to be done.

The key seeds what was dealt hidden before the round (Draw Bridge); a player looks at its own hand only."""


AtTable = Callable[[Context, Any, Seat, random.Random, str, bool], Command | None]
"""As `Choose`, for a game whose pieces people must move for the computer; the last says whether a camera watches."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A computer player of one game."""

    game: str
    strength: str
    """How strong it is, in one or two sentences for players; measured figures where there are any."""
    choose: Choose
    at_random: Choose
    """The player it is measured against: any lawful command."""
    at_table: AtTable | None = None
    """How it asks for people's hands at a real table; None where its commands are all there is to do."""
