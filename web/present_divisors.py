"""Divisors and multiples on the pages: each free number with the cheapest way to it, one tap a turn."""

from __future__ import annotations

from pi.rules.games.divisors import Divisors
from pi.rules.games.divisors_score import START, cheapest
from pi.rules.games.taking_turns import movers
from pi.rules.ruleset import Context
from web import playing
from web.audience import Audience
from web.forms import Form, Request
from web.playing import View
from web.speech import say

MOST_PICKS = 99


def _walk(form: Form) -> Request:
    picks = playing.whole_numbers(form, "picks", most=MOST_PICKS)
    return {"command": "divisors-walk", "seat": playing.seat(form), "picks": picks}


ASKS = {"divisors-walk": _walk}


def view(context: Context, state: Divisors, audience: Audience) -> View:
    """Return every number: who claimed it, or what the cheapest way to it costs; and the turns so far."""
    now = movers(context, len(state.turns), over=state.over)
    ways = cheapest(state.at, claimed=state.claimed, most=state.most) if now else {}
    owners = {turn.steps[-1].number: turn.seat for turn in state.turns}
    return {
        **playing.turn(context, now, audience),
        "headline": say("{name} steps on from {number}.", name=playing.mover(context, now), number=state.at)
        if now
        else "",
        "at": state.at,
        "numbers": [
            {
                "number": n,
                "seat": owners.get(n),
                "start": n == START,
                "picks": list(ways[n].picks) if n in ways else [],
                "cost": ways[n].cost if n in ways else None,
            }
            for n in range(1, state.most + 1)
        ],
        "turns": [
            {
                "name": context.name(turn.seat),
                "steps": [{"number": step.number, "cost": step.cost} for step in turn.steps],
                "cost": turn.cost,
            }
            for turn in state.turns
        ],
    }
