"""Palindromes by Leroy Quet (2011), two players, counters on a mat or tapped (RULES.md 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pi.rules import commands as ask
from pi.rules.commands import Command, command
from pi.rules.events import Event, event
from pi.rules.games.palindromes_score import DIGITS, SOURCE, patterns
from pi.rules.games.taking_turns import awaited, ended, mover, movers, next_pressed, out_of_turn
from pi.rules.mats import Laid, counter_laid
from pi.rules.ruleset import Context, HouseRule, Outcome, Reason, Refused, Ruleset, highest
from pi.rules.seen import DARK, EMPTY, LIGHT, ReadMat
from pi.rules.values import Points, Seat


@command("palindromes-write")
@dataclass(frozen=True, slots=True)
class Write:
    """A player writes a 0 or a 1 into an empty square, from 0."""

    seat: Seat
    square: int
    digit: str
    by: str = "table"
    frame: str = ""
    """The evidence picture; empty when it was tapped."""


@event("palindromes-written")
@dataclass(frozen=True, slots=True)
class Written:
    """A digit stands in a square."""

    seat: Seat
    square: int
    digit: str
    by: str = "table"
    frame: str = ""
    """The evidence picture; empty when it was tapped."""


@dataclass(frozen=True, slots=True)
class Palindromes:
    """The row as it fills."""

    row: tuple[str | None, ...]
    """A digit or None in each square."""

    @property
    def turns(self) -> int:
        """How many squares are filled."""
        return sum(digit is not None for digit in self.row)

    @property
    def over(self) -> bool:
        """Whether each square has one digit in it."""
        return self.turns == len(self.row)


def start(context: Context) -> Palindromes:
    """Return the empty row."""
    return Palindromes((None,) * int(context.house.get("squares", 16)))


def decide(context: Context, state: Palindromes, command: Command) -> Sequence[Event] | Refused:
    """Rule on a command; see `pi.rules.match.decide`."""
    match command:
        case Write(seat=seat, square=square, digit=digit, by=by, frame=frame):
            if no := out_of_turn(context, seat, state.turns, over=state.over):
                return no
            if not 0 <= square < len(state.row):
                return Refused(Reason.BAD_CELL, f"There is no square {square + 1} (expected 1 to {len(state.row)}).")
            if state.row[square] is not None:
                return Refused(Reason.UNLAWFUL, f"Square {square + 1} holds a {state.row[square]} already.")
            if digit not in DIGITS:
                return Refused(Reason.BAD_SYMBOL, f"{digit!r} is neither 0 nor 1.")
            return (Written(seat, square, digit, by, frame),)
        case ReadMat():
            laid = _laid(context, state, command)
            return laid if isinstance(laid, Refused) else decide(context, state, laid)
        case ask.Next():
            return next_pressed(context, state.turns, over=state.over)
        case ask.Resume():
            return ()
    return Refused(Reason.WRONG_GAME, "That is not asked in Palindromes.")


MOST_ON_MAT = 16
"""Squares of the longest row that fits the tray; a longer one is tapped."""
COUNTERS = {"1": DARK, "0": LIGHT, None: EMPTY}
"""Digit -> the counter that stands for it."""


def expects(context: Context, state: Palindromes) -> str | None:
    """Return the mat the eye should look for; None when the row fits no mat, or is full."""
    return None if state.over or len(state.row) > MOST_ON_MAT else f"palindromes:{len(state.row)}"


def _laid(context: Context, state: Palindromes, seen: ReadMat) -> Write | Refused:
    """Take the mat as it lies: one counter more is what the mover wrote."""
    known = [COUNTERS[digit] for digit in state.row]
    waiting = awaited(context, state.turns, over=state.over)
    mat = f"palindromes:{len(state.row)}"
    laid = counter_laid(seen, known, mat=mat, where=partial(called, context), waiting=waiting)
    if not isinstance(laid, Laid):
        return laid
    digit = "1" if laid.holds == DARK else "0"
    return Write(mover(context, state.turns), laid.place, digit, "referee", seen.frame)


def called(context: Context, place: int) -> str:
    """Return how people call a square of the row."""
    return f"square {place + 1}"


def apply(context: Context, state: Palindromes, event: Event) -> Palindromes:
    """Keep the books; total, see `pi.rules.match.apply`."""
    match event:
        case Written(square=square, digit=digit) if 0 <= square < len(state.row) and digit in DIGITS:
            return Palindromes((*state.row[:square], digit, *state.row[square + 1 :]))
    return state


def standing(context: Context, state: Palindromes) -> Mapping[Seat, Points]:
    """Return what the row is worth so far: player 1 has the palindromes, player 2 the antipalindromes."""
    return dict(zip(context.seats(), map(Points, patterns(state.row).points), strict=False))


def outcome(context: Context, state: Palindromes, score: Mapping[Seat, Points]) -> Outcome:
    """Tell whether the row is full; "the player with the largest score is the winner"."""
    if not state.over:
        left = len(state.row) - state.turns
        return Outcome(over=False, winners=(), why=f"{left} squares are empty.")
    return ended(context, highest(context, score), score)


def told(context: Context, event: Event) -> str | None:
    """Return what happened in a few words."""
    match event:
        case Written(seat=seat, square=square, digit=digit):
            return f"{context.name(seat)} writes a {digit} into square {square + 1}"
    return None


CARD = (
    (
        "In a turn",
        "Write a 0 or a 1 into any empty square of the row: a light counter on the mat is 0, a dark one 1. It ends "
        "when the row is full.",
    ),
    (
        "Player 1",
        "scores every stretch of even length that reads the same both ways (a palindrome, such as 0110): its length "
        "in points.",
    ),
    (
        "Player 2",
        "scores every stretch of even length whose second half is its first half read backwards with 0 and 1 "
        "exchanged (such as 0101 or 0011): its length in points.",
    ),
    ("Overlaps count", "A long pattern holds shorter ones around the same middle; all of them score."),
    ("It is won", "by the higher score."),
    ("Author", "Leroy Quet, 2011."),
)

PALINDROMES = Ruleset(
    name="palindromes",
    title="Palindromes",
    source=SOURCE,
    seats=(2, 2),
    house_rules=(HouseRule("squares", 16, "How many squares the row has.", least=2, most=60),),
    check=lambda context: None,
    start=start,
    decide=decide,
    apply=apply,
    standing=standing,
    outcome=outcome,
    expects=expects,
    movers=lambda context, state: movers(context, state.turns, over=state.over),
    told=told,
    called=called,
    card=CARD,
)
