"""Runaround on the pages: the loop in two lanes, die and pawns tapped."""

from __future__ import annotations

from pi.rules.games.runaround import Runaround, movers
from pi.rules.games.runaround_rules import DIE, Landed, Loop, across, move
from pi.rules.ruleset import Context
from web import playing
from web.audience import Audience
from web.forms import Form, Request, number
from web.playing import View
from web.speech import count, say

WHAT = {
    Landed.FREE: "lands free",
    Landed.BUMPED: "bumps the pawn there across the wall",
    Landed.SWAPPED: "swaps with the pawn across the wall",
    Landed.SENT_HOME: "goes home: an opponent stands there and there is no wall",
    Landed.AGAIN: "meets its own: roll again with it",
}


def _roll(form: Form) -> Request:
    return {"command": "runaround-roll", "seat": playing.seat(form), "die": number(form, "die")}


def _throw(form: Form) -> Request:
    return {"command": "runaround-roll", "seat": playing.seat(form), "die": playing.thrown(1)[0], "by": "server's dice"}


def _move(form: Form) -> Request:
    return {"command": "runaround-move", "seat": playing.seat(form), "space": number(form, "space")}


ASKS = {"runaround-roll": _roll, "runaround-throw": _throw, "runaround-move": _move}


def view(context: Context, state: Runaround, audience: Audience) -> View:
    """Return the loop as two lanes between its ends, and what each lawful move would do."""
    now = movers(context, state)
    spaces = state.loop.spaces
    half = spaces // 2
    return {
        **playing.turn(context, now, audience),
        "headline": _awaited(playing.mover(context, now), state) if now else "",
        "die": list(DIE),
        "roll": state.roll,
        "ends": [_space(context, state, 0), _space(context, state, half)],
        "lanes": [
            [_space(context, state, n) for n in range(1, half)],
            [_space(context, state, n) for n in range(spaces - 1, half, -1)],
        ],
        "moves": [_outlook(context, state, space) for space in state.movable()],
        "sides": [
            {"seat": seat, "home": side.home, "runs": side.runs}
            for seat, side in zip(context.seats(), state.loop.sides, strict=False)
        ],
    }


def _awaited(name: str, state: Runaround) -> str:
    if state.roll is not None:
        return count(state.roll, "{name} moves a pawn {n} space.", "{name} moves a pawn {n} spaces.", name=name)
    if state.carried is not None:
        return say("{name} rolls again for the pawn on space {space}.", name=name, space=state.carried.space)
    return say("{name} rolls the die.", name=name)


def _space(context: Context, state: Runaround, number: int) -> View:
    standing = next((n for n, side in enumerate(state.loop.sides) if side.at(number)), None)
    return {
        "number": number,
        "seat": None if standing is None else context.seats()[standing],
        "wall": across(number, spaces=state.loop.spaces) is not None,
        "movable": number in state.movable(),
        "carried": state.carried is not None and state.carried.space == number,
    }


def _outlook(context: Context, state: Runaround, space: int) -> View:
    """Return what would follow if the pawn on `space` were moved."""
    at_once = bool(context.house.get("score_on_reaching"))
    landing = move(state.loop, state.player, space, state.roll or 0, score_on_reaching=at_once)
    run = _runs(landing.loop, state.player) - _runs(state.loop, state.player)
    return {"space": space, "what": WHAT[landing.what], "runs": run}


def _runs(loop: Loop, player: int) -> int:
    return loop.sides[player].runs
