"""Solitaire quests on the pages: the clock, what is wrong with the tray, hints, and the best times of this table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pi.rules.events import SeenTile
from pi.rules.games.quest import Attempt, Quests, dealt, faults, runs
from pi.rules.quests import latin, magic_sums, most_runs, no_runs
from pi.rules.quests.catalogue import HARDER
from pi.rules.quests.laying import Fault
from pi.rules.ruleset import Context
from pi.rules.values import NUMBERS
from pi.rules.vouching import QUESTION
from web import playing
from web.audience import Audience
from web.forms import Form, Request
from web.playing import View

TITLES = {
    no_runs.NAME: no_runs.TITLE,
    latin.NAME: latin.TITLE,
    magic_sums.NAME: magic_sums.TITLE,
    HARDER: "Magic sums, no number twice in a row",
    most_runs.NAME: most_runs.TITLE,
}
SHOWN = 10
"""Lines of a best list."""


def _hint(form: Form) -> Request:
    return {"command": "quest-hint"}


ASKS = {"quest-hint": _hint}


def view(context: Context, state: Quests, audience: Audience) -> View:
    """Return the running attempt with what is wrong, and those that were solved."""
    current = state.current
    title = TITLES.get(state.quest, state.quest)
    return {
        **playing.turn(context, (), audience),
        "headline": "No quest is being laid; press START." if current is None else _headline(state, current),
        "quest": state.quest,
        "title": title,
        "running": None if current is None else _running(state, current),
        "solved": [_solved(state, attempt) for attempt in state.attempts if attempt.solved_ns is not None],
    }


def _headline(state: Quests, current: Attempt) -> str:
    if state.quest == most_runs.NAME and dealt(state, current) is None and not current.doubts():
        return "Lay shuffled rows, a colour each, and let the eye read them."
    if current.tray is None:
        return "The tiles are being laid."
    if current.in_question() and not current.doubts():
        return QUESTION
    wrong = faults(state, current)
    if not wrong and not current.doubts():
        return "Everything is right: press NEXT."
    return "Something is wrong still." if wrong else "The eye asks about a tile."


def _running(state: Quests, current: Attempt) -> View:
    laying = current.laying(state.door.shape)
    return {
        "number": current.number,
        "read": laying is not None,
        "frame": current.tray.frame if current.tray else "",
        "rows": [] if laying is None else [[_tile(tile.symbol, tile.colour) for tile in row] for row in laying.rows],
        "faults": [_fault(fault) for fault in faults(state, current)],
        "doubts": [_doubt(tile) for tile in current.doubts()],
        "question": playing.question(current.tray, asked=current.in_question()),
        "hints": [hint.sentence for hint in current.hints],
        "runs": _runs(state, current),
    }


def _runs(state: Quests, attempt: Attempt) -> View | None:
    """Return what Most-Runs is about; None in other quests and where nothing lawful lies."""
    found = runs(state, attempt)
    return None if found is None else {"made": found[0], "best": found[1]}


def _tile(symbol: str, colour: str) -> View:
    return {"symbol": symbol, "colour": colour}


def _fault(fault: Fault) -> View:
    return {"cells": [list(cell) for cell in fault.cells], "sentence": fault.sentence}


def _doubt(tile: SeenTile) -> View:
    likely = [{"symbol": symbol, "percent": round(100 * chance, 1)} for symbol, chance in tile.likely]
    others = [symbol for symbol in NUMBERS if symbol not in dict(tile.likely)]
    place = {"row": tile.row, "column": tile.column, "colour": tile.colour, "read": tile.symbol}
    return {**place, "likely": likely, "others": others}


def _solved(state: Quests, attempt: Attempt) -> View:
    took = attempt.took_ns() or 0
    told = {"number": attempt.number, "seconds": round(took / 1e9, 1), "hints": len(attempt.hints)}
    return {**told, "runs": _runs(state, attempt)}


def _missed(solved: View) -> int:
    """Return the runs that were possible and not made; 0 in quests that are solved or not."""
    made = solved.get("runs")
    return made["best"] - made["made"] if made else 0


def best_list(lines: Iterable[Mapping[str, Any]]) -> list[View]:
    """Return for each quest that was ever solved here its best times, fastest first.

    Most-Runs: by runs missed, then by time. lines: the shelf's (`web.history.Shelf.matches`).
    """
    found: dict[str, list[View]] = {name: [] for name in TITLES}
    for line in lines:
        play = (line["view"] or {}).get("play") or {}
        if play.get("quest") not in found:
            continue
        who = [player["name"] for player in line["view"]["players"]]
        for solved in play["solved"]:
            found[play["quest"]].append({**solved, "who": who, "date": line["date"], "match": line["match"]})
    return [
        {"title": TITLES[name], "times": sorted(times, key=lambda t: (_missed(t), t["seconds"]))[:SHOWN]}
        for name, times in found.items()
        if times
    ]
