"""Every computer player, loaded when somebody asks for its game."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import pi.opponents
from pi.opponents.player import Opponent
from pi.rules.games import RULESETS
from pi.rules.match import Match
from pi.rules.values import Player, Seat

NAME = "Computer"
"""How the name of a player begins that the computer plays."""
_MODULES = frozenset(module.name for module in iter_modules(pi.opponents.__path__))
GAMES = tuple(game for game in RULESETS if game.replace("-", "_") in _MODULES)
"""Games with a computer player, one module each in this folder."""


def opponent(game: str) -> Opponent | None:
    """Return the computer player of a game; None where there is none."""
    if game not in GAMES:
        return None
    module = game.replace("-", "_")
    found: Opponent = getattr(import_module(f"pi.opponents.{module}"), module.upper())
    return found


def is_computer(player: Player) -> bool:
    """Tell whether a player is played by the computer."""
    return player.name.casefold().startswith(NAME.casefold())


def computers_of(match: Match) -> tuple[Seat, ...]:
    """Return the seats that the computer plays in a match; () in games that it does not play."""
    if match.game not in GAMES:
        return ()
    return tuple(player.seat for player in match.players if is_computer(player))
