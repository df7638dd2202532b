"""What the games in which seats simply take turns have in common."""

from __future__ import annotations

from collections.abc import Mapping

from pi.rules.ruleset import Context, Outcome, Reason, Refused, unknown_seat
from pi.rules.values import Points, Seat


def mover(context: Context, turns: int) -> Seat:
    """Return whose turn it is after so many turns; the first seat begins."""
    seats = context.seats()
    return seats[turns % len(seats)]


def movers(context: Context, turns: int, *, over: bool) -> tuple[Seat, ...]:
    """Return whose turn it is as a ruleset says it: nobody's when the game is over."""
    return () if over else (mover(context, turns),)


def out_of_turn(context: Context, seat: Seat, turns: int, *, over: bool) -> Refused | None:
    """Return why a seat may not move now; None when it may."""
    if seat not in context.seats():
        return unknown_seat(context, seat)
    if over:
        return Refused(Reason.MATCH_OVER, "The game is over.")
    if seat != mover(context, turns):
        sentence = f"It is not {context.name(seat)}'s turn but {context.name(mover(context, turns))}'s."
        return Refused(Reason.NOT_YOUR_TURN, sentence)
    return None


def next_pressed(context: Context, turns: int, *, over: bool) -> Refused:
    """Return the answer to NEXT in a game that has no rounds to open."""
    if over:
        return Refused(Reason.MATCH_OVER, "The game is over.")
    return Refused(Reason.WRONG_PHASE, f"It is {context.name(mover(context, turns))}'s turn.")


def awaited(context: Context, turns: int, *, over: bool) -> str:
    """Return the sentence that says whose turn it is."""
    return "The game is over." if over else f"It is {context.name(mover(context, turns))}'s turn."


def ended(context: Context, winners: tuple[Seat, ...], score: Mapping[Seat, Points]) -> Outcome:
    """Return the outcome of a finished game; equal scores share the win."""
    names = " and ".join(context.name(seat) for seat in winners)
    said = " to ".join(str(score[seat]) for seat in context.seats())
    verb = "share the win" if len(winners) > 1 else "wins"
    return Outcome(over=True, winners=winners, why=f"{names} {verb}, {said}.")
