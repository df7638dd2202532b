"""Palindromes on the pages: the row, tapped; every scoring pattern on demand."""

from __future__ import annotations

from pi.rules.games.palindromes import Palindromes
from pi.rules.games.palindromes_score import DIGITS, Span, patterns, spans
from pi.rules.games.taking_turns import movers
from pi.rules.ruleset import Context
from web import playing
from web.audience import Audience
from web.forms import BadInput, Form, Request
from web.playing import View
from web.speech import count


def _write(form: Form) -> Request:
    square, digit = playing.cell(form)
    if str(digit) not in DIGITS:
        raise BadInput("the field 'cell' is the square and then 0 or 1")
    return {"command": "palindromes-write", "seat": playing.seat(form), "square": square, "digit": str(digit)}


ASKS = {"palindromes-write": _write}


def view(context: Context, state: Palindromes, audience: Audience) -> View:
    """Return the row, and both players' patterns, longest first."""
    now = movers(context, state.turns, over=state.over)
    found = patterns(state.row)
    left = len(state.row) - state.turns
    return {
        **playing.turn(context, now, audience),
        "headline": _headline(playing.mover(context, now), left),
        "row": list(state.row),
        "palindromes": _shown(state, spans(found.palindromes)),
        "antipalindromes": _shown(state, spans(found.antipalindromes)),
    }


def _headline(name: str, left: int) -> str:
    if not name:
        return ""
    one, many = "{name} writes a 0 or a 1; {n} square is empty.", "{name} writes a 0 or a 1; {n} squares are empty."
    return count(left, one, many, name=name)


def _shown(state: Palindromes, found: tuple[Span, ...]) -> list[View]:
    longest = sorted(found, key=lambda span: (span[0] - span[1], span[0]))
    return [
        {"from": begin + 1, "to": end, "points": end - begin, "text": "".join(d or "" for d in state.row[begin:end])}
        for begin, end in longest
    ]
