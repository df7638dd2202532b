"""Simulated people lay their tiles and dice on the simulated tray; what the referee knows of it the eye must read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pi.rules import commands as ask
from pi.rules.commands import Command
from pi.rules.games.blob import Blob, Fill
from pi.rules.games.draw_bridge import LayTiles
from pi.rules.games.draw_bridge_books import Round as BridgeRound
from pi.rules.games.draw_bridge_score import lay
from pi.rules.games.palindromes import COUNTERS, Palindromes, Write
from pi.rules.games.quest import Attempt
from pi.rules.games.run_buster import Roll, TakeHand
from pi.rules.games.run_buster_books import Round as BusterRound
from pi.rules.games.runaround import MovePawn, Runaround
from pi.rules.games.runaround import Roll as RunaroundRoll
from pi.rules.games.runaround_rules import Loop, move
from pi.rules.games.runaround_sight import KINDS, stood
from pi.rules.match import Match
from pi.rules.seen import DARK, LIGHT
from pi.rules.seen import EMPTY as BARE
from pi.rules.values import EMPTY
from pi.stand_ins import solitaire
from pi.stand_ins.mats import PAWNS, mat_of
from pi.stand_ins.shuffle import SET_COLOURS
from pi.stand_ins.tray_on_disk import Laid, LaidDie, read, write

BY = "simulated table"


class SimulatedTray:
    """The felt of the demo; a `pi.stand_ins.company.Tray`."""

    def __init__(self, folder: Path) -> None:
        """Take the folder that the simulated camera looks into."""
        self._folder = folder

    def lay(self, match: Match, command: Command) -> bool:
        """Lay what a command says; False when that is nothing for the tray."""
        if (laid := _on_mat(match, command, before=read(self._folder))) is not None:
            write(self._folder, laid)
            return True
        if (tiles := solitaire.laid(match, command)) is not None:
            write(self._folder, tiles)
            return not isinstance(command, ask.Next)  # START is pressed once the tiles lie there
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
        if laid is None or not isinstance(current, BridgeRound | Attempt) or laid.match != match.id:
            return None
        if not current.doubts():
            return self._vouched(current, laid)
        tile = current.doubts()[0]
        cell = laid.rows[tile.row][tile.column]
        symbol = cell.rpartition(":")[2] if cell else EMPTY
        return ask.CorrectTile(current.number, tile.row, tile.column, symbol, BY)

    def _vouched(self, current: BridgeRound | Attempt, laid: Laid) -> Command | None:
        """Say whether the tray lies as it was read: it must show what was laid, and no less."""
        tiles = {
            (r, c): cell.rpartition(":")[2] for r, row in enumerate(laid.rows) for c, cell in enumerate(row) if cell
        }
        if current.tray is None or not current.in_question() or current.tray.symbols() != tiles:
            return None
        return ask.ConfirmTray(current.number, current.tray.frame, BY)


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
    return Laid(match.id, current.number, current.turn, dice=tuple(dice), mat="run-buster")


def _on_mat(match: Match, command: Command, *, before: Laid | None) -> Laid | None:
    """Return the mat with what a command lays on it; None for a game without one, or with one too large for it."""
    expects, state = match.expects() or "", match.state
    if mat_of(expects) is None:
        return None
    turn = len(match.history)
    match command, state:
        case Write(square=square, digit=digit), Palindromes(row=row):
            held = [COUNTERS[d] for d in (*row[:square], digit, *row[square + 1 :])]
        case Fill(row=row, column=column), Blob(size=size, filled=filled):
            held = [BARE] * (size * size)
            for n, (r, c) in enumerate((*filled, (row, column))):
                held[r * size + c] = (DARK, LIGHT)[n % 2]
        case RunaroundRoll(die=die), Runaround(loop=loop, player=player):
            return Laid(match.id, 0, turn, dice=(LaidDie(player, die, player),), mat=expects, pieces=_pawns(loop))
        case MovePawn(space=space), Runaround(loop=loop, player=player, roll=int(roll)):
            at_once = bool(match.context.house.get("score_on_reaching"))
            after = move(loop, player, space, roll, score_on_reaching=at_once).loop
            dice = before.dice if before is not None and before.match == match.id else ()
            return Laid(match.id, 0, turn, dice=dice, mat=expects, pieces=_pawns(after))
        case _:
            return None
    return Laid(match.id, 0, turn, mat=expects, pieces=_held(held))


def _held(held: Sequence[str]) -> tuple[tuple[int, str], ...]:
    return tuple((place, kind) for place, kind in enumerate(held) if kind != BARE)


def _pawns(loop: Loop) -> tuple[tuple[int, str], ...]:
    """Return the pawns on the loop, at home and on their ways."""
    seen = stood(loop)
    pieces = [(space, KINDS[who]) for space, who in enumerate(seen.spaces) if who is not None]
    mat = mat_of(f"runaround:{loop.spaces}")
    assert mat is not None
    for player, track in enumerate(mat.tracks):
        home = range(track[0] - PAWNS, track[0])
        pieces += [(place, KINDS[player]) for place in home[: seen.home[player]]]
        pieces.append((track[min(seen.runs[player], len(track) - 1)], KINDS[player]))
    return tuple(sorted(pieces))
