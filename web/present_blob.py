"""Blob on the pages: the grid, tapped; rows and columns that score are named at their ends."""

from __future__ import annotations

from pi.rules.games.blob import Blob
from pi.rules.games.blob_score import fill_problem, run_lengths, scoring_lines, squares_each
from pi.rules.games.taking_turns import movers
from pi.rules.ruleset import Context
from web import playing
from web.audience import Audience
from web.forms import Form, Request
from web.playing import View
from web.speech import count


def _fill(form: Form) -> Request:
    row, column = playing.cell(form)
    return {"command": "blob-fill", "seat": playing.seat(form), "row": row, "column": column}


ASKS = {"blob-fill": _fill}


def view(context: Context, state: Blob, audience: Audience) -> View:
    """Return the grid, which lines score, and where the next square may be filled."""
    places = range(state.size)
    now = movers(context, len(state.filled), over=state.over)
    lines = scoring_lines(state.filled, size=state.size)
    left = 2 * squares_each(state.size) - len(state.filled)
    seats = context.seats()
    order = {cell: number for number, cell in enumerate(state.filled)}
    return {
        **playing.turn(context, now, audience),
        "headline": _headline(playing.mover(context, now), left),
        "grid": [
            [
                {
                    "filled": (r, c) in order,
                    "seat": seats[order[r, c] % len(seats)] if (r, c) in order else None,
                    "last": order.get((r, c)) == len(state.filled) - 1,
                    "free": bool(now) and fill_problem(state.filled, (r, c), size=state.size) is None,
                }
                for c in places
            ]
            for r in places
        ],
        "rows": [_line([(r, c) in order for c in places], r in lines.rows) for r in places],
        "columns": [_line([(r, c) in order for r in places], c in lines.columns) for c in places],
        "left": left,
    }


def _headline(name: str, left: int) -> str:
    if not name:
        return ""
    return count(left, "{name} fills a square; {n} is left.", "{name} fills a square; {n} are left.", name=name)


def _line(line: list[bool], scores: bool) -> View:
    return {"scores": scores, "lengths": list(run_lengths(line))}
