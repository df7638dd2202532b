"""The sentences of the pages, from facts that may be shown, in whatever language is spoken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pi.rules import events as happened
from pi.rules.events import Event
from pi.rules.match import Match
from pi.rules.seen import EyeRead, PieceTold
from pi.rules.vouching import QUESTION
from web.speech import count, echo, either, listed, say

NO_MATCH = "No match yet. Start one on the table page."
AWAY = "The table does not answer. What you see may be old; trying again."


def headline(view: Mapping[str, Any]) -> str:
    """Return the one sentence that says where the match stands."""
    if view["phase"] in ("over", "playing"):
        return echo(str(view["why"]))
    shown = view.get("round")
    if shown is None:
        return say("Ready for the first round: press NEXT.")
    if view["phase"] == "between":
        return f"{revealed(shown)} {say('Press NEXT for round {number}.', number=shown['number'] + 1)}"
    return _open(view, shown)


def revealed(shown: Mapping[str, Any]) -> str:
    """Return a revealed round's truth in one sentence."""
    truth, number = shown["truth"], shown["number"]
    if truth is None:
        return say("Round {number} is closed.", number=number)
    if len(truth["totals"]) > 1:
        return say("Round {number}: {totals} runs can be made.", number=number, totals=either(truth["totals"]))
    return say("Round {number}: {runs}.", number=number, runs=count(truth["totals"][0], "{n} run", "{n} runs"))


def _open(view: Mapping[str, Any], shown: Mapping[str, Any]) -> str:
    number = shown["number"]
    waiting = [p["name"] for p in view["players"] if p["seat"] in shown["waiting"]]
    if waiting:
        return say("Round {number}: waiting for {names}.", number=number, names=listed(waiting))
    return f"{say('Round {number}: all locked in.', number=number)} {tray_sentence(shown['tray'])}"


def tray_sentence(tray: Mapping[str, Any]) -> str:
    """Return how far the reading of the tray is, without a word on what lies there."""
    match tray["state"]:
        case "unread":
            return say("The tray has not been read yet.")
        case "doubts":
            many = "The eye is not sure about {n} tiles: the table says what lies there."
            return count(tray["doubts"], many.replace("tiles", "tile"), many)
        case "questioned":
            return say(QUESTION)
        case "down":
            return count(tray["down"], "{n} tile still face down.", "{n} tiles still face down.")
        case "ruled":
            return say("The table counted by hand.")
    return count(tray["tiles"], "Tray read, {n} tile.", "Tray read, {n} tiles.")


def steps(match: Match, events: Iterable[Event]) -> str:
    """Return in a few words what a step did; never what somebody chose."""
    said = [text for text in (_step(match, event) for event in events) if text]
    return listed(said) or say("a step")


def _step(match: Match, event: Event) -> str:
    name = match.context.name
    match event:
        case happened.RoundOpened(round=number):
            return say("round {number} opened", number=number)
        case happened.LockedIn(seat=seat):
            return say("{name} locked in", name=name(seat))
        case happened.LockInWithdrawn(seat=seat):
            return say("{name}'s lock-in withdrawn", name=name(seat))
        case happened.TrayRead(round=number):
            return say("tray of round {number} read", number=number)
        case happened.TrayCleared(round=number):
            return say("tray of round {number} to be read again", number=number)
        case happened.TrayConfirmed(round=number):
            return say("tray of round {number} confirmed", number=number)
        case happened.TileCorrected(round=number, row=row, column=column, was=was, symbol=symbol):
            return say(
                "row {row} place {column} of round {number} corrected from {was} to {symbol}",
                row=row + 1,
                column=column + 1,
                number=number,
                was=face(was),
                symbol=face(symbol),
            )
        case EyeRead(asked=asked):
            return count(len(asked), "a question of the eye", "questions of the eye") if asked else ""
        case PieceTold(by=by):
            return say("told by {who} what lies there", who=say(by))
        case happened.TotalRuled(round=number):
            return say("total of round {number} set by hand", number=number)
        case happened.Revealed(round=number):
            return say("round {number} revealed", number=number)
    return _table_step(match, event)


def _table_step(match: Match, event: Event) -> str:
    name = match.context.name
    match event:
        case happened.PlayerRenamed(seat=seat):
            return say("seat {seat} renamed", seat=seat)
        case happened.PointsAdjusted(seat=seat, points=points):
            return say("{name} {points} by hand", name=name(seat), points=f"{points:+d}")
        case happened.MatchEnded():
            return say("match ended")
        case happened.Held():
            return say("paused")
        case happened.Resumed():
            return say("went on")
    return echo((match.ruleset.told(match.context, event) if match.started else None) or "")


def face(symbol: str) -> str:
    """Return what a tile shows, in words where it is no number."""
    return {"?": say("face down"), "#": say("wild"), ".": say("nothing")}.get(symbol, symbol)


def cells(places: Iterable[Iterable[int]]) -> str:
    """Return where a run lies: 'row 2, places 3, 4, 5'."""
    at = [(row + 1, column + 1) for row, column in places]
    if len({row for row, _ in at}) == 1:
        return say("row {row}, places {places}", row=at[0][0], places=", ".join(str(c) for _, c in at))
    return ", ".join(say("row {row} place {column}", row=row, column=column) for row, column in at)
