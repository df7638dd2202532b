"""Draw Bridge with a player that has no hands: its tiles are set aside openly, and people lay them for it. Pure.

Nobody can draw tiles for the computer without seeing them, so the table deals it a hand by lot, tells people
which tiles to set aside, and draws the rest among them as the rule book says. On its turn the tablet says what
to lay where; the camera sees that just that is laid. (Ruling: the rule book knows no such player.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pi.rules.games.draw_bridge_books import START_TURN, Held, Round
from pi.rules.games.draw_bridge_score import ROWS, Tile
from pi.rules.values import NUMBERS, WILD, Seat


def hand_size(players: int) -> int:
    """Return how many tiles each player holds: 20, 13 or 10 (RULES.md 1)."""
    return 40 // players


def deal_problem(current: Round, seat: Seat, tiles: Sequence[Held], *, wild: bool) -> str | None:
    """Return why these tiles cannot be set aside for a seat; None when they can."""
    wanted = hand_size(current.players)
    if any(laid.turn != START_TURN for laid in current.turns):
        return "Tiles are set aside before the first one is laid."
    if current.hand_dealt(seat) is not None:
        return f"Seat {seat} has its tiles already."
    if len(tiles) != wanted or len(set(tiles)) != wanted:
        return f"{len(set(tiles))} tiles are set aside (expected {wanted})."
    known = (*NUMBERS, *(WILD * wild))
    if any(not 0 <= row < ROWS or symbol not in known for row, symbol in tiles):
        return "One of these tiles is not in the set."
    if any(tile in hand.tiles for hand in current.dealt for tile in tiles):
        return "One of these tiles was set aside for another player."
    return None


def not_wanted(current: Round, tiles: Sequence[Tile], *, name: Callable[[Seat], str]) -> str | None:
    """Return why tiles may not be laid that are lawful by themselves; None when they may."""
    asked = current.wanted_now()
    for tile in tiles:
        if asked is not None and tile not in asked.tiles:
            wanted = " and ".join(str(t) for t in asked.tiles)
            return f"{name(asked.seat)} wants {wanted} laid, not {tile}."
        owner = next((hand.seat for hand in current.dealt if (tile.row, tile.symbol) in hand.tiles), None)
        if owner is not None and asked is None:
            return f"The {tile.symbol} of row {tile.row + 1} was set aside for {name(owner)}."
    return None
