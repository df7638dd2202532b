"""(match, audience) -> view: the only place that decides who may see what.

Every page, JSON answer and stream is made from what these functions return, and they only ever look at
a match whose secrets have been taken out (`veil`). Before a round's reveal a view therefore depends on no
prediction at all, not even for the seat that made it: a phone remembers its own choice by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pi.lamps import Lamp, lamps
from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.events import Event
from pi.rules.match import NEW, Match, decide, replay
from pi.rules.ruleset import HouseRule, Refused
from pi.rules.values import Points, Seat
from web import present_scramble as scramble
from web import turns, views, words
from web.audience import BOARD, SPECTATOR, TABLE, Audience, Place, seat_audience
from web.eye import notices
from web.speech import echo, say

__all__ = [
    "BOARD",
    "SPECTATOR",
    "TABLE",
    "Audience",
    "Place",
    "View",
    "present",
    "present_round",
    "present_turn",
    "seat_audience",
    "turns_played",
]

View = dict[str, Any]
"""JSON values only."""
FORM = 1
"""Version of the view's form, for programs that read `GET /api/state`."""
MOST_STEPS = 12
"""How many steps the table page offers to take back at once."""


def veil(match: Match) -> Match:
    """Return the match without predictions, nonces and totals ruled by hand of rounds not yet revealed."""
    if not match.started:
        return match
    state = scramble.veil(match.state) if match.game == "scramble" else match.ruleset.veiled(match.state)
    return replace(
        match,
        state=state,
        history=tuple(_veiled_event(event) for event in match.history),
        undone=tuple(tuple(_veiled_event(event) for event in step) for step in match.undone),
    )


def _veiled_event(event: Event) -> Event:
    # Steps are only ever named ("Ada's lock-in"), so what was chosen is taken out of all of them.
    match event:
        case happened.LockedIn():
            return replace(event, prediction=0, nonce="")
        case happened.TotalRuled():
            return replace(event, total=0, others=())
    return event


def present(
    match: Match, audience: Audience, *, status: Mapping[str, Any], seq: int = 0, away: str | None = None
) -> View:
    """Return the whole view of a match for an audience, as JSON values.

    match: folded from the journal, with all its secrets. status: what the table last said of camera, eye
    and panel. seq: the journal's seq the match was folded up to. away: a sentence when the table does not
    answer, so that the view may be stale; None while it does.
    """
    seen = veil(match)
    view: View = {
        "form": FORM,
        "audience": audience.place.value,
        "match": seen.id or None,
        "seq": seq,
        "stale": away,
        "status": _status(status),
        "simulation": status.get("simulation") is True,
        "held": seen.held,
    }
    if audience.place is Place.TABLE and (not seen.started or seen.outcome().over):
        view["tried"] = _tried(status)
    if not seen.started:
        return view | {
            "phase": "none",
            "headline": say(words.NO_MATCH),
            "players": [],
            "rounds": [],
            "turn": [],
            "lamps": {},
        }
    view |= _match_view(seen)
    if seen.game in views.VIEWS:
        view["play"] = views.VIEWS[seen.game].view(seen.context, seen.state, audience)
        view["played"] = len(turns.turns(seen))
        view["asked"] = turns.question(seen)
        view["lately"] = _lately(seen) if audience.place is Place.BOARD else None
    view["taken_back"] = _taken_back(seen)
    if audience.place is Place.TABLE:
        view["steps"] = _steps(seen)
        view["redos"] = _redos(seen)
    if audience.seat is not None:
        view["you"] = next((p for p in view["players"] if p["seat"] == audience.seat), None)
    own = (view.get("play") or {}).get("headline")
    view["headline"] = echo(str(own)) if own and not view["over"] else words.headline(view)
    return view


