"""Every computer player, loaded when somebody asks for its game."""

from __future__ import annotations

from importlib import import_module

from pi.opponents.player import Opponent

GAMES = ("draw-bridge", "run-buster", "runaround", "palindromes", "blob", "divisors", "sums-grid")
"""Games with a computer player, one module each in this folder."""


def opponent(game: str) -> Opponent | None:
    """Return the computer player of a game; None where there is none."""
    if game not in GAMES:
        return None
    module = game.replace("-", "_")
    found: Opponent = getattr(import_module(f"pi.opponents.{module}"), module.upper())
    return found
