"""Short ways to play the other games through decide and apply, and laws that every game obeys."""

from __future__ import annotations

from typing import Any

from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.match import Match, apply, decide, replay
from pi.rules.ruleset import Refused
from tests.builders import match, players


def begun(game: str, *names: str, **house: Any) -> Match:
    """Return a match of a game with its first round open."""
    start = ask.StartMatch("m1", game, players(*(names or ("Ann", "Bob"))), tuple(house.items()))
    return match(start, ask.Next(0))


def stored(state: Match) -> list[happened.Event]:
    """Return the match's events as they come back from a journal."""
    return [happened.decode(*happened.encode(event)) for event in state.history]


def check_laws(state: Match) -> None:
    """Check what must hold of every match at every moment."""
    again = replay(stored(state))
    assert again.state == state.state
    assert again.standing() == state.standing()
    assert again.outcome() == state.outcome()
    assert set(state.standing()) == set(state.context.seats())


def undone_to_the_start(state: Match) -> Match:
    """Undo until nothing is left to undo; every step must lead to a state that was."""
    for _ in range(len(state.history)):
        events = decide(state, ask.Undo())
        if isinstance(events, Refused):
            return state
        for event in events:
            state = apply(state, event)
    return state
