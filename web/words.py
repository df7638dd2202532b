"""The sentences of the pages, from facts that may be shown. One place, so that a catalogue can follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pi.rules import events as happened
from pi.rules.events import Event
from pi.rules.match import Match

NO_MATCH = "No match yet. Start one on the table page."
AWAY = "The table does not answer. What you see may be old; trying again."


def listed(names: Sequence[str]) -> str:
    """Return names as a person lists them: 'Ada', 'Ada and Ben', 'Ada, Ben and Cy'."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, one: str) -> str:
    """Return a number with its noun: '1 run', '3 runs'."""
    return f"{number} {one}" if abs(number) == 1 else f"{number} {one}s"


def headline(view: Mapping[str, Any]) -> str:
    """Return the one sentence that says where the match stands."""
    if view["phase"] in ("over", "playing"):
        return str(view["why"])
    shown = view.get("round")
    if shown is None:
        return "Ready for the first round: press NEXT."
    if view["phase"] == "between":
        return f"{_revealed(shown)} Press NEXT for round {shown['number'] + 1}."
    return _open(view, shown)


def _revealed(shown: Mapping[str, Any]) -> str:
    truth = shown["truth"]
    if truth is None:
        return f"Round {shown['number']} is closed."
    totals = [str(total) for total in truth["totals"]]
    if len(totals) > 1:
        return f"Round {shown['number']}: {', '.join(totals[:-1])} or {totals[-1]} runs can be made."
    return f"Round {shown['number']}: {counted(truth['totals'][0], 'run')}."


def _open(view: Mapping[str, Any], shown: Mapping[str, Any]) -> str:
    waiting = [p["name"] for p in view["players"] if p["seat"] in shown["waiting"]]
    if waiting:
        return f"Round {shown['number']}: waiting for {listed(waiting)}."
    return f"Round {shown['number']}: all locked in. {tray_sentence(shown['tray'])}"


def tray_sentence(tray: Mapping[str, Any]) -> str:
    """Return how far the reading of the tray is, without a word on what lies there."""
    match tray["state"]:
        case "unread":
            return "The tray has not been read yet."
        case "doubts":
            tiles = counted(tray["doubts"], "tile")
            return f"The eye is not sure about {tiles}: the table says what lies there."
        case "down":
            return f"{counted(tray['down'], 'tile')} still face down."
        case "ruled":
            return "The table counted by hand."
    return f"Tray read, {counted(tray['tiles'], 'tile')}."


def steps(match: Match, events: Iterable[Event]) -> str:
    """Return in a few words what a step did; never what somebody chose."""
    said = [text for text in (_step(match, event) for event in events) if text]
    return listed(said) or "a step"


def _step(match: Match, event: Event) -> str:
    name = match.context.name
    match event:
        case happened.RoundOpened(round=number):
            return f"round {number} opened"
        case happened.LockedIn(seat=seat):
            return f"{name(seat)} locked in"
        case happened.LockInWithdrawn(seat=seat):
            return f"{name(seat)}'s lock-in withdrawn"
        case happened.TrayRead(round=number):
            return f"tray of round {number} read"
        case happened.TrayCleared(round=number):
            return f"tray of round {number} to be read again"
        case happened.TileCorrected(round=number, row=row, column=column, was=was, symbol=symbol):
            place = f"row {row + 1} place {column + 1} of round {number}"
            return f"{place} corrected from {_face(was)} to {_face(symbol)}"
        case happened.TotalRuled(round=number):
            return f"total of round {number} set by hand"
        case happened.Revealed(round=number):
            return f"round {number} revealed"
    return _table_step(match, event)


def _table_step(match: Match, event: Event) -> str:
    name = match.context.name
    match event:
        case happened.PlayerRenamed(seat=seat):
            return f"seat {seat} renamed"
        case happened.PointsAdjusted(seat=seat, points=points):
            return f"{name(seat)} {points:+d} by hand"
        case happened.MatchEnded():
            return "match ended"
        case happened.Held():
            return "paused"
        case happened.Resumed():
            return "went on"
    return ""


def _face(symbol: str) -> str:
    return {"?": "face down", "#": "wild", ".": "nothing"}.get(symbol, symbol)
