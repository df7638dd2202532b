"""A simulated person at a solitaire quest: lays shuffled tiles, then a solution, and stops the clock."""

from __future__ import annotations

import random

from pi.rules import commands as ask
from pi.rules.commands import Command
from pi.rules.events import SeenTile, Tray
from pi.rules.games.quest import Attempt, Quests, dealt, faults, runs
from pi.rules.match import Match
from pi.rules.quests import most_runs
from pi.rules.quests.laying import Laying, deck
from pi.stand_ins.shuffle import SET_COLOURS
from pi.stand_ins.tray_on_disk import Laid, Rows


def next_move(match: Match) -> Command | None:
    """Return what the person does next: START, lay the solution, or NEXT; None while the eye has not read."""
    state = match.state
    if not isinstance(state, Quests):
        return None
    current = state.current
    if current is None:
        return ask.Next(at_ns=0)
    if current.tray is None or current.doubts() or current.in_question():
        return None
    made = runs(state, current)
    if not faults(state, current) and (made is None or made[0] == made[1]):
        return ask.Next(at_ns=0)
    solved = _solved(state, current)
    return None if solved is None else ask.ReadTray(_tray(solved))


def _solved(state: Quests, current: Attempt) -> Laying | None:
    if state.quest == most_runs.NAME:
        deal = dealt(state, current)
        return None if deal is None else most_runs.best(deal).laying
    return state.door.solve(Laying.empty(state.door.shape), seed=current.number)


def laid(match: Match, command: Command) -> Laid | None:
    """Return the tiles that lie there after a command: shuffled for START, else what it says; None: nothing new."""
    state = match.state
    if not isinstance(state, Quests):
        return None
    match command:
        case ask.Next() if state.current is None:
            number = len(state.attempts) + 1
            return Laid(match.id, number, len(match.history), _shuffled(state, key=f"{match.id}/{number}"))
        case ask.ReadTray(tray=tray) if state.current is not None:
            return Laid(match.id, state.current.number, len(match.history), _rows(tray, state.door.shape))
    return None


def _shuffled(state: Quests, *, key: str) -> Rows:
    """Return shuffled tiles: rows by colour for Most-Runs, else mixed colours."""
    chance, tiles = random.Random(key), [f"{tile.colour}:{tile.symbol}" for tile in deck(SET_COLOURS)]
    if state.quest == most_runs.NAME:
        return tuple(tuple(chance.sample(tiles[n : n + 10], 10)) for n in range(0, len(tiles), 10))
    chance.shuffle(tiles)
    width = state.door.shape[1]
    return tuple(tuple(tiles[n : n + width]) for n in range(0, len(tiles), width))


def _tray(laying: Laying) -> Tray:
    return Tray(tuple(SeenTile(r, c, t.symbol, t.colour, sure=True) for (r, c), t in laying.cells().items()))


def _rows(tray: Tray, shape: tuple[int, int]) -> Rows:
    """Return tiles for drawing: colours of the set by the order in which the solution names its own."""
    names = dict.fromkeys(tile.colour for tile in tray.tiles)
    drawn = dict(zip(names, SET_COLOURS, strict=False)) if not set(names) <= set(SET_COLOURS) else {}
    cells = {tile.cell: f"{drawn.get(tile.colour, tile.colour)}:{tile.symbol}" for tile in tray.tiles}
    return tuple(tuple(cells[r, c] for c in range(shape[1])) for r in range(shape[0]))
