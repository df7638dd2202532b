"""Blob by Leroy Quet (2011), two players, counters on a mat or tapped (RULES.md 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pi.rules import commands as ask
from pi.rules.commands import Command, command
from pi.rules.events import Event, event
from pi.rules.games.blob_score import SOURCE, fill_problem, scoring_lines, squares_each
from pi.rules.games.taking_turns import awaited, ended, mover, movers, next_pressed, out_of_turn
from pi.rules.mats import ANY, counter_laid
from pi.rules.ruleset import Context, HouseRule, Outcome, Reason, Refused, Ruleset, highest
from pi.rules.seen import DARK, EMPTY, LIGHT, ReadMat, SeenPlace
from pi.rules.values import Cell, Points, Seat

BARE_LEAST = 0.01
"""A square less likely bare than this is filled."""


@command("blob-fill")
@dataclass(frozen=True, slots=True)
class Fill:
    """A player fills an empty square; row and column from 0."""

    seat: Seat
    row: int
    column: int
    by: str = "table"
    frame: str = ""
    """The evidence picture; empty when it was tapped."""


@event("blob-filled")
@dataclass(frozen=True, slots=True)
class Filled:
    """A square is filled."""

    seat: Seat
    row: int
    column: int
    by: str = "table"
    frame: str = ""
    """The evidence picture; empty when it was tapped."""


@dataclass(frozen=True, slots=True)
class Blob:
    """The grid as it fills."""

    size: int
    filled: tuple[Cell, ...] = ()
    """In the order they were filled."""

    @property
    def over(self) -> bool:
        """Whether both players have filled floor(n*n/4) squares."""
        return len(self.filled) >= 2 * squares_each(self.size)


def start(context: Context) -> Blob:
    """Return the empty grid."""
    return Blob(int(context.house.get("size", 8)))


def decide(context: Context, state: Blob, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command; see `pi.rules.match.decide`."""
    turns = len(state.filled)
    match command:
        case Fill(seat=seat, row=row, column=column, by=by, frame=frame):
            if no := out_of_turn(context, seat, turns, over=state.over):
                return no
            if sentence := fill_problem(state.filled, (row, column), size=state.size):
                return Refused(Reason.UNLAWFUL, sentence)
            return (Filled(seat, row, column, by, frame),)
        case ReadMat():
            laid = _laid(context, state, command)
            return laid if isinstance(laid, Refused) else decide(context, state, laid)
        case ask.Next():
            return next_pressed(context, turns, over=state.over)
        case ask.Resume():
            return ()
    return Refused(Reason.WRONG_GAME, "That is not asked in Blob.")


def expects(context: Context, state: Blob) -> str | None:
    """Return the mat the eye should look for; None when the game is over."""
    return None if state.over else f"blob:{state.size}"


def _laid(context: Context, state: Blob, seen: ReadMat) -> Fill | Refused:
    """Take the mat as it lies: one counter more is the square the mover filled.

    Player 1 lays dark counters and player 2 light ones, so that a turn out of order is noticed (Ruling; with
    `any_counter` both lay what there is).
    """
    own = not context.house.get("any_counter", False)
    kinds, turns = (DARK, LIGHT), len(state.filled)
    known = [EMPTY] * (state.size * state.size)
    for turn, (row, column) in enumerate(state.filled):
        known[row * state.size + column] = kinds[turn % 2] if own else ANY
    waiting = awaited(context, turns, over=state.over)
    if own:
        seen = _whatever_colour(seen, known, kinds[turns % 2])
    where = partial(called, context)
    laid = counter_laid(seen, known, mat=f"blob:{state.size}", where=where, waiting=waiting)
    if isinstance(laid, Refused):
        return laid
    if own and laid.holds != kinds[turns % 2]:
        whose = f"{context.name(mover(context, turns))}, whose turn it is, lays {kinds[turns % 2]} ones"
        return Refused(Reason.NOT_YOUR_TURN, f"The counter on {where(laid.place)} is {laid.holds}, but {whose}.")
    return Fill(mover(context, turns), laid.place // state.size, laid.place % state.size, "referee", seen.frame)


def _whatever_colour(seen: ReadMat, known: Sequence[str], own: str) -> ReadMat:
    """Return the reading with the mover's colour where a counter surely lies and only its colour is in doubt.

    No score hangs on the colour: a filled square is a filled square.
    """
    places = (
        replace(p, holds=own, sure=True)
        if not p.sure and p.likely and p.place < len(known) and known[p.place] == EMPTY and _lies(p)
        else p
        for p in seen.places
    )
    return replace(seen, places=tuple(places))


def _lies(place: SeenPlace) -> bool:
    return place.holds != EMPTY and dict(place.likely).get(EMPTY, 0.0) < BARE_LEAST


def called(context: Context, place: int) -> str:
    """Return how people call a square of the grid."""
    size = int(context.house.get("size", 8))
    return f"row {place // size + 1} column {place % size + 1}"


def apply(context: Context, state: Blob, event: Event) -> Blob:
    """Keep the books; total, see `pi.rules.match.apply`."""
    match event:
        case Filled(row=row, column=column) if fill_problem((), (row, column), size=state.size) is None:
            return Blob(state.size, tuple(dict.fromkeys((*state.filled, (row, column)))))
    return state


def standing(context: Context, state: Blob) -> Mapping[Seat, Points]:
    """Return the lines that score as the grid lies: player 1 has the rows, player 2 the columns."""
    points = scoring_lines(state.filled, size=state.size).points
    return dict(zip(context.seats(), map(Points, points), strict=False))


def outcome(context: Context, state: Blob, score: Mapping[Seat, Points]) -> Outcome:
    """Tell whether all squares are filled; "the player with the largest score wins"."""
    if not state.over:
        left = 2 * squares_each(state.size) - len(state.filled)
        return Outcome(over=False, winners=(), why=f"{left} squares are still to be filled.")
    return ended(context, highest(context, score), score)


def told(context: Context, event: Event) -> str | None:
    """Return what happened in a few words."""
    match event:
        case Filled(seat=seat, row=row, column=column):
            return f"{context.name(seat)} fills row {row + 1} column {column + 1}"
    return None


CARD = (
    (
        "In a turn",
        "Fill one empty square. It must touch a filled square along a side; a corner is not enough. The very first "
        "square is free.",
    ),
    ("It ends", "when both have filled a quarter of the grid, rounded down (16 squares each on a grid of 8)."),
    (
        "A line scores",
        "when, of any two runs of filled or of empty squares in it, the shorter length divides the longer. "
        "2 filled, 4 empty, 2 filled scores; 2, 3, 3 does not. A line that is all empty scores, too.",
    ),
    ("Player 1", "has the rows, player 2 the columns: one point for each line that scores. The higher score wins."),
    ("Author", "Leroy Quet, 2011."),
)

BLOB = Ruleset(
    name="blob",
    title="Blob",
    source=SOURCE,
    seats=(2, 2),
    house_rules=(
        HouseRule("size", 8, "How many squares a side of the grid has.", least=2, most=16),
        HouseRule("any_counter", False, "On the mat any counter fills a square, dark or light, whoever lays it."),
    ),
    check=lambda context: None,
    start=start,
    decide=decide,
    apply=apply,
    standing=standing,
    outcome=outcome,
    expects=expects,
    movers=lambda context, state: movers(context, len(state.filled), over=state.over),
    told=told,
    called=called,
    card=CARD,
)