def present_round(
    match: Match, audience: Audience, *, number: int, status: Mapping[str, Any], total: int | None = None
) -> View | None:
    """Return the evidence of one round; None when it was not played.

    total: with wilds, the attainable total whose runs are to be shown (default: that of the best claim).
    """
    seen = veil(match)
    if not seen.started or not isinstance(seen.state, scramble.Scramble):
        return None
    played = seen.state.round(number)
    if played is None:
        return None
    tiles = played.revealed or audience.place is Place.TABLE
    view = scramble.round_view(seen.context, played, tiles=tiles, total=total)
    return view | {"match": seen.id, "rounds_played": len(seen.state.rounds)}


def turns_played(match: Match) -> int:
    """Return how many turns of a game of turns were played; 0 for Random Scramble, which has rounds."""
    seen = veil(match)
    return len(turns.turns(seen)) if seen.game in views.VIEWS else 0


def present_turn(match: Match, audience: Audience, *, number: int, status: Mapping[str, Any]) -> View | None:
    """Return the evidence of one turn of a game of turns; None when there is none of this number.

    Under "at" is the match as it stood after the turn, for the game's own drawing of what scored.
    """
    seen = veil(match)
    if seen.game not in views.VIEWS:
        return None
    found = turns.turn_view(seen, number, acts=audience.place is Place.TABLE)
    if found is None:
        return None
    return found | {"match": seen.id, "at": present(turns.as_of(seen, number), SPECTATOR, status={})}


def _match_view(seen: Match) -> View:
    outcome, score = seen.outcome(), seen.standing()
    leaders = seen.ruleset.leaders(seen.context, score) if any(score.values()) else ()
    target = int(dict(seen.house).get("target", 0))
    view: View = {
        "game": {"name": seen.game, "title": seen.ruleset.title, "source": seen.ruleset.source},
        "house": [_switch(rule, dict(seen.house)) for rule in seen.ruleset.house_rules],
        "target": target,
        "over": outcome.over,
        "winners": list(outcome.winners),
        "why": outcome.why,
        "players": [
            {
                "seat": player.seat,
                "name": player.name,
                "score": score.get(player.seat, 0),
                "leads": player.seat in leaders,
                "won": outcome.over and player.seat in outcome.winners,
                "locked": False,
                "place": None,
                "tied": False,
                "claim": None,
                "order": None,
            }
            for player in seen.players
        ],
        "adjusted": [
            {"name": seen.context.name(a.seat), "points": a.points, "why": a.why, "by": a.by} for a in seen.adjusted
        ],
        "rounds": [],
        "round": None,
        "phase": "over" if outcome.over else "playing",
    }
    if isinstance(seen.state, scramble.Scramble):
        scramble.add(view, seen.context, seen.state)
    view["turn"] = _turn(seen, view)
    # What the lamps on the table show, brief flashes aside: everybody there sees them.
    view["lamps"] = {lamp.value: pattern.value for lamp, pattern in lamps(seen).items() if lamp is not Lamp.BUZZER}
    return view


def _turn(seen: Match, view: View) -> list[Seat]:
    """Return the seats that are asked for something now."""
    if view["over"] or seen.held is not None:
        return []
    if isinstance(seen.state, scramble.Scramble):
        return list(view["round"]["waiting"]) if view["phase"] == "open" else []
    return list(seen.ruleset.movers(seen.context, seen.state))


def _switch(rule: HouseRule, house: Mapping[str, Any]) -> View:
    value = house.get(rule.name, rule.default)
    return {"name": rule.name, "value": value, "usual": value == rule.default, "line": rule.line}


def _status(status: Mapping[str, Any]) -> View:
    """Copy only what is known to be free of secrets: a pad's state never is."""
    camera, eye, panel = (_part(status, name) for name in ("camera", "eye", "panel"))
    problems = eye.get("problems")
    return {
        "camera": {name: _word(camera.get(name)) for name in ("state", "words", "tray", "light")}
        | {"fps": _number(camera)},
        "eye": {
            "status": _word(eye.get("status")),
            "problems": [str(p) for p in problems] if isinstance(problems, list) else [],
            "tiles": eye.get("tiles") if isinstance(eye.get("tiles"), int) else None,
            # What the referee says of what lies there: no rule looks at a prediction for that.
            "words": _word(eye.get("words")) or "",
            "notices": notices(eye.get("notices")),
        },
        "panel": {name: _word(panel.get(name)) for name in ("state", "words", "mode")} | {"seats": _seats(panel)},
    } | {part: {name: _word(_part(status, part).get(name)) for name in ("state", "words")} for part in _ALARMS}


