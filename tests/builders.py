"""Short ways to say what tests are about: players, trays, lock-ins, whole evenings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pi.rules import commands as ask
from pi.rules.events import SeenTile, Tray
from pi.rules.match import NEW, Match, apply, decide
from pi.rules.ruleset import Refused
from pi.rules.seen import EyeRead
from pi.rules.values import Board, Layout, Player, Seat

SECOND = 1_000_000_000

ONE_RUN = "4 1 7 2 9 5 0 8 3 6\n2 0 4 6 8 1 3 5 7 9\n0 5 1 6 2 7 3 8 4 9\n1 3 0 4 5 6 9 2 8 7"
"""A rows board with exactly one run: 4 5 6 in the last row."""
NO_RUN = "4 1 7 2 9 5 0 8 3 6\n2 0 4 6 8 1 3 5 7 9\n0 5 1 6 2 7 3 8 4 9\n1 3 0 4 6 5 9 2 8 7"
"""A rows board without a run."""
THREE_RUNS = "1 2 8 7 6 3 5 4 9 0\n2 0 4 6 8 1 3 5 7 9\n0 5 1 6 2 7 3 8 4 9\n1 3 0 4 6 5 9 2 8 7"
"""A rows board whose first row is the rule book's example of three runs."""


def players(*names: str) -> tuple[Player, ...]:
    """Return players at seats 1, 2, ... ."""
    return tuple(Player(Seat(n), name) for n, name in enumerate(names, start=1))


def tray(
    text: str,
    *,
    layout: str = "rows",
    source: str = "camera",
    doubts: Sequence[tuple[int, int]] = (),
    frame: str = "f1",
) -> Tray:
    """Return a reading of a board written as text; the cells in `doubts` are not sure."""
    cells = Board.parse(text, layout=Layout(layout)).cells()
    return Tray(
        tuple(SeenTile(r, c, s, sure=(r, c) not in doubts) for (r, c), s in cells.items()),
        frame=frame,
        source=source,
    )


def start(*names: str, match: str = "m1", **house: Any) -> ask.StartMatch:
    """Return the command that starts a Random Scramble match."""
    return ask.StartMatch(match, "scramble", players(*(names or ("Ann", "Bob"))), tuple(house.items()))


def lock(seat: int, prediction: int, *, at: float = 1.0, bound_ns: int = 1_000_000) -> ask.LockIn:
    """Return a lock-in, `at` in seconds."""
    return ask.LockIn(Seat(seat), prediction, round(at * SECOND), nonce=f"nonce-{seat}", bound_ns=bound_ns)


def play(state: Match, *commands: Any) -> Match:
    """Return the match after commands, every one of which must be accepted."""
    for command in commands:
        events = decide(state, command)
        assert not isinstance(events, Refused), (command, events)
        for event in events:
            state = apply(state, event)
    return state


def match(*commands: Any) -> Match:
    """Return a match played from nothing."""
    return play(NEW, *commands)


def question(state: Match, command: Any) -> str:
    """Return the question that a reading leads to, in one sentence."""
    answer = decide(state, command)
    assert not isinstance(answer, Refused), answer
    (asked,) = answer
    assert isinstance(asked, EyeRead)
    assert asked.asked
    return asked.why


def refusal(state: Match, command: Any) -> Refused:
    """Return the refusal of a command that must be refused."""
    answer = decide(state, command)
    assert isinstance(answer, Refused), answer
    return answer
