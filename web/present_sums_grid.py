"""Sums 1...m on the pages: grids handed in, hidden until the end; every sum shown on demand then."""

from __future__ import annotations

from pi.rules.games.sums_grid import Entry, Sums, movers
from pi.rules.games.sums_grid_score import BEST_KNOWN, sums
from pi.rules.ruleset import Context
from web import playing
from web.audience import Audience
from web.forms import Form, Request, number
from web.playing import View
from web.speech import listed, say


def _hand_in(form: Form) -> Request:
    size = min(max(number(form, "size"), 1), 6)
    numbers = [number(form, f"n.{place}") for place in range(size * size)]
    grid = [numbers[row * size : (row + 1) * size] for row in range(size)]
    return {"command": "sums-hand-in", "seat": playing.seat(form), "grid": grid, "final": "final" in form}


ASKS = {"sums-hand-in": _hand_in}


def view(context: Context, state: Sums, audience: Audience) -> View:
    """Return who has handed in what; the grids themselves once they are open."""
    waiting = movers(context, state)
    names = listed([context.name(seat) for seat in waiting])
    return {
        **playing.turn(context, waiting, audience),
        "headline": say("{names} may still hand in a better grid.", names=names) if waiting else "",
        "size": state.size,
        "best_possible": BEST_KNOWN.get(state.size),
        "entries": [_entry(context, entry) for entry in state.entries],
    }


def _entry(context: Context, entry: Entry) -> View:
    found = sums(entry.grid) if entry.grid else {}
    return {
        "name": context.name(entry.seat),
        "points": entry.points,
        "final": entry.final,
        "grid": [list(row) for row in entry.grid],
        "sums": [_sum(entry, total, found) for total in range(1, entry.points + 1) if total in found],
    }


def _sum(entry: Entry, total: int, found: dict[int, tuple[tuple[int, int], ...]]) -> View:
    return {"total": total, "of": [entry.grid[row][column] for row, column in found[total]]}