def _number(camera: Mapping[str, Any]) -> float | None:
    """Return how many pictures a second the camera gives; None while nobody has counted."""
    fps = camera.get("fps")
    return fps if isinstance(fps, (int, float)) and not isinstance(fps, bool) else None


def _seats(panel: Mapping[str, Any]) -> list[int]:
    """Return the seats whose pads are wired."""
    seats = panel.get("seats")
    return [seat for seat in seats if isinstance(seat, int)] if isinstance(seats, list) else []


def _tried(status: Mapping[str, Any]) -> View:
    """Return which contacts were tried; only for the table's own page, and only while no match is played."""
    tryout = _part(status, "tryout")
    seen = tryout.get("seen")
    return {"seen": [str(name) for name in seen] if isinstance(seen, list) else [], "read": tryout.get("read") is True}


_ALARMS = ("journal", "settings")
"""Parts of the status that speak up on every page when they are not well."""


def _part(status: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = status.get(name)
    return part if isinstance(part, Mapping) else {}


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _changes(now: Match, score: Mapping[Seat, Points], then: Match) -> list[View]:
    """Return whose score would change. score: the standing now, which is counted once for many steps."""
    after = then.standing()
    return [
        {"name": now.context.name(seat), "now": points, "then": after.get(seat, 0)}
        for seat, points in score.items()
        if after.get(seat, 0) != points
    ]


def _lately(seen: Match) -> View:
    """Return the latest step of a match, and whose score it changed; "what" is empty before the first."""
    step = decide(seen, ask.Undo())
    if isinstance(step, Refused):
        return {"step": len(seen.history), "what": "", "moves": []}
    events = seen.history[-step[0].events :]
    before = replay(seen.history[: -step[0].events])
    moves = _changes(before, before.standing(), seen)
    return {"step": len(seen.history), "what": words.steps(seen, events), "moves": moves}


def _taken_back(seen: Match) -> View | None:
    """Return what the last undo took back; None when nothing is undone."""
    if not seen.undone:
        return None
    what = words.steps(seen, seen.undone[-1])
    return {"what": what, "step": len(seen.history), "steps": len(seen.undone)}


def _steps(seen: Match) -> list[View]:
    """Return the last steps, latest first, each with what is undone when one goes back to before it."""
    ends = [len(seen.history)]
    while len(ends) <= MOST_STEPS:
        undo = decide(replace(seen, history=seen.history[: ends[-1]]), ask.Undo())
        if isinstance(undo, Refused):
            break
        ends.append(ends[-1] - undo[0].events)
    befores, score = _folded(seen, ends[1:]), seen.standing()
    return [
        {
            "undo": n,
            "what": words.steps(seen, seen.history[start:end]),
            "moves": _changes(seen, score, befores[start]),
        }
        for n, (end, start) in enumerate(pairwise(ends), start=1)
    ]


def _folded(seen: Match, lengths: Sequence[int]) -> dict[int, Match]:
    """Return the match after so many of its events, for several lengths in descending order: folded once."""
    found, state, at = {}, NEW, 0
    for length in reversed(lengths):
        state, at = replay(seen.history[at:length], start=state), length
        found[length] = state
    return found


def _redos(seen: Match) -> list[View]:
    """Return the undone steps, the one taken back last first, each with what is redone up to and with it."""
    steps: list[View] = []
    left, score = seen, seen.standing()
    while left.undone and len(steps) < MOST_STEPS:
        what, left = words.steps(seen, left.undone[-1]), replay([happened.Redone(0, "")], start=left)
        steps.append({"redo": len(steps) + 1, "what": what, "moves": _changes(seen, score, left)})
    return steps
