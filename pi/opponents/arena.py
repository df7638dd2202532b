"""Whole matches between computer players, through decide and apply as everybody plays; and how strong each is."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import reduce

from pi.errors import FeltsideError
from pi.opponents.player import Choose
from pi.opponents.registry import opponent
from pi.rules import commands as ask
from pi.rules.commands import Command
from pi.rules.match import NEW, Match, apply, decide
from pi.rules.ruleset import House, Refused
from pi.rules.values import Player, Seat

MOST_STEPS = 5000
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")


class UnlawfulMove(FeltsideError, RuntimeError):
    """Raised when a computer player asks for what the rules refuse."""


def step(match: Match, choosers: Mapping[Seat, Choose], chance: random.Random, *, key: str) -> Command | None:
    """Return the next command of whoever's turn it is: NEXT between rounds; None when the match is over."""
    if match.outcome().over:
        return None
    context, state = match.context, match.state
    movers = match.ruleset.movers(context, state)
    for seat in movers or context.seats():
        command = choosers[seat](context, state, seat, chance, key)
        if command is not None:
            return command
    return ask.Next(at_ns=0)


def ruled(match: Match, command: Command) -> Match:
    """Return the match after a command; raises UnlawfulMove when it is refused."""
    answer = decide(match, command)
    if isinstance(answer, Refused):
        raise UnlawfulMove(f"{type(command).__name__} was refused: {answer.sentence}")
    return reduce(apply, answer, match)


def play(game: str, choosers: list[Choose], chance: random.Random, *, key: str, house: House | None = None) -> Match:
    """Return a whole match between computer players, seat 1 first."""
    players = tuple(Player(Seat(n), NAMES[n - 1]) for n in range(1, len(choosers) + 1))
    match = ruled(NEW, ask.StartMatch("arena", game, players, tuple((house or {}).items())))
    seats = dict(zip(match.context.seats(), choosers, strict=True))
    for _ in range(MOST_STEPS):
        command = step(match, seats, chance, key=key)
        if command is None:
            return match
        match = ruled(match, command)
    raise UnlawfulMove(f"{game} has no end after {MOST_STEPS} steps")


def measured(game: str, *, matches: int, seed: int) -> tuple[float, int]:
    """Return (matches won against random play, matches): seats change from match to match, a tie is half a win."""
    found = opponent(game)
    if found is None:
        raise UnlawfulMove(f"there is no computer player of {game}")
    chance, won = random.Random(seed), 0.0
    for n in range(matches):
        first = n % 2 == 0
        pair = [found.choose, found.at_random] if first else [found.at_random, found.choose]
        over = play(game, pair, chance, key=f"{seed}/{n}").outcome()
        mine = Seat(1 if first else 2)
        won += (mine in over.winners) / len(over.winners) if over.winners else 0.5
    return won, matches
