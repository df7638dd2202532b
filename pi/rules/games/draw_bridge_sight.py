"""What a settled reading of the array tells the referee of Draw Bridge (RULES.md 1): pure."""

from __future__ import annotations

from collections.abc import Sequence

from pi.rules.events import SeenTile, Tray
from pi.rules.games.draw_bridge_books import Bridge, Round, is_on_the_array
from pi.rules.games.draw_bridge_score import Tile
from pi.rules.values import DOWN, EMPTY, NUMBERS, WILD
from pi.rules.vouching import same_doubt

UNPLACED = "It is not clear in which places these tiles lie: push their rows together, or lay them by tapping."


def tray_problem(tray: Tray) -> str | None:
    """Return why a reading is none of this game; None when it may be one.

    Where the eye cannot tell the places, a place that does not exist is its own doing, and nobody's mistake.
    """
    symbols = tray.symbols()
    if len(symbols) != len(tray.tiles):
        return "The reading shows two tiles in one place."
    for tile in tray.tiles:
        where = f"row {tile.row + 1} place {tile.column + 1}"
        if tile.symbol == DOWN and tile.sure:
            return f"The tile in {where} lies face down."
        if not is_on_the_array(Tile(tile.row, tile.column, NUMBERS[0])):
            return f"There is no {where} on the array." if tray.placed else UNPLACED
        if tile.symbol not in (*NUMBERS, WILD, EMPTY, DOWN):
            return f"{tile.symbol!r} does not belong on this board, in {where}."
    return None


def moved(current: Round, tray: Tray) -> str | None:
    """Say which settled tile was bumped, taken back or exchanged; a doubtful look at one says nothing.

    Where the eye cannot tell the places, nobody is told to have moved a tile.
    """
    sentence = _moved(current, tray)
    return sentence if sentence is None or tray.placed else UNPLACED


def _moved(current: Round, tray: Tray) -> str | None:
    seen = {tile.cell: tile for tile in tray.tiles}
    # What people corrected the eye may go on claiming: the correction stands, and play goes on.
    excused = {((fix.row, fix.column), fix.was) for fix in current.corrections}
    for cell, symbol in current.settled().cells().items():
        if symbol == EMPTY:
            continue
        where, now = f"row {cell[0] + 1} place {cell[1] + 1}", seen.get(cell)
        if now is None or (now.sure and now.symbol == EMPTY):
            return f"The {symbol} of {where} has gone: put it back, or undo the turn."
        if now.sure and now.symbol != symbol and (cell, now.symbol) not in excused:
            return f"In {where} lay {symbol} and now lies {now.symbol}: put it right, or correct the tile."
    return None


def new_tiles(current: Round, tray: Tray) -> tuple[SeenTile, ...]:
    """Return the tiles of a reading that did not lie there before the turn being played."""
    settled = current.settled()
    return tuple(t for t in tray.tiles if t.symbol != EMPTY and settled.at(t.cell) == EMPTY)


def lies_from_before(state: Bridge, new: Sequence[SeenTile]) -> bool:
    """Tell whether all that is new in a round lies just so since the round before: not yet cleared away."""
    if len(state.rounds) < 2 or not new or state.rounds[-1].turns:
        return False
    before = state.rounds[-2].board()
    return all(before.at(tile.cell) == tile.symbol for tile in new)


def colour_problem(tray: Tray, new: Sequence[SeenTile]) -> str | None:
    """Each colour has its own row (RULES.md 1); a reading without colours says nothing."""
    rows = {t.colour: t.row for t in tray.tiles if t.sure and t.colour and t not in new}
    colours = {row: colour for colour, row in rows.items()}
    for tile in new:
        if tile.colour is None or not tile.sure:
            continue
        row = rows.setdefault(tile.colour, tile.row)
        own = colours.setdefault(tile.row, tile.colour)
        if row != tile.row:
            return (
                f"The {tile.colour} {tile.symbol} may not lie in row {tile.row + 1}: {tile.colour} has row {row + 1}."
            )
        if own != tile.colour:
            return f"The {tile.colour} {tile.symbol} may not lie in row {tile.row + 1}: that is the row of {own}."
    return None


def nothing_new(current: Round, tray: Tray, new: Sequence[SeenTile]) -> bool:
    """Tell whether a reading says nothing that the last one, or the turn so far, did not say."""
    claims = {(tile.cell, tile.symbol, tile.sure) for tile in new}
    if current.tray is not None:
        old = {(t.cell, t.symbol, t.sure) for t in new_tiles(current, current.tray)}
        if claims == old and same_doubt(current.tray, tray):
            return True
        if current.in_question() or current.doubts():
            return False  # what was asked about has gone, and so does the question
    return claims == {(tile.cell, tile.symbol, True) for tile in current.begun()}
