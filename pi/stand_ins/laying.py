"""Simulated people lay their tiles and dice on the simulated tray; what the referee knows of it the eye must read."""

from __future__ import annotations

from pathlib import Path

from pi.rules import commands as ask
from pi.rules.commands import Command
from pi.rules.games.draw_bridge import LayTiles
from pi.rules.games.draw_bridge_books import Round as BridgeRound
from pi.rules.games.draw_bridge_score import lay
from pi.rules.games.run_buster import Roll, TakeHand
from pi.rules.games.run_buster_books import Round as BusterRound
from pi.rules.match import Match
from pi.rules.values import EMPTY
from pi.simulator import SET_COLOURS
from pi.stand_ins.tray_on_disk import Laid, LaidDie, read, write

BY = "simulated table"


class SimulatedTray:
    """The felt of the demo; a `pi.stand_ins.company.Tray`."""

    def __init__(self, folder: Path) -> None:
        """Take the folder that the simulated camera looks into."""
        self._folder = folder

    def lay(self, match: Match, command: Command) -> bool:
        """Lay what a command says; False when that is nothing for the tray."""
        current = getattr(match.state, "current", None)
        match command, current:
            case LayTiles(), BridgeRound():
                write(self._folder, _tiles(match, current, command))
            case ((Roll() | TakeHand()), BusterRound()):
                write(self._folder, _dice(match, current, command))
            case _:
                return False
        return True

    def answer(self, match: Match) -> Command | None:
        """Say what lies where the eye is not sure: who laid it knows."""
        laid, current = read(self._folder), getattr(match.state, "current", None)
        if laid is None or not isinstance(current, BridgeRound) or laid.match != match.id:
            return None
        tile = current.doubts()[0]
        cell = laid.rows[tile.row][tile.column]
        symbol = cell.rpartition(":")[2] if cell else EMPTY
        return ask.CorrectTile(current.number, tile.row, tile.column, symbol, BY)


def _tiles(match: Match, current: BridgeRound, command: LayTiles) -> Laid:
    board = lay(current.settled(), command.tiles)
    rows = tuple(
        tuple(None if symbol == EMPTY else f"{colour}:{symbol}" for symbol in row)
        for colour, row in zip(SET_COLOURS, board.rows, strict=True)
    )
    return Laid(match.id, current.number, current.turn, rows)


def _dice(match: Match, current: BusterRound, command: Roll | TakeHand) -> Laid:
    """Return the mat: the roll beside the hands, or the new hand, busted ones gone and the rest in the cup."""
    hands = dict(current.hands())
    roll: tuple[int, ...] = ()
    if isinstance(command, Roll):
        roll = command.dice
    else:
        hands[command.seat] = command.hand
    dice = [LaidDie(0, value, command.seat) for value in roll]
    dice += [LaidDie(seat, value, seat) for seat, hand in hands.items() for value in hand]
    return Laid(match.id, current.number, current.turn, dice=tuple(dice))
