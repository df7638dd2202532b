"""Every computer player, loaded when somebody asks for its game."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import pi.opponents
from pi.opponents.player import Opponent
from pi.rules.games import RULESETS

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
