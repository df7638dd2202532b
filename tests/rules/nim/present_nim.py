"""Nim on the pages."""

from __future__ import annotations

from typing import Any

from pi.rules.ruleset import Context
from web import playing
from web.audience import Audience
from web.forms import Form, Request, number
from web.playing import View

ASKS = {"nim-take": lambda form: _take(form)}


def _take(form: Form) -> Request:
    return {"command": "nim-take", "seat": playing.seat(form), "counters": number(form, "counters")}


def view(context: Context, state: Any, audience: Audience) -> View:
    """Return the heap."""
    seats = context.seats()
    now = (seats[state.turns % 2],) if state.heap else ()
    return {**playing.turn(context, now, audience), "headline": f"{state.heap} counters are left.", "heap": state.heap}
