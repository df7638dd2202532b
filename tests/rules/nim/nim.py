"""Nim, two players: who takes the last counter wins. A whole game in one file; only the tests play it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pi.rules import commands as ask
from pi.rules.commands import Command, command
from pi.rules.events import Event, event
from pi.rules.games.taking_turns import mover, movers, next_pressed, out_of_turn
from pi.rules.ruleset import Context, HouseRule, Outcome, Reason, Refused, Ruleset
from pi.rules.values import Points, Seat

MOST = 3


@command("nim-take")
@dataclass(frozen=True, slots=True)
class Take:
    """A player takes one to three counters."""

    seat: Seat
    counters: int
    by: str = "table"


@event("nim-taken")
@dataclass(frozen=True, slots=True)
class Taken:
    """Counters were taken."""

    seat: Seat
    counters: int
    by: str = "table"


@dataclass(frozen=True, slots=True)
class Nim:
    """The heap."""

    heap: int
    turns: int = 0


def decide(context: Context, state: Nim, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command."""
    over = state.heap == 0
    match command:
        case Take(seat=seat, counters=counters, by=by):
            if no := out_of_turn(context, seat, state.turns, over=over):
                return no
            if not 1 <= counters <= min(MOST, state.heap):
                return Refused(Reason.UNLAWFUL, f"One to {min(MOST, state.heap)} counters are taken (got {counters}).")
            return (Taken(seat, counters, by),)
        case ask.Next():
            return next_pressed(context, state.turns, over=over)
        case ask.Resume():
            return ()
    return Refused(Reason.WRONG_GAME, "That is not asked in Nim.")


def apply(context: Context, state: Nim, event: Event) -> Nim:
    """Keep the books."""
    if isinstance(event, Taken) and 1 <= event.counters <= min(MOST, state.heap):
        return Nim(state.heap - event.counters, state.turns + 1)
    return state


def standing(context: Context, state: Nim) -> Mapping[Seat, Points]:
    """Return a point for whoever took the last counter."""
    won = mover(context, state.turns + 1) if state.heap == 0 and state.turns else None
    return {seat: Points(int(seat == won)) for seat in context.seats()}


def outcome(context: Context, state: Nim, score: Mapping[Seat, Points]) -> Outcome:
    """Tell whether the heap is gone."""
    winners = tuple(seat for seat, points in score.items() if points) if state.heap == 0 else ()
    why = f"{context.name(winners[0])} took the last one." if winners else f"{state.heap} counters are left."
    return Outcome(over=bool(winners), winners=winners, why=why)


def told(context: Context, event: Event) -> str | None:
    """Return what happened in a few words."""
    return f"{context.name(event.seat)} takes {event.counters}" if isinstance(event, Taken) else None


NIM = Ruleset(
    name="nim",
    title="Nim",
    source="Nim, as everybody knows it",
    seats=(2, 2),
    house_rules=(HouseRule("heap", 7, "How many counters lie there at first.", least=1, most=99),),
    check=lambda context: None,
    start=lambda context: Nim(int(context.house.get("heap", 7))),
    decide=decide,
    apply=apply,
    standing=standing,
    outcome=outcome,
    expects=lambda context, state: None,
    movers=lambda context, state: movers(context, state.turns, over=state.heap == 0),
    told=told,
    card=(("In a turn", "Take one to three counters. Who takes the last one wins."), ("Author", "Nobody knows.")),
)
