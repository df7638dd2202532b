"""The turns of a match: what its game tells in words, each once. Pure; the same whoever read or typed them."""

from __future__ import annotations

from pi.rules.events import Event, TileCorrected
from pi.rules.match import Match


def turns(match: Match) -> tuple[tuple[int, Event], ...]:
    """Return the turns that still count, in order, each with its place in the match's history.

    A turn that was taken down twice, because it was laid in two parts or read again, is one: the last counts.
    """
    if not match.started:
        return ()
    prepares = (TileCorrected, *match.ruleset.prepares)
    found: dict[object, tuple[int, Event]] = {}
    for at, event in enumerate(match.history):
        if isinstance(event, prepares) or not match.ruleset.told(match.context, event):
            continue
        place = (type(event), getattr(event, "round", at), getattr(event, "turn", at))
        found.pop(place, None)
        found[place] = at, event
    return tuple(found.values())
