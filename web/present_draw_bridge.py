"""Draw Bridge on the pages: the array, whose turn it is, the path that scored, tiles still out, doubts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pi.rules.events import SeenTile, Tray
from pi.rules.games.draw_bridge import ROUNDS, awards, mover, movers, terms_of
from pi.rules.games.draw_bridge_books import START_TURN, Bridge, HandDealt, Round, ScoredTurn, scored
from pi.rules.games.draw_bridge_score import PLACES, ROWS, Tile, free_places, tiles_out
from pi.rules.numerals import is_whole
from pi.rules.ruleset import Context
from pi.rules.runs import Triple
from pi.rules.values import EMPTY, NUMBERS, WILD, Cell
from pi.rules.vouching import QUESTION
from web import playing
from web.audience import Audience
from web.forms import BadInput, Form, Request
from web.playing import View
from web.speech import count, echo, say


def _lay(form: Form) -> Request:
    """Return the command for one tile more: what the turn has laid already comes along in `before`."""
    row, place = playing.cell(form, "place")
    tiles = [_tile(word) for word in form.get("before", "").split()[:1]]
    tiles.append({"row": row, "place": place, "symbol": form.get("symbol", "")[:1]})
    return {"command": "bridge-lay-tiles", "tiles": tiles}


def _tile(word: str) -> Request:
    match word.split("-"):
        case [row, place, symbol] if is_whole(row, most=2) and is_whole(place, most=2):
            return {"row": int(row), "place": int(place), "symbol": symbol}
    raise BadInput("the field 'before' names tiles as row-place-symbol")


ASKS = {"bridge-lay": _lay}


def view(context: Context, state: Bridge, audience: Audience) -> View:
    """Return the array of the round being played, or of the last one, and what counts on it."""
    now = movers(context, state)
    played = state.current or (state.rounds[-1] if state.rounds else None)
    return {
        **playing.turn(context, now, audience),
        "headline": _headline(context, state),
        "between": state.current is None,
        "rounds": ROUNDS.get(len(context.players), 4),
        "tallies": [_tally(context, r) for r in state.rounds],
        **(_array(context, played) if played else {"number": None, "open": False}),
        "open": state.current is not None,
    }


def _headline(context: Context, state: Bridge) -> str:
    current = state.current
    if current is None:
        return say("Press NEXT for round {number}.", number=len(state.rounds) + 1)
    if doubts := len(current.doubts()):
        many = "The eye is not sure about {n} tiles: the table says what lies there."
        return count(doubts, many.replace("tiles", "tile"), many)
    if current.in_question():
        return say(QUESTION)
    seat = mover(context, current)
    if seat is None:
        return say("Lay the fortieth tile at the left end of its row.")
    left = current.wanted(current.turn) - len(current.begun())
    return count(left, "{name} lays {n} tile.", "{name} lays {n} tiles.", name=context.name(seat))


def _array(context: Context, played: Round) -> View:
    terms, board = terms_of(context.house), played.board()
    turns = scored(played, terms=terms)
    last = turns[-1] if turns else None
    laid = {tile.cell for tile in last.laid.tiles} if last else set()
    free = {(row, place) for row in range(ROWS) for place in free_places(board, row)} if not played.over else set()
    colours = played.tray.row_colours() if played.tray else {}
    out = tiles_out(board, terms=terms)
    return {
        "number": played.number,
        "turn": played.turn,
        "before": " ".join(f"{t.row}-{t.place}-{t.symbol}" for t in played.begun()),
        "array": [
            {
                "row": row,
                "colour": colours.get(row),
                "cells": [_cell(board.rows[row][place], (row, place), laid, free) for place in range(PLACES)],
                "out": list(out[row]),
            }
            for row in range(ROWS)
        ],
        "last": _turn(context, last) if last else None,
        "runs": _runs(last) if last else [],
        "doubts": [_doubt(tile, played.tray, wild=terms.wild) for tile in played.doubts()],
        "question": playing.question(played.tray, asked=played.in_question(), read=_new(played)),
        "doubt_frame": played.tray.frame if played.tray and (played.doubts() or played.in_question()) else "",
        "aside": [_aside(context, hand, colours) for hand in played.dealt],
        "wants": _wants(context, played, colours),
        "fresh": not played.turns,
        "frame": next((t.laid.frame for t in reversed(turns) if t.laid.frame), ""),
        "turns": [_turn(context, turn) for turn in turns],
    }


def _new(played: Round) -> list[str]:
    """Return the tiles of the latest reading that have not been counted yet, in words."""
    before = played.settled()
    new = {cell: s for cell, s in played.symbols().items() if s in (*NUMBERS, WILD) and before.at(cell) == EMPTY}
    return [echo(str(Tile(*cell, symbol))) for cell, symbol in sorted(new.items())]


def _aside(context: Context, hand: HandDealt, colours: Mapping[int, str]) -> View:
    """Return which tiles were set aside for a player without hands, by row."""
    return {
        "name": context.name(hand.seat),
        "rows": [
            {"row": row, "colour": colours.get(row), "symbols": sorted(s for r, s in hand.tiles if r == row)}
            for row in range(ROWS)
        ],
    }


def _wants(context: Context, played: Round, colours: Mapping[int, str]) -> View | None:
    """Return what is to be laid for such a player now; None when nothing is."""
    asked = played.wanted_now()
    if asked is None:
        return None
    tiles = [
        {"row": t.row, "place": t.place, "symbol": t.symbol, "colour": colours.get(t.row)}
        for t in asked.tiles
        if t not in played.begun()
    ]
    return {"name": context.name(asked.seat), "tiles": tiles}


def _cell(symbol: str, cell: Cell, laid: set[Cell], free: set[Cell]) -> View:
    shown = "" if symbol == EMPTY else symbol
    return {"row": cell[0], "place": cell[1], "symbol": shown, "now": cell in laid, "free": cell in free}


def _turn(context: Context, turn: ScoredTurn) -> View:
    return {
        "name": "" if turn.laid.turn == START_TURN else context.name(turn.laid.seat),
        "tiles": [echo(str(tile)) for tile in turn.laid.tiles],
        "points": turn.turn.points if turn.complete and turn.laid.turn != START_TURN else None,
        "frame": turn.laid.frame,
        "by": turn.laid.by,
    }


def _runs(turn: ScoredTurn) -> list[View]:
    """Return each credited run with the lines to draw, in cells; a run that closes around an end has stubs."""
    found = [(run, credit.assignment) for credit in turn.turn.credits for run in credit.runs]
    numbers = turn.turn.board.cells()
    runs = []
    for number, (run, assignment) in enumerate(found, start=1):
        symbols = numbers | dict(assignment)
        ordered = sorted(run, key=lambda cell: _rank(symbols, run, cell))
        runs.append({"number": number, "symbols": " ".join(symbols[c] for c in ordered), "lines": _lines(ordered)})
    return runs


def _rank(symbols: dict[Cell, str], run: Triple, cell: Cell) -> int:
    """Return 0, 1 or 2: the place of a cell in its run, counting upwards around the ring of numbers."""
    numbers = {int(symbols[c]) for c in run}
    first = next(n for n in numbers if (n + 1) % 10 in numbers and (n + 2) % 10 in numbers)
    return (int(symbols[cell]) - first) % 10


def _lines(cells: Sequence[Cell]) -> list[list[float]]:
    """Return [column, row, column, row] of each line from tile to tile."""
    lines: list[list[float]] = []
    for (row, place), (other_row, other) in zip(cells, cells[1:], strict=False):
        if abs(row - other_row) + abs(place - other) == 1:
            lines.append([place, row, other, other_row])
        else:
            lines += [
                [place, row, *_outwards(place, row, other)],
                [other, other_row, *_outwards(other, other_row, place)],
            ]
    return lines


def _outwards(place: int, row: int, other: int) -> tuple[float, float]:
    if place != other:
        return place + (0.8 if place > other else -0.8), row
    return place, row + (0.8 if row else -0.8)


def _doubt(tile: SeenTile, tray: Tray | None, *, wild: bool) -> View:
    allowed = [*NUMBERS, *(WILD * wild), EMPTY]
    likely = [{"symbol": s, "percent": round(100 * chance)} for s, chance in tile.likely if s in allowed][:4]
    offered = {entry["symbol"] for entry in likely}
    return {
        "row": tile.row,
        "column": tile.column,
        "colour": tile.colour,
        "row_colour": tray.strange_row(tile) if tray else None,
        "likely": likely,
        "others": [symbol for symbol in allowed if symbol not in offered],
    }


def _tally(context: Context, played: Round) -> View:
    points = dict.fromkeys(context.seats(), 0)
    for award in awards(context, played):
        points[award.seat] = points.get(award.seat, 0) + award.points
    return {"number": played.number, "points": {str(seat): won for seat, won in points.items()}}
