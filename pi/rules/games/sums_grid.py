"""Sums 1...m by Leroy Quet (2011), alone or who does best, tapped or typed (RULES.md 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pi.rules import commands as ask
from pi.rules.commands import Command, command
from pi.rules.events import Event, event
from pi.rules.games.sums_grid_score import SOURCE, grid_problem, score
from pi.rules.games.taking_turns import ended
from pi.rules.ruleset import Context, HouseRule, Outcome, Reason, Refused, Ruleset, highest, unknown_seat
from pi.rules.values import Points, Seat

Rows = tuple[tuple[int, ...], ...]


@command("sums-hand-in")
@dataclass(frozen=True, slots=True)
class HandIn:
    """A player hands in a grid; the best one counts. `final`: it is the last one."""

    seat: Seat
    grid: Rows
    final: bool = False
    by: str = "table"


@event("sums-handed-in")
@dataclass(frozen=True, slots=True)
class HandedIn:
    """A grid was handed in."""

    seat: Seat
    grid: Rows
    final: bool = False
    by: str = "table"


@dataclass(frozen=True, slots=True)
class Entry:
    """A grid as it counts."""

    seat: Seat
    grid: Rows
    """Empty where it is hidden from the others (`veiled`)."""
    points: Points
    final: bool


@dataclass(frozen=True, slots=True)
class Sums:
    """The grids handed in so far."""

    size: int
    entries: tuple[Entry, ...] = ()
    players: int = 0
    """How many seats hand in; 0 when it is not known."""

    def done(self) -> tuple[Seat, ...]:
        """Return the seats that have handed in their last grid."""
        return tuple(entry.seat for entry in self.entries if entry.final)

    def best(self, seat: Seat) -> Entry | None:
        """Return the seat's best grid; None before its first."""
        own = [entry for entry in self.entries if entry.seat == seat]
        return max(own, key=lambda entry: entry.points, default=None)


def veiled(state: Sums) -> Sums:
    """Return the state without the grids: who sees another's good grid could copy it. At the end all are open."""
    if state.players and len(set(state.done())) >= state.players:
        return state
    return replace(state, entries=tuple(replace(entry, grid=()) for entry in state.entries))


def start(context: Context) -> Sums:
    """Return the state before anything was handed in."""
    return Sums(int(context.house.get("size", 3)), players=len(context.players))


def decide(context: Context, state: Sums, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command; see `pi.rules.match.decide`."""
    match command:
        case HandIn(seat=seat, grid=grid, final=final, by=by):
            if seat not in context.seats():
                return unknown_seat(context, seat)
            if seat in state.done():
                return Refused(Reason.ALREADY_LOCKED, f"{context.name(seat)} has handed in the last grid.")
            if sentence := _problem(grid, state.size):
                return Refused(Reason.UNLAWFUL, sentence)
            return (HandedIn(seat, grid, final, by),)
        case ask.Next():
            return Refused(Reason.WRONG_PHASE, "The grids are being filled; each player hands in a last one.")
        case ask.Resume():
            return ()
    return Refused(Reason.WRONG_GAME, "That is not asked in Sums.")


def _problem(grid: Rows, size: int) -> str | None:
    if len(grid) != size:
        return f"The grid has {len(grid)} rows (expected {size})."
    return grid_problem(grid)


def apply(context: Context, state: Sums, event: Event) -> Sums:
    """Keep the books; total, see `pi.rules.match.apply`."""
    match event:
        case HandedIn(seat=seat, grid=grid, final=final) if _problem(grid, state.size) is None:
            entry = Entry(seat, grid, Points(score(grid)), final)
            return replace(state, entries=(*state.entries, entry))
    return state


def standing(context: Context, state: Sums) -> Mapping[Seat, Points]:
    """Return the score of each seat's best grid."""
    best = {seat: state.best(seat) for seat in context.seats()}
    return {seat: entry.points if entry else Points(0) for seat, entry in best.items()}


def outcome(context: Context, state: Sums, score: Mapping[Seat, Points]) -> Outcome:
    """Tell whether every seat has handed in its last grid; the highest score wins."""
    waiting = [context.name(seat) for seat in context.seats() if seat not in state.done()]
    if waiting:
        return Outcome(over=False, winners=(), why=f"{' and '.join(waiting)} may still do better.")
    return ended(context, highest(context, score), score)


def told(context: Context, event: Event) -> str | None:
    """Return what happened in a few words, without the grid."""
    match event:
        case HandedIn(seat=seat, final=final):
            return f"{context.name(seat)} hands in {'the last' if final else 'a'} grid"
    return None


def movers(context: Context, state: Sums) -> tuple[Seat, ...]:
    """Return who may still hand in a grid."""
    return tuple(seat for seat in context.seats() if seat not in state.done())


CARD = (
    ("Fill", "the square grid with whole numbers from 1 up, all different."),
    (
        "It is worth",
        "the largest m for which each of 1, 2, ... m is a single number of your grid or the sum of neighbours in one "
        "row or one column. One missing sum stops the count.",
    ),
    (
        "Hand in",
        "as often as you like; the best grid counts. Grids stay hidden until all have handed in the last.",
    ),
    ("It is won", "by the highest m. On a grid of 3 by 3 the most that can be reached is 26."),
    ("Author", "Leroy Quet, 2011."),
)

SUMS_GRID = Ruleset(
    name="sums-grid",
    title="Sums 1...m",
    source=SOURCE,
    seats=(1, 6),
    house_rules=(HouseRule("size", 3, "How many squares a side of the grid has.", least=2, most=6),),
    check=lambda context: None,
    start=start,
    decide=decide,
    apply=apply,
    standing=standing,
    outcome=outcome,
    expects=lambda context, state: None,
    veiled=veiled,
    movers=movers,
    told=told,
    card=CARD,
)
